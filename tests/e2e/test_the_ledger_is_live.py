"""Lines appear as they are written: counted on the ledger's page, where nobody loses their place; shown on the tape."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from apps.memories import services as memories
from tests.e2e.conftest import Ines
from vault.clock import utc_now

pytestmark = pytest.mark.e2e


def write_line(ines: Ines, label: str) -> None:
    memories.add(ines.holder, label=label, value="x", now=utc_now())


def test_new_lines_are_counted_and_shown_by_a_press(open_browser: Callable[..., Page], ines: Ines) -> None:
    page = open_browser()
    page.goto("/ledger")
    rows = page.locator(".ledger td.no")
    before = rows.count()
    write_line(ines, "Bicycle")
    expect(page.locator("#new-lines")).to_contain_text("1 new line.")
    write_line(ines, "Tram card")
    expect(page.locator("#new-lines")).to_contain_text("2 new lines.")
    assert rows.count() == before
    page.evaluate("window.sameDocument = true")
    page.get_by_role("link", name="Check for new lines").click()
    expect(rows).to_have_count(before + 2)
    expect(page.locator("#new-lines")).to_be_empty()
    assert page.evaluate("window.sameDocument")
    write_line(ines, "Umbrella")
    expect(page.locator("#new-lines")).to_contain_text("1 new line.")


def test_the_tape_shows_a_line_at_once(open_browser: Callable[..., Page], ines: Ines) -> None:
    page = open_browser()
    with page.expect_response("**/ledger/live*"):  # from here on it is told
        page.goto("/")
    write_line(ines, "Bicycle")
    expect(page.locator("#tape li").first).to_contain_text("Bicycle")
    page.locator("#tape li a").first.click()
    expect(page.locator(".receipt .what")).to_have_text("Bicycle")


def test_filters_apply_at_once_and_stand_in_the_address(open_browser: Callable[..., Page], ines: Ines) -> None:
    page = open_browser()
    page.goto("/ledger")
    page.get_by_label("Category").select_option("health")
    expect(page.locator(".ledger td.no")).to_have_count(1)
    assert "category=health" in page.url
    page.reload()
    expect(page.locator(".ledger td.no")).to_have_count(1)
