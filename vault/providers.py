"""Companies that take mail over their own interface in place of SMTP, by django-anymail, and tell what became of it.

Only those are here that can be told not to rewrite a link and not to count who opens a mail.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.urls import URLPattern, path
from django.utils.module_loading import import_string

from vault.env import WrongSetting

TIMEOUT_SECONDS = 20  # as long as a mail server's every answer may take
HOOK = "mail/told"  # where it tells what became of a mail


@dataclass(frozen=True, slots=True)
class Provider:
    """A company: its backend, the names Anymail has for its settings, and what its messages to us are checked by."""

    backend: str
    key: str
    url: str
    secret: str
    hook: str


PROVIDERS: Mapping[str, Provider] = {
    "mailgun": Provider(
        "anymail.backends.mailgun.EmailBackend",
        "MAILGUN_API_KEY",
        "MAILGUN_API_URL",
        "MAILGUN_WEBHOOK_SIGNING_KEY",  # an HMAC over each message
        "anymail.webhooks.mailgun.MailgunTrackingWebhookView",
    ),
    "postmark": Provider(
        "anymail.backends.postmark.EmailBackend",
        "POSTMARK_SERVER_TOKEN",
        "POSTMARK_API_URL",
        "WEBHOOK_SECRET",  # user:password, by which it signs in
        "anymail.webhooks.postmark.PostmarkTrackingWebhookView",
    ),
}


def chosen(name: str, key: str, *, url: str = "", secret: str = "") -> dict[str, Any]:
    """The settings by which mail goes over this company. `url`: its interface, where that isn't the usual one;
    `secret`: what its messages are checked by. Raises WrongSetting.
    """
    provider = PROVIDERS.get(name)
    if provider is None:
        raise WrongSetting(f"MUNIMENT_MAIL_PROVIDER is {name!r}. Write one of: {', '.join(PROVIDERS)}; or use SMTP.")
    if not key:
        raise WrongSetting("MUNIMENT_MAIL_PROVIDER_KEY is not set. Set it to the key that the provider gave you.")
    if provider.secret == "WEBHOOK_SECRET" and secret and ":" not in secret:  # noqa: S105
        raise WrongSetting("MUNIMENT_MAIL_PROVIDER_SECRET must be user:password for this provider.")
    return {
        "EMAIL_BACKEND": provider.backend,
        "ANYMAIL": {
            provider.key: key,
            **({provider.url: url} if url else {}),
            **({provider.secret: secret} if secret else {}),
            "REQUESTS_TIMEOUT": TIMEOUT_SECONDS,
            # No link is rewritten and no mail is watched, whatever the account says.
            "SEND_DEFAULTS": {"track_clicks": False, "track_opens": False},
        },
    }


def hooks(name: str, secret: str) -> list[URLPattern]:
    """Where the provider tells what became of a mail. Nowhere, without what its messages are checked by."""
    if not name or not secret:
        return []
    return [path(HOOK, import_string(PROVIDERS[name].hook).as_view(), name="mail-told")]


def hook_url() -> str:
    """The address to enter at the provider; "" where there is none."""
    told = hooks(settings.MAIL_PROVIDER, settings.MAIL_PROVIDER_SECRET)
    return f"{settings.PUBLIC_URL}/{HOOK}" if told else ""
