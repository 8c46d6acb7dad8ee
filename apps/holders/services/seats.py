"""Seats: a person at one vault, their own or that of somebody they act for."""

from uuid import UUID

from apps.holders import store
from apps.policy import roles
from apps.policy.roles import Barred as Barred
from apps.policy.roles import Deed
from apps.policy.roles import ask as ask
from apps.policy.types import Holder


def holder(user_id: UUID) -> Holder | None:
    """The person at their own vault, the first of several; None for somebody who has none (an operator)."""
    return store.first_seat(user_id)


def seats(user_id: UUID) -> tuple[Holder, ...]:
    """Every vault the person sits at: their own first, then those of whom they act for, as it holds now."""
    return tuple(seat for each in store.seats(user_id) if (seat := each.now()) is not None)


def seat(user_id: UUID, vault_id: UUID) -> Holder | None:
    """The person at this vault; None for a vault that is not theirs and where they act for nobody (any more)."""
    return next((each.now() for each in store.seats(user_id, vault_id)), None)


def holder_of_vault(vault_id: UUID) -> Holder | None:
    """The person a vault is about, at it; None for an unknown vault."""
    return store.holder_of_vault(vault_id)


def may(seat: Holder, *deeds: Deed) -> bool:
    """May this person do all of this at this vault? For a page that shows no button which would be refused."""
    return all(roles.may(seat, each) is None for each in deeds)
