"""A key opens its own vault as its own client, from the moment it is made to the moment it ends; nothing else opens."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from apps.access import services as access
from apps.policy.text import TextProblem
from apps.policy.types import Caller, Refused
from apps.policy.vocabulary import Refusal
from tests.cast import Assistant, Vault, register
from vault.clock import utc_now


def test_it_opens_its_vault_as_its_client(alice: Vault, cook: Assistant, mallory: Vault) -> None:
    caller = access.authenticate(cook.key, utc_now())
    assert caller and (caller.vault_id, caller.client) == (alice.id, cook.client)
    assert register(mallory, "Cook").caller.vault_id == mallory.id


@pytest.mark.parametrize(
    "text", ["", "mnk_", "mnk_" + "x" * 43, "Bearer x", "mnk_\0", "mnk_é", "mnk_" + "x" * 10_000], ids=range(7)
)
def test_anything_else_opens_nothing(alice: Vault, text: str) -> None:
    assert access.authenticate(text, utc_now()) is None


def test_a_changed_key_opens_nothing(alice: Vault, cook: Assistant) -> None:
    key = cook.key
    for wrong in (key[:-1], key + "x", key.swapcase(), key[:-1] + ("a" if key[-1] != "a" else "b"), f" {key}"):
        assert access.authenticate(wrong, utc_now()) is None


def test_an_ended_key_opens_nothing_at_the_very_next_request(alice: Vault, cook: Assistant) -> None:
    assert access.authenticate(cook.key, utc_now())
    (key,) = access.keys(alice.holder)
    assert access.revoke_key(alice.holder, key.key_id, utc_now())
    assert access.authenticate(cook.key, utc_now()) is None
    assert access.revoke_key(alice.holder, key.key_id, utc_now()), "again is harmless"
    assert len(alice.receipts(kind="key.revoked")) == 1


def test_an_ended_client_s_every_key_is_ended(alice: Vault, cook: Assistant) -> None:
    made = access.make_key(alice.holder, cook.client.client_id, utc_now())
    assert not isinstance(made, Refused)
    assert access.authenticate(made[1], utc_now())
    access.revoke(alice.holder, cook.client.client_id, utc_now())
    for key in (cook.key, made[1]):
        assert access.authenticate(key, utc_now()) is None
    assert access.make_key(alice.holder, cook.client.client_id, utc_now()) == Refused(Refusal.ALREADY_DECIDED)


def test_a_paused_client_gets_in_and_gets_nothing(alice: Vault, cook: Assistant) -> None:
    access.pause(alice.holder, cook.client.client_id, True)
    caller = access.authenticate(cook.key, utc_now())
    assert isinstance(caller, Caller) and caller.client.paused


def test_when_a_key_was_last_used_is_noted_by_the_minute(alice: Vault, cook: Assistant) -> None:
    now = utc_now()
    access.authenticate(cook.key, now)
    access.authenticate(cook.key, now + timedelta(seconds=30))
    (key,) = access.keys(alice.holder)
    assert key.last_used_at == now
    access.authenticate(cook.key, now + timedelta(minutes=2))
    (key,) = access.keys(alice.holder)
    assert key.last_used_at == now + timedelta(minutes=2)


def test_a_key_has_256_random_bits_and_none_is_like_another(alice: Vault) -> None:
    keys = {register(alice, f"Client {number}").key for number in range(5)}
    assert len(keys) == 5
    assert {len(key) for key in keys} == {47}


@pytest.mark.parametrize(
    "fields", [{"name": ""}, {"name": "a\nb"}, {"name": "x" * 121}, {"name": "x", "domain": "a\0"}]
)
def test_a_client_that_cannot_be_named_is_not_registered(alice: Vault, fields: dict[str, Any]) -> None:
    with pytest.raises(TextProblem):
        access.register(alice.holder, now=utc_now(), **fields)
    assert access.clients(alice.holder) == ()


def test_an_unknown_client_or_key_is_not_found(alice: Vault) -> None:
    nowhere = uuid4()
    for done in (
        access.revoke(alice.holder, nowhere, utc_now()),
        access.revoke_key(alice.holder, nowhere, utc_now()),
        access.make_key(alice.holder, nowhere, utc_now()),
        access.pause(alice.holder, nowhere, True),
    ):
        assert done == Refused(Refusal.NOT_FOUND)
