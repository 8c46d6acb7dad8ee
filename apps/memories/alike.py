"""What a new proposal meets of its own client's: the same one that waits, and a no to the same: a part of the store."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import DatabaseError
from psycopg import sql

from apps.ledger.log import within
from apps.memories.proposed import COLUMNS, SAID, fact
from apps.policy.proposals import Likeness, Proposal
from apps.policy.vocabulary import ProposalStatus

_ALIKE = (
    sql.SQL(
        "SELECT {}, CASE WHEN edited THEN EXISTS (SELECT FROM memory_version v WHERE v.vault_id = proposal.vault_id"
        " AND v.proposal_id = proposal.proposal_id AND v.ended_as = 'proposed') ELSE false END,"
        " fingerprint = %s OR coalesce(candidate->>{}, '') = %s"
        " FROM proposal WHERE vault_id = %s AND (fingerprint = %s OR (fingerprint = %s"
        " AND (target_id = %s OR (subject = %s AND (target_id IS NULL OR %s::uuid IS NULL)))))"
        " ORDER BY made_at DESC LIMIT 100"
    )
    .format(sql.SQL(", ").join(map(sql.SQL, COLUMNS)), sql.Literal(SAID))
    .as_string(None)
)

PROPOSED_BEFORE = "MU003"  # what gate.stage says

_LIKE_OF = (
    sql.SQL("SELECT fingerprint, candidate->>{} FROM proposal WHERE vault_id = %s AND proposal_id = %s")
    .format(sql.Literal(SAID))
    .as_string(None)
)


@dataclass(frozen=True, slots=True)
class Look:
    """What a new proposal meets of its own client's: the one that waits and says all the same (`known`); and whether
    what it would keep was `rejected`, or all that it says approved in words of the holder's own (`edited_away`). Not
    once that is lifted, or undone.
    """

    known: Proposal | None
    rejected: bool
    edited_away: bool

    @property
    def turned_down(self) -> bool:
        """Did the holder say no to it, or to its words?"""
        return self.rejected or self.edited_away


def look(vault_id: UUID, like: Likeness) -> Look:
    """What a new proposal meets, within a look or an act, in one network round trip, whatever the file says."""
    (found,) = within([asking_like(vault_id, like)])
    return looked(found)


class SaidBefore(Exception):
    """Something is known by the same as a new proposal already."""


@contextmanager
def never_said() -> Iterator[None]:
    """Around an act that stages what was never said before, see `store.stage`. Raises SaidBefore, with nothing done,
    where it was.
    """
    try:
        yield
    except DatabaseError as error:
        if getattr(error.__cause__, "sqlstate", None) == PROPOSED_BEFORE:
            raise SaidBefore from None
        raise


def asking_like(vault_id: UUID, like: Likeness) -> tuple[str, Sequence[Any]]:
    """The query behind `look`, for an act to ask as it opens; `looked` reads its rows."""
    where = [like.target_id, like.subject, like.target_id]
    return _ALIKE, [like.all, like.all.hex(), vault_id, like.all, like.gist, *where]


def looked(rows: Sequence[Sequence[Any]]) -> Look:
    """What a new proposal meets, from the rows of `asking_like`. Of those that say all the same, the newest tells that
    it was lifted.
    """
    found = [(fact(row[:-2]), bool(row[-2]), bool(row[-1])) for row in rows]
    same = [each for each, _, says_all in found if says_all]
    waits = next((each for each in same if each.status is ProposalStatus.PENDING), None)
    decided = next((each for each in same if each.status is not ProposalStatus.PENDING), None)
    if decided is not None and (decided.lifted_at is not None or decided.undone_at is not None):
        return Look(waits, False, False)
    barred = [(each, edited_away and says_all) for each, edited_away, says_all in found if each.barred]
    rejected = any(each.status is ProposalStatus.REJECTED for each, _ in barred)
    return Look(waits, rejected, any(edited_away for _, edited_away in barred))


def like_of(vault_id: UUID, proposal: Proposal) -> Likeness | None:
    """By what a proposal that stands is known again, within a look or an act."""
    (rows,) = within([(_LIKE_OF, [vault_id, proposal.proposal_id])])
    return next(
        (Likeness(bytes(gist), bytes.fromhex(said) if said else bytes(gist), proposal.subject) for gist, said in rows),
        None,
    )
