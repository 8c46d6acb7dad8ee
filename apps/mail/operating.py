"""Mail to who runs the instance: handed over at once, since what it tells of may be that nothing else works."""

import smtplib
import ssl
from collections.abc import Callable, Mapping
from socket import gaierror
from typing import Any

from anymail.exceptions import AnymailAPIError, AnymailError, AnymailRecipientsRefused
from django.conf import settings

from apps.mail.handing import hand
from apps.mail.writing import compose


class Unsent(Exception):
    """A mail could not be handed over. Its text says what failed, and which setting to look at; it names no secret."""


def hand_over(template: str, to: str, around: Mapping[str, Any]) -> str:
    """Hand a mail over, now, and return to whom it went. Raises Unsent."""
    where = _where()
    try:
        hand(compose(template, {"operator": True, **around}, to))
    except Exception as error:
        raise Unsent(_said(error, where, to)) from error
    return where


def _where() -> str:
    if settings.MAIL_PROVIDER:
        return str(settings.MAIL_PROVIDER)
    if "smtp" not in settings.EMAIL_BACKEND:
        raise Unsent(
            "No mail leaves this machine: it is kept as files. Set MUNIMENT_SMTP_URL or MUNIMENT_MAIL_PROVIDER."
        )
    return f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"


def _answer(code: int, text: bytes | str) -> str:
    said = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return f"{code} {' '.join(said.split())}"


def _said(error: Exception, where: str, to: str) -> str:
    for kind, says in _SAID:
        if isinstance(error, kind):
            return says(error, where, to)
    return f"The mail could not be handed to {where}: {type(error).__name__}."


def _refused(error: Any, where: str, to: str) -> str:
    answers = "; ".join(_answer(*each) for each in error.recipients.values())
    return f"{where} takes no mail for {to}: {answers}. Look at the address, and whether the server relays for you."


def _api(error: Any, where: str, to: str) -> str:
    status = getattr(error, "status_code", None)
    if status in (401, 403):
        return f"{where} refuses the key (HTTP {status}). Look at MUNIMENT_MAIL_PROVIDER_KEY."
    if status is None:
        return f"{where} did not answer. Look at MUNIMENT_MAIL_PROVIDER_URL, and whether this machine gets out."
    if status == 429 or status >= 500:
        return f"{where} takes no mail at this moment (HTTP {status}). Try again later: so do letters, by themselves."
    return (
        f"{where} refuses the mail (HTTP {status}). Look at MUNIMENT_MAIL_FROM, which must be a sender that it knows, "
        "and at MUNIMENT_MAIL_PROVIDER_URL."
    )


def _silent(_: Any, where: str, __: str) -> str:
    waited = f"did not answer in {settings.EMAIL_TIMEOUT} seconds"
    return f"{where} {waited}. Look at host and port in {_SMTP}, and whether a firewall lets this machine out."


def _broken(error: Any, where: str, to: str) -> str:
    if "timed out" in str(error):  # smtplib says so of a server that keeps silent
        return _silent(error, where, to)
    return f"{where} broke off. Look at the scheme in {_SMTP}: a port for smtps:// speaks no smtp://."


_SMTP = "MUNIMENT_SMTP_URL"
# The first that fits says it: what is more special stands before what it is a kind of.
_SAID: tuple[tuple[type[Exception], Callable[[Any, str, str], str]], ...] = (
    (AnymailRecipientsRefused, lambda _, where, to: f"{where} takes no mail for {to}. Look at the address."),
    (AnymailAPIError, _api),
    (AnymailError, lambda error, where, _: f"{where} cannot take this mail: {type(error).__name__}."),
    (
        smtplib.SMTPAuthenticationError,
        lambda error, where, _: (
            f"{where} refuses the user and password: {_answer(error.smtp_code, error.smtp_error)}. "
            f"Look at both in {_SMTP}; what is no letter or digit is written as %XX there."
        ),
    ),
    (
        smtplib.SMTPSenderRefused,
        lambda error, where, _: (
            f"{where} refuses the sender: {_answer(error.smtp_code, error.smtp_error)}. "
            "Look at MUNIMENT_MAIL_FROM, and whether the server wants a user and password."
        ),
    ),
    (smtplib.SMTPRecipientsRefused, _refused),
    (
        smtplib.SMTPDataError,
        lambda error, where, _: (
            f"{where} read the mail and refuses it: {_answer(error.smtp_code, error.smtp_error)}. "
            "Look at MUNIMENT_MAIL_FROM and at what the server says."
        ),
    ),
    (
        smtplib.SMTPNotSupportedError,
        lambda error, where, _: (
            f"{where} does not offer what the address asks for ({error}). "
            f"Look at the scheme in {_SMTP}: smtp://, smtp+starttls:// or smtps://."
        ),
    ),
    (
        smtplib.SMTPResponseException,
        lambda error, where, _: f"{where} does not talk with us: {_answer(error.smtp_code, error.smtp_error)}.",
    ),
    (smtplib.SMTPServerDisconnected, _broken),
    (
        ssl.SSLCertVerificationError,
        lambda error, where, _: (
            f"{where} shows a certificate that is not trusted: {error.verify_message}. "
            f"Write the host in {_SMTP} as the certificate names it."
        ),
    ),
    (
        ssl.SSLError,
        lambda error, where, _: (
            f"{where} speaks no TLS as it should ({error.reason}). "
            f"Look at the scheme in {_SMTP}: smtps:// from the first byte on, smtp+starttls:// after a greeting."
        ),
    ),
    (gaierror, lambda _, where, __: f"There is no host of the name in {where}. Look at {_SMTP}."),
    (ConnectionRefusedError, lambda _, where, __: f"Nothing listens at {where}. Look at host and port in {_SMTP}."),
    (TimeoutError, _silent),
    (
        OSError,
        lambda error, where, _: f"{where} cannot be reached: {error.strerror or type(error).__name__}. See {_SMTP}.",
    ),
)
