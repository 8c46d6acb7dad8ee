"""A passkey, from adding it to signing in with nothing else: Chromium's own authenticator, without a device."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Ines

pytestmark = pytest.mark.e2e

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def test_a_passkey_is_added_and_opens_the_vault_alone(open_browser: Callable[..., Page], ines: Ines) -> None:
    page = open_browser(signed_in=False)
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    page.goto("/accounts/login/?next=/accounts/2fa/")
    page.get_by_label("Email").fill(ines.email)
    page.get_by_label("Password").fill(ines.password)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("Password").fill(ines.password)
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Let it open my vault without a password").check()
    page.get_by_role("button", name="Add it").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.goto("/accounts/2fa/webauthn/")
    expect(page.get_by_text("opens your vault without a password")).to_be_visible()
    page.goto("/accounts/logout/")
    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("link", name="Signed in as")).to_be_visible()
    page.goto("/file")
    expect(page.get_by_role("link", name="Kitchen equipment")).to_be_visible()
