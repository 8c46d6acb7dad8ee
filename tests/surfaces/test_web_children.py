"""A child on the pages: a vault opened for them, notices of the birthdays that matter, and what they seal."""

from typing import Any

import pytest

from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.types import Holder
from apps.policy.vocabulary import Role, State
from tests.holders.children import born, child_of, grow, themself
from tests.holders.people import acting, newcomer, space_of
from tests.surfaces.test_web_people import at, post
from tests.surfaces.web import browser, text_of
from vault.clock import utc_now


@pytest.fixture
def rosa(live: None) -> Holder:
    return newcomer("Rosa")


def opening(rosa: Holder, **changed: str) -> Any:
    sent = {"name": "Leo", "born_on": born(9).isoformat(), "time_zone": "Europe/Lisbon", "email": ""}
    path = f"/people/spaces/{typed('spc', space_of(rosa))}/child"
    assert path in text_of(browser(rosa).get("/people"))
    return post(browser(rosa), path, rosa, **{**sent, **changed})


def test_a_guardian_opens_a_vault_and_sits_there(rosa: Holder) -> None:
    page = text_of(opening(rosa))
    assert "You are acting for Leo." in page
    assert "Opened. You act here under your own name." in page
    (_, seat) = holders.seats(rosa.user_id)
    assert (seat.role, seat.holder_name) == (Role.GUARDIAN, "Leo")


@pytest.mark.parametrize(
    ("field", "sent", "said"),
    [
        ("born_on", "2999-01-01", "This day is still to come."),
        ("born_on", "1999-01-01", "At this age nobody acts as a guardian here"),
        ("born_on", "soon", "Enter a valid date"),
        ("email", "leo at home", "Write an address such as leo@home.example"),
        ("time_zone", "Lisbon", "Choose from what is offered"),
    ],
)
def test_what_cannot_be_kept_is_said_beside_its_field_and_loses_nothing(
    rosa: Holder, field: str, sent: str, said: str
) -> None:
    answer = opening(rosa, name="Leo Maria", **{field: sent})
    assert answer.status_code == 400
    assert said in text_of(answer)
    assert "Leo Maria" in text_of(answer)
    assert len(holders.seats(rosa.user_id)) == 1


def test_pages_tell_of_a_birthday_before_it_and_of_what_remains_after(rosa: Holder) -> None:
    leo = themself(child_of(rosa).vault_id)
    grow(leo, born(13, days=-20))
    for path in ("/", "/file", "/people"):
        assert "Leo turns 13. From that day on a guardian may look at" in text_of(browser(rosa).get(path)), path
        assert "you turn 13." in text_of(browser(leo).get(path)), path
    grow(leo, born(18))
    page = text_of(browser(rosa).get("/people"))
    assert "Leo has been 18 since" in page
    assert "nobody acts here as a guardian" in page
    grow(leo, born(15))
    assert "Leo turns" not in text_of(browser(rosa).get("/people"))


def test_a_birthday_takes_what_one_looks_at_at_the_next_press(rosa: Holder) -> None:
    seat = child_of(rosa)
    client = at(seat)
    assert client.get("/ledger").status_code == 200
    grow(themself(seat.vault_id), born(13))
    assert client.get("/ledger").status_code == 403
    assert client.get("/file").status_code == 200
    grow(themself(seat.vault_id), born(18))
    assert "You don’t act there any more." in text_of(client.get("/file"))


def test_the_minor_seals_and_takes_the_seal_off(rosa: Holder) -> None:
    seat = child_of(rosa)
    leo = themself(seat.vault_id)
    kept = memories.add(leo, label="Diary", value="words", now=utc_now())
    path = f"/file/{typed('mem', kept.memory_id)}"
    assert "Seal from guardians" in text_of(browser(leo).get(path))
    assert "Seal from guardians" not in text_of(at(seat).get(path))
    assert post(at(seat), f"{path}/seal", seat).status_code == 403
    page = text_of(post(browser(leo), f"{path}/seal", leo))
    assert "Sealed. You alone can see that this exists." in page
    assert "Sealed from guardians" in text_of(browser(leo).get("/file"))
    assert at(seat).get(path).status_code == 404
    post(browser(leo), f"{path}/put-back", leo)
    assert at(seat).get(path).status_code == 200


def test_a_memory_is_sealed_from_the_first_moment(rosa: Holder) -> None:
    seat = child_of(rosa)
    leo = themself(seat.vault_id)
    assert 'name="sealed"' not in text_of(at(seat).get("/file/add"))
    fields = {"label": "Diary", "value": "words", "category": "ordinary", "sealed": "on"}
    post(browser(leo), "/file/add", leo, **fields)
    assert [each.state for each in memories.memories(leo)] == [State.SEALED]
    assert memories.memories(seat) == ()
    assert post(at(seat), "/file/add", seat, **fields).status_code == 403


def test_over_rest_too(rosa: Holder) -> None:
    leo = themself(child_of(rosa).vault_id)
    acting(leo, newcomer("Kim"))
    client = browser(leo)
    made = client.post(
        "/api/v1/memories", {"label": "Diary", "value": "x", "sealed": True}, content_type="application/json"
    )
    assert (made.status_code, made.json()["state"]) == (201, "sealed-from-guardians")
    path = f"/api/v1/memories/{made.json()['id']}"
    back = client.patch(path, {"state": "approved"}, content_type="application/json", headers={"If-Match": "*"})
    assert back.json()["state"] == "approved"
    again = client.patch(
        path, {"state": "sealed-from-guardians"}, content_type="application/json", headers={"If-Match": "*"}
    )
    assert again.json()["state"] == "sealed-from-guardians"
