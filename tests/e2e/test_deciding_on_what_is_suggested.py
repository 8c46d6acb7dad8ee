"""What is suggested, in the browser: side by side, decided in a press, undone, lifted; two made one; a text checked."""

import os
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.types import Memory, Proposal
from apps.policy.vocabulary import Directive
from tests.e2e.conftest import Ines
from tests.e2e.test_every_page_is_fit_to_use import WIDTHS_AND_THEMES, check
from vault.clock import utc_now

pytestmark = pytest.mark.e2e


def file_of(ines: Ines) -> dict[str, Memory]:
    return {each.label: each for each in memories.memories(ines.holder)}


def suggested(ines: Ines, **more: Any) -> Proposal:
    made = memories.propose(ines.caller, now=utc_now(), known=list(ids_of(ines)), **more)
    assert isinstance(made, Proposal), made
    return made


def ids_of(ines: Ines) -> list[Any]:
    return [each.memory_id for each in memories.memories(ines.holder)]


def full_inbox(ines: Ines) -> None:
    """One of each: plain ones, a rival, an echo, a stale one, a merge, a move; and what was decided before."""
    mine = file_of(ines)
    kitchen, city = mine["Kitchen equipment"], mine["City"]
    memories.correct(ines.holder, city.memory_id, value="Porto, by the river", changed=True, now=utc_now())
    target = {"directive": Directive.CORRECT, "target": kitchen.memory_id}
    suggested(ines, value="A gas hob and two pans", **target)
    memories.correct(ines.holder, kitchen.memory_id, value="An induction hob, two pans", now=utc_now())
    suggested(ines, label="Favourite pan", value="The <b>iron</b> one\u200b", rationale="You said so", evidence=["yes"])
    suggested(ines, label="Music", value="Quiet, before noon")
    suggested(ines, label="My stove", value="A camp stove", subject=kitchen.subject)
    suggested(ines, directive=Directive.MERGE, target=kitchen.memory_id, other=city.memory_id)
    suggested(ines, directive=Directive.RESCOPE, target=city.memory_id, subject="home.town")
    for label, deed in (("Spices", "keep"), ("Shoes", "no"), ("Tea", "many"), ("Bread", "many")):
        made = suggested(ines, label=label, value=f"Of {label}: none, thank you")
        if deed == "keep":
            memories.approve(ines.holder, made.proposal_id, now=utc_now())
        elif deed == "no":
            memories.reject(ines.holder, made.proposal_id, utc_now(), reason="I never said that")
    many = [each for each in memories.proposals(ines.holder) if each.label in ("Tea", "Bread")]
    memories.approve_many(ines.holder, [(each.proposal_id, each.revision) for each in many], utc_now())


def shot(page: Page, name: str, width: int, dark: bool) -> None:
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/{name}-{width}-{'dark' if dark else 'light'}.png", full_page=True)


@pytest.mark.parametrize(("width", "dark"), WIDTHS_AND_THEMES)
def test_its_pages_are_fit_to_use(open_browser: Callable[..., Page], ines: Ines, width: int, dark: bool) -> None:
    full_inbox(ines)
    mine = file_of(ines)
    city, kitchen = (typed("mem", mine[each].memory_id) for each in ("City", "Kitchen equipment"))
    page, wrong = open_browser(width=width, dark=dark), []

    def look(name: str) -> None:
        shot(page, name, width, dark)
        wrong.extend(check(page, name))
        page.set_viewport_size({"width": width, "height": 800})

    for name, address in (
        ("inbox", "/inbox"),
        ("decided", "/inbox/decided"),
        ("memory", f"/file/{city}"),
        ("provenance", f"/file/{city}/provenance"),
        ("same", f"/file/{city}/same"),
        ("check", "/check"),
        ("file", "/file"),
        ("grants", "/grants"),
    ):
        page.goto(address)
        look(name)
    page.goto("/inbox")
    page.get_by_role("button", name="Show what they say").click()
    look("inbox-shown")
    page.goto(f"/file/{city}/same")
    page.get_by_label("The other one").select_option(kitchen)
    page.get_by_role("button", name="Show both, side by side").click()
    look("side-by-side")
    page.get_by_role("button", name="This one stays").first.click()
    expect(page.get_by_text("They are one from now on.")).to_be_visible()
    look("made-one")
    page.goto("/check")
    page.get_by_label("The text").fill("# Notes\n\nShe cooks with a gas hob.\nShe lives in Porto.\n")
    page.get_by_role("button", name="Check it").click()
    look("checked")
    assert wrong == []


def test_why_not_is_asked_of_whoever_wants_to_say_it_and_of_nobody_else(
    open_browser: Callable[..., Page], ines: Ines
) -> None:
    suggested(ines, label="Shoes", value="Wide ones, size 43")
    page = open_browser(width=360, script=False)
    page.goto("/inbox")
    page.get_by_role("button", name=re.compile("^Show what it says.*Shoes")).click()
    expect(page.get_by_label("Why not, if you reject it")).to_be_hidden()
    page.get_by_text("Say why not").click()
    page.get_by_label("Why not, if you reject it").fill("I never said that")
    page.get_by_role("button", name=re.compile("^Reject.*Shoes")).click()
    page.goto("/inbox/decided")
    expect(page.get_by_text("I never said that")).to_be_visible()


def test_both_are_kept_from_the_card_without_script(open_browser: Callable[..., Page], ines: Ines) -> None:
    kitchen = file_of(ines)["Kitchen equipment"]
    suggested(ines, label="Stove", value="A camp stove", subject=kitchen.subject)
    page = open_browser(width=360, script=False)
    page.goto("/inbox")
    page.get_by_role("button", name=re.compile("^Show what it says.*Stove")).click()
    page.get_by_text("Keep both, under another subject").click()
    page.get_by_label("Subject").fill("camping.stove")
    page.get_by_role("button", name=re.compile("^Keep both.*Stove")).click()
    expect(page.get_by_text("Kept: Stove.")).to_be_visible()
    assert {file_of(ines)["Stove"].subject, kitchen.subject} == {"camping.stove", "cooking.equipment"}


@pytest.mark.parametrize("width", [360, 1280])
def test_what_a_line_offers_stands_beside_it_or_below_and_is_never_cut(
    open_browser: Callable[..., Page], ines: Ines, width: int
) -> None:
    made = suggested(ines, label="Spices", value="All of them, and then some more")
    memories.approve(ines.holder, made.proposal_id, now=utc_now(), value="Saffron only")
    page = open_browser(width=width)
    page.goto("/inbox/decided")
    row = page.locator("li", has_text="Spices")
    words, *pressed = (each.bounding_box() for each in [row.locator("div").first, *row.locator("button").all()])
    assert words is not None and len(pressed) == 2
    for box in pressed:
        assert box is not None and box["x"] + box["width"] <= width - 15
        assert box["x"] >= words["x"] + words["width"] or box["y"] >= words["y"] + words["height"]
