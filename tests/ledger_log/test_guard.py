"""A database of an earlier day is put on hold before anything is stamped; one with nothing held against it is not."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.test import Client

from apps.console.management import log
from apps.ledger import hold, signing, tree
from apps.ledger import services as ledger
from apps.ledger.format.checkpoint import Checkpoint
from apps.ledger.format.fork import Fork
from apps.ledger.hold import OnHold
from tests import databases
from tests.cast import Vault
from tests.ledger_log.conftest import ORIGIN
from tests.ledger_log.test_cosigning import policy_file
from tests.ledger_log.test_the_process import command, environment
from tests.peers.witness import witness


def guard(key_file: Path, policy: str = "") -> ledger.Guarded:
    return ledger.guard(key_file, origin=ORIGIN, policy_file=policy)


def stamped() -> int:
    with databases.connect("postgres") as admin:
        row = admin.execute("SELECT count(*) FROM receipt").fetchone()
        assert row
        return int(row[0])


def refuses(vault: Vault) -> bool:
    """Nothing is stamped in this database: not one receipt more."""
    before = stamped()
    with pytest.raises(OnHold):
        vault.keep("tea")
    return stamped() == before


# ---------------------------------------------------------------- evidence
def test_an_older_database_is_held_by_what_was_last_signed(
    publisher: ledger.Publisher, alice: Vault, key_file: Path, copied: Callable[[], str]
) -> None:
    publisher.step(everything=True)
    older = copied()
    alice.keep("tea")
    publisher.step(everything=True)
    databases.point_at(older)
    found = guard(key_file)
    assert len(found.reasons) == 1 and "does not continue the tree of 2 leaves" in found.reasons[0]
    assert str(publisher.keys.memory.path) in found.reasons[0]
    assert refuses(alice)
    assert guard(key_file).reasons == found.reasons, "asked again, nothing is put twice"
    assert len(hold.record()) == 1
    assert publisher.keys.memory.fork_path(ORIGIN).read_bytes() == publisher.keys.memory.note(), "kept beside the key"


def test_one_from_before_the_log_began_is_held_too(
    instance: str, alice: Vault, key_file: Path, copied: Callable[[], str]
) -> None:
    older = copied()
    ledger.publisher(key_file, origin=ORIGIN).step(everything=True)
    databases.point_at(older)
    assert "it has no log" in guard(key_file).reasons[0]
    assert refuses(alice)


def test_it_is_held_by_what_a_witness_has_cosigned(
    publisher: ledger.Publisher, alice: Vault, key_file: Path, copied: Callable[[], str], tmp_path: Path
) -> None:
    """The memory beside the key is lost with the machine; the witness's is elsewhere."""
    publisher.step(everything=True)
    older = copied()
    with witness("w1", tmp_path / "w1", publisher.keys.verifier(ORIGIN)) as real:
        policy = policy_file(tmp_path, [real], "1")
        alice.keep("tea")
        asking = ledger.publisher(key_file, origin=ORIGIN, policy_file=policy)
        asking.step(everything=True)
        asking.cosign(settle=True)
        assert real.size(ORIGIN) == 2
        publisher.keys.memory.path.unlink()
        databases.point_at(older)
        found = guard(key_file, policy)
    assert len(found.reasons) == 1 and "the witness w1 has cosigned" in found.reasons[0]
    assert refuses(alice)


def test_it_is_held_by_a_file_that_somebody_brings(
    publisher: ledger.Publisher, alice: Vault, key_file: Path, copied: Callable[[], str]
) -> None:
    """The web process only leaves the checkpoint to the log's process, which judges it at its next step."""
    publisher.step(everything=True)
    older = copied()
    alice.keep("tea")
    publisher.step(everything=True)
    note = ledger.checkpoint()
    assert note
    publisher.keys.memory.path.unlink()
    databases.point_at(older)
    going_on = ledger.publisher(key_file, origin=ORIGIN)
    ledger.suspect(note)
    alice.keep("milk")
    with pytest.raises(OnHold, match="in a file that somebody brought"):
        ledger.step(going_on, everything=True)
    assert hold.suspected() == ()
    assert refuses(alice)
    assert (held := ledger.on_hold()) and held.evidence and not held.proven
    assert going_on.keys.memory.fork_path(ORIGIN).read_bytes() == held.evidence


def test_the_running_process_puts_it_at_its_next_step(
    publisher: ledger.Publisher, alice: Vault, copied: Callable[[], str]
) -> None:
    """A database that is restored under a running instance."""
    publisher.step(everything=True)
    older = copied()
    alice.keep("tea")
    publisher.step(everything=True)
    databases.point_at(older)
    with pytest.raises(OnHold, match="does not continue"):
        ledger.step(publisher, everything=True)
    assert refuses(alice)
    with pytest.raises(OnHold):
        ledger.step(publisher, everything=True)


def test_the_right_database_put_back_is_not_held(
    publisher: ledger.Publisher, alice: Vault, instance: str, key_file: Path, copied: Callable[[], str]
) -> None:
    publisher.step(everything=True)
    older = copied()
    alice.keep("tea")
    publisher.step(everything=True)
    databases.point_at(older)
    assert guard(key_file).reasons
    databases.point_at(instance)
    assert guard(key_file) == ledger.Guarded((), ())
    alice.keep("milk")
    assert ledger.step(publisher, everything=True)


@pytest.fixture
def forked(
    publisher: ledger.Publisher, alice: Vault, instance: str, key_file: Path, copied: Callable[[], str], tmp_path: Path
) -> bytes:
    """The right database is in place, and this is what a copy of it has signed with a copy of its keys: a restore was
    tried, and the copy was started."""
    publisher.step(everything=True)
    copy = copied()
    (tmp_path / "drill").mkdir()
    shutil.copy(key_file, tmp_path / "drill" / "log_key")
    databases.point_at(copy)
    alice.keep("tried")
    ledger.publisher(tmp_path / "drill" / "log_key", origin=ORIGIN).step(everything=True)
    note = ledger.checkpoint()
    databases.point_at(instance)
    alice.keep("tea")
    publisher.step(everything=True)
    assert note
    return note


def test_a_copy_that_has_signed_is_not_called_an_earlier_day(
    forked: bytes, publisher: ledger.Publisher, alice: Vault, instance: str, key_file: Path, tmp_path: Path
) -> None:
    ledger.suspect(forked)
    found = guard(key_file)
    assert len(found.reasons) == 1 and found.proven and refuses(alice)
    assert "Another copy has signed with this log's keys" in found.reasons[0] and "earlier day" not in found.reasons[0]
    proof = publisher.keys.memory.fork_path(ORIGIN)
    assert [each.size for each in Fork.parse(proof.read_bytes()).check()] == [2, 2]
    said = command("guard", env=environment(instance, key_file))
    assert said.returncode == 3 and "Find the copy" in said.stdout and "later database" not in said.stdout
    written = command("guard", "--evidence", str(tmp_path / "out"), env=environment(instance, key_file))
    assert (written.returncode, written.stdout) == (0, f"{tmp_path / 'out' / 'hold-1.fork.json'}\n")
    assert (tmp_path / "out" / "hold-1.fork.json").read_bytes() == proof.read_bytes()
    assert ledger.begin_anew(key_file, origin="vault.example/log/2").size == 3
    assert guard(key_file) == ledger.Guarded((), ())
    alice.keep("milk")


def test_a_proof_beside_the_key_is_held_against_every_database_before_it_stamps(
    forked: bytes, publisher: ledger.Publisher, alice: Vault, key_file: Path, copied: Callable[[], str]
) -> None:
    clean = copied()
    ledger.suspect(forked)
    assert guard(key_file).proven
    databases.point_at(clean)
    found = guard(key_file)
    assert found.proven and str(publisher.keys.memory.fork_path(ORIGIN)) in found.reasons[0]
    assert refuses(alice)


def test_a_hold_is_put_though_nothing_can_be_written_beside_the_key(
    forked: bytes, publisher: ledger.Publisher, alice: Vault, key_file: Path
) -> None:
    publisher.keys.memory.path.with_name(f"{publisher.keys.memory.path.name}.lock").unlink()
    publisher.keys.memory.path.with_name(f"{publisher.keys.memory.path.name}.lock").mkdir()
    ledger.suspect(forked)
    found = guard(key_file)
    assert found.proven and "guard --evidence FOLDER writes it out" in found.warnings[0]
    assert refuses(alice)


# ---------------------------------------------------------------- no false alarm
def test_nothing_is_held_against_an_instance_that_begins(instance: str, key_file: Path, alice: Vault) -> None:
    assert guard(key_file) == ledger.Guarded((), ())
    assert not key_file.exists(), "the guard makes no keys"
    made = ledger.publisher(key_file, origin=ORIGIN)
    assert guard(key_file) == ledger.Guarded((), ())
    made.step(everything=True)
    assert guard(key_file) == ledger.Guarded((), ())
    made.keys.memory.path.unlink()
    assert guard(key_file).reasons == (), "a memory that is lost is no evidence"


def test_what_nobody_can_say_is_said_loudly_and_holds_nothing(
    publisher: ledger.Publisher, alice: Vault, instance: str, key_file: Path, tmp_path: Path
) -> None:
    """A restore without the folder of the keys: neither the memory nor a witness, and then not the key either."""
    publisher.step(everything=True)
    publisher.keys.memory.path.rename(tmp_path / "signed")
    (newest,) = guard(key_file).warnings
    assert "Whether this is the newest database nobody can say" in newest and ledger.doubts() == (newest,)
    key_file.rename(tmp_path / "away")
    gone, newest = guard(key_file).warnings
    assert "keys" in gone and "are gone" in gone
    said = command("guard", env=environment(instance, key_file))
    assert said.returncode == 0 and said.stderr.count("warning: ") == 2
    assert "as far as anybody could be asked: it may stamp" in said.stdout
    assert Client().get("/readyz").json()["log"] == "in doubt"
    assert [each.says for each in log.doubts()] == list(ledger.doubts()) and len(ledger.doubts()) == 2
    alice.keep("tea")
    (tmp_path / "away").rename(key_file)
    (tmp_path / "signed").rename(publisher.keys.memory.path)
    assert guard(key_file) == ledger.Guarded((), ()) and ledger.doubts() == ()
    assert "log" not in Client().get("/readyz").json()


def test_a_witness_that_knows_the_log_leaves_nothing_in_doubt(
    publisher: ledger.Publisher, alice: Vault, key_file: Path, tmp_path: Path
) -> None:
    with witness("w1", tmp_path / "w1", publisher.keys.verifier(ORIGIN)) as real:
        policy = policy_file(tmp_path, [real], "1")
        asking = ledger.publisher(key_file, origin=ORIGIN, policy_file=policy)
        asking.step(everything=True)
        asking.cosign(settle=True)
        asking.keys.memory.path.unlink()
        assert guard(key_file, policy) == ledger.Guarded((), ())
    assert len(guard(key_file, policy).warnings) == 2, "it does not answer, and nobody else can say"


def test_nothing_is_held_between_the_signature_and_its_storing(
    publisher: ledger.Publisher, alice: Vault, key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*given: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tree, "add_checkpoint", crash)
    with pytest.raises(KeyboardInterrupt):
        publisher.step(everything=True)
    monkeypatch.undo()
    assert publisher.keys.memory.last() and not ledger.checkpoint()
    assert guard(key_file) == ledger.Guarded((), ())
    note = publisher.keys.memory.note()
    assert note
    ledger.suspect(note)
    assert ledger.step(publisher, everything=True)
    assert not hold.record()


def test_two_processes_and_a_new_key_are_no_evidence(publisher: ledger.Publisher, alice: Vault, key_file: Path) -> None:
    publisher.step(everything=True)
    other = ledger.publisher(key_file, origin=ORIGIN)
    alice.keep("tea")
    other.step(everything=True)
    ledger.step(publisher, everything=True)
    key_file.write_text(f"{signing.FILE_VERSION}\npseudonyms {'1' * 64}\nsigning {'2' * 64}\n")
    assert guard(key_file) == ledger.Guarded((), ())
    ledger.publisher(key_file, origin=ORIGIN, new_key=True)
    assert guard(key_file) == ledger.Guarded((), ())


def test_with_no_witness_reachable_it_starts_and_warns(
    publisher: ledger.Publisher, alice: Vault, key_file: Path, tmp_path: Path
) -> None:
    with witness("w1", tmp_path / "w1", publisher.keys.verifier(ORIGIN)) as real:
        policy = policy_file(tmp_path, [real], "1")
    found = guard(key_file, policy)
    assert found.reasons == () and len(found.warnings) == 1 and "w1 could not be asked" in found.warnings[0]
    alice.keep("tea")


@pytest.mark.parametrize("note", [b"", b"nonsense", b"x/log\n1\nAAAA\n\n\xe2\x80\x94 x/log AAAA\n"])
def test_what_no_key_of_the_log_signed_is_not_even_kept(publisher: ledger.Publisher, note: bytes) -> None:
    ledger.suspect(note)
    assert hold.suspected() == ()


def test_a_forged_or_foreign_checkpoint_holds_nothing(
    publisher: ledger.Publisher, alice: Vault, tmp_path: Path, log_role: psycopg.Connection[Any]
) -> None:
    publisher.step(everything=True)
    thief = signing.load(tmp_path / "thief", make=True)
    forged = thief.sign(Checkpoint(ORIGIN, 99, b"9" * 32))
    elsewhere = publisher.keys.sign(Checkpoint("copy.example/log", 99, b"9" * 32))
    for note in (forged, elsewhere):
        ledger.suspect(note)
    assert hold.suspected() == ()
    assert hold.suspect(forged) and hold.suspect(elsewhere), "put there by a web process that was taken over"
    assert ledger.step(publisher, everything=True) is None
    assert (hold.suspected(), hold.record()) == ((), ())


def test_what_somebody_brings_has_an_end(instance: str) -> None:
    done = [hold.suspect(f"note {number}".encode()) for number in range(105)]
    assert (done.count(True), done.count(False)) == (100, 5)
    assert not hold.suspect(b"x" * 100_001)


# ---------------------------------------------------------------- the command
def test_the_command_says_what_to_do_and_exits_with_3(
    publisher: ledger.Publisher, alice: Vault, instance: str, key_file: Path, copied: Callable[[], str]
) -> None:
    publisher.step(everything=True)
    fine = command("guard", env=environment(instance, key_file))
    assert (fine.returncode, fine.stderr) == (0, "") and "it may stamp" in fine.stdout
    older = copied()
    alice.keep("tea")
    publisher.step(everything=True)
    held = command("guard", env=environment(older, key_file))
    assert held.returncode == 3 and held.stderr == ""
    assert "manage.py restored --origin" in held.stdout and "stop Muniment, put it in place" in held.stdout
    once = command("publish_log", "--once", env=environment(older, key_file))
    assert once.returncode == 1 and "does not continue" in once.stderr and len(once.stderr.splitlines()) == 1


def test_a_key_that_the_older_database_does_not_know_hides_nothing(
    publisher: ledger.Publisher, alice: Vault, key_file: Path, copied: Callable[[], str]
) -> None:
    """Signed with a newer key, and the memory lost: the key in the file still knows its own signature."""
    publisher.step(everything=True)
    older = copied()
    key_file.write_text(f"{signing.FILE_VERSION}\npseudonyms {'1' * 64}\nsigning {'2' * 64}\n")
    renewed = ledger.publisher(key_file, origin=ORIGIN, new_key=True)
    alice.keep("tea")
    renewed.step(everything=True)
    note = renewed.keys.memory.note()
    renewed.keys.memory.path.unlink()
    databases.point_at(older)
    assert note and hold.suspect(note)
    assert guard(key_file).reasons
    with pytest.raises(OnHold):
        ledger.refuse_on_hold()
