"""Casa M.: the demo's household, its person and her eight memories. All of it is invented."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model

from apps.access import services as access
from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.types import Client, Holder
from apps.policy.vocabulary import Category, Claim

SPACE = "Casa M."
NAME = "Ines"
ADDRESS = "ines@casa-m.example"
QUESTION = "What should I cook tonight?"


@dataclass(frozen=True, slots=True)
class Entry:
    """One of the demo's memories."""

    subject: str
    label: str
    value: str
    category: Category = Category.ORDINARY
    claim: Claim | None = None


MEMORIES = (
    Entry("cooking.equipment", "Kitchen equipment", "One 24 cm frying pan, one pot, no oven"),
    Entry("cooking.weeknight-time", "Weeknight time", "25 minutes"),
    Entry("cooking.dislikes", "Foods you dislike", "Mushrooms and coriander"),
    Entry("cooking.budget", "Grocery budget", "70 euros a week", claim=Claim.BUDGET),
    Entry("household.size", "Household", "2 people"),
    Entry("home.city", "City", "Porto"),
    Entry("health.thyroid", "Thyroid tablets", "Levothyroxine 50 µg, mornings, before food", Category.HEALTH),
    Entry("belief.friday", "Fridays", "Keeps Fridays without meat, for her faith", Category.BELIEF),
)


def person(address: str, password: str | None, now: datetime) -> Holder:
    """The demo's person at this address, with her memories; whoever is there already is left as they are."""
    known = holders.holder_named(address)
    holder = known or holders.enrol(address, NAME, password, space=SPACE, time_zone="Europe/Lisbon")
    have = {memory.subject for memory in memories.memories(holder)}
    for entry in MEMORIES:
        if entry.subject not in have:
            memories.add(
                holder,
                label=entry.label,
                value=entry.value,
                subject=entry.subject,
                category=entry.category,
                claim=entry.claim,
                now=now,
            )
    return holder


def cookbot(holder: Holder, now: datetime) -> tuple[Client, str]:
    """A newly registered Cookbot and its key; an earlier one ends."""
    for client in access.clients(holder):
        if client.name == "Cookbot" and client.revoked_at is None:
            access.revoke(holder, client.client_id, now)
    return access.register(holder, name="Cookbot", domain="cookbot.example", now=now)


def opens(holder: Holder, password: str) -> bool:
    """Does this password sign the demo's person in? Not where the database came from elsewhere, or they changed it."""
    return bool(get_user_model().objects.get(pk=holder.user_id).check_password(password))


def password() -> str:
    """The password for a new demo. It is made once and kept in the state folder (0600)."""
    path = Path(settings.STATE_DIR) / "demo-password"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text("-".join(secrets.token_hex(2) for _ in range(4)) + "\n", encoding="ascii")
    return path.read_text(encoding="ascii").strip()
