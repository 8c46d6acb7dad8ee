"""Rows of children, as facts: a part of the store."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX

from apps.holders.models import DelegationRow, SpacePolicyRow, StepToldRow, User, VaultRow
from apps.ledger.log import Act
from apps.policy.people import Tier
from apps.policy.tiers import Child, Upbringing, allowed
from apps.policy.vocabulary import Level, Role

LONGEST = timedelta(days=366 * 26)  # longer than any childhood; a table with later tiers is told of by its pages alone
GUARDIANS: dict[str, Any] = {"role": Role.GUARDIAN.value, "ended_at": None}  # leave whose end nobody has written
NOWHERE = "no-address.invalid"  # RFC 2606: where the address of somebody leads who has none


def table_of(kept: Iterable[tuple[int, str | None]]) -> tuple[Tier, ...]:
    """A table of ages, from its column."""
    return tuple(Tier(years, Level(level) if level else None) for years, level in kept)


def columns_of(tiers: Iterable[Tier]) -> list[tuple[int, str | None]]:
    """A table of ages, as its column keeps it."""
    return [(each.from_years, each.guardian and each.guardian.value) for each in tiers]


def growing_at(row: VaultRow) -> Upbringing | None:
    """What the tier follows from, where a vault says when its holder was born."""
    if row.born_on is None:
        return None
    zone = ZoneInfo(row.time_zone or row.holder.time_zone)
    held: SpacePolicyRow = row.space.spacepolicyrow
    return Upbringing(row.born_on, zone, table_of(held.tiers), table_of(held.tiers_before), held.tiers_from)


def make_child(name: str, email: str, time_zone: str, mark: str) -> UUID:
    """A person who has no password yet; without an address, one who has no log-in either."""
    return User.objects.create_user(email or f"{mark}@{NOWHERE}", None, name=name, time_zone=time_zone).id


def give_address(act: Act, child: Child, email: str) -> bool:
    """Let a child sign in with this address, once they have set a password. False where they have one already."""
    rows = User.objects.filter(id=child.user_id, password__startswith=UNUSABLE_PASSWORD_PREFIX)
    return rows.update(email=email) == 1


def children(
    now: datetime, space_id: UUID | None = None, *, guarded: bool = False
) -> Iterator[tuple[UUID, Upbringing]]:
    """Every vault (in this space) whose holder may be a child, with what their tier follows from; with `guarded`, those
    alone that have a guardian.
    """
    rows = VaultRow.objects.select_related("holder", "space__spacepolicyrow")
    rows = rows.filter(born_on__gt=(now - LONGEST).date()).order_by("vault_id")
    rows = rows.filter(space_id=space_id) if space_id else rows
    rows = rows.filter(vault_id__in=DelegationRow.objects.filter(**GUARDIANS).values("vault_id")) if guarded else rows
    for row in rows.iterator():
        found = growing_at(row)
        if found is not None:
            yield row.vault_id, found


def child(vault_id: UUID) -> Child | None:
    """Whom a vault is about, where that says when they were born."""
    row = VaultRow.objects.select_related("holder", "space__spacepolicyrow").filter(vault_id=vault_id).first()
    return _child(row) if row else None


def raises(vault_id: UUID, now: datetime, level: Level | None = None) -> bool:
    """Is the vault a child's by their day of birth, at whose age a guardian may do something (or this much) still?"""
    found = child(vault_id)
    may = allowed(found.growing, now) if found else None
    return may is not None and level in (None, may)


def _child(row: VaultRow) -> Child | None:
    growing = growing_at(row)
    if growing is None:
        return None
    email = row.holder.email
    known = "" if email.endswith(f"@{NOWHERE}") else email
    return Child(row.holder_id, row.holder.name or row.name, known, growing, row.holder.has_usable_password())


def themself(user_id: UUID) -> tuple[Child, ...]:
    """The person, at each vault of their own that says when they were born."""
    rows = VaultRow.objects.select_related("holder", "space__spacepolicyrow").filter(holder_id=user_id)
    return tuple(found for each in rows.order_by("vault_id") if (found := _child(each)))


def guarded(user_id: UUID, since: datetime) -> tuple[tuple[Child, Level], ...]:
    """Whose guardian a person is, or was until after `since`, and how far their leave went, whatever the tier says; one
    that has ended counts as whole.
    """
    rows = DelegationRow.objects.filter(user_id=user_id, role=Role.GUARDIAN.value)
    rows = rows.select_related("vault__holder", "vault__space__spacepolicyrow")
    found = (rows.filter(ended_at=None) | rows.filter(ended_at__gt=since)).order_by("made_at", "delegation_id")
    return tuple(
        (child, Level(each.level) if each.ended_at is None else Level.DECIDE)
        for each in found
        if (child := _child(each.vault))
    )


def guardians(vault_id: UUID) -> tuple[tuple[UUID, Level], ...]:
    """A vault's guardians, and how far their leave goes."""
    rows = DelegationRow.objects.filter(**GUARDIANS, vault_id=vault_id)
    return tuple((user_id, Level(level)) for user_id, level in rows.order_by("made_at").values_list("user_id", "level"))


def tell(act: Act, day: date, told: str, now: datetime) -> bool:
    """Write down that what changes on this day is told of. False where it was before: another beat was first."""
    _, made = StepToldRow.objects.get_or_create(vault_id=act.vault_id, day=day, told=told, defaults={"told_at": now})
    return made


def was_told(vault_id: UUID, day: date, told: str) -> bool:
    """Is it written down? A look before the act, so that a beat with nothing to do locks nothing."""
    return StepToldRow.objects.filter(vault_id=vault_id, day=day, told=told).exists()
