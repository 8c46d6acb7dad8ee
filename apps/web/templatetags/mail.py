"""What mails need of us: addresses that never depend on the Host a request came with."""

from typing import Any

from django import template
from django.conf import settings
from django.urls import reverse

register = template.Library()


@register.simple_tag
def link(name: str, **parts: Any) -> str:
    """The page of this name at the public address: `{% link "account_confirm_email" key=key %}`.

    Whoever asks for a mail chooses the Host of their request. A mail's reader follows only the address that the
    operator has set, or else a stranger could lead them, with a good key, to a server of the stranger's own.
    """
    return settings.PUBLIC_URL + reverse(name, kwargs=parts)


@register.simple_tag
def public_address() -> str:
    """The address that people open."""
    return str(settings.PUBLIC_URL)
