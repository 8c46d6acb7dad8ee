"""Cut off between any two steps, and after a step that failed but had persisted: the next step goes on, nothing forks.

Each fault stands in for a crash: an error at that point, after which everything is done anew by another process.
"""

from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connections

from apps.ledger import services as ledger
from apps.ledger import signing, tree
from apps.ledger.format.checkpoint import parse_signed
from tests.cast import Vault, new_vault
from tests.ledger_log.conftest import ORIGIN
from tests.ledger_log.test_two_publishers import check


class Crash(Exception):
    """The process ends here."""


STEPS: dict[str, tuple[Any, str, int]] = {  # where it is, its name, how often a life below comes to it
    "a private file is written": (signing, "write_private", 3),
    "the tree begins": (tree, "begin", 1),
    "the key is noted": (tree, "add_key", 1),
    "heads are asked for": (tree, "changed_heads", 2),
    "tiles are read": (tree, "tile", 3),
    "leaves, tiles and tree are written": (tree, "append", 2),
    "the checkpoint is signed": (signing.LogKeys, "sign", 2),
    "the signature is remembered": (signing.Memory, "keep", 2),
    "the checkpoint is published": (tree, "add_checkpoint", 2),
}
CUTS = [(step, at) for step, (_, _, times) in STEPS.items() for at in range(1, times + 1)]


def cut_off(monkeypatch: pytest.MonkeyPatch, step: str, when: str, at: int) -> None:
    """Crash at the `at`-th time of a step, before it or once it has persisted."""
    where, name, _ = STEPS[step]
    honest, reached = getattr(where, name), [0]

    def faulty(*given: Any, **more: Any) -> Any:
        reached[0] += 1
        if reached[0] != at:
            return honest(*given, **more)
        if when == "after":
            honest(*given, **more)
        raise Crash(step)

    monkeypatch.setattr(where, name, faulty)


def life(key_file: Path, vaults: list[Vault], seen: list[bytes]) -> None:
    """A process begins, and publishes twice while chains grow. Keeps every checkpoint that anybody could have seen."""
    publisher = ledger.publisher(key_file, origin=ORIGIN)
    for number in range(2):
        for vault in vaults:
            vault.keep(f"thing {number}")
        try:
            publisher.step(everything=True)
        finally:
            seen += filter(None, [ledger.checkpoint()])


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize(("step", "at"), CUTS)
def test_it_goes_on_where_it_was_cut_off(
    instance: str,
    admin: psycopg.Connection[Any],
    key_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    when: str,
    at: int,
) -> None:
    vaults = [new_vault("Alice"), new_vault("Bob")]
    seen: list[bytes] = []
    with monkeypatch.context() as fault:
        cut_off(fault, step, when, at)
        with pytest.raises(Crash):
            life(key_file, vaults, seen)
    for alias in connections:
        connections[alias].close()
    signed = key_file.with_name("log_key.signed")
    seen += [signed.read_bytes()] if signed.exists() else []
    life(key_file, vaults, seen)
    check(admin)
    assert len(ledger.vkeys()) == 1, "no key was made twice"
    stored = dict(admin.execute("SELECT size, note FROM log.checkpoint").fetchall())
    trees = {parse_signed(note)[0].size: parse_signed(note)[0].root for note in stored.values()}
    for note in seen:
        checkpoint, parsed = parse_signed(note)
        parsed.verify([ledger.publisher(key_file, origin=ORIGIN).keys.verifier(ORIGIN)])
        if checkpoint.size in trees:
            assert trees[checkpoint.size] == checkpoint.root
    for vault in vaults:
        newest = vault.receipts()[-1]
        found = ledger.proof(vault.id, vault.holder.actor, newest.seq)
        assert found and found["leaf"]["seq"] == newest.seq


@pytest.mark.parametrize(
    "statement", ["UPDATE log.tree", "INSERT INTO log.leaf", "INSERT INTO log.place", "INSERT INTO log.pseudonym"]
)
def test_a_failure_inside_the_transaction_leaves_nothing(
    publisher: ledger.Publisher, admin: psycopg.Connection[Any], alice: Vault, statement: str
) -> None:
    """Leaves, places and the tree's head are one transaction: half of it is never there."""

    def fail(execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
        done = execute(sql, params, many, context)
        if statement in str(sql):
            raise Crash(statement)  # the statement itself has been carried out
        return done

    before = tree.integrated()
    with connections["log"].execute_wrapper(fail), pytest.raises(Crash):
        publisher.integrate()
    for name in ("leaf", "place", "pseudonym", "tile"):
        assert admin.execute(f"SELECT count(*) FROM log.{name}").fetchone() == (0,)
    assert tree.integrated() == before
    publisher.step(everything=True)
    check(admin)
