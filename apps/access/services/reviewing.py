"""The reviewers' desk of a space: what waits, and the second decision on it. Nobody here sees a value or a label.

A desk is a person's place in a space as its reviewer. Each act on a part is an act in that person's vault, by the
reviewer, under the vault's own lock; and who is at the desk stands in the space's chain.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.access import reviews, store
from apps.access.services import posting
from apps.access.services.giving import Yes, deny, fields_of, give
from apps.holders import services as holders
from apps.ledger.log import Act, act
from apps.policy.ids import typed
from apps.policy.people import Membership, actor
from apps.policy.review import Check, DeskRow, Review, Ruling, checks, judge_review
from apps.policy.text import MOST_RATIONALE, check_line
from apps.policy.types import AccessRequest, Refused
from apps.policy.vocabulary import PartStatus, ReceiptKind, Refusal, ReviewOutcome, Role

MOST_WAITING = 500
_KINDS = {
    ReviewOutcome.APPROVED: ReceiptKind.REVIEW_APPROVED,
    ReviewOutcome.NARROWED: ReceiptKind.REVIEW_NARROWED,
    ReviewOutcome.RETURNED: ReceiptKind.REVIEW_RETURNED,
    ReviewOutcome.DECLINED: ReceiptKind.REVIEW_DECLINED,
}


@dataclass(frozen=True, slots=True)
class Waiting:
    """One row of the desk, and what the space's policy asks of it."""

    row: DeskRow
    checks: tuple[tuple[Check, bool], ...]

    def late(self, now: datetime) -> bool:
        """Is it past the time by which a reviewer should have looked?"""
        return self.row.due_at <= now


def desks(user_id: UUID) -> tuple[Membership, ...]:
    """The spaces in which this person reviews, as it is now."""
    return tuple(each for each in holders.memberships(user_id) if Role.REVIEWER in each.roles)


def desk(user_id: UUID, space_id: UUID) -> Membership | None:
    """This person's desk in a space; None where they review nothing."""
    return next((each for each in desks(user_id) if each.space_id == space_id), None)


def waits_for(user_id: UUID) -> int | None:
    """How much waits for this person's review, in all spaces together, counted up to MOST_WAITING; None for who reviews
    nowhere. One statement, whatever there is.
    """
    return reviews.waits_for(user_id, MOST_WAITING)


# ---------------------------------------------------------------- coming and going
def enter(at: Membership) -> int:
    """Sit down at the desk: an act in the space's chain. Returns the number of its receipt."""
    return _come_or_go(at, ReceiptKind.DESK_ENTERED)


def leave(at: Membership) -> int:
    """Leave the desk: an act in the space's chain. Returns the number of its receipt."""
    return _come_or_go(at, ReceiptKind.DESK_LEFT)


def _come_or_go(at: Membership, kind: ReceiptKind) -> int:
    with act(at.space_id, actor(Role.REVIEWER, at.user_id), begin=True) as passing:
        passing.record(kind, object=typed("spc", at.space_id), reason=Role.REVIEWER.value)
    return passing.seqs[-1]


# ---------------------------------------------------------------- looking
def queue(at: Membership) -> tuple[Waiting, ...]:
    """What waits at this desk, oldest first, at most MOST_WAITING. Two statements, however much that is."""
    settled = holders.space_policy(at.space_id)
    return tuple(Waiting(row, checks(row, settled)) for row in reviews.desk(at.space_id, at.user_id, MOST_WAITING))


def waiting_at(at: Membership, review_id: UUID) -> Waiting | None:
    """One row of this desk, also when it is decided; None for an unknown id and another space's."""
    found = reviews.desk(at.space_id, at.user_id, 1, review_id)
    return Waiting(found[0], checks(found[0], holders.space_policy(at.space_id))) if found else None


# ---------------------------------------------------------------- deciding
def approve(
    at: Membership, review_id: UUID, now: datetime, *, until: datetime | None = None, reads: int | None = None
) -> Review | Refused:
    """Let the person's yes pass: as it is, or for less. The grant is made; of two reviewers at once one makes it.

    Refused as not-found, not-yours-to-decide (whoever the vault is about, acts there or decided for the person),
    already-decided, and as wider, with `/until` or `/reads`, for anything but less.
    """
    return _rule(at, review_id, Ruling(until=until, reads=reads), now, _grant)


def send_back(at: Membership, review_id: UUID, reason: str, now: datetime) -> Review | Refused:
    """Back to the person, who sees why and decides anew; the assistant sees nothing of it. Raises TextProblem."""
    said = check_line(reason, "reason", MOST_RATIONALE)
    return _rule(at, review_id, Ruling(ReviewOutcome.RETURNED, reason=said), now, _reopen)


def decline(at: Membership, review_id: UUID, now: datetime, reason: str = "") -> Review | Refused:
    """A no. To the assistant it is a denial like any other; the person sees the reason, if there is one. Raises
    TextProblem.
    """
    said = check_line(reason, "reason", MOST_RATIONALE, empty=True)
    return _rule(at, review_id, Ruling(ReviewOutcome.DECLINED, reason=said), now, _deny)


Settle = Callable[[Act, AccessRequest, Review, datetime], None]


def _rule(at: Membership, review_id: UUID, wish: Ruling, now: datetime, settle: Settle) -> Review | Refused:
    """One decision of a reviewer, in the vault it is about: judged again under its lock, on what stands there then."""
    seen = reviews.desk(at.space_id, at.user_id, 1, review_id)
    if not seen:
        return Refused(Refusal.NOT_FOUND)
    with act(seen[0].vault_id, actor(Role.REVIEWER, at.user_id)) as ruling:
        done = _judged(ruling, at, review_id, wish, now)
        if isinstance(done, Refused):
            ruling.cancel()
            return done
        found = store.request(ruling.vault_id, done.request_id)
        if found is None or not reviews.close(ruling, done, ruling.actor, now):
            ruling.cancel()
            return Refused(Refusal.ALREADY_DECIDED)
        ruling.record(_kind(done), object=typed("req", done.request_id), **fields_of(found, done.category))
        settle(ruling, found, done, now)
    return done


def _judged(within: Act, at: Membership, review_id: UUID, wish: Ruling, now: datetime) -> Review | Refused:
    """The rules' word on it. Who left the desk meanwhile, or a vault that left the space, is not found any more."""
    seen = reviews.desk(at.space_id, at.user_id, 1, review_id)
    about = holders.holder_of_vault(within.vault_id)
    if not seen or about is None:
        return Refused(Refusal.NOT_FOUND)
    found, settled = reviews.review(within, review_id), holders.space_policy(at.space_id)
    return judge_review(found, at.user_id, wish, settled, now, holder=about.user_id, acts_there=seen[0].own)


def _kind(done: Review) -> ReceiptKind:
    assert done.outcome is not None
    return _KINDS[done.outcome]


def _grant(within: Act, found: AccessRequest, done: Review, now: datetime) -> None:
    client = store.client(within.vault_id, found.client_id)
    yes = Yes(
        done.memory_ids,
        done.until,
        done.reads,
        done.whole,
        store.recipient_of(within.vault_id, found.request_id),
        client is not None and client.paused,
        done.shown,
    )
    give(within, found, done.category, yes, holders.policy(within.vault_id), now, PartStatus.IN_REVIEW)


def _reopen(within: Act, found: AccessRequest, done: Review, now: datetime) -> None:
    store.decide_part(within, found.request_id, done.category, PartStatus.PENDING, None, was=PartStatus.IN_REVIEW)
    posting.sent_back(within, found, done)


def _deny(within: Act, found: AccessRequest, done: Review, now: datetime) -> None:
    deny(within, found, done.category, holders.policy(within.vault_id), now, PartStatus.IN_REVIEW)
