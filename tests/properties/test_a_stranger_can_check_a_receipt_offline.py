"""A stranger can check a receipt offline: with the file, the log's public key and no help from whoever runs the vault.

Protects whoever relies on a receipt, an auditor or the holder years later, from having to believe its keeper.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from apps.ledger import services as ledger
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.verdict import Verdict
from apps.memories import services as memories
from tests.cast import Assistant, Vault, give, new_vault
from tests.client.program import PLAIN_PYTHON, WATCHED, run, said
from tests.logs import ORIGIN, bundle_of, check, file_of
from vault.clock import utc_now


@pytest.fixture
def alice(instance: str) -> Vault:
    return new_vault("Alice")


@pytest.fixture
def seq(alice: Vault, cook: Assistant, publisher: ledger.Publisher) -> int:
    """The receipt of a value that Cook was handed, with others before and after it, in the log."""
    give(cook, "kitchen")
    cook.read("kitchen")
    (read,) = alice.receipts(kind="value.read")
    alice.keep("tea")
    publisher.step(everything=True)
    return read.seq


@pytest.fixture
def key(publisher: ledger.Publisher) -> VerifierKey:
    return publisher.keys.verifier(ORIGIN)


def test_with_the_file_the_key_and_a_bare_python(alice: Vault, seq: int, key: VerifierKey, tmp_path: Path) -> None:
    """In a process that has neither our packages nor a network: whatever reaches for a socket ends it."""
    program, receipt = tmp_path / "muniment.pyz", tmp_path / "r.receipt.json"
    program.write_bytes(ledger.program())
    receipt.write_bytes(file_of(alice, seq))
    done = run(program, "verify", "--key", str(key), "--json", receipt, watched=True)
    assert PLAIN_PYTHON in done.stderr.decode() and "addaudithook" in WATCHED
    (report,) = json.loads(said(done))["files"]
    assert (done.returncode, report["verdict"]) == (0, Verdict.IN_LEDGER.value)
    assert f"line {seq} " in report["says"]
    receipt.write_bytes(file_of(alice, seq).replace(b'"category": "ordinary"', b'"category": "health"'))
    assert run(program, "verify", "--key", str(key), receipt).returncode == 1


def members(found: Any, place: str = "") -> list[str]:
    """The places of everything in a file that is not a list or an object, as JSON pointers."""
    if isinstance(found, dict):
        return [each for name, inner in found.items() for each in members(inner, f"{place}/{name}")]
    if isinstance(found, list):
        return [each for index, inner in enumerate(found) for each in members(inner, f"{place}/{index}")]
    return [place]


def changed(data: bytes, place: str) -> bytes:
    """The file with another letter, or number, at one place."""
    found = json.loads(data)
    *way, last = place[1:].split("/")
    inner = found
    for step in way:
        inner = inner[int(step)] if isinstance(inner, list) else inner[step]
    name: Any = int(last) if isinstance(inner, list) else last
    was = inner[name]
    inner[name] = was + 1 if isinstance(was, int) else ("1" if was[:1] == "0" else "0") + was[1:]
    return json.dumps(found).encode()


def test_whatever_is_changed_is_found(alice: Vault, seq: int, key: VerifierKey) -> None:
    data = file_of(alice, seq)
    assert check(data, key).verdict is Verdict.IN_LEDGER
    places = members(json.loads(data))
    assert len(places) > 30
    for place in places:
        report = check(changed(data, place), key)
        passed = report.exit_code == 0
        assert not passed, f"{place} may be changed"
        assert report.findings or place == "/format", f"{place} is not named"


def test_another_receipt_in_its_place_is_found(alice: Vault, seq: int, key: VerifierKey) -> None:
    data, other = json.loads(file_of(alice, seq)), json.loads(file_of(alice, seq - 1))
    for name in ("receipt", "digest", "chain_hash", "previous_chain_hash", "segment", "leaf", "proof"):
        assert check(json.dumps({**data, name: other[name]}).encode(), key).exit_code or data[name] == other[name]


def test_a_receipt_of_another_vault_is_not_of_this_one(alice: Vault, seq: int, key: VerifierKey) -> None:
    """Bob's chain is in the same log: his receipt holds as his, and never as Alice's."""
    bob = new_vault("Bob")
    theirs = json.loads(file_of(bob, 1))
    mine = json.loads(file_of(alice, seq))
    theirs |= {name: mine[name] for name in ("segment", "leaf", "proof", "keys", "limits")}
    theirs.pop("log", None)
    assert check(json.dumps(theirs).encode(), key).verdict is Verdict.ALTERED


def test_without_the_key_it_is_not_said_to_be_in_anybodys_ledger(alice: Vault, seq: int) -> None:
    """Control: whoever makes a file can make a key. A key that came with the file shows nothing about whose it is."""
    assert check(file_of(alice, seq)).verdict is Verdict.NOT_CHECKED


def lines_of(data: bytes) -> tuple[list[bytes], list[int]]:
    """A bundle's lines, and which of them are receipts."""
    lines = data.splitlines(keepends=True)
    return lines, [
        at for at, line in enumerate(lines) if line.startswith(b'{"chain_hash":"') and b'"receipt":{' in line
    ]


def test_a_whole_ledger_is_checked_and_the_line_that_was_touched_is_named(
    alice: Vault, seq: int, key: VerifierKey
) -> None:
    data = bundle_of(alice)
    assert check(data, key).verdict is Verdict.IN_LEDGER
    lines, rows = lines_of(data)
    assert len(rows) == len(alice.receipts())
    at = rows[seq - 1]

    def named(made: list[bytes]) -> list[str]:
        report = check(b"".join(made), key)
        assert report.exit_code == 1
        return [finding.where for finding in report.findings]

    other = lines[at].replace(b'"category":"ordinary"', b'"category":"health"')
    assert str(seq) in named([*lines[:at], other, *lines[at + 1 :]])
    assert str(seq + 1) in named([*lines[:at], *lines[at + 1 :]])
    assert str(seq) in named([*lines[: at + 1], *lines[at:]])
    assert str(seq + 1) in named([*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]])
    assert str(seq) in named(lines[:at])
    bobs, theirs = lines_of(bundle_of(new_vault("Bob")))
    assert named([*lines[: rows[0]], *(bobs[each] for each in theirs), *lines[rows[-1] + 1 :]])


def test_it_holds_after_the_memory_was_put_away_and_the_vault_went_on(
    alice: Vault,
    seq: int,
    key: VerifierKey,
    publisher: ledger.Publisher,
) -> None:
    kept = file_of(alice, seq)
    memories.put_away(alice.holder, alice.ids["kitchen"], utc_now())
    publisher.step(everything=True)
    assert check(kept, key).verdict is check(file_of(alice, seq), key).verdict is Verdict.IN_LEDGER
