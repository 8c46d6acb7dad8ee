"""A child and a guardian, as the tests meet them."""

import secrets
from datetime import date, datetime, timedelta
from uuid import UUID

from apps.holders import services as holders
from apps.holders.models import VaultRow
from apps.policy.tiers import birthday
from apps.policy.types import Holder, Refused
from tests.holders.people import space_of
from vault.clock import utc_now


def born(age: int, *, on: datetime | None = None, days: int = 0) -> date:
    """A day of birth by which somebody is this old since `days` days (negative: will be so in as many)."""
    today = (on or utc_now()).date() - timedelta(days=days)
    return birthday(today, -age) if age else today


def child_of(
    rosa: Holder, name: str = "Leo", born_on: date | None = None, time_zone: str = "UTC", *, log_in: bool = True
) -> Holder:
    """The guardian's seat at the vault of a child that they set up."""
    email = f"{name}-{secrets.token_hex(6)}@house.example" if log_in else ""
    made = holders.bring_up(
        rosa.user_id,
        space_of(rosa),
        name=name,
        born_on=born_on or born(9, days=100),
        time_zone=time_zone,
        email=email,
        now=utc_now(),
    )
    assert not isinstance(made, Refused), made
    return made


def themself(vault_id: UUID) -> Holder:
    """The child at their own vault."""
    found = holders.holder_of_vault(vault_id)
    assert found is not None
    return found


def grow(child: Holder, born_on: date) -> None:
    """Let them be born on another day: what the years do, at once."""
    VaultRow.objects.filter(vault_id=child.vault_id).update(born_on=born_on)
