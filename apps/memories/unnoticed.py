"""Proposals that were not compared with what is kept yet, and what comparing them takes: a part of the store.

What is noted here is bookkeeping, not an act: it is for the holder, and follows from rows that have their receipts.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from psycopg import sql

from apps.ledger.log import fetch, within
from apps.memories import prints, proposed
from apps.policy.people import CLOCK
from apps.policy.prints import Print
from apps.policy.proposals import Mark, Proposal, Traits

MOST = 500  # at once


@dataclass(frozen=True, slots=True)
class Unnoticed:
    """A proposal, and by what it is compared. `said`: the print of what it says. `used`: some memory stands, or stood,
    under its subject. `met`: some memory says or said the same, or another client proposes it; or it may be read as
    something else besides.
    """

    proposal: Proposal
    traits: Traits
    said: Print | None
    used: bool
    met: bool

    @property
    def alone(self) -> bool:
        """Does it meet nothing that is kept, nor name it?"""
        return not (self.used or self.met) and self.proposal.target_id is None


_PRINT = sql.SQL("w.memory_id, w.version, w.whole, w.words, w.length, w.numbers, w.negated")
_WAITING = (
    sql.SQL(
        "SELECT {columns}, p.unnoticed,"
        " EXISTS (SELECT FROM memory m WHERE m.vault_id = p.vault_id AND m.subject = p.subject"
        " AND m.state <> 'erased'),"
        " EXISTS (SELECT FROM value_print o WHERE o.vault_id = w.vault_id AND o.whole = w.whole AND ("
        "EXISTS (SELECT FROM memory m WHERE m.vault_id = o.vault_id AND m.memory_id = o.memory_id"
        " AND m.state <> 'erased')"
        " OR EXISTS (SELECT FROM proposal q WHERE q.vault_id = o.vault_id AND q.memory_id = o.memory_id"
        " AND q.status = 'pending' AND q.client_id <> p.client_id))),"
        " {print} FROM proposal p"
        " LEFT JOIN value_print w ON w.vault_id = p.vault_id AND w.memory_id = p.memory_id AND w.version = 1"
        " WHERE p.vault_id = %s AND p.status = 'pending' AND p.unnoticed IS NOT NULL"
        " ORDER BY p.made_at, p.proposal_id LIMIT %s"
    )
    .format(columns=sql.SQL(", ").join(sql.Identifier("p", each) for each in proposed.COLUMNS), print=_PRINT)
    .as_string(None)
)
_NEAR = (
    sql.SQL(
        "SELECT {print} FROM value_print w"
        " JOIN memory m ON m.vault_id = w.vault_id AND m.memory_id = w.memory_id AND m.version = w.version"
        " WHERE w.vault_id = %s AND m.state = 'approved' AND w.memory_id = ANY(%s)"
    )
    .format(print=_PRINT)
    .as_string(None)
)
_NOTED = (
    "UPDATE proposal SET marks = %s::jsonb, target_version = coalesce(%s, target_version),"
    " unnoticed = CASE WHEN %s THEN unnoticed END"
    " WHERE vault_id = %s AND proposal_id = %s AND status = 'pending' AND unnoticed IS NOT NULL"
)
_ANEW = "UPDATE proposal SET unnoticed = %s::jsonb WHERE vault_id = %s AND proposal_id = %s AND status = 'pending'"


def waiting(vault_id: UUID) -> tuple[Unnoticed, ...]:
    """What was not compared yet, the oldest first, at most 500; outside every look and act, in one round trip."""
    (rows,) = fetch(vault_id, CLOCK, [(_WAITING, [vault_id, MOST])])
    return tuple(map(_fact, rows))


def _fact(row: Sequence[Any]) -> Unnoticed:
    at = len(proposed.COLUMNS)
    told = json.loads(row[at]) if isinstance(row[at], str) else row[at]
    traits = proposed.traits(told)
    said = replace(prints.fact(row[at + 3 :])[2], also=traits.also) if row[at + 3] is not None else None
    return Unnoticed(proposed.fact(row[:at]), traits, said, row[at + 1], row[at + 2] or bool(traits.also))


def near(vault_id: UUID, memory_ids: Collection[UUID]) -> dict[UUID, tuple[int, Print]]:
    """What these memories say now: version and print of those that are kept. Within a look."""
    (rows,) = within([(_NEAR, [vault_id, list(memory_ids)])])
    return {memory_id: (version, made) for memory_id, version, made in map(prints.fact, rows)}


def noted(
    vault_id: UUID, proposal_id: UUID, marks: Iterable[Mark], *, about: int | None = None, again: bool = False
) -> None:
    """These are its marks; `about`: the version of its target that it is about from now on; with `again` it is compared
    once more. Each is written by itself, outside every look and act, so that it waits for none while another waits for
    it.
    """
    told = json.dumps(proposed.marks_json(marks))
    fetch(vault_id, CLOCK, [(_NOTED, [told, about, again, vault_id, proposal_id])])


def compare_anew(vault_id: UUID, proposal_id: UUID, traits: Traits) -> None:
    """It was said again: what it meets may be something else by now. Outside every look and act."""
    fetch(vault_id, CLOCK, [(_ANEW, [json.dumps(proposed.traits_json(traits)), vault_id, proposal_id])])
