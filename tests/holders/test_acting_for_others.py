"""Acting for somebody ends by a press, by its day, and by leaving the space; its person is signed out; nobody but the
holder renews it."""

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model

from apps.holders import services as holders
from apps.policy.roles import Barred
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Level, Refusal, Role
from tests.cast import Vault
from tests.holders.people import acting, address_of, leave_of, newcomer, space_of
from vault.clock import utc_now


@pytest.fixture
def rosa(live: None) -> Holder:
    return newcomer("Rosa")


def signed(person: Holder) -> str:
    """What this person's sessions are signed with."""
    return str(get_user_model().objects.get(pk=person.user_id).get_session_auth_hash())


def test_the_holder_ends_it_and_it_bites_at_once(alice: Vault, rosa: Holder) -> None:
    acting(alice.holder, rosa)
    before = signed(rosa)
    ended = holders.end_delegation(alice.holder, leave_of(alice.holder, rosa).delegation_id, utc_now())
    assert not isinstance(ended, Refused)
    assert holders.seat(rosa.user_id, alice.id) is None
    assert signed(rosa) != before
    assert [each.actor for each in alice.receipts(kind="delegation.ended")] == [alice.holder.actor]
    again = holders.end_delegation(alice.holder, ended.delegation_id, utc_now())
    assert isinstance(again, Refused)


def test_who_acts_may_end_it_and_neither_end_nor_see_another_s(alice: Vault, rosa: Holder) -> None:
    other = newcomer("Otto")
    seat, _ = acting(alice.holder, rosa), acting(alice.holder, other)
    assert [each.user_id for each in holders.delegations(seat)] == [rosa.user_id]
    refused = holders.end_delegation(seat, leave_of(alice.holder, other).delegation_id, utc_now())
    assert refused == Refused(Refusal.NOT_YOURS)
    ended = holders.end_delegation(seat, leave_of(alice.holder, rosa).delegation_id, utc_now())
    assert not isinstance(ended, Refused)
    (receipt,) = alice.receipts(kind="delegation.ended")
    assert (receipt.actor, receipt.on_behalf_of) == (f"dlg_{rosa.user_id.hex}", alice.holder.actor)


def test_a_delegate_s_day_comes_and_only_the_holder_renews_it(alice: Vault, rosa: Holder) -> None:
    long_ago = utc_now() - timedelta(days=549)
    made = holders.invite_to_vault(alice.holder, address_of(rosa), Role.DELEGATE, Level.DECIDE, long_ago)
    assert not isinstance(made, Refused)
    assert not isinstance(holders.accept(rosa.user_id, made[1], long_ago), Refused)
    assert holders.seat(rosa.user_id, alice.id) is None, "its day is over"
    delegation = leave_of(alice.holder, rosa)
    seat = acting(alice.holder, newcomer("Otto"))
    with pytest.raises(Barred):
        holders.renew_delegation(seat, delegation.delegation_id, utc_now())
    now = utc_now()
    renewed = holders.renew_delegation(alice.holder, delegation.delegation_id, now, 9999)
    assert not isinstance(renewed, Refused)
    assert renewed.expires_at == now + timedelta(days=548)
    assert holders.seat(rosa.user_id, alice.id) is not None


def test_a_guardian_has_no_day(alice: Vault, rosa: Holder) -> None:
    acting(alice.holder, rosa, Role.GUARDIAN)
    assert leave_of(alice.holder, rosa).expires_at is None


def test_the_last_admin_stays_and_another_may_go(alice: Vault, rosa: Holder) -> None:
    space = space_of(alice.holder)
    assert holders.leave(alice.holder.user_id, space, utc_now()) == Refused(Refusal.LAST_ADMIN)
    made = holders.invite_to_space(alice.holder.user_id, space, address_of(rosa), Role.ADMIN, utc_now())
    assert not isinstance(made, Refused)
    before = signed(rosa)
    assert not isinstance(holders.accept(rosa.user_id, made[1], utc_now()), Refused)
    assert signed(rosa) != before, "joining signs out"
    before = signed(alice.holder)
    assert not isinstance(holders.leave(alice.holder.user_id, space, utc_now()), Refused)
    assert signed(alice.holder) != before, "leaving signs out"
    home = holders.holder(alice.holder.user_id)
    assert home is not None
    assert (home.vault_id, home.space_name) == (alice.id, "Alice's household"), "the vault goes along"
    assert space_of(alice.holder) != space
    assert holders.leave(rosa.user_id, space, utc_now()) == Refused(Refusal.LAST_ADMIN)


def test_leaving_a_space_ends_acting_for_those_in_it(alice: Vault, rosa: Holder) -> None:
    space = space_of(alice.holder)
    acting(alice.holder, rosa)
    made = holders.invite_to_space(alice.holder.user_id, space, address_of(rosa), Role.REVIEWER, utc_now())
    assert not isinstance(made, Refused)
    assert not isinstance(holders.accept(rosa.user_id, made[1], utc_now()), Refused)
    assert not isinstance(holders.leave(rosa.user_id, space, utc_now()), Refused)
    assert holders.seat(rosa.user_id, alice.id) is None
    assert holders.delegations(alice.holder) == ()
    assert isinstance(holders.leave(rosa.user_id, space, utc_now()), Refused), "who is not in it cannot leave it"


def test_a_new_clinic_reviews_every_special_category_and_chooses_nothing_before(alice: Vault) -> None:
    holders.found_space("clinic", "Casa M.", alice.holder.user_id)
    kinds = {each.kind: each.roles for each in holders.memberships(alice.holder.user_id)}
    assert kinds == {"household": {Role.HOLDER, Role.ADMIN}, "clinic": {Role.ADMIN}}
    settled = holders.policy(alice.id)
    assert (settled.preselect, settled.review_categories) == (True, frozenset())
    assert [(each.from_years, each.guardian) for each in settled.tiers] == [
        (0, Level.DECIDE),
        (13, Level.VIEW),
        (18, None),
    ]
