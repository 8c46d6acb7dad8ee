"""While guardians decide by the table of ages, a child with a log-in neither ends a guardian's leave nor leaves.

Whoever looks after the household can end it. Later the child may, and the guardian gets a letter."""

import pytest

from apps.holders import services as holders
from apps.holders.store import set_password
from apps.ledger import services as ledger
from apps.mail.models import LetterRow
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Refusal, Role
from tests.holders.children import born, child_of, grow, themself
from tests.holders.people import acting, leave_of, newcomer, space_of
from vault.clock import utc_now


@pytest.fixture
def rosa(live: None) -> Holder:
    return newcomer("Rosa")


@pytest.fixture
def leo(rosa: Holder) -> Holder:
    """Seven, with a log-in."""
    child = themself(child_of(rosa, born_on=born(7, days=9)).vault_id)
    set_password(child.user_id, "a bicycle, red")
    return child


def told(person: Holder) -> list[tuple[object, object]]:
    found = LetterRow.objects.filter(to_id=person.user_id, letter="leave-stopped")
    return [(each.facts["about"], each.facts["own"]) for each in found]


def test_a_child_of_seven_ends_nothing_and_stays(rosa: Holder, leo: Holder) -> None:
    leave = leave_of(leo, rosa)
    assert holders.end_delegation(leo, leave.delegation_id, utc_now()) == Refused(Refusal.TOO_YOUNG)
    assert holders.leave(leo.user_id, space_of(rosa), utc_now()) == Refused(Refusal.TOO_YOUNG)
    assert holders.seat(rosa.user_id, leo.vault_id) is not None
    assert holders.policy(leo.vault_id) == holders.space_policy(space_of(rosa))
    assert told(rosa) == []


def test_from_thirteen_on_the_child_does_and_the_guardian_gets_a_letter(rosa: Holder, leo: Holder) -> None:
    grow(leo, born(13))
    assert not isinstance(holders.end_delegation(leo, leave_of(leo, rosa).delegation_id, utc_now()), Refused)
    assert holders.seat(rosa.user_id, leo.vault_id) is None
    assert told(rosa) == [("Leo", True)]
    assert not isinstance(holders.leave(leo.user_id, space_of(rosa), utc_now()), Refused)


def test_a_delegate_s_leave_and_a_guardian_s_own_are_ended_at_any_age(rosa: Holder, leo: Holder) -> None:
    kim = acting(leo, newcomer("Kim"))
    assert not isinstance(holders.end_delegation(leo, leave_of(leo, kim).delegation_id, utc_now()), Refused)
    seat = holders.seat(rosa.user_id, leo.vault_id)
    assert seat is not None
    assert not isinstance(holders.end_delegation(seat, leave_of(leo, rosa).delegation_id, utc_now()), Refused)
    assert told(rosa) == [], "who ends their own knows it"


def test_whoever_looks_after_the_household_ends_a_guardian_s_leave_for_a_young_child(rosa: Holder, leo: Holder) -> None:
    kim = acting(leo, newcomer("Kim"), Role.GUARDIAN)
    leave, home = leave_of(leo, kim), space_of(rosa)
    assert {each.leave.user_id for each in holders.guarding(rosa.user_id, home, utc_now())} == {
        rosa.user_id,
        kim.user_id,
    }
    assert holders.guarding(kim.user_id, home, utc_now()) == ()
    no = Refused(Refusal.NOT_FOUND)
    assert holders.end_guarding(kim.user_id, home, leave.delegation_id, utc_now()) == no
    assert holders.end_guarding(kim.user_id, space_of(newcomer("Otto")), leave.delegation_id, utc_now()) == no
    assert not isinstance(holders.end_guarding(rosa.user_id, home, leave.delegation_id, utc_now()), Refused)
    assert holders.seat(kim.user_id, leo.vault_id) is None
    assert told(kim) == [("Leo", False)]
    by = {each.actor for each in ledger.receipts(leo.vault_id, leo.actor) if each.kind == "delegation.ended"}
    assert by == {f"adm_{rosa.user_id.hex}"}
    grow(leo, born(13))
    assert holders.guarding(rosa.user_id, home, utc_now()) == (), "from then on it is the child's to say"
