"""What the REST surface takes of proposals: shapes only. Which field a directive takes is the rules' to say."""

from typing import Any
from uuid import UUID

from rest_framework import serializers

from apps.api.fields import AS_OF, Day, Named, Text, TypedId, Whole, Word, ids
from apps.api.inputs import MOST_NUMBER
from apps.memories.services import MOST_AT_ONCE
from apps.policy.links import EdgeKind
from apps.policy.staging import thing_named
from apps.policy.text import TextProblem
from apps.policy.vocabulary import Category, Claim, Directive


class MadeFromIn(serializers.Serializer[Any]):
    """What it was made from: needed where this client was handed something within the last hour."""

    derived_from = ids("mem", required=False, help_text="Memories that were handed to this client; []: none was used.")
    turn = TypedId("trn", required=False, help_text="Instead: all that was handed over for this answer.")


class ProposalIn(MadeFromIn, Named):
    """Which of these a directive takes, docs/api.md says. What only the approver may set is refused by its name."""

    directive = Word(Directive, default=Directive.ADD)
    target = serializers.CharField(required=False, help_text="The memory (mem_), entity (ent_) or edge (edg_).")
    other = serializers.CharField(required=False, help_text="What is merged into it; where the new edge leads.")
    label = Text(required=False)
    value = Text(required=False)
    subject = Text(required=False, allow_blank=True, help_text="Names the target, too, where that is a memory.")
    edge = Word(EdgeKind, required=False)
    changed = serializers.BooleanField(
        required=False, help_text="The old value was true until then; else it was wrong."
    )
    as_of = Day(required=False, allow_null=True, help_text=AS_OF)
    valid_from = Text(required=False, allow_blank=True, help_text="Since when it is true: a day, or a moment in UTC.")
    valid_to = Text(required=False, allow_blank=True, help_text="Until when it was true.")
    rationale = Text(required=False, allow_blank=True)
    evidence = serializers.ListField(child=Text(), required=False, help_text="At most 10 lines of 200 characters.")

    def validate_target(self, sent: str) -> UUID:
        return _named(sent, "target")

    def validate_other(self, sent: str) -> UUID:
        return _named(sent, "other")


def _named(sent: str, field: str) -> UUID:
    try:
        return thing_named(sent, field)
    except TextProblem as problem:
        raise serializers.ValidationError(problem.detail) from None


class RouteIn(MadeFromIn):
    text = Text(help_text="What somebody said, such as: actually it is Porto.")


class ProposalDecisionIn(Named):
    """Approve (as proposed, or with the holder's own words), or reject (with a reason, if there is one)."""

    decision = Word(["approve", "reject"])
    label = Text(required=False)
    subject = Text(required=False)
    value = Text(required=False)
    category = Word(Category, required=False)
    neutral_label = Text(required=False, allow_blank=True)
    claim = Word(Claim, required=False)
    local_only = serializers.BooleanField(required=False)
    sealed = serializers.BooleanField(
        required=False, help_text="Of what is added: from guardians and delegates, from the first moment."
    )
    replaces = TypedId("mem", required=False, help_text="The living memory of its subject: it becomes a correction.")
    on_purpose = serializers.BooleanField(required=False, help_text="Also where it restates what was corrected.")
    reason = Text(required=False, allow_blank=True)
    again = serializers.BooleanField(required=False, help_text="Rejected, and it may be proposed again.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        rejects = attrs["decision"] == "reject"
        if set(attrs) - {"decision", "reason", "again"} if rejects else set(attrs) & {"reason", "again"}:
            raise serializers.ValidationError("A rejection takes reason and again, and no other field; a yes neither.")
        return attrs


class ReviewedIn(serializers.Serializer[Any]):
    proposal = TypedId("prp")
    revision = Whole(min_value=1, max_value=MOST_NUMBER)


class ProposalDecisionsIn(serializers.Serializer[Any]):
    """One decision on exactly what was reviewed, each as it stood then."""

    decision = Word(["approve", "reject"])
    items = serializers.ListField(child=ReviewedIn(), allow_empty=False, max_length=MOST_AT_ONCE)
    reason = Text(default="", allow_blank=True, help_text="Of a rejection.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["reason"] and attrs["decision"] == "approve":
            raise serializers.ValidationError({"reason": "A yes takes no reason. Leave it out."})
        return attrs


class UndoIn(serializers.Serializer[Any]):
    """One approval, or all of one go."""

    proposal = TypedId("prp", required=False)
    batch = TypedId("bat", required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len(attrs) != 1:
            raise serializers.ValidationError("Send either proposal or batch.")
        return attrs


class ProposalsShowIn(serializers.Serializer[Any]):
    proposals = ids("prp", allow_empty=False)
