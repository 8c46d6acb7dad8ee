"""A log that cannot go on ends in public: another name, an entry that says what was lost, and the hold is lifted."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from apps.ledger import hold, tree
from apps.ledger import services as ledger
from apps.ledger.format.checkpoint import parse_signed
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.merkle import leaf_hashes, root_of
from apps.ledger.format.restored import Restored
from apps.ledger.format.strict import Malformed
from apps.ledger.format.verdict import Trust, Verdict
from apps.ledger.format.verifying import verify
from apps.ledger.hold import OnHold
from tests import databases
from tests.cast import Vault
from tests.ledger_log.conftest import ORIGIN
from tests.ledger_log.test_guard import guard, refuses
from tests.ledger_log.test_the_process import command, environment

NEW = "vault.example/log/2"


@pytest.fixture
def older(
    publisher: ledger.Publisher,
    alice: Vault,
    key_file: Path,
    copied: Callable[[], str],
) -> tuple[str, dict[str, Any]]:
    """The name of a database of an earlier day, in place and on hold; and the file of a receipt that it has, too."""
    publisher.step(everything=True)
    before = ledger.proof(alice.id, alice.holder.actor, 1)
    name = copied()
    alice.keep("tea")
    publisher.step(everything=True)
    databases.point_at(name)
    assert guard(key_file).reasons and before
    return name, before


def begin(key_file: Path, origin: str = NEW) -> Any:
    return ledger.begin_anew(key_file, origin=origin)


def test_stamping_goes_on_and_the_log_says_why_in_public(
    older: tuple[str, dict[str, Any]], alice: Vault, key_file: Path, publisher: ledger.Publisher
) -> None:
    assert refuses(alice)
    here, signed = tree.integrated(), publisher.keys.memory.last()
    assert here and signed
    begun = begin(key_file)
    assert (begun.origin, begun.size) == (NEW, here.size + 1)
    alice.keep("milk")
    going_on = ledger.publisher(key_file, origin="ignored.example/log")
    assert ledger.step(going_on, everything=True)
    note = ledger.checkpoint()
    assert note and note.startswith(NEW.encode())
    bundle = ledger.resource(f"tile/entries/000.p/{begun.size + 1}")
    assert bundle
    (found,) = [entry for entry in _entries(bundle) if entry.startswith(b"muniment-restored/1\n")]
    said = Restored.parse(found)
    assert (said.here, said.signed) == (here, signed)
    assert (said.here.origin, said.here.size, said.signed.size) == (ORIGIN, 1, 2)
    assert parse_signed(note)[0].root == root_of(leaf_hashes(_entries(bundle)))
    report = ledger.check_ledger()
    assert report, report.difference


def test_files_of_both_days_verify_each_under_its_own_name(
    older: tuple[str, dict[str, Any]], alice: Vault, key_file: Path, publisher: ledger.Publisher
) -> None:
    begin(key_file)
    alice.keep("milk")
    ledger.step(ledger.publisher(key_file, origin=NEW), everything=True)
    after = ledger.proof(alice.id, alice.holder.actor, alice.receipts()[-1].seq)
    assert after
    old_key, new_key = publisher.keys.verifier(ORIGIN), publisher.keys.verifier(NEW)
    assert ledger.vkeys() == (str(new_key), str(old_key))
    for file, right, wrong in ((older[1], old_key, new_key), (after, new_key, old_key)):
        data = json.dumps(file).encode()
        assert verify(data, Trust(keys=(right,))).verdict is Verdict.IN_LEDGER
        assert verify(data, Trust(keys=(wrong,))).verdict is Verdict.UNKNOWN_KEY
        assert verify(data, Trust(keys=tuple(map(VerifierKey.parse, ledger.vkeys())))).verdict is Verdict.IN_LEDGER


def test_the_trail_of_the_hold_stays(older: tuple[str, dict[str, Any]], alice: Vault, key_file: Path) -> None:
    evidence = hold.in_force()[0].evidence
    begin(key_file)
    lifted, put = hold.record()
    assert (put.held, put.origin, put.evidence) == (True, ORIGIN, evidence) and evidence
    assert (lifted.held, lifted.origin) == (False, NEW) and NEW in lifted.reason
    assert hold.in_force() == () and ledger.on_hold() is None
    beside = [path.name for path in key_file.parent.glob("log_key.signed.before-*")]
    assert len(beside) == 1 and (key_file.parent / beside[0]).read_bytes() == evidence


def test_what_the_log_that_ended_signed_is_held_against_it_no_more(
    older: tuple[str, dict[str, Any]], alice: Vault, key_file: Path, publisher: ledger.Publisher
) -> None:
    """It is said in public already: whoever brings it again learns nothing new."""
    evidence = hold.in_force()[0].evidence
    assert evidence
    begin(key_file)
    ledger.suspect(evidence)
    assert guard(key_file) == ledger.Guarded((), ())
    assert hold.in_force() == ()


def test_a_crash_between_the_entry_and_its_signature_puts_nothing_on_hold(
    older: tuple[str, dict[str, Any]], alice: Vault, key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*given: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(ledger.Publisher, "publish", crash)
    with pytest.raises(KeyboardInterrupt):
        begin(key_file)
    monkeypatch.undo()
    assert guard(key_file) == ledger.Guarded((), ())
    alice.keep("milk")
    assert ledger.step(ledger.publisher(key_file, origin=NEW), everything=True)
    assert (note := ledger.checkpoint()) and note.startswith(NEW.encode())


def test_a_backup_from_before_it_began_anew_is_held_again(
    older: tuple[str, dict[str, Any]],
    alice: Vault,
    key_file: Path,
    instance: str,
    admin: psycopg.Connection[Any],
) -> None:
    begin(key_file)
    databases.point_at(instance)
    assert guard(key_file).reasons, "the other database has never heard of the name that was signed last"
    assert refuses(alice)
    begun = begin(key_file, "vault.example/log/3")
    assert ledger.checkpoint() and begun.origin == "vault.example/log/3"
    alice.keep("milk")


@pytest.mark.parametrize("origin", [ORIGIN, "", "two words", "a+b", "x" * 300, "line\nline"])
def test_a_name_that_was_used_or_is_none_changes_nothing(
    older: tuple[str, dict[str, Any]], alice: Vault, key_file: Path, origin: str
) -> None:
    before = tree.integrated()
    with pytest.raises(ledger.LogProblem):
        begin(key_file, origin)
    assert tree.integrated() == before and hold.in_force()


def test_without_a_hold_nothing_begins_anew(publisher: ledger.Publisher, alice: Vault, key_file: Path) -> None:
    publisher.step(everything=True)
    with pytest.raises(ledger.LogProblem, match="not on hold"):
        begin(key_file)


def test_the_process_goes_on_by_itself_and_the_command_says_what_is_next(
    older: tuple[str, dict[str, Any]], alice: Vault, key_file: Path
) -> None:
    env = environment(older[0], key_file)
    refused = command("restored", "--origin", ORIGIN, env=env)
    assert refused.returncode == 1 and "choose another" in refused.stderr and len(refused.stderr.splitlines()) == 1
    done = command("restored", "--origin", NEW, env=env)
    assert (done.returncode, done.stderr) == (0, "") and f"goes on as {NEW}" in done.stdout
    alice.keep("milk")
    assert command("publish_log", "--once", env=env).returncode == 0
    assert (note := ledger.checkpoint()) and note.startswith(NEW.encode())
    with pytest.raises(ledger.LogProblem):
        begin(key_file, "vault.example/log/3")


@pytest.mark.parametrize(
    "entry",
    [
        b"muniment-restored/2\nx\n1\n" + b"0" * 64 + b"\n1\n" + b"0" * 64 + b"\n",
        b"muniment-restored/1\nx\n01\n" + b"0" * 64 + b"\n1\n" + b"0" * 64 + b"\n",
        b"muniment-restored/1\nx\n1\n" + b"A" * 64 + b"\n1\n" + b"0" * 64 + b"\n",
        b"muniment-restored/1\nx\n1\n" + b"0" * 64 + b"\n",
        b"muniment-restored/1\n\n1\n" + b"0" * 64 + b"\n1\n" + b"0" * 64 + b"\n",
    ],
)
def test_an_entry_has_one_spelling(entry: bytes) -> None:
    with pytest.raises(Malformed):
        Restored.parse(entry)


def _entries(bundle: bytes) -> list[bytes]:
    from apps.ledger.format.tiles import decode_bundle

    width, at = 0, 0
    while at < len(bundle):
        at += 2 + int.from_bytes(bundle[at : at + 2], "big")
        width += 1
    return decode_bundle(bundle, width)


def test_the_instance_stays_on_hold_until_then(older: tuple[str, dict[str, Any]], key_file: Path) -> None:
    with pytest.raises(OnHold):
        ledger.refuse_on_hold()
