"""A turn of the vault's own chat as a log of events: their bytes, digests and chain, and what its receipts bind.

docs/receipt-format.md §8 specifies it. `key` is everywhere the turn's digest key of 32 bytes: with it every event can
be checked, and without it none can be guessed. What was asked, sent and answered stands in the events' bodies.
"""

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .encoding import next_hash

EVENT_VERSION = "muniment-event/1"
TURN_VERSION = "muniment-turn/2"
FIRST_TURN_VERSION = "muniment-turn/1"  # of turns from before there were events: five facts under the turn's own key


@dataclass(frozen=True, slots=True)
class TurnEvent:
    """One event. `at` is UTC as a receipt writes it, `body` what happened, by its kind; the hashes are 32 bytes."""

    turn: str
    n: int
    kind: str
    at: str
    body: Mapping[str, Any]
    digest: bytes
    chain_hash: bytes

    def canonical(self) -> bytes:
        """The bytes that the digest is of."""
        return event_bytes(self.turn, self.n, self.kind, self.at, self.body)


def jcs(found: Any) -> bytes:
    """The RFC 8785 bytes of JSON whose member names are ASCII and whose numbers are whole. Raises ValueError."""
    return json.dumps(found, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def event_bytes(turn: str, n: int, kind: str, at: str, body: Mapping[str, Any]) -> bytes:
    """An event's canonical bytes; `turn` is a typed id, `n` counts from 1."""
    return jcs({"v": EVENT_VERSION, "turn": turn, "n": n, "kind": kind, "at": at, "body": dict(body)})


def turn_digest(key: bytes, about: str, text: bytes) -> bytes:
    """HMAC-SHA256 of what `about` says it is: `question`, `prompt`, `response`, an event or the facts of a turn."""
    return hmac.digest(key, about.encode() + b"\n" + text, hashlib.sha256)


def turn_genesis(vault: str, turn: str) -> bytes:
    """What stands before a turn's first event; both are named by their typed ids."""
    return hashlib.sha256(f"muniment-turn-chain/1\n{vault}\n{turn}\n".encode()).digest()


def made_event(
    key: bytes, turn: str, previous: bytes, n: int, kind: str, at: str, body: Mapping[str, Any]
) -> TurnEvent:
    """The event with its digest and chain hash, after the one whose chain hash is `previous`."""
    digest = turn_digest(key, EVENT_VERSION, event_bytes(turn, n, kind, at, body))
    return TurnEvent(turn, n, kind, at, body, digest, next_hash(previous, digest))


def turn_facts(key: bytes, events: Iterable[TurnEvent]) -> dict[str, Any]:
    """What a turn's receipt binds, from the turn's events up to its act; at least one."""
    facts: dict[str, Any] = {
        "v": TURN_VERSION,
        "question": "-",
        "prompts": [],
        "offered": [],
        "handed_over": [],
        "response": "-",
        "model": "-",
        "parameters": {},
    }
    for event in events:
        body = event.body
        facts |= {"turn": event.turn, "events": event.n, "head": event.chain_hash.hex()}
        if event.kind == "asked":
            facts["question"] = turn_digest(key, "question", body["question"].encode()).hex()
        elif event.kind == "prompt":
            facts["prompts"].append(turn_digest(key, "prompt", body["sent"].encode()).hex())
        elif event.kind == "offered":
            facts["offered"] = body["memories"]
        elif event.kind == "handed_over":
            names = ("memory", "seq", "commitment", "digest", "chain_hash")
            facts["handed_over"].append({name: body[name] for name in names})
        elif event.kind == "answered":
            facts["response"] = turn_digest(key, "response", body["text"].encode()).hex()
            facts |= {"model": body["model"], "parameters": body["parameters"]}
    return facts


def turn_commitment(key: bytes, facts: Mapping[str, Any]) -> bytes:
    """The commitment that a turn's receipt carries to its facts: 32 bytes."""
    return turn_digest(key, TURN_VERSION, jcs(dict(facts)))


def first_turn_commitment(key: bytes, facts: Mapping[str, str]) -> bytes:
    """The same of a turn of `muniment-turn/1`, whose facts are five texts; `key` is then the turn's own key."""
    return turn_digest(key, "turn", "\n".join(f"{name} {facts[name]}" for name in sorted(facts)).encode())
