"""What was erased is erased again in a backup that was restored, before anybody is served from it."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from apps.access import services as access
from apps.erasure import store
from apps.erasure.services.certifying import certify_within
from apps.holders import services as holders
from apps.ledger.log import Act, act
from apps.memories import services as memories
from apps.memories.services.again import RESTORE, left_within, turn_down_within
from apps.policy.erasing import Basis, Derived, Order
from apps.policy.ids import typed
from apps.policy.vocabulary import ReceiptKind
from apps.turns import services as turns


def erase_again(
    vault_id: UUID, gone: Mapping[UUID, Collection[UUID]], turned_down: Collection[UUID], now: datetime
) -> tuple[int, int]:
    """In one act: of each order the memories that are there again, and suggestions that came to nothing since. Done
    twice, the second does nothing. Returns how many of each. An order keeps its id.
    """
    with act(vault_id, RESTORE) as again:
        erased = sum(_erase(again, order_id, ids, now) for order_id, ids in gone.items())
        ended = turn_down_within(again, turned_down, now) if turned_down else 0
        if not erased and not ended:
            again.cancel()
    return erased, ended


def end_again(vault_id: UUID, order_id: UUID, now: datetime) -> bool:
    """A whole vault. False where it is not there, or not there any more."""
    holder = holders.holder_of_vault(vault_id)
    if holder is None:
        return False
    with act(vault_id, RESTORE) as ending:
        counts = memories.end_within(ending, order_id, now)
        counts += turns.end_within(ending, now) + access.end_within(ending, now)
        of_people, gone = holders.end_within(holder, ending)
        counts += of_people
        store.end_words(ending)
        many = counts["memories"]
        new = Order(order_id, Basis.RESTORED, Derived.ERASE, many, now, ending.actor, whole_vault=True, told=many)
        new = replace(new, counts=counts)
        store.add(ending, new)
        ending.record(ReceiptKind.VAULT_ERASED, object=typed("ord", order_id))
        ending.settle()
        memories.tell_within(ending, order_id, 0, many)
        certify_within(ending, new, now)
    if not gone:
        holders.open_vault(holder.user_id, holder.name, f"{holder.name}'s household")
    return True


def _erase(again: Act, order_id: UUID, ids: Collection[UUID], now: datetime) -> int:
    found = left_within(again, ids)
    if not found:
        return 0
    known = store.order(again.vault_id, order_id) is not None
    new = Order(order_id, Basis.RESTORED, Derived.KEEP, len(found), now, again.actor, told=len(found))
    if not known:
        store.add(again, new)
        again.settle()
    counts = memories.erase_within(again, found, now, order_id)
    if not known:
        store.count(again, order_id, counts, len(found))
        certify_within(again, replace(new, counts=counts), now)
    return len(found)
