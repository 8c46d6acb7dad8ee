"""Proposals that were not compared with what is kept yet, and what comparing them takes: a part of the store.

What is noted here is bookkeeping, not an act: it is for the holder, and follows from rows that have their receipts.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import sql

from apps.ledger.log import fetch, within
from apps.memories import epochs, prints, proposed, sayings
from apps.memories.keys import VaultKey
from apps.policy import rivals
from apps.policy.people import CLOCK
from apps.policy.prints import Print
from apps.policy.proposals import Mark, Proposal, Traits
from apps.policy.rivals import Said
from apps.policy.text import MOST_LABEL

MOST = 500  # at once
MOST_BESIDE = 2000


@dataclass(frozen=True, slots=True)
class Unnoticed:
    """A proposal, and by what it is compared. `said`: the print of what it says. `used`: some memory stands, or stood,
    under its subject. `met`: some memory says or said the same, or another client proposes it, as it may be read; or
    all the words of what a memory says or said are in it.
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


_COLUMNS = sql.SQL(", ").join(sql.Identifier("p", each) for each in proposed.COLUMNS)
_PRINT = sql.SQL("w.memory_id, w.version, w.whole, w.words, w.length, w.numbers, w.negated")
# While a vault's key is changed a version has a print of each epoch: these.
_IN_USE = sql.SQL("(SELECT min(k.epoch) FROM vault_key k WHERE k.vault_id = w.vault_id)")
# Whether a row is there is asked by LIMIT 1 where it may be asked of many: else all of a vault's are gathered for it.
_WAITING = (
    sql.SQL(
        "SELECT {columns}, p.unnoticed,"
        " EXISTS (SELECT FROM memory m WHERE m.vault_id = p.vault_id AND m.subject = p.subject"
        " AND m.state <> 'erased'),"
        " EXISTS (SELECT FROM value_print o WHERE o.vault_id = w.vault_id AND o.whole = ANY (array_prepend(w.whole,"
        " ARRAY(SELECT decode(a->>'whole', 'hex') FROM jsonb_array_elements(p.unnoticed->'also') a))) AND ("
        "(SELECT true FROM memory m WHERE m.vault_id = o.vault_id AND m.memory_id = o.memory_id"
        " AND m.state <> 'erased' LIMIT 1)"
        " OR (SELECT true FROM proposal q WHERE q.vault_id = o.vault_id AND q.memory_id = o.memory_id"
        " AND q.status = 'pending' AND q.client_id <> p.client_id LIMIT 1)))"
        " OR EXISTS (SELECT FROM (SELECT w.words || ARRAY(SELECT e::bigint FROM"
        " jsonb_array_elements(p.unnoticed->'also') a, jsonb_array_elements_text(a->'words') e) AS words) s"
        " JOIN value_print o ON o.vault_id = w.vault_id AND o.words[1] = ANY (s.words)"
        " AND o.words[2] = ANY (s.words) AND o.words <@ s.words"
        " JOIN memory m ON m.vault_id = o.vault_id AND m.memory_id = o.memory_id AND m.state <> 'erased'"
        " WHERE cardinality(o.words) >= {telling}),"
        " {print} FROM proposal p"
        " LEFT JOIN value_print w ON w.vault_id = p.vault_id AND w.memory_id = p.memory_id AND w.version = 1"
        " AND w.epoch = {in_use}"
        " WHERE p.vault_id = %s AND p.status = 'pending' AND p.unnoticed IS NOT NULL"
        " ORDER BY p.made_at, p.proposal_id LIMIT %s"
    )
    .format(
        columns=_COLUMNS,
        telling=sql.Literal(sayings.TELLING),
        print=_PRINT,
        in_use=_IN_USE,
    )
    .as_string(None)
)
_NEAR = (
    sql.SQL(
        "SELECT {print} FROM value_print w"
        " JOIN memory m ON m.vault_id = w.vault_id AND m.memory_id = w.memory_id AND m.version = w.version"
        " WHERE w.vault_id = %s AND m.state = 'approved' AND w.memory_id = ANY(%s) AND w.epoch = {in_use}"
    )
    .format(print=_PRINT, in_use=_IN_USE)
    .as_string(None)
)
_SINCE = (
    sql.SQL(
        "SELECT m.subject, m.updated_at, {print} FROM memory m"
        " JOIN value_print w ON w.vault_id = m.vault_id AND w.memory_id = m.memory_id AND w.version = m.version"
        " WHERE m.vault_id = %s AND m.updated_at >= %s AND m.state = 'approved' AND w.words && %s::bigint[]"
    )
    .format(print=_PRINT)
    .as_string(None)
)
# Of those that wait, what says something under the subject of one that was not compared yet, or in its words.
_SHARING = sql.SQL(
    "SELECT {columns}, {print} FROM proposal p"
    " JOIN value_print w ON w.vault_id = p.vault_id AND w.memory_id = p.memory_id AND w.version = 1"
    " WHERE p.vault_id = %s AND p.status = 'pending' AND w.epoch = {in_use} AND EXISTS (SELECT FROM proposal q"
    " JOIN value_print o ON o.vault_id = q.vault_id AND o.memory_id = q.memory_id AND o.version = 1"
    " WHERE q.vault_id = p.vault_id AND q.status = 'pending' AND {those}"
    " AND (q.subject = p.subject OR q.target_id = p.target_id OR o.words && w.words))"
    " ORDER BY p.made_at DESC LIMIT %s"
)
_BESIDE, _RIVALS = (
    _SHARING.format(columns=_COLUMNS, print=_PRINT, in_use=_IN_USE, those=sql.SQL(those)).as_string(None)
    for those in ("q.unnoticed IS NOT NULL AND q.proposal_id <> p.proposal_id", "q.proposal_id = ANY (%s)")
)
# Of what the file says no more, what a label has room for, where anything waits whose label may be one of these.
_NO_MORE = (
    sql.SQL(
        "SELECT {print} FROM (SELECT vault_id, memory_id, version FROM memory_version"
        " WHERE vault_id = %(vault)s AND retired_at IS NOT NULL"
        " UNION ALL SELECT vault_id, memory_id, version FROM memory"
        " WHERE vault_id = %(vault)s AND state IN ('withdrawn', 'merged')) v"
        " JOIN value_print w USING (vault_id, memory_id, version) WHERE w.length <= %(room)s AND EXISTS (SELECT FROM"
        " proposal p WHERE p.vault_id = %(vault)s AND p.status = 'pending' AND p.unnoticed IS NOT NULL) LIMIT %(most)s"
    )
    .format(print=_PRINT)
    .as_string(None)
)
_ADDED = (
    "UPDATE proposal p SET marks = p.marks || u.more::jsonb FROM unnest(%s::uuid[], %s::text[]) AS u(id, more)"
    " WHERE p.vault_id = %s AND p.proposal_id = u.id AND p.status = 'pending'"
)
# Who was shown that others say otherwise than one of many was shown it of all that its marks name.
_TOLD = (
    sql.SQL(
        "UPDATE proposal p SET marks = (SELECT jsonb_agg(CASE WHEN u.seen::jsonb @> jsonb_build_array(m.mark)"
        " OR (m.mark ? 'beside' AND n.named >= {many})"
        " THEN m.mark || '{{\"told\": true}}' ELSE m.mark END ORDER BY m.at)"
        " FROM jsonb_array_elements(p.marks) WITH ORDINALITY AS m(mark, at),"
        " (SELECT count(*) FROM jsonb_array_elements(p.marks) b WHERE b ? 'beside') AS n(named))"
        " FROM unnest(%s::uuid[], %s::text[]) AS u(id, seen) WHERE p.vault_id = %s AND p.proposal_id = u.id"
        " AND p.status = 'pending' AND p.marks <> '[]'"
    )
    .format(many=sql.Literal(rivals.MOST))
    .as_string(None)
)
_NOTED = (
    "UPDATE proposal SET marks = %s::jsonb, target_version = coalesce(%s, target_version),"
    " unnoticed = CASE WHEN %s THEN unnoticed END"
    " WHERE vault_id = %s AND proposal_id = %s AND status = 'pending' AND unnoticed IS NOT NULL"
)
_UNHURRIED = "SET LOCAL synchronous_commit TO off"
_ANEW = "UPDATE proposal SET unnoticed = %s::jsonb WHERE vault_id = %s AND proposal_id = %s AND status = 'pending'"


@dataclass(frozen=True, slots=True)
class NoMore:
    """What the file says no more, of what a label has room for: `said`, or too much to be told. `key`: the vault's."""

    key: VaultKey | None
    said: tuple[Print, ...]

    @property
    def too_much(self) -> bool:
        """Is there more of it?"""
        return len(self.said) == MOST


def waiting(vault_id: UUID) -> tuple[tuple[Unnoticed, ...], tuple[Said, ...], NoMore]:
    """What was not compared yet, the oldest first, at most 500; of all that wait the newest 2,000 that share a subject
    or words with one of these; and what their labels may bring back. Outside every look and act, in one round trip.
    """
    asked = [(_WAITING, [vault_id, MOST]), (_BESIDE, [vault_id, MOST_BESIDE])]
    no_more = (_NO_MORE, {"vault": vault_id, "room": MOST_LABEL, "most": MOST})
    rows, beside, keys, gone = fetch(vault_id, CLOCK, [*asked, epochs.asking_key(vault_id), no_more])
    key = epochs.key_that_opens(vault_id, keys) if gone else None
    said = tuple(prints.fact(row)[2] for row in gone)
    return tuple(map(_fact, rows)), tuple(map(_said, beside)), NoMore(key, said)


def beside(vault_id: UUID, ids: Collection[UUID]) -> tuple[Said, ...]:
    """These proposals, and of all that wait the newest 2,000 that share a subject, a target or words with one of them.
    Within a look or an act.
    """
    (rows,) = within([(_RIVALS, [vault_id, list(ids), MOST_BESIDE])])
    return tuple(map(_said, rows))


def _said(row: Sequence[Any]) -> Said:
    at = len(proposed.COLUMNS)
    return proposed.fact(row[:at]), prints.fact(row[at:])[2]


def _fact(row: Sequence[Any]) -> Unnoticed:
    at = len(proposed.COLUMNS)
    told = json.loads(row[at]) if isinstance(row[at], str) else row[at]
    traits = proposed.traits(told)
    long = frozenset(traits.long) if traits.long is not None else None
    also = tuple(replace(each, long=long) for each in traits.also)
    said = replace(prints.fact(row[at + 3 :])[2], also=also, long=long) if row[at + 3] is not None else None
    return Unnoticed(proposed.fact(row[:at]), traits, said, row[at + 1], row[at + 2])


def near(vault_id: UUID, memory_ids: Collection[UUID]) -> dict[UUID, tuple[int, Print]]:
    """What these memories say now: version and print of those that are kept. Within a look."""
    (rows,) = within([(_NEAR, [vault_id, list(memory_ids)])])
    return {memory_id: (version, made) for memory_id, version, made in map(prints.fact, rows)}


@dataclass(frozen=True, slots=True)
class Since:
    """A memory that was written to, or put back: what it says now, and when that was."""

    memory_id: UUID
    version: int
    subject: str
    at: datetime
    says: Print


def since(vault_id: UUID, at: datetime, words: Collection[int]) -> tuple[Since, ...]:
    """What is kept by now, was written since then and shares one of these words. Within a look or an act."""
    (rows,) = within([(_SINCE, [vault_id, at, sorted(words)])])
    found = []
    for subject, updated_at, *row in rows:
        memory_id, version, says = prints.fact(row)
        found.append(Since(memory_id, version, subject, updated_at, says))
    return tuple(found)


def added(vault_id: UUID, more: Mapping[UUID, Iterable[Mark]]) -> None:
    """These marks besides those that they have, by proposal. Outside every look and act."""
    told = [json.dumps(proposed.marks_json(marks)) for marks in more.values()]
    if told:
        fetch(vault_id, CLOCK, [(_ADDED, [list(more), told, vault_id])])


def told(vault_id: UUID, shown: Sequence[Proposal]) -> None:
    """These were shown, with their marks, to whoever decides. Outside every look and act."""
    if shown:
        ids = [each.proposal_id for each in shown]
        marks = [json.dumps(proposed.marks_json(each.marks)) for each in shown]
        fetch(vault_id, CLOCK, [(_UNHURRIED, []), (_TOLD, [ids, marks, vault_id])])


def noted(
    vault_id: UUID, proposal_id: UUID, marks: Iterable[Mark], *, about: int | None = None, again: bool = False
) -> None:
    """These are its marks; `about`: the version of its target that it is about from now on; with `again` it is compared
    once more. Each is written by itself, outside every look and act, so that it waits for none while another waits for
    it; nor for the disk: were it lost, it would be compared again.
    """
    told = json.dumps(proposed.marks_json(marks))
    fetch(vault_id, CLOCK, [(_UNHURRIED, []), (_NOTED, [told, about, again, vault_id, proposal_id])])


def compare_anew(vault_id: UUID, proposal_id: UUID, traits: Traits) -> None:
    """It was said again: what it meets may be something else by now. Outside every look and act."""
    fetch(vault_id, CLOCK, [(_ANEW, [json.dumps(proposed.traits_json(traits)), vault_id, proposal_id])])
