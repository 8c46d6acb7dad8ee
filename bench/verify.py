"""Checking a vault's chain against the hashing alone that it cannot do without."""

import hashlib
import os
import time
from functools import cache
from uuid import uuid4

from apps.ledger.format.encoding import FIELDS, VERSION, Line, canonical, genesis, next_hash, verify_chain
from bench.registry import bench

RECEIPTS, REPETITIONS = 100_000, 5
VAULT = str(uuid4())


@cache
def export() -> tuple[list[Line], list[bytes]]:
    """A chain of receipts of values read, and their canonical bytes."""
    lines, texts, previous = [], [], genesis(VAULT)
    client, grant, request = uuid4().hex, uuid4().hex, uuid4().hex
    for seq in range(1, RECEIPTS + 1):
        if seq % 10 == 0:
            grant, request = uuid4().hex, uuid4().hex
        body: dict[str, str | int] = dict.fromkeys(FIELDS, "-") | {
            "v": VERSION,
            "vault": "vlt_" + VAULT.replace("-", ""),
            "seq": seq,
            "time": f"2026-01-01T{seq // 3600:02d}:{seq // 60 % 60:02d}:{seq % 60:02d}.{seq:06d}Z",
            "kind": "value.read",
            "actor": f"cli_{client}",
            "recipient": f"cli_{client}",
            "object": f"gra_{grant}",
            "memory": f"mem_{uuid4().hex}",
            "version": 1,
            "category": "ordinary",
            "form": "value",
            "request": f"req_{request}",
            "purpose": "answer",
            "commitment": os.urandom(32).hex(),
            "salt": os.urandom(16).hex(),
        }
        texts.append(canonical(body))
        digest = hashlib.sha256(texts[-1]).digest()
        previous = next_hash(previous, digest)
        lines.append(Line(texts[-1], digest, previous))
    return lines, texts


@bench("verify_vs_hashlib", "ratio", "higher", must=0.40, goal=0.70)
def verify_vs_hashlib() -> list[float]:
    """Bare SHA-256 over ready bytes, and over the chain, ÷ the whole check of 100,000 exported receipts.

    In processor time of this thread, so that a neighbour's work does not count.
    """
    lines, texts = export()
    samples = []
    for _ in range(REPETITIONS):
        started = time.thread_time()
        previous = genesis(VAULT)
        for text in texts:
            previous = hashlib.sha256(previous + hashlib.sha256(text).digest()).digest()
        between = time.thread_time()
        verdict = verify_chain(lines, VAULT, (RECEIPTS, previous))
        ended = time.thread_time()
        assert verdict == (RECEIPTS, [])
        samples.append((between - started) / (ended - between))
    return samples
