"""A rewritten history is caught: by a witness that saw the first, and by whoever kept a file from before.

Protects the holder, and whoever relies on the record, from an operator who changes the past and everything that hangs
on it: receipts, chain, head, leaves, tree. With the log's key and nobody outside who remembers, it is not caught: the
control says so.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from apps.ledger import services as ledger
from apps.ledger.format.fork import Fork
from apps.ledger.format.growth import explain_growth
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.verdict import Trust, Verdict
from tests import databases
from tests.cast import Assistant, Vault, give, new_vault
from tests.ledger_log.test_fsck import fsck
from tests.logs import ORIGIN, begun, bundle_of, check, file_of
from tests.peers.witness import Real, witness
from tests.tampering import forget_the_log, rewrite


@pytest.fixture
def alice(instance: str) -> Vault:
    return new_vault("Alice")


@pytest.fixture
def admin(instance: str) -> Iterator[psycopg.Connection[Any]]:
    with databases.connect("postgres", autocommit=True) as connection:
        yield connection


@pytest.fixture
def key(publisher: ledger.Publisher) -> VerifierKey:
    return publisher.keys.verifier(ORIGIN)


@pytest.fixture
def watching(tmp_path: Path, key: VerifierKey) -> Iterator[Real]:
    """A witness outside the instance."""
    with witness("w1", tmp_path / "w1", key) as real:
        yield real


@pytest.fixture
def read(alice: Vault, cook: Assistant, publisher: ledger.Publisher) -> int:
    """A value that Cook was handed: the receipt that the operator wants to be another."""
    give(cook, "kitchen")
    cook.read("kitchen")
    return alice.receipts(kind="value.read")[0].seq


def write_anew(admin: psycopg.Connection[Any], vault: Vault, first: int, key_file: Path) -> None:
    """All that an operator can do who has the superuser and the log's key: no row is left that disagrees."""
    rewrite(admin, vault, first)
    forget_the_log(admin)
    key_file.with_name("log_key.signed").unlink()


def test_a_witness_that_saw_the_first_history_does_not_see_the_second(
    alice: Vault,
    read: int,
    key: VerifierKey,
    key_file: Path,
    watching: Real,
    admin: psycopg.Connection[Any],
) -> None:
    begun(key_file, watching).step(everything=True)
    alice.keep("tea")
    begun(key_file, watching).step(everything=True)
    kept, size = file_of(alice, read), watching.size(ORIGIN)
    assert size > 0 and check(kept, key).verdict is Verdict.IN_LEDGER

    write_anew(admin, alice, read, key_file)
    again = begun(key_file, watching)
    with pytest.raises(ledger.LogProblem) as caught:
        for number in range(size + 2):
            alice.keep(f"more {number}")
            again.step(everything=True)
    assert isinstance(caught.value, ledger.Forked)
    assert watching.size(ORIGIN) == size, "it cosigns nothing of the second history"
    evidence = caught.value.evidence
    if evidence.startswith(b"{"):
        Fork.parse(evidence).check()
        assert check(evidence, key).verdict is Verdict.FORKED
    assert check(kept, key).verdict is Verdict.IN_LEDGER, "what was kept goes on holding"


def test_whoever_kept_a_bundle_sees_which_line_became_another(
    alice: Vault,
    read: int,
    key: VerifierKey,
    key_file: Path,
    publisher: ledger.Publisher,
    admin: psycopg.Connection[Any],
) -> None:
    publisher.step(everything=True)
    kept = bundle_of(alice)
    write_anew(admin, alice, read, key_file)
    begun(key_file).step(everything=True)
    alice.keep("tea")
    begun(key_file).step(everything=True)
    growth = explain_growth(kept.splitlines(True), bundle_of(alice).splitlines(True), trust=Trust(keys=(key,)))
    assert (growth.exit_code, growth.forked_at) == (1, read)


def test_a_store_replaced_from_its_first_line_on_is_seen_at_that_line(
    alice: Vault,
    read: int,
    key: VerifierKey,
    key_file: Path,
    publisher: ledger.Publisher,
    admin: psycopg.Connection[Any],
) -> None:
    publisher.step(everything=True)
    kept = bundle_of(alice)
    write_anew(admin, alice, 1, key_file)
    begun(key_file).step(everything=True)
    growth = explain_growth(kept.splitlines(True), bundle_of(alice).splitlines(True), trust=Trust(keys=(key,)))
    assert (growth.exit_code, growth.forked_at) == (1, 1)


def test_the_log_s_own_memory_stops_whoever_rewrites_the_database_alone(
    alice: Vault,
    read: int,
    key_file: Path,
    publisher: ledger.Publisher,
    admin: psycopg.Connection[Any],
) -> None:
    """Without the account that holds the key, the file beside it remembers: nothing more is signed."""
    publisher.step(everything=True)
    rewrite(admin, alice, read)
    forget_the_log(admin)
    with pytest.raises(ledger.LogProblem):
        begun(key_file).step(everything=True)


def test_control_with_no_witness_and_the_key_it_is_not_caught(
    alice: Vault,
    read: int,
    key: VerifierKey,
    key_file: Path,
    publisher: ledger.Publisher,
    admin: psycopg.Connection[Any],
) -> None:
    """The limit. Everything agrees, and a new file of the other receipt holds under the log's own key."""
    publisher.step(everything=True)
    before = alice.receipts(kind="value.read")[0]
    write_anew(admin, alice, read, key_file)
    begun(key_file).step(everything=True)
    assert "everything agrees" in fsck()
    after = alice.receipts(kind="value.read")[0]
    assert before.purpose != after.purpose
    assert check(file_of(alice, read), key).verdict is Verdict.IN_LEDGER
    assert check(bundle_of(alice), key).verdict is Verdict.IN_LEDGER
