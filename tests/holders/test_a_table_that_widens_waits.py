"""Who looks after a household gives no guardian more power over a child at once and unseen: the new ages hold in thirty
days, and the child and the other guardians are told now and on the day, by letter and in the child's own ledger."""

from datetime import datetime, timedelta

import pytest

from apps.holders import services as holders
from apps.holders import tasks
from apps.holders.models import SpacePolicyRow
from apps.holders.store import set_password
from apps.ledger import services as ledger
from apps.mail.models import LetterRow
from apps.memories import services as memories
from apps.policy.roles import Barred
from apps.policy.tiers import NOTICE, tiers_until
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Category, Level, Role
from tests.holders.children import born, child_of, grow, themself
from tests.holders.people import acting, newcomer, settle, space_of
from tests.threads import at_once
from vault.clock import utc_now

MORE = tiers_until(21, 21)


@pytest.fixture
def rosa(live: None) -> Holder:
    return newcomer("Rosa")


@pytest.fixture
def teen(rosa: Holder) -> Holder:
    """Seventeen; Rosa may look."""
    return themself(child_of(rosa, born_on=born(17, days=100)).vault_id)


def told(vault: Holder) -> list[tuple[str, str, str]]:
    found = ledger.receipts(vault.vault_id, vault.actor, limit=200)
    return [(each.kind, each.actor, each.reason) for each in reversed(found) if each.kind.startswith("tier.")]


def letters(vault: Holder) -> set[tuple[object, object, object]]:
    found = LetterRow.objects.filter(vault_id=vault.vault_id, letter="table")
    return {(each.to_id, each.facts["about"], each.facts["told"]) for each in found}


def pass_days(space: Holder, days: int) -> datetime:
    """What thirty days do to a table that waits, at once."""
    row = SpacePolicyRow.objects.get(space_id=space_of(space))
    assert row.tiers_from is not None
    SpacePolicyRow.objects.filter(space_id=row.space_id).update(tiers_from=row.tiers_from - timedelta(days=days))
    return row.tiers_from


def test_more_power_over_a_teen_is_not_there_at_once_and_leaves_its_marks(rosa: Holder, teen: Holder) -> None:
    kept = memories.add(teen, label="Pills", value="Every day", category=Category.HEALTH, now=utc_now())
    kim = acting(teen, newcomer("Kim"), Role.GUARDIAN)
    before = utc_now()
    new = settle(rosa, tiers=MORE)
    seat = holders.seat(rosa.user_id, teen.vault_id)
    assert seat is not None and seat.level is Level.VIEW
    with pytest.raises(Barred):
        memories.show(seat, [kept.memory_id])
    assert new.tiers_from is not None and new.tiers_from >= before + NOTICE
    assert told(teen) == [("tier.announced", "sys_clock", "decide")]
    assert letters(teen) == {
        (teen.user_id, "", "before"),
        (rosa.user_id, "Leo", "before"),
        (kim.user_id, "Leo", "before"),
    }
    settle(rosa, tiers=tiers_until(13, 18))
    assert [each.kind for each in ledger.receipts(space_of(rosa), "sys_clock")].count("space.settled") == 2
    assert told(teen) == [("tier.announced", "sys_clock", "decide")], "taken back: what was announced stays written"


def test_on_the_day_it_holds_and_is_told_once_however_many_beats_there_are(rosa: Holder, teen: Holder) -> None:
    settle(rosa, tiers=MORE)
    at_once([tasks.tell_of_birthdays] * 2)
    assert len(told(teen)) == 1, "told by the press already"
    pass_days(rosa, 30)
    seat = holders.seat(rosa.user_id, teen.vault_id)
    assert seat is not None and seat.level is Level.DECIDE, "no job has run"
    at_once([tasks.tell_of_birthdays] * 3)
    assert told(teen)[1:] == [("tier.changed", "sys_clock", "decide")]
    assert {(teen.user_id, "", "on"), (rosa.user_id, "Leo", "on")} <= letters(teen)


def test_a_crash_before_the_children_were_told_is_made_up_for(rosa: Holder, teen: Holder) -> None:
    settle(rosa, tiers=MORE)
    since = SpacePolicyRow.objects.get(space_id=space_of(rosa)).tiers_from
    SpacePolicyRow.objects.filter(space_id=space_of(rosa)).update(tiers_from=since + timedelta(seconds=1))
    tasks.tell_of_birthdays()
    assert [each[0] for each in told(teen)] == ["tier.announced"] * 2, "another moment was told of by nobody"


def test_less_power_holds_at_the_next_request_and_is_announced_to_nobody(rosa: Holder) -> None:
    leo = child_of(rosa)
    settle(rosa, tiers=tiers_until(5, 18))
    seat = holders.seat(rosa.user_id, leo.vault_id)
    assert seat is not None and seat.level is Level.VIEW
    assert told(themself(leo.vault_id)) == []


def test_whom_nothing_changes_for_is_told_nothing(rosa: Holder, teen: Holder) -> None:
    leo = themself(child_of(rosa, "Ana").vault_id)
    settle(rosa, tiers=tiers_until(16, 18))
    assert told(leo) == [("tier.announced", "sys_clock", "decide")]
    assert told(teen) == [] and letters(teen) == set()


def test_what_a_birthday_ended_no_table_brings_back_whether_the_clock_wrote_it_or_not(rosa: Holder) -> None:
    leo = themself(child_of(rosa).vault_id)
    grow(leo, born(18))
    settle(rosa, tiers=MORE)
    kinds = [each.kind for each in ledger.receipts(leo.vault_id, leo.actor)]
    assert kinds.count("delegation.ended") == 1, "written before the table was"
    assert holders.seat(rosa.user_id, leo.vault_id) is None


def test_who_grows_up_while_a_table_waits_has_no_guardian_afterwards(rosa: Holder, teen: Holder) -> None:
    settle(rosa, tiers=MORE)
    pass_days(rosa, 40)
    grow(teen, born(18, days=20))  # by the table that held ten days ago
    assert holders.seat(rosa.user_id, teen.vault_id) is None, "no job has run"
    tasks.end_guardians()
    assert [each.kind for each in ledger.receipts(teen.vault_id, teen.actor)].count("delegation.ended") == 1


def test_a_vault_that_moves_out_takes_its_table_along(rosa: Holder, teen: Holder) -> None:
    settle(rosa, tiers=tiers_until(5, 18))
    young = themself(child_of(rosa, "Ana", born_on=born(9)).vault_id)
    set_password(young.user_id, "a long enough one")
    done = holders.end_place(rosa.user_id, space_of(rosa), young.user_id, utc_now())
    assert not isinstance(done, Refused)
    seat = holders.seat(rosa.user_id, young.vault_id)
    assert seat is None or seat.level is Level.VIEW
    assert holders.policy(young.vault_id).tiers == tiers_until(5, 18)


def test_everybody_in_a_space_may_see_its_table_and_what_is_to_come(rosa: Holder, teen: Holder) -> None:
    new = settle(rosa, tiers=MORE)
    (place,) = holders.places(teen.user_id, utc_now())
    assert (place.ages.held, place.ages.then, place.ages.since) == (tiers_until(13, 18), MORE, new.tiers_from)
