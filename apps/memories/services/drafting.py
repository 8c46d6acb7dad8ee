"""What a client would like to be so, and the proposal that it makes: checked by itself, whatever is kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from apps.ledger.ids import new_id
from apps.memories.services.keeping import dated
from apps.policy.links import EdgeKind
from apps.policy.marking import of_itself
from apps.policy.proposals import Candidate, Proposal
from apps.policy.staging import LASTS, MOST_EVIDENCE
from apps.policy.text import (
    MOST_EVIDENCE_LINE,
    MOST_RATIONALE,
    TextProblem,
    check_line,
    check_subject,
    check_value,
    subject_of,
)
from apps.policy.types import Caller
from apps.policy.vocabulary import Directive, ProposalStatus


@dataclass(frozen=True, slots=True)
class Draft:
    """What a client would like to be so, as it sent it. `lineage`: the memories it was made from; `old`: the symbol
    whose place its value takes, where a deprecation was routed.
    """

    directive: Directive = Directive.ADD
    label: str = ""
    value: str = ""
    subject: str = ""
    target: UUID | None = None
    other: UUID | None = None
    edge: str = ""
    rationale: str = ""
    evidence: Sequence[str] = ()
    as_of: date | None = None
    changed: bool = False
    valid_from: str = ""
    valid_to: str = ""
    lineage: Sequence[UUID] = ()
    turn: str = ""
    old: str = ""

    def names(self) -> tuple[str, ...]:
        """The fields that say something."""
        plain = ("label", "value", "subject", "target", "other", "edge", "as_of", "changed", "valid_from", "valid_to")
        return tuple(name for name in plain if getattr(self, name))


def checked(caller: Caller, draft: Draft, now: datetime) -> Proposal:
    """The proposal that a draft makes. Raises TextProblem."""
    adds = draft.directive is Directive.ADD
    if draft.directive in (Directive.ADD, Directive.CORRECT):
        check_value(draft.value)
    label = check_line(draft.label, "label", empty=not adds)
    subject = check_subject(draft.subject) if draft.subject else subject_of(label) if adds else ""
    if draft.edge and draft.edge not in [each.value for each in EdgeKind]:
        raise TextProblem("edge", f"Choose one of {', '.join(each.value for each in EdgeKind)}.")
    if len(draft.evidence) > MOST_EVIDENCE:
        raise TextProblem("evidence", f"They are {len(draft.evidence)} lines; at most {MOST_EVIDENCE} are kept.")
    if draft.target is not None and draft.target == draft.other:
        raise TextProblem("other", "They are one and the same. Name another one.")
    line = dated(draft.valid_from, draft.valid_to, "UTC")
    return Proposal(
        proposal_id=new_id(),
        client_id=caller.client.client_id,
        directive=draft.directive,
        status=ProposalStatus.PENDING,
        memory_id=new_id(),
        subject=subject,
        label=label,
        rationale=check_line(draft.rationale, "rationale", MOST_RATIONALE, empty=True),
        as_of=draft.as_of,
        made_at=now,
        decided_at=None,
        target_id=draft.target,
        candidate=Candidate(draft.changed, line.valid_from, line.valid_to, draft.edge, draft.other, old=draft.old),
        evidence=tuple(check_line(each, "evidence", MOST_EVIDENCE_LINE) for each in draft.evidence),
        lineage=tuple(dict.fromkeys(draft.lineage)),
        turn=draft.turn,
        marks=of_itself(subject, label, draft.value, (draft.rationale, *draft.evidence)),
        expires_at=now + LASTS,
        by_link=caller.by_link,
    )
