"""What erasing memories leaves of their rows: ids, times, and nothing that says what they were. A part of the store.

Set by set, however many they are: an erasure is one transaction, and everybody else of the vault waits for it.
"""

import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.ledger import log
from apps.ledger.log import Act
from apps.memories import linked
from apps.memories.models import TombstoneRow
from apps.policy.types import Memory
from apps.policy.vocabulary import NEUTRAL_LABELS

# What is left in a row of what it said: the same whether some memories go or a whole vault. Where, is said below.
_LABELS = json.dumps({category.value: label for category, label in NEUTRAL_LABELS.items()})
_MEMORY_BLANK = """
UPDATE memory
   SET state = 'erased', subject = '', label = '', neutral_label = coalesce(%(labels)s::jsonb->>category, ''),
       as_of = NULL, source = '', reopened_at = NULL, told_at = NULL, merged_into = NULL, holds_from = NULL,
       holds_until = NULL, updated_at = %(now)s
"""
_VERSION_BLANK = """
UPDATE memory_version
   SET label = '', why = '', as_of = NULL, source = '', valid_from = '', valid_to = '', holds_from = NULL,
       holds_until = NULL, ended_as = CASE WHEN ended_as = 'waiting' THEN 'cancelled' ELSE ended_as END
"""
_PROPOSAL_BLANK = """
UPDATE proposal p
   SET subject = '', label = '', rationale = '', reason = '', candidate = '{}', evidence = '[]', marks = '[]',
       as_of = NULL, unnoticed = NULL, fingerprint = uuid_send(p.proposal_id),
       status = CASE WHEN p.status = 'pending' THEN 'withdrawn' ELSE p.status END
"""
_TOMBSTONES = """
INSERT INTO tombstone (vault_id, memory_id, order_id, at, hidden)
  SELECT vault_id, memory_id, %(order)s, %(now)s, state = 'sealed-from-guardians' FROM memory
   WHERE vault_id = %(vault)s AND
"""
_FORGET = """
WITH about AS (
  SELECT proposal_id FROM proposal WHERE vault_id = %(vault)s AND memory_id = ANY(%(ids)s)
  UNION SELECT proposal_id FROM proposal WHERE vault_id = %(vault)s AND target_id = ANY(%(ids)s)
  UNION SELECT proposal_id FROM proposal WHERE vault_id = %(vault)s AND outcome_id = ANY(%(ids)s)
  UNION SELECT proposal_id FROM proposal WHERE vault_id = %(vault)s AND candidate->>'other' = ANY(%(texts)s)
  UNION SELECT proposal_id FROM proposal WHERE vault_id = %(vault)s AND proposal_id = ANY(%(suggested)s)
), was AS (
  SELECT p.proposal_id, p.memory_id, p.status, p.made_at FROM proposal p JOIN about USING (proposal_id)
   WHERE p.vault_id = %(vault)s
), blanked AS (
  BLANK, decided_at = CASE WHEN p.status = 'pending' THEN %(now)s ELSE p.decided_at END
    FROM about WHERE p.vault_id = %(vault)s AND p.proposal_id = about.proposal_id
)
SELECT proposal_id, memory_id, status = 'pending' FROM was ORDER BY made_at, proposal_id
""".replace("BLANK", _PROPOSAL_BLANK)
_BLANK = f"{_MEMORY_BLANK} WHERE vault_id = %(vault)s AND memory_id = ANY(%(ids)s)"
_PAST = """
WITH blanked AS (
  BLANK WHERE vault_id = %(vault)s AND memory_id = ANY(%(ids)s) RETURNING 1
) SELECT count(*) FROM blanked
""".replace("BLANK", _VERSION_BLANK)
_UNLINK = """
WITH mine AS (
  SELECT edge_id FROM edge WHERE vault_id = %(vault)s AND from_id = ANY(%(ids)s)
  UNION SELECT edge_id FROM edge WHERE vault_id = %(vault)s AND to_id = ANY(%(ids)s)
)
UPDATE edge e
   SET ended_at = coalesce(e.ended_at, %(now)s), valid_from = '', valid_to = '',
       ended_by = CASE WHEN e.ended_at IS NULL THEN %(actor)s ELSE e.ended_by END
  FROM mine WHERE e.vault_id = %(vault)s AND e.edge_id = mine.edge_id
RETURNING e.kind, e.to_id
"""
_MADE_FROM = """
WITH RECURSIVE down(id, via) AS (
  SELECT e.from_id, e.to_id FROM edge e
   WHERE e.vault_id = %(vault)s AND e.kind = 'derived_from' AND e.to_id = ANY(%(ids)s)
  UNION SELECT e.from_id, e.to_id FROM down JOIN edge e
    ON e.vault_id = %(vault)s AND e.kind = 'derived_from' AND e.to_id = down.id
)
SELECT DISTINCT m.memory_id FROM down JOIN memory m ON m.vault_id = %(vault)s AND m.memory_id = down.id
 WHERE m.state <> 'erased' AND NOT m.memory_id = ANY(%(ids)s)
"""
_MERGED_INTO = """
WITH RECURSIVE down(id) AS (
  SELECT memory_id FROM memory WHERE vault_id = %(vault)s AND merged_into = ANY(%(ids)s)
  UNION SELECT m.memory_id FROM down JOIN memory m ON m.vault_id = %(vault)s AND m.merged_into = down.id
)
SELECT id FROM down WHERE NOT id = ANY(%(ids)s)
"""
_ALIKE = """
SELECT DISTINCT o.memory_id FROM value_print p JOIN value_print o ON o.vault_id = p.vault_id AND o.whole = p.whole
  JOIN memory m ON m.vault_id = o.vault_id AND m.memory_id = o.memory_id AND m.state <> 'erased'
 WHERE p.vault_id = %(vault)s AND p.memory_id = ANY(%(ids)s) AND NOT o.memory_id = ANY(%(ids)s)
"""
_SUGGESTED_BY = """
SELECT client_id, array_agg(DISTINCT outcome_id) FROM proposal
 WHERE vault_id = %(vault)s AND client_id = ANY(%(ids)s) AND status = 'approved' AND outcome_id IS NOT NULL
 GROUP BY client_id
"""
_SUGGESTED_FROM = "SELECT proposal_id FROM proposal WHERE vault_id = %(vault)s AND lineage && %(ids)s AND label <> ''"


# How many rows of a whole vault still say something: counted before any is blanked, by the places of a certificate.
_WHOLE_COUNTED = """
SELECT (SELECT count(*) FROM memory WHERE vault_id = %(vault)s AND state <> 'erased'),
       (SELECT count(*) FROM memory_version WHERE vault_id = %(vault)s AND label <> ''),
       (SELECT count(*) FROM proposal WHERE vault_id = %(vault)s AND (status = 'pending' OR subject <> '' OR label <> ''
          OR rationale <> '' OR reason <> '' OR candidate <> '{}')),
       (SELECT count(*) FROM edge WHERE vault_id = %(vault)s
          AND (ended_at IS NULL OR valid_from <> '' OR valid_to <> '')),
       (SELECT count(*) FROM entity WHERE vault_id = %(vault)s AND name <> '')
"""
_WHOLE = (
    f"{_TOMBSTONES} state <> 'erased'",
    f"{_MEMORY_BLANK} WHERE vault_id = %(vault)s AND state <> 'erased'",
    f"{_VERSION_BLANK} WHERE vault_id = %(vault)s",
    f"{_PROPOSAL_BLANK}, decided_at = coalesce(p.decided_at, %(now)s) WHERE p.vault_id = %(vault)s",
    "UPDATE edge SET ended_at = coalesce(ended_at, %(now)s), valid_from = '', valid_to = '' WHERE vault_id = %(vault)s",
    "UPDATE entity SET name = '' WHERE vault_id = %(vault)s",
)


@dataclass(frozen=True, slots=True)
class Gone:
    """What an erasure took: the candidates that were suggested about it, the proposals that waited (oldest first), and
    how many rows in which place.
    """

    waiting: tuple[UUID, ...]
    counts: Counter[str]


@dataclass(frozen=True, slots=True)
class Made:
    """What else holds something of these memories: what was made from them, what was merged into them, and what was
    suggested from them and still has its words.
    """

    derived: frozenset[UUID]
    merged: frozenset[UUID]
    suggested: frozenset[UUID]


def erase(
    act: Act, memories: Sequence[Memory], order_id: UUID, now: datetime, suggested: Collection[UUID] = ()
) -> Gone:
    """Destroy what memories say: keys, seals, prints, index; every word of their rows and of what was suggested about
    them, or in these `suggested` proposals; the names of whom they alone were about. A tombstone each is left.
    """
    vault, ids = act.vault_id, [each.memory_id for each in memories]
    asked: dict[str, Any] = {"vault": vault, "ids": ids, "texts": list(map(str, ids)), "suggested": list(suggested)}
    asked |= {"now": now, "actor": act.actor, "order": order_id, "labels": _LABELS}
    act.settle()
    forgotten, edges = log.within([(_FORGET, asked), (_UNLINK, asked)])
    candidates = {candidate for _, candidate, _ in forgotten} | set(ids)
    writes: list[tuple[str, Any]] = [
        ("SELECT gate.shred_many(%s, %s, %s)", [vault, act.ticket, list(candidates)]),
        (_PAST, asked),
        (f"{_TOMBSTONES} memory_id = ANY(%(ids)s)", asked),
        (_BLANK, asked),
    ]
    ((shredded,),), ((versions,),), *_ = log.within(writes)
    unnamed = linked.forget_names(act, [to for kind, to in edges if kind == "about"], now)
    return Gone(
        tuple(proposal_id for proposal_id, _, waited in forgotten if waited),
        Counter(
            json.loads(shredded)
            | {"memories": len(ids), "versions": versions, "proposals": len(forgotten)}
            | {"links": len(edges), "names": unnamed}
        ),
    )


def made_of(vault_id: UUID, memory_ids: Collection[UUID]) -> Made:
    """What else holds something of these, however far down; of what is left."""
    asked = {"vault": vault_id, "ids": list(memory_ids)}
    found = log.within([(query, asked) for query in (_MADE_FROM, _MERGED_INTO, _SUGGESTED_FROM)])
    return Made(*(frozenset(row[0] for row in rows) for rows in found))


@dataclass(frozen=True, slots=True)
class Staying:
    """How many memories stay when others go: what was made from these or merged into them (`kept`), and others of which
    some version says exactly what some version of these says.
    """

    kept: int
    still_held: int


def staying(vault_id: UUID, memory_ids: Collection[UUID]) -> Staying:
    """What of the whole vault stays when these go, whoever orders it: asked before they do."""
    made = made_of(vault_id, memory_ids)
    kept = made.derived | made.merged
    return Staying(len(kept), len(alike(vault_id, memory_ids) - kept))


def alike(vault_id: UUID, memory_ids: Collection[UUID]) -> frozenset[UUID]:
    """Other memories of which some version says exactly what some version of these says."""
    (rows,) = log.within([(_ALIKE, {"vault": vault_id, "ids": list(memory_ids)})])
    return frozenset(row[0] for row in rows)


def suggested_by(vault_id: UUID, clients: Collection[UUID]) -> dict[UUID, frozenset[UUID]]:
    """What became of the suggestions of these clients that were approved: memories by client."""
    (rows,) = log.within([(_SUGGESTED_BY, {"vault": vault_id, "ids": list(clients)})])
    return {client_id: frozenset(outcomes) for client_id, outcomes in rows}


def hidden(vault_id: UUID) -> frozenset[UUID]:
    """The memories that were sealed from guardians when they were erased."""
    rows = TombstoneRow.objects.filter(vault_id=vault_id, hidden=True)
    return frozenset(rows.values_list("memory_id", flat=True))


def hidden_orders(vault_id: UUID) -> tuple[UUID, ...]:
    """The orders by which nothing went but what was sealed from guardians."""
    rows = TombstoneRow.objects.filter(vault_id=vault_id)
    orders = rows.filter(hidden=True).values("order_id")
    seen = rows.filter(order_id__in=orders, hidden=False).values("order_id")
    return tuple(rows.filter(order_id__in=orders).exclude(order_id__in=seen).values_list("order_id", flat=True))


def told_next(vault_id: UUID, order_id: UUID, told: int, limit: int) -> tuple[UUID, ...]:
    """The next of an order's memories whose receipts are due, when so many have theirs."""
    query = (
        "SELECT memory_id FROM tombstone WHERE vault_id = %s AND order_id = %s ORDER BY memory_id OFFSET %s LIMIT %s"
    )
    (rows,) = log.within([(query, [vault_id, order_id, told, limit])])
    return tuple(row[0] for row in rows)


def end(act: Act, order_id: UUID, now: datetime) -> Counter[str]:
    """Destroy everything that a vault keeps, its own keys first. Returns how many rows went from which place."""
    asked = {"vault": act.vault_id, "order": order_id, "now": now, "labels": _LABELS}
    act.settle()
    ended = ("SELECT gate.end_vault(%s, %s)", [act.vault_id, act.ticket])
    (said,), ((shredded,),), *_ = log.within([(_WHOLE_COUNTED, asked), ended, *((each, asked) for each in _WHOLE)])
    places = ("memories", "versions", "proposals", "links", "names")
    return Counter(json.loads(shredded) | dict(zip(places, said, strict=True)))
