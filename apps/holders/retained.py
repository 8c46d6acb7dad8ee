"""Rows of people that are kept for a while only, of no vault: a part of the store."""

from datetime import datetime
from uuid import UUID

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db.models import Q

from apps.holders.models import InvitationRow, User, VaultRow


def vaults_after(vault_id: UUID | None, limit: int) -> tuple[UUID, ...]:
    """So many vaults, by their ids, from the one after this on."""
    rows = VaultRow.objects.filter(**({"vault_id__gt": vault_id} if vault_id else {})).order_by("vault_id")
    return tuple(rows.values_list("vault_id", flat=True)[:limit])


def forget_sessions(now: datetime) -> int:
    """Delete the sessions that are over, and what was kept about where they were signed in from."""
    gone, _ = Session.objects.filter(expire_date__lt=now).delete()
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()
    return gone


def forget_invitations(before: datetime) -> int:
    """Blank the addresses of invitations that were over before then. Returns how many there were."""
    over = Q(used_at__lt=before) | Q(withdrawn_at__lt=before) | Q(expires_at__lt=before)
    return InvitationRow.objects.filter(over).exclude(email="").update(email="")


# ---------------------------------------------------------------- guests
def guests() -> int:
    """How many guests there are."""
    return User.objects.filter(guest_at__isnull=False).count()


def make_guest(email: str, time_zone: str, now: datetime) -> UUID:
    """A person who can sign in by nothing."""
    return User.objects.create_user(email, None, name="Guest", time_zone=time_zone, guest_at=now).id


def used(user_id: UUID, now: datetime) -> None:
    """A guest used their vault."""
    User.objects.filter(id=user_id, guest_at__lt=now).update(guest_at=now)


def used_at(user_id: UUID) -> datetime | None:
    """When a guest last used their vault; None for who is none."""
    return User.objects.filter(id=user_id).values_list("guest_at", flat=True).first()


def guest_vaults(before: datetime, limit: int) -> tuple[UUID, ...]:
    """So many vaults of guests who did not use them since."""
    rows = VaultRow.objects.filter(holder__guest_at__lte=before).order_by("holder__guest_at")
    return tuple(rows.values_list("vault_id", flat=True)[:limit])
