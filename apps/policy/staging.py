"""What may be proposed, and what a decision may be: pure rules of the way from a client's wish to the holder's yes.

A proposal is judged when it is made and again when it is decided; between the two the file may have moved.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from apps.policy.ids import untyped
from apps.policy.links import Edge, Entity
from apps.policy.proposals import Proposal
from apps.policy.special import suggests_special
from apps.policy.text import TextProblem
from apps.policy.types import Memory, Refused
from apps.policy.vocabulary import Directive, MarkKind, ProposalStatus, Refusal, State

LASTS = timedelta(days=30)  # undecided
UNDO = timedelta(days=7)
MOST_AT_ONCE = 500
MOST_EVIDENCE = 10
LINEAGE_ASKED = timedelta(hours=1)  # after a hand-over, whoever was handed something says what a proposal was made from

APPROVER_ONLY = ("category", "neutral_label", "attested", "claim", "sealed", "local_only", "state")
ALWAYS = frozenset({"directive", "rationale", "evidence", "derived_from", "turn"})


@dataclass(frozen=True, slots=True)
class Takes:
    """Which fields a directive takes: these it needs, those it may have."""

    needs: tuple[str, ...]
    may: tuple[str, ...] = ()


DATES = ("as_of", "valid_from", "valid_to")
TAKES = {
    Directive.ADD: Takes(("label", "value"), ("subject", *DATES)),
    Directive.CORRECT: Takes(("target", "value"), ("label", "changed", *DATES)),
    Directive.REVERT: Takes(("target",)),
    Directive.MERGE: Takes(("target", "other")),
    Directive.SUPERSEDE_EDGE: Takes(("target", "other"), ("edge", "valid_from", "valid_to")),
    Directive.RETRACT_EDGE: Takes(("target",), ("valid_to",)),
    Directive.RESCOPE: Takes(("target", "subject")),
    Directive.ERASE: Takes(("target",)),
}
_WANTED = {
    "label": "Say what it is about.",
    "value": "Write what is to be remembered.",
    "target": "Name what it is about by its id.",
    "other": "Name the other one by its id.",
    "subject": "Name the subject it is to stand under.",
}


def thing_named(text: str, field: str) -> UUID:
    """The memory, entity or edge that a proposal names by its typed id. Raises TextProblem for what is none."""
    found = next((each for prefix in ("mem", "ent", "edg") if (each := untyped(prefix, text)) is not None), None)
    if found is None:
        raise TextProblem(field, "Send an id as mem_, ent_ or edg_ and 32 lower-case hex digits.")
    return found


def check_fields(directive: Directive, sent: Iterable[str]) -> Refused | None:
    """What only the approver may set is refused by its name when a proposer sends it: each that is sent.

    Raises TextProblem for a field that this directive does not take, and for one that is missing.
    """
    names = list(sent)
    takes = TAKES[directive]
    theirs = [each for each in APPROVER_ONLY if each in names]
    if theirs:
        first, *more = (f"/{each}" for each in theirs)
        return Refused(Refusal.FIELD_NOT_ALLOWED, first, also=tuple(more))
    known = {*takes.needs, *takes.may, *ALWAYS}
    for each in names:
        if each not in known:
            raise TextProblem(each, f"A proposal to {directive.value} does not take it. Leave it out.")
    for each in takes.needs:
        if each not in names:
            raise TextProblem(each, _WANTED[each])
    return None


# ---------------------------------------------------------------- decisions
def judge_decision(proposal: Proposal, revision: int | None, now: datetime) -> Refused | None:
    """May it still be decided, as it was looked at? `revision` None: however it stands by now."""
    over = proposal.expires_at is not None and proposal.expires_at <= now
    if proposal.status is not ProposalStatus.PENDING or over:
        return Refused(Refusal.ALREADY_DECIDED)
    if revision is not None and revision != proposal.revision:
        return Refused(Refusal.STALE)
    return None


def gone(proposal: Proposal, target: Memory | None) -> bool:
    """Is the memory that it would change kept no more, while nobody decided on it? It can be put to nothing then."""
    undecided = proposal.status in (ProposalStatus.PENDING, ProposalStatus.WITHDRAWN)
    kept = target is not None and target.state is State.APPROVED
    return undecided and proposal.target_version is not None and not kept


def lost(proposal: Proposal, edge: Edge | None, things: Mapping[UUID, Memory | Entity]) -> bool:
    """Is something that it joins, parts or would make one not there any more, while nobody decided on it? `edge`: the
    one that it is about; `things`: the memories and entities that are there.
    """
    if proposal.status is not ProposalStatus.PENDING:
        return False
    if proposal.about_an_edge and (edge is None or edge.ended_at is not None):
        return True
    other, merges = proposal.candidate.other, proposal.directive is Directive.MERGE
    named = [each for each in (other, proposal.target_id if merges else None) if each is not None]
    return any(each not in things or (merges and not _by_itself(things[each])) for each in named)


def _by_itself(thing: Memory | Entity) -> bool:
    return thing.state is State.APPROVED if isinstance(thing, Memory) else thing.merged_into is None


def moved(proposal: Proposal, target: Memory | None, other: Memory | None = None) -> bool:
    """Is the memory that it would change another one by now, or gone; or does the `other`, that it would merge into it,
    say something else? One that is about no memory never is.
    """
    if proposal.target_version is None:
        return False
    if other is not None and proposal.candidate.other_version not in (0, other.version):
        return True
    return target is None or target.version != proposal.target_version or target.state is not State.APPROVED


def needs_attention(proposal: Proposal, target: Memory | None) -> str | None:
    """Why it is not approved among many, which nobody looks at one by one: a refusal's or a mark's word; `by-itself`
    for what neither adds nor corrects. None for what adds or corrects an ordinary memory, and nothing was noticed.
    """
    if target is not None and target.category.special:
        return Refusal.SPECIAL_ALONE.value
    if target is not None and target.attested:
        return Refusal.SAY_CLAIM.value
    if moved(proposal, target):
        return Refusal.STALE.value
    if proposal.marks:
        return proposal.marks[0].kind.value
    if suggests_special(proposal.subject, proposal.label):
        return MarkKind.ALONE.value  # it was made before it could be marked, or to be put there
    return None if proposal.says else "by-itself"


class Void(StrEnum):
    """Why nobody is asked about a proposal: a yes would change nothing, or could not be carried out."""

    NOTHING_BEFORE = "nothing-before"  # to go back to
    NO_CHANGE = "no-change"  # it is so already
    IMPOSSIBLE = "impossible"  # an edge that cannot be
    TURNED_DOWN = "turned-down"  # its words were rejected, or approved in other ones, and it says no more


def judge_undo(proposal: Proposal, now: datetime) -> Refused | None:
    """May its approval be undone? For seven days, once; and never of an erasure."""
    if proposal.status is not ProposalStatus.APPROVED or proposal.undone_at is not None:
        return Refused(Refusal.ALREADY_DECIDED)
    late = proposal.decided_at is None or proposal.decided_at + UNDO <= now
    return Refused(Refusal.UNDO_OVER) if late or proposal.directive is Directive.ERASE else None
