"""The last steps of a decision, whoever's was the last that was needed: a grant is made, a part is denied, or a yes is
kept for a reviewer.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.access import reviews, store
from apps.access.services.noticing import digest_of
from apps.holders import services as holders
from apps.ledger.ids import new_id
from apps.ledger.log import Act
from apps.policy.consent import Shown
from apps.policy.ids import typed
from apps.policy.people import SpacePolicy
from apps.policy.review import Review, review_due
from apps.policy.rules import cool_down_after
from apps.policy.types import AccessRequest, Grant
from apps.policy.vocabulary import Category, PartStatus, ReceiptKind


@dataclass(frozen=True, slots=True)
class Yes:
    """What a part is granted for. `whole`: all that was offered, or asked by category."""

    memory_ids: frozenset[UUID]
    until: datetime
    reads: int | None
    whole: bool
    recipient: str
    paused: bool
    shown: Shown


def fields_of(found: AccessRequest, category: Category) -> dict[str, str]:
    """What every receipt about a part of a request says."""
    return {
        "request": typed("req", found.request_id),
        "category": category.value,
        "purpose": found.purpose.value,
        "turn": typed("trn", found.turn_id) if found.turn_id else "-",
    }


def granted_as(yes: Yes) -> PartStatus:
    """How the part is settled. Of a whole category a client is not told whether there was more than it was given."""
    return PartStatus.GRANTED if yes.whole else PartStatus.PARTLY_GRANTED


def give(
    within: Act,
    found: AccessRequest,
    category: Category,
    yes: Yes,
    settled: SpacePolicy,
    now: datetime,
    was: PartStatus,
) -> None:
    """Make the grant, and settle the part as granted. Unused, it lapses as the space has settled it now."""
    grant = Grant(
        grant_id=new_id(),
        client_id=found.client_id,
        recipient=yes.recipient,
        purpose=found.purpose,
        category=category,
        memory_ids=yes.memory_ids,
        terms_version=1,
        expires_at=yes.until,
        reads_left=yes.reads,
        paused=yes.paused,
        revoked_at=None,
        request_id=found.request_id,
        turn_id=found.turn_id,
        made_at=now,
        lapse_days=settled.lapse_days,
    )
    store.add_grant(within, grant, yes.shown)
    store.decide_part(within, found.request_id, category, granted_as(yes), now, None, grant.grant_id, was=was)
    within.record(
        ReceiptKind.GRANT_MADE,
        object=typed("gra", grant.grant_id),
        commitment=digest_of(yes.shown),
        **fields_of(found, category),
    )


def hold(within: Act, found: AccessRequest, category: Category, yes: Yes, now: datetime) -> None:
    """Keep the yes of whoever acts until a reviewer has decided too: no grant yet, and the client goes on waiting."""
    due = review_due(now, min(found.expires_at, yes.until))
    new = Review(
        new_id(),
        found.request_id,
        category,
        yes.memory_ids,
        yes.whole,
        yes.until,
        yes.reads,
        within.actor,
        now,
        due,
        yes.shown,
        None,
        "",
        PartStatus.IN_REVIEW,
        found.expires_at,
        holders.band(within.vault_id, now),
    )
    store.decide_part(within, found.request_id, category, PartStatus.IN_REVIEW, now)
    reviews.begin(within, new)


def deny(
    within: Act, found: AccessRequest, category: Category, settled: SpacePolicy, now: datetime, was: PartStatus
) -> None:
    """Settle the part as denied, which starts the cool-down; in the vault's own chat it starts none."""
    own_chat = found.turn_id is not None
    cooling = None if own_chat else cool_down_after(PartStatus.DENIED, now, settled.cool_down_hours)
    store.decide_part(within, found.request_id, category, PartStatus.DENIED, now, cooling, was=was)
