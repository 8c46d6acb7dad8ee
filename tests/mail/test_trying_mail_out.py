"""`manage.py mail_test` holds one real conversation; where that fails, it says what failed and what to set."""

import socket
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session
from django.conf import settings as ours
from django.core.management import CommandError, call_command

from tests.e2e.serving import free_port
from tests.mail.conftest import Postman, read

TO = "desk@else.example"


def tried(address: str = TO) -> str:
    """What the command says."""
    said = StringIO()
    call_command("mail_test", address, stdout=said)
    return said.getvalue()


def failed(address: str = TO) -> str:
    with pytest.raises(CommandError) as refused:
        tried(address)
    return str(refused.value)


def test_it_says_who_took_the_mail(postman: Postman, settings: Any) -> None:
    said = tried()
    assert f"127.0.0.1:{settings.EMAIL_PORT} took it, from {ours.MAIL_FROM}, for {TO}" in said
    mail = read(postman.one_to(TO))
    assert mail.subject.startswith("A test of mail from ") and mail.link == ""


def test_without_a_server_it_says_that_mail_is_kept_as_files(settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    assert "Set MUNIMENT_SMTP_URL or MUNIMENT_MAIL_PROVIDER" in failed()


@pytest.mark.parametrize("address", ["nobody", "a@b.example\nBcc: c@d.example", ""])
def test_what_is_no_address_is_sent_nowhere(postman: Postman, address: str) -> None:
    assert "is no address that mail goes to" in failed(address)
    assert postman.kept == []


@pytest.mark.parametrize(
    ("answer", "says"),
    [("554 spam", "read the mail and refuses it: 554 spam"), ("451 later", "read the mail and refuses it: 451 later")],
)
def test_a_mail_that_is_refused(postman: Postman, answer: str, says: str) -> None:
    postman.answer = answer
    assert says in failed() and "MUNIMENT_MAIL_FROM" in failed()


def test_nobody_listens(postman: Postman, settings: Any) -> None:
    settings.EMAIL_PORT = free_port()
    assert f"Nothing listens at 127.0.0.1:{settings.EMAIL_PORT}" in failed()


def test_a_server_that_says_nothing(postman: Postman, settings: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = silent.getsockname()[1], 0.2
        assert "did not answer in 0.2 seconds" in failed()


def test_a_server_that_offers_no_starttls(postman: Postman, settings: Any) -> None:
    settings.EMAIL_USE_TLS = True
    assert "smtp+starttls://" in failed() and "does not offer what the address asks for" in failed()


def test_one_that_speaks_no_tls_at_all(postman: Postman, settings: Any) -> None:
    settings.EMAIL_USE_SSL = True
    assert "Look at the scheme in MUNIMENT_SMTP_URL" in failed()


class Doorman:
    """Takes a password, never the right one; refuses a sender, or a recipient."""

    refuses = ""

    def let_in(self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, given: Any) -> AuthResult:
        return AuthResult(success=False, handled=False)

    async def handle_MAIL(self, server: SMTP, session: Session, envelope: Envelope, address: str, more: Any) -> str:  # noqa: N802
        if self.refuses == "sender":
            return "550 not yours"
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, address: str, more: Any) -> str:  # noqa: N802
        return "550 no such user"


@pytest.fixture
def doorman(settings: Any, postman: Postman) -> Iterator[Doorman]:
    doorman = Doorman()
    port = free_port()
    controller = Controller(
        doorman, hostname="127.0.0.1", port=port, authenticator=doorman.let_in, auth_require_tls=False
    )
    controller.start()
    settings.EMAIL_PORT = port
    yield doorman
    controller.stop()


def test_a_wrong_password_is_named_and_not_shown(doorman: Doorman, settings: Any) -> None:
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "us", "hush-hush"
    said = failed()
    assert "refuses the user and password: 535" in said and "hush-hush" not in said


def test_a_recipient_that_is_refused(doorman: Doorman) -> None:
    assert f"takes no mail for {TO}: 550 no such user" in failed()


def test_a_sender_that_is_refused(doorman: Doorman) -> None:
    doorman.refuses = "sender"
    assert "refuses the sender: 550 not yours. Look at MUNIMENT_MAIL_FROM" in failed()
