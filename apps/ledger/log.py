"""`act()`: the one transaction in which anything but a hand-over happens, and its receipts with it.

No write without an act: every writing store function takes one, and this is where they come from. No act without
a receipt: one that recorded nothing does not commit. Effect and receipt commit together or not at all.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import Error, connections, transaction
from django.db.models import (
    BigIntegerField,
    BooleanField,
    DateField,
    DateTimeField,
    Field,
    Model,
    TextField,
    UUIDField,
)
from django.db.models.sql import InsertQuery

from apps.ledger.hold import refusing
from apps.ledger.pipeline import Batch, Rows, Statement, ahead, nothing, through
from apps.ledger.tickets import issue
from apps.policy.vocabulary import ReceiptKind

ALIAS = "default"
_AS_IT_IS = (TextField, UUIDField, BooleanField, DateTimeField, DateField)
_ARRAYS_OF = (*_AS_IT_IS, BigIntegerField)  # a single number is sent as of its column's width, an array's are not


@dataclass(slots=True)
class Act:
    """One thing done to one vault. `seqs` are its receipts' numbers, known once it has committed; `sent` is what went
    ahead of the rest, see `hurry`.
    """

    vault_id: UUID
    actor: str
    ticket: str
    lines: list[dict[str, Any]] = field(default_factory=list)
    writes: list[Statement] = field(default_factory=list)
    told: list[Rows] = field(default_factory=list)
    seqs: tuple[int, ...] = ()
    cancelled: bool = False
    sent: Batch | None = None

    def cancel(self) -> None:
        """Nothing is done after all: what was written so far is rolled back, and no receipt is due."""
        self.cancelled = True

    def later(self, query: str, parameters: Sequence[Any] = ()) -> None:
        """A write that nothing else in this act looks at: it goes in its turn with the others and the receipts, all in
        one network round trip, and what is wrong with it is raised when the act ends. What does look: see `settle`."""
        self.writes.append((query, parameters))

    def settle(self) -> None:
        """Send now what was written `later`: something in this act is about to look at it."""
        if self.writes or self.sent is not None:
            self._through(self.writes)
            self.writes.clear()

    def hurry(self) -> None:
        """Nothing in this act looks at a row from here on: what was written `later` is done while the rest is put
        together.
        """
        if self.writes and self.sent is None:
            self.sent = ahead(ALIAS, self.writes)
            self.writes.clear()

    def _through(self, statements: Sequence[Statement]) -> list[Rows]:
        sent, self.sent = self.sent, None
        return through(ALIAS, statements, behind=sent)

    def insert(self, *rows: Model) -> None:
        """New rows of one table, written `later`."""
        self.writes += _inserting(rows)

    def record(self, kind: ReceiptKind, **fields: Any) -> None:
        """Append a receipt: `object`, `memory` (UUID), `version`, `category`, `form`, `reason`, `request`, `turn`,
        `purpose`, `commitment` and `salt` (hex). What is not given is written as `-`; for whom somebody acted is the
        database's to fill in (gate.behalf)."""
        line = {name: str(value) if isinstance(value, UUID) else value for name, value in fields.items()}
        self.lines.append({"kind": kind.value, **line})


@contextmanager
def act(
    vault_id: UUID,
    actor: str,
    *,
    recipient: str = "-",
    founding: bool = False,
    begin: bool = False,
    asking: Sequence[Statement] = (),
    meanwhile: Callable[[], object] = nothing,
) -> Iterator[Act]:
    """Open an act of `actor` in a vault; commits on leaving, with its receipts.

    Locks the vault's chain head before anything else. Refuses to open inside a larger transaction (RuntimeError,
    by Django's `durable`), because a larger one could lose the receipts. `founding` starts the chain, which
    must not be there; `begin` starts it if nobody has: a space's, which has one from the first act in it on.
    `recipient` is who is told something by it, where somebody is. `asking`: queries (SQL, parameters) that go with its
    opening in one network round trip, and see what the lock keeps so; their rows are `told`. `meanwhile`: what can be
    done while the database opens it; it looks at no row.
    Raises OnHold, with nothing done, while the instance stamps nothing.
    """
    started = Act(vault_id, actor, issue(vault_id, actor, recipient))
    opening: list[Statement] = [(_set_ticket(started.ticket), [])]
    if founding:
        opening.append(("SELECT gate.start_chain(%s, %s)", [vault_id, started.ticket]))
    if begin:
        opening.append(("SELECT gate.begin_chain(%s, %s)", [vault_id, started.ticket]))
    opening.append(("SELECT gate.open(%s, %s)", [vault_id, started.ticket]))
    with refusing(), transaction.atomic(using=ALIAS, durable=True):
        started.told = through(ALIAS, [*opening, *asking], meanwhile)[len(opening) :]
        try:
            yield started
            if started.cancelled:
                transaction.set_rollback(True, using=ALIAS)
                return
            receipts = ("SELECT gate.record(%s, %s, %s::jsonb)", [vault_id, started.ticket, json.dumps(started.lines)])
            # It ends with them in the same round trip; Django finds nothing left to commit.
            last = started._through([*started.writes, receipts, ("COMMIT", [])])[-2][0][0]
        finally:
            if started.sent is not None:
                started.sent.abandon()
    started.seqs = tuple(range(last - len(started.lines) + 1, last + 1))


@contextmanager
def reading(vault_id: UUID, actor: str, *, still: bool = False) -> Iterator[None]:
    """A look at one vault's rows: row security shows this vault's and no other's. Writes nothing.

    `still`: all statements see the same moment, for a look that must agree in itself; it stands in no larger one.
    """
    with transaction.atomic(using=ALIAS, durable=still), connections[ALIAS].cursor() as cursor:
        if still:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute(_set_ticket(issue(vault_id, actor, "-")))
        yield


def fetch(vault_id: UUID, actor: str, queries: Sequence[Statement]) -> list[Rows]:
    """Several queries on one vault's rows in one transaction and one network round trip.

    For the hot road only; elsewhere `reading()` is plainer. Each query is (SQL, parameters).
    """
    connection = connections[ALIAS]
    connection.ensure_connection()
    if connection.in_atomic_block:
        raise RuntimeError("fetch opens a transaction of its own")
    opening: list[Statement] = [("BEGIN", []), (_set_ticket(issue(vault_id, actor, "-")), [])]
    try:
        return through(ALIAS, [*opening, *queries, ("COMMIT", [])])[2:-1]
    except Error:
        connection.close()  # whatever state it is in, nobody meets it again
        raise


def within(queries: Sequence[Statement]) -> list[Rows]:
    """Several queries within an act or a look, in one network round trip. Returns each one's rows."""
    if not connections[ALIAS].in_atomic_block:
        raise RuntimeError("it stands in an act or a look")
    return through(ALIAS, queries)


def in_turn(vault_id: UUID, actor: str, queries: Sequence[Statement], act: Act | None = None) -> list[Rows]:
    """Several queries while nobody else acts in the vault, in one network round trip: within an `act`, or else in a
    transaction of their own, under the lock of its head. That one leaves no receipt: it is for what changes nothing
    that anybody sees. Returns each one's rows.
    """
    if act is not None:
        return within(queries)
    opening: Statement = ("SELECT gate.open(%s, %s)", [vault_id, issue(vault_id, actor, "-")])
    return fetch(vault_id, actor, [opening, *queries])[1:]


def _inserting(rows: Sequence[Model]) -> list[Statement]:
    if len(rows) != 1:
        return _as_django_writes(rows) if rows else []
    (row,), model, connection = rows, type(rows[0]), connections[ALIAS]
    values = [
        getattr(row, name) if each is None else each.get_db_prep_save(getattr(row, name), connection)
        for name, each in _columns(model)
    ]
    return [(_insertion(model), values)]


def _as_django_writes(rows: Sequence[Model]) -> list[Statement]:
    query = InsertQuery(type(rows[0]))
    query.insert_values(list(type(rows[0])._meta.concrete_fields), list(rows))
    made: list[Statement] = query.get_compiler(ALIAS).as_sql()
    return made


@cache
def _insertion(model: type[Model]) -> str:
    """The statement that inserts one row."""
    return _as_django_writes([model()])[0][0]


@cache
def _columns(model: type[Model]) -> "tuple[tuple[str, Field[Any, Any] | None], ...]":
    """The attributes of a row, and the field of each whose value is not stored as it is."""
    return tuple((each.attname, None if _is_as_it_is(each) else each) for each in model._meta.concrete_fields)


def _is_as_it_is(column: "Field[Any, Any]") -> bool:
    return type(column.base_field) in _ARRAYS_OF if type(column) is ArrayField else type(column) in _AS_IT_IS


def _set_ticket(ticket: str) -> str:
    """SET LOCAL takes no bound parameter, and set_config() would not reach a distributed Postgres' workers. A ticket
    holds no quote, see `issue`."""
    return f"SET LOCAL muniment.ticket = '{ticket}'"
