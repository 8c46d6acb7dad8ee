"""Nobody floods others with invitations, invites themself, or gives a grown-up a guardian; a name in a mail is no link;
who looks at emergencies is in none."""

import secrets
from datetime import timedelta

import pytest
from allauth.core import context
from django.core import mail
from django.test import RequestFactory

from apps.holders import services as holders
from apps.holders.adapter import send_invitation
from apps.holders.services import addresses
from apps.policy.letters import inert
from apps.policy.people import Invitation
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Level, Refusal, Role
from tests.clinics import Clinic
from tests.holders.children import born, child_of, grow, themself
from tests.holders.people import address_of, invited, newcomer, settle, space_of
from vault.clock import utc_now


@pytest.fixture
def rosa(live: None) -> Holder:
    return newcomer("Rosa")


def ask_in(by: Holder, email: str, role: Role = Role.DELEGATE) -> tuple[Invitation, str] | Refused:
    return holders.invite_to_vault(by, email, role, Level.VIEW, utc_now())


def somebody() -> str:
    return f"{secrets.token_hex(6)}@home.example"


def test_a_grown_up_gets_no_guardian_and_a_child_does(rosa: Holder) -> None:
    with pytest.raises(TextProblem) as problem:
        ask_in(rosa, somebody(), Role.GUARDIAN)
    assert problem.value.field == "role"
    leo = themself(child_of(rosa).vault_id)
    assert not isinstance(ask_in(leo, somebody(), Role.GUARDIAN), Refused)
    grow(leo, born(18))
    with pytest.raises(TextProblem):
        ask_in(leo, somebody(), Role.GUARDIAN)


def test_an_invitation_to_be_a_guardian_is_over_once_the_child_is_grown_up(rosa: Holder) -> None:
    leo, kim = themself(child_of(rosa).vault_id), newcomer("Kim")
    _, token = invited(leo, kim, Role.GUARDIAN)
    grow(leo, born(18))
    assert holders.accept(kim.user_id, token, utc_now()) == Refused(Refusal.INVITATION_OVER)
    assert holders.seat(kim.user_id, leo.vault_id) is None


def test_nobody_invites_themself_in_whatever_case(rosa: Holder) -> None:
    own = address_of(rosa).upper()
    seat = child_of(rosa)
    child = address_of(themself(seat.vault_id))
    for press in (
        lambda: ask_in(rosa, own),
        lambda: holders.invite_to_space(rosa.user_id, space_of(rosa), own, Role.HOLDER, utc_now()),
        lambda: ask_in(themself(seat.vault_id), child.upper()),
    ):
        with pytest.raises(TextProblem) as problem:
            press()
        assert problem.value.field == "email"


def test_a_second_invitation_for_the_same_takes_the_first_one_s_place(rosa: Holder) -> None:
    kim = newcomer("Kim")
    _, first = invited(rosa, kim, Role.DELEGATE)
    second = ask_in(rosa, address_of(kim).upper())
    assert not isinstance(second, Refused)
    assert [each.invitation_id for each in holders.invitations(rosa)] == [second[0].invitation_id]
    assert holders.accept(kim.user_id, first, utc_now()) == Refused(Refusal.INVITATION_OVER)
    assert not isinstance(holders.accept(kim.user_id, second[1], utc_now()), Refused)


def test_one_person_invites_so_many_an_hour(rosa: Holder) -> None:
    made = [ask_in(rosa, somebody()) for _ in range(addresses.INVITES_PER_HOUR)]
    assert not [each for each in made if isinstance(each, Refused)]
    over = ask_in(rosa, somebody())
    assert isinstance(over, Refused) and over.reason is Refusal.RATE_LIMITED
    assert over.until is not None and over.until <= utc_now() + timedelta(hours=1)


def test_one_address_gets_so_many_a_day_whoever_invites_and_in_whatever_case(live: None) -> None:
    email = somebody()
    for number in range(addresses.MAILS_PER_DAY):
        made = ask_in(newcomer("Otto"), email.upper() if number % 2 else email)
        assert not isinstance(made, Refused)
    over = ask_in(newcomer("Otto"), email)
    assert isinstance(over, Refused) and over.reason is Refusal.RATE_LIMITED


def test_who_gives_a_child_an_address_learns_whether_it_is_somebody_s_ten_times_an_hour(rosa: Holder) -> None:
    seat, taken = child_of(rosa, log_in=False), address_of(newcomer("Kim"))
    for _ in range(addresses.ADDRESSES_PER_HOUR):
        with pytest.raises(TextProblem, match="Somebody signs in with this address already"):
            holders.give_address(seat, taken, utc_now())
    over = holders.give_address(seat, taken, utc_now())
    assert isinstance(over, Refused) and over.reason is Refusal.RATE_LIMITED
    opened = holders.bring_up(
        rosa.user_id, space_of(rosa), name="Ana", born_on=born(9), time_zone="UTC", email=taken, now=utc_now()
    )
    assert isinstance(opened, Refused) and opened.reason is Refusal.RATE_LIMITED


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Rosa", "Rosa"),
        ("Dr. Silva", "Dr. Silva"),
        ("Win at evil.example/prize now", "Win at evil[.]example/prize now"),
        ("https://evil.example", "https: //evil[.]example"),
        ("www.evil。example", "www[.]evil[.]example"),
        ("a@evil.example", "a at evil[.]example"),
        ("x" * 120, "x" * 59 + "…"),
    ],
)
def test_a_name_in_a_mail_is_short_and_no_link(name: str, said: str) -> None:
    assert inert(name) == said


def test_an_invitation_s_mail_bears_an_inert_name(rosa: Holder) -> None:
    loud = holders.set_profile(rosa, name="Your bank, see evil.example", time_zone="UTC")
    email = somebody()
    made = ask_in(loud, email)
    assert not isinstance(made, Refused)
    with context.request_context(RequestFactory().get("/")):
        send_invitation(*made)
    (sent,) = [each for each in mail.outbox if each.to == [email]]
    bodies = [sent.body, *(each[0] for each in sent.alternatives)]  # type: ignore[attr-defined]
    for each in bodies:
        assert "evil.example" not in each and "evil[.]example" in each


# ---------------------------------------------------------------- the privacy lead
def test_who_looks_at_emergencies_is_in_none(casa: Clinic) -> None:
    settle(casa.admin, casa.space_id, privacy_lead=casa.rita.user_id)
    with pytest.raises(TextProblem) as problem:
        holders.invite_to_space(casa.admin.user_id, casa.space_id, address_of(casa.rita), Role.EMERGENCY, utc_now())
    assert problem.value.field == "email"
    _, token = _asked(casa, casa.rolf)
    settle(casa.admin, casa.space_id, privacy_lead=casa.rolf.user_id)
    assert holders.accept(casa.rolf.user_id, token, utc_now()) == Refused(Refusal.INVITATION_OVER)
    settle(casa.admin, casa.space_id, privacy_lead=casa.rita.user_id)
    casa.joined(casa.rolf, Role.EMERGENCY)
    with pytest.raises(TextProblem) as problem:
        settle(casa.admin, casa.space_id, privacy_lead=casa.rolf.user_id)
    assert problem.value.field == "privacy_lead"


def _asked(casa: Clinic, person: Holder) -> tuple[Invitation, str]:
    made = holders.invite_to_space(casa.admin.user_id, casa.space_id, address_of(person), Role.EMERGENCY, utc_now())
    assert not isinstance(made, Refused)
    return made


def test_a_clinic_that_reviews_with_nobody_who_could_is_known_to(casa: Clinic) -> None:
    person = casa.patient("Leo").holder
    assert not holders.unreviewed(person.vault_id)
    for each in (casa.rita, casa.rolf):
        assert not isinstance(
            holders.end_place(casa.admin.user_id, casa.space_id, each.user_id, utc_now(), Role.REVIEWER), Refused
        )
    assert holders.unreviewed(person.vault_id)
