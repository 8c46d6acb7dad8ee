"""The chat over REST: ask, decide, the answer in one piece or as events, and again without one memory."""

import http.client
import json
from urllib.parse import urlsplit

from tests.drivers import Http, signed_in
from tests.fixtures import KITCHEN, VALUES, Household

QUESTION = "Which kitchen equipment do I have?"


def events(
    home: Household, address: str, method: str, path: str, body: object = None
) -> list[tuple[str, dict[str, object]]]:
    """Call the running server for a stream, as a browser signed in would, and read it to its end."""
    browser = signed_in(home.holder)
    token = "t" * 32
    cookies = f"sessionid={browser.cookies['sessionid'].value}; csrftoken={token}"
    headers = {"Cookie": cookies, "X-CSRFToken": token, "Accept": "text/event-stream"}
    headers["Content-Type"] = "application/json"
    connection = http.client.HTTPConnection(str(urlsplit(address).netloc), timeout=30)
    connection.request(method, f"/api/v1/{path}", json.dumps(body) if body else None, headers)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    assert (response.status, response.headers["Content-Type"]) == (200, "text/event-stream"), text
    assert response.headers["Cache-Control"] == "no-store"
    pairs = [block.split("\n") for block in text.strip().split("\n\n")]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in pairs]


def test_asking_offers_and_reads_nothing(home: Household) -> None:
    response = Http(holder=home.holder).send("POST", "turns", {"question": QUESTION})
    told = response.json()
    assert (response.status_code, told["status"], told["answer"]) == (201, "offered", "")
    assert home.kitchen in {memory["id"] for part in told["card"] for memory in part["memories"]}
    assert not any(value in response.content.decode() for value in VALUES)


def test_the_answer_names_the_receipt_of_what_it_used(home: Household) -> None:
    holder, http_ = home.as_holder(), Http(holder=home.holder)
    asked = holder.ask_turn(QUESTION)
    told = http_.call("POST", f"turns/{asked.turn}/decision", {"ordinary": [home.kitchen]})
    assert told["status"] == "answered"
    assert KITCHEN in told["answer"]
    used = {item["memory"]: item for item in told["items"]}[home.kitchen]
    assert used["state"] == "handed-over"
    assert http_.call("GET", f"receipts/{used['receipt']}")["turn"] == asked.turn
    assert http_.call("GET", f"receipts/{told['receipt']}")["kind"] == "turn.answered"
    assert http_.call("POST", f"turns/{asked.turn}/decision", {"ordinary": []}).code == "already-decided"


def test_without_a_memory_the_answer_changes_and_says_where(home: Household) -> None:
    holder, http_ = home.as_holder(), Http(holder=home.holder)
    asked = holder.ask_turn(QUESTION)
    holder.decide_turn(asked.turn, [home.kitchen])
    again = http_.call("POST", f"turns/{asked.turn}/without", {"memory": home.kitchen})
    assert again["without_of"] == asked.turn
    assert KITCHEN not in again["answer"]
    assert any(sentence["changed"] for sentence in again["compared"])
    assert http_.call("POST", f"turns/{asked.turn}/without", {"memory": home.time}).code == "not-found"


def test_the_answer_comes_as_events(home: Household, server: str) -> None:
    asked = home.as_holder().ask_turn(QUESTION)
    found = events(home, server, "POST", f"turns/{asked.turn}/decision", {"ordinary": [home.kitchen]})
    assert {name for name, _ in found[:-1]} <= {"delta"}
    assert found[-1][0] == "answered"
    assert KITCHEN in str(found[-1][1]["answer"])


def test_watching_spends_nothing(home: Household, server: str) -> None:
    holder = home.as_holder()
    asked = holder.ask_turn(QUESTION)
    holder.decide_turn(asked.turn, [home.kitchen])
    before = Http(holder=home.holder).call("GET", "receipts?limit=1")["items"]
    found = events(home, server, "GET", f"turns/{asked.turn}/stream")
    assert [name for name, _ in found] == ["answered"]
    assert Http(holder=home.holder).call("GET", "receipts?limit=1")["items"] == before
