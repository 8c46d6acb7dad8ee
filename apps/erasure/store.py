"""Rows of erasures, as facts."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db import connections

from apps.erasure.models import BackedUpRow, LegalHoldRow, OrderRow, OrderWordsRow
from apps.ledger.log import Act, reading
from apps.policy.erasing import Basis, Derived, LegalHold, Order, Searched
from apps.policy.people import CLOCK

_ORDER = (
    "order_id",
    "basis",
    "choice",
    "whole_vault",
    "memories",
    "told",
    "kept",
    "still_held",
    "counts",
    "residue",
    "searching",
    "made_at",
    "made_by",
    "done_at",
    "certificate",
)
_UNSAID = {"whole_vault": False, "told": 0, "kept": 0, "still_held": 0, "counts": {}, "searching": False}
_HOLD = ("hold_id", "by", "why", "placed_at", "until", "lifted_at")


# ---------------------------------------------------------------- orders
def order(vault_id: UUID, order_id: UUID) -> Order | None:
    """One order; None for an unknown id."""
    found = _orders(OrderRow.objects.filter(vault_id=vault_id, order_id=order_id))
    return found[0] if found else None


def orders(vault_id: UUID, limit: int, before: UUID | None = None, *, by: str | None = None) -> tuple[Order, ...]:
    """The vault's orders, newest first; `before` one of them, for the next page; `by` one actor."""
    rows = OrderRow.objects.filter(vault_id=vault_id, **({"made_by": by} if by else {}))
    if before is not None:
        rows = rows.filter(order_id__lt=before)
    return _orders(rows.order_by("-order_id")[:limit])


def _orders(rows: Any) -> tuple[Order, ...]:
    return tuple(map(_order, rows.values_list(*_ORDER)))


def _order(row: Sequence[Any]) -> Order:
    order_id, basis, choice, whole, memories, told, kept, held, counts, residue, searching, *rest = row
    made_at, made_by, done_at, certificate = rest
    return Order(
        order_id,
        Basis(basis),
        Derived(choice),
        memories,
        made_at,
        made_by,
        whole_vault=whole,
        told=told,
        kept=kept,
        still_held=held,
        counts=counts,
        residue=Searched(**residue) if residue else None,
        searching=searching,
        done_at=done_at,
        certificate=bytes(certificate or b""),
    )


def add(
    act: Act, new: Order, request: str = "", salt: bytes = b"", link: str = "", sent: tuple[bytes, bytes] | None = None
) -> None:
    """A new order, and the words that came with it; of a whole vault, by which secret its certificate is fetched; by
    which hashes, of its key and of all that it said, it is known if it is `sent` again.
    """
    act.insert(
        OrderRow(
            vault_id=act.vault_id,
            order_id=new.order_id,
            basis=new.basis.value,
            choice=new.choice.value,
            whole_vault=new.whole_vault,
            memories=new.memories,
            told=new.told,
            kept=new.kept,
            still_held=new.still_held,
            counts=dict(new.counts),
            residue=new.residue.to_json() if new.residue else None,
            searching=new.searching,
            made_at=new.made_at,
            made_by=new.made_by,
            touched_at=new.made_at,
            done_at=new.done_at,
            certificate=new.certificate or None,
            link_hash=_hash(link) if link else None,
        )
    )
    if request or sent is not None:
        key, said = sent or (None, None)
        row = OrderWordsRow(vault_id=act.vault_id, order_id=new.order_id, request=request, salt=salt)
        row.key, row.sent = key, said
        act.insert(row)


def carry(act: Act, row: Mapping[str, Any]) -> bytes:
    """An order as it stands in another database, by the names of its columns, as PostgreSQL writes a row in JSON.
    Returns its certificate.
    """
    act.later(
        "INSERT INTO erasure_order SELECT * FROM jsonb_populate_record(NULL::erasure_order, %s::jsonb)",
        [json.dumps(_UNSAID | {"vault_id": str(act.vault_id)} | dict(row))],
    )
    return bytes.fromhex(row["certificate"].removeprefix("\\x"))


def sent(vault_id: UUID, key: bytes) -> tuple[UUID, bytes, bytes] | None:
    """The order that came with a key, by its hash: its id, salt, and the hash of all that it said."""
    rows = OrderWordsRow.objects.filter(vault_id=vault_id, key=key)
    row = rows.values_list("order_id", "salt", "sent").first()
    return (row[0], bytes(row[1]), bytes(row[2] or b"")) if row else None


def by_link(link: str) -> tuple[UUID, Order] | None:
    """The order of a vault that was erased, and which vault it was, by the secret that was shown then."""
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT vault_id, order_id FROM gate.erasure_by_link(%s)", [_hash(link)])
        found = cursor.fetchone()
    if found is None:
        return None
    with reading(found[0], CLOCK):
        ended = order(*found)
    return (found[0], ended) if ended is not None else None


def _hash(link: str) -> bytes:
    return sha256(link.encode()).digest()


def end_words(act: Act) -> None:
    """The words that came with the vault's orders go with the vault, and so does who barred erasing, and why."""
    OrderWordsRow.objects.filter(vault_id=act.vault_id).delete()
    LegalHoldRow.objects.filter(vault_id=act.vault_id).update(by="", why="")


def words(vault_id: UUID, order_id: UUID) -> str:
    """The words that came with an order; empty where there were none or they are erased."""
    rows = OrderWordsRow.objects.filter(vault_id=vault_id, order_id=order_id)
    return rows.values_list("request", flat=True).first() or ""


def words_and_salt(vault_id: UUID, order_id: UUID) -> tuple[str, bytes]:
    """The words that came with an order, and the salt that binds them; both empty where there are none."""
    rows = OrderWordsRow.objects.filter(vault_id=vault_id, order_id=order_id)
    row = rows.values_list("request", "salt").first()
    return (row[0], bytes(row[1])) if row else ("", b"")


def forget_words(act: Act, order_id: UUID) -> bool:
    """The words that came with an order, and their salt, are gone. False where there were none."""
    rows = OrderWordsRow.objects.filter(vault_id=act.vault_id, order_id=order_id).exclude(request="")
    return rows.delete()[0] > 0


def advance(act: Act, order_id: UUID, told: int, now: datetime) -> None:
    """So many of its memories have their receipts."""
    _change(act, order_id, told=told, touched_at=now)


def count(act: Act, order_id: UUID, counts: Mapping[str, int], told: int) -> None:
    """How many rows went from which place."""
    _change(act, order_id, counts=dict(counts), told=told)


def certify(act: Act, order_id: UUID, certificate: bytes, now: datetime, found: Searched | None = None) -> None:
    """Nothing is left to do; `found` is what looking for the words came to, if anybody did."""
    residue = found.to_json() if found else None
    _change(act, order_id, residue=residue, certificate=certificate, done_at=now, touched_at=now, searching=False)


def _change(act: Act, order_id: UUID, **columns: Any) -> None:
    """Change an order that is not certified. Raises LookupError where it is not there, or certified already: what is
    noted nowhere would be certified a second time, and a receipt would say other than its certificate.
    """
    rows = OrderRow.objects.filter(vault_id=act.vault_id, order_id=order_id, done_at=None)
    if rows.update(**columns) != 1:
        raise LookupError("There is no order here that could be changed.")


def due(limit: int) -> tuple[tuple[UUID, UUID], ...]:
    """Orders across vaults that nobody is carrying out, those that were left alone longest: (vault, order) pairs and
    nothing else. Whoever is told of them is at them from now on.
    """
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT vault_id, order_id FROM gate.erasures_due(%s)", [limit])
        return tuple(cursor.fetchall())


def backed_up() -> dict[str, datetime]:
    """When a `backup` and a list of `tombstones` were made last; without what never was."""
    return dict(BackedUpRow.objects.values_list("what", "at"))


# ---------------------------------------------------------------- legal holds
def holds(vault_id: UUID) -> tuple[LegalHold, ...]:
    """Every legal hold of a vault, the newest first."""
    rows = LegalHoldRow.objects.filter(vault_id=vault_id).order_by("-placed_at", "hold_id")
    return tuple(LegalHold(*row) for row in rows.values_list(*_HOLD))


def place(act: Act, new: LegalHold) -> None:
    """A new legal hold."""
    LegalHoldRow.objects.create(
        vault_id=act.vault_id,
        hold_id=new.hold_id,
        by=new.by,
        why=new.why,
        placed_at=new.placed_at,
        until=new.until,
        lifted_at=new.lifted_at,
    )


def lift(act: Act, hold_id: UUID, now: datetime) -> bool:
    """It stands no more. False where it did not."""
    rows = LegalHoldRow.objects.filter(vault_id=act.vault_id, hold_id=hold_id, lifted_at=None)
    return rows.update(lifted_at=now) == 1
