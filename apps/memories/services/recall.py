"""Finding memories: by the words of a question, and keeping the index that finds them."""

import secrets
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from apps.ledger.log import act, reading
from apps.memories import gate, prints, store
from apps.memories.services.offering import facts
from apps.policy.plans import index_plan
from apps.policy.vocabulary import ReceiptKind


def search(vault_id: UUID, actor: str, question: str, limit: int) -> tuple[tuple[UUID, float], ...]:
    """Ordinary approved memories that share words with the question: ids and ranks, best first.

    Attested ones by their labels alone, before the others; of the others by label and value.
    """
    with reading(vault_id, actor):
        key = store.vault_key(vault_id)
        asked = store.question_terms(key, question) if key else []
        attested = store.labelled_like(vault_id, question)
    found = gate.search(vault_id, actor, asked, limit) if asked else ()
    return (*((memory_id, 0.0) for memory_id in attested), *found)[:limit]


def due_for_index(limit: int) -> dict[UUID, list[UUID]]:
    """Memories that search has lost (as after a crash) or never had, by vault."""
    found: dict[UUID, list[UUID]] = {}
    for vault_id, memory_id in store.due("index", limit):
        found.setdefault(vault_id, []).append(memory_id)
    return found


def read_anew(vault_id: UUID | None) -> int:
    """Let the clock index a vault's memories anew (None: all vaults'), as it does after a crash; until then search goes
    on with what it has. Returns how many memories.
    """
    return store.read_anew(vault_id)


def forget_handles() -> int:
    """Forget what makes a repeated hand-over harmless once it is a day old: sent again then, it is a new one."""
    return store.forget_handles()


def rebuild_index(vault_id: UUID, ids: Sequence[UUID], now: datetime) -> int:
    """Index memories again, and print anew what is read for it: words may be made otherwise by now. The indexer is a
    reader like any other: its look is stamped `value.indexed`.

    Returns how many memories were indexed. Raises where the vault's key does not open, before anything is stamped.
    """
    actor = "sys_index"
    with reading(vault_id, actor):
        store.vault_key(vault_id)
    wanted = facts(vault_id, actor, ids)
    plan = index_plan(wanted)
    values: dict[tuple[UUID, int], str | None] = {}
    if plan.items:
        handle = secrets.token_bytes(32)
        if gate.stamp(vault_id, actor, actor, handle, plan, handle.hex()).outcome != "stamped":
            return 0
        values = {(each.memory_id, each.version): each.value for each in gate.take(vault_id, actor, actor, handle)}
    with act(vault_id, actor) as indexing:
        key = store.vault_key_for_writing(indexing, now)
        current = {each.memory_id: each for each in store.memories(vault_id, ids)}
        done = [each for each in wanted if current.get(each.memory_id) == each]
        for each in done:
            store.index(indexing, key, each, values.get((each.memory_id, each.version)))
        read = {each: value for each in done if (value := values.get((each.memory_id, each.version))) is not None}
        prints.put_anew(indexing, key, [(each.memory_id, each.version, value) for each, value in read.items()])
        if not done:
            indexing.cancel()
            return 0
        indexing.record(ReceiptKind.MEMORY_INDEXED)
    return len(done)
