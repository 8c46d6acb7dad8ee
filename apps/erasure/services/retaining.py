"""What is kept for a time only goes when that is over: by an order like any other, with its receipts and certificate.

A space settles for how many days what is kept. No memory goes unannounced: whoever decides in the vault is told thirty
days before, and saying that it holds keeps it. A legal hold stops both.
"""

from collections import Counter
from datetime import datetime, timedelta
from uuid import UUID

from apps.access import services as access
from apps.erasure import store
from apps.erasure.services.ordering import AT_ONCE, erase_planned_within, go_on
from apps.erasure.services.planning import plan_within
from apps.erasure.services.telling import over_within
from apps.holders import services as holders
from apps.ledger.log import Act, act, reading
from apps.mail import services as mail
from apps.memories.services import ageing
from apps.policy.erasing import Basis, Derived, Order, Plan, Where, barred
from apps.policy.ids import instant, typed
from apps.policy.letters import Given, Letter
from apps.policy.people import CLOCK
from apps.policy.retention import Keeping
from apps.policy.roles import Deed, needs, sees
from apps.policy.types import Holder, Memory
from apps.turns import services as turns


def retain(vault_id: UUID, now: datetime) -> Order | None:
    """Tell of memories whose time is nearly over, and erase whatever's time is: in one act, whose lock lets of two
    beats one do it. None where nothing was due, or a legal hold bars it.
    """
    seat = holders.holder_of_vault(vault_id)
    if seat is None:
        return None
    keeping, deciding = holders.policy(vault_id).keeping, holders.deciding(vault_id)
    with act(vault_id, CLOCK) as retaining:
        if barred(store.holds(vault_id), now) is not None:
            retaining.cancel()
            return None
        told = _tell(retaining, keeping, deciding, now)
        order = _erase(retaining, seat, deciding, keeping, now)
        if order is None and not told:
            retaining.cancel()
    if order is not None and not order.certified:
        go_on(vault_id, order.order_id)
    return order


@needs(Deed.LOOK)
def going_soon(holder: Holder, now: datetime) -> tuple[tuple[Memory, datetime], ...]:
    """The memories whose time is nearly over, as far as this seat sees them, and when each goes; the first first."""
    kept = holders.policy(holder.vault_id).keeping.memories
    if not kept:
        return ()
    with reading(holder.vault_id, holder.actor):
        found = ageing.going_within(holder.vault_id, kept, now)
    return tuple((memory, at) for memory, at in found if sees(holder, memory))


def _tell(within: Act, keeping: Keeping, deciding: tuple[Holder, ...], now: datetime) -> bool:
    found = ageing.tell_within(within, keeping.memories, now, AT_ONCE)
    key = f"{typed('vlt', within.vault_id)}/{instant(now)}"
    for seat in deciding:
        seen = [at for memory, at in found if sees(seat, memory)]
        if seen:
            about = seat.holder_name if seat.acting else ""
            facts: dict[str, Given] = {"about": about, "memories": len(seen), "day": min(seen).date()}
            mail.post(within, Letter.GOING, seat.user_id, facts, key=key)
    return bool(found)


def _erase(within: Act, seat: Holder, deciding: tuple[Holder, ...], keeping: Keeping, now: datetime) -> Order | None:
    going = ageing.over_within(within, keeping.memories, now, AT_ONCE)
    plan = plan_within(seat, Where(ids=going), Derived.KEEP) if going else Plan((), choice=Derived.KEEP)
    beside = _words(within, keeping, now)
    if not isinstance(plan, Plan) or not (plan.named or beside.total()):
        return None
    order = erase_planned_within(within, plan, Basis.RETENTION, now, beside=beside)
    for each in deciding:
        over_within(each, within, order, plan.going, now)
    return order


def _words(within: Act, keeping: Keeping, now: datetime) -> Counter[str]:
    """Conversations, and the words of what was decided long ago. Returns how many rows went from where."""
    gone: Counter[str] = Counter()
    if keeping.turns_days is not None:
        gone += turns.forget_older_within(within, now - timedelta(days=keeping.turns_days), now)
    gone += ageing.forget_words_within(within, now - timedelta(days=keeping.proposals_days))
    return gone + access.forget_notes_within(within, now - timedelta(days=keeping.notes_days))
