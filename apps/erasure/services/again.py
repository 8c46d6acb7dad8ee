"""What was erased is erased again in a backup that was restored, before anybody is served from it."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.access.services.again import blank_within as blank_notes_within
from apps.access.services.again import stop_within
from apps.erasure import store
from apps.erasure.services.certifying import certify_within
from apps.erasure.services.ending import end_within
from apps.holders import services as holders
from apps.holders.services.again import end_leave_within
from apps.ledger.format.certificate import commitment
from apps.ledger.ids import new_id
from apps.ledger.log import Act, act
from apps.memories import services as memories
from apps.memories.services.again import RESTORE, blank_within, left_within, turn_down_within
from apps.policy.erasing import Basis, Derived, LegalHold, Order
from apps.policy.ids import typed
from apps.policy.types import Holder
from apps.policy.vocabulary import ReceiptKind
from apps.shares.services.again import stop_within as stop_shares_within
from apps.turns import services as turns

Row = Mapping[str, Any]  # an order's, as store.carry takes it


@dataclass(slots=True)
class Known:
    """What is known of one vault from after the backup: its memories that were erased, by order; the candidates of
    suggestions that came to nothing; what has no words any more, and who and what was stopped, both as ids by kind. Of
    the database that was replaced, also its orders and legal holds.
    """

    gone: dict[UUID, set[UUID]] = field(default_factory=dict)
    turned_down: set[UUID] = field(default_factory=set)
    wordless: dict[str, set[UUID]] = field(default_factory=dict)
    stopped: dict[str, set[UUID]] = field(default_factory=dict)
    orders: dict[UUID, Row] = field(default_factory=dict)
    holds: list[LegalHold] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Again:
    """How many memories, suggestions that waited and other words were there again; how many assistants, keys, grants,
    shares and people that act were let in again; how many orders and holds are carried over.
    """

    erased: int = 0
    ended: int = 0
    blanked: int = 0
    stopped: int = 0
    orders: int = 0
    holds: int = 0

    def __bool__(self) -> bool:
        return self != Again()


def erase_again(vault_id: UUID, known: Known, now: datetime) -> Again:
    """In one act; done twice, the second does nothing. An order keeps its id, and where it is carried over, all that
    was certified of it. What belonged to no order that is known here goes by one that says so.
    """
    with act(vault_id, RESTORE) as again:
        missing = {each: row for each, row in known.orders.items() if store.order(vault_id, each) is None}
        for order_id, row in missing.items():
            _carry(again, order_id, row)
        again.settle()
        done = Again(
            erased=sum(_erase(again, order_id, ids, now) for order_id, ids in known.gone.items()),
            ended=turn_down_within(again, known.turned_down, now) if known.turned_down else 0,
            blanked=_blank(again, known.wordless, now),
            stopped=_stop(again, known.stopped, now),
            orders=len(missing),
            holds=_hold(again, known.holds, now),
        )
        if not done:
            again.cancel()
    return done


def end_again(vault_id: UUID, order_id: UUID, row: Row | None, now: datetime) -> bool:
    """A whole vault, by an order as it stood in the database that was replaced, if it is known. False where the vault
    is not there, or not there any more.
    """
    holder = holders.holder_of_vault(vault_id)
    if holder is None:
        return False
    with act(vault_id, RESTORE) as ending:
        gone = _end(ending, holder, order_id, row, now)
    if not gone:
        holders.open_vault(holder.user_id, holder.name, f"{holder.name}'s household")
    return True


def _end(ending: Act, holder: Holder, order_id: UUID, row: Row | None, now: datetime) -> bool:
    """The account went with it?"""
    counts, gone = end_within(holder, ending, order_id, now)
    many = counts["memories"]
    new = Order(
        order_id, Basis.RESTORED, Derived.ERASE, many, now, ending.actor, whole_vault=True, told=many, counts=counts
    )
    if row is None:
        store.add(ending, new)
    ending.record(ReceiptKind.VAULT_ERASED, object=typed("ord", order_id))
    ending.settle()
    memories.tell_within(ending, order_id, 0, many)
    if row is None:
        certify_within(ending, new, now)
    else:
        _carry(ending, order_id, row)
    return gone


def _carry(within: Act, order_id: UUID, row: Row) -> None:
    """The order as it was, and the receipt that its certificate is bound to from now on."""
    text = store.carry(within, row)
    within.record(ReceiptKind.ERASURE_CERTIFIED, object=typed("ord", order_id), commitment=commitment(text))


def _erase(again: Act, order_id: UUID, ids: Collection[UUID], now: datetime) -> int:
    found = left_within(again, ids)
    if not found:
        return 0
    known = store.order(again.vault_id, order_id) is not None
    stays = memories.staying_within(again, found)
    new = Order(
        order_id,
        Basis.RESTORED,
        Derived.KEEP,
        len(found),
        now,
        again.actor,
        told=len(found),
        kept=stays.kept,
        still_held=stays.still_held,
    )
    if not known:
        store.add(again, new)
        again.settle()
    counts = memories.erase_within(again, found, now, order_id)
    if not known:
        store.count(again, order_id, counts, len(found))
        certify_within(again, replace(new, counts=counts), now)
    return len(found)


def _blank(again: Act, wordless: Mapping[str, Collection[UUID]], now: datetime) -> int:
    """By an order of its own, but for the words of an order. Returns how many rows had words."""
    ids = {kind: wordless.get(kind, set()) for kind in ("proposal", "name", "turn", "note", "words")}
    counts: Counter[str] = blank_within(again, ids["proposal"], ids["name"], now)
    counts += turns.forget_again_within(again, ids["turn"], now)
    counts += blank_notes_within(again, ids["note"])
    if counts.total():
        new = Order(new_id(), Basis.RESTORED, Derived.KEEP, 0, now, again.actor, counts=counts)
        store.add(again, new)
        again.settle()
        certify_within(again, new, now)
    forgotten = [each for each in sorted(ids["words"]) if store.forget_words(again, each)]
    for order_id in forgotten:
        again.record(ReceiptKind.ERASURE_FORGOTTEN, object=typed("ord", order_id))
    return counts.total() + len(forgotten)


def _stop(again: Act, stopped: Mapping[str, Collection[UUID]], now: datetime) -> int:
    """Who and what was stopped since is stopped again. Returns how many were not."""
    clients, paused, keys, grants, leave = (
        stopped.get(kind, set()) for kind in ("client", "paused", "key", "grant", "leave")
    )
    again.settle()
    ended = stop_within(again, now, clients=clients, paused=paused, keys=keys, grants=grants)
    ended += stop_shares_within(again, now, shares=stopped.get("share", set()), links=stopped.get("link", set()))
    return ended + (end_leave_within(again, leave, now) if leave else 0)


def _hold(again: Act, holds: Sequence[LegalHold], now: datetime) -> int:
    """Legal holds that were placed, or lifted, since the backup. Returns how many."""
    here = {each.hold_id: each for each in store.holds(again.vault_id)}
    placed = [each for each in holds if each.hold_id not in here]
    lifted = [each for each in holds if each.lifted_at and each.hold_id in here and not here[each.hold_id].lifted_at]
    for each in placed:
        store.place(again, each)
        again.record(ReceiptKind.ERASURE_BARRED)
    for each in lifted:
        store.lift(again, each.hold_id, each.lifted_at or now)
    for each in holds:
        if each.lifted_at and (each in placed or each in lifted):
            again.record(ReceiptKind.ERASURE_FREED)
    return len(placed) + len(lifted)
