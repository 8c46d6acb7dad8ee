"""What was erased is in no table's file once they were written anew: no key, no ciphertext, no label, no word."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connections

from apps.erasure import reclaim as tables
from apps.erasure import services as erasure
from apps.erasure.reclaim import How, Reclaimed
from apps.erasure.tasks import reclaim
from tests import databases
from tests.cast import Vault, canary
from tests.keys.looks import erase, plain, shown, talk
from vault.clock import utc_now

PATIENCE_SECONDS = 60


def files_with(admin: Any, *wanted: bytes) -> dict[bytes, int]:
    """In how many of this database's files each of these is, once all pages are written out."""
    admin.execute("CHECKPOINT")
    row = admin.execute(
        "SELECT current_setting('data_directory'), oid FROM pg_database WHERE datname = current_database()"
    ).fetchone()
    folder = Path(row[0]) / "base" / str(row[1])
    held = [path.read_bytes() for path in folder.iterdir() if path.is_file()]
    assert len(held) > 100, "this account reads the server's files"
    return {each: sum(each in content for content in held) for each in wanted}


def done() -> dict[str, Reclaimed]:
    return {each.relation: each for each in erasure.reclaim(utc_now(), everything=True)}


def counted(admin: Any) -> None:
    """The server counts what changed a moment after it did; a connection that ends says what is left."""
    connections.close_all()
    others = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_type = %s AND pid <> %s"
    until = time.monotonic() + PATIENCE_SECONDS
    while admin.execute(others, ["client backend", admin.info.backend_pid]).fetchone() is not None:
        assert time.monotonic() < until, "somebody stays"
        time.sleep(0.02)
    admin.execute("SELECT pg_stat_force_next_flush()")


@pytest.fixture
def gone(alice: Vault, admin: Any) -> Iterator[list[bytes]]:
    """What was kept of a memory before it was erased: of the wrapped key, the ciphertext, the print, the label."""
    label = canary()
    memory_id = alice.keep("secret", label=label)
    where = [alice.id, memory_id]
    queries = (
        "SELECT wrapped FROM sealed.key WHERE vault_id = %s AND memory_id = %s",
        "SELECT ciphertext FROM sealed.value WHERE vault_id = %s AND memory_id = %s",
        "SELECT digests FROM value_print WHERE vault_id = %s AND memory_id = %s",
        "SELECT int8send(min(term)) FROM sealed.search_term WHERE vault_id = %s AND memory_id = %s",
    )
    found = [bytes(admin.execute(query, where).fetchone()[0]) for query in queries]
    found[-1] = found[-1][::-1]  # as the machine keeps a number
    yield [*found, label.encode()]


def test_after_the_erasure_they_are_there_still_and_after_reclaiming_nowhere(
    alice: Vault, admin: Any, gone: list[bytes]
) -> None:
    talk(alice)
    erase(alice, "secret")
    logged = [each for each in gone if len(each) != 8]  # pages of the index are written when it pleases the server
    assert all(files_with(admin, *logged).values()), "without it, an erasure leaves them in the pages"
    found = done()
    assert {each.how for each in found.values()} == {How.ANEW}
    assert files_with(admin, *gone) == dict.fromkeys(gone, 0)
    assert shown(alice) == plain(alice)


def test_a_vault_s_old_key_leaves_them_too(alice: Vault, admin: Any) -> None:
    from apps.memories import services as memories

    query, places = "SELECT wrapped FROM {} WHERE vault_id = %s", ("vault_key", "sealed.key")
    old = [bytes(row[0]) for each in places for row in admin.execute(query.format(each), [alice.id]).fetchall()]
    memories.rotate(alice.id, utc_now())
    assert all(files_with(admin, *old).values())
    done()
    assert files_with(admin, *old) == dict.fromkeys(old, 0)
    assert shown(alice) == plain(alice)


def test_only_what_changed_since_is_written_anew(alice: Vault, admin: Any) -> None:
    counted(admin)
    done()
    assert {each.relation for each in erasure.reclaim(utc_now())} == set()
    erase(alice, "diary")
    counted(admin)
    changed = {each.relation for each in erasure.reclaim(utc_now())}
    assert changed >= {"sealed.key", "sealed.value", "public.value_print", "public.memory"}
    assert "public.turn" not in changed


def test_whoever_reads_is_not_held_up_and_it_comes_back_later(
    alice: Vault, admin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "PAUSE", 0.01)
    with databases.connect("postgres") as reader:
        reader.execute("SELECT count(*) FROM sealed.key")
        assert done()["sealed.key"].how is How.BUSY
    assert done()["sealed.key"].how is How.ANEW


def test_a_large_table_is_vacuumed_plainly(alice: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "LARGE", 0)
    assert {each.how for each in done().values()} == {How.PLAIN}


def test_every_table_is_among_them(alice: Vault, admin: Any) -> None:
    """Those of people as well: addresses, sessions and second factors are deleted with a vault."""
    rows = admin.execute(
        "SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE c.relkind IN ('r', 'p') AND n.nspname IN ('public', 'sealed')"
    ).fetchall()
    apart = {"public.receipt", "sealed.chain_head", "public.reclaimed"}  # never deleted; hashes; numbers
    assert done().keys() == {name for (name,) in rows} - apart


def test_a_person_s_address_leaves_its_table_s_file(alice: Vault, admin: Any) -> None:
    address = f"{canary()}@example.org"
    admin.execute('INSERT INTO account_emailaddress (email, verified, "primary", user_id)'
                  ' SELECT %s, false, false, id FROM "user" LIMIT 1', [address])  # fmt: skip
    admin.execute("DELETE FROM account_emailaddress WHERE email = %s", [address])
    assert files_with(admin, address.encode())[address.encode()]
    done()
    assert files_with(admin, address.encode()) == {address.encode(): 0}


def test_where_the_server_began_to_count_anew_every_table_is_due(alice: Vault, admin: Any) -> None:
    """Else as many changes as there had been would be taken for none."""
    counted(admin)
    tables = done().keys()
    assert {each.relation for each in erasure.reclaim(utc_now())} == set()
    admin.execute("SELECT pg_stat_reset()")
    counted(admin)
    admin.execute("UPDATE reclaimed r SET changes = s.n_tup_upd + s.n_tup_del FROM pg_stat_all_tables s"
                  " WHERE s.schemaname || '.' || s.relname = r.relation")  # fmt: skip
    assert {each.relation for each in erasure.reclaim(utc_now())} == tables


def test_the_role_that_does_it_reads_no_row(alone: Path) -> None:
    with databases.connect("reclaim", autocommit=True) as connection:
        for table in ("sealed.key", "sealed.value", "memory", "vault_key", "receipt"):
            with pytest.raises(Exception, match="permission denied"):
                connection.execute(f"SELECT 1 FROM {table} LIMIT 1")
        setting = connection.execute("SELECT current_setting('lock_timeout')").fetchone()
    assert setting == ("300ms",)


def test_the_beat_and_the_command_do_the_same(alice: Vault, admin: Any, capsys: pytest.CaptureFixture[str]) -> None:
    erase(alice, "diary")
    counted(admin)
    assert reclaim() > 0
    call_command("reclaim", "--everything")
    assert "sealed.key: written anew" in capsys.readouterr().out
    assert erasure.reclaimed_at() is not None
