"""Every page, in both themes: no finding of axe, nothing sideways at 320 px, nothing too small to press."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.types import Asked, Refused
from apps.policy.vocabulary import Category, Purpose
from apps.turns import services as turns
from apps.turns.management.casa_m import QUESTION
from tests.e2e.conftest import Ines
from vault.clock import utc_now

pytestmark = pytest.mark.e2e

OUTSIDE = ("/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/help/what-we-cannot-do", "/nowhere")
SIGN_IN = ("sessions/", "2fa/", "password/change/", "email/", "logout/")
INSIDE = (
    "/",
    "/inbox",
    "/ledger",
    "/ledger?kind=memory.added",
    "/ledger?kind=nosuch",
    "/file",
    "/file/add",
    "/file?order=rank",
    "/file/then?as_of=2026-11-01&true_at=2026-10-01",
    "/grants",
    "/grants/register",
    "/you",
    "/you/mail",
)
WIDTHS_AND_THEMES = [(360, False), (360, True), (1280, False), (1280, True)]
TOO_SMALL = """() => [...document.querySelectorAll("a, button, input:not([type=hidden]), select, summary, label.pick")]
  .filter((el) => el.checkVisibility({ visibilityProperty: true }) && !el.closest("p, .facts, .unseen, .hint, li.note"))
  .filter((el) => !el.matches("label input") && !el.matches(".skip"))
  .map((el) => [el.outerHTML.slice(0, 90), el.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && (box.width < 24 || box.height < 24)).map(([html]) => html)"""


def busy(ines: Ines) -> list[str]:
    """One of everything, and the addresses that are about one thing."""
    now, labels = utc_now(), {each.label: each for each in memories.memories(ines.holder)}
    wish = access.ask(
        ines.caller,
        [Asked(labels["Kitchen equipment"].memory_id), Asked(category=Category.HEALTH)],
        purpose=Purpose.MEAL_PLANNING,
        purpose_note="Plan dinners\u200b for this week",
        now=now,
    )
    assert not isinstance(wish, Refused)
    memories.propose(ines.caller, label="Favourite pan", value="The <b>iron</b> one", rationale="You said so", now=now)
    memories.put_away(ines.holder, labels["City"].memory_id, now)
    offered, first = turns.ask(ines.holder, QUESTION, now), turns.ask(ines.holder, QUESTION, now)
    chosen = frozenset(each.memory_id for each in turns.card(ines.holder, first).ordinary)
    turns.decide(ines.holder, first.turn_id, ordinary=chosen, now=now)
    list(turns.answer(ines.holder, first.turn_id, now))
    again = turns.without(ines.holder, first.turn_id, labels["Kitchen equipment"].memory_id, now)
    assert not isinstance(again, Refused)
    list(turns.answer(ines.holder, again.turn_id, now))
    chats = [f"/chat/trn_{each.turn_id.hex}" for each in (offered, first, again)]
    thyroid = labels["Thyroid tablets"].memory_id
    return [*chats, f"/requests/req_{wish.request_id.hex}", f"/file/mem_{thyroid.hex}", "/receipts/rcp_20"]


def check(page: Page, where: str) -> list[str]:
    """What is wrong with the page in front of us, at its own width, at 320 px, and with large text."""
    wrong = []
    found = Axe().run(page)
    if found.violations_count:
        wrong.append(f"{where}: {found.generate_report()}")
    wrong += [f"{where}: too small: {html}" for html in page.evaluate(TOO_SMALL)]
    page.set_viewport_size({"width": 320, "height": 700})
    if page.evaluate("document.documentElement.scrollWidth > 320"):
        wrong.append(f"{where}: sideways at 320 px")
    return wrong


@pytest.mark.parametrize(("width", "dark"), WIDTHS_AND_THEMES)
def test_pages_of_a_signed_in_person(open_browser: Callable[..., Page], ines: Ines, width: int, dark: bool) -> None:
    addresses, wrong = [*INSIDE, *busy(ines), *(f"/accounts/{each}" for each in SIGN_IN)], []
    page = open_browser(width=width, dark=dark)
    for address in addresses:
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(address)
        wrong += check(page, f"{address} at {width}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(("width", "dark"), WIDTHS_AND_THEMES)
def test_pages_that_a_press_opens(open_browser: Callable[..., Page], ines: Ines, width: int, dark: bool) -> None:
    busy(ines)
    wrong, page = [], open_browser(width=width, dark=dark)
    page.goto("/inbox")
    page.get_by_role("button", name="Show what they say").click()
    page.locator("summary", has_text="Change it first").click()
    wrong += check(page, "proposals shown")
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/file")
    for tick in page.get_by_role("checkbox").all()[:3]:
        tick.check()
    page.get_by_role("button", name="Show what I ticked").first.click()
    page.locator("summary", has_text="Correct").first.click()
    wrong += check(page, "values shown")
    page.set_viewport_size({"width": width, "height": 800})
    memory = memories.memories(ines.holder)[0].memory_id
    memories.correct(ines.holder, memory, value="Something else", why="It was a slip", now=utc_now())
    page.goto(f"/file/mem_{memory.hex}")
    wrong += check(page, "a memory with a history")
    page.set_viewport_size({"width": width, "height": 800})
    page.get_by_role("button", name="Show version 1").click()
    wrong += check(page, "what it said before")
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/grants/register")
    page.get_by_label("Name").fill("Planner")
    page.get_by_role("button", name="Make its key").click()
    expect(page.locator("#key")).to_contain_text("mnk_")
    wrong += check(page, "the key")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("dark", [False, True])
def test_pages_before_signing_in(open_browser: Callable[..., Page], dark: bool) -> None:
    wrong: list[str] = []
    for address in OUTSIDE[:-1]:
        page = open_browser(width=360, dark=dark, signed_in=False)
        page.goto(address)
        wrong += check(page, address)
    assert not wrong, "\n".join(wrong)


def test_a_request_fits_one_screen_of_a_phone(open_browser: Callable[..., Page], ines: Ines) -> None:
    address = next(each for each in busy(ines) if each.startswith("/requests/"))
    page = open_browser(width=360, height=780)
    page.goto(address)
    lowest = page.evaluate(
        "Math.max(...[...document.querySelectorAll('main button')].map((b) => b.getBoundingClientRect().bottom))"
    )
    assert lowest <= 780
    page.locator("form", has_text="Kitchen equipment").get_by_role("button", name="Allow", exact=True).click()
    page.locator(".protected").get_by_role("button", name="Don’t allow").click()
    expect(page.get_by_text("Done. You can close this.")).to_be_visible()


def test_forced_colours_leave_every_state_told_apart(open_browser: Callable[..., Page], ines: Ines) -> None:
    page = open_browser()
    page.emulate_media(forced_colors="active")
    page.goto(busy(ines)[1])
    for shape, words in (("value", "handed over"), ("attested", "confirmed"), ("refused", "not handed over")):
        expect(page.locator(f".stamp.{shape}").first).to_contain_text(words)
    assert page.evaluate("getComputedStyle(document.querySelector('.stamp.attested')).borderStyle") == "dashed"


def test_a_receipt_prints_on_a_roll(open_browser: Callable[..., Page], ines: Ines) -> None:
    page = open_browser(width=302)
    page.goto("/receipts/rcp_3")
    page.emulate_media(media="print")
    expect(page.locator(".receipt h1")).to_be_visible()
    expect(page.get_by_role("navigation")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
