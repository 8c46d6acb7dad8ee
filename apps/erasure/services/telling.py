"""Letters about what was erased: that it is, by which order, and from when on no backup opens it; not what it was."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from apps.erasure.horizon import horizon_days
from apps.holders import services as holders
from apps.ledger.log import Act
from apps.mail import services as mail
from apps.policy.erasing import Order
from apps.policy.ids import typed
from apps.policy.letters import Given, Letter
from apps.policy.roles import Deed, needs, sees
from apps.policy.types import Holder, Memory


@needs(Deed.ERASE)
def erased_within(holder: Holder, within: Act, done: Order, now: datetime) -> None:
    """Tell who ordered it, and the holder where that was somebody else."""
    for seat in holders.pressed(holder):
        facts = _facts(done, now) | {"memories": done.memories, "whole": False, "account": False}
        facts |= holders.whose_vault(seat)
        if seat.user_id != holder.user_id:
            facts["who"] = holder.name
        mail.post(within, Letter.ERASED, seat.user_id, facts, key=typed("ord", done.order_id))


def approved_within(within: Act, done: Order, now: datetime) -> None:
    """Tell who said yes to a suggestion to erase, and the holder where that was somebody else."""
    seats = holders.deciding(within.vault_id)
    for seat in [each for each in seats if each.actor == within.actor] or seats[:1]:
        erased_within(seat, within, done, now)


@needs(Deed.LOOK)
def over_within(seat: Holder, within: Act, done: Order, gone: Sequence[Memory], now: datetime) -> None:
    """Tell somebody who decides in the vault that the time of memories was over, where they saw any of these. The clock
    orders once a night, so that it is one letter, whatever went.
    """
    seen = sum(sees(seat, memory) for memory in gone)
    if seen:
        facts = _facts(done, now) | {"memories": seen, "whole": False, "account": False, "over": True}
        facts |= holders.whose_vault(seat)
        mail.post(within, Letter.ERASED, seat.user_id, facts, key=typed("ord", done.order_id))


@needs(Deed.END)
def ended_within(holder: Holder, within: Act, done: Order, address: str, now: datetime, *, gone: bool) -> None:
    """Tell whose vault it was; at the `address` that they had, where their account has gone with it."""
    facts = _facts(done, now) | {"memories": 0, "whole": True, "account": gone}
    key = typed("ord", done.order_id)
    if gone:
        mail.post_to(within, Letter.ERASED, address, holder.time_zone, facts, key=key)
    else:
        mail.post(within, Letter.ERASED, holder.user_id, facts, key=key)


def _facts(done: Order, now: datetime) -> dict[str, Given]:
    return {"at": now, "copies": (now + timedelta(days=horizon_days())).date(), "order": typed("ord", done.order_id)}
