"""How a mail is handed to the server or the provider that the settings name."""

from django.core.mail import EmailMessage, get_connection


def hand(mail: EmailMessage) -> None:
    """Hand it over, and hang up: also where it fails in between, which Django leaves to whoever collects the garbage.

    Raises whatever the server, the provider or the line to it has to say (`apps.mail.refusals`).
    """
    mail.connection = get_connection()
    try:
        mail.send()
    finally:
        mail.connection.close()
