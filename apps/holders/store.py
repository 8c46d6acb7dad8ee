"""Rows of people and vaults, as facts."""

from uuid import UUID

from django.db import connections
from django.db.models import Count

from apps.holders.models import DirectoryRow, SpaceRow, User, VaultRow
from apps.ledger.log import Act
from apps.policy.types import Census, Holder, Space


def holder(user_id: UUID) -> Holder | None:
    """The signed-in person at their own vault; None while they have none."""
    row = VaultRow.objects.select_related("holder", "space").filter(holder_id=user_id).first()
    if row is None:
        return None
    name, zone = row.holder.name or row.name, row.holder.time_zone
    return Holder(row.vault_id, user_id, name, zone, row.name, row.space.name)


def holder_of_vault(vault_id: UUID) -> Holder | None:
    """The person a vault is about."""
    user_id = VaultRow.objects.filter(vault_id=vault_id).values_list("holder_id", flat=True).first()
    return holder(user_id) if user_id else None


def user_named(email: str) -> UUID | None:
    """The id of the person who signs in with this address."""
    return User.objects.filter(email__iexact=email).values_list("id", flat=True).first()


def make_user(email: str, name: str, password: str | None, time_zone: str) -> UUID:
    """A person who can sign in (with no password: who cannot, yet)."""
    return User.objects.create_user(email, password, name=name, time_zone=time_zone).id


def set_profile(user_id: UUID, name: str, time_zone: str) -> None:
    """What a person is called, and the zone their times are shown in."""
    User.objects.filter(id=user_id).update(name=name, time_zone=time_zone)


def census() -> Census:
    """Counts across the instance, from its global tables."""
    spaces = SpaceRow.objects.annotate(vaults=Count("vaultrow")).order_by("name", "space_id")
    return Census(User.objects.count(), tuple(Space(*row) for row in spaces.values_list("name", "kind", "vaults")))


def set_password(user_id: UUID, password: str) -> None:
    """Replace a person's password."""
    user = User.objects.get(id=user_id)
    user.set_password(password)
    user.save(update_fields=["password"])


def open_vault(act: Act, user_id: UUID, name: str, space: str) -> None:
    """A household of one's own, and the vault in it."""
    row = SpaceRow.objects.create(kind="household", name=space)
    VaultRow.objects.create(vault_id=act.vault_id, space=row, holder_id=user_id, name=name)


def vault_of(credential_hash: bytes) -> UUID | None:
    """Where a credential belongs."""
    with connections["default"].cursor() as cursor:  # on the road of every client's call: no ORM in between
        cursor.execute("SELECT vault_id FROM directory WHERE credential_hash = %s", [credential_hash])
        row = cursor.fetchone()
    return row[0] if row else None


def enlist(act: Act, credential_hash: bytes, kind: str) -> None:
    """Lead from a credential to the act's vault."""
    DirectoryRow.objects.create(credential_hash=credential_hash, vault_id=act.vault_id, kind=kind)


def delist(act: Act, credential_hash: bytes) -> None:
    """A credential leads nowhere from now on."""
    DirectoryRow.objects.filter(credential_hash=credential_hash, vault_id=act.vault_id).delete()
