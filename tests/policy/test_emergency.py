"""Emergencies: who may come in and when, what a note says, how long it lasts, and who looks at it afterwards."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from apps.policy.emergency import (
    LASTS,
    Emergency,
    check_note,
    fresh,
    judge_entry,
    judge_finding,
    opens,
    reviewers,
)
from apps.policy.people import Membership
from apps.policy.roles import offered_in, policy_for
from apps.policy.text import TextProblem
from apps.policy.types import Refused
from apps.policy.vocabulary import EmergencyEnd, EmergencyFinding, EmergencyReason, Refusal, Role

NOW = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)  # half an hour before clocks go back in Lisbon
NORA, PAULA, OLGA, SPACE = (UUID(int=each) for each in range(1, 5))
ALLOWED = replace(policy_for("clinic"), break_glass=True, privacy_lead=PAULA)


def place(user_id: UUID, *roles: Role, kind: str = "clinic") -> Membership:
    return Membership(SPACE, "Casa M.", kind, user_id, "", "", frozenset(roles), NOW)


def hour(**changes: object) -> Emergency:
    found = Emergency(
        emergency_id=UUID(int=9),
        vault_id=UUID(int=8),
        space_id=SPACE,
        space_name="Casa M.",
        user_id=NORA,
        name="Nora",
        holder_name="Leo",
        reason=EmergencyReason.URGENT_CARE,
        note="It was urgent.",
        entered_at=NOW,
        ends_at=NOW + LASTS,
        due_at=NOW + timedelta(hours=72),
    )
    return replace(found, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(("kind", "on", "role"), list(product(["clinic", "household"], [True, False], Role)))
def test_only_in_a_clinic_that_switched_it_on_and_only_in_that_role(kind: str, on: bool, role: Role) -> None:
    settled = replace(policy_for(kind), break_glass=on)
    may = kind == "clinic" and on and role is Role.EMERGENCY
    assert opens(place(NORA, role, kind=kind), settled) is may
    assert not policy_for(kind).break_glass


def test_a_household_offers_no_such_role() -> None:
    assert Role.EMERGENCY in offered_in("clinic")
    assert offered_in("household") == offered_in("clinic") - {Role.EMERGENCY}


@pytest.mark.parametrize(
    ("ago", "holds"),
    [(None, False), (0, True), (299, True), (300, False), (301, False), (-1, False)],
)
def test_who_one_is_holds_for_five_minutes(ago: int | None, holds: bool) -> None:
    assert fresh(None if ago is None else NOW - timedelta(seconds=ago), NOW) is holds


def test_one_file_at_a_time_of_somebody_else_after_showing_who_one_is() -> None:
    free = {"own": False, "acts_there": False, "opened": False, "proved_at": NOW, "now": NOW}
    assert judge_entry(**free) is None  # type: ignore[arg-type]
    for change, reason in (
        ({"proved_at": None}, Refusal.STALE),
        ({"own": True}, Refusal.NOT_YOURS),
        ({"acts_there": True}, Refusal.NOT_YOURS),
        ({"opened": True}, Refusal.ALREADY_DECIDED),
    ):
        assert judge_entry(**{**free, **change}) == Refused(reason)  # type: ignore[arg-type]


@pytest.mark.parametrize("note", ["It was urgent.", "ten letters", "心臓が止まって倒れていました", "a" * 280])
def test_a_note_of_ten_letters_is_one(note: str) -> None:
    assert check_note(note) == note


@pytest.mark.parametrize("note", ["", " " * 20, "a b c d e f", "\u200b" * 20, "nine.lett", "a" * 281, "one\nand two"])
def test_what_says_nothing_or_too_much_is_none(note: str) -> None:
    with pytest.raises(TextProblem) as problem:
        check_note(note)
    assert problem.value.field == "note"


def test_an_hour_is_an_hour_whatever_clocks_on_walls_do() -> None:
    lisbon, kiritimati = ZoneInfo("Europe/Lisbon"), ZoneInfo("Pacific/Kiritimati")
    for zone in (UTC, lisbon, kiritimati):
        at = lambda minutes: (NOW + timedelta(minutes=minutes)).astimezone(zone)  # noqa: B023, E731
        assert [hour().minutes_left(at(each)) for each in (0, 1, 59.5, 60, 61)] == [60, 59, 1, 0, 0]
        assert [hour().ended(at(each)) for each in (0, 59, 60)] == [None, None, EmergencyEnd.TIME_OVER]


def test_it_ends_by_its_hour_or_by_the_clinic_or_as_was_written_down() -> None:
    assert hour(allowed=False).ended(NOW) is EmergencyEnd.TAKEN_AWAY
    assert hour(allowed=False).ended(NOW + LASTS) is EmergencyEnd.TIME_OVER
    left = hour(left_at=NOW, how=EmergencyEnd.LEFT, allowed=False)
    assert left.ended(NOW + LASTS) is EmergencyEnd.LEFT


def test_the_privacy_lead_looks_and_never_who_did_it() -> None:
    lead, admin, other = place(PAULA, Role.REVIEWER), place(OLGA, Role.ADMIN), place(NORA, Role.EMERGENCY)
    everybody = [lead, admin, other]
    assert reviewers(ALLOWED, everybody, NORA) == {PAULA}
    assert reviewers(ALLOWED, everybody, PAULA) == {OLGA}
    assert reviewers(ALLOWED, [admin, other], NORA) == {OLGA}, "a lead who left looks at nothing"
    assert reviewers(replace(ALLOWED, privacy_lead=None), everybody, NORA) == {OLGA}
    assert reviewers(replace(ALLOWED, privacy_lead=OLGA), everybody, OLGA) == frozenset()
    two = [*everybody, place(UUID(int=7), Role.ADMIN)]
    assert reviewers(replace(ALLOWED, privacy_lead=OLGA), two, OLGA) == {UUID(int=7)}


def test_what_is_made_of_it_is_said_once_and_after_it_is_over() -> None:
    over = hour(left_at=NOW, how=EmergencyEnd.LEFT)
    assert judge_finding(None) == Refused(Refusal.NOT_FOUND)
    assert judge_finding(hour()) == Refused(Refusal.NOT_FOUND)
    assert judge_finding(over) is None
    assert judge_finding(replace(over, finding=EmergencyFinding.JUSTIFIED)) == Refused(Refusal.ALREADY_DECIDED)


def test_it_is_late_after_three_days_and_not_once_somebody_looked() -> None:
    after = NOW + timedelta(hours=72)
    assert [hour().late(each) for each in (after - timedelta(seconds=1), after)] == [False, True]
    assert not hour(reviewed_at=after).late(after + LASTS)
