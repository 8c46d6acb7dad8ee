"""A space's say in a grant: how much one may give, what is looked at twice, and what the second look may do.

The order is fixed. The person decides first; a reviewer, who sees no value and no private label, may then let it pass
as it is, make it less, send it back with a reason, or stop it. Nothing here makes more of what the person gave.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum
from uuid import UUID

from apps.policy.consent import Shown
from apps.policy.grants import LONGEST, MOST_READS, check_terms, refuse_wider
from apps.policy.people import SpacePolicy
from apps.policy.text import TextProblem
from apps.policy.tiers import Band
from apps.policy.types import AccessRequest, Refused
from apps.policy.vocabulary import Category, PartStatus, Purpose, Refusal, ReviewOutcome, Role

OPEN_FOR = timedelta(days=1)
OPEN_FOR_TWO = timedelta(days=7)  # where two have to decide
REVIEW_WITHIN = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Review:
    """The person's yes to one part, kept until a reviewer has looked at it. `decided_by` is who said it, as receipts
    name them, and `band` the tier of a child by which they did; `part` and `expires_at` are the part's status and the
    request's end.
    """

    review_id: UUID
    request_id: UUID
    category: Category
    memory_ids: frozenset[UUID]
    whole: bool  # all that was offered, or asked by category
    until: datetime
    reads: int | None
    decided_by: str
    decided_at: datetime
    due_at: datetime
    shown: Shown
    outcome: ReviewOutcome | None
    reason: str
    part: PartStatus
    expires_at: datetime
    band: Band | None = None

    def waits(self, now: datetime) -> bool:
        """Is there still something to decide?"""
        return self.outcome is None and self.part is PartStatus.IN_REVIEW and now < min(self.expires_at, self.until)


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a reviewer wants: no outcome named is to let it pass, under narrower terms where they are given."""

    outcome: ReviewOutcome = ReviewOutcome.APPROVED
    until: datetime | None = None
    reads: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DeskRow:
    """All that a reviewer is shown of a part: no value, no label, no name of the person, no words of the assistant but
    its own name. `own`: the reviewer is the person, acts for them, or made their decision. `waits`: it is undecided.
    """

    vault_id: UUID
    review_id: UUID
    client_name: str
    client_domain: str
    initials: str
    number: int | None  # the person's internal number in the space
    category: Category
    memories: int
    purpose: Purpose
    asked_at: datetime
    asked_seconds: int
    decided_at: datetime
    decided_by: Role
    band: Band | None  # the tier of a child by which it was decided
    until: datetime
    reads: int | None
    due_at: datetime
    closes_at: datetime
    granted_before: int
    denied_before: int
    returned_before: int
    own: bool
    waits: bool
    outcome: ReviewOutcome | None


class Check(Enum):
    """What the space's policy asks of a decision, looked at for the reviewer."""

    PERSON_FIRST = "person-first"
    OTHER_EYES = "other-eyes"
    TIME = "time"
    READS = "reads"


def needs_review(policy: SpacePolicy, category: Category, *, own_chat: bool = False) -> bool:
    """Does a yes to this category wait for a reviewer? Not what a person hands to their own chat, read by read."""
    return category in policy.review_categories and not own_chat


def open_for(policy: SpacePolicy) -> timedelta:
    """How long a request may be decided. It hangs on the space alone, so that nobody learns from it who has decided."""
    return OPEN_FOR_TWO if policy.review_categories else OPEN_FOR


def longest(policy: SpacePolicy) -> timedelta:
    """How long a grant may last in this space."""
    return LONGEST if policy.most_ttl_seconds is None else min(LONGEST, timedelta(seconds=policy.most_ttl_seconds))


def check_within(policy: SpacePolicy, lasts: timedelta, reads: int | None, fields: tuple[str, str]) -> None:
    """May a person give a grant of these terms in this space? Raises TextProblem by a field's name."""
    most = MOST_READS if policy.most_reads is None else min(MOST_READS, policy.most_reads)
    check_terms(lasts, reads, fields=fields, longest=longest(policy), most=most)
    if reads is None and policy.most_reads is not None:
        raise TextProblem(fields[1], f"Say for how many reads: {most} at most here.")


def review_due(decided_at: datetime, expires_at: datetime) -> datetime:
    """By when a reviewer should have looked at it."""
    return min(decided_at + REVIEW_WITHIN, expires_at)


def judge_review(
    found: Review | None, by: UUID, wish: Ruling, policy: SpacePolicy, now: datetime, *, holder: UUID, acts_there: bool
) -> Review | Refused:
    """The review as this reviewer (a user's id) decides it now; `holder` is whom the vault is about, and `acts_there`
    says whether the reviewer acts for them. Refused as not-found; as not-yours-to-decide for those two and for who made
    the person's decision; as already-decided once it is closed; as wider, with its pointer, for a later end, more
    reads, or more than the space allows.
    """
    if found is None:
        return Refused(Refusal.NOT_FOUND)
    if acts_there or by == holder or found.decided_by.endswith(f"_{by.hex}"):
        return Refused(Refusal.NOT_YOURS)
    if not found.waits(now):
        return Refused(Refusal.ALREADY_DECIDED)
    if wish.outcome in (ReviewOutcome.RETURNED, ReviewOutcome.DECLINED):
        return replace(found, outcome=wish.outcome, reason=wish.reason)
    refused = refuse_wider(wish.until, wish.reads, found.until, found.reads, now)
    if refused is not None:
        return refused
    new = replace(found, until=wish.until or found.until, reads=found.reads if wish.reads is None else wish.reads)
    if not _time_fits(policy, new.decided_at, new.until):
        return Refused(Refusal.WIDER, "/until")
    if not _reads_fit(policy, new.reads):
        return Refused(Refusal.WIDER, "/reads")
    same = (new.until, new.reads) == (found.until, found.reads)
    return replace(new, outcome=ReviewOutcome.APPROVED if same else ReviewOutcome.NARROWED, reason=wish.reason)


def checks(row: DeskRow, policy: SpacePolicy) -> tuple[tuple[Check, bool], ...]:
    """What the policy asks, and whether it holds; what does not hold keeps the reviewer from approving it as it is."""
    return (
        (Check.PERSON_FIRST, True),  # or there would be no row
        (Check.OTHER_EYES, not row.own),
        (Check.TIME, _time_fits(policy, row.decided_at, row.until)),
        (Check.READS, _reads_fit(policy, row.reads)),
    )


def seen_by_client(found: AccessRequest) -> AccessRequest:
    """A request as its client may see it: that a reviewer is asked is none of its business."""
    parts = (
        replace(each, status=PartStatus.PENDING, decided_at=None) if each.status is PartStatus.IN_REVIEW else each
        for each in found.parts
    )
    return replace(found, parts=tuple(parts))


def _time_fits(policy: SpacePolicy, since: datetime, until: datetime) -> bool:
    return until - since <= longest(policy)


def _reads_fit(policy: SpacePolicy, reads: int | None) -> bool:
    return policy.most_reads is None or (reads is not None and reads <= policy.most_reads)
