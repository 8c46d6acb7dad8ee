"""The page on which a guardian sees to a child's log-in and asks another guardian in; and over REST."""

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.policy.ids import typed
from apps.policy.types import Holder
from apps.policy.vocabulary import Level, Role
from tests.holders.children import born, child_of, grow, themself
from tests.holders.people import acting, address_of, newcomer
from tests.holders.test_raising import second, signs_up
from tests.surfaces.test_web_people import at, post
from tests.surfaces.web import browser, text_of

RAISING = "/people/raising"


@pytest.fixture
def seat(live: None) -> Holder:
    return child_of(newcomer("Rosa"), log_in=False)


def test_the_file_leads_there_while_the_child_does_not_sign_in(seat: Holder) -> None:
    client = at(seat)
    assert RAISING in text_of(client.get("/file"))
    assert "There is no address yet" in text_of(client.get(RAISING))
    signs_up(seat)
    assert RAISING not in text_of(client.get("/file"))
    assert client.get(RAISING).status_code == 404


def test_an_address_is_given_and_a_password_set_by_it(seat: Holder, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    email = f"leo-{seat.vault_id.hex}@house.example"
    page = text_of(post(at(seat), RAISING, seat, email=email))
    assert "With this address a password can be set" in page
    assert f"{email} leads to it" in page
    mail.outbox = []
    child = Client()
    child.post("/accounts/password/reset/", {"email": email})
    (sent,) = mail.outbox
    (link,) = re.findall(r"http\S+/accounts/password/reset/key/\S+", str(sent.body))
    form = child.get(f"/accounts/{link.partition('/accounts/')[2]}", follow=True)
    path = form.redirect_chain[-1][0]
    child.post(path, {"password1": "a bicycle, red", "password2": "a bicycle, red"}, follow=True)
    child.post("/accounts/login/", {"login": email, "password": "a bicycle, red"})
    page = text_of(child.get("/people"))
    assert "Who acts for you" in page
    assert "Rosa" in page
    assert at(seat).get(RAISING).status_code == 404, "from now on it is theirs"


def test_people_leads_there_too_and_says_how_far_ones_leave_goes_by_now(seat: Holder) -> None:
    client = at(seat)
    page = text_of(client.get("/people"))
    assert RAISING in page
    assert "view and decide" in page
    grow(themself(seat.vault_id), born(14))
    assert "view and decide" not in text_of(client.get("/people"))


def test_an_address_is_given_over_rest(seat: Holder) -> None:
    client, there = browser(seat), {"Muniment-Seat": typed("vlt", seat.vault_id)}
    email = f"leo-{seat.vault_id.hex}@house.example"

    def give(address: str) -> Any:
        return client.post("/api/v1/child/address", {"email": address}, content_type="application/json", headers=there)

    assert give("leo").status_code == 422
    answer = give(email)
    assert (answer.status_code, answer.json()["email"]) == (200, email)
    signs_up(seat)
    assert give(email).status_code in (403, 404), "from now on it is theirs"


def test_what_cannot_be_kept_is_said_beside_its_field(seat: Holder) -> None:
    taken = post(at(seat), RAISING, seat, email=address_of(newcomer("Otto")))
    assert taken.status_code == 400
    assert "Somebody signs in with this address already" in text_of(taken)
    wrong = post(at(seat), f"{RAISING}/guardian", seat, email="kim at home", level="view")
    assert wrong.status_code == 400
    assert "kim at home" in text_of(wrong)
    assert "Write an address such as rosa@home.example" in text_of(wrong)


def test_another_guardian_is_asked_in_by_mail_and_taken_back(seat: Holder, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    mail.outbox = []
    client = at(seat)
    page = text_of(post(client, f"{RAISING}/guardian", seat, email="kim@house.example", level="view"))
    assert "Invited kim@house.example." in page
    assert [each.to for each in mail.outbox] == [["kim@house.example"]]
    (made,) = holders.invitations(seat)
    assert (made.role, made.level) == (Role.GUARDIAN, Level.VIEW)
    post(client, f"/people/invitations/{typed('inv', made.invitation_id)}/withdraw", seat)
    assert holders.invitations(seat) == ()


def test_a_second_guardian_finds_no_trace_of_the_first_one_s_level(seat: Holder) -> None:
    kim = second(seat, Level.VIEW)
    assert "Rosa" not in re.sub(r"Rosa&#x27;s house", "", text_of(at(kim).get("/people")))
    assert at(kim).get(RAISING).status_code == 404
    over_rest = browser(kim).get("/api/v1/delegations", headers={"Muniment-Seat": typed("vlt", seat.vault_id)})
    assert [each["level"] for each in over_rest.json()["items"]] == ["view"]


def test_nor_on_the_receipts_that_they_follow(seat: Holder) -> None:
    kim = second(seat)
    there = {"Muniment-Seat": typed("vlt", seat.vault_id)}
    for guardian in (kim, seat):
        listed = browser(guardian).get("/api/v1/receipts?kind=delegation.made", headers=there).json()["items"]
        assert [each["reason"] for each in listed] == ["-", "-"]
    made = ledger.receipts(seat.vault_id, seat.actor, limit=9, kind="delegation.made")
    assert {each.reason for each in made} == {"decide"}, "though they say it"


def test_nobody_else_has_the_page(seat: Holder) -> None:
    leo = themself(seat.vault_id)
    assert browser(leo).get(RAISING).status_code == 404
    assert at(acting(leo, newcomer("Dora"))).get(RAISING).status_code == 404
    assert browser(newcomer("Otto")).post(f"{RAISING}/guardian", {"email": "x@y.example"}).status_code == 404


def test_at_an_age_at_which_nobody_decides_for_them_only_the_address_is_left(seat: Holder) -> None:
    grow(themself(seat.vault_id), born(14))
    page = text_of(at(seat).get(RAISING))
    assert "At this age nobody is asked in" in page
    assert post(at(seat), f"{RAISING}/guardian", seat, email="kim@house.example", level="view").status_code == 403
    assert "Give them this address" in page


def test_a_guardian_asks_another_in_over_rest(seat: Holder) -> None:
    client, there = browser(seat), {"Muniment-Seat": typed("vlt", seat.vault_id)}
    wish = {"email": "kim@house.example", "role": "guardian", "level": "decide"}
    made = client.post("/api/v1/invitations", wish, content_type="application/json", headers=there)
    assert made.status_code == 201
    listed = client.get("/api/v1/invitations", headers=there).json()["items"]
    assert made.json()["id"] in [each["id"] for each in listed]
    signs_up(seat)
    refused = client.post("/api/v1/invitations", wish, content_type="application/json", headers=there)
    assert (refused.status_code, refused.json()["code"]) == (403, "not-yours-to-decide")
