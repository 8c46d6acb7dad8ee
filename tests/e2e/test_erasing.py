"""Erasing in the browser: one memory on a phone without script, personal data by choice, and a whole vault. And the
pages are fit to use, and a certificate prints on a sheet of A4.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from apps.erasure import services as erasure
from apps.holders import services as holders
from apps.memories import services as memories
from apps.memories.services import linking
from apps.policy.erasing import Order, Where
from apps.policy.links import EdgeKind
from apps.policy.types import Memory, Refused
from tests.e2e.conftest import Ines
from tests.e2e.test_every_page_is_fit_to_use import WIDTHS_AND_THEMES, check
from tests.e2e.test_sixty_seconds import no_sideways
from vault.clock import utc_now

pytestmark = pytest.mark.e2e


def kept(ines: Ines, label: str, value: str) -> Memory:
    """One more memory of hers."""
    made = memories.add(ines.holder, label=label, value=value, now=utc_now())
    assert isinstance(made, Memory)
    return made


def kitchen_of(ines: Ines) -> Memory:
    return next(each for each in memories.memories(ines.holder) if each.label == "Kitchen equipment")


def plan_for_dinner(ines: Ines) -> Memory:
    """A memory that was made from what is in the kitchen; and another one that says the same as it."""
    plan = kept(ines, "Plan for dinner", "Everything in one pan")
    kept(ines, "Shopping", "Everything in one pan")
    linking.draw(ines.holder, EdgeKind.DERIVED_FROM, plan.memory_id, kitchen_of(ines).memory_id, utc_now())
    return plan


def prove(page: Page, ines: Ines) -> None:
    """The password, where it is asked for again."""
    page.get_by_label("Password").fill(ines.password)
    page.get_by_role("button", name="Go on").click()


def test_one_memory_and_what_was_made_from_it(open_browser: Callable[..., Page], ines: Ines, tmp_path: Path) -> None:
    page = open_browser(width=360, script=False)
    kitchen, plan = kitchen_of(ines), plan_for_dinner(ines)
    page.goto(f"/file/mem_{kitchen.memory_id.hex}")
    page.get_by_role("link", name="Erase…").click()
    expect(page.get_by_role("heading", name="1 memory would be erased")).to_be_visible()
    expect(page.get_by_text("Plan for dinner")).to_be_visible()
    no_sideways(page)
    page.get_by_label("Erase these too").check()
    page.get_by_label("Why").select_option(label="It is not needed any more")
    page.get_by_label("Number of a request").fill("Case 7")
    page.get_by_role("button", name="Erase 1 memory, and what I chose above").click()
    expect(page.get_by_text("Erased. It is out of reach now.")).to_be_visible()
    expect(page.get_by_role("heading", name="Certificate of erasure")).to_be_visible()
    expect(page.get_by_text("2 memories")).to_be_visible()
    no_sideways(page)
    assert [memories.memory(ines.holder, each.memory_id) for each in (kitchen, plan)] == [None, None]
    with page.expect_download() as taken:
        page.get_by_role("link", name="Download the certificate").click()
    file = tmp_path / "certificate.json"
    taken.value.save_as(file)
    assert json.loads(file.read_text())["certificate"]["memories"] == 2
    page.get_by_role("link", name="Everything that was erased").click()
    expect(page.get_by_text("It is not needed any more")).to_be_visible()


def test_personal_data_by_choice(open_browser: Callable[..., Page], ines: Ines) -> None:
    page, mail = open_browser(width=360, script=False), kept(ines, "Where Anna writes from", "anna@example.org")
    page.goto("/erase")
    page.get_by_role("link", name="Find personal data first").click()
    page.get_by_role("button", name="Look for them").click()
    page.get_by_label("Choose Where Anna writes from").check()
    no_sideways(page)
    page.get_by_role("button", name="See what would go").click()
    page.get_by_role("button", name="Erase 1 memory").click()
    expect(page.get_by_role("heading", name="Certificate of erasure")).to_be_visible()
    assert memories.memory(ines.holder, mail.memory_id) is None


def test_a_whole_vault(open_browser: Callable[..., Page], ines: Ines) -> None:
    page, stranger = open_browser(width=360, script=False), open_browser(signed_in=False)
    page.goto("/you")
    page.get_by_role("link", name="Erase this vault").click()
    prove(page, ines)
    expect(page.get_by_role("heading", name="What stays")).to_be_visible()
    no_sideways(page)
    page.get_by_label("Type the word erase").fill("erase")
    page.get_by_role("button", name="Erase everything").click()
    expect(page.get_by_text("The vault is erased.")).to_be_visible()
    no_sideways(page)
    address = page.locator(".key").inner_text()
    assert re.search(r"/erased/[\w-]{32}$", address)
    stranger.goto(address)
    expect(stranger.get_by_text("A whole vault, with")).to_be_visible()
    assert holders.holder(ines.holder.user_id) is None
    page.goto("/file")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


@pytest.mark.parametrize(("width", "dark"), WIDTHS_AND_THEMES)
def test_its_pages_are_fit_to_use(open_browser: Callable[..., Page], ines: Ines, width: int, dark: bool) -> None:
    page, wrong = open_browser(width=width, dark=dark), []

    def look(where: str) -> None:
        wrong.extend(check(page, f"{where} at {width}"))
        page.set_viewport_size({"width": width, "height": 900})

    kept(ines, "Where Anna writes from", "anna@example.org")
    plan_for_dinner(ines)
    where = Where(ids=frozenset({kept(ines, "Old", "Long ago").memory_id}))
    made = erasure.order(ines.holder, where, utc_now())
    assert not isinstance(made, Refused)
    for path in ("/erase", f"/erase?memory=mem_{kitchen_of(ines).memory_id.hex}", f"/erasures/ord_{made.order_id.hex}"):
        page.goto(path)
        look(path)
    page.locator("summary", has_text="Every one of them").click()
    look("every place")
    page.goto("/erase/personal")
    look("the kinds")
    page.get_by_role("button", name="Look for them").click()
    look("what was found")
    page.goto("/you/erase")
    prove(page, ines)
    look("the whole vault")
    ended = erasure.end_vault(ines.holder, utc_now())
    assert not isinstance(ended, Refused)
    page.goto(f"/erased/{ended.link}")
    look("erased")
    assert not wrong, "\n".join(wrong)


def test_a_certificate_prints_on_a_sheet(open_browser: Callable[..., Page], ines: Ines) -> None:
    page = open_browser()
    made = erasure.order(ines.holder, Where(ids=frozenset({kitchen_of(ines).memory_id})), utc_now())
    assert isinstance(made, Order)
    page.goto(f"/erasures/ord_{made.order_id.hex}")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 794 - 91, "height": 1123})  # A4 without its margins, in CSS pixels
    expect(page.locator(".receipt h1")).to_be_visible()
    expect(page.get_by_role("navigation")).to_have_count(0)
    expect(page.get_by_role("link", name="Download the certificate")).to_be_hidden()
    expect(page.get_by_text("every version's ciphertext").first).to_be_visible()
    no_sideways(page)
    assert page.pdf(format="A4").startswith(b"%PDF")
