"""After an emergency: somebody else looks at it and says what they make of it, and the person it is about sees that."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from apps.holders import emergency, store
from apps.holders.services.emergency import end, looking
from apps.holders.services.spaces import settled_in, space_policy
from apps.ledger import services as ledger
from apps.ledger.log import act
from apps.policy.emergency import MOST_WORDS, Emergency, judge_finding, reviewers
from apps.policy.ids import typed
from apps.policy.people import actor
from apps.policy.roles import Deed, needs
from apps.policy.text import check_line
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Category, EmergencyFinding, ReceiptKind, Refusal, Role

AT_ONCE = 500  # receipts that are read at once


# ---------------------------------------------------------------- whoever looks
def to_review(user_id: UUID) -> tuple[Emergency, ...]:
    """What this person is to look at, by when it is due, then what was looked at; nothing for nearly everybody."""
    found = emergency.of_spaces([each.space_id for each in store.memberships(user_id)])
    there = {each: (space_policy(each), store.members(each)) for each in {each.space_id for each in found}}
    return tuple(each for each in found if user_id in reviewers(*there[each.space_id], each.user_id))


def looks(user_id: UUID) -> bool:
    """Is this person to look at any, or would they be? The privacy lead of a clinic that allows emergencies would."""
    settled = settled_in(store.memberships(user_id))
    leads = any(each.break_glass and each.privacy_lead == user_id for _, each in settled)
    return leads or bool(to_review(user_id))


def one(user_id: UUID, emergency_id: UUID) -> Emergency | None:
    """One that this person is to look at."""
    found = emergency.one(emergency_id)
    return found if found is not None and user_id in looking(found.space_id, found.user_id) else None


def review(
    user_id: UUID, emergency_id: UUID, finding: EmergencyFinding, words: str, now: datetime
) -> Emergency | Refused:
    """Say what one makes of it, once: the person whom it is about sees it. Raises TextProblem.

    Refused as not-found for whoever isn't to look at it, and while it lasts; and as already-decided.
    """
    said = check_line(words, "words", MOST_WORDS)
    found = one(user_id, emergency_id)
    if found is None:
        return Refused(Refusal.NOT_FOUND)
    end(found, now)  # where it was taken away a moment ago, every page says so already
    with act(found.vault_id, actor(Role.REVIEWER, user_id)) as reviewing:
        found = one(user_id, emergency_id)
        refused = judge_finding(found)
        if refused is None and not emergency.review(reviewing, emergency_id, user_id, finding, said, now):
            refused = Refused(Refusal.ALREADY_DECIDED)
        if refused is not None or found is None:
            reviewing.cancel()
            return refused if refused is not None else Refused(Refusal.NOT_FOUND)
        reviewing.record(ReceiptKind.EMERGENCY_REVIEWED, object=typed("del", emergency_id), reason=finding.value)
    return found


# ---------------------------------------------------------------- whom it is about
@needs(Deed.FOLLOW)
def used_at(holder: Holder) -> tuple[Emergency, ...]:
    """The emergencies in which this vault was opened, newest first: who, why, how long, and what was made of it."""
    return emergency.at(holder.vault_id)


# ---------------------------------------------------------------- what was shown
def shown_in(found: Emergency) -> Mapping[Category, int]:
    """How many memories' values were shown in it, by category: from its receipts, which don't say here which."""
    by = found.actor
    entered, *left = [each.seq for each in ledger.acts_on(found.vault_id, by, [typed("del", found.emergency_id)])]
    counted: dict[UUID, Category] = {}
    before = left[0] if left else None
    while page := ledger.receipts(
        found.vault_id, by, limit=AT_ONCE, before=before, after=entered, kind="value.shown", actor=found.actor
    ):
        counted |= {each.memory_id: Category(each.category) for each in page if each.memory_id}
        before = page[-1].seq
    return dict(Counter(counted.values()))
