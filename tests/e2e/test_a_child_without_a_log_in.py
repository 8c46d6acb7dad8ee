"""A child who does not sign in yet, in the browser: on a phone without script a guardian gives them an address and asks
another guardian in, who sees nothing of the first; and its page is fit to use.
"""

import re
from collections.abc import Callable

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import Page, expect

from apps.holders import services as holders
from apps.policy.types import Refused
from apps.policy.vocabulary import Level, Role
from tests.e2e.conftest import Ines
from tests.e2e.test_a_household import sign_in
from tests.e2e.test_consent_while_acting import sit
from tests.e2e.test_every_page_is_fit_to_use import WIDTHS_AND_THEMES, check
from tests.holders.children import child_of, themself
from tests.holders.people import address_of, newcomer
from vault.clock import utc_now

pytestmark = pytest.mark.e2e


def test_an_address_another_guardian_and_then_it_is_the_child_s(open_browser: Callable[..., Page], ines: Ines) -> None:
    seat, rosa = child_of(ines.holder, log_in=False), newcomer("Rosa")
    email = f"leo-{seat.vault_id.hex}@house.example"
    page = open_browser(width=360, height=740, script=False)
    sign_in(page, ines.holder)
    sit(page, "Leo")
    page.goto("/file")
    page.get_by_role("link", name="See to their log-in").click()
    expect(page.get_by_text("nobody can sign in as Leo")).to_be_visible()
    page.get_by_label("Their own address").fill(email)
    page.get_by_role("button", name="Give them this address").click()
    expect(page.get_by_text(f"{email} leads to it")).to_be_visible()
    page.get_by_label("Their address").fill(address_of(rosa))
    page.get_by_label("They may").select_option("view")
    page.get_by_role("button", name="Send the invitation").click()
    expect(page.get_by_text(f"Invited {address_of(rosa)}.")).to_be_visible()
    # The mail lies where whoever runs the server finds it; here the token is made anew, as nobody is told it twice.
    made = holders.invite_to_vault(seat, address_of(rosa), Role.GUARDIAN, Level.VIEW, utc_now())
    assert not isinstance(made, Refused)
    sign_in(page, rosa)
    page.goto(f"/invited/{made[1]}")
    page.get_by_role("button", name="Accept").click()
    sign_in(page, rosa)
    sit(page, "Leo")
    page.goto("/file")
    expect(page.get_by_text("You are acting for Leo.")).to_be_visible()
    expect(page.get_by_role("link", name="See to their log-in")).to_have_count(0)
    page.goto("/people")
    expect(page.get_by_text(re.compile("guardian, may view and decide"))).to_have_count(0)
    child = get_user_model().objects.get(pk=themself(seat.vault_id).user_id)
    child.set_password("a bicycle, red")
    child.save()
    sign_in(page, ines.holder)
    sit(page, "Leo")
    page.goto("/file")
    expect(page.get_by_text("You are acting for Leo.")).to_be_visible()
    expect(page.get_by_role("link", name="See to their log-in")).to_have_count(0)


@pytest.mark.parametrize(("width", "dark"), WIDTHS_AND_THEMES)
def test_its_page_is_fit_to_use(open_browser: Callable[..., Page], ines: Ines, width: int, dark: bool) -> None:
    seat, wrong = child_of(ines.holder, log_in=False), []
    made = holders.invite_to_vault(seat, address_of(newcomer("Rosa")), Role.GUARDIAN, Level.VIEW, utc_now())
    assert not isinstance(made, Refused)
    page = open_browser(width=width, dark=dark)
    sign_in(page, ines.holder)
    sit(page, "Leo")
    for address in ("/file", "/people/raising"):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(address)
        wrong += check(page, f"{address} at {width}")
    expect(page.get_by_role("heading", name="Raising Leo")).to_be_visible()
    assert not wrong, "\n".join(wrong)
