"""After each read a grant shows how many are left, how many were done and when it was last used, on every surface; and
on revoking it each says what has left by then.
"""

from datetime import timedelta

import pytest

from apps.access import services as access
from apps.policy.ids import typed
from apps.policy.types import Grant
from tests.drivers import Http
from tests.fixtures import Household
from tests.surfaces.web import browser, text_of
from vault.clock import utc_now


@pytest.fixture
def given(home: Household) -> Grant:
    wish = home.as_client().ask([home.kitchen])
    home.as_holder().decide(wish.request, {"ordinary": [home.kitchen]}, reads=3)
    return access.grants(home.holder)[0]


def seen(home: Household, given: Grant) -> Grant:
    found = access.grant(home.holder, given.grant_id)
    assert found is not None
    return found


def test_over_rest_to_its_client_and_to_the_holder(home: Household, given: Grant) -> None:
    client = Http(home.key)
    body = {"memories": [home.kitchen], "purpose": "meal_planning"}
    for left in (2, 1):
        read = client.send("POST", "reads", body, Idempotency_Key=f"read-{left}").json()
        assert [each["reads_left"] for each in read["handed_over"]] == [left]
        for party in (client, Http(holder=home.holder)):
            shown = party.send("GET", f"grants/{typed('gra', given.grant_id)}").json()
            assert (shown["reads_left"], shown["reads_done"]) == (left, 3 - left)
            assert shown["last_used_at"] is not None
            assert shown["last_used_at"] > shown["made_at"]


def test_over_mcp(home: Household, given: Grant, server: str) -> None:
    client = home.as_mcp(server)
    read = client.call("read_memories", memories=[home.kitchen], purpose="meal_planning")
    assert [each["reads_left"] for each in read["handed_over"]] == [2]
    (shown,) = client.call("check_request", request_id=typed("req", given.request_id))["grants"]  # type: ignore[arg-type]
    assert (shown["reads_left"], shown["reads_done"]) == (2, 1)
    assert shown["last_used_at"]


def test_on_the_page_of_assistants(home: Household, given: Grant) -> None:
    client = browser(home.holder)
    assert "3 reads left, 0 done" in text_of(client.get("/grants"))
    assert "never used" in text_of(client.get("/grants"))
    home.as_client().read([home.kitchen])
    page = text_of(client.get("/grants"))
    assert "2 reads left, 1 done" in page
    assert "last used <time" in page
    assert "Handed over 1 time, last on" in page
    assert "We can’t pull that back." in page


@pytest.mark.parametrize("what", ["grant", "client"])
def test_revoking_says_what_cannot_be_pulled_back(home: Household, given: Grant, what: str) -> None:
    home.as_client().read([home.kitchen])
    home.as_client().read([home.kitchen])
    if what == "grant":
        over_rest = Http(holder=home.holder).send("POST", f"grants/{typed('gra', given.grant_id)}/revoke").json()
        assert (over_rest["state"], over_rest["reads_done"]) == ("revoked", 2)
        assert over_rest["last_used_at"] == seen(home, given).last_used_at.isoformat().replace("+00:00", "Z")  # type: ignore[union-attr]
    else:
        path = f"/grants/{typed('cli', home.client.client_id)}/stop"
        page = text_of(browser(home.holder).post(path, follow=True))
        assert "Handed over 2 times, last on" in page
        assert "We can’t pull those back." in page
    page = text_of(browser(home.holder).get("/grants"))
    assert "Handed over 2 times" in page, "and it goes on being said"


def test_a_refused_read_changes_nothing_of_it(home: Household, given: Grant) -> None:
    access.pause(home.holder, home.client.client_id, True)
    assert home.as_client().read([home.kitchen]).withheld == {home.kitchen: "paused"}
    paused = seen(home, given)
    assert (paused.reads_left, paused.reads_done, paused.last_used_at, paused.paused) == (3, 0, None, True)
    over_rest = Http(holder=home.holder).send("GET", f"grants/{typed('gra', given.grant_id)}").json()
    assert (over_rest["state"], over_rest["paused"]) == ("paused", True)
    assert "paused" in text_of(browser(home.holder).get("/grants"))
    access.pause(home.holder, home.client.client_id, False)
    assert home.as_client().read([home.kitchen]).values
    assert seen(home, given).last_used_at > utc_now() - timedelta(minutes=1)  # type: ignore[operator]
