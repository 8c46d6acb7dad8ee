"""Six ways to keep a value and lose its receipt, written once and tried on any road to a value.

Each returns what it kept, or None. They need no more than the connection the application itself has; the last one
needs no attacker at all.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg

from tests import databases
from tests.gate.cast import Connection, Vault, count_receipts, item, new_handle, plan


@dataclass(frozen=True)
class Road:
    """A way to read. `source` is a FROM clause with a column `ciphertext` that reads and writes its receipts;
    `first` is what an honest client commits before it reads `stream`, large values."""

    source: str
    first: str | None
    stream: str
    receipts: Callable[[], int]


Attack = Callable[[Road], Any]


def kept(attack: Attack, road: Road) -> tuple[Any, int]:
    """What an attack kept, and how many receipts it left."""
    before = road.receipts()
    try:
        value = attack(road)
    except psycopg.Error:
        value = None
    return value, road.receipts() - before


@contextmanager
def _connection(**options: Any) -> Iterator[Connection]:
    with databases.connect("gate", **options) as connection:
        yield connection


def roll_back(road: Road) -> Any:
    with _connection() as connection:
        row = connection.execute(f"SELECT ciphertext FROM {road.source}").fetchone()
        connection.rollback()
        return row


def roll_back_to_a_savepoint(road: Road) -> Any:
    with _connection() as connection:
        connection.execute("SAVEPOINT before")
        row = connection.execute(f"SELECT ciphertext FROM {road.source}").fetchone()
        connection.execute("ROLLBACK TO before")
        connection.commit()
        return row


def keep_a_variable_over_an_exception(road: Road) -> Any:
    """PL/pgSQL variables outlive the subtransaction that filled them."""
    heard: list[str] = []
    with _connection() as connection:
        connection.add_notice_handler(lambda notice: heard.append(notice.message_primary or ""))
        connection.execute(
            "DO $$ DECLARE kept text; BEGIN BEGIN "
            f"SELECT encode(ciphertext, 'hex') INTO kept FROM {road.source}; RAISE EXCEPTION 'undo'; "
            "EXCEPTION WHEN OTHERS THEN RAISE NOTICE '%', coalesce(kept, ''); END; END $$"
        )
        connection.commit()
    return heard[0] if heard else None


def fail_after_reading_in_one_string(road: Road) -> Any:
    """A simple query is one transaction; its rows are sent before the error undoes it."""
    with _connection(autocommit=True) as connection:
        wire = connection.pgconn
        wire.send_query(f"SELECT encode(ciphertext, 'hex') FROM {road.source}; SELECT 1/0".encode())
        value = None
        while result := wire.get_result():
            value = result.get_value(0, 0) if result.ntuples else value
        return value


def read_the_error_message(road: Road) -> Any:
    """The message of a failed cast carries the value, and the failure undoes the statement that read it."""
    with _connection(autocommit=True) as connection:
        try:
            connection.execute(f"SELECT encode(ciphertext, 'hex')::int FROM {road.source}")
        except psycopg.errors.InvalidTextRepresentation as error:
            return str(error).split('"')[1]
    return None


# Whatever of a row waits in the server's send buffer leaves when more follows than that holds. From 17 on a row that is
# larger than it is not put there at all.
BEHIND_IT = "repeat(' ', 65536)"


def die_while_rows_stream(road: Road) -> Any:
    """An honest client whose server process is killed: what is larger than the send buffer has left already."""
    with _connection(autocommit=True) as connection:
        if road.first:
            connection.execute(road.first)
        wire = connection.pgconn
        wire.send_query(
            f"SELECT encode(ciphertext, 'hex') FROM {road.stream} UNION ALL SELECT {BEHIND_IT} UNION ALL"
            " SELECT pg_sleep(5)::text".encode()
        )
        wire.set_single_row_mode()
        result = wire.get_result()
        value = result.get_value(0, 0) if result and result.ntuples else None
        with databases.connect("postgres", autocommit=True) as admin:
            admin.execute("SELECT pg_terminate_backend(%s, 5000)", [wire.backend_pid])
        wire.finish()
    return value


SIX: list[Attack] = [
    roll_back,
    roll_back_to_a_savepoint,
    keep_a_variable_over_an_exception,
    fail_after_reading_in_one_string,
    read_the_error_message,
    die_while_rows_stream,
]


def the_gate(admin: Connection, vault: Vault, large: Any) -> Road:
    """The product's road: stamp and take, both in one statement where an attack has only one."""
    memory, handle, streamed = vault.memories[0], new_handle(), new_handle()
    ticket = vault.ticket()

    def stamp(handle: bytes, memory: Any) -> str:
        return f"gate.stamp('{vault.id}', '{ticket}', '\\x{handle.hex()}', '{plan(vault, item(memory))}')"

    def take(handle: bytes) -> str:
        return f"gate.take('{vault.id}', '{ticket}', '\\x{handle.hex()}')"

    return Road(
        source=f"{stamp(handle, memory)} s, LATERAL (SELECT * FROM {take(handle)} WHERE s.outcome IS NOT NULL) t",
        first=f"SELECT {stamp(streamed, large)}",
        stream=take(streamed),
        receipts=lambda: count_receipts(admin, vault),
    )


NAIVE = """
CREATE SCHEMA naive;
CREATE TABLE naive.receipt (vault_id uuid, memory_id uuid);
CREATE FUNCTION naive.read_values(p_vault uuid, p_memories uuid[]) RETURNS TABLE (ciphertext bytea)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO naive.receipt SELECT p_vault, m FROM unnest(p_memories) m;
  RETURN QUERY SELECT v.ciphertext FROM sealed.value v WHERE v.vault_id = p_vault AND v.memory_id = ANY (p_memories);
END $$;
GRANT USAGE ON SCHEMA naive TO muniment_gate;
GRANT EXECUTE ON FUNCTION naive.read_values(uuid, uuid[]) TO muniment_gate;
"""


@contextmanager
def the_naive_road(admin: Connection, vault: Vault, large: Any) -> Iterator[Road]:
    """The control: read and receipt in one function, so in one transaction, whose end the caller decides."""
    admin.execute("DROP SCHEMA IF EXISTS naive CASCADE")
    admin.execute(NAIVE)
    read = "naive.read_values('{}', array['{}'::uuid])"

    def receipts() -> int:
        row = admin.execute("SELECT count(*) FROM naive.receipt").fetchone()
        assert row is not None
        return int(row[0])

    try:
        yield Road(read.format(vault.id, vault.memories[0]), None, read.format(vault.id, large), receipts)
    finally:
        # No lock_timeout here: a killed backend may still be letting its locks go.
        admin.execute("DROP SCHEMA naive CASCADE")
