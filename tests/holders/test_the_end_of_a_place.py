"""A space's admins end a place in it, in one role or in all: the person is signed out, and their vault goes along."""

import pytest
from django.contrib.auth import get_user_model

from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.policy.people import actor
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Refusal, Role
from tests.cast import Vault
from tests.clinics import Clinic
from tests.holders.children import child_of, themself
from tests.holders.people import acting, newcomer, settle, space_of
from tests.threads import at_once
from vault.clock import utc_now


@pytest.fixture
def rosa(live: None) -> Holder:
    return newcomer("Rosa")


def end(casa: Clinic, person: Holder, role: Role | None = None, by: Holder | None = None) -> object:
    return holders.end_place((by or casa.admin).user_id, casa.space_id, person.user_id, utc_now(), role)


def roles(casa: Clinic, person: Holder) -> set[Role]:
    return {
        role for each in holders.memberships(person.user_id) if each.space_id == casa.space_id for role in each.roles
    }


def signed(person: Holder) -> str:
    """What this person's sessions are signed with."""
    return str(get_user_model().objects.get(pk=person.user_id).get_session_auth_hash())


def test_one_role_of_two_ends_and_the_other_goes_on(casa: Clinic, rosa: Holder) -> None:
    for role in (Role.REVIEWER, Role.ADMIN):
        casa.joined(rosa, role)
    before = signed(rosa)
    assert not isinstance(end(casa, rosa, Role.REVIEWER), Refused)
    assert roles(casa, rosa) == {Role.ADMIN}
    assert signed(rosa) != before
    (line,) = ledger.receipts(casa.space_id, "sys_clock", kind="member.left")
    assert (line.actor, line.object, line.reason) == (
        actor(Role.ADMIN, casa.admin.user_id),
        f"usr_{rosa.user_id.hex}",
        "reviewer",
    )
    assert end(casa, rosa, Role.REVIEWER) == Refused(Refusal.NOT_FOUND), "it has ended already"


def test_a_holder_s_vault_goes_along_with_all_that_is_in_it(casa: Clinic, leo: Vault) -> None:
    values = dict(leo.values)
    assert not isinstance(end(casa, leo.holder), Refused)
    own = holders.holder(leo.holder.user_id)
    assert own is not None
    assert (own.vault_id, own.space_name) == (leo.id, "Leo Maria Brandt's household")
    assert holders.managed(leo.holder.user_id, holders.memberships(leo.holder.user_id)[0].space_id)
    assert leo.values == values
    assert not holders.policy(leo.id).review_categories, "what the clinic settled holds there no more"


def test_with_the_last_role_acting_for_others_there_ends(casa: Clinic, leo: Vault, rosa: Holder) -> None:
    for role in (Role.REVIEWER, Role.ADMIN):
        casa.joined(rosa, role)
    acting(leo.holder, rosa)
    assert not isinstance(end(casa, rosa, Role.REVIEWER), Refused)
    assert holders.seat(rosa.user_id, leo.id) is not None
    assert not isinstance(end(casa, rosa), Refused)
    assert holders.seat(rosa.user_id, leo.id) is None
    (line,) = leo.receipts(kind="delegation.ended")
    assert (line.actor, line.on_behalf_of) == (actor(Role.ADMIN, casa.admin.user_id), leo.holder.actor)


def test_the_last_admin_and_the_privacy_lead_stay(casa: Clinic) -> None:
    assert end(casa, casa.admin, Role.ADMIN) == Refused(Refusal.LAST_ADMIN)
    settle(casa.admin, casa.space_id, privacy_lead=casa.rita.user_id)
    assert end(casa, casa.rita) == Refused(Refusal.PRIVACY_LEAD)
    assert holders.leave(casa.rita.user_id, casa.space_id, utc_now()) == Refused(Refusal.PRIVACY_LEAD)
    settle(casa.admin, casa.space_id, privacy_lead=casa.rolf.user_id)
    assert not isinstance(end(casa, casa.rita), Refused)


def test_a_child_who_does_not_sign_in_yet_stays_where_their_guardian_is(rosa: Holder) -> None:
    leo = themself(child_of(rosa, log_in=False).vault_id)
    ended = holders.end_place(rosa.user_id, space_of(rosa), leo.user_id, utc_now())
    assert ended == Refused(Refusal.NOT_YOURS)
    assert holders.holder_of_vault(leo.vault_id) == leo


def test_two_admins_who_end_each_other_at_once_leave_one(casa: Clinic, rosa: Holder) -> None:
    casa.joined(rosa, Role.ADMIN)
    done = at_once([lambda: end(casa, rosa), lambda: end(casa, casa.admin, by=rosa)])
    assert [each for each in done if isinstance(each, Refused)] == [Refused(Refusal.NOT_FOUND)]
    assert [Role.ADMIN in roles(casa, each) for each in (casa.admin, rosa)].count(True) == 1


def test_nobody_else_ends_anything_and_nobody_s_place_is_not_found(casa: Clinic, leo: Vault, rosa: Holder) -> None:
    for by in (rosa, casa.rita, leo.holder):
        assert end(casa, casa.rolf, by=by) == Refused(Refusal.NOT_FOUND)
    assert end(casa, rosa) == Refused(Refusal.NOT_FOUND)
    assert roles(casa, casa.rolf) == {Role.REVIEWER}
