"""What happens to an account, a key or a file for good is told at once, with what to do if it was somebody else."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import allauth.mfa
import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings as ours
from django.contrib.auth import get_user_model
from django.test import Client as Browser
from django.utils.dateformat import format as written

from apps.access import services as access
from apps.erasure import services as erasure
from apps.holders.adapter import FACTORS, AccountAdapter
from apps.mail import tasks
from apps.mail.models import LetterRow
from apps.memories import services as memories
from apps.policy.erasing import Where
from apps.policy.ids import typed
from apps.policy.letters import Letter
from apps.policy.types import Refused
from apps.policy.wishes import AT_ONCE, SWITCHES
from tests.cast import Vault, canary, new_vault
from tests.holders.children import child_of, themself
from tests.holders.people import acting, address_of, newcomer
from tests.mail.conftest import Postman, Read, read
from tests.mail.test_letters import mails
from vault.clock import utc_now

PASSWORD = "correct horse battery"

pytestmark = pytest.mark.usefixtures("empty")


def only(letters: list[Read], subject: str) -> Read:
    (found,) = [each for each in letters if each.subject == subject]
    return found


def test_none_of_them_can_be_switched_off_or_waits_for_morning() -> None:
    for letter in (Letter.ERASED, Letter.KEY, Letter.SIGNED_IN, Letter.FACTOR):
        assert SWITCHES[letter] is None and letter in AT_ONCE


# ---------------------------------------------------------------- keys
def test_a_key_is_told_to_who_made_it(alice: Vault, postman: Postman) -> None:
    client, _ = access.register(alice.holder, name="O'Brien & Söhne", now=utc_now())
    letter = only(mails(postman, alice.holder), "An assistant got a key to your vault")
    assert "You registered O'Brien & Söhne and made its first key" in letter.text
    assert letter.link == f"{ours.PUBLIC_URL}/grants" and "end the key on this page" in letter.text
    access.make_key(alice.holder, client.client_id, utc_now())
    _, second = mails(postman, alice.holder)
    assert "You made another key for O'Brien & Söhne" in second.text


def test_a_key_that_a_guardian_makes_is_told_to_both(postman: Postman) -> None:
    rosa = newcomer("Rosa")
    seat = child_of(rosa)
    access.register(seat, name="Cook", now=utc_now())
    own = only(mails(postman, themself(seat.vault_id)), "An assistant got a key to your vault")
    hers = only(mails(postman, rosa), "An assistant got a key to a vault you act for")
    assert "Rosa registered Cook and made its first key" in own.text and "talk with Rosa" in own.text
    assert "You registered Cook for Leo" in hers.text


# ---------------------------------------------------------------- erasures
def test_what_was_erased_is_told_by_its_order_and_not_by_what_it_was(alice: Vault, postman: Postman) -> None:
    now, words = utc_now(), (*alice.secrets, *alice.labels.values())
    done = erasure.order(alice.holder, Where(ids=frozenset({alice.ids["kitchen"]})), now, request=canary())
    assert not isinstance(done, Refused)
    letter = only(mails(postman, alice.holder), "Erased")
    assert "A memory was erased from your file on" in letter.text
    assert f"The order: {typed('ord', done.order_id)}" in letter.text
    after = now + timedelta(days=erasure.horizon_days())
    assert f"No backup of this instance opens any of it from {written(after.date(), 'j F Y')} on" in letter.text
    browser = Browser()
    browser.force_login(get_user_model().objects.get(pk=alice.holder.user_id))
    assert browser.get(letter.link.removeprefix(ours.PUBLIC_URL)).status_code == 200
    assert words and not [each for each in words if each in letter.text + letter.html]


def test_what_a_guardian_erases_is_told_to_both(postman: Postman) -> None:
    rosa = newcomer("Rosa")
    seat = child_of(rosa)
    made = memories.add(seat, label="Bicycle", value="Red", now=utc_now())
    erasure.order(seat, Where(ids=frozenset({made.memory_id})), utc_now())
    own, hers = only(mails(postman, themself(seat.vault_id)), "Erased"), only(mails(postman, rosa), "Erased")
    assert "Rosa ordered it" in own.text and "talk with Rosa" in own.text
    assert "from the file of Leo" in hers.text and hers.link == f"{ours.PUBLIC_URL}/people"


def test_the_end_of_a_vault_is_told_at_the_address_that_its_holder_had(postman: Postman) -> None:
    alice = new_vault("Alice")
    to = address_of(alice.holder)
    ended = erasure.end_vault(alice.holder, utc_now())
    assert not isinstance(ended, Refused) and ended.account_too
    assert not get_user_model().objects.filter(email=to).exists()
    assert LetterRow.objects.get().address == to
    tasks.sweep()
    letter = read(postman.one_to(to))
    assert letter.subject == "Erased" and letter.link == ""
    assert "Your vault was erased on" in letter.text and "Your sign-in went with it" in letter.text
    assert f"Your sign-in at {ours.PUBLIC_URL.partition('//')[2]} is gone" in letter.text
    assert "change the password wherever you use the same" in letter.text
    row = LetterRow.objects.get()
    assert (row.address, row.facts) == ("", {})


def test_who_keeps_an_account_is_told_there(alice: Vault, postman: Postman) -> None:
    acting(newcomer("Rosa"), alice.holder)
    ended = erasure.end_vault(alice.holder, utc_now())
    assert not isinstance(ended, Refused) and not ended.account_too
    letter = only(mails(postman, alice.holder), "Erased")
    assert "Your sign-in" not in letter.text and "set a new password" in letter.text


# ---------------------------------------------------------------- sign-ins
@pytest.fixture
def signing(alice: Vault, settings: Any) -> str:
    """Her address, once she has a password."""
    user = get_user_model().objects.get(pk=alice.holder.user_id)
    user.set_password(PASSWORD)
    user.save()
    EmailAddress.objects.create(user=user, email=user.email.lower(), primary=True, verified=True)
    return str(user.email).lower()


def sign_in(browser: Browser, email: str, password: str = PASSWORD) -> None:
    done = browser.post(
        "/accounts/login/", {"login": email, "password": password}, headers={"User-Agent": "X11; Linux Firefox/140.0"}
    )
    assert done.status_code == 302


def test_a_browser_that_was_not_known_is_told_and_not_again(alice: Vault, signing: str, postman: Postman) -> None:
    browser = Browser()
    sign_in(browser, signing)
    letter = only(mails(postman, alice.holder), "Somebody signed in as you")
    assert "with Firefox on Linux" in letter.text and "set a new password" in letter.text
    assert letter.link == f"{ours.PUBLIC_URL}/accounts/sessions/"
    assert browser.get("/accounts/sessions/").status_code == 200
    browser.post("/accounts/logout/")
    sign_in(browser, signing)
    assert len(mails(postman, alice.holder)) == 1
    sign_in(Browser(), signing)
    assert len(mails(postman, alice.holder)) == 2


def test_after_a_new_password_no_browser_is_known(alice: Vault, signing: str, postman: Postman) -> None:
    browser = Browser()
    sign_in(browser, signing)
    user = get_user_model().objects.get(pk=alice.holder.user_id)
    user.set_password("another " + PASSWORD)
    user.save()
    browser.post("/accounts/logout/")
    sign_in(browser, signing, "another " + PASSWORD)
    assert len(mails(postman, alice.holder)) == 2


def test_the_cookie_names_nobody_and_fits_nobody_else(alice: Vault, signing: str, postman: Postman) -> None:
    browser = Browser()
    sign_in(browser, signing)
    (name,) = [each for each in browser.cookies if each.startswith("known_")]
    cookie = browser.cookies[name]
    assert cookie["httponly"] and cookie["samesite"] == "Lax"
    assert alice.holder.user_id.hex not in name + cookie.value and signing not in cookie.value
    forged = Browser()
    forged.cookies[name] = "0" * 64
    sign_in(forged, signing)
    assert len(mails(postman, alice.holder)) == 2


def test_a_sign_up_is_no_news(empty: None, postman: Postman) -> None:
    browser = Browser()
    new = f"new-{canary().lower()[:8]}@home.example"
    done = browser.post("/accounts/signup/", {"email": new, "password1": PASSWORD})
    assert done.status_code == 302
    assert not LetterRow.objects.filter(letter="signed-in").exists()
    browser.post("/accounts/logout/")
    sign_in(browser, new)
    assert not LetterRow.objects.filter(letter="signed-in").exists(), "it is known since"


# ---------------------------------------------------------------- ways to sign in
@pytest.mark.parametrize(
    ("told", "says"),
    [
        ("mfa/email/webauthn_added", "A passkey of yours was added"),
        ("mfa/email/webauthn_removed", "A passkey of yours was taken away"),
        ("mfa/email/totp_activated", "One-time codes were turned on"),
        ("mfa/email/totp_deactivated", "One-time codes were turned off"),
        ("mfa/email/recovery_codes_generated", "New recovery codes were made"),
    ],
)
def test_a_way_to_sign_in_that_changed(alice: Vault, postman: Postman, told: str, says: str) -> None:
    user = get_user_model().objects.get(pk=alice.holder.user_id)
    AccountAdapter().send_notification_mail(told, user)
    (letter,) = mails(postman, alice.holder)
    assert says in letter.text and "If it was not you" in letter.text
    assert letter.link == f"{ours.PUBLIC_URL}/accounts/2fa/"


def test_every_such_notice_of_allauth_s_has_its_letter() -> None:
    folder = Path(allauth.mfa.__file__).parents[1] / "templates" / "mfa" / "email"
    assert {f"mfa/email/{each.name.removesuffix('_message.txt')}" for each in folder.glob("*_message.txt")} == set(
        FACTORS
    )


def test_one_that_is_taken_away_on_the_page_is_told(alice: Vault, signing: str, postman: Postman) -> None:
    browser = Browser()
    sign_in(browser, signing)
    user = get_user_model().objects.get(pk=alice.holder.user_id)
    Authenticator.objects.create(user=user, type="totp", data={"secret": "x"})
    asked = browser.post("/accounts/2fa/totp/deactivate/")
    if "reauthenticate" in asked["Location"]:
        browser.post(asked["Location"], {"password": PASSWORD})
        asked = browser.post("/accounts/2fa/totp/deactivate/")
    assert not Authenticator.objects.filter(user=user).exists(), asked["Location"]
    only(mails(postman, alice.holder), "A way to sign in was taken away")
