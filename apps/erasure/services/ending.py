"""Erasing a whole vault: everything that it keeps, every way in, and the account of whoever had no other place. Whoever
keeps their account, and holds no vault any more, has an empty one from then on.
"""

import secrets
from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from apps.access import services as access
from apps.erasure import store
from apps.erasure.services.certifying import certify_within
from apps.erasure.services.ordering import AT_ONCE, go_on, record_ordered
from apps.erasure.services.telling import ended_within
from apps.holders import services as holders
from apps.ledger.ids import new_id
from apps.ledger.log import Act, act
from apps.memories import services as memories
from apps.policy.erasing import BY_HAND, Basis, Derived, Order, barred, check_words
from apps.policy.guests import over
from apps.policy.ids import typed
from apps.policy.people import CLOCK
from apps.policy.roles import Deed, needs
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import ReceiptKind, Refusal
from apps.shares import services as shares
from apps.turns import services as turns


@dataclass(frozen=True, slots=True)
class Ended:
    """A vault that was erased. `link` is the secret by which its certificate can be fetched; it is shown once."""

    order: Order
    link: str
    account_too: bool


@needs(Deed.END)
def end_vault(holder: Holder, now: datetime, *, basis: Basis = Basis.WISH, request: str = "") -> Ended | Refused:
    """Erase the whole vault, now: nothing of it opens from here on, nobody is let in, no assistant is answered. Only
    the ledger stays, which names nothing. Whoever has no other place in the instance is forgotten with it; whoever has
    one holds another vault of theirs from then on, or a new and empty one.

    Refused as legal-hold (until when). Raises TextProblem.
    """
    words = check_words(request)
    if basis not in BY_HAND:
        return Refused(Refusal.FIELD_NOT_ALLOWED, "/basis")
    return _end(holder, holder.actor, basis, words, now)


def end_guest(vault_id: UUID, now: datetime) -> Ended | Refused | None:
    """Erase a guest's vault whose time is over, in the clock's name. None where it is over no more, or gone: of two who
    do it at once one does. Refused as legal-hold.
    """
    seat = holders.holder_of_vault(vault_id)
    return _end(seat, CLOCK, Basis.RETENTION, "", now) if seat is not None and seat.guest else None


@needs(Deed.END)
def end_within(holder: Holder, ending: Act, order_id: UUID, now: datetime) -> tuple[Counter[str], bool]:
    """Everything that the vault keeps, and every way in, is gone. Returns how many rows went from which place, and
    whether the account went with it.
    """
    counts: Counter[str] = memories.end_within(ending, order_id, now)
    counts += turns.end_within(ending, now)
    counts += access.end_within(ending, now)
    counts += shares.end_within(ending)
    of_people, gone = holders.end_within(holder, ending)
    store.end_words(ending)
    return counts + of_people, gone


def _due(holder: Holder, now: datetime) -> bool:
    used_at = holders.guest_used_at(holder.user_id)
    return used_at is not None and over(used_at, now)


def _end(holder: Holder, actor: str, basis: Basis, words: str, now: datetime) -> Ended | Refused:
    link = secrets.token_urlsafe(24)
    with act(holder.vault_id, actor) as ending:
        no = barred(store.holds(holder.vault_id), now)
        if basis is Basis.RETENTION and not _due(holder, now):
            no = Refused(Refusal.NOT_FOUND)
        if no is not None:
            ending.cancel()
            return no
        order_id, salt = new_id(), secrets.token_bytes(32)
        record_ordered(ending, order_id, basis, words, salt)
        address = holders.address_of(holder)
        counts, gone = end_within(holder, ending, order_id, now)
        many = counts["memories"]
        new = Order(order_id, basis, Derived.ERASE, many, now, ending.actor, whole_vault=True, counts=counts)
        store.add(ending, new, link=link)
        ending.record(ReceiptKind.VAULT_ERASED, object=typed("ord", order_id))
        ending.settle()
        ended_within(holder, ending, new, address, now, gone=gone)
        if new.memories <= AT_ONCE:
            memories.tell_within(ending, order_id, 0, AT_ONCE)
            new = replace(new, told=new.memories)
            store.advance(ending, order_id, new.told, now)
            certify_within(ending, new, now)
            new = replace(new, done_at=now)
    if not gone:
        holders.open_vault(holder.user_id, holder.name, f"{holder.name}'s household")
    if not new.certified:
        go_on(holder.vault_id, order_id)
    return Ended(new, link, gone)


def by_link(link: str) -> Order | None:
    """The order of a vault that was erased, for whoever has the secret that was shown then; for thirty days."""
    found = store.by_link(link)
    return found[1] if found is not None else None
