"""Several processes at once never fork the log: whoever moves the tree first wins, the others do it over."""

import threading
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connections

from apps.ledger import services as ledger
from apps.ledger import tree
from apps.ledger.format.checkpoint import parse_signed
from apps.ledger.format.leaf import Leaf
from apps.ledger.format.merkle import leaf_hashes, root_of
from tests.cast import Vault, new_vault
from tests.ledger_log.conftest import ORIGIN
from tests.threads import at_once

ROUNDS = 12
PROCESSES = 4


def check(admin: psycopg.Connection[Any]) -> None:
    """One line of trees: every checkpoint is of the leaves as they are, and each chain's leaves are there once."""
    rows = admin.execute("SELECT index, entry FROM log.leaf ORDER BY index").fetchall()
    assert [row[0] for row in rows] == list(range(len(rows)))
    hashes = leaf_hashes(row[1] for row in rows)
    for size, note in admin.execute("SELECT size, note FROM log.checkpoint").fetchall():
        assert parse_signed(note)[0].root == root_of(hashes[:size])
    said = [(leaf.tag, leaf.seq) for leaf in (Leaf.parse(row[1]) for row in rows)]
    assert len(set(said)) == len(said)
    report = ledger.check_ledger()
    assert report, report.difference


def test_the_old_size_and_root_stand_in_the_where(publisher: ledger.Publisher, alice: Vault) -> None:
    """What one process has read is what it moves, or nothing: compare-and-set on both."""
    first, second = tree.integrated(), tree.integrated()
    assert first and second
    assert publisher.integrate() == 1
    (leaf,) = [publisher._leaf(tree.Head(alice.id, 99, b"1" * 32, None))]
    moved = tree.integrated()
    assert moved
    assert not tree.append(second, moved, [leaf], {}), "the size has moved"
    other = type(moved)(moved.origin, moved.size, b"2" * 32)
    assert not tree.append(other, moved, [leaf], {}), "the size is the same, the root is not"
    assert tree.integrated() == moved
    assert tree.place(alice.id, 99, 100) is None


def test_one_that_was_overtaken_between_reading_and_writing_writes_nothing(
    publisher: ledger.Publisher, admin: psycopg.Connection[Any], alice: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other process moves the tree at the worst moment: after this one has read everything."""
    honest = tree.append

    def overtaken(*given: Any) -> bool:
        monkeypatch.setattr(tree, "append", honest)
        (done,) = at_once([lambda: publisher.integrate()])
        assert done == 1
        return honest(*given)

    monkeypatch.setattr(tree, "append", overtaken)
    assert publisher.integrate() == 0
    assert admin.execute("SELECT count(*) FROM log.leaf").fetchone() == (1,)
    publisher.step(everything=True)
    check(admin)


def test_many_at_once_while_chains_grow(
    publisher: ledger.Publisher, admin: psycopg.Connection[Any], key_file: Path
) -> None:
    vaults = [new_vault(name) for name in ("Alice", "Bob", "Carol")]
    over = threading.Event()

    def publish() -> int:
        mine = ledger.publisher(key_file, origin=ORIGIN)
        count = 0
        while not over.is_set():
            count += mine.step(everything=count % 2 == 0) is not None
        return count

    def live() -> int:
        try:
            for number in range(ROUNDS):
                for vault in vaults:
                    vault.keep(f"thing {number}")
        finally:
            over.set()
            for alias in connections:
                connections[alias].close()
        return 0

    done = at_once([*[publish] * PROCESSES, live])
    assert [each for each in done if isinstance(each, Exception)] == []
    publisher.step(everything=True)
    check(admin)
    for vault in vaults:
        newest = vault.receipts()[-1]
        found = ledger.proof(vault.id, vault.holder.actor, newest.seq)
        assert found and found["leaf"]["seq"] == newest.seq


def test_two_first_starts_at_once_make_one_log_with_one_key(instance: str, key_file: Path) -> None:
    done = at_once([lambda: ledger.publisher(key_file, origin=ORIGIN)] * PROCESSES)
    assert [each for each in done if isinstance(each, Exception)] == []
    assert len(ledger.vkeys()) == 1
