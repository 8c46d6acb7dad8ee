"""Having a person wish something of mail."""

from dataclasses import replace
from typing import Any

from apps.mail import services as mail
from apps.policy.types import Holder
from apps.policy.wishes import Wishes
from vault.clock import utc_now


def wish(person: Holder, **wished: Any) -> Wishes:
    """Have this person wish it, beside what they wished before."""
    kept = mail.set_wishes(person.user_id, replace(mail.wishes(person.user_id), **wished), utc_now())
    assert isinstance(kept, Wishes), kept
    return kept
