"""A guest's row, vault and household when they become a person's with an account: a part of the store."""

from uuid import UUID

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction

from apps.holders.models import SpaceRow, User, VaultRow
from apps.ledger.log import Act


class Taken(Exception):
    """Somebody signs in with this address."""


def keep_guest(act: Act, user_id: UUID, email: str, password: str, name: str) -> bool:
    """Who was a guest signs in with this address from now on, and their vault and household are called after it. False
    for who is none. Raises Taken where somebody signs in with it already, be it since this very moment.
    """
    rows = User.objects.filter(id=user_id, guest_at__isnull=False, is_active=True)
    try:
        with transaction.atomic():
            done = rows.update(email=email, password=make_password(password), name=name, guest_at=None)
    except IntegrityError:
        raise Taken from None
    if done != 1:
        return False
    VaultRow.objects.filter(vault_id=act.vault_id).update(name=name)
    SpaceRow.objects.filter(vaultrow__vault_id=act.vault_id).update(name=f"{name}'s household")
    EmailAddress.objects.create(user_id=user_id, email=email.lower(), primary=True, verified=False)
    return True
