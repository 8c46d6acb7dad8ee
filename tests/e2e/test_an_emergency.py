"""An emergency in the browser: somebody opens a patient's file on a phone, without script, leaves it, and is looked at;
the patient sees it. And its pages are fit to use.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from apps.holders.services import emergency, looking
from apps.policy.types import Holder
from tests.e2e.test_a_household import sign_in
from tests.e2e.test_every_page_is_fit_to_use import WIDTHS_AND_THEMES, check
from tests.e2e.test_sixty_seconds import no_sideways
from tests.holders.emergencies import NOTE, Ward
from tests.holders.emergencies import ward as ward  # a fixture
from tests.surfaces.emergencies import PASSWORD, signed_in
from vault.clock import utc_now

pytestmark = pytest.mark.e2e


def arrive(page: Page, by: Holder) -> None:
    """Signed in, and asked for the password again."""
    signed_in(by)
    sign_in(page, by)
    page.goto("/people")
    page.get_by_role("link", name="Open a file in an emergency").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()


def say_whose(page: Page, ward: Ward) -> None:
    """Whose file, and why; then by name whose it is."""
    page.get_by_label("Whose file").fill(ward.number())
    page.get_by_label("Reason").select_option(label="A life is at risk")
    page.get_by_label("What happened").fill(NOTE)
    page.get_by_role("button", name="See whose file it is").click()


def test_opened_looked_at_left_and_reviewed(open_browser: Callable[..., Page], ward: Ward) -> None:
    phone, paula, leo = open_browser(width=360, script=False), open_browser(), open_browser(width=360)
    arrive(phone, ward.nora)
    say_whose(phone, ward)
    expect(phone.get_by_role("heading", name="Is it Leo Maria Brandt?")).to_be_visible()
    no_sideways(phone)
    phone.get_by_role("button", name="Open this file").click()
    expect(phone.get_by_text("60 minutes left.")).to_be_visible()
    phone.get_by_label(f"Show {ward.leo.labels['pills']}").check()
    phone.get_by_role("button", name="Show what I ticked").first.click()
    expect(phone.get_by_text(ward.leo.values["pills"])).to_be_visible()
    no_sideways(phone)
    phone.get_by_role("button", name="Leave the file of Leo").click()
    expect(phone.get_by_text("You left the file.")).to_be_visible()
    phone.goto("/file")
    assert ward.leo.labels["pills"] not in phone.content()
    sign_in(paula, ward.paula)
    paula.goto("/people")
    paula.get_by_role("link", name="Look at emergencies").click()
    paula.get_by_role("link", name="Nora, the file of Leo").click()
    expect(paula.get_by_text("1 value was shown: 1 health.")).to_be_visible()
    paula.get_by_label("What you make of it").select_option(label="It was justified")
    paula.get_by_label("In your words").fill("He could not be asked.")
    paula.get_by_role("button", name="Say so").click()
    expect(paula.get_by_text("Kept. The person sees it.")).to_be_visible()
    sign_in(leo, ward.leo.holder)
    leo.goto("/file")
    leo.get_by_role("link", name="See why, and what was made of it").click()
    expect(leo.get_by_text("Looked at since: justified.")).to_be_visible()
    no_sideways(leo)


@pytest.mark.parametrize(("width", "dark"), WIDTHS_AND_THEMES)
def test_its_pages_are_fit_to_use(open_browser: Callable[..., Page], ward: Ward, width: int, dark: bool) -> None:
    page, wrong = open_browser(width=width, dark=dark), []

    def look(where: str) -> None:
        wrong.extend(check(page, f"{where} at {width}"))
        page.set_viewport_size({"width": width, "height": 900})

    arrive(page, ward.nora)
    look("the form")
    say_whose(page, ward)
    look("whose file it is")
    page.get_by_role("button", name="Open this file").click()
    look("the file")
    page.get_by_label(f"Show {ward.leo.labels['pills']}").check()
    page.get_by_role("button", name="Show what I ticked").first.click()
    look("a value")
    page.goto("/emergency")
    look("what is open")
    emergency.leave(ward.nora.user_id, utc_now())
    sign_in(page, ward.paula)
    for path in ("/people", "/emergency/reviews", f"/emergency/reviews/del_{_the_one(ward)}"):
        page.goto(path)
        look(path)
    sign_in(page, ward.leo.holder)
    for path in ("/people", "/file"):
        page.goto(path)
        look(f"the person's {path}")
    assert not wrong, "\n".join(wrong)


def _the_one(ward: Ward) -> str:
    (found,) = looking.to_review(ward.paula.user_id)
    return found.emergency_id.hex
