"""A share as somebody would have it, checked as far as it can be by itself: when it is looked at, and when made."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TypedDict, Unpack
from uuid import UUID

from apps.holders import services as holders
from apps.policy.roles import Deed, needs
from apps.policy.shares import (
    LASTS,
    OPENS,
    Code,
    Recipient,
    check_note,
    check_pin,
    check_recipients,
    check_terms,
    code_of,
)
from apps.policy.text import TextProblem
from apps.policy.types import Holder


class Terms(TypedDict, total=False):
    """What may be said of a share that is wished; what is left out is as `wished` has it."""

    lasts: timedelta
    opens: int
    note: str
    recipients: Sequence[Recipient]
    code: Code | None
    pin: str


@dataclass(frozen=True, slots=True)
class Wish:
    """What was asked for, as it is kept. How far its space lets it go is asked apart."""

    ids: tuple[UUID, ...]
    lasts: timedelta
    opens: int
    note: str
    recipients: tuple[Recipient, ...]
    code: Code
    pin: str


@needs(Deed.SHARE)
def check(holder: Holder, **terms: Unpack[Terms]) -> None:
    """Would `make` take these terms? Raises TextProblem as it does."""
    wish = wished(holder, (), **terms)
    check_terms(wish.lasts, wish.opens, holders.policy(holder.vault_id))


@needs(Deed.SHARE)
def wished(
    holder: Holder,
    ids: Sequence[UUID],
    *,
    lasts: timedelta = LASTS,
    opens: int = OPENS,
    note: str = "",
    recipients: Sequence[Recipient] = (),
    code: Code | None = None,
    pin: str = "",
) -> Wish:
    """The wish, where nothing in it is wrong by itself. Raises TextProblem."""
    asks = code_of(code, recipients)
    kept = check_recipients(recipients, asks)
    for index, each in enumerate(kept):
        _check_address(each.address, str(index))
    if holder.guest and any(each.address for each in kept):
        raise TextProblem("recipients", "Without an account nothing is mailed for you. Hand the link over yourself.")
    return Wish(tuple(dict.fromkeys(ids)), lasts, opens, check_note(note), kept, asks, check_pin(pin, asks))


def _check_address(address: str, part: str) -> None:
    try:
        if address:
            holders.check_address(address)
    except TextProblem as problem:
        raise TextProblem("address", problem.detail, part) from None
