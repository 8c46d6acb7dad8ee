"""A suggestion that waits already says so, and that nothing of it was changed, on every road that a client takes."""

from tests.drivers import Http
from tests.fixtures import Household

SENT = {"label": "Tea", "value": "Green, no sugar", "derived_from": []}


def test_over_rest_it_is_no_new_one(home: Household) -> None:
    first = Http(home.key).send("POST", "proposals", {**SENT, "rationale": "You said so"})
    again = Http(home.key).send("POST", "proposals", {**SENT, "rationale": "You said so twice"})
    assert (first.status_code, again.status_code) == (201, 200)
    assert (first.json()["again"], again.json()["again"]) == (False, True)
    assert again.json() == {**first.json(), "again": True}
    assert again.headers["ETag"] == first.headers["ETag"]


def test_over_mcp_the_assistant_is_told_what_to_say(home: Household, server: str) -> None:
    tools = home.as_mcp(server)
    first, again = (tools.call("propose_memory", **SENT) for _ in range(2))
    assert first["proposal"] == again["proposal"]
    assert (first["again"], again["again"]) == (False, True)
    assert "already" in again["tell_the_user"] and first["tell_the_user"] != again["tell_the_user"]
