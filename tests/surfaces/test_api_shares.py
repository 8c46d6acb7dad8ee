"""Shares over REST: preview, make, follow, stop; each link is told once."""

import secrets
from typing import Any

import pytest

from tests.drivers import Http
from tests.fixtures import VALUES, Household
from tests.surfaces.calls import key
from tests.surfaces.visitors import Visitor


@pytest.fixture
def holder(home: Household) -> Http:
    return Http(holder=home.holder)


def make(holder: Http, *memories: str, **more: Any) -> Any:
    return holder.call("POST", "shares", {"memories": list(memories), **more}, **key())


def token(made: Any, number: int = 0) -> str:
    return str(made["links"][number]["url"]).rpartition("/")[2]


def test_a_preview_tells_labels_forms_and_bounds(home: Household, holder: Http) -> None:
    told = holder.call("POST", "shares/preview", {"memories": [home.kitchen, home.budget]})
    assert [(each["label"], each["form"], each["claim"]) for each in told["memories"]] == [
        ("Kitchen equipment", "value", None),
        ("Grocery budget", "attested", "budget"),
    ]
    assert (told["hours_most"], told["opens_most"]) == (720, 50)


def test_what_is_made_is_opened_followed_and_stopped(home: Household, holder: Http) -> None:
    made = make(holder, home.kitchen, note="For Friday")
    assert (made["state"], made["opens_left"], made["code"], len(made["links"])) == ("live", 3, "none", 1)
    visitor = Visitor()
    assert visitor.press(token(made)).status_code == 200
    assert visitor.press(token(made)).status_code == 200
    (opening,) = holder.call("GET", f"shares/{made['id']}/opens")["items"]
    assert (opening["client"], opening["views"], opening["link"]) == ("Firefox on Android", 1, made["links"][0]["id"])
    now = holder.send("GET", f"shares/{made['id']}")
    assert now.json()["opens_left"] == 2 and now.json()["links"][0]["url"] is None, "told once"
    stopped = holder.call("POST", f"shares/{made['id']}/revoke", If_Match=now.headers["ETag"])
    assert stopped["state"] == "stopped" and stopped["stopped_at"]
    assert Visitor().press(token(made)).status_code == 404


def test_it_is_stopped_on_the_terms_that_were_looked_at(home: Household, holder: Http) -> None:
    made = make(holder, home.kitchen)
    path = f"shares/{made['id']}/revoke"
    assert holder.call("POST", path).code == "precondition-required"
    assert holder.call("POST", path, If_Match='"x"').code == "precondition-failed"
    before = holder.send("GET", f"shares/{made['id']}").headers["ETag"]
    Visitor().press(token(made))
    assert holder.send("GET", f"shares/{made['id']}").headers["ETag"] == before, "opening changes no terms"
    assert holder.call("POST", path, If_Match=before)["state"] == "stopped"
    assert holder.call("POST", path, If_Match=before).code == "precondition-failed"


def test_the_same_key_makes_no_second_share(home: Household, holder: Http) -> None:
    sent, body = key(), {"memories": [home.kitchen]}
    assert holder.call("POST", "shares", body).code == "idempotency-key-required"
    first = holder.call("POST", "shares", body, **sent)
    again = holder.call("POST", "shares", body, **sent)
    assert len(holder.call("GET", "shares")["items"]) == 1
    assert (again["id"], token(again)) == (first["id"], token(first))
    assert holder.call("POST", "shares", body | {"opens": 2}, **sent).code == "idempotency-reuse"


def test_what_may_not_be_shared_is_refused_by_its_place(home: Household, holder: Http) -> None:
    for memory, code in ((home.insulin, "never-shared"), ("mem_" + "0" * 32, "not-found")):
        for path, sent in (("shares/preview", {}), ("shares", key())):
            answer = holder.send("POST", path, {"memories": [home.kitchen, memory]}, **sent)
            assert answer.json()["code"] == code
            assert [each["pointer"] for each in answer.json()["errors"]] == ["/memories/1"]
    assert holder.call("GET", "shares")["items"] == []


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"lasts_seconds": 30}, "/lasts_seconds"),
        ({"lasts_seconds": 721 * 3600}, "/lasts_seconds"),
        ({"opens": 51}, "/opens"),
        ({"note": "x" * 301}, "/note"),
        ({"code": "pin", "pin": "111111"}, "/pin"),
        ({"code": "mail"}, "/code"),
        ({"recipients": [{"name": "Rosa"}] * 2}, "/recipients"),
        ({"recipients": [{"name": ""}]}, "/recipients/0/name"),
        ({"recipients": [{"name": "Rosa", "address": "nowhere"}]}, "/recipients/0/address"),
        ({"recipients": [{"name": "Rosa"}, {"name": "Otto", "address": "ü@b.example"}]}, "/recipients/1/address"),
        ({"recipients": [{"name": "Rosa"}, {"name": "Ot\x07to"}]}, "/recipients/1/name"),
    ],
    ids=lambda each: str(each)[:30],
)
def test_what_is_wrong_is_pointed_at(home: Household, holder: Http, wrong: dict[str, Any], pointer: str) -> None:
    answer = holder.send("POST", "shares", {"memories": [home.kitchen], **wrong}, **key())
    assert (answer.status_code, answer.json()["code"]) == (422, "validation")
    assert [each["pointer"] for each in answer.json()["errors"]] == [pointer]
    assert holder.call("GET", "shares")["items"] == []


def test_no_value_and_no_token_is_in_what_is_followed(home: Household, holder: Http) -> None:
    made = make(holder, home.kitchen, home.budget, recipients=[{"name": "Rosa"}])
    Visitor().press(token(made))
    for path in ("shares", f"shares/{made['id']}", f"shares/{made['id']}/opens"):
        said = holder.send("GET", path).content.decode()
        assert token(made) not in said and not [value for value in VALUES if value in said]


def test_the_list_is_paged(home: Household, holder: Http) -> None:
    ids = [make(holder, home.kitchen, note=secrets.token_hex(2))["id"] for _ in range(3)]
    first = holder.call("GET", "shares?limit=2")
    rest = holder.call("GET", f"shares?limit=2&cursor={first['next_cursor']}")
    assert [each["id"] for each in (*first["items"], *rest["items"])] == ids[::-1]


def test_a_no_is_worded_for_whoever_shares(home: Household, holder: Http) -> None:
    """It is the holder who reads it, not an assistant who answers with what is left."""
    kept = holder.call("POST", "memories", {"label": "Alarm", "value": "x", "local_only": True})
    for path, sent in (("shares/preview", {}), ("shares", key())):
        problem = holder.send("POST", path, {"memories": [home.kitchen, kept["id"]]}, **sent).json()
        assert problem["code"] == "local-only" and "a link goes out" in problem["detail"]
        assert problem["errors"] == [{"pointer": "/memories/1", "detail": problem["detail"]}]
        assert "Answer without it" not in problem["detail"] and "The holder" not in problem["detail"]
    missing = holder.send("POST", "shares", {"memories": [home.kitchen]}).json()
    assert missing["code"] == "idempotency-key-required" and "read" not in missing["detail"]
