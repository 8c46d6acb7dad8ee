"""Who plays in the tests: Alice holds a vault, Mallory holds another, Cook and Clinic are clients of Alice's, Olga runs
the server.

Each test opens new vaults. Every value, and every private label of a special category, is a canary: a word that exists
nowhere else, so that wherever it turns up it came from there.
"""

import hashlib
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from apps.access import services as access
from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.mail.models import LetterRow
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.letters import Letter
from apps.policy.types import AccessRequest, Asked, Caller, Client, Grant, Holder, Proposal, Receipt
from apps.policy.vocabulary import Category, Claim, Purpose
from tests import databases
from vault.clock import utc_now

QUESTION = "What should I cook for dinner tonight?"
PURPOSE = Purpose.MEAL_PLANNING


@dataclass
class Vault:
    """A holder's vault: its memories by a short name, with the values they were given."""

    holder: Holder
    ids: dict[str, UUID] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)

    @property
    def id(self) -> UUID:
        return self.holder.vault_id

    def keep(self, name: str, value: str = "", label: str = "", **more: Any) -> UUID:
        """A new memory under a short name; without words of its own, canaries."""
        self.values[name] = value or f"{name} {canary()}"
        self.labels[name] = label or name.capitalize()
        made = memories.add(self.holder, label=self.labels[name], value=self.values[name], now=utc_now(), **more)
        self.ids[name] = made.memory_id
        return made.memory_id

    def mem(self, name: str) -> str:
        """A memory's typed id."""
        return typed("mem", self.ids[name])

    def noticed(self, made: Proposal) -> Proposal:
        """A proposal as it is shown to its holder, with what was noticed about it."""
        found = memories.proposal(self.holder, made.proposal_id)
        assert found is not None
        memories.tell(self.holder, [found])
        return found

    def receipts(self, **equal: Any) -> tuple[Receipt, ...]:
        """The vault's receipts, oldest first."""
        return tuple(reversed(ledger.receipts(self.id, self.holder.actor, limit=5000, **equal)))

    def handed(self) -> list[tuple[UUID | None, str]]:
        """(memory, form) of every receipt that says something was handed to somebody else."""
        return [(each.memory_id, each.form) for each in self.receipts(kind="value.read")]

    def refusals(self) -> list[str]:
        """The reasons of every refusal on the record."""
        return [each.reason for each in self.receipts(kind="value.refused")]

    @property
    def secrets(self) -> list[str]:
        """Every canary: the values, and the private labels of special categories."""
        mine = {each.memory_id: each for each in memories.memories(self.holder)}
        private = [mine[each].label for name, each in self.ids.items() if mine[each].category.special]
        return [*self.values.values(), *private]


@dataclass(frozen=True)
class Assistant:
    """A client of a vault, with its key."""

    vault: Vault
    client: Client
    key: str

    @property
    def caller(self) -> Caller:
        """As the door lets it in now."""
        found = access.authenticate(self.key, utc_now())
        assert found is not None
        return found

    @property
    def actor(self) -> str:
        return typed("cli", self.client.client_id)

    def ask(self, *names: str, categories: tuple[Category, ...] = (), **more: Any) -> AccessRequest:
        """A request for memories by their short names, and for whole special categories."""
        lines = [Asked(self.vault.ids[name]) for name in names] + [Asked(category=each) for each in categories]
        found = access.ask(self.caller, lines, purpose=more.pop("purpose", PURPOSE), now=utc_now(), **more)
        assert isinstance(found, AccessRequest), found
        return found

    def read(self, *names: str, **more: Any) -> Any:
        """A read of memories by their short names."""
        return read_ids(self, [self.vault.ids[name] for name in names], **more)


def read_ids(by: Assistant, ids: list[UUID], **more: Any) -> Any:
    """A read by ids, whoever's they are. `key` repeats an earlier send; `now` moves its clock."""
    body = hashlib.sha256(" ".join(each.hex for each in ids).encode()).hexdigest()
    return access.read(
        by.caller,
        ids,
        purpose=more.get("purpose", PURPOSE),
        idempotency_key=more.get("key") or secrets.token_hex(8),
        body_digest=more.get("body", body),
        now=more.get("now") or utc_now(),
    )


def canary() -> str:
    """A word nobody has ever written."""
    return f"Kanari{secrets.token_hex(8)}"


def new_vault(name: str) -> Vault:
    """A vault with a file like one in life: ordinary memories, an attested one, two special ones, one put away."""
    vault = Vault(holders.enrol(f"{name}-{secrets.token_hex(6)}@house.example", name, None, space=f"{name}'s house"))
    vault.keep("kitchen", subject="cooking.kitchen", label="Kitchen equipment")
    vault.keep("time", subject="cooking.time", label="Weeknight time")
    vault.keep("dislikes", subject="cooking.dislikes", label="Foods you dislike")
    vault.keep("budget", subject="cooking.budget", label="Grocery budget", claim=Claim.BUDGET)
    vault.keep("pills", label=canary(), subject="secret.pills", category=Category.HEALTH)
    vault.keep("friday", label=canary(), subject="secret.friday", category=Category.BELIEF)
    vault.keep("diary")
    memories.put_away(vault.holder, vault.ids["diary"], utc_now())
    return vault


def register(vault: Vault, name: str) -> Assistant:
    """An assistant of this vault. The letter that tells of its key is laid aside: a test has the post to itself."""
    made = access.register(vault.holder, name=name, now=utc_now())
    LetterRow.objects.filter(letter=Letter.KEY.value, vault_id=vault.id).delete()
    return Assistant(vault, *made)


def give(
    to: Assistant,
    *names: str,
    reads: int | None = None,
    until: datetime | None = None,
    purpose: Purpose = PURPOSE,
    now: datetime | None = None,
) -> Grant:
    """A grant on these memories (of one category), asked for and decided as in life. None reads: any number."""
    vault, at = to.vault, now or utc_now()
    mine = {each.memory_id: each for each in memories.memories(vault.holder)}
    category = mine[vault.ids[names[0]]].category
    lines = [Asked(category=category)] if category.special else [Asked(vault.ids[name]) for name in names]
    wish = access.ask(to.caller, lines, purpose=purpose, purpose_note=canary(), now=at)
    assert isinstance(wish, AccessRequest), wish
    decision = access.Decision(frozenset(vault.ids[name] for name in names), until or at + timedelta(hours=1), reads)
    decided = access.decide(vault.holder, wish.request_id, {category: decision}, at)
    assert isinstance(decided, AccessRequest), decided
    (made,) = access.granted(to.caller, decided)
    return made


def elsewhere(holder: Holder) -> Holder:
    """The same person as another session sees them."""
    return replace(holder)


# ---------------------------------------------------------------- fixtures
@pytest.fixture
def alice(live: None) -> Vault:
    """Alice's vault."""
    return new_vault("Alice")


@pytest.fixture
def mallory(live: None) -> Vault:
    """Mallory's own vault, on the same server."""
    return new_vault("Mallory")


@pytest.fixture
def cook(alice: Vault) -> Assistant:
    """A client of Alice's, without any grant."""
    return register(alice, "Cook")


@pytest.fixture
def clinic(alice: Vault) -> Assistant:
    """Another client of Alice's."""
    return register(alice, "Clinic")


@pytest.fixture
def admin(live: None) -> Iterator[psycopg.Connection[Any]]:
    """Olga at the database's own prompt: the superuser, autocommit."""
    with databases.connect("postgres", autocommit=True) as connection:
        yield connection
