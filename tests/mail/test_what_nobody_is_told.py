"""What mail does not tell: limits, each as a test that passes because we do not catch it."""

import pytest
from django.test import Client as Browser

from apps.mail import services as mail
from apps.mail import tasks
from apps.policy.arriving import Course
from tests.cast import Vault
from tests.holders.people import newcomer
from tests.mail.conftest import Postman
from tests.mail.outside import shared, somebody
from tests.mail.test_letters import mails
from tests.mail.test_letters_of_guarding import sign_in, signing

__all__ = ["signing"]  # a fixture
pytestmark = pytest.mark.usefixtures("empty")


def test_over_smtp_nobody_hears_that_a_mail_bounced_after_the_server_took_it(postman: Postman) -> None:
    ines = newcomer("Ines")
    shared(ines, somebody(), key="a")
    tasks.sweep()
    assert [each.course for each in mail.letters_of(ines.vault_id, "a")] == [Course.GONE]


def test_whoever_copies_a_browser_s_cookie_and_has_the_password_signs_in_untold(
    alice: Vault, signing: str, postman: Postman
) -> None:
    own, copied = Browser(), Browser()
    sign_in(own, signing)
    before = len(mails(postman, alice.holder))
    for name in own.cookies:
        if name.startswith("known_"):
            copied.cookies[name] = own.cookies[name].value
    sign_in(copied, signing)
    assert len(mails(postman, alice.holder)) == before
