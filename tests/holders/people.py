"""People who act for others: invited and accepted as in life."""

import secrets
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.holders import services as holders
from apps.holders.models import VaultRow
from apps.policy.people import Delegation, Invitation, SpacePolicy
from apps.policy.tiers import birthday
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Level, Role
from vault.clock import utc_now


def newcomer(name: str) -> Holder:
    """A person with a vault in a household of their own."""
    return holders.enrol(f"{name}-{secrets.token_hex(6)}@house.example", name, None, space=f"{name}'s house")


def address_of(person: Holder) -> str:
    """The address they sign in with."""
    return next(each.email for each in holders.memberships(person.user_id))


def invited(by: Holder, person: Holder, role: Role, level: Level = Level.DECIDE, **more: int) -> tuple[Invitation, str]:
    """An invitation to act for `by`, and its token."""
    if role is Role.GUARDIAN:
        young(by)
    made = holders.invite_to_vault(by, address_of(person), role, level, utc_now(), **more)
    assert not isinstance(made, Refused), made
    return made


def acting(
    by: Holder, person: Holder, role: Role = Role.DELEGATE, level: Level = Level.DECIDE, at: datetime | None = None
) -> Holder:
    """The person at `by`'s vault: invited, accepted (at `at`), and seated."""
    now = at or utc_now()
    if role is Role.GUARDIAN:
        young(by)
    made = holders.invite_to_vault(by, address_of(person), role, level, now)
    assert not isinstance(made, Refused), made
    done = holders.accept(person.user_id, made[1], now)
    assert not isinstance(done, Refused), done
    seat = holders.seat(person.user_id, by.vault_id)
    assert seat is not None
    return seat


def young(holder: Holder) -> None:
    """Who has no day of birth was born nine years ago: only a child has guardians."""
    today = utc_now().date()
    VaultRow.objects.filter(vault_id=holder.vault_id, born_on=None).update(born_on=birthday(today, -9))


def leave_of(by: Holder, person: Holder) -> Delegation:
    """The delegation by which a person acts for `by`."""
    return next(each for each in holders.delegations(by) if each.user_id == person.user_id)


def settle(admin: Holder, space_id: UUID | None = None, **change: Any) -> SpacePolicy:
    """What a space's admin settles: in the one space they belong to, or in this one. What is not named stays."""
    space = space_id or space_of(admin)
    done = holders.settle(admin.user_id, space, replace(holders.space_policy(space), **change), utc_now())
    assert not isinstance(done, Refused), done
    return done


def space_of(person: Holder) -> UUID:
    """The one space a person belongs to."""
    (found,) = holders.memberships(person.user_id)
    return found.space_id
