"""What a suggestion's card tells: what it was made from, its text as it is, and why it was left out or never asked."""

import re
from typing import Any
from uuid import UUID

import pytest

from apps.memories import services as memories
from apps.policy.ids import typed, untyped
from apps.policy.types import Proposal
from apps.policy.vocabulary import Category, Directive, Level, Role
from tests.fixtures import Household
from tests.holders.people import acting, newcomer
from tests.surfaces.test_web_people import at
from tests.surfaces.web import Scene, browser, furnish, text_of
from vault.clock import utc_now


@pytest.fixture
def scene(home: Household) -> Scene:
    return furnish(home)


def memory_of(named: str) -> UUID:
    found = untyped("mem", named)
    assert found is not None
    return found


def suggested(scene: Scene, **sent: Any) -> Proposal:
    made = memories.propose(scene.caller, now=utc_now(), **sent)
    assert isinstance(made, Proposal), made
    return made


def both(client: Any, made: Proposal, **more: str) -> tuple[str, str]:
    """The card as it is listed, and as it was opened."""
    listed = text_of(client.get("/inbox"))
    return listed, text_of(client.post("/inbox/show", {"proposal": typed("prp", made.proposal_id), **more}))


def test_a_card_names_what_it_was_made_from(scene: Scene) -> None:
    holder, kitchen = scene.holder, memory_of(scene.home.kitchen)
    sick = memories.add(
        holder, label="My knee", value="Sore", category=Category.HEALTH, neutral_label="Something", now=utc_now()
    )
    sources = [kitchen, sick.memory_id]  # type: ignore[union-attr]
    made = suggested(scene, label="Music", value="Quiet", known=sources, lineage=sources)
    label = memories.memory(holder, kitchen).label  # type: ignore[union-attr]
    for page in both(browser(holder), made):
        assert f"Made from: {label}, Something" in page


def test_whoever_acts_for_the_holder_is_told_nothing_of_a_sealed_source(scene: Scene) -> None:
    holder, kitchen = scene.holder, memory_of(scene.home.kitchen)
    secret = memories.add(holder, label="My diary", value="Blue", sealed=True, now=utc_now())
    sources = [kitchen, secret.memory_id]  # type: ignore[union-attr]
    made = suggested(scene, label="Music", value="Quiet", known=sources, lineage=sources)
    assert all("My diary" in page for page in both(browser(holder), made))
    seat = acting(holder, newcomer("Rosa"), Role.GUARDIAN, Level.DECIDE)
    for page in both(at(seat), made, seat=typed("vlt", seat.vault_id)):
        assert "Made from: " in page and "My diary" not in page


def test_what_was_left_out_of_many_says_why(scene: Scene) -> None:
    client = browser(scene.holder)
    made = [suggested(scene, label=each, value=value) for each, value in (("Music", "Quiet"), ("Shoes", "Size 41"))]
    page = text_of(client.post("/inbox/show", {"proposal": [typed("prp", each.proposal_id) for each in made]}))
    (signed,) = re.findall(r'name="reviewed"\s+value="([^"]+)"', page)
    memories.add(scene.holder, label="Shoes", value="Size 42", subject="shoes", now=utc_now())
    said = text_of(client.post("/inbox/approve", {"reviewed": signed}, follow=True))
    (told,) = re.findall(r"“Shoes” was left out and waits still: (.*?) Look at it again\.", said)
    assert told


def test_a_value_stands_on_the_page_with_its_spaces(scene: Scene) -> None:
    value = "if it rains:\n    take the tram\n        or  stay"
    made = suggested(scene, label="Way to work", value=value)
    page = both(browser(scene.holder), made)[1]
    lines = value.replace("\n", "<br>")
    assert f'<p class="value">{lines}</p>' in page
    sheet = text_of(browser(scene.holder).get("/verify.html"))
    assert re.search(r"\.value[^{}]*\{[^}]*white-space: pre-wrap", sheet)


def test_what_was_asked_of_nobody_says_why_where_it_was_decided(scene: Scene) -> None:
    kitchen = memory_of(scene.home.kitchen)
    suggested(scene, directive=Directive.REVERT, target=kitchen, known=[kitchen])
    assert "There was nothing before it to go back to." in text_of(browser(scene.holder).get("/inbox/decided"))


def test_what_would_hold_again_stands_on_the_card_that_would_bring_it_back_alone(scene: Scene) -> None:
    kitchen = memory_of(scene.home.kitchen)
    memories.correct(scene.holder, kitchen, value="Two pans", now=utc_now())
    to = {"target": kitchen, "known": [kitchen]}
    back, erased = (suggested(scene, directive=each, **to) for each in (Directive.REVERT, Directive.ERASE))
    shown = [typed("prp", each.proposal_id) for each in (back, erased)]
    page = text_of(browser(scene.holder).post("/inbox/show", {"proposal": shown}))
    cards = re.split(r'<section class="card"[^>]*>', page)[1:]
    assert len(cards) == 2
    assert ["What would hold again" in each for each in cards] == [
        "Would be as it was before" in each for each in cards
    ]
    assert page.count("What would hold again") == 1


def test_two_that_contradict_each_other_are_not_said_to_contradict_what_is_kept(scene: Scene) -> None:
    made = [suggested(scene, label=f"Rent {each}", value=each, subject="home.rent") for each in ("900", "950")]
    for page in both(browser(scene.holder), made[0]):
        assert "Another suggestion says otherwise." in page and "It doesn’t go with what is kept." not in page
    memories.reject(scene.holder, made[1].proposal_id, utc_now())
    for page in both(browser(scene.holder), made[0]):
        assert "Another suggestion says otherwise." not in page


def test_what_says_nothing_and_would_change_what_is_gone_is_to_be_discarded(scene: Scene) -> None:
    kitchen, time = (memory_of(each) for each in (scene.home.kitchen, scene.home.time))
    made = suggested(scene, directive=Directive.MERGE, target=kitchen, other=time, known=[kitchen, time])
    memories.put_away(scene.holder, kitchen, utc_now())
    listed, shown = both(browser(scene.holder), made)
    assert "nothing to do but to discard it" in listed and "nothing to do but to reject it" in shown
    assert "as a memory of its own" not in listed + shown
