"""Many suggestions on one page: no press on one, or on all, drops what was typed into another. Without script."""

import re
from typing import Any

import pytest

from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.types import Proposal
from apps.policy.vocabulary import ProposalStatus
from tests.fixtures import Household
from tests.surfaces.test_web_inbox_loses_nothing import fields_of
from tests.surfaces.web import Scene, browser, carded, furnish, text_of
from vault.clock import utc_now


@pytest.fixture
def scene(home: Household) -> Scene:
    return furnish(home)


TEXTS = {"Music": "Quiet, before noon", "Shoes": "Size 41, wide", "Tea": "Green, without milk"}


def suggested(scene: Scene, *labels: str) -> list[Proposal]:
    made = [memories.propose(scene.caller, label=each, value=TEXTS[each], now=utc_now()) for each in labels]
    assert all(isinstance(each, Proposal) for each in made)
    return made  # type: ignore[return-value]


def prp(made: Proposal) -> str:
    return typed("prp", made.proposal_id)


def sent(page: str) -> dict[str, str]:
    """All that the one form of the page sends."""
    found: dict[str, str] = {}
    for card in re.findall(r'name="([0-9a-f]{32})_revision"', page):
        found |= fields_of(page, card)
    (signed,) = re.findall(r'name="reviewed"\s+value="([^"]+)"', page) or ("",)
    return {**found, "reviewed": signed}


def looked(client: Any, *made: Proposal) -> dict[str, str]:
    return sent(text_of(client.post("/inbox/show", {"proposal": [prp(each) for each in made]})))


def status(scene: Scene, made: Proposal) -> ProposalStatus:
    found = memories.proposal(scene.holder, made.proposal_id)
    assert found is not None
    return found.status


@pytest.mark.parametrize(
    "typed_in",
    [{"value": "None, thank you"}, {"category": "health"}, {"label": "My songs"}, {"reason": "It is wrong"}],
    ids=lambda each: next(iter(each)),
)
def test_what_was_typed_into_is_not_kept_among_many_and_stands_as_it_was_typed(
    scene: Scene, typed_in: dict[str, str]
) -> None:
    client, (music, shoes) = browser(scene.holder), suggested(scene, "Music", "Shoes")
    form = looked(client, music, shoes) | carded(prp(music), **typed_in)
    answer = client.post("/inbox/approve", form)
    page = text_of(answer)
    assert (status(scene, music), status(scene, shoes)) == (ProposalStatus.PENDING, ProposalStatus.APPROVED)
    assert "Kept: 1." in page
    assert "“Music” was left out and waits still: you wrote something there. It stands below." in page
    again = sent(page)
    for name, value in carded(prp(music), **typed_in).items():
        chosen = f'<option value="{value}" selected>' in page
        assert (
            again.get(name) == value or chosen or f">\r\n{value}</textarea>" in page or f">{value}</textarea>" in page
        )
    assert prp(shoes)[4:] not in page


def test_many_into_which_nothing_was_typed_are_kept_at_once(scene: Scene) -> None:
    client, made = browser(scene.holder), suggested(scene, "Music", "Shoes")
    answer = client.post("/inbox/approve", looked(client, *made), follow=True)
    assert answer.redirect_chain == [("/inbox", 302)]
    assert [status(scene, each) for each in made] == [ProposalStatus.APPROVED] * 2


@pytest.mark.parametrize("deed", ["approve", "reject"])
def test_deciding_one_card_brings_back_what_was_typed_into_another(scene: Scene, deed: str) -> None:
    client, (music, shoes, tea) = browser(scene.holder), suggested(scene, "Music", "Shoes", "Tea")
    form = looked(client, music, shoes, tea) | carded(prp(music), value="None, thank you", reason="They are old")
    page = text_of(client.post(f"/inbox/{prp(shoes)}/{deed}", form))
    assert status(scene, shoes) is not ProposalStatus.PENDING
    assert ("Kept: Shoes." if deed == "approve" else "Rejected.") in page
    assert "None, thank you" in page and "They are old" in page
    assert prp(tea)[4:] not in page, "nothing was typed there: it waits in the inbox"
    client.post(f"/inbox/{prp(music)}/approve", sent(page))
    assert memories.show(scene.holder, [music.memory_id]).values[0].value == "None, thank you"


def test_what_is_wrong_in_one_card_costs_no_other_its_words(scene: Scene) -> None:
    client, (music, shoes) = browser(scene.holder), suggested(scene, "Music", "Shoes")
    form = looked(client, music, shoes) | carded(prp(music), value="None, thank you")
    answer = client.post(f"/inbox/{prp(shoes)}/approve", form | carded(prp(shoes), label="", value="Two pairs"))
    page = text_of(answer)
    assert answer.status_code == 400
    assert "None, thank you" in page and "Two pairs" in page


def test_the_key_for_a_new_line_presses_nothing(scene: Scene) -> None:
    """A browser presses a form's first button for Enter in a line: here one that is not to be pressed."""
    client, made = browser(scene.holder), suggested(scene, "Music", "Shoes")
    page = text_of(client.post("/inbox/show", {"proposal": [prp(each) for each in made]}))
    form = page[page.index('<form id="cards"') :]
    assert re.search(r"<button[^>]*>", form)[0] == '<button type="submit" disabled hidden>'  # type: ignore[index]


def test_a_reason_typed_after_a_no_in_another_tab_is_shown_again(scene: Scene) -> None:
    client, (music,) = browser(scene.holder), suggested(scene, "Music")
    form = looked(client, music) | carded(prp(music), reason="I never said that")
    memories.reject(scene.holder, music.proposal_id, utc_now(), reason="Wrong")
    answer = client.post(f"/inbox/{prp(music)}/reject", form)
    page = text_of(answer)
    assert answer.status_code == 409
    assert "I never said that" in page and "decided before" in page


def test_texts_that_are_too_long_for_one_page_are_changed_by_themselves(scene: Scene) -> None:
    long = "a pinch of salt, " * 3_800
    made = [
        memories.propose(scene.caller, label=f"Recipe {number}", value=f"{number} {long}", now=utc_now())
        for number in range(8)
    ]
    client = browser(scene.holder)
    page = text_of(client.post("/inbox/show", {"proposal": [prp(each) for each in made]}))  # type: ignore[arg-type]
    assert page.count("Show it by itself") == 2 and page.count("Change it first") == 6
    first = sent(page)
    named = next(each for each in made if f"{prp(each)[4:]}_value" in first)  # type: ignore[arg-type]
    answer = client.post(f"/inbox/{prp(named)}/approve", first)  # type: ignore[arg-type]
    assert answer.status_code == 302 and status(scene, named) is ProposalStatus.APPROVED  # type: ignore[arg-type]
