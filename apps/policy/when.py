"""When it was true, apart from when the vault was told.

A moment is written `2026-10-02T14:02:09Z`, a day `2026-10-02`; nothing relative, and no other zone than UTC. A day has
no time and never shifts: it is the whole day where the person lives, and only here does it become moments. A value
holds from the start of its first day until the end of its last one, or from one moment to before another. As in SQL's
application-time periods, a spell with an end that was told later stands over a longer one, which goes on after it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo

from apps.policy.text import TextProblem
from apps.policy.vocabulary import Ended

_WRITTEN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?")
_WANTED = "Write a day, such as 2026-10-02, or a moment in UTC, such as 2026-10-02T14:02:09Z."
_EARLIEST, _LATEST = 1000, 9998  # years; a day can begin or end in the year beside
_TICK = timedelta(microseconds=1)
_FOREVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class When:
    """A day, or a moment in UTC to the second."""

    day: date
    at: datetime | None = None  # None: the whole day

    def __str__(self) -> str:
        """As `parse` reads it, and as it is kept."""
        return self.day.isoformat() if self.at is None else self.at.strftime(f"{self.day.isoformat()}T%H:%M:%SZ")

    def starts(self, zone: tzinfo) -> datetime:
        """Its first moment, in UTC. Where clocks leave midnight out, a day begins when they go on."""
        return self.at if self.at is not None else _midnight(self.day, zone)

    def ends(self, zone: tzinfo) -> datetime:
        """The first moment after it as an end: the next day's first one, or the moment itself, which is not in it."""
        return self.at if self.at is not None else _midnight(self.day + timedelta(days=1), zone)

    def last(self, zone: tzinfo) -> datetime:
        """The moment that a question about it means: a day's last one, or the moment itself."""
        return self.at if self.at is not None else max(self.ends(zone) - _TICK, self.starts(zone))


def _midnight(day: date, zone: tzinfo) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)


def parse(text: str, field: str) -> When | None:
    """The day or moment as written; None for "". Raises TextProblem by the field's name for anything else."""
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text) if _WRITTEN.fullmatch(text) else None
    except ValueError:
        found = None
    if found is None or not _EARLIEST <= found.year <= _LATEST:
        raise TextProblem(field, _WANTED)
    return When(found.date(), found.astimezone(UTC) if found.tzinfo is not None else None)


def moment(at: datetime) -> When:
    """An aware time as a `When`: in UTC, to the second."""
    whole = at.astimezone(UTC).replace(microsecond=0)
    return When(whole.date(), whole)


def check_order(valid_from: When | None, valid_to: When | None, zone: tzinfo, field: str = "valid_to") -> None:
    """Raises TextProblem for an end that is not after the start. One day may be both."""
    if valid_from is not None and valid_to is not None and valid_to.ends(zone) <= valid_from.starts(zone):
        raise TextProblem(field, "It ends before it begins. Write a later end, or an earlier start.")


@dataclass(frozen=True, slots=True)
class Spell:
    """One version of a subject in its two times: when it stood in the file, and when it was true. `holds_from`: when it
    took over, or is to, where that is later than it was told. One that was told late, or waits, never stood there.
    """

    version: int
    made_at: datetime
    retired_at: datetime | None
    ended_as: Ended | None
    valid_from: When | None = None
    valid_to: When | None = None
    holds_from: datetime | None = None

    @property
    def since(self) -> datetime:
        """From when on it stood in the file, or is to."""
        return self.holds_from or self.made_at

    @property
    def held(self) -> bool:
        """Does it stand in the file, or did it ever?"""
        return self.ended_as is None or self.ended_as.held


def said_at(spells: Iterable[Spell], k: datetime) -> Spell | None:
    """What the file said of a subject at a moment: the version that was current then, true or not."""
    stood = [each for each in spells if each.held and each.since <= k and not _over(each, k)]
    return max(stood, key=_order, default=None)


def true_at(spells: Iterable[Spell], t: datetime, *, zone: tzinfo, known_at: datetime | None = None) -> Spell | None:
    """What was true of a subject at a moment, by all that is known now or was known at `known_at`; None: nobody knows.

    A value that says no start is true from when it was told, and one that took the place of a wrong one from where that
    one began. A value that says no end is true until the next one begins. Of those that were true, the one that begins
    last is the answer; of two that begin together, the one told last.
    """
    true = [each for each in _periods(spells, zone, known_at) if each.start <= t < each.end]
    return max(true, key=lambda each: (each.start, each.spell.version)).spell if true else None


def waits(start: datetime | None, current_from: datetime | None, now: datetime) -> bool:
    """Does a value that is told now hold from a moment to come, while another one holds until then? `current_from`:
    from when the current one holds, where that is to come too."""
    return start is not None and start > now and (current_from is None or current_from < start)


def takes_over(
    spells: Iterable[Spell], valid_from: When | None, valid_to: When | None, *, now: datetime, zone: tzinfo
) -> bool:
    """Does a value that is told now become the current one? Not where it is over already, or began before the current
    one did: then it is told late, and only the history is richer. Of a current one of which nobody said when it began,
    it tells until when that was true. Do not ask where the current one was wrong: what puts it right takes its place,
    whenever it began."""
    if valid_to is not None and valid_to.ends(zone) <= now:
        return False
    told = list(spells)
    current = [each for each in _periods(told, zone) if each.spell.retired_at is None]
    if not current or valid_from is None or valid_from.starts(zone) >= current[-1].start:
        return True
    return not _its_beginning_is_known(current[-1].spell, told)


def _its_beginning_is_known(spell: Spell, spells: Iterable[Spell]) -> bool:
    """Did anybody say when it began: by its own start, that of a wrong one whose place it took, or as a change?"""
    before = sorted((each for each in spells if each.held and _order(each) < _order(spell)), key=_order)
    for each in reversed(before):
        if spell.valid_from is not None or each.ended_as is not Ended.WRONG:
            return True
        spell = each
    return spell.valid_from is not None


@dataclass(frozen=True, slots=True)
class _Period:
    """A spell and when it was true: from `start` to before `end`."""

    spell: Spell
    start: datetime
    end: datetime


def _periods(spells: Iterable[Spell], zone: tzinfo, known_at: datetime | None = None) -> list[_Period]:
    """The spells that ever were true, or are to be, in the order in which they took over."""
    told = (_as_known(each, known_at) for each in spells if known_at is None or each.made_at <= known_at)
    known = sorted((each for each in told if each.ended_as not in _NEVER_TRUE), key=_order)
    starts = _starts(known, zone)
    in_time = [each for each in known if each.ended_as is not Ended.LATE]
    begins = sorted(starts[each.version] for each in in_time if each.ended_as is not Ended.WRONG)
    found: list[_Period] = []
    next_start: datetime | None = None
    for each in reversed(known):
        start = starts[each.version]
        if each.valid_to is not None:
            end = each.valid_to.ends(zone)
        elif each.ended_as is Ended.LATE:
            end = next((begin for begin in begins if begin > start), _FOREVER)
        elif each.ended_as is Ended.WAITING:
            end = next_start or _FOREVER
        else:
            end = next_start or each.retired_at or _FOREVER
        if each.ended_as is not Ended.LATE:
            next_start = start
        if each.ended_as is not Ended.WRONG:
            found.append(_Period(each, start, end))
    return found[::-1]


_NEVER_TRUE = (Ended.PROPOSED, Ended.CANCELLED)


def _starts(known: list[Spell], zone: tzinfo) -> dict[int, datetime]:
    """When each version began to be true, or was said to. `known` is in the order in which they took over."""
    found: dict[int, datetime] = {}
    before: Spell | None = None
    for each in known:
        late = each.ended_as is Ended.LATE
        if each.valid_from is not None:
            found[each.version] = each.valid_from.starts(zone)
        elif before is not None and not late and before.ended_as is Ended.WRONG:
            found[each.version] = found[before.version]
        else:
            found[each.version] = each.made_at
        before = before if late else each
    return found


def _over(spell: Spell, k: datetime) -> bool:
    return spell.retired_at is not None and spell.retired_at <= k


def _order(spell: Spell) -> tuple[datetime, int]:
    return spell.since, spell.version


def _as_known(spell: Spell, known_at: datetime | None) -> Spell:
    """The spell before its end was told, or its day had come, where that was later."""
    if known_at is None:
        return spell
    ended_later = spell.retired_at is not None and spell.retired_at > known_at
    if spell.ended_as is Ended.CANCELLED and spell.holds_from is None:  # it was told late
        return replace(spell, retired_at=spell.made_at, ended_as=Ended.LATE) if ended_later else spell
    if spell.holds_from is not None and (known_at < spell.holds_from or spell.ended_as is Ended.CANCELLED):
        waited = spell.ended_as is not Ended.CANCELLED or ended_later
        return replace(spell, retired_at=spell.made_at, ended_as=Ended.WAITING) if waited else spell
    return replace(spell, retired_at=None, ended_as=None) if ended_later else spell
