"""Rows of people and vaults, as facts."""

from collections.abc import Collection, Iterable
from datetime import date, datetime
from uuid import UUID

from django.db import connections
from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Now

from apps.holders.growing import growing_at
from apps.holders.models import (
    DelegationRow,
    DirectoryRow,
    InvitationRow,
    MemberRow,
    SpaceRow,
    User,
    VaultRow,
)
from apps.ledger.log import Act
from apps.policy.people import Delegation, Invitation, Membership, actor, called
from apps.policy.tiers import Sat
from apps.policy.types import Census, Holder, Space
from apps.policy.vocabulary import Level, Role

AN_EMERGENCY = Q(role=Role.EMERGENCY.value)  # nobody's leave: apps/holders/emergency.py has these


# ---------------------------------------------------------------- people and their seats
def seats(user_id: UUID, vault_id: UUID | None = None) -> tuple[Sat, ...]:
    """The vaults a person holds, oldest first, then those of whom they act for; or their seat at one vault."""
    at = {} if vault_id is None else {"vault_id": vault_id}
    own = VaultRow.objects.select_related("holder", "space").filter(holder_id=user_id, **at).order_by("vault_id")
    live = Q(ended_at=None) & (Q(expires_at=None) | Q(expires_at__gt=Now()))
    acting = (
        DelegationRow.objects.select_related("user", "vault__holder", "vault__space__spacepolicyrow")
        .annotate(now=Now())
        .filter(live, ~AN_EMERGENCY, user_id=user_id, **at)
        .exclude(vault__holder_id=user_id)
        .order_by("vault_id")
    )
    others = (Sat(_acting(each), growing_at(each.vault), each.now) for each in acting)
    return (*(Sat(_own(each)) for each in own), *others)


def first_seat(user_id: UUID) -> Holder | None:
    """The person at the first vault they hold; None while they hold none."""
    rows = VaultRow.objects.select_related("holder", "space").filter(holder_id=user_id)
    row = rows.order_by("vault_id").first()
    return _own(row) if row else None


def _own(row: VaultRow) -> Holder:
    name = row.holder.name or row.name
    guest = row.holder.guest_at is not None
    zone = row.holder.time_zone
    return Holder(row.vault_id, row.holder_id, name, zone, row.space.name, holder_name=name, guest=guest)


def _acting(row: DelegationRow) -> Holder:
    about = row.vault
    return Holder(
        row.vault_id,
        row.user_id,
        called(row.user.name, row.user.email),
        row.user.time_zone,
        about.space.name,
        Role(row.role),
        Level(row.level),
        f"hld_{about.holder_id.hex}",
        about.holder.name or about.name,
    )


def holder_of_vault(vault_id: UUID) -> Holder | None:
    """The person a vault is about."""
    row = VaultRow.objects.select_related("holder", "space").filter(vault_id=vault_id).first()
    return _own(row) if row else None


def user_named(email: str) -> UUID | None:
    """The id of the person who signs in with this address."""
    return User.objects.filter(email__iexact=email).values_list("id", flat=True).first()


def address(user_id: UUID) -> str:
    """The address a person signs in with."""
    return User.objects.values_list("email", flat=True).get(id=user_id)


def names(user_ids: frozenset[UUID]) -> dict[UUID, str]:
    """What these people are called."""
    rows = User.objects.filter(id__in=user_ids).values_list("id", "name", "email")
    return {user_id: called(name, email) for user_id, name, email in rows}


def make_user(email: str, name: str, password: str | None, time_zone: str) -> UUID:
    """A person who can sign in (with no password: who cannot, yet)."""
    return User.objects.create_user(email, password, name=name, time_zone=time_zone).id


def set_profile(user_id: UUID, name: str, time_zone: str) -> None:
    """What a person is called, and the zone their times are shown in."""
    User.objects.filter(id=user_id).update(name=name, time_zone=time_zone)


def set_password(user_id: UUID, password: str) -> None:
    """Replace a person's password."""
    user = User.objects.get(id=user_id)
    user.set_password(password)
    user.save(update_fields=["password"])


def end_sessions(act: Act, user_id: UUID) -> None:
    """Wherever this person is signed in, they are not at their next request."""
    User.objects.filter(id=user_id).update(belongs=F("belongs") + 1)


# ---------------------------------------------------------------- spaces and vaults
def census() -> Census:
    """Counts across the instance, from its global tables."""
    spaces = SpaceRow.objects.annotate(vaults=Count("vaultrow")).order_by("name", "space_id")
    return Census(User.objects.count(), tuple(Space(*row) for row in spaces.values_list("name", "kind", "vaults")))


def open_vault(
    act: Act, user_id: UUID, name: str, space_id: UUID, born_on: date | None = None, time_zone: str = ""
) -> None:
    """A vault in a space; a child's says when they were born, and where their days begin."""
    child = {"born_on": born_on, "time_zone": time_zone}
    VaultRow.objects.create(vault_id=act.vault_id, space_id=space_id, holder_id=user_id, name=name, **child)


def move_vaults(act: Act, user_id: UUID, space_id: UUID, to_space_id: UUID) -> int:
    """Take a person's vaults from one space into another. How many there were."""
    return VaultRow.objects.filter(holder_id=user_id, space_id=space_id).update(space_id=to_space_id)


def holds_in(user_id: UUID, space_id: UUID) -> bool:
    """Does a vault of this person stand in the space?"""
    return VaultRow.objects.filter(holder_id=user_id, space_id=space_id).exists()


def zone_query(vault_id: UUID) -> tuple[str, list[object]]:
    """SQL and parameters for the zone of whom a vault is about: one row of one column, or none."""
    return 'SELECT u.time_zone FROM vault v JOIN "user" u ON u.id = v.holder_id WHERE v.vault_id = %s', [vault_id]


def household_of(vault_id: UUID) -> str:
    """What the household is called in which a vault stands; "" in a clinic, and where it stands in none."""
    rows = SpaceRow.objects.filter(vaultrow__vault_id=vault_id, kind="household")
    return rows.values_list("name", flat=True).first() or ""


def space_of(vault_id: UUID) -> UUID:
    """The space a vault stands in."""
    return VaultRow.objects.values_list("space_id", flat=True).get(vault_id=vault_id)


# ---------------------------------------------------------------- the directory
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


def unlist(credential_hashes: Collection[bytes]) -> None:
    """These credentials lead nowhere from now on, whichever vault they led to."""
    DirectoryRow.objects.filter(credential_hash__in=list(credential_hashes)).delete()


# ---------------------------------------------------------------- belonging to a space
def members(*space_ids: UUID) -> tuple[Membership, ...]:
    """Who belongs to a space, or to any of several, in the order they joined."""
    return _members(MemberRow.objects.filter(space_id__in=space_ids))


def memberships(user_id: UUID) -> tuple[Membership, ...]:
    """The spaces a person belongs to."""
    return _members(MemberRow.objects.filter(user_id=user_id))


def _members(rows: QuerySet[MemberRow]) -> tuple[Membership, ...]:
    found: dict[tuple[UUID, UUID], Membership] = {}
    for row in rows.filter(left_at=None).select_related("space", "user").order_by("joined_at", "id"):
        known = found.get((row.space_id, row.user_id))
        roles = (known.roles if known else frozenset()) | {Role(row.role)}
        found[(row.space_id, row.user_id)] = Membership(
            row.space_id,
            row.space.name,
            row.space.kind,
            row.user_id,
            called(row.user.name, row.user.email),
            row.user.email,
            roles,
            known.joined_at if known else row.joined_at,
        )
    return tuple(found.values())


def join(act: Act, space_id: UUID, user_id: UUID, role: Role) -> bool:
    """A place in a space. False where the person has it already."""
    _, made = MemberRow.objects.get_or_create(
        space_id=space_id, user_id=user_id, role=role.value, left_at=None, defaults={"joined_at": Now()}
    )
    return made


def leave(act: Act, space_id: UUID, user_id: UUID, roles: Iterable[Role], now: datetime) -> None:
    """No place in the space from now on, in these roles."""
    rows = MemberRow.objects.filter(space_id=space_id, user_id=user_id, role__in=[each.value for each in roles])
    rows.filter(left_at=None).update(left_at=now)


# ---------------------------------------------------------------- acting for others
def delegations(*, vault_id: UUID | None = None, user_id: UUID | None = None) -> tuple[Delegation, ...]:
    """Who may act at a vault, or for whom a person may; the ended ones left out, those over by their day not."""
    wanted = {"vault_id": vault_id, "user_id": user_id}
    rows = DelegationRow.objects.exclude(AN_EMERGENCY).filter(ended_at=None)
    rows = rows.filter(**{name: value for name, value in wanted.items() if value})
    return tuple(map(_delegation, rows.select_related("user").order_by("made_at", "delegation_id")))


def delegations_ending(since: datetime, until: datetime) -> tuple[Delegation, ...]:
    """Delegates' leave, at all vaults, whose day comes after `since` and by `until`; the ended ones left out."""
    rows = DelegationRow.objects.filter(role=Role.DELEGATE.value, ended_at=None)
    rows = rows.filter(expires_at__gt=since, expires_at__lte=until)
    return tuple(map(_delegation, rows.select_related("user").order_by("expires_at", "delegation_id")))


def acted(vault_id: UUID) -> dict[str, str]:
    """Who acts or ever acted at a vault: what they are called, by the actor that its receipts name."""
    rows = DelegationRow.objects.filter(vault_id=vault_id).values_list("role", "user_id", "user__name", "user__email")
    return {actor(Role(role), user): called(name, email) for role, user, name, email in rows}


def delegation(vault_id: UUID, delegation_id: UUID) -> Delegation | None:
    """One leave to act at this vault."""
    rows = DelegationRow.objects.exclude(AN_EMERGENCY).filter(vault_id=vault_id, delegation_id=delegation_id)
    row = rows.select_related("user").first()
    return _delegation(row) if row else None


def _delegation(row: DelegationRow) -> Delegation:
    return Delegation(
        row.delegation_id,
        row.vault_id,
        row.user_id,
        called(row.user.name, row.user.email),
        Role(row.role),
        Level(row.level),
        row.made_at,
        row.expires_at,
        row.ended_at,
    )


def delegate(act: Act, new: Delegation) -> None:
    """Leave to act at the act's vault; what the person had there before is ended by it."""
    rows = DelegationRow.objects.filter(vault_id=act.vault_id, user_id=new.user_id, ended_at=None)
    rows.update(ended_at=new.made_at)
    DelegationRow.objects.create(
        delegation_id=new.delegation_id,
        vault_id=act.vault_id,
        user_id=new.user_id,
        role=new.role.value,
        level=new.level.value,
        made_at=new.made_at,
        expires_at=new.expires_at,
    )


def set_end(
    act: Act, delegation_id: UUID, *, expires_at: datetime | None = None, ended_at: datetime | None = None
) -> None:
    """Until when it holds, or that it ended."""
    moved = {"ended_at": ended_at} if ended_at else {"expires_at": expires_at}
    DelegationRow.objects.filter(vault_id=act.vault_id, delegation_id=delegation_id, ended_at=None).update(**moved)


# ---------------------------------------------------------------- invitations
def invite(act: Act, new: Invitation, token_hash: bytes, invited_by: UUID) -> None:
    """An offered role, to be accepted by whoever has the token and the address."""
    InvitationRow.objects.create(
        invitation_id=new.invitation_id,
        token_hash=token_hash,
        space_id=new.space_id,
        vault_id=new.vault_id,
        role=new.role.value,
        level=new.level.value,
        email=new.email,
        invited_by_id=invited_by,
        lasts_days=new.lasts_days,
        made_at=new.made_at,
        expires_at=new.expires_at,
    )


def invitation_by(token_hash: bytes) -> Invitation | None:
    """What a link leads to."""
    return _first(InvitationRow.objects.filter(token_hash=token_hash))


def invitation(invitation_id: UUID) -> Invitation | None:
    """One invitation."""
    return _first(InvitationRow.objects.filter(invitation_id=invitation_id))


def open_invitations(
    *, vault_id: UUID | None = None, by: UUID | None = None, space_ids: Collection[UUID] = ()
) -> tuple[Invitation, ...]:
    """What nobody has accepted yet: to act at a vault (made `by` somebody), or to a place in one of these spaces."""
    rows = InvitationRow.objects.filter(used_at=None, withdrawn_at=None, expires_at__gt=Now())
    rows = rows.filter(vault_id=vault_id) if vault_id else rows.filter(vault_id=None, space_id__in=space_ids)
    rows = rows.filter(invited_by=by) if by else rows
    return tuple(map(_invitation, rows.select_related(*_ABOUT).order_by("made_at", "invitation_id")))


def take_invitation(act: Act, invitation_id: UUID, user_id: UUID, now: datetime) -> bool:
    """Use an invitation up. False where somebody was first, it was withdrawn, or it is over."""
    rows = InvitationRow.objects.filter(
        invitation_id=invitation_id, used_at=None, withdrawn_at=None, expires_at__gt=now
    )
    return rows.update(used_at=now, used_by_id=user_id) == 1


def withdraw_invitation(act: Act, invitation_id: UUID, now: datetime) -> bool:
    """Take an invitation back. False where it was used or withdrawn before."""
    rows = InvitationRow.objects.filter(invitation_id=invitation_id, used_at=None, withdrawn_at=None)
    return rows.update(withdrawn_at=now) == 1


_ABOUT = ("space", "vault__holder", "invited_by")


def _first(rows: QuerySet[InvitationRow]) -> Invitation | None:
    row = rows.select_related(*_ABOUT).first()
    return _invitation(row) if row else None


def _invitation(row: InvitationRow) -> Invitation:
    about = row.vault
    return Invitation(
        row.invitation_id,
        row.space_id,
        row.vault_id,
        Role(row.role),
        Level(row.level),
        row.email,
        called(row.invited_by.name, row.invited_by.email),
        row.space.name,
        (about.holder.name or about.name) if about else "",
        row.lasts_days,
        row.made_at,
        row.expires_at,
        row.used_at,
        row.used_by_id,
        row.withdrawn_at,
    )
