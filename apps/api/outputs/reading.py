"""What a read led to, and receipts."""

from rest_framework import serializers

from apps.api.fields import Day, Hex, Instant, Named, ReceiptNumber, Text, TypedId, Whole, Word
from apps.api.outputs.links import ToldEdgeOut, ToldEntityOut
from apps.api.outputs.shape import NextOut, Shape
from apps.ledger.services import Verdict
from apps.policy.vocabulary import Claim, ReceiptKind, Refusal, State


class AttestedOut(Shape):
    claim = Word(Claim)
    confirmed = serializers.BooleanField()


class HandedOverOut(Shape, Named):
    """One memory handed over. `value` is null for an attested one, `attested` for any other."""

    memory = TypedId("mem")
    label = Text()
    value = Text(allow_null=True)
    attested = AttestedOut(allow_null=True)
    as_of = Day(allow_null=True)
    status = Word([State.APPROVED])
    provenance = Text()
    rationale = Text()
    receipt = Text()
    grant = TypedId("gra", allow_null=True)
    reads_left = Whole(allow_null=True)


class WithheldOut(Shape):
    memory = TypedId("mem")
    problem = Word(Refusal)
    cool_down_until = Instant(allow_null=True)
    next = NextOut(allow_null=True)


class ReadReceiptOut(Shape):
    """The first of the read's receipts; the others follow it up to `last_seq`."""

    id = Text()
    seq = Whole()
    last_seq = Whole()
    at = Instant()
    digest = Text()
    href = Text()


class ReadOut(Shape):
    receipt = ReadReceiptOut()
    handed_over = HandedOverOut(many=True)
    withheld = WithheldOut(many=True)
    entities = ToldEntityOut(many=True, help_text="Whom and what these are about.")
    edges = ToldEdgeOut(many=True, help_text="At most 200, the newest first; their other ends are granted too.")
    replayed = serializers.BooleanField(help_text="The same Idempotency-Key again: nothing was spent.")
    handling = Text()


class ReceiptOut(Shape):
    """A committed receipt, field by field. `-` stands for what does not apply. Whoever acts for the holder is given its
    place among the lines they may see, and no digest.
    """

    id = ReceiptNumber(source="seq")
    seq = Whole()
    at = Instant()
    kind = Word(ReceiptKind)
    actor = Text()
    on_behalf_of = Text()
    recipient = Text()
    object = Text()
    memory = TypedId("mem", source="memory_id", allow_null=True)
    version = Whole()
    category = Text()
    form = Text()
    reason = Text()
    request = Text()
    turn = Text()
    purpose = Text()
    digest = Hex("sha256", allow_null=True)
    chain_hash = Hex("sha256", allow_null=True)


class ReceiptBodyOut(Shape):
    """The object whose RFC 8785 bytes the digest is of."""

    v = Text()
    vault = Text()
    seq = Whole()
    time = Text()
    kind = Text()
    actor = Text()
    on_behalf_of = Text()
    recipient = Text()
    object = Text()
    memory = Text()
    version = Whole()
    category = Text()
    form = Text()
    reason = Text()
    request = Text()
    turn = Text()
    purpose = Text()
    commitment = Text()
    salt = Text()


class FindingOut(Shape):
    where = Text(help_text="A member (`leaf.tag`), a place in one (`segment[3]`), or a receipt's number.")
    what = Text()


class FileReportOut(Shape):
    """What a check of a file says, in the order it is to be read: the verdict after its limits."""

    kind = Word(["receipt", "bundle", "conversation", "certificate", "fork", "unknown"])
    checked = serializers.ListField(child=Text())
    coverage = serializers.ListField(child=Text())
    limits = serializers.ListField(child=Text())
    content = Text()
    verdict = Word(Verdict)
    heading = Text()
    says = Text()
    findings = FindingOut(many=True)
    checkpoint = Text(allow_null=True, help_text="The signed checkpoint whose signatures held.")
    exit_code = Whole(help_text="0 intact, 1 altered, forked or of an unknown key, 2 not checked: the program’s.")


class LoggedLeafOut(Shape):
    """The leaf that pins the receipt: the head of the vault's chain when it was logged."""

    index = Whole()
    tag = Text(help_text="HMAC-SHA256 of the vault's hyphenated id under `pseudonym_key`, in hex.")
    seq = Whole()
    chain_hash = Text()
    pseudonym_key = Text()


class ReceiptFileOut(Shape):
    """A receipt to keep, checked offline. While `log` says "not yet in the log", there is no leaf and no proof."""

    format = Text()
    receipt = ReceiptBodyOut()
    digest = Text(help_text="SHA-256 of the receipt's canonical bytes, in hex.")
    chain_hash = Text(help_text="SHA-256 of the previous chain hash and the digest, in hex.")
    previous_chain_hash = Text()
    log = Text(required=False)
    segment = serializers.ListField(
        child=Text(), required=False, help_text="Digests of the receipts from the next one to the leaf's."
    )
    leaf = LoggedLeafOut(required=False)
    proof = Text(required=False, help_text="c2sp.org/tlog-proof@v1")
    keys = serializers.DictField(child=Text(), required=False, help_text="The log's keys by their ids.")
    limits = serializers.ListField(child=Text())
