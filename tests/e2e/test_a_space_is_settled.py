"""A space's pages for its admins: fit to use, and without script too."""

from collections.abc import Callable
from uuid import UUID

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from playwright.sync_api import Page, expect

from apps.holders import services as holders
from apps.policy.vocabulary import Category, Role
from tests.clinics import Clinic
from tests.e2e.conftest import Ines
from tests.e2e.test_every_page_is_fit_to_use import WIDTHS_AND_THEMES, check
from tests.holders.people import newcomer, settle

pytestmark = pytest.mark.e2e


@pytest.fixture
def clinic(ines: Ines) -> Clinic:
    """A clinic that Ines looks after, with a reviewer and a policy that was settled once."""
    rita = newcomer("Rita")
    found = Clinic(holders.found_space("clinic", "Casa M.", ines.holder.user_id), ines.holder, rita, rita)
    found.joined(rita, Role.REVIEWER)
    found.joined(rita, Role.ADMIN)
    settle(ines.holder, found.space_id, notice="We look at what you allow, together with you.", lapse_days=30)
    return found


@pytest.fixture
def opened(open_browser: Callable[..., Page], ines: Ines, clinic: Clinic, site: str) -> Callable[..., Page]:
    """A window of Ines, signed in again: founding has signed her out."""

    def open_one(**more: object) -> Page:
        page, client = open_browser(**more), Client()
        client.force_login(get_user_model().objects.get(pk=ines.holder.user_id))
        page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site}])
        return page

    return open_one


def at(space_id: UUID, page: str = "") -> str:
    return f"/people/spaces/spc_{space_id.hex}{page}"


@pytest.mark.parametrize(("width", "dark"), WIDTHS_AND_THEMES)
def test_its_pages_are_fit_to_use(opened: Callable[..., Page], clinic: Clinic, width: int, dark: bool) -> None:
    wrong, page = [], opened(width=width, dark=dark)
    for address in ("/people", *(at(clinic.space_id, each) for each in ("", "/settings", "/ledger"))):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(address)
        wrong += check(page, f"{address} at {width}")
    assert not wrong, "\n".join(wrong)


def test_a_policy_is_settled_without_script(opened: Callable[..., Page], clinic: Clinic) -> None:
    page = opened(width=360, script=False)
    page.goto(at(clinic.space_id, "/settings"))
    page.get_by_label("Your own notice").fill("Ask at the desk.\n\nOr write.")
    page.get_by_role("checkbox", name="Belief").uncheck()
    page.get_by_label("Emergencies").check()
    page.get_by_label("Privacy lead").select_option(label="Rita")
    page.get_by_role("button", name="Settle it").click()
    expect(page.get_by_text("Settled. It holds from the next decision on.")).to_be_visible()
    held = holders.space_policy(clinic.space_id)
    assert (held.notice, held.lapse_days, held.version) == ("Ask at the desk.\nOr write.", 30, 3)
    assert (held.break_glass, held.privacy_lead) == (True, clinic.rita.user_id)
    assert Category.BELIEF not in held.review_categories
    page.locator("summary", has_text="No. 3").click()
    expect(page.get_by_text("muniment-policy/1").first).to_be_visible()


def test_an_admin_ends_a_place_and_the_space_s_ledger_says_so(opened: Callable[..., Page], clinic: Clinic) -> None:
    page = opened()
    page.goto(at(clinic.space_id))
    page.get_by_role("button", name="No longer reviewer").click()
    expect(page.get_by_text("Ended. They are signed out.")).to_be_visible()
    expect(page.get_by_role("button", name="No longer reviewer")).to_have_count(0)
    page.get_by_role("link", name="What was done here").click()
    line = page.get_by_role("row").nth(2)
    expect(line).to_contain_text("Rita, reviewer")
    expect(line).to_contain_text("left")
