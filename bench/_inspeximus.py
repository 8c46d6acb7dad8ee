"""The peer's side of bench/bundle.py, run by a Python that has inspeximus: seconds to build and to verify a bundle.

    python bench/_inspeximus.py <records> <repetitions>

Prints two numbers a line. The store is in memory, so that no file is written meanwhile; receipts are on, unsigned.
"""

import sys
import time

from inspeximus import Inspeximus
from inspeximus.audit_bundle import build_bundle, verify_bundle

records, repetitions = map(int, sys.argv[1:])
store = Inspeximus(path=None, receipts=True)
for number in range(records):
    store.remember(
        f"Fact {number}, of subject {number % 97}: a sentence of a hundred characters or a few more, as facts are."
    )
for _ in range(repetitions):
    started = time.perf_counter()
    bundle = build_bundle(store)
    between = time.perf_counter()
    verdict = verify_bundle(bundle)
    ended = time.perf_counter()
    assert verdict["ok"] and len(bundle["write_chain"]) == records, verdict["problems"]
    print(between - started, ended - between, flush=True)
