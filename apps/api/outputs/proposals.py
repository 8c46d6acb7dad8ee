"""Proposals: as the client that made them sees them, and as the holder does, with what the vault noticed."""

from rest_framework import serializers

from apps.api.fields import Day, Instant, Named, Text, TypedId, Whole, Word
from apps.api.outputs.file import MemoryOut, ShownValueOut
from apps.api.outputs.shape import Shape
from apps.policy.routing import Intent
from apps.policy.vocabulary import Directive, MarkKind, ProposalStatus


class ProposalOut(Shape, Named):
    """What a client would like to be so. `label` and `rationale` are a stranger's words."""

    id = TypedId("prp", source="proposal_id")
    client = TypedId("cli", source="client_id")
    directive = Word(Directive)
    status = Word(ProposalStatus)
    subject = Text()
    label = Text()
    rationale = Text()
    evidence = serializers.ListField(child=Text())
    as_of = Day(allow_null=True)
    made_at = Instant()
    decided_at = Instant(allow_null=True)
    expires_at = Instant(allow_null=True)
    revision = Whole(source="told_revision")


class ProposedOut(ProposalOut):
    """A proposal as the answer to the client that sent it."""

    again = serializers.BooleanField(
        help_text="It waited already: nothing of it was changed, and what else was sent now (rationale, evidence, "
        "derived_from) was not kept. To say more, withdraw it and propose it again."
    )


class MarkOut(Shape):
    """Something that was noticed: about which memory, in which version, and how; `proposal`: the other one that waits
    and says otherwise.
    """

    kind = Word(MarkKind)
    memory = TypedId("mem", source="memory_id", allow_null=True)
    version = Whole()
    how = Text()
    proposal = TypedId("prp", source="beside", allow_null=True)


class HeldProposalOut(ProposalOut):
    """A proposal as its holder sees it, by whose `revision` they decide. `changed`, `valid_from` and `valid_to` are
    what it says of the value.
    """

    client = TypedId("cli", source="by_client", allow_null=True)
    link = TypedId("lnk", source="link_id", allow_null=True, help_text="Whoever opened this link left it as a note.")
    revision = Whole()
    target = Text(allow_null=True)
    target_version = Whole(allow_null=True)
    other = Text(allow_null=True)
    changed = serializers.BooleanField(source="candidate.changed")
    valid_from = Text(source="candidate.valid_from")
    valid_to = Text(source="candidate.valid_to")
    derived_from = serializers.ListField(child=TypedId("mem"), source="lineage")
    marks = MarkOut(many=True)
    more_rivals = Whole(
        help_text="So many more proposals that wait say otherwise, besides those that `marks` names: eight or more."
    )
    reason = Text()
    edited = serializers.BooleanField()
    batch = TypedId("bat", source="batch_id", allow_null=True)
    undone_at = Instant(allow_null=True)
    lifted_at = Instant(allow_null=True)


class ProposalDecidedOut(Shape):
    proposal = HeldProposalOut()
    memory = MemoryOut(allow_null=True)


class SideOut(Shape):
    """What is kept, beside a proposal: in which version, and why it stands there."""

    memory = MemoryOut()
    version = Whole()
    why = Text()


class BesideOut(Shape):
    """`stale`: what it would change is another one by now."""

    proposal = HeldProposalOut()
    beside = SideOut(many=True, source="sides")
    stale = serializers.BooleanField()


class ProposalsShownOut(Shape):
    """What they say, and what is kept beside them. A candidate's value stands under `memory` of its `candidate`."""

    proposals = BesideOut(many=True)
    candidates = serializers.DictField(
        child=Text(), help_text="What each says, and what those say that its marks name, by the proposal's id."
    )
    values = ShownValueOut(many=True)
    first_seq = Whole()
    last_seq = Whole()


class DecisionItemOut(Shape):
    proposal = TypedId("prp", source="proposal_id")
    outcome = Word(["applied", "skipped", "needs-attention"], source="done")
    why = Text()
    memory = TypedId("mem", source="memory.memory_id", allow_null=True, default=None)


class DecisionsOut(Shape):
    """What became of each. `batch` undoes the approvals among them in one go."""

    batch = TypedId("bat", source="batch_id")
    items = DecisionItemOut(many=True)


class RoutedOut(Shape):
    """What a text was taken for. `proposal` null: not keyed, and `why` says so."""

    intent = Word(Intent)
    keyed = serializers.BooleanField()
    why = Text()
    proposal = ProposedOut(allow_null=True)
