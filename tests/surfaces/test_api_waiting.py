"""Polling a request: too fast is slowed down, a long poll answers as soon as the holder decided."""

import threading
import time

from django.db import connections

from tests.drivers import Http
from tests.fixtures import Household


def test_polling_too_fast_is_slowed_down(home: Household) -> None:
    client, http = home.as_client(), Http(home.key)
    wish = client.ask([home.kitchen])
    assert client.check(wish.request).status == "pending"
    response = http.send("GET", f"access-requests/{wish.request}")
    assert (response.status_code, response.json()["code"]) == (429, "slow-down")
    assert int(response.headers["Retry-After"]) == response.json()["retry_after_seconds"] == 10
    home.as_holder().decide(wish.request, {"ordinary": [home.kitchen]})
    assert client.check(wish.request).status == "granted"
    assert client.check(wish.request).status == "granted"  # a decided one may be looked at as often as one likes


def test_a_long_poll_answers_when_it_is_decided(home: Household) -> None:
    client, holder, http = home.as_client(), home.as_holder(), Http(home.key)
    wish = client.ask([home.kitchen])

    def decide() -> None:
        time.sleep(0.5)
        holder.decide(wish.request, {"ordinary": [home.kitchen]})
        connections.close_all()

    press = threading.Thread(target=decide)
    press.start()
    began = time.monotonic()
    response = http.send("GET", f"access-requests/{wish.request}", Prefer="respond-async, wait=20")
    took = time.monotonic() - began
    press.join()
    assert response.json()["status"] == "granted"
    assert response.headers["Preference-Applied"] == "wait=20"
    assert [each["memories"] for each in response.json()["grants"]] == [[home.kitchen]]
    assert took < 10


def test_a_long_poll_ends_undecided(home: Household) -> None:
    wish = home.as_client().ask([home.kitchen])
    got = Http(home.key).call("GET", f"access-requests/{wish.request}", Prefer="wait=1")
    assert got["status"] == "pending"
    assert got["next"]["action"] == "poll"


def test_the_same_request_is_found_again_and_can_be_taken_back(home: Household) -> None:
    client = home.as_client()
    wish = client.ask([home.kitchen], ["health"])
    assert wish.parts == {"ordinary": "pending", "special:health": "pending"}
    assert client.ask([home.kitchen], ["health"]) == wish
    assert client.cancel(wish.request).parts == {"ordinary": "cancelled", "special:health": "cancelled"}
    assert client.cancel(wish.request).code == "already-decided"
