"""A guardian opens a vault for a child and acts there under their own name; a birthday takes what the table takes, at
the very next look and without any job; the clock only tells, once."""

from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from apps.holders import services as holders
from apps.holders import tasks
from apps.ledger import services as ledger
from apps.mail.models import LetterRow
from apps.memories import services as memories
from apps.policy.roles import Barred
from apps.policy.text import TextProblem
from apps.policy.tiers import Told
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Category, Level, Refusal, Role
from tests.holders.children import born, child_of, grow, themself
from tests.holders.people import acting, newcomer, space_of
from tests.threads import at_once
from vault.clock import utc_now


@pytest.fixture
def rosa(live: None) -> Holder:
    return newcomer("Rosa")


def test_who_opens_it_is_its_guardian_and_the_child_its_holder(rosa: Holder) -> None:
    seat = child_of(rosa)
    assert (seat.role, seat.level, seat.holder_name) == (Role.GUARDIAN, Level.DECIDE, "Leo")
    leo = themself(seat.vault_id)
    assert leo.role is Role.HOLDER and leo.user_id != rosa.user_id
    written = ledger.receipts(seat.vault_id, seat.actor)
    assert {(each.kind, each.actor, each.on_behalf_of) for each in written} == {
        ("vault.opened", f"gdn_{rosa.user_id.hex}", leo.actor),
        ("delegation.made", f"gdn_{rosa.user_id.hex}", leo.actor),
    }
    assert [each.name for each in holders.members(rosa.user_id, space_of(rosa))] == ["Rosa", "Leo"]


@pytest.mark.parametrize(
    ("field", "given"),
    [
        ("name", {"name": ""}),
        ("time_zone", {"time_zone": "Lisbon"}),
        ("born_on", {"born_on": (utc_now() + timedelta(days=2)).date()}),
        ("email", {"email": "leo at home"}),
    ],
)
def test_what_cannot_be_kept_is_said_and_opens_nothing(rosa: Holder, field: str, given: dict[str, object]) -> None:
    whole = {"name": "Leo", "born_on": born(9), "time_zone": "UTC", "email": ""}
    with pytest.raises(TextProblem) as problem:
        holders.bring_up(rosa.user_id, space_of(rosa), now=utc_now(), **{**whole, **given})  # type: ignore[arg-type]
    assert problem.value.field == field
    assert holders.seats(rosa.user_id) == (holders.holder(rosa.user_id),)


def test_only_an_admin_of_a_household_opens_one(rosa: Holder) -> None:
    other = newcomer("Otto")
    home = space_of(rosa)
    clinic = holders.found_space("clinic", "Casa M.", rosa.user_id)
    for user_id, space in ((other.user_id, home), (rosa.user_id, clinic)):
        asked = holders.bring_up(user_id, space, name="Leo", born_on=born(9), time_zone="UTC", now=utc_now())
        assert asked == Refused(Refusal.NOT_FOUND)


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Pacific/Niue", "Asia/Kolkata"])
def test_a_birthday_counts_at_the_next_look_where_the_child_lives(rosa: Holder, zone: str) -> None:
    leo = child_of(rosa, time_zone=zone)
    today = utc_now().astimezone(ZoneInfo(zone)).replace(tzinfo=None)

    def level(age: int, days: int) -> Level | None:
        grow(leo, born(age, on=today, days=days))
        found = holders.seat(rosa.user_id, leo.vault_id)
        return found.level if found else None

    assert [level(13, days) for days in (-1, 0)] == [Level.DECIDE, Level.VIEW]
    assert [level(18, days) for days in (-1, 0)] == [Level.VIEW, None]


def test_a_guardian_who_may_view_sees_what_ordinary_memories_are_about_and_no_more(rosa: Holder) -> None:
    seat = child_of(rosa, born_on=born(13))
    leo = themself(seat.vault_id)
    now = utc_now()
    bike = memories.add(leo, label="Bicycle", value="A red one", now=now)
    asthma = memories.add(leo, label="Asthma", value="An inhaler", category=Category.HEALTH, now=now)
    assert [each.label for each in memories.memories(seat)] == ["Bicycle"]
    assert memories.memory(seat, asthma.memory_id) is None
    for deed in (
        lambda: memories.show(seat, [bike.memory_id]),
        lambda: memories.correct(seat, bike.memory_id, value="Blue", now=now),
        lambda: memories.proposals(seat),
    ):
        with pytest.raises(Barred):
            deed()
    younger = child_of(rosa, "Ana", born_on=born(12))
    kept = memories.add(themself(younger.vault_id), label="Asthma", value="x", category=Category.HEALTH, now=now)
    found = memories.memory(younger, kept.memory_id)
    assert found is not None
    assert replace(found, made_at=None) == kept


# ---------------------------------------------------------------- told, and ended
def told(vault: Holder) -> list[tuple[str, str, str]]:
    found = ledger.receipts(vault.vault_id, vault.actor, limit=200)
    return [(each.kind, each.actor, each.reason) for each in reversed(found) if each.kind.startswith("tier.")]


@pytest.mark.parametrize(
    ("age", "days", "receipt"),
    [
        (13, -30, ("tier.announced", "sys_clock", "view")),
        (13, 0, ("tier.changed", "sys_clock", "view")),
        (18, -1, ("tier.announced", "sys_clock", "ended")),
        (18, 3, ("tier.changed", "sys_clock", "ended")),
    ],
)
def test_guardian_and_child_are_told_once_however_many_beats_there_are(
    rosa: Holder, age: int, days: int, receipt: tuple[str, str, str]
) -> None:
    leo = themself(child_of(rosa).vault_id)
    grow(leo, born(age, days=days))
    assert all(isinstance(each, int) for each in at_once([tasks.tell_of_birthdays] * 3))
    tasks.tell_of_birthdays()
    assert told(leo) == [receipt]
    letters = LetterRow.objects.filter(vault_id=leo.vault_id)
    assert {(each.to_id, each.letter, each.facts["about"]) for each in letters} == {
        (leo.user_id, "step", ""),
        (rosa.user_id, "step", "Leo"),
    }
    assert len(letters) == 2


def test_pages_tell_without_any_job(rosa: Holder) -> None:
    near = child_of(rosa, born_on=born(13, days=-30))
    child_of(rosa, "Ana", born_on=born(13, days=-31))
    (notice,) = holders.notices(rosa.user_id, utc_now())
    assert (notice.name, notice.own, notice.told) == ("Leo", False, Told.BEFORE)
    assert (notice.step.years, notice.step.after) == (13, Level.VIEW)
    (own,) = holders.notices(themself(near.vault_id).user_id, utc_now())
    assert (own.own, own.step) == (True, notice.step)


def test_who_is_grown_up_has_no_guardian_and_their_delegate_stays(rosa: Holder) -> None:
    leo = themself(child_of(rosa).vault_id)
    kim = acting(leo, newcomer("Kim"))
    grow(leo, born(18))
    assert holders.seats(rosa.user_id) == (holders.holder(rosa.user_id),), "no job has run"
    at_once([tasks.end_guardians] * 2)
    ended = [each for each in ledger.receipts(leo.vault_id, leo.actor) if each.kind == "delegation.ended"]
    assert [(each.actor, each.on_behalf_of) for each in ended] == [("sys_clock", "-")]
    assert [each.user_id for each in holders.delegations(leo)] == [kim.user_id]
    (notice,) = holders.notices(rosa.user_id, utc_now())
    assert (notice.step.years, notice.told) == (18, Told.ON)


def test_a_table_that_says_nothing_rests_a_leave_and_ends_none(rosa: Holder) -> None:
    from apps.holders.models import SpacePolicyRow

    seat = child_of(rosa)
    SpacePolicyRow.objects.filter(space_id=space_of(rosa)).update(tiers=[])
    assert holders.seat(rosa.user_id, seat.vault_id) is None
    tasks.end_guardians()
    SpacePolicyRow.objects.filter(space_id=space_of(rosa)).update(tiers=[[0, "view"], [16, None]])
    found = holders.seat(rosa.user_id, seat.vault_id)
    assert found is not None and found.level is Level.VIEW, "the table is the space's own"


def test_the_minor_stops_a_guardian_who_cannot_undo_it(rosa: Holder) -> None:
    seat = child_of(rosa)
    leo = themself(seat.vault_id)
    (leave,) = holders.delegations(leo)
    grow(seat, born(13))
    assert not isinstance(holders.end_delegation(leo, leave.delegation_id, utc_now()), Refused)
    assert holders.seat(rosa.user_id, seat.vault_id) is None, "at the next request"
    with pytest.raises(Barred):
        holders.renew_delegation(seat, leave.delegation_id, utc_now())
    with pytest.raises(Barred):
        holders.invite_to_vault(seat, _address(rosa), Role.GUARDIAN, Level.DECIDE, utc_now())


def _address(person: Holder) -> str:
    from django.contrib.auth import get_user_model

    return str(get_user_model().objects.get(pk=person.user_id).email)
