"""A peer's side of bench/erasing.py, run by a Python that has it: seconds to forget one of 97 subjects, one by one.

    python bench/_forgets.py <held> <rounds>

Fills a store on disk with so many memories, all of known subjects, then prints what each forgetting takes. It keeps
receipts, as ours does; it is filled in memory and saved once, before what counts.
"""

import os
import sys
import tempfile
import time

SUBJECTS = 97


def text(number: int) -> str:
    return f"Fact {number}, of subject {number % SUBJECTS}: a sentence of a hundred characters or more, as facts are."


held, rounds = map(int, sys.argv[1:3])
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    from inspeximus import Inspeximus

    store = Inspeximus(path=f"{folder}/store", receipts=True)
    saves = ("_save", "_save_rows_retrying", "_flush_receipts")
    for each in saves:
        setattr(store, each, lambda *_, **__: None)
    for number in range(held):
        store.remember(text(number), source={"doc": f"subject-{number % SUBJECTS}"})
    for each in saves:
        delattr(store, each)
    store.flush()
    for round_ in range(rounds):
        began = time.perf_counter()
        done = store.forget_subject(f"subject-{round_}")
        took = time.perf_counter() - began
        assert done["erased"] >= held // SUBJECTS, done
        print(took, flush=True)
    sys.stdout.flush()
    os._exit(0)  # a client of theirs complains while the interpreter ends
