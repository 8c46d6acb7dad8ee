"""What an approver says besides yes, and what each yes takes of it."""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from uuid import UUID

from apps.policy.marking import apart
from apps.policy.proposals import Proposal
from apps.policy.text import TextProblem, check_subject
from apps.policy.types import Memory, Refused
from apps.policy.vocabulary import Category, Claim, Directive, Refusal


@dataclass(frozen=True, slots=True)
class Wording:
    """What an approver says besides yes; None leaves it as it was proposed, or as it is where it comes from.
    `replaces`: the living memory that an added one takes the place of, as its correction. `on_purpose`: also where it
    restates what was corrected. `sealed`: from guardians, from the first moment.
    """

    label: str | None = None
    subject: str | None = None
    value: str | None = None
    category: Category | None = None
    neutral_label: str = ""
    claim: Claim | None = None
    local_only: bool | None = None
    replaces: UUID | None = None
    on_purpose: bool = False
    sealed: bool = False

    @property
    def apart(self) -> bool:
        """Is it kept apart from all else: as special, or as a proof?"""
        return self.claim is not None or (self.category is not None and self.category.special)

    @property
    def sealed_anew(self) -> bool:
        """Does the same text have to be sealed, or indexed, another time?"""
        named = (self.label is not None or self.subject is not None) and self.value is None
        return self.apart or named or self.replaces is not None

    @property
    def edits(self) -> bool:
        """Is anything of it another than what was proposed?"""
        category = None if self.category is Category.ORDINARY else self.category
        home = self.local_only or None
        plain = replace(self, replaces=None, on_purpose=False, sealed=False, category=category, local_only=home)
        return plain != Wording()


_TAKES = {
    Directive.ADD: frozenset(
        {"label", "subject", "value", "category", "neutral_label", "claim", "local_only", "replaces", "sealed"}
    ),
    Directive.CORRECT: frozenset({"label", "value", "category", "neutral_label", "claim", "local_only"}),
    Directive.RESCOPE: frozenset({"subject"}),
}


def check_wording(proposal: Proposal, wording: Wording) -> None:
    """Nothing that an approver says is dropped: what this yes cannot do is refused by its name. Raises TextProblem."""
    other = wording.subject is not None and check_subject(wording.subject) != proposal.subject
    if wording.replaces is not None and other:
        raise TextProblem(
            "subject",
            "Two ways, and one of them: to correct yours, leave the subject as it was; "
            "to keep both, keep it under this subject, and replace nothing.",
        )
    if wording.sealed and wording.replaces is not None:
        raise TextProblem(
            "sealed",
            "Two ways, and one of them: to keep it sealed, keep it as a memory of its own, under another subject; "
            "to correct what is kept, leave this out.",
        )
    for name in (each.name for each in fields(Wording) if each.name != "on_purpose"):
        said = other if name == "subject" else getattr(wording, name) not in (None, "", False)
        if said and name not in _TAKES.get(proposal.directive, ()):
            raise TextProblem(name, f"A yes to {proposal.directive.value} does not take it. Leave it out.")


def check_claim(old: Memory, claim: Claim | None) -> Refused | None:
    """What is attested is confirmed by whoever said so, of the value they meant: a correction of it is confirmed anew
    by its approver, or is not made. Raises TextProblem for a claim that this memory does not make.
    """
    if old.attested and claim is None:
        return Refused(Refusal.SAY_CLAIM, "/claim")
    if claim is None or claim is old.claim:
        return None
    if old.claim is None:
        raise TextProblem(
            "claim", "A memory is confirm-only from its beginning: a correction can’t make it so. Leave it out."
        )
    raise TextProblem("claim", f"What this corrects confirms {old.claim.value}. Confirm that, or reject it.")


def check_category(sources: Iterable[Memory], wording: Wording, old: Memory | None) -> Refused | None:
    """What comes from what is kept apart becomes ordinary only where its approver says so."""
    said = wording.category is not None or (old is not None and old.category.special)
    return Refused(Refusal.SAY_CATEGORY, "/category") if not said and any(map(apart, sources)) else None
