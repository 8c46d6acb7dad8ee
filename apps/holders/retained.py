"""Rows of people that are kept for a while only, of no vault: a part of the store."""

from datetime import datetime
from uuid import UUID

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.models import Session
from django.db.models import Q

from apps.holders.models import InvitationRow, SpaceRow, User, VaultRow
from apps.ledger.log import Act


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


def keep_guest(act: Act, user_id: UUID, email: str, password: str, name: str) -> bool:
    """Who was a guest signs in with this address from now on, and their vault and household are called after it. False
    for who is none.
    """
    rows = User.objects.filter(id=user_id, guest_at__isnull=False, is_active=True)
    if rows.update(email=email, password=make_password(password), name=name, guest_at=None) != 1:
        return False
    VaultRow.objects.filter(vault_id=act.vault_id).update(name=name)
    SpaceRow.objects.filter(vaultrow__vault_id=act.vault_id).update(name=f"{name}'s household")
    EmailAddress.objects.create(user_id=user_id, email=email.lower(), primary=True, verified=False)
    return True
