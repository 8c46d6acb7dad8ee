"""Rows of memories, as facts; and the closing of seals. Nothing here returns a value."""

import json
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db import connections
from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet
from psycopg import sql

from apps.ledger.log import Act, within
from apps.ledger.pipeline import Rows
from apps.memories import epochs, prints, sealing, terms, versions, waiting
from apps.memories.keys import VaultKey
from apps.memories.models import MemoryRow
from apps.memories.versions import NO_LINE, Line
from apps.memories.waiting import CLOCK
from apps.policy.erasing import Where
from apps.policy.types import Memory
from apps.policy.vocabulary import Category, Claim, Ended, Kind, ProposalStatus, State

_MEMORY = (
    "memory_id",
    "subject",
    "label",
    "neutral_label",
    "category",
    "attested",
    "claim",
    "version",
    "state",
    "as_of",
    "source",
    "updated_at",
    "kind",
    "weight",
    "local_only",
    "reopened_at",
    "merged_into",
    "made_at",
    "settled_at",
    "holds_until",
)
_HOLDS = (
    "(holds_from IS NULL OR holds_from <= statement_timestamp())"
    " AND (holds_until IS NULL OR holds_until > statement_timestamp())"
)
_FACTS = (
    sql.SQL("SELECT {}, {} FROM memory WHERE vault_id = %s AND memory_id = ANY(%s) AND state <> 'erased'")
    .format(sql.SQL(", ").join(map(sql.SQL, _MEMORY)), sql.SQL(_HOLDS))
    .as_string(None)
)
_UNDER = _FACTS.replace("memory_id = ANY(%s)", "subject = ANY(%s)") + " ORDER BY updated_at DESC, memory_id"
_IS_HOLDING = ExpressionWrapper(
    (Q(holds_from=None) | Q(holds_from__lte=CLOCK)) & (Q(holds_until=None) | Q(holds_until__gt=CLOCK)),
    output_field=BooleanField(),
)


# ---------------------------------------------------------------- reading
def memories(
    vault_id: UUID, ids: Iterable[UUID] | None = None, categories: Iterable[Category] = ()
) -> tuple[Memory, ...]:
    """The vault's memories by subject (or those of `ids`, and of whole `categories`), in every state but erased."""
    rows = MemoryRow.objects.filter(vault_id=vault_id).exclude(state=State.ERASED.value)
    if ids is not None:
        rows = rows.filter(Q(memory_id__in=list(ids)) | Q(category__in=[each.value for each in categories]))
    return _memories(rows.order_by("subject", "memory_id"))


def memories_under(vault_id: UUID, where: Where) -> tuple[Memory, ...]:
    """The memories under these subjects, of these categories and sources, that were made then; not the erased."""
    rows = MemoryRow.objects.filter(vault_id=vault_id).exclude(state=State.ERASED.value)
    if where.subjects:
        below = (Q(subject__startswith=f"{each}.") for each in where.subjects) if where.below else ()
        rows = rows.filter(reduce(or_, below, Q(subject__in=where.subjects)))
    if where.categories:
        rows = rows.filter(category__in=[each.value for each in where.categories])
    if where.sources:
        rows = rows.filter(source__in=where.sources)
    if where.made_before is not None:
        rows = rows.filter(made_at__lt=where.made_before)
    if where.made_after is not None:
        rows = rows.filter(made_at__gte=where.made_after)
    return tuple(memory_fact(row) for row in rows.order_by("subject", "memory_id").values_list(*_MEMORY))


def sealed(vault_id: UUID) -> frozenset[UUID]:
    """The memories that are sealed from guardians."""
    rows = MemoryRow.objects.filter(vault_id=vault_id, state=State.SEALED.value)
    return frozenset(rows.values_list("memory_id", flat=True))


def reopened(vault_id: UUID) -> tuple[Memory, ...]:
    """What waits for the holder to look at again, the longest first."""
    rows = MemoryRow.objects.filter(vault_id=vault_id, state=State.APPROVED.value, reopened_at__isnull=False)
    return _memories(rows.order_by("reopened_at", "memory_id"))


def memory(vault_id: UUID, memory_id: UUID) -> Memory | None:
    """One memory; None for an unknown or erased id."""
    return next(iter(memories(vault_id, [memory_id])), None)


def tombstones(vault_id: UUID, ids: Collection[UUID]) -> tuple[Memory, ...]:
    """What is left of the rows of erased memories, by id."""
    rows = MemoryRow.objects.filter(vault_id=vault_id, memory_id__in=list(ids), state=State.ERASED.value)
    return _memories(rows.order_by("memory_id"))


def _memories(rows: QuerySet[MemoryRow]) -> tuple[Memory, ...]:
    return tuple(map(memory_fact, rows.annotate(holds=_IS_HOLDING).values_list(*_MEMORY, "holds")))


def memory_fact(row: Sequence[Any]) -> Memory:
    """A fact from a row's columns in the order of `facts_query`."""
    values = list(row)
    values[4], values[8] = Category(values[4]), State(values[8])
    values[6] = Claim(values[6]) if values[6] else None
    values[12] = Kind(values[12])
    return Memory(*values)


def facts_query(vault_id: UUID, ids: Sequence[object], which: str = "") -> tuple[str, list[object]]:
    """What `memory_fact` reads: SQL and parameters for the memories of `ids`, or of the array that `which` makes."""
    return (_FACTS.replace("ANY(%s)", f"ANY({which})"), [vault_id, *ids]) if which else (_FACTS, [vault_id, list(ids)])


def under(vault_id: UUID, *subjects: str) -> tuple[Memory, ...]:
    """The memories under these subjects, whatever their state but erased; the living, of which each has one, first."""
    return told_under(*within([asking_under(vault_id, *subjects)]))


def asking_under(vault_id: UUID, *subjects: str) -> tuple[str, list[object]]:
    """The query behind `under`, for an act to ask as it opens; `told_under` reads its rows."""
    return _UNDER, [vault_id, list(subjects)]


def told_under(rows: Rows) -> tuple[Memory, ...]:
    """The memories under some subjects, from the rows of `asking_under`."""
    return tuple(sorted(map(memory_fact, rows), key=lambda each: each.state is not State.APPROVED))


def subjects_like(vault_id: UUID, subject: str) -> frozenset[str]:
    """The living memories' subjects that begin so."""
    rows = MemoryRow.objects.filter(vault_id=vault_id, subject__startswith=subject, state=State.APPROVED.value)
    return frozenset(rows.values_list("subject", flat=True))


def vault_key(vault_id: UUID, epoch: int | None = None) -> VaultKey | None:
    """The vault's key (of an epoch, else the newest) in clear; None before the first seal. Within a look or an act."""
    return epochs.told_key(vault_id, *within([epochs.asking_key(vault_id, epoch)]))


# ---------------------------------------------------------------- writing
def vault_key_for_writing(act: Act, now: datetime) -> VaultKey:
    """The vault's key; made at the first seal, under the head lock, so that there is only one."""
    return vault_key(act.vault_id) or epochs.make(act, now)


def add(act: Act, memory: Memory, now: datetime, line: Line = NO_LINE) -> None:
    """The label side of a new memory and its first line of history."""
    add_many(act, [(memory, line)], now)


def add_many(act: Act, new: Sequence[tuple[Memory, Line]], now: datetime) -> None:
    """`add` of many, in two statements."""
    act.insert(*(_row(act, memory, now, line) for memory, line in new))
    versions.write_many(act, [(memory, line, None) for memory, line in new], now)


def _row(act: Act, memory: Memory, now: datetime, line: Line) -> MemoryRow:
    return MemoryRow(
        vault_id=act.vault_id,
        memory_id=memory.memory_id,
        subject=memory.subject,
        label=memory.label,
        neutral_label=memory.neutral_label,
        category=memory.category.value,
        attested=memory.attested,
        claim=memory.claim.value if memory.claim else None,
        version=memory.version,
        state=memory.state.value,
        as_of=memory.as_of,
        source=memory.source,
        kind=memory.kind.value,
        weight=memory.weight,
        local_only=memory.local_only,
        holds_from=line.from_later(now),
        holds_until=line.holds_until,
        made_at=now,
        updated_at=now,
    )


def supersede(act: Act, memory: Memory, now: datetime, ended: Ended, line: Line) -> None:
    """Retire the version that holds, as `wrong` or `changed`, and make this one current."""
    versions.retire(act, memory.memory_id, now, ended)
    MemoryRow.objects.filter(vault_id=act.vault_id, memory_id=memory.memory_id).update(
        label=memory.label,
        neutral_label=memory.neutral_label,
        category=memory.category.value,
        version=memory.version,
        as_of=memory.as_of,
        source=memory.source,
        reopened_at=None,
        settled_at=now,
        holds_from=line.from_later(now),
        holds_until=waiting.until(act, memory.memory_id, line.holds_until),
        updated_at=now,
    )
    versions.write(act, memory, now, line)


def set_state(act: Act, memory_id: UUID, state: State, now: datetime) -> None:
    """Put a memory away, or back."""
    MemoryRow.objects.filter(vault_id=act.vault_id, memory_id=memory_id).update(state=state.value, updated_at=now)


def set_subject(act: Act, memory_id: UUID, subject: str, now: datetime) -> None:
    """Put a memory under another subject."""
    MemoryRow.objects.filter(vault_id=act.vault_id, memory_id=memory_id).update(subject=subject, updated_at=now)


def set_marks(act: Act, memory: Memory, now: datetime) -> None:
    """Its kind, its weight, and whether it stays local."""
    MemoryRow.objects.filter(vault_id=act.vault_id, memory_id=memory.memory_id).update(
        kind=memory.kind.value, weight=memory.weight, local_only=memory.local_only, updated_at=now
    )


def touch(act: Act, memory_id: UUID, now: datetime) -> None:
    """Its history is richer."""
    MemoryRow.objects.filter(vault_id=act.vault_id, memory_id=memory_id).update(updated_at=now)


def affirm(act: Act, memory_id: UUID, now: datetime) -> None:
    """The holder said that it holds."""
    rows = MemoryRow.objects.filter(vault_id=act.vault_id, memory_id=memory_id)
    rows.update(updated_at=now, settled_at=now)


def set_reopened(act: Act, memory_id: UUID, at: datetime, *, told: datetime | None = None) -> bool:
    """Open a memory for the holder to look at again. False where it is open, is not approved, or was settled since
    they were `told` that it does not hold.
    """
    rows = MemoryRow.objects.filter(
        Q(settled_at=None) | Q(settled_at__lt=told or at),
        vault_id=act.vault_id,
        memory_id=memory_id,
        state=State.APPROVED.value,
        reopened_at=None,
    )
    return rows.update(reopened_at=at) == 1


def settle(act: Act, memory_id: UUID, now: datetime) -> bool:
    """It stays as it is: what was said against it until now opens it no more. False where it is not open."""
    rows = MemoryRow.objects.filter(vault_id=act.vault_id, memory_id=memory_id, reopened_at__isnull=False)
    return rows.update(reopened_at=None, settled_at=now) == 1


def put(act: Act, key: VaultKey, memory: Memory, value: str) -> None:
    """Seal a version's value and keep its print. Write-only: nothing on this side can read it back."""
    put_many(act, key, [(memory, value)])


def put_many(act: Act, key: VaultKey, new: Sequence[tuple[Memory, str]]) -> None:
    """`put` of many, in two statements."""
    prints.put_many(act, key, [(each.memory_id, each.version, value) for each, value in new])
    seals = [
        sealing.seal(act.vault_id, key, each.memory_id, each.version, each.category.value, each.attested, value)
        for each, value in new
    ]
    act.later(
        "SELECT gate.put_many(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
        [
            act.vault_id,
            act.ticket,
            [each.memory_id for each, _ in new],
            [each.version for each, _ in new],
            [each.category.value for each, _ in new],
            [each.attested for each, _ in new],
            [each.nonce for each in seals],
            [each.ciphertext for each in seals],
            [each.commitment for each in seals],
            [each.epoch for each in seals],
            [each.wrapped for each in seals],
        ],
    )


def index(act: Act, key: VaultKey, memory: Memory, value: str | None) -> None:
    """Replace what search holds of a memory: the words of its label, subject and value.

    A special category, and an attested memory (it is found by its label, see `labelled_like`), leave nothing there. Nor
    does one whose value is not at hand (None): where it is searched for at all, the clock finds it missing and reads
    it.
    """
    index_many(act, key, [(memory, value)])


def index_many(act: Act, key: VaultKey, memories: Sequence[tuple[Memory, str | None]]) -> None:
    """`index` of many, in one statement."""
    documents = []
    for each, value in memories:
        kept = value is not None and not each.category.special and not each.attested
        found, frequencies = terms.document(key.index_key, _named(each), value or "") if kept else ([], [])
        version = each.version if value is not None else 0  # of no memory's: no document is kept
        documents.append({"m": str(each.memory_id), "v": version, "t": found, "f": frequencies})
    act.later("SELECT gate.index_many(%s, %s, %s::jsonb)", [act.vault_id, act.ticket, json.dumps(documents)])


def stage(act: Act, key: VaultKey, memory: Memory, value: str, unlike: Iterable[bytes] = ()) -> None:
    """`put` of a candidate, or of what is new and as plain; and what search will hold of it once it is kept as it is
    (`index_approved`): no search finds it there. The act ends only where no proposal is known by one of `unlike`
    already, see `alike.never_said`: this goes before its own row.
    """
    made = sealing.seal(act.vault_id, key, memory.memory_id, 1, memory.category.value, memory.attested, value)
    found, frequencies = terms.document(key.index_key, _named(memory), value)
    sealed = [made.nonce, made.ciphertext, made.commitment, made.epoch, made.wrapped]
    act.later(
        "SELECT gate.stage(%s, %s, %s::bytea[], %s, %s, %s, %s, %s, %s, %s::bigint[], %s::smallint[])",
        [act.vault_id, act.ticket, list(unlike), memory.memory_id, *sealed, found, frequencies],
    )
    prints.put_many(act, key, [(memory.memory_id, 1, value)])


def index_approved(act: Act, memory_ids: Collection[UUID]) -> None:
    """Let search find memories that were candidates, as they were proposed; of others it forgets what it had kept."""
    act.later("SELECT gate.index_approved(%s, %s, %s)", [act.vault_id, act.ticket, list(memory_ids)])


def shred(act: Act, *memory_ids: UUID) -> None:
    """Destroy every version, its key first: what was sealed is gone."""
    if memory_ids:
        act.later("SELECT gate.shred_many(%s, %s, %s)", [act.vault_id, act.ticket, list(memory_ids)])


def withdraw_pending(act: Act, client_id: UUID, now: datetime) -> dict[UUID, UUID]:
    """Take back what a client still has pending: the proposals, oldest first, and the memory each would have become."""
    pending = (
        "WITH taken AS (UPDATE proposal SET status = %s, decided_at = %s, decided_by = %s, unnoticed = NULL"
        " WHERE vault_id = %s AND client_id = %s AND status = %s RETURNING proposal_id, memory_id, made_at)"
        " SELECT proposal_id, memory_id FROM taken ORDER BY made_at, proposal_id"
    )
    was, is_now = ProposalStatus.PENDING.value, ProposalStatus.WITHDRAWN.value
    with connections["default"].cursor() as cursor:
        cursor.execute(pending, [is_now, now, act.actor, act.vault_id, client_id, was])
        return dict(cursor.fetchall())


def due(kind: str, limit: int) -> tuple[tuple[UUID, UUID], ...]:
    """What waits across vaults: (vault, id) pairs and nothing else. Kinds: request, grant-expired, grant-lapsed,
    proposal, unnoticed, index.
    """
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT vault_id, object_id FROM gate.due(%s, %s)", [kind, limit])
        return tuple(cursor.fetchall())


def forget_handles() -> int:
    """Forget the handles of stamps of more than a day ago. Returns how many."""
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT gate.forget_handles()")
        return int(cursor.fetchone()[0])


def read_anew(vault_id: UUID | None) -> int:
    """Name what search holds of a vault (None: of all) as due, though it is there. Returns how many memories' it is."""
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT gate.index_anew(%s)", [vault_id])
        return int(cursor.fetchone()[0])


def fingerprint(key: VaultKey, *parts: str) -> bytes:
    """Recognises the same words again without holding them."""
    return bytes.fromhex(sealing.keyed_digest(key.index_key, "muniment-proposal/1", "\x1f".join(parts)))


def labelled_like(vault_id: UUID, question: str) -> tuple[UUID, ...]:
    """Attested memories whose label or subject shares a word with the question. Their values are never searched."""
    rows = MemoryRow.objects.filter(vault_id=vault_id, attested=True, category=Category.ORDINARY.value)
    found = _memories(rows.filter(state=State.APPROVED.value).order_by("subject"))
    asked = set(terms.words(question))
    return tuple(each.memory_id for each in found if asked & set(terms.words(_named(each))))


def _named(memory: Memory) -> str:
    return f"{memory.label} {memory.subject.replace('.', ' ')}"


def question_terms(key: VaultKey, question: str) -> list[int]:
    """A question's words as the vault's index knows them."""
    return terms.keyed(key.index_key, terms.words(question))
