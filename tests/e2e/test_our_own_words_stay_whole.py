"""What a column or a fact is called breaks between words and nowhere else, however long what stands beside it is."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.cast import register
from tests.clinics import allow, open_clinic
from tests.e2e.test_a_household import sign_in

pytestmark = pytest.mark.e2e

BROKEN = """() => [...document.querySelectorAll("main .rows > li > b, main th")].filter((el) => {
  if (!el.checkVisibility()) return false;
  const range = document.createRange();
  range.selectNodeContents(el);
  const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
  return lines.size > el.textContent.trim().split(/\\s+/).length;
}).map((el) => el.textContent)"""


@pytest.mark.parametrize("width", [320, 360, 700, 800, 1280])
def test_at_the_desk(open_browser: Callable[..., Page], width: int) -> None:
    casa = open_clinic()
    allow(register(casa.patient("Leo Maria Brandt"), "An assistant with a rather long name"), "pills")
    page = open_browser(width=width, signed_in=False)
    sign_in(page, casa.rita)
    page.goto("/review/")
    page.get_by_role("button", name="Sit down at the desk").click()
    looked = [page.locator("h1").inner_text()]
    assert page.evaluate(BROKEN) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "sideways"
    page.get_by_role("link", name="0 min").click()
    page.wait_for_url("**/rvw_*")
    looked.append(page.locator("h1").inner_text())
    assert page.evaluate(BROKEN) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "sideways"
    assert looked == ["Waiting for review", "An assistant with a rather long name asks to plan meals"]
