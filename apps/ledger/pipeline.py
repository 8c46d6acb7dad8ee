"""Several statements in one network round trip: libpq's pipeline mode, and none parsed or planned again that this
connection has met before.

psycopg has a pipeline too. It makes a cursor of each statement, asks the operating system before each whether it may
send, and for a new transaction waits for its begin: that takes longer than what the server does. So libpq is spoken to
here as psycopg wraps it (`psycopg.pq`), and values are adapted as psycopg adapts them.
"""

import re
import select
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache, partial
from typing import Any, NamedTuple
from uuid import UUID
from weakref import WeakKeyDictionary

from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import Connection, abc, adapt, adapters, errors
from psycopg.pq import ConnStatus, ExecStatus, Format, TransactionStatus
from psycopg.pq.abc import PGconn, PGresult

Statement = tuple[str, Sequence[Any] | Mapping[str, Any]]
Rows = list[tuple[Any, ...]]
_Key = tuple[bytes, tuple[int, ...]]

MOST_PREPARED = 200  # statements of one connection
MOST_PARAMETERS = 100  # of a statement that is prepared: those of many rows are all of another length
_TIMES = adapters.get_loader(adapters.types["timestamptz"].oid, Format.TEXT)
_PLACE = re.compile(r"%(?:(%)|s|\((\w+)\)s)")


@dataclass(slots=True)
class _Prepared:
    """The statements that a connection's server knows by name, the one used last at the end; and the names that it may
    forget. `adapters`: how values are read and written."""

    adapters: adapt.AdaptersMap
    names: OrderedDict[_Key, bytes] = field(default_factory=OrderedDict)
    gone: list[bytes] = field(default_factory=list)
    given: int = 0

    def name(self, key: _Key) -> tuple[bytes, bool]:
        """A statement's name, and whether it is a new one."""
        known = self.names.get(key)
        if known is not None:
            self.names.move_to_end(key)
            return known, False
        self.given += 1
        self.names[key] = name = f"at_once_{self.given}".encode()
        if len(self.names) > MOST_PREPARED:
            self.gone.append(self.names.popitem(last=False)[1])
        return name, True

    def forget(self) -> None:
        """Whatever the server knows is prepared anew."""
        self.gone += self.names.values()
        self.names.clear()


class _Bound(NamedTuple):
    """A statement as it goes over the wire."""

    query: bytes
    values: Sequence[abc.Buffer | None] | None
    types: tuple[int, ...]
    formats: Sequence[int] | None


class _Context(NamedTuple):
    """Of a connection with these adapters (psycopg.abc.AdaptContext)."""

    adapters: adapt.AdaptersMap
    connection: Connection[Any]


_PREPARED: WeakKeyDictionary[Connection[Any], _Prepared] = WeakKeyDictionary()


def nothing(*_: object) -> None:
    """There is nothing to be done."""


def through(
    alias: str,
    statements: Sequence[Statement],
    meanwhile: Callable[[], object] = nothing,
    behind: "Batch | None" = None,
) -> list[Rows]:
    """`at_once` by the connection of this alias, `behind` what went `ahead` of them: the rows of both are returned.
    Whoever looks at its statements (`execute_wrapper`) sees these, too. Raises Django's errors.
    """
    connection = _shown(alias, statements)
    with connection.wrap_database_errors:
        batch = behind or Batch(connection.connection, settings.DB_PREPARE)
        batch.add(statements)
        return batch.rows(meanwhile)


def ahead(alias: str, statements: Sequence[Statement]) -> "Batch":
    """Send these, and wait for nothing. Until somebody waits for the batch, its connection is asked nothing else."""
    connection = _shown(alias, statements)
    with connection.wrap_database_errors:
        batch = Batch(connection.connection, settings.DB_PREPARE)
        batch.add(statements)
        batch.send()
        return batch


def _shown(alias: str, statements: Sequence[Statement]) -> BaseDatabaseWrapper:
    connection = connections[alias]
    connection.ensure_connection()
    if connection.execute_wrappers:
        for query, parameters in statements:
            _look(connection, query, parameters)
    return connection


def _look(connection: BaseDatabaseWrapper, query: str, parameters: Any) -> None:
    deed: Callable[..., object] = nothing  # a statement is looked at by itself, and sent with the others
    for wrapper in reversed(connection.execute_wrappers):
        deed = partial(wrapper, deed)
    deed(query, parameters, False, {"connection": connection})


def at_once(connection: Connection[Any], statements: Sequence[Statement], *, prepare: bool) -> list[Rows]:
    """Send these (SQL, parameters) together and return each one's rows, see `Batch`."""
    batch = Batch(connection, prepare)
    batch.add(statements)
    return batch.rows()


class Batch:
    """Statements (SQL, parameters) in one network round trip. What is sent before all are there the server does while
    the rest is put together. Parameters are `%s` or `%(name)s` in the text.

    Where the connection does not commit by itself a transaction is begun with them. `prepare`: statements with
    parameters are planned once a connection. A connection that was left midway is closed.
    """

    def __init__(self, connection: Connection[Any], prepare: bool) -> None:
        known = _PREPARED.get(connection)
        if known is None:
            known = _PREPARED[connection] = _Prepared(_adapters(connection))
        self._connection, self._known, self._prepare = connection, known, prepare
        self._adapter = adapt.Transformer(_Context(known.adapters, connection))
        self._waiting = select.poll()
        self._wanted: list[bool] = []  # of each answer to come: is it a statement's?

    def add(self, statements: Sequence[Statement]) -> None:
        """Let these follow. Raises psycopg.Error for a value that cannot be sent."""
        bound = [_bind(self._adapter, *each) for each in statements]
        pgconn = self._connection.pgconn
        with self._left_midway_closed():
            if not self._wanted:
                begins = not self._connection.autocommit and pgconn.transaction_status == TransactionStatus.IDLE
                pgconn.enter_pipeline_mode()
                if begins:
                    pgconn.send_query_params(b"BEGIN", None)
                    self._wanted.append(False)
            for each in bound:
                _put(pgconn, each, self._known if self._prepare else None, self._wanted)

    def send(self) -> None:
        """Send what was added so far, and wait for nothing."""
        with self._left_midway_closed():
            _flush(self._connection.pgconn, self._waiting)

    def rows(self, meanwhile: Callable[[], object] = nothing) -> list[Rows]:
        """Wait for them, and return each one's rows. `meanwhile` is what there is to do here while the server does its
        part: it asks this connection nothing, and whatever it raises closes it. Raises psycopg.Error for the first that
        failed; none behind it was run.
        """
        results = self._results(meanwhile)
        failed = next((each for each in results if each.status == ExecStatus.FATAL_ERROR), None)
        if failed is not None:
            self._known.forget()
            raise errors.error_from_result(failed, self._connection.info.encoding)
        answers = (each for each, is_wanted in zip(results, self._wanted, strict=True) if is_wanted)
        return [_rows(self._adapter, each) for each in answers]

    def abandon(self) -> None:
        """Nobody wants to know what became of them: the transaction that they are in is rolled back."""
        self._known.forget()
        self._results(nothing)

    def _results(self, meanwhile: Callable[[], object]) -> list[PGresult]:
        pgconn = self._connection.pgconn
        with self._left_midway_closed():
            pgconn.pipeline_sync()
            _flush(pgconn, self._waiting)
            meanwhile()
            results = _results(pgconn, self._waiting)
            pgconn.exit_pipeline_mode()
        return results

    @contextmanager
    def _left_midway_closed(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._connection.pgconn.finish()  # in whatever state it is, nobody meets it again
            raise


def _adapters(connection: Connection[Any]) -> adapt.AdaptersMap:
    """The connection's, but for times: psycopg reads those by itself in a part of the time that Django's take."""
    found = adapt.AdaptersMap(connection.adapters)
    if _TIMES is not None:
        found.register_loader("timestamptz", _TIMES)
    return found


def _bind(adapter: abc.Transformer, query: str, parameters: Sequence[Any] | Mapping[str, Any]) -> _Bound:
    if not parameters:
        return _Bound(query.replace("%%", "%").encode(), None, (), None)
    text, names = _numbered(query)
    given = [parameters[each] for each in names] if isinstance(parameters, Mapping) else parameters
    given = [_array(each) if type(each) is list else each for each in given]
    values = adapter.dump_sequence(given, [adapt.PyFormat.AUTO] * len(given))
    return _Bound(text, values, adapter.types or (), adapter.formats)


def _array(items: list[Any]) -> Any:
    """A list of plain values as PostgreSQL reads an array of whatever type is asked for there; others as they are.
    psycopg finds out anew for each list what it is of, which takes longer than all else."""
    if not all(type(each) in _WRITTEN for each in items):
        return items
    return f"{{{','.join([_WRITTEN[type(each)](each) for each in items])}}}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


_WRITTEN: dict[type, Callable[[Any], str]] = {
    int: str,
    UUID: str,
    str: _quoted,
    bool: lambda each: "t" if each else "f",
    bytes: lambda each: f'"\\\\x{each.hex()}"',
    datetime: lambda each: f'"{each.isoformat()}"',
    type(None): lambda _: "NULL",
}


@lru_cache(maxsize=512)
def _numbered(query: str) -> tuple[bytes, tuple[str, ...]]:
    """A statement with `$1`, `$2`, … as PostgreSQL numbers its parameters, and their names in that order."""
    names: list[str] = []

    def number(place: re.Match[str]) -> str:
        if place[1]:
            return "%"
        name = place[2] or str(len(names))
        if name not in names:
            names.append(name)
        return f"${names.index(name) + 1}"

    return _PLACE.sub(number, query).encode(), tuple(names)


def _put(pgconn: PGconn, bound: _Bound, known: _Prepared | None, wanted: list[bool]) -> None:
    """Put a statement into what will be sent. `wanted` says of each answer to come whether it is a statement's."""
    if known is None or not 0 < len(bound.types) <= MOST_PARAMETERS:
        pgconn.send_query_params(*bound)
    else:
        name, new = known.name((bound.query, bound.types))
        while known.gone:
            pgconn.send_close_prepared(known.gone.pop())
            wanted.append(False)
        if new:
            pgconn.send_prepare(name, bound.query, bound.types)
            wanted.append(False)
        pgconn.send_query_prepared(name, bound.values, bound.formats)
    wanted.append(True)


def _flush(pgconn: PGconn, waiting: select.poll) -> None:
    """Send what was put together. What the server says meanwhile is taken in, so that neither waits for the other."""
    while pgconn.flush():
        waiting.register(pgconn.socket, select.POLLIN | select.POLLOUT)
        if waiting.poll()[0][1] & select.POLLIN:
            pgconn.consume_input()


def _results(pgconn: PGconn, waiting: select.poll) -> list[PGresult]:
    """Each answer, up to the end of what was sent together."""
    found: list[PGresult] = []
    waiting.register(pgconn.socket, select.POLLIN)
    while True:
        while pgconn.is_busy():
            waiting.poll()
            pgconn.consume_input()
        result = pgconn.get_result()
        if result is None:
            if pgconn.status == ConnStatus.BAD:
                raise errors.OperationalError(f"the connection was lost: {pgconn.get_error_message()}")
        elif result.status == ExecStatus.PIPELINE_SYNC:
            return found
        else:
            found.append(result)


def _rows(adapter: abc.Transformer, result: PGresult) -> Rows:
    if result.status != ExecStatus.TUPLES_OK:
        return []
    adapter.set_pgresult(result)
    return adapter.load_rows(0, result.ntuples, tuple)
