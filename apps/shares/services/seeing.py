"""What a seat sees of shares: the holder all of it, whoever acts for them as though what is sealed from them had never
been shared.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from apps.ledger import services as ledger
from apps.ledger.log import reading
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.roles import Deed, needs, sees
from apps.policy.shares import Opening, Share, shown, state_of
from apps.policy.types import Holder
from apps.policy.vocabulary import ReceiptKind
from apps.shares import store
from apps.shares.services.told import Carried, Shared


@needs(Deed.LOOK)
def hidden(holder: Holder) -> frozenset[str]:
    """Of shares that were over nothing but what is sealed from this seat: their typed ids, and those of their links."""
    with reading(holder.vault_id, holder.actor):
        gone = _gone(holder, memories.sealed_within(holder))
        links = [each for each in store.links(holder.vault_id) if typed("shr", each.share_id) in gone] if gone else []
    return gone | {each.recipient for each in links}


def _gone(holder: Holder, sealed: frozenset[UUID]) -> frozenset[str]:
    """The shares that are not there where these memories are sealed from a seat. Their receipts say so, which stay."""
    return ledger.only_about_within(holder.vault_id, ReceiptKind.SHARE_MADE, sealed)


@needs(Deed.LOOK)
def left_within(holder: Holder, found: Sequence[Share]) -> tuple[Share, ...]:
    """As much of these shares as is there for this seat. Within a look or an act."""
    sealed = memories.sealed_within(holder)
    if not sealed:
        return tuple(found)
    gone = _gone(holder, sealed)
    return tuple(_left(holder, each, sealed) for each in found if typed("shr", each.share_id) not in gone)


def _left(holder: Holder, share: Share, sealed: frozenset[UUID]) -> Share:
    """Without what is sealed, and opened as often as something else was handed over."""
    items = tuple(each for each in share.items if each.memory_id not in sealed)
    if len(items) == len(share.items):
        return share
    opens = len(_opened(holder, share.share_id, sealed))
    return replace(share, items=items, opens_left=share.opens_most - opens)


@needs(Deed.LOOK)
def openings_within(holder: Holder, share_id: UUID) -> tuple[Opening, ...]:
    """The openings of a share at which something was handed over that is there for this seat, newest first. Within a
    look or an act.
    """
    return _opened(holder, share_id, memories.sealed_within(holder))


def _opened(holder: Holder, share_id: UUID, sealed: frozenset[UUID]) -> tuple[Opening, ...]:
    found = store.openings(holder.vault_id, share_id)
    if not sealed:
        return found
    told = ledger.requests_on_within(holder.vault_id, typed("shr", share_id), sealed)
    return tuple(each for each in found if typed("opn", each.opening_id) in told)


# ---------------------------------------------------------------- for the surfaces
@needs(Deed.SHARE)
def shares(holder: Holder, now: datetime, *, limit: int = 100) -> tuple[Shared, ...]:
    """The newest shares, with what they carry; those that ended within the last thirty days among them."""
    with reading(holder.vault_id, holder.actor):
        found = left_within(holder, store.shares(holder.vault_id, limit))
    return _told(holder, found, now)


@needs(Deed.SHARE)
def share(holder: Holder, share_id: UUID, now: datetime) -> Shared | None:
    """One share; None for an unknown id."""
    with reading(holder.vault_id, holder.actor):
        known = store.share(holder.vault_id, share_id)
        found = left_within(holder, [known] if known else [])
    return next(iter(_told(holder, found, now)), None)


@needs(Deed.SHARE)
def openings(holder: Holder, share_id: UUID) -> tuple[Opening, ...]:
    """Each opening of a share, newest first; none of an unknown one."""
    with reading(holder.vault_id, holder.actor):
        known = store.share(holder.vault_id, share_id)
        return openings_within(holder, share_id) if left_within(holder, [known] if known else []) else ()


@needs(Deed.FOLLOW)
def names(holder: Holder) -> dict[str, str]:
    """What the recipients of links are called, by `lnk_…`; "" where nobody was named. Of links that are known still."""
    with reading(holder.vault_id, holder.actor):
        return {each.recipient: each.name for each in store.links(holder.vault_id)}


@needs(Deed.TAKE)
def addresses(holder: Holder) -> dict[str, tuple[str, str]]:
    """What the recipients of links are called, and where a link was sent, by `lnk_…`."""
    with reading(holder.vault_id, holder.actor):
        return {each.recipient: (each.name, each.address) for each in store.links(holder.vault_id)}


def _told(holder: Holder, found: Sequence[Share], now: datetime) -> tuple[Shared, ...]:
    ids = list({item.memory_id for each in found for item in each.items})
    known = {each.memory_id: each for each in memories.facts(holder.vault_id, holder.actor, ids)} if ids else {}
    mine = {memory_id: each for memory_id, each in known.items() if sees(holder, each)}
    told = []
    for share in found:
        now_there = {each.memory_id for each in shown(share, mine.values())}
        lines = [
            Carried(each, mine[each.memory_id], each.memory_id in now_there)
            for each in share.items
            if each.memory_id in mine
        ]
        told.append(Shared(share, state_of(share, now), tuple(lines)))
    return tuple(told)
