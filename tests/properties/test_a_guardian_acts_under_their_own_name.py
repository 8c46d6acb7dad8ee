"""Whoever acts for a holder acts under their own name: each receipt says who, in which role, and for whom.

Protects the holder from deeds that look like their own, and whoever acts from a page taken for another's.
"""

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

import pytest

from apps.access import services as access
from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.ledger.log import act
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.roles import Barred
from apps.policy.types import Asked, Holder, Refused
from apps.policy.vocabulary import Category, Level, ReceiptKind, Role
from tests.cast import PURPOSE, Assistant, Vault
from tests.holders.people import acting, newcomer
from tests.properties.conftest import INSIDE, REST, WEB, Surface
from vault.clock import utc_now

PREFIX = {Role.GUARDIAN: "gdn_", Role.DELEGATE: "dlg_"}


@pytest.fixture
def rosa(live: None) -> Holder:
    return newcomer("Rosa")


def deeds(seat: Holder, by: Assistant) -> list[Callable[[], object]]:
    """One of each kind of deed that a guardian and a delegate may do at a vault."""
    vault, now = by.vault, utc_now()

    def asked() -> UUID:
        wish = access.ask(by.caller, [Asked(vault.ids["time"])], purpose=PURPOSE, now=now)
        assert not isinstance(wish, Refused)
        return wish.request_id

    decision = access.Decision(frozenset({vault.ids["time"]}), now + timedelta(hours=1), None)
    return [
        lambda: memories.add(seat, label="Note", value="words", now=now),
        lambda: memories.correct(seat, vault.ids["kitchen"], value="other words", now=now),
        lambda: memories.show(seat, [vault.ids["kitchen"]]),
        lambda: memories.put_away(seat, vault.ids["dislikes"], now),
        lambda: access.decide(seat, asked(), {Category.ORDINARY: decision}, now),
        lambda: access.pause(seat, by.client.client_id, True),
        lambda: access.revoke(seat, by.client.client_id, now),
    ]


@pytest.mark.parametrize("role", [Role.GUARDIAN, Role.DELEGATE])
def test_every_receipt_says_who_acted_in_which_role_and_for_whom(
    alice: Vault, cook: Assistant, rosa: Holder, role: Role
) -> None:
    seat = acting(alice.holder, rosa, role)
    for deed in deeds(seat, cook):
        before = ledger.last_seq(alice.id, alice.holder.actor)
        assert not isinstance(deed(), Refused)
        written = [each for each in alice.receipts(after=before) if not each.actor.startswith("cli_")]
        assert written
        for each in written:
            assert (each.actor, each.on_behalf_of) == (f"{PREFIX[role]}{rosa.user_id.hex}", alice.holder.actor)
            assert not each.recipient.startswith("hld_")
    assert ledger.verify(alice.id, alice.holder.actor)


def test_the_holder_s_own_deeds_are_for_nobody_else(alice: Vault, cook: Assistant, rosa: Holder) -> None:
    acting(alice.holder, rosa)
    before = ledger.last_seq(alice.id, alice.holder.actor)
    for deed in deeds(alice.holder, cook):
        deed()
    own = [each for each in alice.receipts(after=before) if not each.actor.startswith("cli_")]
    assert {(each.actor, each.on_behalf_of) for each in own} == {(alice.holder.actor, "-")}


def test_no_act_can_leave_out_for_whom_it_is_done(alice: Vault, rosa: Holder) -> None:
    """The database fills it in, whatever is sent."""
    seat = acting(alice.holder, rosa)
    for said in ({}, {"on_behalf_of": "-"}, {"on_behalf_of": rosa.actor}):
        with act(alice.id, seat.actor) as doing:
            doing.record(ReceiptKind.MEMORY_ADDED, object=typed("vlt", alice.id), **said)
    assert {each.on_behalf_of for each in alice.receipts()[-3:]} == {alice.holder.actor}


@pytest.mark.parametrize("road", [INSIDE, REST, WEB], ids=lambda road: road.name)
def test_who_acts_for_somebody_is_still_themself_elsewhere(alice: Vault, rosa: Holder, road: Surface) -> None:
    """Without saying otherwise, on every road, a person is at their own vault."""
    acting(alice.holder, rosa, Role.GUARDIAN)
    assert road.holder(rosa).add("Mine", "words")
    assert [each.label for each in memories.memories(rosa)] == ["Mine"]
    assert "Mine" not in {each.label for each in memories.memories(alice.holder)}


def test_a_level_is_held_and_a_stranger_has_none(alice: Vault, mallory: Vault, cook: Assistant, rosa: Holder) -> None:
    seat = acting(alice.holder, rosa, Role.GUARDIAN, Level.VIEW)
    before = ledger.last_seq(alice.id, alice.holder.actor)
    for deed in deeds(seat, cook)[:4]:
        with pytest.raises(Barred):
            deed()
    assert ledger.last_seq(alice.id, alice.holder.actor) == before
    assert holders.seat(mallory.holder.user_id, alice.id) is None
