"""A child who does not sign in yet: another guardian is asked in, and the child is given an address. From the day on
which they sign in, both are theirs to say.
"""

import pytest
from django.contrib.auth import get_user_model

from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Receipt, Refused
from apps.policy.vocabulary import Level, Refusal, Role
from tests.holders.children import born, child_of, grow, themself
from tests.holders.people import acting, address_of, invited, leave_of, newcomer
from vault.clock import utc_now


@pytest.fixture
def rosa(live: None) -> Holder:
    return newcomer("Rosa")


@pytest.fixture
def seat(rosa: Holder) -> Holder:
    return child_of(rosa, log_in=False)


def signs_up(seat: Holder) -> Holder:
    """The child has set a password: from now on they sign in."""
    user = get_user_model().objects.get(pk=themself(seat.vault_id).user_id)
    user.set_password("a long enough password")
    user.save()
    return themself(seat.vault_id)


def acts(seat: Holder, kind: str) -> tuple[Receipt, ...]:
    return ledger.receipts(seat.vault_id, seat.actor, limit=50, kind=kind)


def second(seat: Holder, level: Level = Level.DECIDE) -> Holder:
    """Another guardian, asked in by the first and seated."""
    kim = newcomer("Kim")
    _, token = invited(seat, kim, Role.GUARDIAN, level)
    done = holders.accept(kim.user_id, token, utc_now())
    assert not isinstance(done, Refused), done
    found = holders.seat(kim.user_id, seat.vault_id)
    assert found is not None
    return found


# ---------------------------------------------------------------- another guardian
def test_the_guardian_who_decides_asks_another_in_under_their_own_names(seat: Holder) -> None:
    kim = second(seat)
    assert (kim.role, kim.level, kim.holder_name) == (Role.GUARDIAN, Level.DECIDE, "Leo")
    child = themself(seat.vault_id).actor
    (made,), (taken, _) = acts(seat, "invitation.made"), acts(seat, "delegation.made")
    assert (made.actor, made.on_behalf_of) == (seat.actor, child)
    assert (taken.actor, taken.on_behalf_of) == (kim.actor, child)


def test_neither_guardian_sees_or_ends_the_other(seat: Holder, rosa: Holder) -> None:
    kim = second(seat)
    first = [
        each.delegation_id for each in holders.delegations(themself(seat.vault_id)) if each.user_id == rosa.user_id
    ]
    for mine, other in ((seat, kim), (kim, seat)):
        assert {each.user_id for each in holders.delegations(mine)} == {mine.user_id}
        assert other.name not in holders.acted(mine).values()
    done = holders.end_delegation(kim, first[0], utc_now())
    assert isinstance(done, Refused)
    assert done.reason is Refusal.NOT_YOURS
    assert holders.seat(rosa.user_id, seat.vault_id) == seat


def test_each_sees_and_takes_back_only_whom_they_asked_in(seat: Holder) -> None:
    kim, otto = second(seat), newcomer("Otto")
    asked, _ = invited(kim, otto, Role.GUARDIAN)
    assert [each.invitation_id for each in holders.invitations(kim)] == [asked.invitation_id]
    assert holders.invitations(seat) == ()
    refused = holders.withdraw(seat, asked.invitation_id, utc_now())
    assert isinstance(refused, Refused)
    assert refused.reason is Refusal.NOT_FOUND
    assert not isinstance(holders.withdraw(kim, asked.invitation_id, utc_now()), Refused)
    assert holders.invitations(kim) == ()


@pytest.mark.parametrize(
    "why", ["views", "is a delegate", "the child is 13", "the child signs in", "offers a delegate"]
)
def test_nobody_else_asks_anybody_in(seat: Holder, why: str) -> None:
    by, role = seat, Role.GUARDIAN
    if why == "views":
        by = second(seat, Level.VIEW)
    elif why == "is a delegate":
        by = acting(themself(seat.vault_id), newcomer("Dora"))
    elif why == "the child is 13":
        grow(themself(seat.vault_id), born(13, days=2))
        by = holders.seat(seat.user_id, seat.vault_id) or seat
    elif why == "the child signs in":
        signs_up(seat)
    else:
        role = Role.DELEGATE
    with pytest.raises(holders.Barred):
        holders.invite_to_vault(by, "x@house.example", role, Level.DECIDE, utc_now())


# ---------------------------------------------------------------- an address
def test_a_child_without_a_log_in_is_given_an_address_and_it_can_be_put_right(seat: Holder) -> None:
    before = themself(seat.vault_id).user_id
    for email in ("leo.wrnog@house.example", "leo.right@house.example"):
        given = holders.give_address(seat, email, utc_now())
        assert not isinstance(given, Refused)
        assert holders.raised(seat) == given
    found = holders.holder_named("leo.right@house.example")
    assert found == themself(seat.vault_id)
    assert found.user_id == before
    assert holders.holder_named("leo.wrnog@house.example") is None
    named = acts(seat, "address.given")
    assert [(each.actor, each.on_behalf_of) for each in named] == [(seat.actor, found.actor)] * 2


def test_once_they_sign_in_it_is_theirs(seat: Holder) -> None:
    holders.give_address(seat, "leo.own@house.example", utc_now())
    leo = signs_up(seat)
    assert holders.raised(seat) is None
    refused = holders.give_address(seat, "rosa.too@house.example", utc_now())
    assert isinstance(refused, Refused)
    assert refused.reason is Refusal.NOT_YOURS
    assert holders.holder_named("leo.own@house.example") == leo
    assert len(acts(seat, "address.given")) == 1


def test_also_at_an_age_at_which_the_guardian_decides_no_more(seat: Holder) -> None:
    grow(themself(seat.vault_id), born(14))
    views = holders.seat(seat.user_id, seat.vault_id)
    assert views is not None
    assert views.level is Level.VIEW
    assert not isinstance(holders.give_address(views, "leo.late@house.example", utc_now()), Refused)


def test_a_guardian_who_was_given_leave_to_view_gives_none(seat: Holder) -> None:
    kim = second(seat, Level.VIEW)
    assert holders.raised(kim) is None
    refused = holders.give_address(kim, "mine@house.example", utc_now())
    assert isinstance(refused, Refused)
    assert refused.reason is Refusal.NOT_YOURS


def test_nor_does_the_holder_or_a_delegate(seat: Holder) -> None:
    leo = themself(seat.vault_id)
    for by in (leo, acting(leo, newcomer("Dora"))):
        refused = holders.give_address(by, "mine@house.example", utc_now())
        assert isinstance(refused, Refused)
        assert refused.reason is Refusal.NOT_FOUND


@pytest.mark.parametrize("email", ["leo at home", "", "leo@", f"{'l' * 260}@house.example"])
def test_what_is_no_address_is_said_and_changes_nothing(seat: Holder, email: str) -> None:
    with pytest.raises(TextProblem) as said:
        holders.give_address(seat, email, utc_now())
    assert said.value.field == "email"
    assert acts(seat, "address.given") == ()


def test_somebody_s_address_is_not_given(seat: Holder) -> None:
    with pytest.raises(TextProblem, match="Somebody signs in with this address already"):
        holders.give_address(seat, address_of(newcomer("Otto")).upper(), utc_now())


def test_the_child_ends_either_guardian_once_they_sign_in(seat: Holder, rosa: Holder) -> None:
    kim = second(seat)
    leo = signs_up(seat)
    grow(seat, born(13))
    for person in (rosa, kim):
        assert not isinstance(holders.end_delegation(leo, leave_of(leo, person).delegation_id, utc_now()), Refused)
        assert holders.seat(person.user_id, seat.vault_id) is None


def test_an_address_that_the_guardian_reads_themself_is_taken_for_the_child_s(seat: Holder) -> None:
    """A limit: nobody can tell whose an address is. The receipt says who gave it."""
    assert not isinstance(holders.give_address(seat, "rosa.again@house.example", utc_now()), Refused)
    leo = signs_up(seat)
    assert holders.holder_named("rosa.again@house.example") == leo
    assert [each.actor for each in acts(seat, "address.given")] == [seat.actor]
