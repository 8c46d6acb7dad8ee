"""The sixty-second walk: ask, choose, see the answer and its stamps, leave one out, see what changed."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Request, expect

from apps.turns.management.casa_m import QUESTION
from tests.e2e.conftest import Ines

pytestmark = pytest.mark.e2e

PAN = "24 cm frying pan"
SLOW_3G = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}


def no_sideways(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_with_script_on_a_slow_line_and_a_slow_machine(open_browser: Callable[..., Page], ines: Ines) -> None:
    page = open_browser(width=360, height=740, signed_in=False)
    throttle = page.context.new_cdp_session(page)
    throttle.send("Network.emulateNetworkConditions", SLOW_3G)
    throttle.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    began = time.monotonic()
    page.goto("/")
    page.get_by_label("Email").fill(ines.email)
    page.get_by_label("Password").fill(ines.password)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_label("What would you like to ask?").fill(QUESTION)
    page.get_by_role("button", name="Ask", exact=True).click()
    card = page.locator("#ordinary")
    expect(card.get_by_role("heading")).to_have_text("Asked for 4 memories")
    special = page.locator(".card.protected")
    expect(special.get_by_role("heading")).to_have_text("Health")
    assert special.locator(":checked").count() == 0
    page.get_by_role("button", name="Hand over what I chose").click()
    # Pressed before the script has come, the page comes back answered; after, the answer streams. Both end alike.
    expect(page.locator("#turn")).to_contain_text(PAN)
    expect(page.locator(".stamp.value")).to_have_count(3)
    expect(page.locator(".stamp.attested")).to_contain_text("confirmed, not shown")
    expect(page.locator(".stamp.refused")).to_contain_text("asked for, not handed over")
    expect(page.locator("#tape .value")).to_have_count(3)
    no_sideways(page)
    page.locator(".stamp", has_text="Kitchen equipment").get_by_role("button").click()
    expect(page.locator("mark").first).to_contain_text("changed")
    expect(page.get_by_role("region", name="New answer")).not_to_contain_text(PAN)
    expect(page.get_by_role("region", name="Earlier answer")).to_contain_text(PAN)
    assert time.monotonic() - began < 60


def test_the_answer_streams_into_a_region_that_is_not_read_out(open_browser: Callable[..., Page]) -> None:
    page = open_browser()
    answers: list[Request] = []
    page.on("request", lambda request: answers.append(request) if request.url.endswith("/answer") else None)
    page.goto("/")
    page.get_by_label("What would you like to ask?").fill(QUESTION)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Answer without any").click()
    expect(page.locator("#status")).to_have_text(re.compile("Answer ready, 0 memories"))
    assert [each.method for each in answers] == ["POST"]
    response = answers[0].response()
    assert response is not None
    assert response.headers["content-type"].startswith("text/event-stream")
    assert page.locator("[aria-live]").count() == 0
    expect(page.locator("[role=status]")).to_have_count(1)
    expect(page.locator("#turn")).to_contain_text("stand-in")


def test_a_page_left_in_the_middle_answers_when_it_is_opened_again(open_browser: Callable[..., Page]) -> None:
    page = open_browser()
    page.goto("/")
    page.get_by_label("What would you like to ask?").fill(QUESTION)
    page.keyboard.press("Enter")
    page.wait_for_url("**/chat/*")
    page.route("**/answer", lambda route: route.abort())
    page.get_by_role("button", name="Answer without any").click()
    expect(page.locator("#status")).to_have_text(re.compile("did not come through"))
    page.unroute("**/answer")
    page.get_by_role("button", name="Answer now").click()
    expect(page.locator("#status")).to_have_text(re.compile("Answer ready"))


def test_an_answer_can_be_stopped_and_asked_for_again(open_browser: Callable[..., Page]) -> None:
    page = open_browser()
    page.goto("/")
    page.get_by_label("What would you like to ask?").fill(QUESTION)
    page.keyboard.press("Enter")
    page.wait_for_url("**/chat/*")
    page.route("**/answer", lambda route: None)  # the line stays open, and nothing comes
    page.get_by_role("button", name="Answer without any").click()
    expect(page.locator("#status")).to_have_text("Answering.")
    expect(page.get_by_role("button", name="Answer now")).to_be_hidden()
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.locator("#status")).to_have_text(re.compile("Stopped"))
    page.unroute("**/answer")
    page.get_by_role("button", name="Answer now").click()
    expect(page.locator("#status")).to_have_text(re.compile("Answer ready"))


def test_without_script_in_at_most_six_pages(open_browser: Callable[..., Page]) -> None:
    page = open_browser(width=360, height=740, script=False)
    loads: list[str] = []
    page.on("domcontentloaded", lambda loaded: loads.append(loaded.url))
    page.goto("/")
    page.get_by_label("What would you like to ask?").fill(QUESTION)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.get_by_role("button", name="Hand over what I chose").click()
    expect(page.locator("#turn")).to_contain_text(PAN)
    expect(page.locator(".stamp.value")).to_have_count(3)
    page.locator(".stamp", has_text="Kitchen equipment").get_by_role("button").click()
    expect(page.locator("mark").first).to_contain_text("changed")
    assert len(loads) <= 6
    page.goto("/ledger")
    page.get_by_role("link", name="Check for new lines").click()
    expect(page.locator(".ledger tbody tr").first).to_be_visible()


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the control of this name has the focus, and see that nothing covers it."""
    for _ in range(80):
        page.keyboard.press("Tab")
        found = page.evaluate(
            """() => {
              const el = document.activeElement, box = el.getBoundingClientRect();
              const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
              const label = el.labels?.[0]?.innerText ?? el.innerText;
              const clear = !!top && (el.contains(top) || top.contains(el));
              return { name: (label || el.ariaLabel || "").replace(/\\s+/g, " ").trim(), clear };
            }"""
        )
        if found["name"].startswith(name):
            assert found["clear"], f"{name} is covered"
            return
    raise AssertionError(f"Tab never reached {name}")


def test_by_keyboard_alone(open_browser: Callable[..., Page]) -> None:
    page = open_browser(width=360, height=740)
    page.goto("/")
    tab_to(page, "What would you like to ask?")
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    page.wait_for_url("**/chat/*")
    tab_to(page, "Hand over")
    page.keyboard.press("ArrowRight")
    assert page.locator("#ordinary [value=leave]:checked").count() == 1
    page.keyboard.press("ArrowLeft")
    tab_to(page, "Hand over what I chose")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text(re.compile("Answer ready, 4 memories handed over"))
    tab_to(page, "Leave out Kitchen equipment")
    page.keyboard.press("Enter")
    expect(page.locator("mark").first).to_contain_text("changed")
