"""Who plays in the gate's tests: vaults with sealed memories and a grant, tickets and plans, stamp and take.

Rows are written directly, as the administrator or through `gate.put`, so that these tests stand on the SQL alone.
Ciphertexts are random bytes: the gate never opens them, and a test recognises them wherever they turn up.
"""

import hashlib
import hmac
import json
import os
import time
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import psycopg
from django.conf import settings

from apps.ledger.format.encoding import Line, Problem, canonical, verify_chain
from apps.ledger.services import body_of
from apps.ledger.tickets import issue
from apps.policy.types import Receipt

Connection = psycopg.Connection[Any]
CLIENT = "cli_demo"
HOLDER = "hld_" + "1" * 32
PURPOSE = "answer"

# The instance's own tables among those with a vault_id: people, where credentials lead, which birthdays were told,
# which letters go to whom.
GLOBAL = {"vault", "directory", "delegation", "emergency", "invitation", "step_told", "letter"}


class Outcome(NamedTuple):
    """What `gate.stamp` returned."""

    outcome: str
    first: int | None
    last: int | None
    at: Any
    digests: list[bytes] | None


class Released(NamedTuple):
    """A row of `gate.take`."""

    seq: int
    memory_id: UUID
    version: int
    category: str
    form: str
    attested: bool | None
    nonce: bytes | None
    ciphertext: bytes | None
    epoch: int | None
    wrapped: bytes | None
    root_epoch: int | None
    vault_key: bytes | None


@dataclass
class Vault:
    """A vault in the database: its id, its one grant, and its memories with the ciphertexts they were sealed as."""

    id: UUID = field(default_factory=uuid4)
    client_id: UUID = field(default_factory=uuid4)
    grant_id: UUID = field(default_factory=uuid4)
    memories: list[UUID] = field(default_factory=list)
    ciphertexts: dict[UUID, bytes] = field(default_factory=dict)

    def ticket(self, actor: str = CLIENT, recipient: str | None = None) -> str:
        """A ticket of this vault; the recipient is the actor unless said otherwise."""
        return issue(self.id, actor, actor if recipient is None else recipient)

    @property
    def act_ticket(self) -> str:
        """The holder's ticket for acts: nobody receives."""
        return issue(self.id, HOLDER, "-")


def open_vault(admin: Connection, memories: int = 6, vault_id: UUID | None = None) -> Vault:
    """A new vault with a chain head, a client, ordinary approved memories and a grant on all of them."""
    vault = Vault(vault_id or uuid4())
    admin.execute("INSERT INTO sealed.chain_head VALUES (%s, 0, gate.genesis(%s), 'epoch')", [vault.id, vault.id])
    admin.execute(
        "INSERT INTO vault_key (vault_id, epoch, root_epoch, wrapped, index_wrapped, made_at)"
        " VALUES (%s, 1, 1, %s, %s, now())",
        [vault.id, os.urandom(60), os.urandom(60)],
    )
    admin.execute(
        "INSERT INTO client (vault_id, client_id, name, domain, built_in, paused, registered_at)"
        " VALUES (%s, %s, 'Demo', '', false, false, now())",
        [vault.id, vault.client_id],
    )
    for _ in range(memories):
        add_memory(admin, vault)
    add_grant(admin, vault, vault.grant_id)
    return vault


def add_memory(
    admin: Connection,
    vault: Vault,
    *,
    category: str = "ordinary",
    attested: bool = False,
    state: str = "approved",
    size: int = 48,
) -> UUID:
    """A memory with its sealed value and key. Special ones get a neutral label, attested ones a claim."""
    memory_id = uuid4()
    admin.execute(
        "INSERT INTO memory (vault_id, memory_id, subject, label, neutral_label, category, attested, claim, version,"
        " state, source, made_at, updated_at)"
        " VALUES (%s, %s, %s, 'Diet', %s, %s, %s, %s, 1, %s, 'holder', now(), now())",
        [
            vault.id,
            memory_id,
            f"food.diet-{memory_id.hex}",
            "" if category == "ordinary" else "A memory",
            category,
            attested,
            "budget" if attested else None,
            state,
        ],
    )
    seal(admin, vault, memory_id, category=category, attested=attested, size=size)
    vault.memories.append(memory_id)
    return memory_id


def add_candidate(admin: Connection, vault: Vault, status: str = "pending") -> UUID:
    """A proposal with a sealed candidate; returns the memory id it would get."""
    memory_id = uuid4()
    admin.execute(
        "INSERT INTO proposal (vault_id, proposal_id, client_id, directive, status, memory_id, subject, label,"
        " rationale, fingerprint, made_at, expires_at)"
        " VALUES (%s, %s, %s, 'add', %s, %s, 'food.diet', 'Diet', '', '', now(), now() + interval '30 days')",
        [vault.id, uuid4(), vault.client_id, status, memory_id],
    )
    seal(admin, vault, memory_id)
    return memory_id


def seal(
    admin: Connection,
    vault: Vault,
    memory_id: UUID,
    *,
    category: str = "ordinary",
    attested: bool = False,
    size: int = 48,
) -> None:
    """Version 1 of a memory's sealed value, and its key."""
    vault.ciphertexts[memory_id] = os.urandom(size)
    admin.execute(
        "INSERT INTO sealed.value VALUES (%s, %s, 1, %s, %s, %s, %s, %s)",
        [vault.id, memory_id, category, attested, os.urandom(12), vault.ciphertexts[memory_id], os.urandom(32)],
    )
    admin.execute("INSERT INTO sealed.key VALUES (%s, %s, 1, 1, %s)", [vault.id, memory_id, os.urandom(60)])


def add_grant(
    admin: Connection,
    vault: Vault,
    grant_id: UUID | None = None,
    *,
    memories: list[UUID] | None = None,
    category: str = "ordinary",
    recipient: str = CLIENT,
    reads_left: int | None = None,
) -> UUID:
    """A grant of an hour for PURPOSE, on all the vault's memories unless they are named."""
    grant_id = grant_id or uuid4()
    held = [memory_id.hex for memory_id in (vault.memories if memories is None else memories)]
    admin.execute(
        "INSERT INTO access_grant (vault_id, grant_id, client_id, recipient, purpose, category, memory_ids,"
        " terms_version, expires_at, reads_left, paused, made_at)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, 1, now() + interval '1 hour', %s, false, now())",
        [vault.id, grant_id, vault.client_id, recipient, PURPOSE, category, json.dumps(held), reads_left],
    )
    return grant_id


def forged_ticket(vault: Vault, *, key: bytes | None = None, seconds: int = 300, actor: str = CLIENT) -> str:
    """A ticket made by hand: with another key, or already over."""
    body = f"{vault.id}|{actor}|{actor}|{int(time.time()) + seconds}"
    used = bytes.fromhex(settings.MUNIMENT_TICKET_KEY) if key is None else key
    return f"{body}|{hmac.new(used, f'muniment-ticket/1{chr(10)}{body}'.encode(), hashlib.sha256).hexdigest()}"


def item(memory_id: UUID, **changes: Any) -> dict[str, Any]:
    """A plan's line that asks for an ordinary approved value; `changes` replaces fields."""
    return {
        "m": str(memory_id),
        "v": 1,
        "c": "ordinary",
        "s": "approved",
        "a": False,
        "f": "value",
    } | changes


def refusal(memory_id: UUID | None, reason: str = "grant-required") -> dict[str, Any]:
    """A plan's line that refuses."""
    return {"m": memory_id and str(memory_id), "f": "refused", "r": reason}


def plan(vault: Vault, *items: dict[str, Any], **changes: Any) -> str:
    """A plan on the vault's grant, as JSON; `changes` replaces its fields."""
    made = {
        "kind": "value.read",
        "object_kind": "gra",
        "object": str(vault.grant_id),
        "terms": 1,
        "purpose": PURPOSE,
        "request": "-",
        "turn": "-",
        "on_behalf_of": "-",
        "items": list(items),
    } | changes
    made.setdefault("digest", hashlib.sha256(json.dumps(made, sort_keys=True).encode()).hexdigest())
    return json.dumps(made)


def read_plan(vault: Vault, *memories: UUID) -> str:
    """A plan for these values on the vault's grant."""
    return plan(vault, *[item(memory_id) for memory_id in memories])


def show_plan(vault: Vault, *items: dict[str, Any]) -> str:
    """The holder's own *Show*."""
    return plan(vault, *items, kind="value.shown", object_kind="hld", object=None, terms=0, purpose="-")


def new_handle() -> bytes:
    return os.urandom(32)


def stamp(gate: Connection, vault: Vault, handle: bytes, made: str, ticket: str | None = None) -> Outcome:
    """`gate.stamp` with the client's ticket unless another is given."""
    row = gate.execute(
        "SELECT * FROM gate.stamp(%s, %s, %s, %s::jsonb)", [vault.id, ticket or vault.ticket(), handle, made]
    ).fetchone()
    assert row is not None
    return Outcome(*row)


def take(
    gate: Connection, vault: Vault, handle: bytes, ticket: str | None = None, function: str = "gate.take"
) -> list[Released]:
    """`gate.take` with the client's ticket unless another is given."""
    rows = gate.execute(
        f"SELECT * FROM {function}(%s, %s, %s)", [vault.id, ticket or vault.ticket(), handle]
    ).fetchall()
    return [Released(*row) for row in rows]


def hand_over(gate: Connection, vault: Vault, *memories: UUID) -> list[Released]:
    """Stamp and take these values."""
    handle = new_handle()
    assert stamp(gate, vault, handle, read_plan(vault, *memories)).outcome == "stamped"
    return take(gate, vault, handle)


def count_receipts(admin: Connection, vault: Vault) -> int:
    row = admin.execute("SELECT count(*) FROM receipt WHERE vault_id = %s", [vault.id]).fetchone()
    assert row is not None
    return int(row[0])


_COLUMNS = (
    "vault_id, seq, at, kind, actor, on_behalf_of, recipient, object, memory_id, version, category, form, reason,"
    " request, turn, purpose, commitment, salt, digest, chain_hash"
)


def check_chain(admin: Connection, vault_id: UUID) -> tuple[int, list[Problem]]:
    """How many receipts a vault has, and what does not hold: gaps, forks, digests, times, and its head."""
    head = admin.execute("SELECT seq, chain_hash FROM sealed.chain_head WHERE vault_id = %s", [vault_id]).fetchone()
    rows = admin.execute(f"SELECT {_COLUMNS} FROM receipt WHERE vault_id = %s ORDER BY seq", [vault_id]).fetchall()
    found = [Receipt(*row[:2], row[2].astimezone(UTC), *row[3:]) for row in rows]
    return verify_chain((Line(canonical(body_of(r)), r.digest, r.chain_hash) for r in found), str(vault_id), head)
