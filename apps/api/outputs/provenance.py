"""Provenance in one answer, in the order in which an auditor asks."""

from typing import Any

from rest_framework import serializers

from apps.access.services import Content, Provenance, Told
from apps.api.fields import Instant, ReceiptNumber, Text, TypedId, Whole, Word
from apps.api.outputs.file import MemoryOut, VersionOut
from apps.api.outputs.links import LinkOut, MergeOut, link_facts, merge_facts
from apps.api.outputs.shape import Shape
from apps.policy.links import What
from apps.policy.vocabulary import Claim


class AttestedByOut(Shape):
    claim = Word(Claim)
    by = Text()


class LineageOut(Shape):
    made_from = LinkOut(many=True)
    made_into = LinkOut(many=True)


class SuggestedOut(Shape):
    """The suggestion that a version came from. `edited`: the holder kept other words than were suggested."""

    proposal = TypedId("prp", source="proposal_id")
    client = TypedId("cli", source="by_client", allow_null=True)
    link = TypedId("lnk", source="link_id", allow_null=True)
    client_name = Text(allow_null=True)
    made_at = Instant()
    decided_at = Instant(allow_null=True)
    decided_by = Text()
    edited = serializers.BooleanField()


class ToldOut(Shape):
    """A version. Without `kept` it is words that were suggested, and the holder kept others."""

    version = VersionOut(source="line")
    kept = serializers.BooleanField()
    suggested = SuggestedOut(allow_null=True)


class RecipientOut(Shape):
    """Somebody who was handed it. Of an attested memory nobody but its holder is handed the value."""

    recipient = Text()
    name = Text(allow_null=True)
    times = Whole(source="number")
    values = serializers.BooleanField()
    purposes = serializers.ListField(child=Text())
    first_at = Instant()
    last_at = Instant()
    first_receipt = ReceiptNumber(source="first_seq")
    last_receipt = ReceiptNumber(source="last_seq")


class ChainOut(Shape):
    """The chain of receipts, made anew and compared. `first` null: over the newest lines."""

    holds = serializers.BooleanField()
    first = Whole(allow_null=True)
    last = Whole()


class LogOut(Shape):
    """Where the newest receipt about the memory stands in the instance's log."""

    origin = Text()
    size = Whole(help_text="Of the checkpoint, in leaves.")
    leaf = Whole()
    upto = Whole(help_text="The receipt that the leaf pins, and with it all before.")
    witnesses = serializers.ListField(child=Text())
    quorum = serializers.BooleanField(help_text="They are as many as the policy asks for.")


class IntegrityOut(Shape):
    content = Word(Content)
    bound_by = ReceiptNumber(allow_null=True, help_text="The first receipt that is bound to the value.")
    chain = ChainOut()
    newest_receipt = ReceiptNumber(allow_null=True)
    log = LogOut(allow_null=True, help_text="null: not in the log yet, or not shown to who acts for the holder.")


class ProvenanceOut(Shape):
    """No value is in it. `content` is not checked by a GET: a look at a value has its receipt."""

    memory = MemoryOut()
    since = Instant()
    said_by = Text()
    said_by_name = Text(allow_null=True)
    kept_by = Text(help_text="Who wrote it down, or said yes to it.")
    attested = AttestedByOut(allow_null=True)
    lineage = LineageOut()
    edges = LinkOut(many=True)
    merges = MergeOut(many=True)
    history = ToldOut(many=True)
    recipients = RecipientOut(many=True)
    integrity = IntegrityOut()
    limits = serializers.ListField(child=Text())


def provenance_words(found: Provenance) -> dict[str, Any]:
    """The whole answer as JSON."""

    def links(which: Any) -> list[dict[str, Any]]:
        return [link_facts(each, What.MEMORY) for each in which]

    return ProvenanceOut.of(
        {
            "memory": found.memory,
            "since": found.since,
            "said_by": found.said_by,
            "said_by_name": found.clients.get(found.said_by) or None,
            "kept_by": found.kept_by,
            "attested": {"claim": found.memory.claim, "by": found.attested_by} if found.memory.attested else None,
            "lineage": {"made_from": links(found.made_from), "made_into": links(found.made_into)},
            "edges": links(found.others),
            "merges": [merge_facts(each) for each in found.merges],
            "history": [_told(each, found) for each in found.history],
            "recipients": [
                {
                    **{name: getattr(each, name) for name in _RECIPIENT},
                    "name": found.clients.get(each.recipient) or None,
                }
                for each in found.recipients
            ],
            "integrity": _integrity(found),
            "limits": found.limits,
        }
    )


_RECIPIENT = ("recipient", "number", "values", "purposes", "first_at", "last_at", "first_seq", "last_seq")
_SUGGESTED = ("proposal_id", "by_client", "link_id", "made_at", "decided_at", "decided_by", "edited")


def _told(told: Told, found: Provenance) -> dict[str, Any]:
    proposal = told.proposal
    suggested = None
    if proposal is not None:
        suggested = {name: getattr(proposal, name) for name in _SUGGESTED}
        suggested["client_name"] = found.clients.get(proposal.source) or None
    return {"line": told.line, "kept": told.kept, "suggested": suggested}


def _integrity(found: Provenance) -> dict[str, Any]:
    said = found.integrity
    logged = said.logged
    log = None
    if logged is not None:
        log = {"origin": logged.origin, "size": logged.size, "leaf": logged.leaf, "upto": logged.upto}
        log |= {"witnesses": logged.witnessed.names, "quorum": logged.witnessed.quorum}
    return {
        "content": said.content,
        "bound_by": said.bound_by,
        "chain": {"holds": said.holds, "first": said.first or None, "last": said.last},
        "newest_receipt": said.newest or None,
        "log": log,
    }
