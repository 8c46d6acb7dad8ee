"""What a space may settle: the whole policy, checked by the name of each field."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest

from apps.policy.people import Membership, SpacePolicy, Tier
from apps.policy.roles import TIERS, policy_for
from apps.policy.settling import leads, settled
from apps.policy.text import TextProblem
from apps.policy.tiers import tiers_until, until
from apps.policy.types import Refused
from apps.policy.vocabulary import Category, Level, Refusal, Role

SPACE = UUID(int=7)
NOON = datetime(2026, 5, 9, 12, tzinfo=UTC)
HOME, CLINIC = policy_for("household"), policy_for("clinic")


def member(number: int, *roles: Role, kind: str = "clinic") -> Membership:
    return Membership(
        SPACE, "Casa M.", kind, UUID(int=number), "", "", frozenset(roles), datetime(2026, 1, 1, tzinfo=UTC)
    )


STAFF = (member(1, Role.ADMIN), member(2, Role.REVIEWER, Role.HOLDER), member(3, Role.HOLDER))
FAMILY = (member(1, Role.ADMIN, Role.HOLDER, kind="household"),)


def of(now: SpacePolicy, members: tuple[Membership, ...] = STAFF, **change: object) -> SpacePolicy | Refused:
    return settled(replace(now, **change), now, members, NOON)  # type: ignore[arg-type]


def test_what_is_settled_is_one_version_on_and_what_changes_nothing_is_the_same() -> None:
    new = of(CLINIC, lapse_days=30)
    assert new == replace(CLINIC, lapse_days=30, version=2)
    assert of(CLINIC) is CLINIC
    assert of(replace(CLINIC, notice="Words"), notice="  Words \n\n") == replace(CLINIC, notice="Words")


def test_another_version_than_it_was_made_from_is_stale_whatever_else_is_wrong() -> None:
    assert settled(replace(CLINIC, version=2, lapse_days=0), CLINIC, STAFF, NOON) == Refused(Refusal.STALE)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("most_ttl_seconds", 59),
        ("most_ttl_seconds", 366 * 86_400 + 1),
        ("most_reads", 0),
        ("most_reads", 100_001),
        ("share_hours_most", -1),
        ("share_hours_most", 721),
        ("share_opens_most", 0),
        ("share_opens_most", 51),
        ("lapse_days", 6),
        ("lapse_days", 366),
        ("cool_down_hours", 0),
        ("cool_down_hours", 721),
        ("notice", "x" * 1001),
        ("notice", "turned\u202e round"),
        ("notice", "NUL\x00"),
        ("notice", "Windows\r\n"),
        ("privacy_lead", UUID(int=3)),  # who only holds a vault there
        ("privacy_lead", UUID(int=9)),
        ("tiers", ()),
        ("tiers", (Tier(1, None),)),
        ("tiers", (Tier(0, Level.DECIDE),)),
        ("tiers", (Tier(0, Level.DECIDE), Tier(22, None))),
        ("tiers", (Tier(0, Level.DECIDE), Tier(18, Level.VIEW), Tier(13, None))),
        ("tiers", (Tier(0, Level.VIEW), Tier(13, Level.DECIDE), Tier(18, None))),
        ("tiers", (Tier(0, Level.DECIDE), Tier(13, Level.DECIDE), Tier(18, None))),
        ("tiers", (Tier(0, None), Tier(13, Level.VIEW), Tier(18, None))),
    ],
)
def test_what_may_not_be_settled_is_said_of_its_field(field: str, value: object) -> None:
    with pytest.raises(TextProblem) as problem:
        of(CLINIC, **{field: value})
    assert problem.value.field == field
    assert problem.value.detail.endswith(".")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("most_ttl_seconds", None),
        ("most_ttl_seconds", 60),
        ("most_reads", None),
        ("most_reads", 1),
        ("share_hours_most", 0),
        ("share_hours_most", 719),
        ("share_opens_most", 1),
        ("share_opens_most", 49),
        ("lapse_days", 7),
        ("lapse_days", 365),
        ("cool_down_hours", 1),
        ("cool_down_hours", 720),
        ("notice", "A paragraph.\nAnother, with ünïcode and a family: 👨‍👩‍👧."),
        ("privacy_lead", UUID(int=2)),
        ("review_categories", frozenset({Category.ORDINARY})),
        ("tiers", (Tier(0, None),)),
        ("tiers", (Tier(0, Level.DECIDE), Tier(21, None))),
    ],
)
def test_what_may_be_settled_is_kept_as_it_is(field: str, value: object) -> None:
    now = replace(CLINIC, most_ttl_seconds=99, most_reads=9)
    done = of(now, **{field: value})
    assert not isinstance(done, Refused)
    assert (getattr(done, field), done.version) == (value, 2)


@pytest.mark.parametrize(
    ("field", "value"),
    [("review_categories", frozenset({Category.HEALTH})), ("break_glass", True), ("privacy_lead", UUID(int=1))],
)
def test_reviewers_and_emergencies_are_a_clinic_s(field: str, value: object) -> None:
    with pytest.raises(TextProblem) as problem:
        of(HOME, FAMILY, **{field: value})
    assert problem.value.field == field


def test_emergencies_need_a_lead_who_does_something_there() -> None:
    with pytest.raises(TextProblem) as problem:
        of(CLINIC, break_glass=True)
    assert problem.value.field == "privacy_lead"
    assert not isinstance(of(CLINIC, break_glass=True, privacy_lead=UUID(int=2)), Refused)
    assert [each.user_id.int for each in leads(STAFF)] == [1, 2]


@pytest.mark.parametrize(
    ("decides", "looks", "table"),
    [
        (13, 18, TIERS),
        (0, 0, (Tier(0, None),)),
        (0, 16, (Tier(0, Level.VIEW), Tier(16, None))),
        (16, 16, (Tier(0, Level.DECIDE), Tier(16, None))),
    ],
)
def test_two_ages_are_a_table_and_back(decides: int, looks: int, table: tuple[Tier, ...]) -> None:
    assert tiers_until(decides, looks) == table
    assert (until(table, Level.DECIDE), until(table, Level.VIEW)) == (decides, looks)
    assert not isinstance(of(CLINIC, tiers=table), Refused)


def test_who_decides_longer_than_they_look_looks_as_long() -> None:
    assert until(tiers_until(16, 13), Level.VIEW) == 16
