"""Guests: a vault without an account, which is nobody else's business. See policy.guests for what they may."""

from datetime import datetime
from uuid import UUID, uuid4

from apps.holders import kept, retained, store
from apps.holders.services.addresses import check_address
from apps.holders.services.people import check_zone, open_vault
from apps.ledger.log import act
from apps.policy.guests import LASTS, NOTED
from apps.policy.ids import typed
from apps.policy.roles import Deed, needs
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import ReceiptKind, Refusal, Role
from vault import limits

TRIES_PER_HOUR = 10  # of addresses, by one guest: what is said of each tells whether a vault is open under it
NOWHERE = "guest.invalid"  # RFC 2606: no letter ever goes there, and nobody signs in with it


def open_guest(most: int, now: datetime, time_zone: str = "UTC") -> Holder | None:
    """A vault for somebody without an account, in a household that they do not look after: so nobody is invited to it
    and no child brought up in it. None where about `most` are there already. Raises TextProblem for the zone.
    """
    check_zone(time_zone)
    if retained.guests() >= most:
        return None
    user_id = retained.make_guest(f"{uuid4().hex}@{NOWHERE}", time_zone, now)
    return open_vault(user_id, "Guest", "A guest's household", roles=(Role.HOLDER,))


@needs(Deed.END)
def keep_guest(seat: Holder, email: str, password: str, now: datetime) -> Holder | Refused:
    """A guest has an account from now on and signs in with this address and password: the vault is the one they had,
    nothing in it moves, no limit of guests holds any more, and they look after their household. Raises TextProblem for
    an address that is none, or under which a vault is open; refused as rate-limited after many, as not-found for who is
    no guest, or none any more.
    """
    check_address(email)
    until = limits.over(f"guest:{seat.user_id.hex}", TRIES_PER_HOUR, 3600, now)
    if until:
        return Refused(Refusal.RATE_LIMITED, until=until)
    name = email.partition("@")[0]
    with act(seat.vault_id, seat.actor) as keeping:
        try:
            if store.user_named(email) is not None:
                raise kept.Taken
            if not kept.keep_guest(keeping, seat.user_id, email, password, name):
                keeping.cancel()
                return Refused(Refusal.NOT_FOUND)
        except kept.Taken:
            taken = "A vault is open under this address already. Write another one of yours."
            raise TextProblem("email", taken) from None
        store.join(keeping, store.space_of(seat.vault_id), seat.user_id, Role.ADMIN)
        keeping.record(ReceiptKind.ADDRESS_GIVEN, object=typed("vlt", seat.vault_id))
    found = store.first_seat(seat.user_id)
    assert found is not None
    return found


def note_guest(user_id: UUID, used_at: datetime, now: datetime) -> None:
    """They use it now: written down every ten minutes."""
    if now >= used_at + NOTED:
        retained.used(user_id, now)


def guest_used_at(user_id: UUID) -> datetime | None:
    """When a guest last used their vault; None for who is no guest, or none any more."""
    return retained.used_at(user_id)


def guest_vaults_over(now: datetime, limit: int) -> tuple[UUID, ...]:
    """So many guest vaults whose time is over."""
    return retained.guest_vaults(now - LASTS, limit)
