"""Guests: a vault without an account, which is nobody else's business. See policy.guests for what they may."""

from datetime import datetime
from uuid import UUID, uuid4

from apps.holders import retained
from apps.holders.services.people import check_zone, open_vault
from apps.policy.guests import LASTS, NOTED
from apps.policy.types import Holder
from apps.policy.vocabulary import Role

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
