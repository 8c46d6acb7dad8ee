"""What it costs to change a vault's key, for whom it makes wait, and to write tables anew."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from apps.erasure import services as erasure
from apps.ledger.ids import new_id
from apps.ledger.log import act
from apps.memories import services as memories
from apps.memories import store
from apps.memories.services import rotating
from apps.memories.versions import NO_LINE
from apps.policy.types import Holder, Memory
from apps.policy.vocabulary import Category, ReceiptKind, State
from bench.consent import scene
from bench.registry import Samples, bench
from bench.writing import text
from vault.clock import utc_now

ROUNDS = 3


@cache
def sealed(count: int, which: int = 1) -> Holder:
    """The first, second … holder with so many memories, each really sealed, with its print."""
    holder = scene().holder
    for start in range(0, count, 1000):
        now = utc_now()
        with act(holder.vault_id, holder.actor) as filling:
            new = [(_memory(start + n), text()) for n in range(1000)]
            store.add_many(filling, [(memory, NO_LINE) for memory, _ in new], now)
            store.put_many(filling, store.vault_key_for_writing(filling, now), new)
            filling.record(ReceiptKind.MEMORY_ADDED)
    return holder


def _memory(number: int) -> Memory:
    return Memory(
        memory_id=new_id(),
        subject=f"sealed.n{number}",
        label=f"Note {number}",
        neutral_label="",
        category=Category.ORDINARY,
        attested=False,
        claim=None,
        version=1,
        state=State.APPROVED,
        as_of=None,
        source="holder",
        updated_at=utc_now(),
    )


@bench("rotate_10k_waits_s", unit="s", better="lower", must=5.0, goal=1.0)
def rotation_waits() -> Samples:
    """How long whoever writes to a vault of 10,000 memories waits while its key is changed."""
    holder, held, whole = sealed(10_000), [], []
    honest = rotating.act

    @contextmanager
    def timed(*given: object, **more: object) -> Iterator[object]:
        began = time.perf_counter()
        with honest(*given, **more) as doing:
            yield doing
        held.append(time.perf_counter() - began)

    rotating.act = timed
    try:
        for _ in range(ROUNDS):
            began = time.perf_counter()
            assert memories.rotate(holder.vault_id, utc_now())
            whole.append(time.perf_counter() - began)
    finally:
        rotating.act = honest
    return Samples(held, f"of {sum(whole) / len(whole):.1f} s for the whole of it")


@bench("reclaim_20k_s", unit="s", better="lower", must=2.0, goal=0.5)
def reclaiming() -> Samples:
    """How long the table of keys is closed to readers when 20,000 wrapped keys are written anew."""
    sealed(10_000), sealed(10_000, 2)
    found = []
    for _ in range(ROUNDS):
        each = {done.relation: done for done in erasure.reclaim(utc_now(), everything=True)}
        found.append(each["sealed.key"].seconds)
    return Samples(found, f"{each['sealed.key'].after // 2**20} MB with its index")
