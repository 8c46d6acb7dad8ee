"""A peer's side of bench/writing.py, run by a Python that has it: durable writes a second, one by one.

    python bench/_writes.py inspeximus|mem0 <held> <writes> <rounds>

Fills a store on disk with so many memories, then prints the rate of each round of writes. inspeximus keeps receipts, as
ours does; it saves everything at each write, so it is filled in memory and saved once, before the writes that count.
mem0 infers nothing, and its embeddings cost it nothing: they are all one vector.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import count, islice


def text(number: int) -> str:
    return f"Fact {number}, of subject {number % 97}: a sentence of a hundred characters or a few more, as facts are."


def inspeximus(folder: str, held: int) -> Callable[[int], object]:
    from inspeximus import Inspeximus

    store = Inspeximus(path=f"{folder}/store", receipts=True)
    saves = ("_save", "_save_rows_retrying", "_flush_receipts")
    for each in saves:
        setattr(store, each, lambda *_, **__: None)
    for number in range(held):
        store.remember(text(number))
    for each in saves:
        delattr(store, each)
    store.flush()
    return lambda number: store.remember(text(number))


class Free:
    """Embeddings that take no time."""

    def embed(self, _: str, __: object = None) -> list[float]:
        return [1.0] * 8

    def embed_batch(self, texts: list[str], _: object = None) -> list[list[float]]:
        return [[1.0] * 8 for _ in texts]


def mem0(folder: str, held: int) -> Callable[[int], object]:
    os.environ |= {"MEM0_TELEMETRY": "False", "OPENAI_API_KEY": "none", "MEM0_DIR": folder}
    from mem0 import Memory

    vectors = {"path": f"{folder}/vectors", "on_disk": True, "embedding_model_dims": 8, "collection_name": "bench"}
    settings = {"vector_store": {"provider": "qdrant", "config": vectors}, "history_db_path": f"{folder}/history.db"}
    store = Memory.from_config(settings)
    store.embedding_model = Free()
    for number in range(held):
        store.add(text(number), user_id="bench", infer=False)
    return lambda number: store.add(text(number), user_id="bench", infer=False)


held, writes, rounds = map(int, sys.argv[2:5])
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    write = {"inspeximus": inspeximus, "mem0": mem0}[sys.argv[1]](folder, held)
    numbers = count(held)
    for _ in range(rounds):
        began = time.perf_counter()
        for number in islice(numbers, writes):
            write(number)
        print(writes / (time.perf_counter() - began), flush=True)
    sys.stdout.flush()
    os._exit(0)  # a client of theirs complains while the interpreter ends
