"""Grants: what stands, narrowing it, ending it; and what ends by itself."""

from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from apps.access import lessening, store
from apps.access.services import posting
from apps.access.services.sight import sight
from apps.ledger.log import Act, act, reading
from apps.memories import services as memories
from apps.policy.grants import Narrower, due_to_lapse, narrowed, over
from apps.policy.ids import typed
from apps.policy.people import CLOCK
from apps.policy.roles import Deed, needs
from apps.policy.types import Caller, Grant, Holder, Refused
from apps.policy.vocabulary import ReceiptKind, Refusal

MOST_LISTED = 500
NOTICE_FOR = timedelta(days=30)


@needs(Deed.FOLLOW)
def grants(
    holder: Holder, *, client_id: UUID | None = None, limit: int = MOST_LISTED, after: Grant | None = None
) -> tuple[Grant, ...]:
    """The holder's grants to assistants (or to one), newest first, ended ones included; `after` begins below that one.

    The chat's one-read grants are left out.
    """
    with reading(holder.vault_id, holder.actor):
        seen = sight(holder)
        found = store.grants(holder.vault_id, client_id, limit=limit, after=after, without=seen.grants)
        return seen.grants_of(found)


@needs(Deed.FOLLOW)
def standing(holder: Holder, now: datetime) -> tuple[Grant, ...]:
    """The newest grants that are not over: what the holder looks at to stop or narrow it."""
    with reading(holder.vault_id, holder.actor):
        seen = sight(holder)
        return seen.grants_of(store.live_grants(holder.vault_id, now, MOST_LISTED, seen.grants))


@needs(Deed.FOLLOW)
def lapsed(holder: Holder, now: datetime) -> tuple[Grant, ...]:
    """What lapsed in the last thirty days, newest first: the holder is told for as long."""
    with reading(holder.vault_id, holder.actor):
        seen = sight(holder)
        return seen.grants_of(store.lapsed_grants(holder.vault_id, now - NOTICE_FOR, MOST_LISTED, seen.grants))


@needs(Deed.FOLLOW)
def grant(holder: Holder, grant_id: UUID) -> Grant | None:
    """One grant; None for an unknown id."""
    with reading(holder.vault_id, holder.actor):
        return sight(holder).grant(store.grant(holder.vault_id, grant_id))


def own_grants(caller: Caller, *, limit: int = MOST_LISTED, after: Grant | None = None) -> tuple[Grant, ...]:
    """What this client was granted, newest first."""
    with reading(caller.vault_id, caller.actor):
        return store.grants(caller.vault_id, caller.client.client_id, limit=limit, after=after)


def own_grant(caller: Caller, grant_id: UUID) -> Grant | None:
    """One of this client's grants; None for an unknown id and for another's."""
    with reading(caller.vault_id, caller.actor):
        found = store.grant(caller.vault_id, grant_id)
    return found if found and found.client_id == caller.client.client_id else None


@needs(Deed.STOP)
def narrow(
    holder: Holder, grant_id: UUID, wish: Narrower, now: datetime, *, terms_version: int | None = None
) -> Grant | Refused:
    """Make a grant less: an earlier end, fewer reads, fewer memories; never more. A stamp in flight is not released.

    With `terms_version`, the one it was decided on, it is refused as stale where the terms have moved since. Where
    nothing would change, nothing is done.
    """
    with act(holder.vault_id, holder.actor) as narrowing:
        found, seen = store.grant(holder.vault_id, grant_id), sight(holder)
        left = seen.grant(found)
        done = _narrower(left, wish, now, terms_version)
        if isinstance(done, Refused) or done == left or found is None:
            narrowing.cancel()
            return done
        # What this seat isn't shown it doesn't take out either.
        lessening.narrow_grant(narrowing, replace(done, memory_ids=done.memory_ids | (found.memory_ids & seen.sealed)))
        _record(narrowing, ReceiptKind.GRANT_NARROWED, done)
    return done


def _narrower(found: Grant | None, wish: Narrower, now: datetime, terms_version: int | None) -> Grant | Refused:
    if found is None or found.turn_id is not None:
        return Refused(Refusal.NOT_FOUND)
    if terms_version is not None and terms_version != found.terms_version:
        return Refused(Refusal.STALE)
    return narrowed(found, wish, now)


@needs(Deed.STOP)
def revoke_grant(holder: Holder, grant_id: UUID, now: datetime) -> Grant | Refused:
    """Stop a grant: the very next request is refused, a stamp in flight is not released. One that is over stays so."""
    with act(holder.vault_id, holder.actor) as revoking:
        whole = store.grant(holder.vault_id, grant_id)
        found = sight(holder).grant(whole)
        if whole is None or found is None or over(found, now):
            revoking.cancel()
            return found or Refused(Refusal.NOT_FOUND)
        end_grant(revoking, found, now)
        posting.stopped_grant(holder, revoking, whole, now)
    return replace(found, revoked_at=now, terms_version=found.terms_version + 1)


def end_grant(within: Act, grant: Grant, now: datetime) -> None:
    """A grant that stands serves nothing any more, within the act that ends it."""
    lessening.revoke_grant(within, grant.grant_id, grant.terms_version, now)
    _record(within, ReceiptKind.GRANT_REVOKED, grant)


# ---------------------------------------------------------------- by the clock
def due_to_end(kind: str, limit: int) -> tuple[tuple[UUID, UUID], ...]:
    """(vault, grant) pairs whose time is over (`grant-expired`), or that stood unused too long (`grant-lapsed`)."""
    return memories.due(kind, limit)


def expire_grant(vault_id: UUID, grant_id: UUID, now: datetime) -> bool:
    """Write down that a grant's time is over; it served nothing since. True when it was this call."""
    with act(vault_id, CLOCK) as expiring:
        found = store.grant(vault_id, grant_id)
        if found is None or not lessening.expire_grant(expiring, grant_id, now):
            expiring.cancel()
            return False
        _record(expiring, ReceiptKind.GRANT_EXPIRED, found)
        posting.ended(expiring, found, "expired")
    return True


def lapse_grant(vault_id: UUID, grant_id: UUID, now: datetime) -> bool:
    """End a grant that stood unused for as long as it may. True when it was this call."""
    with act(vault_id, CLOCK) as lapsing:
        found = store.grant(vault_id, grant_id)
        if (
            found is None
            or not due_to_lapse(found, now)
            or not lessening.lapse_grant(lapsing, grant_id, found.terms_version, now)
        ):
            lapsing.cancel()
            return False
        _record(lapsing, ReceiptKind.GRANT_LAPSED, found)
        posting.ended(lapsing, found, "lapsed")
    return True


def _record(within: Act, kind: ReceiptKind, about: Grant) -> None:
    within.record(kind, object=typed("gra", about.grant_id), category=about.category.value, purpose=about.purpose.value)
