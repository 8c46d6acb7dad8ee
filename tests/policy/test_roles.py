"""Who may do what: the table, written out a second time, and the rules of leaving, inviting and ending."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product
from uuid import UUID

import pytest

from apps.policy.people import Delegation, Invitation, Membership
from apps.policy.roles import (
    Barred,
    Deed,
    delegated_until,
    judge_ending,
    judge_invitation,
    judge_leaving,
    may,
    needs,
    opens_attested,
    policy_for,
    sees,
)
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Category, Level, Refusal, Role, State
from tests.policy.facts import memory

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
ME, VAULT, SPACE = UUID(int=1), UUID(int=2), UUID(int=3)

# Each deed that a role may do at a level, by its name; who is not here may do nothing.
WHO = {
    (Role.HOLDER, Level.DECIDE): "LOOK SHOW KEEP SEAL FOLLOW DECIDE STOP CONNECT ASK SHARE ERASE END TAKE INVITE SELF",
    (Role.GUARDIAN, Level.DECIDE): "LOOK SHOW KEEP FOLLOW DECIDE STOP CONNECT ASK SHARE ERASE SELF",
    (Role.GUARDIAN, Level.VIEW): "LOOK SELF",
    (Role.DELEGATE, Level.DECIDE): "LOOK SHOW KEEP FOLLOW DECIDE STOP SHARE SELF",
    (Role.DELEGATE, Level.VIEW): "LOOK SELF",
    (Role.EMERGENCY, Level.VIEW): "LOOK SHOW SELF",
}


def seat(role: Role = Role.HOLDER, level: Level = Level.DECIDE) -> Holder:
    return Holder(VAULT, ME, "Rosa", "UTC", role=role, level=level)


@pytest.mark.parametrize(("role", "level", "deed"), list(product(Role, Level, Deed)))
def test_the_table_says_who_may_and_everybody_else_may_not(role: Role, level: Level, deed: Deed) -> None:
    allowed = deed.name in WHO.get((role, level), "").split()
    assert (may(seat(role, level), deed) is None) is allowed
    assert may(seat(role, level), deed) in (None, Refused(Refusal.NOT_YOURS))


@pytest.mark.parametrize(("role", "level"), list(product(Role, Level)))
def test_a_service_that_needs_a_deed_does_nothing_without_it(role: Role, level: Level) -> None:
    done = []
    keep = needs(Deed.KEEP)(lambda by: done.append(by))
    if may(seat(role, level), Deed.KEEP) is None:
        keep(seat(role, level))
    else:
        with pytest.raises(Barred) as barred:
            keep(seat(role, level))
        assert barred.value.refused == Refused(Refusal.NOT_YOURS)
    assert bool(done) is ("KEEP" in WHO.get((role, level), "").split())


def test_who_may_only_view_sees_ordinary_memories_but_in_an_emergency_all_and_the_holder_alone_opens_attested() -> None:
    for role, level, category in product(Role, Level, Category):
        kept = memory(category=category)
        assert sees(seat(role, level), kept) is (
            level is Level.DECIDE or role is Role.EMERGENCY or category is Category.ORDINARY
        )
    assert [role for role in Role if opens_attested(seat(role))] == [Role.HOLDER]


def test_what_is_sealed_from_guardians_is_there_for_the_holder_alone() -> None:
    for role, category in product(Role, Category):
        assert sees(seat(role), memory(category=category, state=State.SEALED)) is (role is Role.HOLDER)


def test_whoever_acts_is_named_by_their_role() -> None:
    assert [seat(role).actor[:4] for role in Role] == ["hld_", "gdn_", "dlg_", "rev_", "adm_", "emg_"]
    assert [role for role in Role if seat(role).acting] == [role for role in Role if role is not Role.HOLDER]


def place(number: int, *roles: Role) -> Membership:
    return Membership(SPACE, "Home", "household", UUID(int=number), "", "", frozenset(roles), NOW)


def test_the_last_admin_stays() -> None:
    home = policy_for("household")
    holder, admin = place(1, Role.HOLDER), place(2, Role.ADMIN, Role.HOLDER)
    assert judge_leaving(None, [admin], home) == Refused(Refusal.NOT_FOUND)
    assert judge_leaving(admin, [holder], home) == Refused(Refusal.LAST_ADMIN)
    assert judge_leaving(admin, [place(3, Role.ADMIN)], home) == admin.roles
    assert judge_leaving(holder, [admin], home) == holder.roles
    assert judge_leaving(admin, [holder], home, Role.HOLDER) == {Role.HOLDER}, "in one role of two"
    assert judge_leaving(admin, [holder], home, Role.ADMIN) == Refused(Refusal.LAST_ADMIN)
    assert judge_leaving(holder, [admin], home, Role.REVIEWER) == Refused(Refusal.NOT_FOUND)


def test_the_privacy_lead_stays_until_another_is_chosen() -> None:
    lead, admin = place(1, Role.REVIEWER, Role.HOLDER), place(2, Role.ADMIN)
    clinic = replace(policy_for("clinic"), privacy_lead=lead.user_id)
    assert judge_leaving(lead, [admin], clinic) == Refused(Refusal.PRIVACY_LEAD)
    assert judge_leaving(lead, [admin], clinic, Role.REVIEWER) == Refused(Refusal.PRIVACY_LEAD)
    assert judge_leaving(lead, [admin], clinic, Role.HOLDER) == {Role.HOLDER}
    assert judge_leaving(admin, [place(3, Role.ADMIN)], clinic) == {Role.ADMIN}


MADE = Invitation(
    *(UUID(int=9), SPACE, VAULT, Role.GUARDIAN, Level.VIEW, "Rosa@home.example", "Leo", "Home", "Leo", None),
    *(NOW, NOW + timedelta(days=7), None, None, None),
)


def test_an_invitation_is_for_one_person_once_for_seven_days() -> None:
    assert judge_invitation(None, "rosa@home.example", NOW) == Refused(Refusal.NOT_FOUND)
    assert judge_invitation(MADE, "rosa@HOME.example", NOW) is None
    assert judge_invitation(MADE, None, NOW) is None
    assert judge_invitation(MADE, "otto@home.example", NOW) == Refused(Refusal.INVITED_OTHER)
    over = [replace(MADE, used_at=NOW), replace(MADE, withdrawn_at=NOW)]
    for each in over:
        assert judge_invitation(each, "rosa@home.example", NOW) == Refused(Refusal.INVITATION_OVER)
        assert judge_invitation(each, "otto@home.example", NOW) == Refused(Refusal.INVITATION_OVER)
    end = NOW + timedelta(days=7)
    assert judge_invitation(MADE, "rosa@home.example", end - timedelta(microseconds=1)) is None
    assert judge_invitation(MADE, "rosa@home.example", end) == Refused(Refusal.INVITATION_OVER)


def test_a_delegate_s_leave_ends_within_eighteen_months_and_a_guardian_s_when_it_is_ended() -> None:
    days = {None: 548, 0: 548, -5: 1, 1: 1, 30: 30, 548: 548, 549: 548, 10**6: 548}
    assert {asked: delegated_until(Role.DELEGATE, asked, NOW) for asked in days} == {
        asked: NOW + timedelta(days=given) for asked, given in days.items()
    }
    assert delegated_until(Role.GUARDIAN, 30, NOW) is None


def test_the_holder_ends_any_leave_and_whoever_acts_their_own() -> None:
    own = Delegation(UUID(int=5), VAULT, ME, "", Role.DELEGATE, Level.VIEW, NOW, NOW + timedelta(days=1), None)
    other = replace(own, user_id=UUID(int=7))
    assert judge_ending(own, seat(Role.DELEGATE), NOW) is None
    assert judge_ending(other, seat(Role.HOLDER), NOW) is None
    assert judge_ending(other, seat(Role.GUARDIAN), NOW) == Refused(Refusal.NOT_YOURS)
    for ended in (None, replace(own, ended_at=NOW), replace(own, expires_at=NOW)):
        assert judge_ending(ended, seat(), NOW) == Refused(Refusal.NOT_FOUND)


def test_a_clinic_begins_with_review_and_a_household_without() -> None:
    clinic, household = policy_for("clinic"), policy_for("household")
    assert clinic.review_categories == {each for each in Category if each.special}
    assert household.review_categories == frozenset()
    assert (clinic.preselect, household.preselect) == (False, True)
    assert (clinic.break_glass, household.break_glass) == (False, False)
