"""The cast and the fences; and whom a link is for, at addresses of their own: one is written to so often a day."""

import secrets

import pytest

from apps.policy.shares import Recipient
from tests.cast import admin, alice, clinic, cook, mallory  # noqa: F401  (fixtures)
from tests.fences import _statements_stay_in_their_place, _stores_return_facts  # noqa: F401  (fixtures)


@pytest.fixture
def silva() -> Recipient:
    return Recipient("Dr. Silva", f"silva-{secrets.token_hex(6)}@clinic.example")


@pytest.fixture
def ana() -> Recipient:
    return Recipient("Ana", f"ana-{secrets.token_hex(6)}@house.example")
