"""A household in the browser, without script: invited by mail, accepted by a press, acting for somebody and knowing it;
and every page of people is fit to use.
"""

import re
from collections.abc import Callable

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from playwright.sync_api import Page, expect

from apps.holders import services as holders
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Level, Role
from tests.e2e.conftest import Ines
from tests.e2e.test_every_page_is_fit_to_use import WIDTHS_AND_THEMES, check
from tests.holders.people import acting, address_of, newcomer
from vault.clock import utc_now

pytestmark = pytest.mark.e2e


def sign_in(page: Page, person: Holder) -> None:
    """In this window somebody else is signed in from now on."""
    client = Client()
    client.force_login(get_user_model().objects.get(pk=person.user_id))
    page.context.clear_cookies()
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "domain": "localhost", "path": "/"}]
    )


def test_invited_accepted_acting_and_ended(open_browser: Callable[..., Page], ines: Ines) -> None:
    rosa, page = newcomer("Rosa"), open_browser(width=360, script=False)
    page.goto("/people")
    page.get_by_role("link", name="Let somebody act for you").click()
    page.get_by_label("Their address").fill(address_of(rosa))
    page.get_by_label("As", exact=True).select_option("delegate")
    page.get_by_label("They may").select_option("decide")
    page.get_by_role("button", name="Send the invitation").click()
    expect(page.get_by_text(f"Invited {address_of(rosa)}.")).to_be_visible()
    (invitation,) = holders.invitations(ines.holder)
    assert invitation.level is Level.DECIDE
    # The mail lies where whoever runs the server finds it; here the token is made anew, as nobody is told it twice.
    made = holders.invite_to_vault(ines.holder, address_of(rosa), Role.DELEGATE, Level.DECIDE, utc_now())
    assert not isinstance(made, Refused)
    sign_in(page, rosa)
    page.goto(f"/invited/{made[1]}")
    expect(page.get_by_text("asks you to act for")).to_be_visible()
    page.get_by_role("button", name="Accept").click()
    expect(page).to_have_url(re.compile("/accounts/login/"))
    expect(page.get_by_text("Sign in again to go on")).to_be_visible()
    sign_in(page, rosa)
    page.goto("/people")
    page.locator("main").get_by_role("button", name=re.compile("Act for ")).click()
    banner = page.get_by_role("region", name="For whom you act")
    expect(banner).to_be_visible()
    expect(page).to_have_url(re.compile("/file$"))
    width = banner.evaluate("each => each.getBoundingClientRect().width")
    assert width == 360, "it is as wide as the page"
    page.goto("/people")
    page.get_by_role("button", name="End").click()
    expect(page).to_have_url(re.compile("/accounts/login/"))
    sign_in(page, rosa)
    page.goto("/people")
    expect(banner).to_have_count(0)


@pytest.mark.parametrize(("width", "dark"), WIDTHS_AND_THEMES)
def test_pages_of_people_are_fit_to_use(open_browser: Callable[..., Page], ines: Ines, width: int, dark: bool) -> None:
    rosa, otto = newcomer("Rosa"), newcomer("Otto")
    acting(ines.holder, otto)
    acting(rosa, ines.holder, Role.GUARDIAN)
    made = holders.invite_to_vault(otto, address_of(ines.holder), Role.DELEGATE, Level.VIEW, utc_now())
    assert not isinstance(made, Refused)
    page, wrong = open_browser(width=width, dark=dark), []
    sign_in(page, ines.holder)  # accepting signed her out
    addresses = ("/people", "/people/invite", f"/invited/{made[1]}")
    for address in addresses:
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(address)
        wrong += check(page, f"{address} at {width}")
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/people")
    page.locator("main").get_by_role("button", name=re.compile("Act for ")).click()
    for address in ("/people", "/file", "/ledger", "/inbox", "/grants"):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(address)
        wrong += check(page, f"{address}, acting, at {width}")
    assert not wrong, "\n".join(wrong)
