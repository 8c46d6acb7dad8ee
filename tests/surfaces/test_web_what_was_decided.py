"""The page of what was decided: all of it, by whom and why; undone while that is open, and let be suggested again."""

import re
from typing import Any
from uuid import UUID

import pytest

from apps.access import services as access
from apps.erasure import services as erasure
from apps.memories import services as memories
from apps.memories.services import linking
from apps.policy.erasing import Where
from apps.policy.ids import typed, untyped
from apps.policy.links import EdgeKind
from apps.policy.types import Caller, Proposal, Refused
from apps.policy.vocabulary import Directive, Refusal
from tests.cast import canary
from tests.fixtures import Household
from tests.holders.people import acting, newcomer
from tests.surfaces.test_web_people import at
from tests.surfaces.web import HOSTILE, browser, carded, last_seq, text_of
from vault.clock import utc_now

SECRET = "No coriander whatsoever"


@pytest.fixture
def caller(home: Household) -> Caller:
    found = access.authenticate(home.key, utc_now())
    assert found is not None
    return found


def suggested(caller: Caller, label: str, value: str = SECRET, **more: Any) -> Proposal:
    made = memories.propose(caller, label=label, value=value, now=utc_now(), **more)
    assert isinstance(made, Proposal), made
    return made


def prp(made: Proposal) -> str:
    return typed("prp", made.proposal_id)


def labels(page: str) -> list[str]:
    """The labels of the rows, in their order."""
    return re.findall(r'<li id="prp_\w+">\s*<div>\s*<b>(?:<a [^>]*>)?([^<]*)', page)


def test_each_ending_is_listed_with_who_when_and_why_and_no_value(home: Household, caller: Caller) -> None:
    kept, no, gone = (suggested(caller, each, value=f"{SECRET} {each}") for each in ("Spices", "Shoes", "Music"))
    memories.approve(home.holder, kept.proposal_id, now=utc_now())
    memories.reject(home.holder, no.proposal_id, utc_now(), reason=HOSTILE[:20])
    memories.withdraw(caller, gone.proposal_id, utc_now())
    suggested(caller, "It waits", value="Still")
    before = last_seq(home.holder)
    client = browser(home.holder)
    page = text_of(client.get("/inbox/decided"))
    assert labels(page) == ["Music", "Shoes", "Spices"]
    for words in ("taken back by the assistant", "rejected", "approved", "by you", home.client.name):
        assert words in page
    assert "&lt;/p&gt;&lt;script&gt;" in page and "<script>alert" not in page
    assert SECRET not in page and "It waits" not in page
    assert last_seq(home.holder) == before, "nothing was looked at"
    assert labels(text_of(client.get("/inbox/decided?only=rejected"))) == ["Shoes"]
    assert labels(text_of(client.get("/inbox/decided?only=pending"))) == ["Music", "Shoes", "Spices"]


def test_one_press_lets_what_was_rejected_be_suggested_again(home: Household, caller: Caller) -> None:
    no = suggested(caller, "Shoes")
    memories.reject(home.holder, no.proposal_id, utc_now())
    again = memories.propose(caller, label="Shoes", value=SECRET, now=utc_now())
    assert isinstance(again, Refused) and again.reason is Refusal.ALREADY_REJECTED
    client = browser(home.holder)
    assert "The same can’t be suggested again." in text_of(client.get("/inbox/decided"))
    sent = {"from": "decided", "only": "rejected"}
    done = client.post(f"/inbox/{prp(no)}/lift", sent, follow=True)
    assert done.redirect_chain == [("/inbox/decided?only=rejected", 302)]
    page = text_of(done)
    assert "It may be suggested again." in page and "Let it ask again" not in page
    assert suggested(caller, "Shoes").proposal_id != no.proposal_id


def test_what_was_kept_is_undone_there_and_said_to_be(home: Household, caller: Caller) -> None:
    kept = suggested(caller, "Spices")
    memories.approve(home.holder, kept.proposal_id, now=utc_now())
    client = browser(home.holder)
    assert f'action="/inbox/{prp(kept)}/undo"' in text_of(client.get("/inbox/decided"))
    page = text_of(client.post(f"/inbox/{prp(kept)}/undo", {"from": "decided"}, follow=True))
    assert "Undone." in page and "undone" in page and "What was decided" in page
    assert f'action="/inbox/{prp(kept)}/undo"' not in page


def test_of_one_assistant_alone_and_by_way_of_its_page(home: Household, caller: Caller) -> None:
    other, key = access.register(home.holder, name="Walker", now=utc_now())
    walker = access.authenticate(key, utc_now())
    assert walker is not None
    for who, label in ((caller, "Spices"), (walker, "Shoes")):
        memories.reject(home.holder, suggested(who, label).proposal_id, utc_now())
    client = browser(home.holder)
    way = f"/inbox/decided?assistant={typed('cli', other.client_id)}"
    assert way in text_of(client.get("/grants"))
    assert "/inbox/decided" in text_of(client.get("/inbox"))
    assert labels(text_of(client.get(way))) == ["Shoes"]


def test_more_than_a_page_is_paged_through_without_a_gap(home: Household, caller: Caller) -> None:
    made = [suggested(caller, f"Thing {each:02}", value=canary()) for each in range(53)]
    memories.reject_many(home.holder, [(each.proposal_id, 1) for each in made[:52]], utc_now())
    memories.reject(home.holder, made[52].proposal_id, utc_now())
    client = browser(home.holder)
    first = text_of(client.get("/inbox/decided"))
    (older,) = re.findall(r'href="(/inbox/decided\?after=[^"]+)">Older', first)
    second = text_of(client.get(older))
    assert len(labels(first)) == 50 and len(labels(second)) == 3
    assert sorted(labels(first) + labels(second)) == [each.label for each in made]
    assert ">Older<" not in second


def test_the_inbox_says_how_many_more_can_be_undone(home: Household, caller: Caller) -> None:
    made = [suggested(caller, f"Thing {each:02}", value=canary()) for each in range(53)]
    memories.approve_many(home.holder, [(each.proposal_id, 1) for each in made], utc_now())
    page = text_of(browser(home.holder).get("/inbox"))
    assert "53 kept in one go" in page and "Undo all 53" in page
    assert "And 3 more that can be undone still" in page


def test_who_acts_for_the_holder_finds_no_trace_of_what_is_sealed(home: Household, caller: Caller) -> None:
    kept = suggested(caller, "Diary")
    memories.approve(home.holder, kept.proposal_id, now=utc_now())
    memories.seal_from_guardians(home.holder, kept.memory_id, utc_now())
    memories.reject(home.holder, suggested(caller, "Shoes").proposal_id, utc_now())
    client = at(acting(home.holder, newcomer("Rosa")))
    assert labels(text_of(client.get("/inbox/decided"))) == ["Shoes"]
    assert labels(text_of(client.get(f"/inbox/decided?after={prp(kept)}"))) == ["Shoes"]
    assert "Diary" not in text_of(client.get("/inbox"))


def test_a_yes_to_erase_what_another_was_made_from_leads_to_the_order(home: Household, caller: Caller) -> None:
    kept, other = suggested(caller, "Diary"), suggested(caller, "Shoes", value="Size nine")
    for each in (kept, other):
        assert not isinstance(memories.approve(home.holder, each.proposal_id, now=utc_now()), Refused)
    linking.draw(home.holder, EdgeKind.DERIVED_FROM, other.memory_id, kept.memory_id, utc_now())
    erase = memories.propose(
        caller, directive=Directive.ERASE, target=kept.memory_id, known=[kept.memory_id], now=utc_now()
    )
    assert isinstance(erase, Proposal)
    client = browser(home.holder)
    answer = client.post(f"/inbox/{prp(erase)}/approve", {"revision": str(erase.revision)}, follow=True)
    assert answer.redirect_chain == [(f"/erase?memory={typed('mem', kept.memory_id)}", 302)]
    page = text_of(answer)
    assert "Say whether they are erased too, or kept." in page and "Erase these too" in page
    assert memories.memory(home.holder, kept.memory_id) is not None


def test_of_an_erased_memory_nothing_is_told(home: Household, caller: Caller) -> None:
    kept = suggested(caller, "Diary")
    memories.approve(home.holder, kept.proposal_id, now=utc_now())
    erase = memories.propose(
        caller, directive=Directive.ERASE, target=kept.memory_id, known=[kept.memory_id], now=utc_now()
    )
    assert isinstance(erase, Proposal)
    memories.approve(home.holder, erase.proposal_id, now=utc_now())
    page = text_of(browser(home.holder).get("/inbox/decided"))
    assert "Diary" not in page and labels(page) == ["About an erased memory"] * 2
    assert "Let it ask again" not in page and ">Undo<" not in page


def test_what_would_have_changed_nothing_is_not_said_to_have_been_taken_back(home: Household, caller: Caller) -> None:
    kitchen = untyped("mem", home.kitchen)
    assert kitchen is not None
    made = memories.propose(caller, directive=Directive.REVERT, target=kitchen, known=[kitchen], now=utc_now())
    assert isinstance(made, Proposal)
    client = browser(home.holder)
    assert "it would have changed nothing" not in text_of(client.get("/inbox/decided?only=approved"))
    page = text_of(client.get("/inbox/decided"))
    assert "it would have changed nothing" in page and "taken back by the assistant</span>" not in page


def corrects(caller: Caller, target: UUID, value: str) -> Proposal:
    made = memories.propose(
        caller, directive=Directive.CORRECT, target=target, known=[target], value=value, now=utc_now()
    )
    assert isinstance(made, Proposal), made
    return made


def test_who_ended_what_waited_is_told_apart(home: Household, caller: Caller) -> None:
    kitchen = untyped("mem", home.kitchen)
    assert kitchen is not None
    ended, key = access.register(home.holder, name="Walker", now=utc_now())
    walker = access.authenticate(key, utc_now())
    assert walker is not None
    client, gone = browser(home.holder), corrects(caller, kitchen, "A gas hob")
    back, left = suggested(caller, "Music"), suggested(walker, "Shoes")
    memories.withdraw(caller, back.proposal_id, utc_now())
    access.revoke(home.holder, ended.client_id, utc_now())
    assert erasure.order(home.holder, Where(ids=frozenset({kitchen})), utc_now())
    page = text_of(client.get("/inbox/decided"))
    rows = {each.partition('"')[0]: each for each in page.split('<li id="')[1:]}
    for made, words, sentence in (
        (back, "taken back by the assistant", "Its assistant took this back before, so nothing has changed."),
        (left, "its assistant was stopped", "This was ended, because its assistant was stopped."),
        (gone, "what it was about was erased", "This was ended, because what it was about was erased."),
    ):
        assert words in rows[prp(made)]
        assert rows[prp(made)].count("taken back") == (made is back)
        told = text_of(client.post(f"/inbox/{prp(made)}/approve", {"revision": "1"}, follow=True))
        assert (sentence if made is not gone else "not kept any more") in told
        assert "This was decided before" not in told
        told = text_of(client.post(f"/inbox/{prp(made)}/reject", follow=True))
        assert sentence in told
    mine = carded(prp(back), label="Mine", value="Mine", category="ordinary")
    assert "took this back before" in text_of(client.post(f"/inbox/{prp(back)}/approve", mine))


def test_every_page_calls_it_a_suggestion(home: Household, caller: Caller) -> None:
    memories.withdraw(caller, suggested(caller, "Music").proposal_id, utc_now())
    suggested(caller, "Shoes")
    client = browser(home.holder)
    for path in ("/", "/ledger", "/inbox", "/inbox/decided", "/grants"):
        page = text_of(client.get(path))
        seen = re.sub(r"<[^>]*>|\bproposal\.\w+", " ", page)
        assert "roposal" not in seen, path
    assert ">1 suggestion<" in text_of(client.get("/"))
    assert "A suggestion" in text_of(client.get("/ledger"))
