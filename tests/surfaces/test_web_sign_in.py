"""Signing in: passkeys and codes without a mail server, and pages that say in our words what happens."""

import re
import secrets
import time
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.test import Client

from tests.surfaces.web import text_of

FILED = "no mail server"
NOT_OUR_WORDS = re.compile(r"two-factor|security key|\baccount\b|authenticator app|deactivate", re.IGNORECASE)


class Newcomer:
    """Somebody who signs up on the page, with the address unconfirmed."""

    def __init__(self) -> None:
        self.client, self.email, self.password = Client(), f"{secrets.token_hex(6)}@home.example", secrets.token_hex(8)
        given = {"email": self.email, "password1": self.password}
        self.client.post("/accounts/signup/", given)
        self.show_it_is_you()

    def show_it_is_you(self) -> None:
        """What guards a sign-in is changed only by who knows the password."""
        asked = self.client.get("/accounts/2fa/totp/activate/")
        assert "Is it you?" in text_of(self.client.get(asked["Location"]))
        self.client.post("/accounts/reauthenticate/", {"password": self.password})

    def sign_in(self, password: str = "") -> Any:
        given = {"login": self.email, "password": password or self.password}
        return Client().post("/accounts/login/", given, follow=True)


@pytest.fixture
def newcomer(live: None) -> Newcomer:
    return Newcomer()


def foreign_words(page: str) -> list[str]:
    """What a person reads on the page that is not in our words."""
    return NOT_OUR_WORDS.findall(re.sub(r"<script.*?</script>|<[^>]*>", " ", page, flags=re.DOTALL))


def code_of(secret: str) -> str:
    """What an app would show, away from the edge of its half minute."""
    if time.time() % 30 > 27:
        time.sleep(3.5)
    return format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time())))


def turn_codes_on(newcomer: Newcomer) -> str:
    page = text_of(newcomer.client.get("/accounts/2fa/totp/activate/"))
    secret = re.search(r'id="authenticator_secret">([A-Z2-7]+)<', page)
    assert secret, page
    on = newcomer.client.post("/accounts/2fa/totp/activate/", {"code": code_of(secret[1])}, follow=True)
    assert "Recovery codes" in text_of(on)
    return secret[1]


def test_codes_are_turned_on_with_an_address_nobody_confirmed(newcomer: Newcomer) -> None:
    turn_codes_on(newcomer)
    kinds = Authenticator.objects.filter(user__email=newcomer.email).values_list("type", flat=True)
    assert sorted(kinds) == ["recovery_codes", "totp"]


def test_a_wrong_code_turns_nothing_on(newcomer: Newcomer) -> None:
    newcomer.client.get("/accounts/2fa/totp/activate/")
    page = text_of(newcomer.client.post("/accounts/2fa/totp/activate/", {"code": "000000"}))
    assert "doesn’t fit" in page
    assert not Authenticator.objects.filter(user__email=newcomer.email).exists()


def test_with_codes_on_a_password_alone_opens_nothing(newcomer: Newcomer) -> None:
    turn_codes_on(newcomer)
    response = newcomer.sign_in()
    page = text_of(response)
    assert "The second step" in page
    assert not foreign_words(page)
    assert response.request["PATH_INFO"] == "/accounts/2fa/authenticate/"
    recovery = text_of(newcomer.client.get("/accounts/2fa/recovery-codes/"))
    first = re.search(r'id="recovery_codes">(\w+)', recovery)
    assert first
    opened = response.client.post("/accounts/2fa/authenticate/", {"code": first[1]}, follow=True)
    assert opened.request["PATH_INFO"] == "/"
    assert newcomer.email.partition("@")[0] in text_of(opened)


def test_a_passkey_may_be_added_too(newcomer: Newcomer) -> None:
    page = text_of(newcomer.client.get("/accounts/2fa/webauthn/add/"))
    assert "Add a passkey" in page
    assert "First passkey" in page


def test_where_mail_is_kept_in_files_the_pages_say_so(newcomer: Newcomer, settings: Any) -> None:
    pages = ("/accounts/password/reset/", "/accounts/password/reset/done/", "/accounts/confirm-email/")
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    for path in (*pages, "/accounts/email/"):
        assert FILED in text_of(newcomer.client.get(path)), path
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    for path in (*pages, "/accounts/email/"):
        assert FILED not in text_of(newcomer.client.get(path)), path


def test_inner_pages_have_our_words(newcomer: Newcomer) -> None:
    paths = ["", "totp/activate/", "webauthn/add/"]
    pages = [text_of(newcomer.client.get(f"/accounts/2fa/{path}")) for path in paths]
    turn_codes_on(newcomer)
    paths = ["", "totp/deactivate/", "recovery-codes/", "recovery-codes/generate/", "webauthn/"]
    pages += [text_of(newcomer.client.get(f"/accounts/2fa/{path}")) for path in paths]
    for path in ("email/", "password/change/", "sessions/", "logout/", "password/reset/", "reauthenticate/"):
        pages.append(text_of(newcomer.client.get(f"/accounts/{path}", follow=True)))
    for page in pages:
        assert not foreign_words(page)


def test_too_many_failed_sign_ins_say_how_long(newcomer: Newcomer) -> None:
    for _ in range(5):
        newcomer.sign_in("not the password")
    assert "Wait five minutes" in text_of(newcomer.sign_in("not the password"))
    assert "Wait five minutes" in text_of(newcomer.sign_in())
