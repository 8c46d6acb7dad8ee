"""The only door a value leaves by: stamp, then take.

`stamp` is one autocommit statement that reads, spends and writes the receipts; `take` is a second one that releases
only for receipts that have committed. Both run on the alias `gate`, whose role can do nothing else, and refuse while
any alias is inside a transaction, which a rollback could undo.
"""

import hashlib
import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.conf import settings
from django.db import InternalError, ProgrammingError, connections

from apps.ledger.hold import refusing
from apps.ledger.pipeline import Rows, through
from apps.ledger.tickets import issue
from apps.memories import sealing
from apps.policy.types import HandedOver, Plan
from apps.policy.vocabulary import Category, Form

ALIAS = "gate"
Outcome = Literal["stamped", "replay", "expired", "reuse", "stale"]


class InTransaction(RuntimeError):
    """A hand-over was tried inside a transaction: its receipt could be rolled back after the value left."""


class NotReleased(Exception):
    """`take` found no committed, unexpired stamp for this handle."""


@dataclass(frozen=True, slots=True)
class Stamped:
    """What `stamp` did. `first` and `last` number its receipts; `digests` are theirs, for `stamped` only."""

    outcome: Outcome
    first: int
    last: int
    at: datetime | None
    digests: tuple[bytes, ...]


def handle_for(*parts: str) -> bytes:
    """The 32-byte handle of a deed, from what identifies it (client, Idempotency-Key, …): only its hash is stored."""
    text = json.dumps(["muniment-handle/1", *parts]).encode()
    return hmac.new(settings.SECRET_KEY.encode(), text, hashlib.sha256).digest()


def stamp(vault_id: UUID, actor: str, recipient: str, handle: bytes, plan: Plan, body_digest: str) -> Stamped:
    """Write the receipts of a plan. `body_digest` is that of what the caller sent, never of the plan.

    Raises InTransaction, OnHold, or the database's error when the receipts cannot be written; then nothing is released.
    """
    _refuse_transactions()
    stamping = "SELECT outcome, first_seq, last_seq, stamped_at, digests FROM gate.stamp(%s, %s, %s, %s::jsonb)"
    given = [vault_id, issue(vault_id, actor, recipient), handle, json.dumps(_plan(plan, body_digest))]
    with refusing():
        ((outcome, first, last, at, digests),) = _answer(stamping, given)
    return Stamped(outcome, first or 0, last or 0, at, tuple(bytes(digest) for digest in digests or ()))


def take(
    vault_id: UUID, actor: str, recipient: str, handle: bytes, *, openings: bool = False, what_opens: bool = False
) -> tuple[HandedOver, ...]:
    """What the handle's committed receipts release: values in clear, or None for an attested memory.

    With `openings`, which are the holder's alone to have, also the keys that open the receipts' commitments.
    Raises NotReleased for an unknown or old handle. A memory that was erased, or whose grant ended since, is missing;
    with `what_opens` so is one whose seal was changed, for which CannotOpen is raised else.
    """
    if openings and not (recipient == actor and actor.startswith("hld_")):
        raise NotReleased("commitments are opened for the holder alone")
    _refuse_transactions()
    try:
        rows = _answer("SELECT * FROM gate.take(%s, %s, %s)", [vault_id, issue(vault_id, actor, recipient), handle])
    except (ProgrammingError, InternalError) as error:
        if getattr(error.__cause__, "sqlstate", "") == "42501":
            raise NotReleased(str(error.__cause__)) from None
        raise
    released = []
    for row in rows:
        try:
            released.append(_release(vault_id, row, openings))
        except sealing.CannotOpen:
            if not what_opens:
                raise
    return tuple(released)


def search(vault_id: UUID, actor: str, terms: Sequence[int], limit: int) -> tuple[tuple[UUID, float], ...]:
    """Ids and ranks of ordinary memories that hold these keyed words, best first."""
    _refuse_transactions()
    given = [vault_id, issue(vault_id, actor, actor), list(terms), limit]
    return tuple(
        (memory_id, rank)
        for memory_id, rank in _answer("SELECT memory_id, rank FROM gate.search(%s, %s, %s, %s)", given)
    )


def alike(vault_id: UUID, actor: str, terms: Sequence[int], limit: int) -> tuple[UUID, ...]:
    """Ordinary memories that share at least half of these keyed words, and two, most first."""
    _refuse_transactions()
    given = [vault_id, issue(vault_id, actor, actor), list(terms), limit]
    return tuple(memory_id for (memory_id,) in _answer("SELECT memory_id FROM gate.alike(%s, %s, %s, %s)", given))


def _answer(query: str, given: list[Any]) -> Rows:
    return through(ALIAS, [(query, given)])[0]


def _refuse_transactions() -> None:
    if any(connection.in_atomic_block for connection in connections.all(initialized_only=True)):
        raise InTransaction("a value is handed over outside every transaction")


def _plan(plan: Plan, body_digest: str) -> dict[str, Any]:
    return {
        "kind": plan.kind.value,
        "object_kind": plan.authority.kind,
        "object": str(plan.authority.object_id) if plan.authority.object_id else None,
        "terms": plan.authority.terms,
        "digest": body_digest,
        "purpose": plan.purpose,
        "request": plan.request,
        "turn": plan.turn,
        "on_behalf_of": plan.on_behalf_of,
        "client": plan.client,
        "items": [
            {"m": item.memory_id and str(item.memory_id), "f": item.form.value, "r": item.reason.value}
            if item.reason
            else {
                "m": str(item.memory_id),
                "v": item.version,
                "c": item.category.value,
                "s": item.state,
                "a": item.attested,
                "f": item.form.value,
            }
            for item in plan.items
        ],
    }


def _release(vault_id: UUID, row: tuple[Any, ...], openings: bool) -> HandedOver:
    seq, memory_id, version, category, form, attested, nonce, ciphertext, epoch, wrapped, root_epoch, vault_key = row
    if form != Form.VALUE.value:
        return HandedOver(memory_id, version, Category(category), Form(form), seq, None)
    sealed = sealing.Sealed(
        memory_id,
        version,
        category,
        attested,
        bytes(nonce),
        bytes(ciphertext),
        epoch,
        bytes(wrapped),
        root_epoch,
        bytes(vault_key),
    )
    value = sealing.open_value(vault_id, sealed)
    opening = sealing.opening_key(vault_id, sealed) if openings else None
    return HandedOver(memory_id, version, Category(category), Form(form), seq, value, opening)
