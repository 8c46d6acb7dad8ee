"""A grant's life: what it may be given for, how it stands, and the one way its terms may change: to become less."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from apps.policy.text import TextProblem
from apps.policy.types import Grant, Memory, Refused
from apps.policy.vocabulary import GrantState, Refusal

SHORTEST = timedelta(minutes=1)
LONGEST = timedelta(days=366)
MOST_READS = 100_000


@dataclass(frozen=True, slots=True)
class Narrower:
    """What a grant is to become: an earlier end, fewer reads, fewer memories. None leaves that term as it is."""

    until: datetime | None = None
    reads: int | None = None
    memory_ids: frozenset[UUID] | None = None


def check_terms(
    lasts: timedelta,
    reads: int | None,
    *,
    fields: tuple[str, str],
    longest: timedelta = LONGEST,
    most: int = MOST_READS,
) -> None:
    """May a grant last so long from now, for so many reads (None: any number)? Raises TextProblem by a field's name."""
    how_long, how_many = fields
    if lasts <= timedelta(0):
        raise TextProblem(how_long, "It is over before it begins. Choose a time to come.")
    if lasts < SHORTEST:
        raise TextProblem(how_long, "A grant lasts a minute at least.")
    if lasts > longest:
        raise TextProblem(how_long, f"A grant lasts {_in_words(longest)} at most. Choose an earlier end.")
    if reads is not None and reads < 1:
        raise TextProblem(how_many, "A grant is for one read at least. To hand over nothing, say no.")
    if reads is not None and reads > most:
        raise TextProblem(how_many, f"A grant is for {most} reads at most.")


def chosen_of(offered: Iterable[Memory], ids: Collection[UUID], subjects: Collection[str]) -> frozenset[UUID]:
    """Which of the offered memories are chosen: by their ids, or as those under a subject now. The set is fixed by it;
    what comes under the subject later is not in it.
    """
    return frozenset(
        each.memory_id
        for each in offered
        if each.memory_id in ids or any(each.subject == it or each.subject.startswith(f"{it}.") for it in subjects)
    )


def over(grant: Grant, now: datetime) -> bool:
    """Has it ended for good, whatever it has left to spend?"""
    return grant.revoked_at is not None or grant.lapsed_at is not None or grant.expires_at <= now


def state_of(grant: Grant, now: datetime) -> GrantState:
    """How it stands now. What the holder did is said before what the clock did, and an end before a pause."""
    if grant.revoked_at is not None:
        return GrantState.REVOKED
    if grant.lapsed_at is not None:
        return GrantState.LAPSED
    if grant.expires_at <= now:
        return GrantState.EXPIRED
    if grant.reads_left == 0:
        return GrantState.SPENT
    return GrantState.PAUSED if grant.paused else GrantState.LIVE


def narrowed(grant: Grant, wish: Narrower, now: datetime) -> Grant | Refused:
    """The grant under narrower terms; itself where nothing changes.

    Refused as grant-ended where nothing is left to narrow, and as wider, with the term's pointer, for a later end, more
    reads, a memory it does not cover, or a term that would leave nothing: that is revoking, and is said so.
    """
    if state_of(grant, now) not in (GrantState.LIVE, GrantState.PAUSED):
        return Refused(Refusal.GRANT_ENDED)
    refused = refuse_wider(wish.until, wish.reads, grant.expires_at, grant.reads_left, now)
    if refused is not None:
        return refused
    if wish.memory_ids is not None and not _some_of(wish.memory_ids, grant.memory_ids):
        return Refused(Refusal.WIDER, "/memories")
    new = replace(
        grant,
        expires_at=wish.until or grant.expires_at,
        reads_left=wish.reads if wish.reads is not None else grant.reads_left,
        memory_ids=wish.memory_ids if wish.memory_ids is not None else grant.memory_ids,
    )
    return grant if new == grant else replace(new, terms_version=grant.terms_version + 1)


def refuse_wider(
    until: datetime | None, reads: int | None, given_until: datetime, given_reads: int | None, now: datetime
) -> Refused | None:
    """Refused as wider, with the term's pointer, for what is not less than was given: a later end or one that is past,
    more reads or none. None leaves a wished term as it was given; as given reads it is any number.
    """
    if until is not None and not now < until <= given_until:
        return Refused(Refusal.WIDER, "/until")
    if reads is not None and (reads < 1 or (given_reads is not None and reads > given_reads)):
        return Refused(Refusal.WIDER, "/reads")
    return None


def due_to_lapse(grant: Grant, now: datetime) -> bool:
    """Has it stood unused for so long that it ends by itself? A paused one too; a spent one has ended already."""
    return state_of(grant, now) in (GrantState.LIVE, GrantState.PAUSED) and grant.lapses_at <= now


def _in_words(length: timedelta) -> str:
    seconds = int(length.total_seconds())
    for unit, size in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds > size and seconds % size == 0:
            return f"{seconds // size} {unit}"
    return f"{seconds} seconds"


def _some_of(chosen: Collection[UUID], held: frozenset[UUID]) -> bool:
    return bool(chosen) and held.issuperset(chosen)
