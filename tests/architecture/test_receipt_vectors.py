"""docs/receipt-format.md's vectors: its own lines print them, and Muniment's code makes the same bytes."""

import hashlib
import hmac
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from apps.ledger.format import encoding
from apps.ledger.format.turn import (
    TurnEvent,
    first_turn_commitment,
    made_event,
    turn_commitment,
    turn_facts,
    turn_genesis,
)
from apps.memories import sealing
from apps.memories.keys import VaultKey

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def vectors() -> Any:
    return json.loads((DOCS / "vectors" / "receipts.json").read_text(encoding="utf-8"))


def test_the_document_s_lines_print_the_vectors(vectors: Any) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / "receipt-format.md").read_text(encoding="utf-8"), re.DOTALL)
    printed = subprocess.run([sys.executable, "-I", "-c", blocks[-1]], capture_output=True, text=True, check=True)
    assert json.loads(printed.stdout) == vectors


def test_the_bytes_digests_and_chain_are_the_code_s(vectors: Any) -> None:
    lines = []
    for each in vectors["chain"]:
        body, text = json.loads(each["canonical"]), each["canonical"].encode()
        assert encoding.canonical(body) == text
        assert encoding.digest_of(body) == hashlib.sha256(each["canonical"].encode()).digest()
        lines.append(
            encoding.Line(each["canonical"].encode(), bytes.fromhex(each["digest"]), bytes.fromhex(each["chain_hash"]))
        )
    head = (len(lines), lines[-1].chain_hash)
    assert encoding.verify_chain(lines, vectors["vault"], head) == (4, [])


def test_the_value_s_commitment_is_the_seal_s(vectors: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    told = vectors["value"]
    secret = bytes.fromhex(told["key"])
    monkeypatch.setattr(sealing.os, "urandom", lambda size: secret[:size])
    key = VaultKey(1, secret, secret)
    seal = sealing.seal(UUID(vectors["vault"]), key, UUID(told["memory"]), 1, "ordinary", False, told["text"])
    assert seal.commitment.hex() == told["commitment"] == json.loads(vectors["chain"][2]["canonical"])["commitment"]


def test_a_turn_s_events_and_commitments_are_the_code_s(vectors: Any) -> None:
    told = vectors["turn"]
    key, chain_hash = sealing.turn_digest_key(bytes.fromhex(told["key"])), b""
    assert key.hex() == told["digest_key"]
    events: list[TurnEvent] = []
    for each in told["events"]:
        said = json.loads(each["canonical"])
        chain_hash = chain_hash or turn_genesis("vlt_" + vectors["vault"].replace("-", ""), said["turn"])
        event = made_event(key, said["turn"], chain_hash, said["n"], said["kind"], said["at"], said["body"])
        assert event.canonical() == each["canonical"].encode()
        assert (event.digest.hex(), event.chain_hash.hex()) == (each["digest"], each["chain_hash"])
        chain_hash = event.chain_hash
        events.append(event)
    for name, upto, seq in (("asked", 2, 2), ("answered", len(events), 4)):
        facts = turn_facts(key, events[:upto])
        assert facts == told[name]["facts"]
        assert turn_commitment(key, facts).hex() == told[name]["commitment"]
        assert told[name]["commitment"] == json.loads(vectors["chain"][seq - 1]["canonical"])["commitment"]


def test_a_turn_s_from_before_there_were_events_too(vectors: Any) -> None:
    told = vectors["first_turn"]
    secret = bytes.fromhex(told["key"])
    for name, text in told["texts"].items():
        assert sealing.keyed_digest(secret, name, text) == told["facts"][name]
    assert first_turn_commitment(secret, told["facts"]).hex() == told["commitment"]
    bound = "\n".join(f"{name} {told['facts'][name]}" for name in sorted(told["facts"]))
    assert hmac.new(secret, f"turn\n{bound}".encode(), hashlib.sha256).hexdigest() == told["commitment"]


@pytest.mark.parametrize("seq", [1, 2, 3, 4])
def test_one_changed_byte_breaks_the_chain(vectors: Any, seq: int) -> None:
    lines = []
    for number, each in enumerate(vectors["chain"], start=1):
        text = each["canonical"].encode()
        if number == seq:
            text = text.replace(b"_0", b"_1", 1)
        lines.append(encoding.Line(text, bytes.fromhex(each["digest"]), bytes.fromhex(each["chain_hash"])))
    problems = encoding.verify_chain(lines, vectors["vault"])[1]
    assert {problem.seq for problem in problems if problem.what == "digest"} == {seq}
