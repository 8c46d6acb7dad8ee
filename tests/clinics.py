"""A clinic: people whose vaults stand in it, and its reviewers, each come in by an invitation as in life."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth import get_user_model

from apps.access import services as access
from apps.access.services import Decision
from apps.holders import services as holders
from apps.policy.people import Membership
from apps.policy.types import AccessRequest, Holder, Refused
from apps.policy.vocabulary import Category, Role
from tests.cast import Assistant, Vault, canary, register
from tests.holders.people import address_of, newcomer
from vault.clock import utc_now


@dataclass(frozen=True)
class Clinic:
    """A clinic and who reviews in it."""

    space_id: UUID
    admin: Holder
    rita: Holder
    rolf: Holder

    def joined(self, person: Holder, role: Role) -> None:
        """The person has a place in the clinic from now on."""
        self._invited(person.user_id, address_of(person), role)

    def _invited(self, user_id: UUID, email: str, role: Role) -> None:
        invited = holders.invite_to_space(self.admin.user_id, self.space_id, email, role, utc_now())
        assert not isinstance(invited, Refused), invited
        assert not isinstance(holders.accept(user_id, invited[1], utc_now()), Refused)

    def patient(self, name: str) -> Vault:
        """Somebody with a vault in the clinic; two health memories, a belief, an ordinary one, all canaries."""
        email = f"{secrets.token_hex(6)}@casa-m.example"
        person = get_user_model().objects.create_user(email, None, name=name)
        self._invited(person.pk, email, Role.HOLDER)
        (seat,) = holders.seats(person.pk)
        vault = Vault(seat)
        for each, category in (
            ("pills", Category.HEALTH),
            ("sleep", Category.HEALTH),
            ("friday", Category.BELIEF),
            ("kitchen", Category.ORDINARY),
        ):
            vault.keep(each, label=canary(), subject=f"s-{secrets.token_hex(4)}.{each}", category=category)
        return vault

    def desk(self, reviewer: Holder) -> Membership:
        """The reviewer's desk here."""
        found = access.desk(reviewer.user_id, self.space_id)
        assert found is not None
        return found


def open_clinic() -> Clinic:
    """A clinic with an admin and two reviewers."""
    admin, rita, rolf = newcomer("Olga"), newcomer("Rita"), newcomer("Rolf")
    found = Clinic(holders.found_space("clinic", "Casa M.", admin.user_id), admin, rita, rolf)
    for each in (rita, rolf):
        found.joined(each, Role.REVIEWER)
    return found


def allow(by: Assistant, *names: str, who: Holder | None = None, days: int = 7, reads: int | None = 5) -> AccessRequest:
    """The person (or who acts for them) says yes to health, asked for by its name, with these memories."""
    wish = by.ask(categories=(Category.HEALTH,), purpose_note=canary())
    decision = Decision(frozenset(by.vault.ids[each] for each in names), utc_now() + timedelta(days=days), reads)
    done = access.decide(who or by.vault.holder, wish.request_id, {Category.HEALTH: decision}, utc_now())
    assert isinstance(done, AccessRequest), done
    return done


def as_asked(by: Assistant, request_id: UUID) -> AccessRequest:
    """The request as its assistant sees it."""
    found = access.outcome(by.caller, request_id)
    assert found is not None
    return found


def settle(admin: Any, clinic: Clinic, **columns: Any) -> None:
    """What the clinic's policy says from now on."""
    for name, value in columns.items():
        admin.execute(f"UPDATE space_policy SET {name} = %s WHERE space_id = %s", [value, clinic.space_id])


# ---------------------------------------------------------------- fixtures
@pytest.fixture
def casa(live: None) -> Clinic:
    """A clinic with two reviewers."""
    return open_clinic()


@pytest.fixture
def leo(casa: Clinic) -> Vault:
    """Somebody whose vault stands in the clinic."""
    return casa.patient("Leo Maria Brandt")


@pytest.fixture
def bot(leo: Vault) -> Iterator[Assistant]:
    """An assistant of Leo's."""
    yield register(leo, "Carebot")
