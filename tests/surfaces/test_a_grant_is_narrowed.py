"""A grant is narrowed over REST and on the page: on its current terms, and only ever to less."""

from datetime import timedelta
from typing import Any

import pytest

from apps.access import services as access
from apps.ledger import services as ledger
from apps.policy.ids import typed, untyped
from apps.policy.types import Grant
from tests.drivers import Http
from tests.fixtures import Household
from tests.threads import at_once
from vault.clock import utc_now


@pytest.fixture
def given(home: Household) -> Grant:
    """A grant of five reads of two memories."""
    mine = [home.kitchen, home.time]
    wish = home.as_client().ask(mine)
    home.as_holder().decide(wish.request, {"ordinary": mine}, reads=5)
    return access.grants(home.holder)[0]


@pytest.fixture
def http(home: Household) -> Http:
    return Http(holder=home.holder)


def path(given: Grant) -> str:
    return f"grants/{typed('gra', given.grant_id)}"


def now_is(home: Household, given: Grant) -> Grant:
    found = access.grant(home.holder, given.grant_id)
    assert found
    return found


def narrowings(home: Household) -> int:
    return len(ledger.receipts(home.holder.vault_id, home.holder.actor, limit=99, kind="grant.narrowed"))


def test_each_term_is_narrowed_with_a_receipt_and_a_new_etag(home: Household, given: Grant, http: Http) -> None:
    tag = http.send("GET", path(given)).headers["ETag"]
    until = (utc_now() + timedelta(hours=1)).isoformat()
    for body in ({"reads": 2}, {"until": until}, {"memories": [home.kitchen]}):
        answer = http.send("PATCH", path(given), body, If_Match=tag)
        assert answer.status_code == 200, answer.content
        assert answer.headers["ETag"] != tag
        tag = answer.headers["ETag"]
    assert narrowings(home) == 3
    left = now_is(home, given)
    assert (left.reads_left, left.memory_ids) == (2, {untyped("mem", home.kitchen)})
    assert left.expires_at.isoformat() == until
    client = home.as_client()
    assert client.read([home.kitchen, home.time]).withheld == {home.time: "grant-required"}


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"reads": 6}, "/reads"),
        ({"reads": 0}, "/reads"),
        ({"reads": -1}, "/reads"),
        ({"until": "2999-01-01T00:00:00Z"}, "/until"),
        ({"until": "2020-01-01T00:00:00Z"}, "/until"),
        ({"until": "soon"}, "/until"),
        ({"memories": []}, "/memories"),
        ({"memories": ["mem_" + "0" * 32]}, "/memories"),
        ({"purpose": "travel"}, ""),
        ({}, ""),
    ],
    ids=str,
)
def test_anything_but_less_is_refused_by_name_and_changes_nothing(
    home: Household, given: Grant, http: Http, body: dict[str, Any], pointer: str
) -> None:
    answer = http.send("PATCH", path(given), body, If_Match="*")
    assert answer.status_code == 422
    assert [each["pointer"] for each in answer.json()["errors"]] == [pointer]
    assert now_is(home, given) == given
    assert narrowings(home) == 0


def test_more_than_it_covers_is_refused_even_if_it_is_the_holder_s_own(
    home: Household, given: Grant, http: Http
) -> None:
    answer = http.send("PATCH", path(given), {"memories": [home.kitchen, home.budget]}, If_Match="*")
    assert (answer.status_code, answer.json()["code"]) == (422, "wider")


def test_without_its_etag_or_with_an_old_one_nothing_is_changed(home: Household, given: Grant, http: Http) -> None:
    tag = http.send("GET", path(given)).headers["ETag"]
    assert http.send("PATCH", path(given), {"reads": 4}).status_code == 428
    assert http.send("PATCH", path(given), {"reads": 4}, If_Match=tag).status_code == 200
    assert http.send("PATCH", path(given), {"reads": 3}, If_Match=tag).status_code == 412
    assert now_is(home, given).reads_left == 4


def test_reading_on_it_does_not_make_its_etag_stale(home: Household, given: Grant, http: Http) -> None:
    tag = http.send("GET", path(given)).headers["ETag"]
    assert home.as_client().read([home.kitchen]).handed
    assert http.send("PATCH", path(given), {"reads": 4}, If_Match=tag).status_code == 200


def test_of_two_narrowings_at_once_exactly_one_is_done(home: Household, given: Grant) -> None:
    tag = Http(holder=home.holder).send("GET", path(given)).headers["ETag"]
    pages = [Http(holder=home.holder) for _ in range(2)]
    sent = at_once(
        [
            lambda page=page, reads=reads: page.send("PATCH", path(given), {"reads": reads}, If_Match=tag).status_code
            for page, reads in zip(pages, (1, 4), strict=True)
        ]
    )
    assert sorted(map(str, sent)) == ["200", "412"]
    assert narrowings(home) == 1


def test_nothing_to_change_is_no_act(home: Household, given: Grant, http: Http) -> None:
    answer = http.send("PATCH", path(given), {"reads": 5}, If_Match="*")
    assert (answer.status_code, narrowings(home)) == (200, 0)


def test_what_has_ended_is_not_narrowed(home: Household, given: Grant, http: Http) -> None:
    http.send("POST", f"{path(given)}/revoke")
    answer = http.send("PATCH", path(given), {"reads": 1}, If_Match="*")
    assert answer.json()["code"] == "grant-ended"


def test_its_client_sees_it_and_cannot_change_it(home: Household, given: Grant) -> None:
    client = Http(home.key)
    assert client.send("GET", path(given)).json()["state"] == "live"
    assert client.send("PATCH", path(given), {"reads": 1}, If_Match="*").status_code == 403
    other = Http(access.register(home.holder, name="Other", now=utc_now())[1])
    assert other.send("GET", path(given)).status_code == 404
    assert other.send("GET", "grants").json()["items"] == []


def test_every_read_shows_on_it(home: Household, given: Grant, http: Http) -> None:
    fresh = http.send("GET", path(given)).json()
    assert (fresh["state"], fresh["reads_left"], fresh["reads_done"], fresh["last_used_at"]) == ("live", 5, 0, None)
    home.as_client().read([home.kitchen, home.time])
    used = http.send("GET", path(given)).json()
    assert (used["reads_left"], used["reads_done"]) == (4, 1), "two memories at once are one read"
    last = ledger.receipts(home.holder.vault_id, home.holder.actor, limit=1, kind="value.read")[0].at
    assert used["last_used_at"] == last.isoformat().replace("+00:00", "Z")
    assert used["lapses_at"] > fresh["lapses_at"]


def test_a_list_of_any_length_is_walked_to_its_end(home: Household, http: Http) -> None:
    for _ in range(5):
        wish = home.as_client().ask([home.kitchen])
        home.as_holder().decide(wish.request, {"ordinary": [home.kitchen]})
    seen, cursor = [], ""
    while True:
        page = http.send("GET", f"grants?limit=2{cursor}").json()
        seen += [each["id"] for each in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert seen == [typed("gra", each.grant_id) for each in access.grants(home.holder)]
    assert len(set(seen)) == 5
    assert http.send("GET", f"grants?cursor=gra_{'0' * 32}").status_code == 422
    mine = typed("cli", home.client.client_id)
    assert len(http.send("GET", f"grants?client={mine}").json()["items"]) == 5
    assert http.send("GET", f"grants?client=cli_{'0' * 32}").json()["items"] == []
