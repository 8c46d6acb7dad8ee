"""Signing in: passkeys and codes without a mail server, and pages that say in our words what happens."""

import re
import secrets
from random import randrange
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.test import Client

from apps.web import browsers
from tests.surfaces.web import text_of

FILED = "no mail server"
NOT_OUR_WORDS = re.compile(r"two-factor|security key|\baccount\b|authenticator app|deactivate", re.IGNORECASE)


class Newcomer:
    """Somebody who signs up on the page, with the address unconfirmed."""

    def __init__(self) -> None:
        # Sign-ups and sign-ins are counted by address.
        self.address = f"10.{randrange(256)}.{randrange(256)}.{randrange(256)}"
        self.client = Client(REMOTE_ADDR=self.address)
        self.email = f"{secrets.token_hex(6)}@home.example"
        self.password = f"unlike my own address {secrets.randbelow(1000)}"
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
        return Client(REMOTE_ADDR=self.address).post("/accounts/login/", given, follow=True)


@pytest.fixture
def newcomer(live: None, settings: Any) -> Newcomer:
    settings.MFA_TOTP_TOLERANCE = 1  # a code is for half a minute, and a test may come to its end
    return Newcomer()


def foreign_words(page: str) -> list[str]:
    """What a person reads on the page that is not in our words."""
    return NOT_OUR_WORDS.findall(re.sub(r"<script.*?</script>|<[^>]*>", " ", page, flags=re.DOTALL))


def code_of(secret: str) -> str:
    """What an app would show."""
    _, now, _ = yield_hotp_counters_from_time()
    return format_hotp_value(hotp_value(secret, now))


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


def test_one_session_is_ended_and_the_others_stay(newcomer: Newcomer) -> None:
    phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605 (KHTML) Version/18 Safari/604.1"
    elsewhere = Client(headers={"user-agent": phone})
    elsewhere.post("/accounts/login/", {"login": newcomer.email, "password": newcomer.password})
    third = newcomer.sign_in().client
    page = text_of(newcomer.client.get("/accounts/sessions/"))
    assert "Safari on an iPhone" in page
    assert "Mozilla" not in page
    numbers = re.findall(r'name="session" value="(\d+)"', page)
    assert len(numbers) == 2
    ended = newcomer.client.post("/you/sessions/end", {"session": numbers[0]}, follow=True)
    assert "Signed out there." in text_of(ended)
    assert (elsewhere.get("/").status_code, third.get("/").status_code) == (302, 200)
    for wrong in ("", "x", numbers[0], "99999999"):
        assert newcomer.client.post("/you/sessions/end", {"session": wrong}).status_code == 404


def test_a_session_of_somebody_else_cannot_be_ended(newcomer: Newcomer) -> None:
    second = newcomer.sign_in().client
    number = re.findall(r'name="session" value="(\d+)"', text_of(newcomer.client.get("/accounts/sessions/")))[0]
    assert Newcomer().client.post("/you/sessions/end", {"session": number}).status_code == 404
    assert second.get("/").status_code == 200


@pytest.mark.parametrize(
    ("user_agent", "named"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537 Chrome/140.0 Safari/537 Edg/140.0", "Edge on Windows"),
        ("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537 Chrome/140.0 Mobile Safari/537", "Chrome on Android"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605 Version/18 Safari/605", "Safari on a Mac"),
        ("curl/8.14", "curl"),
        ("Something/1.0 (Linux)", "a browser on Linux"),
        ("", "an unnamed browser"),
    ],
)
def test_a_browser_is_named_in_a_few_words(user_agent: str, named: str) -> None:
    assert browsers.named(user_agent) == named
