"""What a minor stopped themself, a guardian doesn't let go on: neither by resuming nor by giving it anew."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from apps.access import services as access
from apps.policy.types import Asked, Grant, Holder, Refused
from apps.policy.vocabulary import Category, Refusal, Role
from tests.cast import PURPOSE, Assistant, Vault
from tests.holders.people import acting, newcomer
from vault.clock import utc_now

NO = Refused(Refusal.NOT_YOURS)


@pytest.fixture
def rosa(alice: Vault) -> Holder:
    """A guardian at Alice's vault."""
    return acting(alice.holder, newcomer("Rosa"), Role.GUARDIAN)


def give(by: Holder, cook: Assistant, *names: str) -> Refused | None:
    """Cook asks, and this seat says yes; None where that was taken."""
    ids = [cook.vault.ids[name] for name in names]
    wish = access.ask(cook.caller, [Asked(each) for each in ids], purpose=PURPOSE, now=utc_now())
    assert not isinstance(wish, Refused)
    decision = access.Decision(frozenset(ids), utc_now() + timedelta(hours=1), None)
    done = access.decide(by, wish.request_id, {Category.ORDINARY: decision}, utc_now())
    return done if isinstance(done, Refused) else None


def grant_over(by: Holder, memory: UUID) -> Grant:
    return next(each for each in access.grants(by) if memory in each.memory_ids)


def test_a_guardian_does_not_resume_what_the_minor_paused(alice: Vault, cook: Assistant, rosa: Holder) -> None:
    client = cook.client.client_id
    assert not isinstance(access.pause(rosa, client, True), Refused)
    assert not isinstance(access.pause(rosa, client, False), Refused), "their own pause they take back"
    access.pause(alice.holder, client, True)
    before = len(alice.receipts())
    assert access.pause(rosa, client, False) == NO
    assert len(alice.receipts()) == before
    assert not isinstance(access.pause(alice.holder, client, False), Refused)


def test_a_guardian_does_not_give_again_what_the_minor_stopped(alice: Vault, cook: Assistant, rosa: Holder) -> None:
    assert give(rosa, cook, "kitchen", "time") is None
    access.revoke_grant(alice.holder, grant_over(rosa, alice.ids["kitchen"]).grant_id, utc_now())
    before = len(access.grants(alice.holder))
    assert give(rosa, cook, "kitchen") == NO
    assert len(access.grants(alice.holder)) == before
    assert give(rosa, cook, "dislikes") is None, "what was not stopped is the guardian's to give"


def test_however_much_else_was_given_since(alice: Vault, cook: Assistant, rosa: Holder, admin: Any) -> None:
    assert give(rosa, cook, "kitchen") is None
    stopped = grant_over(rosa, alice.ids["kitchen"]).grant_id
    access.revoke_grant(alice.holder, stopped, utc_now())
    admin.execute(
        "INSERT INTO access_grant SELECT (jsonb_populate_record(g, jsonb_build_object('grant_id', gen_random_uuid(),"
        " 'memory_ids', jsonb_build_array(%s::text), 'made_at', now()))).*"
        " FROM access_grant g, generate_series(1, 600) WHERE g.vault_id = %s AND g.grant_id = %s",
        [alice.ids["time"].hex, alice.id, stopped],
    )
    assert give(rosa, cook, "kitchen") == NO


def test_what_the_minor_gave_again_is_a_guardian_s_to_give_too(alice: Vault, cook: Assistant, rosa: Holder) -> None:
    assert give(rosa, cook, "kitchen") is None
    access.revoke_grant(alice.holder, grant_over(rosa, alice.ids["kitchen"]).grant_id, utc_now())
    assert give(alice.holder, cook, "kitchen") is None
    access.revoke_grant(rosa, grant_over(rosa, alice.ids["kitchen"]).grant_id, utc_now())
    assert give(rosa, cook, "kitchen") is None, "their own stop they take back"
