"""What it means that a mail could not be handed over: the letter's own trouble or everybody's, for now or for good."""

from smtplib import SMTPDataError, SMTPRecipientsRefused

from anymail.exceptions import AnymailError, AnymailRecipientsRefused, AnymailRequestsAPIError

ABOUT_US = frozenset({401, 402, 403, 404, 429})  # of HTTP: a key, an account, an address of theirs, our haste


def of_one_letter(error: Exception) -> bool:
    """Is it a no to this letter, rather than a mail server or a provider that the next one would not reach either?"""
    if isinstance(error, AnymailRequestsAPIError):
        status = getattr(error, "status_code", None)
        return isinstance(status, int) and 400 <= status < 500 and status not in ABOUT_US
    if isinstance(error, AnymailError):
        return True
    return isinstance(error, (SMTPRecipientsRefused, SMTPDataError)) or not isinstance(error, OSError)


def for_good(error: Exception) -> bool:
    """Is the letter refused for good (RFC 5321: 5yz), rather than us or at this moment?"""
    if isinstance(error, SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    if isinstance(error, SMTPDataError):
        return error.smtp_code >= 500
    return isinstance(error, AnymailRecipientsRefused)
