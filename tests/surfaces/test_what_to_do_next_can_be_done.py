"""What a no says to do next can be done as it stands: an address in it is whole, and one that this caller may call."""

import json
from typing import Any
from uuid import UUID

import pytest

from apps.api import problems
from apps.memories import services as memories
from apps.policy.ids import untyped
from tests.drivers import Http
from tests.fixtures import Household
from vault.clock import utc_now

NOWHERE = "0" * 32


def made(client: Http, **words: Any) -> str:
    """A suggestion, by its id."""
    answer = client.send("POST", "proposals", words)
    assert answer.status_code == 201, answer.content
    return str(answer.json()["id"])


def allowed(home: Household) -> None:
    """The client may read about the kitchen, and so is shown it."""
    asked = home.as_client().ask([home.kitchen])
    home.as_holder().decide(asked.request, {"ordinary": [home.kitchen]}, reads=None)  # type: ignore[union-attr]


def changed(home: Household, value: str) -> None:
    memories.correct(home.holder, uuid(home.kitchen), value=value, now=utc_now())


def uuid(name: str) -> UUID:
    found = untyped("mem", name)
    assert found is not None
    return found


def follow(caller: Http, told: dict[str, Any]) -> Any:
    """Call the address that a no names, as it stands."""
    then = told["next"]
    assert "{" not in then["href"], then
    answer = caller.send(then["method"], then["href"], {} if then["method"] == "POST" else None)
    assert answer.status_code not in (403, 404, 405), (then, answer.content)
    return answer


def test_no_address_in_the_table_has_a_blank_to_fill_in() -> None:
    assert not [code for code, kind in problems.KINDS.items() if kind.next and "{" in kind.next.get("href", "")]


def test_a_read_that_waits_for_the_holder_says_where_that_is_told(home: Household) -> None:
    client = Http(home.key)
    wish = home.as_client().ask([home.kitchen])
    body = {"purpose": "meal_planning", "memories": [home.kitchen]}
    for _ in range(2):  # the second is the same read again
        (told,) = client.send("POST", "reads", body, Idempotency_Key="one").json()["withheld"]
        assert (told["problem"], told["next"]["action"]) == ("grant-pending", "poll")
        assert told["next"]["href"].endswith(wish.request)  # type: ignore[union-attr]
    assert follow(client, told).json()["status"] == "pending"


def test_a_suggestion_that_is_stale_says_where_it_is_rebased(home: Household) -> None:
    client, holder = Http(home.key), Http(holder=home.holder)
    allowed(home)
    proposal = made(client, directive="correct", target=home.kitchen, value="A gas hob", derived_from=[])
    changed(home, "An induction hob")
    told = holder.send("POST", f"proposals/{proposal}/decision", {"decision": "approve"}).json()
    assert (told["code"], told["next"]["action"]) == ("stale", "rebase")
    assert follow(holder, told).json()["id"] == proposal


def test_an_undo_that_comes_too_late_says_where_the_memory_is_put_right(home: Household) -> None:
    client, holder = Http(home.key), Http(holder=home.holder)
    allowed(home)
    first = made(client, directive="correct", target=home.kitchen, value="A gas hob", derived_from=[])
    holder.send("POST", f"proposals/{first}/decision", {"decision": "approve"})
    second = made(client, directive="correct", target=home.kitchen, value="A wood stove", derived_from=[])
    holder.send("POST", f"proposals/{second}/decision", {"decision": "approve"})
    told = holder.send("POST", "proposals/undo", {"proposal": first}).json()
    assert told["code"] == "undo-later-first"
    assert any(each["proposal"] == second for each in follow(holder, told).json()["versions"])
    changed(home, "An induction hob")
    told = holder.send("POST", "proposals/undo", {"proposal": second}).json()
    assert (told["code"], told["next"]["action"]) == ("stale", "reaffirm")
    assert follow(holder, told).status_code == 422  # the version has to be said


@pytest.mark.parametrize("decision", ["pending", "reject", "undone"])
def test_what_was_not_approved_is_not_said_to_be_decided_when_it_is_undone(home: Household, decision: str) -> None:
    client, holder = Http(home.key), Http(holder=home.holder)
    proposal = made(client, label="Bread", value="Rye")
    if decision == "reject":
        holder.send("POST", f"proposals/{proposal}/decision", {"decision": "reject"})
    if decision == "undone":
        holder.send("POST", f"proposals/{proposal}/decision", {"decision": "approve"})
        assert holder.send("POST", "proposals/undo", {"proposal": proposal}).status_code == 200
    told = holder.send("POST", "proposals/undo", {"proposal": proposal}).json()
    assert (told["status"], told["title"]) == (409, "Nothing to undo")
    assert follow(holder, told).json()["id"] == proposal


@pytest.mark.parametrize("deed", ["lift", "rebase"])
def test_what_cannot_be_lifted_or_rebased_is_said_to_be_so_and_where_it_is_looked_at(
    home: Household, deed: str
) -> None:
    holder = Http(holder=home.holder)
    proposal = made(Http(home.key), label="Bread", value="Rye")
    told = holder.send("POST", f"proposals/{proposal}/{deed}").json()
    assert (told["status"], told["title"]) == (404, f"Nothing to {deed}")
    assert follow(holder, told).json()["id"] == proposal


def test_what_is_to_be_fetched_again_has_its_address(home: Household) -> None:
    client, holder = Http(home.key), Http(holder=home.holder)
    proposal = made(client, label="Bread", value="Rye")
    waiting = made(client, label="Butter", value="Salted")
    ended, pending = (f"/api/v1/proposals/{each}" for each in (proposal, waiting))
    holder.send("POST", f"{ended}/decision", {"decision": "reject"})
    for caller, at, deed, body, sent in (
        (holder, ended, "decision", {"decision": "approve"}, {}),
        (client, ended, "withdraw", {}, {}),
        (holder, pending, "decision", {"decision": "reject"}, {"If_Match": '"0"'}),
    ):
        path = f"{at}/{deed}"
        told = caller.send("POST", path, body, **sent).json()
        assert told["next"] == {"action": "refetch", "method": "GET", "href": at}
        follow(caller, told)
    memory = f"/api/v1/memories/{home.kitchen}"
    for path in (memory, f"{memory}/revert"):
        told = holder.send("PATCH" if path == memory else "POST", path, {"value": "x"} if path == memory else {}).json()
        assert (told["code"], told["next"]["href"]) == ("precondition-required", memory)


def test_what_is_part_of_another_says_so_when_it_is_changed(home: Household) -> None:
    holder = Http(holder=home.holder)
    assert holder.send("POST", "merges", {"kept": home.kitchen, "merged": home.time}).status_code == 201
    at = f"memories/{home.time}"
    for method, path, body in (("PATCH", at, {"value": "An hour"}), ("POST", f"{at}/reaffirm", {"version": 1})):
        told = holder.send(method, path, body, If_Match="*").json()
        assert (told["status"], told["code"], told["title"]) == (404, "not-found", "It is part of another")
        assert home.time in {each["merged"] for each in follow(holder, told).json()["items"]}


@pytest.mark.parametrize("deed", ["reaffirm", "cancel"])
def test_a_version_there_is_none_of_leads_to_those_there_are(home: Household, deed: str) -> None:
    holder = Http(holder=home.holder)
    told = holder.send("POST", f"memories/{home.kitchen}/{deed}", {"version": 7}, If_Match="*").json()
    assert (told["code"], told["title"]) == ("not-found", "No such version")
    assert [each["version"] for each in follow(holder, told).json()["versions"]] == [1]


def test_a_subject_that_is_taken_by_now_is_not_to_be_chosen_where_it_is_only_given_back(home: Household) -> None:
    holder = Http(holder=home.holder)
    subject = holder.send("GET", f"memories/{home.time}").json()["subject"]
    merge = holder.send("POST", "merges", {"kept": home.kitchen, "merged": home.time}).json()["id"]
    holder.send("POST", "memories", {"label": "Evenings", "value": "Half an hour", "subject": subject})
    told = holder.send("POST", f"merges/{merge}/part").json()
    assert (told["code"], "Move that one" in told["detail"]) == ("subject-taken", True)


def test_an_erasure_is_said_never_to_be_undone(home: Household) -> None:
    client, holder = Http(home.key), Http(holder=home.holder)
    allowed(home)
    proposal = made(client, directive="erase", target=home.kitchen)
    assert holder.send("POST", f"proposals/{proposal}/decision", {"decision": "approve"}).status_code == 200
    told = holder.send("POST", "proposals/undo", {"proposal": proposal}).json()
    assert (told["code"], told["title"]) == ("undo-over", "Never undone")


def test_a_move_on_top_of_a_move_leads_to_what_was_approved(home: Household) -> None:
    client, holder = Http(home.key), Http(holder=home.holder)
    allowed(home)
    moves = []
    for subject in ("home.stove", "home.oven"):
        moves.append(made(client, directive="rescope", target=home.kitchen, subject=subject))
        holder.send("POST", f"proposals/{moves[-1]}/decision", {"decision": "approve"})
    told = holder.send("POST", "proposals/undo", {"proposal": moves[0]}).json()
    assert told["code"] == "undo-later-first"
    assert moves[1] in {each["id"] for each in follow(holder, told).json()["items"]}


def test_an_erased_target_is_not_said_to_leave_a_suggestion_to_reject(home: Household) -> None:
    client, holder = Http(home.key), Http(holder=home.holder)
    allowed(home)
    proposal = made(client, directive="correct", target=home.kitchen, value="A gas hob", derived_from=[])
    assert holder.send("POST", "erasures", {"memories": [home.kitchen]}).status_code == 201
    told = holder.send("POST", f"proposals/{proposal}/decision", {"decision": "approve"}).json()
    assert (told["code"], "reject" in told["detail"]) == ("target-gone", False)


def test_a_yes_to_many_drops_no_reason_unsaid(home: Household) -> None:
    proposal = made(Http(home.key), label="Bread", value="Rye")
    body = {"decision": "approve", "reason": "Good bread", "items": [{"proposal": proposal, "revision": 1}]}
    told = Http(holder=home.holder).send("POST", "proposals/decisions", body).json()
    assert (told["status"], told["errors"][0]["pointer"]) == (422, "/reason")


def test_an_assistant_is_sent_to_no_tool_that_does_not_know_of_it(home: Household, server: str) -> None:
    proposal = made(Http(home.key), label="Bread", value="Rye")
    Http(holder=home.holder).send("POST", f"proposals/{proposal}/decision", {"decision": "reject"})
    got = home.as_mcp(server).run(lambda sdk: sdk.call_tool("propose_memory", {"withdraw": proposal}))
    told = json.loads(got.content[0].text)
    assert (told["code"], told["next"]["tool"]) == ("already-decided", None)


def test_nobody_is_sent_where_they_may_not_go(home: Household) -> None:
    client, holder = Http(home.key), Http(holder=home.holder)
    lost = [("GET", f"memories/mem_{NOWHERE}"), ("GET", f"proposals/prp_{NOWHERE}"), ("GET", f"edges?of=mem_{NOWHERE}")]
    for method, path in lost:
        told = holder.send(method, path).json()
        assert (told["code"], told["next"]) == ("not-found", None)
    told = client.send("GET", f"proposals/prp_{NOWHERE}").json()
    assert (told["code"], told["next"]["href"]) == ("not-found", "/api/v1/subjects")
    follow(client, told)
