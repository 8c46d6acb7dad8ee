"""Suggestions about edges and about two that are one, over REST: what cannot be is refused where its client was shown
why, what is gone is said to be, and an undo takes back what the yes did and no more.
"""

import secrets
from typing import Any

import pytest

from tests.drivers import Http, signed_in
from tests.fixtures import Household


class Desk:
    """A household whose client reads about its kitchen and its time; what is suggested and decided there."""

    def __init__(self, home: Household) -> None:
        self.home, self.client, self.holder = home, Http(home.key), Http(holder=home.holder)
        wish = home.as_client().ask([home.kitchen, home.time])
        home.as_holder().decide(wish.request, {"ordinary": [home.kitchen, home.time]}, reads=None)  # type: ignore[union-attr]

    def entity(self, name: str, kind: str = "person") -> str:
        return str(self.holder.send("POST", "entities", {"kind": kind, "name": name}).json()["id"])

    def edge(self, start: str, end: str, kind: str = "about", **dates: str) -> str:
        answer = self.holder.send("POST", "edges", {"kind": kind, "from": start, "to": end, **dates})
        assert answer.status_code in (200, 201), answer.content
        return str(answer.json()["id"])

    def told(self) -> None:
        """The client reads, and is told of the edges and entities beside."""
        body = {"purpose": "meal_planning", "memories": [self.home.kitchen, self.home.time]}
        answer = self.client.send("POST", "reads", body, Idempotency_Key=secrets.token_hex(8))
        assert len(answer.json()["handed_over"]) == 2

    def suggest(self, directive: str, **words: Any) -> Any:
        return self.client.send("POST", "proposals", {"directive": directive, **words})

    def suggested(self, directive: str, **words: Any) -> str:
        answer = self.suggest(directive, **words)
        assert answer.status_code == 201, answer.content
        proposal = str(answer.json()["id"])
        self.holder.send("GET", f"proposals/{proposal}")  # it was compared with what is kept by then
        return proposal

    def approve(self, proposal: str) -> Any:
        return self.holder.send("POST", f"proposals/{proposal}/decision", {"decision": "approve"})

    def undo(self, proposal: str) -> Any:
        return self.holder.send("POST", "proposals/undo", {"proposal": proposal})

    def standing(self, memory: str) -> set[str]:
        """To whom or what its edges lead that stand."""
        found = self.holder.send("GET", f"edges?of={memory}").json()["edges"]
        return {each["other"] for each in found if each["edge"]["ended_at"] is None}


@pytest.fixture
def desk(home: Household) -> Desk:
    return Desk(home)


def test_an_undo_leaves_the_edge_that_stood_there_before(desk: Desk) -> None:
    ana, bea, kitchen = desk.entity("Ana"), desk.entity("Bea"), desk.home.kitchen
    wrong = desk.edge(kitchen, ana)
    desk.edge(kitchen, bea)
    desk.told()
    proposal = desk.suggested("supersede_edge", target=wrong, other=bea)
    assert desk.approve(proposal).status_code == 200
    assert desk.standing(kitchen) == {bea}
    assert desk.undo(proposal).status_code == 200
    assert desk.standing(kitchen) == {ana, bea}


def test_an_undo_ends_the_edge_that_the_yes_drew(desk: Desk) -> None:
    ana, bea, kitchen = desk.entity("Ana"), desk.entity("Bea"), desk.home.kitchen
    wrong = desk.edge(kitchen, ana)
    desk.edge(desk.home.time, bea)  # by which the client knows of her
    desk.told()
    proposal = desk.suggested("supersede_edge", target=wrong, other=bea)
    assert desk.approve(proposal).status_code == 200
    assert desk.undo(proposal).status_code == 200
    assert desk.standing(kitchen) == {ana}


def test_an_edge_does_not_end_before_it_began(desk: Desk) -> None:
    edge = desk.edge(desk.home.kitchen, desk.entity("Ana"), valid_from="2026-05-01")
    desk.told()
    answer = desk.suggest("retract_edge", target=edge, valid_to="2026-01-01")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "/valid_to"
    assert desk.approve(desk.suggested("retract_edge", target=edge, valid_to="2026-06-01")).status_code == 200


@pytest.mark.parametrize("what", ["edge", "other", "merged", "kept"])
def test_what_is_gone_is_said_to_be_gone_and_can_be_rejected(desk: Desk, what: str) -> None:
    ana, bea = desk.entity("Ana"), desk.entity("Bea")
    edge = desk.edge(desk.home.kitchen, ana)
    desk.edge(desk.home.time, bea)
    desk.told()
    if what == "edge":
        proposal = desk.suggested("retract_edge", target=edge)
        desk.holder.send("POST", f"edges/{edge}/end", {})
    elif what == "other":
        proposal = desk.suggested("merge", target=desk.home.kitchen, other=desk.home.time)
        desk.holder.send("PATCH", f"memories/{desk.home.time}", {"state": "withdrawn"}, If_Match="*")
    else:
        kept, merged = (ana, bea) if what == "merged" else (bea, ana)
        proposal = desk.suggested("merge", target=kept, other=merged)
        desk.holder.send("POST", "merges", {"kept": ana, "merged": bea})
    page = signed_in(desk.home.holder).post("/inbox/show", {"proposal": proposal}).content.decode()
    assert "There is nothing to do but to reject it." in page and "Make it so" not in page
    told = desk.approve(proposal).json()
    assert (told["status"], told["code"], told["next"], told["errors"]) == (409, "target-gone", None, [])
    assert "Reject the suggestion" in told["detail"]
    assert desk.holder.send("POST", f"proposals/{proposal}/decision", {"decision": "reject"}).status_code == 200


def test_what_is_there_can_be_made_so_on_its_card(desk: Desk) -> None:
    ana, bea = desk.entity("Ana"), desk.entity("Bea")
    edge = desk.edge(desk.home.kitchen, ana)
    desk.edge(desk.home.time, bea)
    desk.told()
    for proposal in (
        desk.suggested("supersede_edge", target=edge, other=bea),
        desk.suggested("merge", target=ana, other=bea),
        desk.suggested("merge", target=desk.home.kitchen, other=desk.home.time),
    ):
        page = signed_in(desk.home.holder).post("/inbox/show", {"proposal": proposal}).content.decode()
        assert "Make it so" in page and "not in the file any more" not in page


def test_a_field_that_the_yes_does_not_have_is_not_named(desk: Desk) -> None:
    ana, porto = desk.entity("Ana"), desk.entity("Bea")
    desk.edge(desk.home.kitchen, ana)
    desk.edge(desk.home.time, porto)
    desk.told()
    proposal = desk.suggested("merge", target=ana, other=porto)
    desk.holder.send("PATCH", f"entities/{porto}", {"kind": "place"}, If_Match="*")
    told = desk.approve(proposal).json()
    assert (told["status"], told["errors"][0]["pointer"]) == (422, "")
    assert "two kinds" in told["errors"][0]["detail"]


def test_an_edge_that_stands_is_found_and_its_dates_are_not_dropped_unsaid(desk: Desk) -> None:
    ends = {"kind": "about", "from": desk.home.kitchen, "to": desk.entity("Ana")}
    first = desk.holder.send("POST", "edges", ends)
    again = desk.holder.send("POST", "edges", ends)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    told = desk.holder.send("POST", "edges", {**ends, "valid_from": "2026-01-01"})
    assert (told.status_code, told.json()["errors"][0]["pointer"]) == (422, "/valid_from")
    edge = first.json()["id"]
    ended = desk.holder.send("POST", f"edges/{edge}/end", {"valid_to": "2026-03-01"})
    assert ended.json() == desk.holder.send("POST", f"edges/{edge}/end", {"valid_to": "2026-03-01"}).json()
    assert ended.json() == desk.holder.send("POST", f"edges/{edge}/end", {}).json()
    told = desk.holder.send("POST", f"edges/{edge}/end", {"valid_to": "2026-04-01"})
    assert (told.status_code, told.json()["errors"][0]["pointer"]) == (422, "/valid_to")


@pytest.mark.parametrize("directive", ["correct", "revert", "erase"])
def test_a_target_and_a_subject_that_name_two_memories_are_refused(desk: Desk, directive: str) -> None:
    shown = {each["memory"]: each["subject"] for each in desk.client.send("GET", "subjects").json()["items"]}
    kitchen, time = desk.home.kitchen, desk.home.time
    words = {"value": "An induction hob", "derived_from": []} if directive == "correct" else {}
    answer = desk.suggest(directive, target=kitchen, subject=shown[time], **words)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/subject")
    answer = desk.suggest(directive, target=kitchen, subject="nothing.here", **words)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (404, "/subject")
    assert desk.suggest(directive, target=kitchen, subject=shown[kitchen], **words).status_code == 201


def test_one_that_was_looked_at_twice_is_not_decided_on_blindly(desk: Desk) -> None:
    proposal = desk.client.send("POST", "proposals", {"label": "Bread", "value": "Rye", "derived_from": []}).json()[
        "id"
    ]
    items = [{"proposal": proposal, "revision": 2}, {"proposal": proposal, "revision": 1}]
    told = desk.holder.send("POST", "proposals/decisions", {"decision": "approve", "items": items})
    assert (told.status_code, told.json()["errors"][0]["pointer"]) == (422, "/items")
    twice = desk.holder.send("POST", "proposals/decisions", {"decision": "approve", "items": [items[1]] * 2})
    assert [each["outcome"] for each in twice.json()["items"]] == ["applied"]
