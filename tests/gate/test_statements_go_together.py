"""Statements that go together take one round trip, answer each for itself, and leave the connection as it should be."""

import secrets
import signal
from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import UUID, uuid4

import psycopg
import pytest

from apps.ledger.pipeline import MOST_PARAMETERS, MOST_PREPARED, Batch, Statement, at_once
from tests import databases
from tests.gate.cast import Connection
from tests.ops.conftest import until

NAMES = "SELECT name FROM pg_prepared_statements"
NUMBER = secrets.randbits(30)  # of a lock that nobody else takes
LOCK: Statement = ("SELECT pg_advisory_lock(%s)", [NUMBER])
UNLOCK: Statement = ("SELECT pg_advisory_unlock(%s)", [NUMBER])
HELD = """
SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database
 WHERE locktype = 'advisory' AND granted AND objid = %s AND d.datname = current_database()
"""


@pytest.fixture
def plain(live: None) -> Iterator[Connection]:
    """The web role, committing by itself."""
    with databases.connect("app", autocommit=True) as connection:
        yield connection


def known(connection: Connection) -> int:
    """How many statements its server knows."""
    return len(connection.execute(NAMES).fetchall())


def told(connection: Connection, *statements: Statement) -> list[list[tuple[object, ...]]]:
    return at_once(connection, statements, prepare=True)


def test_each_is_answered_in_its_place(plain: Connection) -> None:
    name = uuid4()
    answers = told(
        plain,
        ("SELECT %s::uuid, %s::int[], %s::text", [name, [1, 2], None]),
        ("SET application_name = 'together'", []),
        ("SELECT %(a)s::int + %(b)s::int, %(a)s::int, '100%%'", {"b": 2, "a": 1}),
        ("SELECT '100%%' FROM generate_series(1, 2)", []),
    )
    assert answers == [[(name, [1, 2], None)], [], [(3, 1, "100%")], [("100%",), ("100%",)]]


@pytest.mark.parametrize(
    ("of", "items"),
    [
        ("int", [1, -2, None]),
        ("bigint", [2**62, -(2**63)]),
        ("boolean", [True, False, None]),
        ("uuid", [UUID(int=5), None]),
        ("text", ["", "NULL", 'a"b', "a\\b", "a,b}{", "two\nlines", " é ", None]),
        ("bytea", [b"", b"\x00\xff\\", None]),
        ("timestamptz", [datetime(2026, 3, 29, 1, 30, 0, 1, tzinfo=UTC), None]),
        ("float8", [1.5, None]),
        ("text", []),
    ],
    ids=str,
)
def test_a_list_is_an_array_of_what_is_asked_for(plain: Connection, of: str, items: list[object]) -> None:
    assert told(plain, (f"SELECT %s::{of}[]", [items])) == [[(items,)]]


def test_they_begin_the_transaction_that_they_are_in(app: Connection) -> None:
    assert told(app, ("SELECT %s::int", [1])) == [[(1,)]]
    assert app.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS
    seen = ("SHOW application_name", [])
    told(app, ("SET LOCAL application_name = 'seen'", []))
    assert told(app, seen) == [[("seen",)]]
    assert told(app, ("COMMIT", []), seen)[1] != [("seen",)]
    assert app.info.transaction_status == psycopg.pq.TransactionStatus.IDLE


def test_what_fails_says_what_it_is_and_nothing_behind_it_is_done(app: Connection) -> None:
    with pytest.raises(psycopg.errors.DivisionByZero) as raised:
        told(app, ("SELECT %s::int", [1]), ("SELECT 1 / %s::int", [0]), ("COMMIT", []))
    assert raised.value.sqlstate == "22012"
    assert app.info.transaction_status == psycopg.pq.TransactionStatus.INERROR
    app.rollback()
    assert told(app, ("SELECT %s::int", [1]), ("SELECT 1 / %s::int", [1])) == [[(1,)], [(1,)]]


def test_what_cannot_be_sent_is_refused_before_anything_is(app: Connection) -> None:
    with pytest.raises(psycopg.DataError):
        told(app, ("SELECT %s::int", [1]), ("SELECT %s::text", ["a\0b"]))
    assert app.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
    assert told(app, ("SELECT %s::int", [1])) == [[(1,)]]


def test_neither_side_waits_for_the_other_however_much_each_says(plain: Connection) -> None:
    long = "x" * 8_000_000
    answers = told(plain, *[("SELECT %s::text", [long])] * 4)
    assert [len(rows[0][0]) for rows in answers] == [len(long)] * 4  # type: ignore[arg-type]


def test_a_statement_is_prepared_once_a_connection_and_only_where_it_is_to_be(plain: Connection) -> None:
    ask: Statement = ("SELECT %s::text", ["a"])
    at_once(plain, [ask], prepare=False)
    assert known(plain) == 0
    for _ in range(3):
        told(plain, ask, ask, ("SELECT 1", []))
    assert known(plain) == 1


def test_no_more_are_kept_than_may_be_and_none_of_many_rows(plain: Connection) -> None:
    for number in range(MOST_PREPARED + 20):
        assert told(plain, (f"SELECT %s::int + {number}", [1])) == [[(1 + number,)]]
    assert known(plain) == MOST_PREPARED
    plain.execute("DISCARD ALL")
    many = MOST_PARAMETERS + 1
    told(plain, (f"SELECT {', '.join(['%s::int'] * many)}", list(range(many))))
    assert known(plain) == 0


def test_what_the_server_forgot_is_prepared_again(plain: Connection) -> None:
    ask: Statement = ("SELECT %s::int", [1])
    told(plain, ask)
    plain.execute("DEALLOCATE ALL")
    with pytest.raises(psycopg.errors.InvalidSqlStatementName):
        told(plain, ask)
    assert told(plain, ask) == [[(1,)]]


def test_a_column_of_another_type_is_met_by_a_new_plan(admin: Connection) -> None:
    ask: Statement = ("SELECT it FROM changing WHERE it IS NOT NULL OR %s", [True])
    told(admin, ("CREATE TEMP TABLE changing AS SELECT 1 AS it", []), ask)
    told(admin, ("ALTER TABLE changing ALTER it TYPE text", []))
    with pytest.raises(psycopg.errors.FeatureNotSupported):
        told(admin, ask)
    assert told(admin, ask) == [[("1",)]]


def test_a_connection_that_is_lost_says_so(plain: Connection, admin: Connection) -> None:
    told(plain, ("SELECT %s::int", [1]))
    admin.execute("SELECT pg_terminate_backend(%s, 5000)", [plain.info.backend_pid])
    with pytest.raises(psycopg.OperationalError):
        told(plain, ("SELECT %s::int", [1]), ("SELECT 1", []))
    assert plain.broken


def test_a_connection_that_was_left_midway_is_closed(plain: Connection) -> None:
    class Enough(Exception):
        pass

    def enough(*_: object) -> None:
        raise Enough

    before = signal.signal(signal.SIGALRM, enough)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(Enough):
            told(plain, ("SELECT pg_sleep(%s)", [5]))
    finally:
        signal.signal(signal.SIGALRM, before)
    assert plain.closed


def is_locked(connection: Connection) -> bool:
    """Whether anybody in this database holds LOCK."""
    found = connection.execute(HELD, [NUMBER]).fetchone()
    return found is not None and found[0] > 0


def test_what_goes_in_parts_is_answered_as_one(app: Connection) -> None:
    batch = Batch(app, prepare=True)
    batch.add([("SELECT %s::int", [1]), ("SELECT 'two'", [])])
    batch.send()
    batch.add([("SELECT %s::int", [3])])
    assert batch.rows() == [[(1,)], [("two",)], [(3,)]]
    assert app.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS


def test_the_first_part_is_done_before_the_next_is_there(plain: Connection, admin: Connection) -> None:
    batch = Batch(plain, prepare=True)
    batch.add([LOCK])
    batch.send()
    until(lambda: is_locked(admin))
    batch.add([UNLOCK])
    assert batch.rows()[1] == [(True,)]
    assert not is_locked(admin)


def test_meanwhile_the_server_does_its_part(plain: Connection, admin: Connection) -> None:
    admin.execute(*LOCK)
    batch = Batch(plain, prepare=True)
    batch.add([("SET statement_timeout = '5s'", []), LOCK])
    batch.rows(lambda: admin.execute(*UNLOCK))
    assert is_locked(admin)


def test_what_goes_wrong_meanwhile_closes_the_connection(plain: Connection) -> None:
    batch = Batch(plain, prepare=True)
    batch.add([("SELECT %s::int", [1])])
    with pytest.raises(ZeroDivisionError):
        batch.rows(lambda: 1 // 0)
    assert plain.closed


@pytest.mark.parametrize("divisor", [0, 1], ids=["failed", "done"])
def test_what_nobody_waits_for_can_be_rolled_back(app: Connection, divisor: int) -> None:
    batch = Batch(app, prepare=True)
    batch.add([("SELECT 1 / %s::int", [divisor])])
    with pytest.raises(psycopg.DataError):
        batch.add([("SELECT %s::text", ["a\0b"])])
    batch.abandon()
    app.rollback()
    assert told(app, ("SELECT 1 / %s::int", [1])) == [[(1,)]]
