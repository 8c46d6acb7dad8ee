"""Two copies of one log under one key: a witness sees both, and whoever comes second stops, with what proves it.

The copies are real: a copy of the database and of the key file, each with its own process.
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connections

from apps.ledger import services as ledger
from apps.ledger.format.checkpoint import Checkpoint, parse_signed
from apps.ledger.format.fork import Fork
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.verdict import Trust, Verdict
from apps.ledger.format.verifying import verify
from apps.ledger.services.continuing import contradiction
from ops.bootstrap import create_database
from tests import databases
from tests.cast import Vault
from tests.ledger.material import LOG
from tests.ledger_log.conftest import ORIGIN
from tests.ledger_log.test_cosigning import at_once, policy_file
from tests.ledger_log.test_fsck import fsck
from tests.peers.witness import Real, Reply, peer, witness


@dataclass(frozen=True, slots=True)
class Copies:
    """The instance and a copy of it, both with one leaf that the witness has cosigned."""

    instance: str
    copy: str
    witness: Real
    policy: str
    key: VerifierKey

    def grow(self, which: str, vault: Vault, times: int, folder: Path) -> ledger.Publisher:
        """In one of the two, with the keys in a folder: so many new leaves, each published and shown to the witness."""
        databases.point_at(which)
        made = ledger.publisher(folder / "log_key", origin=ORIGIN, policy_file=self.policy)
        for number in range(times):
            vault.keep(f"{which} {number}")
            at_once(made)
            made.step(everything=True)
        return made


@pytest.fixture
def copies(instance: str, key_file: Path, tmp_path: Path, alice: Vault) -> Iterator[Copies]:
    first = ledger.publisher(key_file, origin=ORIGIN)
    first.step(everything=True)
    key = first.keys.verifier(ORIGIN)
    with witness("w1", tmp_path / "w1", key) as real:
        policy = policy_file(tmp_path, [real], "1")
        ledger.publisher(key_file, origin=ORIGIN, policy_file=policy).step(everything=True)
        for alias in connections:
            connections[alias].close()
        copy = f"{instance}_copy"
        create_database(databases.admin_url("postgres"), copy, instance)
        (tmp_path / "elsewhere").mkdir()
        shutil.copy(key_file, tmp_path / "elsewhere" / "log_key")
        yield Copies(instance, copy, real, policy, key)
        databases.drop(copy)
        databases.point_at(instance)


def evidence(database: str) -> list[tuple[int, bytes]]:
    assert settings.DATABASES["log"]["NAME"] == database
    with databases.connect("app") as connection:
        query = "SELECT status, evidence FROM log.refusal WHERE evidence IS NOT NULL"
        return [(row[0], bytes(row[1])) for row in connection.execute(query).fetchall()]


@pytest.mark.parametrize(("elsewhere", "here"), [(1, 1), (1, 3), (2, 5), (3, 4)])
def test_a_second_history_is_found_and_proven_from_bytes_alone(
    copies: Copies, alice: Vault, tmp_path: Path, elsewhere: int, here: int
) -> None:
    copies.grow(copies.copy, alice, elsewhere, tmp_path / "elsewhere")
    assert copies.witness.size(ORIGIN) == 1 + elsewhere
    databases.point_at(copies.instance)
    publisher = ledger.publisher(tmp_path / "log_key", origin=ORIGIN, policy_file=copies.policy)
    for number in range(here):  # one tree of so many leaves more: no signature in between
        alice.keep(f"here {number}")
        assert publisher.integrate() == 1
    with pytest.raises(ledger.Forked, match="what the witness w1 has cosigned") as found:
        publisher.step(everything=True)
    one, other = Fork.parse(found.value.evidence).check()
    assert (one.size, other.size) == (1 + elsewhere, 1 + here)
    report = verify(found.value.evidence, Trust((copies.key,)))
    assert (report.kind, report.verdict) == ("fork", Verdict.FORKED), report.lines()
    assert evidence(copies.instance) == [(422, found.value.evidence)]
    assert publisher.keys.memory.fork_path(ORIGIN).read_bytes() == found.value.evidence
    assert copies.witness.size(ORIGIN) == 1 + elsewhere, "it cosigned one history only"


def test_nothing_more_is_signed_whoever_starts_again(copies: Copies, alice: Vault, tmp_path: Path) -> None:
    copies.grow(copies.copy, alice, 1, tmp_path / "elsewhere")
    with pytest.raises(ledger.Forked):
        copies.grow(copies.instance, alice, 1, tmp_path)
    alice.keep("tea")
    before = ledger.checkpoint()
    for _ in range(2):
        again = ledger.publisher(tmp_path / "log_key", origin=ORIGIN, policy_file=copies.policy)
        with pytest.raises(ledger.Forked, match="nothing more is signed") as found:
            again.step(everything=True)
        again.integrate()
        with pytest.raises(ledger.Forked):
            again.publish()
        assert Fork.parse(found.value.evidence).check()
    assert ledger.checkpoint() == before, "what was published is served as before"
    assert "everything agrees" in fsck(), "by itself this history is as good as the other"


def test_a_database_of_earlier_days_meets_a_witness_who_saw_more(copies: Copies, alice: Vault, tmp_path: Path) -> None:
    """The memory beside the keys was lost with the disk. The larger checkpoint that our own key signed is evidence."""
    copies.grow(copies.copy, alice, 3, tmp_path / "elsewhere")
    (tmp_path / "log_key.signed").unlink()
    with pytest.raises(ledger.Forked) as found:
        copies.grow(copies.instance, alice, 1, tmp_path)
    checkpoint, note = parse_signed(found.value.evidence)
    assert checkpoint.size == 4 and note.verify([copies.key])
    assert evidence(copies.instance) == [(409, found.value.evidence)]


def test_a_larger_size_without_a_signature_of_ours_is_no_evidence(
    instance: str, key_file: Path, tmp_path: Path, alice: Vault
) -> None:
    """Anybody may say a number, or show another log's checkpoint: it is kept, and the log goes on."""
    with peer("liar") as liar:
        liar.answer = lambda _: Reply(409, b"77\n")
        publisher = ledger.publisher(key_file, origin=ORIGIN, policy_file=policy_file(tmp_path, [liar], "1"))
        for origin, shown in ((ORIGIN, LOG), ("vault.example/log1", LOG)):
            checkpoint = Checkpoint(origin, 77, b"7" * 32)
            signature = shown.sign(checkpoint.text.encode())
            liar.shows = Reply(200, f"{checkpoint.text}\n{signature.line()}".encode())
            alice.keep(origin)
            at_once(publisher)
            assert publisher.step(everything=True)
            assert contradiction(liar.shows.body) is None
        assert any(path.startswith("GET /prefix/") and path.endswith("/checkpoint") for path in liar.paths)
    assert evidence(instance) == []
