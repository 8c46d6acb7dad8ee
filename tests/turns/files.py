"""Conversations as files: made over a published log, taken apart and put together again."""

import hashlib
import hmac
import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

from apps.ledger.format.verdict import Report, Trust
from apps.ledger.format.verifying import verify
from apps.turns import services as turns
from tests.cast import Vault

Line = dict[str, Any]


def exported(vault: Vault, turn_id: UUID | None = None, *, content: bool = True) -> bytes:
    """The bytes of the file."""
    made = turns.conversation_file(vault.holder, turn_id, content=content)
    assert made is not None
    return b"".join(made.parts)


def lines_of(data: bytes) -> list[Line]:
    return [json.loads(line) for line in data.splitlines()]


def bytes_of(lines: list[Line]) -> bytes:
    """As the format writes them (RFC 8785), with nothing of ours."""
    return b"".join(
        json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" for line in lines
    )


def changed(data: bytes, change: Callable[[list[Line]], object]) -> Report:
    """The report on the file after a change of its lines."""
    lines = lines_of(data)
    change(lines)
    return verify(bytes_of(lines), Trust())


def told_again(lines: list[Line]) -> None:
    """What somebody who has the file and its keys can do: give every event the digest and chain hash it would have."""
    key, chain_hash, vault = b"", b"", lines[0]["vault"]
    for line in lines:
        if "turn" in line:
            key = bytes.fromhex(line["turn"]["key"])
            chain_hash = hashlib.sha256(f"muniment-turn-chain/1\n{vault}\n{line['turn']['turn']}\n".encode()).digest()
        if "event" in line:
            digest = hmac.digest(key, b"muniment-event/1\n" + bytes_of([line["event"]])[:-1], hashlib.sha256)
            chain_hash = hashlib.sha256(chain_hash + digest).digest()
            line |= {"digest": digest.hex(), "chain_hash": chain_hash.hex()}


def made_up(lines: list[Line]) -> list[Line]:
    """What anybody can do to a file without keys: its last events cut off, and others invented, one chain."""
    at = [number for number, line in enumerate(lines) if "event" in line]
    turn, vault = lines[at[0]]["event"]["turn"], lines[0]["vault"]
    chain_hash, events = hashlib.sha256(f"muniment-turn-chain/1\n{vault}\n{turn}\n".encode()).digest(), []
    for number in range(1, 4):
        digest = hashlib.sha256(b"made up %d" % number).digest()
        chain_hash = hashlib.sha256(chain_hash + digest).digest()
        event = {"n": number, "turn": turn}
        events.append({"event": event, "digest": digest.hex(), "chain_hash": chain_hash.hex()})
    return [*lines[: at[0]], *events, *lines[at[-1] + 1 :]]
