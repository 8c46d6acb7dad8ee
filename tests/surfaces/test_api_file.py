"""The holder's file, proposals, clients and grants over REST."""

import pytest

from tests.drivers import Http
from tests.fixtures import BUDGET, INSULIN, KITCHEN, VALUES, Household


@pytest.fixture
def holder(home: Household) -> Http:
    return Http(holder=home.holder)


def test_the_file_lists_labels_and_shows_values_on_request(home: Household, holder: Http) -> None:
    response = holder.send("GET", "memories")
    assert not any(value in response.content.decode() for value in VALUES)
    assert {each["id"] for each in response.json()["items"]} == {home.kitchen, home.time, home.budget, home.insulin}
    shown = holder.call("POST", "memories/show", {"memories": [home.kitchen, home.budget, home.insulin]})
    values = {each["memory"]: each["value"] for each in shown["values"]}
    assert values == {home.kitchen: KITCHEN, home.budget: BUDGET, home.insulin: INSULIN}
    assert holder.call("GET", f"receipts/{shown['values'][0]['receipt']}")["kind"] == "value.shown"


def test_the_file_is_paged_and_filtered(home: Household, holder: Http) -> None:
    first = holder.call("GET", "memories?limit=3")
    second = holder.call("GET", f"memories?limit=3&cursor={first['next_cursor']}")
    assert (len(first["items"]), len(second["items"]), second["next_cursor"]) == (3, 1, None)
    health = holder.call("GET", "memories?category=health")["items"]
    assert [(each["id"], each["label"], each["neutral_label"]) for each in health] == [
        (home.insulin, "Insulin at breakfast", "A health memory")
    ]


def test_a_correction_needs_the_current_etag(home: Household, holder: Http) -> None:
    path = f"memories/{home.kitchen}"
    tag = holder.send("GET", path).headers["ETag"]
    assert holder.send("GET", path, If_None_Match=tag).status_code == 304
    assert holder.call("PATCH", path, {"value": "An oven"}).code == "precondition-required"
    assert holder.call("PATCH", path, {"value": "An oven"}, If_Match='"old"').code == "precondition-failed"
    changed = holder.send("PATCH", path, {"value": "An oven", "label": "Kitchen"}, If_Match=tag)
    assert (changed.json()["version"], changed.json()["label"]) == (2, "Kitchen")
    assert holder.call("PATCH", path, {"value": "A grill"}, If_Match=tag).code == "precondition-failed"
    assert holder.call("PATCH", path, {"value": "A grill"}, If_Match=changed.headers["ETag"])["version"] == 3
    history = holder.call("GET", f"{path}/history")["versions"]
    assert [each["version"] for each in history] == [3, 2, 1]
    assert KITCHEN not in str(history)


def test_put_away_and_back(home: Household, holder: Http) -> None:
    path = f"memories/{home.kitchen}"
    away = holder.call("PATCH", path, {"state": "withdrawn"}, If_Match="*")
    assert away["state"] == "withdrawn"
    assert home.kitchen not in {each.memory for each in home.as_client().subjects()}
    assert holder.call("PATCH", path, {"state": "approved"}, If_Match="*")["state"] == "approved"
    assert home.kitchen in {each.memory for each in home.as_client().subjects()}


@pytest.mark.parametrize("body", [{}, {"label": "x"}, {"value": "x", "state": "withdrawn"}, {"state": "erased"}])
def test_a_change_is_a_correction_or_a_state(home: Household, holder: Http, body: dict[str, str]) -> None:
    assert holder.call("PATCH", f"memories/{home.kitchen}", body, If_Match="*").code == "validation"


def test_a_proposal_is_nothing_until_the_holder_approves_it(home: Household, holder: Http) -> None:
    client = home.as_client()
    made = client.propose("Spices", "No coriander", rationale="You said so", subject="kitchen.spices")
    assert client.propose("Spices", "No coriander", rationale="You said so", subject="kitchen.spices") == made
    assert "Spices" not in {each.label for each in client.subjects()}
    waiting = holder.call("GET", "proposals")["items"]
    assert [(each["id"], each["label"], each["rationale"]) for each in waiting] == [
        (made.proposal, "Spices", "You said so")
    ]
    path = f"proposals/{made.proposal}/decision"
    assert Http(home.key).call("POST", path, {"decision": "approve"}).code == "holder-only"
    approved = holder.call("POST", path, {"decision": "approve"})
    assert approved["proposal"]["status"] == "approved"
    assert holder.call("POST", path, {"decision": "reject"}).code == "already-decided"
    shown = holder.call("POST", "memories/show", {"memories": [approved["memory"]["id"]]})
    assert [each["value"] for each in shown["values"]] == ["No coriander"]
    assert [each["status"] for each in Http(home.key).call("GET", "proposals")["items"]] == ["approved"]


def test_what_was_rejected_is_not_proposed_again(home: Household, holder: Http) -> None:
    client = home.as_client()
    made = client.propose("Spices", "No coriander")
    assert holder.call("POST", f"proposals/{made.proposal}/decision", {"decision": "reject"})["memory"] is None
    assert client.propose("Spices", "No coriander").code == "already-rejected"


@pytest.mark.parametrize("field", ["category", "neutral_label", "attested", "claim", "state"])
def test_what_only_the_approver_sets_is_refused_by_name(home: Household, field: str) -> None:
    response = Http(home.key).send("POST", "proposals", {"label": "a", "value": "b", field: "health"})
    assert (response.status_code, response.json()["code"]) == (422, "field-not-allowed")
    assert [each["pointer"] for each in response.json()["errors"]] == [f"/{field}"]


def test_each_field_that_only_the_approver_sets_is_named(home: Household) -> None:
    sent = {"label": "a", "value": "b", "category": "health", "state": "approved", "claim": "budget"}
    told = Http(home.key).send("POST", "proposals", sent).json()
    assert {each["pointer"] for each in told["errors"]} == {"/category", "/state", "/claim"}


def test_a_client_is_registered_paused_given_keys_and_ended(holder: Http) -> None:
    made = holder.call("POST", "clients", {"name": "Planner", "domain": "planner.example"})
    client_id, key = made["client"]["id"], made["api_key"]
    assert key.startswith("mnk_")
    assert Http(key).call("GET", "me")["client"] == client_id
    assert key not in str(holder.call("GET", "clients"))
    assert holder.call("POST", f"clients/{client_id}/pause")["paused"] is True
    assert holder.call("POST", f"clients/{client_id}/resume")["paused"] is False
    assert holder.call("POST", f"clients/{client_id}/local")["local"] is True
    assert holder.call("POST", f"clients/{client_id}/hosted")["local"] is False
    second = holder.call("POST", f"clients/{client_id}/keys")
    first_id = made["client"]["keys"][0]["id"]
    assert holder.call("POST", f"keys/{first_id}/revoke")["revoked_at"]
    assert Http(key).call("GET", "me").code == "unauthenticated"
    assert Http(second["api_key"]).call("GET", "me")["name"] == "Planner"
    assert holder.call("POST", f"clients/{client_id}/revoke")["revoked_at"]
    assert Http(second["api_key"]).call("GET", "me").code == "unauthenticated"


def test_grants_are_seen_by_both_and_ended_by_the_holder(home: Household, holder: Http) -> None:
    client = home.as_client()
    wish = client.ask([home.kitchen, home.time])
    assert [each["id"] for each in holder.call("GET", "access-requests")["items"]] == [wish.request]
    seen = holder.call("GET", f"access-requests/{wish.request}")
    assert {each["label"] for each in seen["parts"][0]["memories"]} == {"Kitchen equipment", "Cooking time"}
    decided = home.as_holder().decide(wish.request, {"ordinary": [home.kitchen]})
    assert decided == "partly_granted"
    assert home.as_holder().decide(wish.request, {"ordinary": [home.time]}).code == "already-decided"
    mine, own = holder.call("GET", "grants")["items"], Http(home.key).call("GET", "grants")["items"]
    assert mine == own
    assert [each["memories"] for each in mine] == [[home.kitchen]]
    ended = holder.call("POST", f"grants/{mine[0]['id']}/revoke")
    assert ended["revoked_at"]


def test_a_no_starts_a_cool_down(home: Household) -> None:
    client = home.as_client()
    wish = client.ask(categories=["health"])
    home.as_holder().decide(wish.request, {"special:health": []})
    response = Http(home.key).send(
        "POST", "access-requests", {"items": [{"category": "health"}], "purpose": "meal_planning"}
    )
    told = response.json()
    assert (response.status_code, told["code"]) == (403, "cool-down")
    assert told["cool_down_until"]
    assert told["next"] == {"action": "answer_without"}
