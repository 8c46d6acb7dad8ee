"""A letter to somebody who has no account here, written in an act at a vault."""

import secrets
from datetime import timedelta
from typing import Any
from uuid import uuid4

from apps.ledger.log import act
from apps.mail import services as mail
from apps.policy.ids import typed
from apps.policy.letters import Given, Letter
from apps.policy.types import Holder
from apps.policy.vocabulary import ReceiptKind
from vault.clock import utc_now
from vault.tokens import SALT_BYTES


def somebody() -> str:
    """An address that nobody has an account under."""
    return f"sitter-{secrets.token_hex(4)}@else.example"


def share_facts(**other: Given) -> dict[str, Given]:
    """What the letter of a share holds."""
    return {
        "who": "Ines M.",
        "home": "Casa M.",
        "words": "For the dinner on Friday",
        "until": utc_now() + timedelta(hours=1),
        "opens": 3,
        "code": "none",
        "link": typed("lnk", uuid4()),
        "salt": secrets.token_bytes(SALT_BYTES).hex(),
        **other,
    }


def shared(
    holder: Holder,
    address: str,
    facts: dict[str, Given] | None = None,
    *,
    key: str = "",
    zone: str = "UTC",
    letter: Letter = Letter.SHARE,
    cancelled: bool = False,
) -> bool:
    """An act at this vault that has a letter written to an address."""
    with act(holder.vault_id, holder.actor) as acting:
        acting.record(ReceiptKind.CLIENT_PAUSED, object=typed("vlt", holder.vault_id))
        facts = share_facts() if facts is None else facts
        written = mail.post_to(acting, letter, address, zone, facts, key=key or secrets.token_hex(8))
        if cancelled:
            acting.cancel()
    return written


def code_facts(**other: Any) -> dict[str, Given]:
    """What the letter with a code holds."""
    return {
        "who": "Ines M.",
        "home": "Casa M.",
        "until": utc_now() + timedelta(minutes=10),
        "challenge": typed("chl", uuid4()),
        **other,
    }
