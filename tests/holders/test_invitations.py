"""An invitation is for one person, once, for seven days; accepting it makes it so, and looking at it does not."""

from datetime import timedelta

import pytest

from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.policy.ids import typed
from apps.policy.people import actor
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Level, Refusal, Role
from tests.cast import Vault
from tests.holders.people import address_of, invited, newcomer, space_of
from tests.threads import at_once
from vault.clock import utc_now


@pytest.fixture
def rosa(live: None) -> Holder:
    return newcomer("Rosa")


def no(answer: object) -> Refusal | None:
    return answer.reason if isinstance(answer, Refused) else None


def test_looking_changes_nothing_and_accepting_seats_the_person(alice: Vault, rosa: Holder) -> None:
    made, token = invited(alice.holder, rosa, Role.GUARDIAN, Level.VIEW)
    assert holders.invitation(token) == holders.invitation(token)
    assert holders.seat(rosa.user_id, alice.id) is None
    assert no(holders.accept(rosa.user_id, token, utc_now())) is None
    seat = holders.seat(rosa.user_id, alice.id)
    assert seat is not None
    assert (seat.role, seat.level, seat.holder_name) == (Role.GUARDIAN, Level.VIEW, "Alice")
    assert holders.seats(rosa.user_id) == (holders.holder(rosa.user_id), seat)
    kinds = [(each.kind, each.actor, each.on_behalf_of, each.object) for each in alice.receipts()[-2:]]
    assert kinds[0] == ("invitation.made", alice.holder.actor, "-", typed("inv", made.invitation_id))
    assert kinds[1][:3] == ("delegation.made", f"gdn_{rosa.user_id.hex}", alice.holder.actor)


def test_it_is_used_once_whoever_presses_at_the_same_time(alice: Vault, rosa: Holder) -> None:
    _, token = invited(alice.holder, rosa, Role.DELEGATE)
    answers = at_once([lambda: no(holders.accept(rosa.user_id, token, utc_now()))] * 4)
    assert sorted(map(str, answers)) == ["None", *["invitation-over"] * 3]
    assert [each.kind for each in alice.receipts(kind="delegation.made")] == ["delegation.made"]
    assert len(holders.delegations(alice.holder)) == 1


def test_it_is_over_after_seven_days_and_when_taken_back(alice: Vault, rosa: Holder) -> None:
    _, token = invited(alice.holder, rosa, Role.DELEGATE)
    over = utc_now() + timedelta(days=7, seconds=1)
    assert no(holders.accept(rosa.user_id, token, over)) is Refusal.INVITATION_OVER
    made, token = invited(alice.holder, rosa, Role.DELEGATE)
    assert [each.invitation_id for each in holders.invitations(alice.holder)] == [made.invitation_id]
    assert no(holders.withdraw(alice.holder, made.invitation_id, utc_now())) is None
    assert no(holders.accept(rosa.user_id, token, utc_now())) is Refusal.INVITATION_OVER
    assert no(holders.withdraw(alice.holder, made.invitation_id, utc_now())) is Refusal.INVITATION_OVER
    assert holders.seat(rosa.user_id, alice.id) is None


def test_another_person_is_told_and_uses_nothing_up(alice: Vault, mallory: Vault, rosa: Holder) -> None:
    _, token = invited(alice.holder, rosa, Role.DELEGATE)
    assert no(holders.accept(mallory.holder.user_id, token, utc_now())) is Refusal.INVITED_OTHER
    assert no(holders.accept(mallory.holder.user_id, "no-such-token", utc_now())) is Refusal.NOT_FOUND
    assert no(holders.accept(rosa.user_id, token, utc_now())) is None


def test_its_address_is_one_and_its_role_is_at_a_vault(alice: Vault) -> None:
    with pytest.raises(TextProblem) as problem:
        holders.invite_to_vault(alice.holder, "rosa at home", Role.DELEGATE, Level.VIEW, utc_now())
    assert problem.value.field == "email"
    asked = holders.invite_to_vault(alice.holder, "rosa@home.example", Role.ADMIN, Level.VIEW, utc_now())
    assert no(asked) is Refusal.NOT_FOUND


def test_a_foreign_invitation_cannot_be_taken_back(alice: Vault, mallory: Vault, rosa: Holder) -> None:
    made, token = invited(alice.holder, rosa, Role.DELEGATE)
    assert no(holders.withdraw(mallory.holder, made.invitation_id, utc_now())) is Refusal.NOT_FOUND
    assert no(holders.accept(rosa.user_id, token, utc_now())) is None


def test_a_place_as_holder_comes_with_a_vault_in_that_space(alice: Vault, rosa: Holder) -> None:
    space = space_of(alice.holder)
    made = holders.invite_to_space(alice.holder.user_id, space, address_of(rosa), Role.HOLDER, utc_now())
    assert not isinstance(made, Refused)
    assert no(holders.accept(rosa.user_id, made[1], utc_now())) is None
    own = holders.seats(rosa.user_id)
    assert [each.space_name for each in own] == ["Rosa's house", "Alice's house"]
    assert {each.role for each in own} == {Role.HOLDER}
    assert [each.name for each in holders.members(alice.holder.user_id, space)] == ["Alice", "Rosa"]
    written = ledger.receipts(space, actor(Role.ADMIN, alice.holder.user_id))
    assert [each.kind for each in reversed(written)] == ["invitation.made", "member.joined"]
    assert ledger.verify(space, "sys_clock")


def test_only_an_admin_invites_to_a_space(alice: Vault, rosa: Holder) -> None:
    space = space_of(alice.holder)
    asked = holders.invite_to_space(rosa.user_id, space, "x@home.example", Role.ADMIN, utc_now())
    assert no(asked) is Refusal.NOT_FOUND
    assert holders.members(rosa.user_id, space) == ()
    assert not [each for place in holders.places(rosa.user_id, utc_now()) for each in place.invitations]
