"""Keeping many at once, on the page: exactly what it showed, as it stood then; and the same form twice is one go."""

import html
import re
from typing import Any

import pytest

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.ids import typed, untyped
from apps.policy.types import Caller, Proposal
from apps.policy.vocabulary import Directive, ProposalStatus
from tests.drivers import Http
from tests.fixtures import Household
from tests.surfaces.web import browser, last_seq, text_of
from vault.clock import utc_now


@pytest.fixture
def caller(home: Household) -> Caller:
    found = access.authenticate(home.key, utc_now())
    assert found is not None
    return found


def suggested(caller: Caller, label: str, **more: Any) -> Proposal:
    made = memories.propose(caller, label=label, value=f"It says {label}", now=utc_now(), **more)
    assert isinstance(made, Proposal), made
    return made


def prp(made: Proposal) -> str:
    return typed("prp", made.proposal_id)


def corrected(home: Household, caller: Caller) -> Proposal:
    kitchen = untyped("mem", home.kitchen)
    assert kitchen is not None
    return suggested(caller, "Hob", directive=Directive.CORRECT, target=kitchen, known=[kitchen])


def form_of(client: Any, *made: Proposal) -> dict[str, str]:
    """The form that keeps all that the page shows of these."""
    page = text_of(client.post("/inbox/show", {"proposal": [prp(each) for each in made]}))
    (signed,) = re.findall(r'name="reviewed"\s+value="([^"]+)"', page)
    return {"reviewed": html.unescape(signed)}


def status(home: Household, made: Proposal) -> ProposalStatus:
    found = memories.proposal(home.holder, made.proposal_id)
    assert found is not None
    return found.status


def test_what_the_page_showed_is_kept_and_nothing_else(home: Household, caller: Caller) -> None:
    shown, other = [suggested(caller, each) for each in ("Spices", "Shoes")], suggested(caller, "Music")
    client = browser(home.holder)
    sent = form_of(client, *shown)
    page = text_of(client.post("/inbox/approve", {**sent, "proposal": prp(other)}, follow=True))
    assert "Kept: 2." in page
    assert [status(home, each).value for each in (*shown, other)] == ["approved", "approved", "pending"]


def test_a_list_that_no_page_made_for_this_person_keeps_nothing(home: Household, caller: Caller) -> None:
    made, another = suggested(caller, "Spices"), suggested(caller, "Shoes")
    client = browser(home.holder)
    sent = form_of(client, made, another)["reviewed"]
    for forged in (f"{prp(made)}:1", sent[:-2], sent + "x", "", "x:y:z"):
        page = text_of(client.post("/inbox/approve", {"reviewed": forged}, follow=True))
        assert "Nothing was kept. Show what they say again, then decide." in page
    assert status(home, made) is ProposalStatus.PENDING


def test_the_list_of_another_vault_keeps_nothing(settle: Any, home: Household, caller: Caller) -> None:
    sent = form_of(browser(home.holder), suggested(caller, "Spices"), suggested(caller, "Shoes"))
    assert "Nothing was kept." in text_of(browser(settle().holder).post("/inbox/approve", sent, follow=True))
    assert len(memories.proposals(home.holder)) == 2


def test_what_changed_meanwhile_is_left_out_and_said_by_its_name(home: Household, caller: Caller) -> None:
    fine, moved, gone = suggested(caller, "Spices"), corrected(home, caller), suggested(caller, "Music")
    client = browser(home.holder)
    sent = form_of(client, fine, moved, gone)
    kitchen = untyped("mem", home.kitchen)
    assert kitchen is not None
    memories.correct(home.holder, kitchen, value="A gas hob", now=utc_now())
    memories.rebase(home.holder, moved.proposal_id, utc_now())
    memories.reject(home.holder, gone.proposal_id, utc_now())
    page = text_of(client.post("/inbox/approve", sent, follow=True))
    assert "Kept: 1." in page
    assert "“Hob” was left out and waits still: it was changed meanwhile. Look at it again." in page
    assert "“Music” was decided meanwhile." in page
    assert [status(home, each).value for each in (fine, moved, gone)] == ["approved", "pending", "rejected"]


def test_the_same_form_twice_is_one_go(home: Household, caller: Caller) -> None:
    client = browser(home.holder)
    sent = form_of(client, suggested(caller, "Spices"), suggested(caller, "Shoes"))
    first = client.post("/inbox/approve", sent, follow=True)
    before = last_seq(home.holder)
    again = client.post("/inbox/approve", sent, follow=True)
    assert "Kept: 2." in text_of(first) and "Kept: 2." in text_of(again)
    assert last_seq(home.holder) == before
    (go,) = set(re.findall(r'action="(/inbox/undo/bat_\w+)"', text_of(again)))
    assert "Undone: 2." in text_of(client.post(go, follow=True))
    assert "Kept:" not in text_of(client.post("/inbox/approve", sent, follow=True)), "it is not kept any more"


def test_over_the_wire_the_same_items_again_are_the_first_batch(home: Household, caller: Caller) -> None:
    http = Http(holder=home.holder)
    made = [suggested(caller, each) for each in ("Spices", "Shoes")]
    items = [{"proposal": prp(each), "revision": 1} for each in made]
    first = http.call("POST", "proposals/decisions", {"decision": "approve", "items": items})
    again = http.call("POST", "proposals/decisions", {"decision": "approve", "items": items[::-1]})
    assert again["batch"] == first["batch"]
    other = suggested(caller, "Music")
    more = [*items, {"proposal": prp(other), "revision": 1}]
    third = http.call("POST", "proposals/decisions", {"decision": "approve", "items": more})
    assert third["batch"] != first["batch"]
    undone = http.call("POST", "proposals/undo", {"batch": first["batch"]})
    assert len(undone["items"]) == 2 and status(home, other) is ProposalStatus.APPROVED
