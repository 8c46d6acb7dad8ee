"""Where a memory comes from, in the browser without script: whom it is about, what is checked, and that it fits."""

import os
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from apps.memories import services as memories
from apps.memories.services import linking, naming
from apps.policy.ids import typed
from apps.policy.links import EdgeKind, EntityKind
from tests.e2e.conftest import Ines
from tests.e2e.test_every_page_is_fit_to_use import WIDTHS_AND_THEMES, check
from vault.clock import utc_now

pytestmark = pytest.mark.e2e


def test_whom_it_is_about_is_noted_and_what_it_says_is_checked(open_browser: Callable[..., Page], ines: Ines) -> None:
    kept, page = memories.memories(ines.holder)[0], open_browser(width=360, script=False)
    page.goto(f"/file/{typed('mem', kept.memory_id)}")
    page.get_by_role("link", name="Where it comes from, and who was handed it").click()
    page.get_by_role("link", name="Note whom or what it is about").click()
    page.get_by_label("What you call them, or it").fill("Anna")
    page.get_by_role("button", name="Note it").click()
    expect(page.get_by_text("Noted.")).to_be_visible()
    page.goto(f"/file/{typed('mem', kept.memory_id)}/provenance")
    page.get_by_label("It is about").select_option("Anna")
    page.get_by_role("button", name="Note it").click()
    expect(page.get_by_role("link", name="Anna")).to_be_visible()
    page.get_by_role("button", name="Look, and check what it says").click()
    expect(page.get_by_text("it is what its receipts are bound to")).to_be_visible()
    page.goto(f"/file/{typed('mem', kept.memory_id)}/provenance")
    page.get_by_role("button", name=re.compile("End it")).click()
    expect(page.get_by_text("Ended. That it stood is kept.")).to_be_visible()


@pytest.mark.parametrize(("width", "dark"), WIDTHS_AND_THEMES)
def test_its_pages_are_fit_to_use(open_browser: Callable[..., Page], ines: Ines, width: int, dark: bool) -> None:
    first, second, *_ = memories.memories(ines.holder)
    anna, anne = (naming.name(ines.holder, EntityKind.PERSON, called, utc_now()) for called in ("Anna", "Anne Marie"))
    linking.draw(ines.holder, EdgeKind.ABOUT, first.memory_id, anna.entity_id, utc_now(), valid_from="2024-02-01")
    linking.draw(ines.holder, EdgeKind.DERIVED_FROM, first.memory_id, second.memory_id, utc_now())
    memories.correct(ines.holder, first.memory_id, value="Two pans", why="I sold one", now=utc_now())
    memories.show(ines.holder, [first.memory_id])
    page, wrong = open_browser(width=width, dark=dark), []
    about = f"/file/{typed('mem', first.memory_id)}/provenance"
    for address in (about, "/file/about", f"/file/about/{typed('ent', anne.entity_id)}"):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(address)
        if folder := os.environ.get("SHOTS"):
            name = address.strip("/").replace("/", "-")[:24]
            page.screenshot(path=f"{folder}/{name}-{width}-{dark}.png", full_page=True)
        wrong += check(page, f"{address} at {width}")
    assert wrong == []
