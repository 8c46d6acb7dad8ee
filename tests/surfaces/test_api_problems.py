"""Every no is a problem that says who can fix it; and what is not there, nobody's or another's, is told in one way."""

from typing import Any
from uuid import uuid4

import pytest
from rest_framework import exceptions

from apps.api import errors, problems
from apps.memories import services as memories
from apps.policy.ids import untyped
from apps.policy.text import TextProblem
from apps.policy.vocabulary import Refusal
from tests.drivers import Http
from tests.fixtures import VALUES, Household
from vault.clock import utc_now

MEMBERS = {
    "type",
    "title",
    "status",
    "detail",
    "instance",
    "code",
    "retryable",
    "retry_after_seconds",
    "cool_down_until",
    "who_can_fix",
    "next",
    "errors",
}


def test_the_table_has_every_refusal() -> None:
    assert set(problems.REFUSALS) == set(Refusal)
    assert not {reason.value for reason in Refusal} & set(problems.FRAMEWORK)
    for kind in problems.KINDS.values():
        assert kind.who in ("client", "holder", "operator", None)
        assert "{" not in kind.title + kind.detail


def test_the_frameworks_own_exceptions_are_known() -> None:
    ours = [exceptions.Throttled, exceptions.NotAcceptable, exceptions.APIException, exceptions.ValidationError]
    known = [kind for kind, _ in errors.DJANGO]
    for name in dir(exceptions):
        kind = getattr(exceptions, name)
        if isinstance(kind, type) and issubclass(kind, exceptions.APIException) and kind not in ours:
            assert issubclass(kind, tuple(known)), name


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status", "code"),
    [
        ("GET", "nothing-here", None, {}, 404, "not-found"),
        ("DELETE", "nothing-here", None, {}, 404, "not-found"),
        ("GET", "", None, {}, 404, "not-found"),
        ("DELETE", "subjects", None, {}, 405, "method-not-allowed"),
        ("OPTIONS", "subjects", None, {}, 405, "method-not-allowed"),
        ("POST", "access-requests", b"{", {}, 400, "malformed"),
        ("POST", "access-requests", b"[]", {}, 400, "malformed"),
        ("POST", "access-requests", b"\xff\xfe", {}, 400, "malformed"),
        ("POST", "access-requests", b'{"a": ' + b"[" * 100_000, {}, 400, "malformed"),
        ("POST", "access-requests", b'{"purpose": NaN}', {}, 400, "malformed"),
        ("POST", "access-requests", b"9" * 5000, {}, 400, "malformed"),
        ("POST", "access-requests", {"x": "y" * 3_000_000}, {}, 413, "too-large"),
        ("POST", "access-requests", {}, {"Content-Type": "text/plain"}, 415, "unsupported-media-type"),
        ("POST", "access-requests", {}, {}, 422, "validation"),
        ("GET", "subjects?what=1", None, {}, 400, "unknown-parameter"),
        ("GET", "subjects?limit=1&limit=2", None, {}, 400, "unknown-parameter"),
        ("GET", "subjects?limit=0", None, {}, 422, "validation"),
        ("GET", "subjects?cursor=%00", None, {}, 422, "validation"),
    ],
)
def test_what_the_framework_refuses_is_a_problem_too(
    home: Household, method: str, path: str, body: Any, headers: dict[str, str], status: int, code: str
) -> None:
    http = Http(home.key)
    if "Content-Type" in headers:
        response = http.browser.generic(
            method, f"/api/v1/{path}", b"x", headers["Content-Type"], headers={"Authorization": f"Bearer {home.key}"}
        )
    else:
        response = http.send(method, path, body)
    told = response.json()
    assert (response.status_code, told["code"]) == (status, code)
    assert response.headers["Content-Type"] == "application/problem+json"
    assert set(told) == MEMBERS
    assert told["status"] == status
    assert Http().call("GET", f"problems/{code}")["title"] == told["title"]


def test_a_host_that_is_not_ours_is_refused(home: Household) -> None:
    assert Http(home.key).send("GET", "me", Host="evil.example").status_code == 400


def test_csrf_is_asked_of_a_session_alone(home: Household) -> None:
    holder = Http(holder=home.holder)
    response = holder.send("POST", "memories", {"label": "a", "value": "b"}, X_CSRFToken="wrong")
    assert (response.status_code, response.json()["code"]) == (403, "csrf-failed")
    assert (
        Http(home.key).send("POST", "proposals", {"label": "a", "value": "b"}, X_CSRFToken="wrong").status_code == 201
    )


def test_a_key_beside_a_session_stands_for_the_client(home: Household) -> None:
    both = Http(holder=home.holder)
    both.key = home.key
    assert both.call("GET", "me")["kind"] == "client"
    both.key = "mnk_nothing"
    assert both.call("GET", "me").code == "unauthenticated"


def test_what_is_not_to_be_seen_is_told_in_one_way(home: Household, settle: Any) -> None:
    """Another's, put away, special, malformed and made up: the same bytes and headers, but for the address itself."""
    other = settle()
    away = untyped("mem", home.time)
    assert away is not None
    memories.put_away(home.holder, away, utc_now())
    made_up = f"mem_{uuid4().hex}"

    def told(http: Http, method: str, path: str, memory: str, body: Any = None) -> tuple[int, str, dict[str, str]]:
        response = http.send(method, path.replace("ID", memory), body, Request_Id="one")
        headers = dict(response.headers)
        assert int(headers.pop("Content-Length")) == len(response.content)
        return response.status_code, response.content.decode().replace(memory, "ID"), headers

    holder, client = Http(holder=home.holder), Http(home.key)
    seen = [told(holder, "GET", "memories/ID", each) for each in (other.kitchen, made_up, "mem_x")]
    assert [each[0] for each in seen] == [404] * 3
    assert seen[0] == seen[1] == seen[2]

    ids = [other.kitchen, made_up, home.time, home.insulin]
    asked = [
        told(client, "POST", "access-requests", each, {"items": [{"memory": each}], "purpose": "care"}) for each in ids
    ]
    assert asked[0][0] == 404
    assert all(each[:2] == asked[0][:2] for each in asked)

    read = [home.as_client().read([each]).withheld[each] for each in ids]
    assert read == ["not-found"] * 4


def test_a_category_that_is_empty_looks_like_one_that_is_not(home: Household) -> None:
    http = Http(home.key)
    answers = []
    for category in ("health", "belief"):
        body = {"items": [{"category": category}], "purpose": "care"}
        response = http.send("POST", "access-requests", body)
        told = response.json()
        answers.append((response.status_code, told["status"], len(told["parts"]), told["parts"][0]["items"]))
    assert answers == [(201, "pending", 1, None)] * 2


@pytest.mark.parametrize("bad", ["a\x00b", "\ud83d", "x" * 70_000, "", "   "])
@pytest.mark.parametrize("field", ["label", "value", "subject", "rationale"])
def test_a_text_that_cannot_be_kept_is_named_and_not_quoted(home: Household, field: str, bad: str) -> None:
    body = {"label": "Spices", "value": "Cumin", field: bad}
    if field in ("subject", "rationale") and not bad.strip():
        return  # may be left out
    response = Http(home.key).send("POST", "proposals", body)
    told = response.json()
    assert (response.status_code, told["code"]) == (422, "validation")
    assert [each["pointer"] for each in told["errors"]] == [f"/{field}"]
    assert "xxxx" not in response.content.decode()


def test_no_problem_quotes_what_was_sent(home: Household) -> None:
    secret = "secretword"
    http = Http(home.key)
    for body in (
        {"items": [{"memory": secret}], "purpose": secret},
        {"items": [{"category": secret}], "purpose": "care", secret: 1},
        {"items": secret, "purpose": "care", "ttl_seconds": secret},
        {"items": [], "purpose": [secret]},
    ):
        response = http.send("POST", "access-requests", body)
        assert response.status_code == 422
        assert secret not in response.content.decode()
        assert not any(value in response.content.decode() for value in VALUES)
    assert secret not in http.send("GET", f"subjects?{secret}={secret}").content.decode()


def test_a_text_problem_is_a_validation() -> None:
    problem = errors._problem_of(TextProblem("label", "It is empty. Write a few words."))
    assert (problem.code, list(problem.errors)) == ("validation", [("/label", "It is empty. Write a few words.")])


def test_request_ids_are_echoed_or_made() -> None:
    assert Http().send("GET", "me", Request_Id="abc-1").headers["Request-Id"] == "abc-1"
    made = Http().send("GET", "me", Request_Id="not one\x7f").headers["Request-Id"]
    assert made.startswith("req-")
