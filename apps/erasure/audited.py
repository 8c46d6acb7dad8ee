"""What rows tell of what was erased, and of what may have been made from it: ids and numbers, within a look."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.ledger import log
from apps.ledger.tickets import issue

# Memories that live and came of a client's suggestion: what was said of what they were made from.
_CAME_OF = """
WITH first AS (
  SELECT actor, min(at) AS at FROM receipt WHERE vault_id = %(vault)s
     AND kind IN ('value.read', 'value.opened', 'value.viewed') GROUP BY actor
), came AS (
  SELECT p.outcome_id AS id, bool_or(p.lineage <> '{}') AS declared, bool_or(f.at < p.made_at) AS handed
    FROM proposal p JOIN memory m ON m.vault_id = %(vault)s AND m.memory_id = p.outcome_id AND m.state <> 'erased'
    LEFT JOIN first f
      ON f.actor = CASE WHEN p.by_link THEN 'lnk_' ELSE 'cli_' END || replace(p.client_id::text, '-', '')
   WHERE p.vault_id = %(vault)s AND p.status = 'approved' AND p.undone_at IS NULL AND p.directive IN ('add', 'correct')
   GROUP BY p.outcome_id
)
SELECT (SELECT count(*) FROM memory WHERE vault_id = %(vault)s AND state <> 'erased'), count(*),
       count(*) FILTER (WHERE declared), count(*) FILTER (WHERE NOT declared AND handed) FROM came
"""
# Of these, which may have been made from something erased: its client had been handed that, and declared nothing.
_DOUBTFUL = """
SELECT count(DISTINCT p.outcome_id), count(DISTINCT t.memory_id)
  FROM tombstone t
  JOIN receipt r ON r.vault_id = %(vault)s AND r.memory_id = t.memory_id
   AND r.kind IN ('value.read', 'value.opened', 'value.viewed')
  JOIN proposal p ON p.vault_id = %(vault)s AND p.status = 'approved' AND p.undone_at IS NULL AND p.lineage = '{}'
   AND p.directive IN ('add', 'correct') AND r.at < p.made_at
   AND r.actor = CASE WHEN p.by_link THEN 'lnk_' ELSE 'cli_' END || replace(p.client_id::text, '-', '')
  JOIN memory m ON m.vault_id = %(vault)s AND m.memory_id = p.outcome_id AND m.state <> 'erased'
 WHERE t.vault_id = %(vault)s
"""
# What lives and was made from something erased; and whether the order said that it stays.
_DANGLING = """
SELECT d.what, d.id, d.source, bool_or(o.choice = 'keep' AND o.basis <> ALL(%(unasked)s) AND d.made_at < t.at)
  FROM (
    SELECT 'memory' AS what, e.from_id AS id, e.to_id AS source, e.made_at FROM edge e
      JOIN tombstone t ON t.vault_id = %(vault)s AND t.memory_id = e.to_id
     WHERE e.vault_id = %(vault)s AND e.kind = 'derived_from' AND (e.ended_at IS NULL OR e.ended_at >= t.at)
    UNION ALL
    SELECT 'memory', p.outcome_id, s.id, p.made_at FROM proposal p, unnest(p.lineage) s(id)
     WHERE p.vault_id = %(vault)s AND p.status = 'approved' AND p.undone_at IS NULL AND NOT EXISTS (
       SELECT FROM edge e WHERE e.vault_id = %(vault)s AND e.kind = 'derived_from' AND e.from_id = p.outcome_id
          AND e.to_id = s.id)
    UNION ALL
    SELECT 'memory', m.memory_id, m.merged_into, m.made_at FROM memory m
     WHERE m.vault_id = %(vault)s AND m.merged_into IS NOT NULL
    UNION ALL
    SELECT 'proposal', p.proposal_id, s.id, p.made_at FROM proposal p, unnest(p.lineage) s(id)
     WHERE p.vault_id = %(vault)s AND p.status = 'pending' AND p.label <> ''
  ) d
  JOIN tombstone t ON t.vault_id = %(vault)s AND t.memory_id = d.source
  LEFT JOIN erasure_order o ON o.vault_id = %(vault)s AND o.order_id = t.order_id
  LEFT JOIN memory m ON m.vault_id = %(vault)s AND m.memory_id = d.id AND d.what = 'memory'
 WHERE d.what = 'proposal' OR m.state <> 'erased'
 GROUP BY d.what, d.id, d.source ORDER BY d.what, d.id, d.source
"""
# What lives and is said to have been made from something that never was here.
_NO_ORIGIN = """
SELECT DISTINCT 'memory', d.id, d.source FROM (
    SELECT from_id AS id, to_id AS source FROM edge WHERE vault_id = %(vault)s AND kind = 'derived_from'
    UNION ALL
    SELECT p.outcome_id, s.id FROM proposal p, unnest(p.lineage) s(id)
     WHERE p.vault_id = %(vault)s AND p.status = 'approved' AND p.undone_at IS NULL
  ) d JOIN memory m ON m.vault_id = %(vault)s AND m.memory_id = d.id AND m.state <> 'erased'
 WHERE NOT EXISTS (SELECT FROM memory s WHERE s.vault_id = %(vault)s AND s.memory_id = d.source) ORDER BY 2, 3
"""
# Rows that still have words, or a key, and name something erased.
_ATTRIBUTABLE = """
SELECT DISTINCT found.what, found.id, t.memory_id FROM tombstone t JOIN (
    SELECT 'memory' AS what, memory_id AS id, memory_id AS names FROM memory
     WHERE vault_id = %(vault)s AND (state <> 'erased' OR subject <> '' OR label <> '' OR source <> '')
    UNION ALL
    SELECT 'version', memory_id, memory_id FROM memory_version
     WHERE vault_id = %(vault)s AND (label <> '' OR why <> '' OR source <> '' OR valid_from <> '' OR valid_to <> '')
    UNION ALL
    SELECT 'print', memory_id, memory_id FROM value_print WHERE vault_id = %(vault)s
    UNION ALL
    SELECT 'proposal', p.proposal_id, n.id FROM proposal p, unnest(ARRAY[p.memory_id, p.target_id, p.outcome_id]) n(id)
     WHERE p.vault_id = %(vault)s AND (p.label <> '' OR p.subject <> '' OR p.rationale <> '' OR p.reason <> ''
       OR p.candidate <> '{}')
    UNION ALL
    SELECT 'turn', i.turn_id, i.memory_id FROM turn_item i JOIN turn u ON u.vault_id = %(vault)s
       AND u.turn_id = i.turn_id AND u.erased_at IS NULL WHERE i.vault_id = %(vault)s
  ) found ON found.names = t.memory_id
 WHERE t.vault_id = %(vault)s ORDER BY 1, 2, 3
"""
_UNFINISHED = """
SELECT order_id, touched_at, told, memories FROM erasure_order
 WHERE vault_id = %(vault)s AND done_at IS NULL ORDER BY made_at
"""
# Tombstones and receipts that an erasure leaves belong together, one and one; an order in hand is still at it.
_UNMATCHED = """
SELECT 'no-receipt', t.memory_id, 0 FROM tombstone t
  LEFT JOIN erasure_order o ON o.vault_id = %(vault)s AND o.order_id = t.order_id
 WHERE t.vault_id = %(vault)s AND (o.order_id IS NULL OR o.told >= o.memories) AND NOT EXISTS (
   SELECT FROM receipt r WHERE r.vault_id = %(vault)s AND r.memory_id = t.memory_id AND r.kind = 'memory.erased')
UNION ALL
SELECT 'no-order', t.memory_id, 0 FROM tombstone t
 WHERE t.vault_id = %(vault)s AND NOT EXISTS (
   SELECT FROM erasure_order o WHERE o.vault_id = %(vault)s AND o.order_id = t.order_id)
UNION ALL
SELECT 'no-tombstone', r.memory_id, min(r.seq) FROM receipt r
 WHERE r.vault_id = %(vault)s AND r.kind = 'memory.erased' AND NOT EXISTS (
   SELECT FROM tombstone t WHERE t.vault_id = %(vault)s AND t.memory_id = r.memory_id) GROUP BY r.memory_id
UNION ALL
SELECT 'twice', r.memory_id, max(r.seq) FROM receipt r
 WHERE r.vault_id = %(vault)s AND r.kind = 'memory.erased' GROUP BY r.memory_id HAVING count(*) > 1
 ORDER BY 1, 2
"""
_GONE = """
SELECT count(*), (SELECT count(*) FROM erasure_order WHERE vault_id = %(vault)s),
       (SELECT count(*) FROM erasure_order WHERE vault_id = %(vault)s AND whole_vault)
  FROM tombstone WHERE vault_id = %(vault)s
"""
_SEALED = "SELECT memory_id, what FROM gate.left_of_erased(%(vault)s, %(ticket)s) ORDER BY memory_id, what"


@dataclass(frozen=True, slots=True)
class Left:
    """What rows tell. `came_of` and `declared` are of memories that live; rows of findings name things by their ids.

    `dangling`: (what, its id, what it was made from, did the order say that it stays). `unfinished`: orders that
    are not certified, when they were touched last, how many of how many have their receipts. `unmatched`: which of
    tombstone, order and receipt is missing or double, of which memory, by which receipt. `still` has the others that
    name something erased: (what, its id, the memory).
    """

    living: int
    came_of: int
    declared: int
    undeclared: int  # by clients that had been handed memories before
    doubtful: tuple[int, int]  # of those: memories, and of how many that were erased they may be made
    erased: int
    orders: int
    whole: bool
    dangling: tuple[tuple[str, UUID, UUID, bool], ...]
    no_origin: tuple[tuple[str, UUID, UUID], ...]
    still: tuple[tuple[str, UUID, UUID], ...]
    unfinished: tuple[tuple[UUID, datetime, int, int], ...]
    unmatched: tuple[tuple[str, UUID, int], ...]
    keys: tuple[tuple[UUID, str], ...]  # memories of which something is still sealed, and what


def left(vault_id: UUID, actor: str, unasked: Sequence[str]) -> Left:
    """Everything that an audit asks of rows, within a look; `unasked` are bases of orders that asked nobody what is to
    become of what was made from it.
    """
    asked: dict[str, Any] = {"vault": vault_id, "unasked": list(unasked), "ticket": issue(vault_id, actor, "-")}
    queries = (_CAME_OF, _DOUBTFUL, _GONE, _DANGLING, _NO_ORIGIN, _ATTRIBUTABLE, _UNFINISHED, _UNMATCHED, _SEALED)
    (came_of,), (doubtful,), (gone,), *rows = log.within([(query, asked) for query in queries])
    dangling, no_origin, still, unfinished, unmatched, keys = map(tuple, rows)
    living, suggested, declared, undeclared = came_of
    erased, orders, whole = gone
    return Left(
        living,
        suggested,
        declared,
        undeclared,
        (doubtful[0], doubtful[1]),
        erased,
        orders,
        bool(whole),
        dangling,
        no_origin,
        still,
        unfinished,
        unmatched,
        keys,
    )
