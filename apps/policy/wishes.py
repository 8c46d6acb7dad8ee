"""What a person wishes of mail: which letters they do without, at which hour they are written to, when they are left in
peace, and the words by which they know that a mail is ours. Pure.

An hour is what the clock on the reader's wall shows. It becomes a moment here alone, by the calendar of their zone, so
that it stays that hour however long a day is: where the clock leaps over it, and where it shows it twice.
"""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum

from apps.policy.letters import Letter, inert
from apps.policy.text import TextProblem, check_line, hides

MOST_PHRASE = 60  # characters, as of a name in a mail
LATE = timedelta(hours=12)  # so long after its hour a digest may still go: whoever wants it at eight gets none at night
_SECOND = timedelta(seconds=1)
_DAY = timedelta(days=1)


class Every(StrEnum):
    """How often somebody is told what was handed over."""

    OFF = "off"
    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"


class Switch(StrEnum):
    """What a person may do without. Whatever it tells of stands in the vault all the same."""

    REQUESTS = "requests"  # that somebody asks; it stays in the inbox
    WAITING = "waiting"  # how much waits, once a day
    OPENED = "opened"  # that a shared link was opened; it stays on the share's page
    RECEIPTS = "receipts"  # what was handed over; it stays in the ledger


# By which switch a letter is switched off; None: by none, ever. Every letter is here.
SWITCHES: Mapping[Letter, Switch | None] = {
    Letter.REQUEST: Switch.REQUESTS,
    Letter.RETURNED: Switch.REQUESTS,
    Letter.DIGEST: Switch.WAITING,
    Letter.RECEIPTS: Switch.RECEIPTS,
    Letter.STOPPED: None,
    Letter.ENDED: None,
    Letter.STEP: None,
    Letter.TABLE: None,
    Letter.SETTLED: None,
    Letter.LEAVE_ENDS: None,
    Letter.LEAVE_ENDED: None,
    Letter.LEAVE_STOPPED: None,
    Letter.GOING: None,
    Letter.EMERGENCY: None,
    Letter.ERASED: None,
    Letter.KEY: None,
    Letter.SIGNED_IN: None,
    Letter.FACTOR: None,
    Letter.SHARE: None,  # to whom something is shared with, who wishes nothing here
    Letter.SHARE_CODE: None,
    Letter.SHARE_OPENED: Switch.OPENED,
    Letter.SHARE_STOPPED: None,
}

# What goes in quiet hours too: somebody may have to do something at once, because it was not them.
AT_ONCE = frozenset(
    {
        Letter.STOPPED,
        Letter.LEAVE_STOPPED,
        Letter.EMERGENCY,
        Letter.ERASED,
        Letter.KEY,
        Letter.SIGNED_IN,
        Letter.FACTOR,
        Letter.SHARE_STOPPED,
    }
)

# How a share ends with nobody having to do anything: such a letter of these waits like any other.
BY_ITSELF = frozenset({"expired", "used-up"})

# Letters that come by schedule, and bear a way to be rid of them (RFC 8058).
BY_SCHEDULE = frozenset({Letter.DIGEST, Letter.RECEIPTS})


@dataclass(frozen=True, slots=True)
class Quiet:
    """From when until when somebody is left in peace, each day, by the clock on their wall; it may go over midnight."""

    begins: time
    ends: time

    def shown(self, wall: time) -> bool:
        """Is this a quiet time of the day? Its beginning is, its end is not."""
        if self.begins < self.ends:
            return self.begins <= wall < self.ends
        return wall >= self.begins or wall < self.ends


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person wishes of mail; as it is here until they say something. `version` counts their sayings."""

    off: frozenset[Switch] = frozenset()  # of those that are on or off alone
    receipts: Every = Every.WEEKLY
    hour: int = 8  # of the digests, 0 to 23
    quiet: Quiet | None = None
    phrase: str = ""  # "": none was chosen
    version: int = 0

    def lacks(self, switch: Switch) -> bool:
        """Is this switched off?"""
        return self.receipts is Every.OFF if switch is Switch.RECEIPTS else switch in self.off


def check(wishes: Wishes, held: Wishes) -> Wishes:
    """The wishes, if they can be kept in the place of those that are held: a phrase is one that a letter shows as it
    was chosen. Raises TextProblem by `hour`, `quiet` or `phrase`; of a phrase that stays, whatever rule it was chosen
    under, nothing is said.
    """
    if not 0 <= wishes.hour <= 23:
        raise TextProblem("hour", "Choose an hour from 0 to 23.")
    if wishes.quiet and wishes.quiet.begins == wishes.quiet.ends:
        raise TextProblem("quiet", "Quiet hours end at another time than they begin, or there are none.")
    if wishes.phrase != held.phrase:
        _check_phrase(wishes.phrase)
    return wishes


def _check_phrase(phrase: str) -> None:
    check_line(phrase, "phrase", MOST_PHRASE, empty=True)
    if hides(phrase):
        raise TextProblem("phrase", "It holds a character that nobody sees. Write it without.")
    if " ".join(phrase.split()) != phrase:
        raise TextProblem("phrase", "A letter shows one blank between two words, and none around them. Write it so.")
    if inert(phrase) != phrase:
        detail = "A mail program would make a link of it. Write it without @, :// and a dot with something behind it."
        raise TextProblem("phrase", detail)


def wants(wishes: Wishes, letter: Letter) -> bool:
    """Is this letter written to who wishes this?"""
    switch = SWITCHES[letter]
    return switch is None or not wishes.lacks(switch)


def without(wishes: Wishes, switch: Switch) -> Wishes:
    """The same wishes, and this switched off too."""
    if switch is Switch.RECEIPTS:
        return replace(wishes, receipts=Every.OFF)
    return replace(wishes, off=wishes.off | {switch})


def held_until(
    wishes: Wishes, letter: Letter, facts: Mapping[str, object], now: datetime, zone: tzinfo
) -> datetime | None:
    """When a letter that tells these facts may go, where it may not go now, in UTC; None where it may."""
    at_once = letter in AT_ONCE and facts.get("how") not in BY_ITSELF
    return None if wishes.quiet is None or at_once else quiet_until(wishes.quiet, now, zone)


def quiet_until(quiet: Quiet, now: datetime, zone: tzinfo) -> datetime | None:
    """The first moment after `now` at which the clock shows no quiet time any more, in UTC; None where it shows none.

    Where the clock leaps over the end, it is over with the leap; what the clock shows twice is quiet twice.
    """
    at = now.astimezone(UTC)
    while quiet.shown(_wall(at, zone)):
        due = at + _until(_wall(at, zone), quiet.ends)
        at = min(due, _leap(at, due, zone))
    return None if at == now else at


def _wall(at: datetime, zone: tzinfo) -> time:
    return at.astimezone(zone).timetz().replace(tzinfo=None)


def _until(wall: time, ends: time) -> timedelta:
    """How long until the clock shows this, if nobody changes it: more than nothing, at most a day."""
    passed = datetime.combine(date.min, ends) - datetime.combine(date.min, wall)
    return passed if passed > timedelta(0) else passed + _DAY


def _leap(after: datetime, upto: datetime, zone: tzinfo) -> datetime:
    """The moment within this span from which the clock is another; its end where there is none. Clocks are changed at
    whole seconds, and nowhere twice a day.
    """
    before, start = after.astimezone(zone).utcoffset(), after.replace(microsecond=0)
    seconds = range(int((upto - start).total_seconds()) + 2)
    moved = bisect_left(seconds, True, key=lambda each: (start + each * _SECOND).astimezone(zone).utcoffset() != before)
    return min(upto, start + moved * _SECOND)


# ---------------------------------------------------------------- by schedule
def next_digest(now: datetime, zone: tzinfo, hour: int) -> datetime:
    """When the clock of the reader's zone next shows this hour, in UTC. Where it leaps over it, an hour later."""
    day = now.astimezone(zone).date()
    while (at := _at(day, hour, zone)) <= now:
        day += _DAY
    return at


def digest_day(now: datetime, zone: tzinfo, hour: int) -> date | None:
    """The day whose digest may go at this moment, by the reader's calendar; None where its hour is long past."""
    today = now.astimezone(zone).date()
    for day in (today, today - _DAY):
        if timedelta(0) <= now - _at(day, hour, zone) < LATE:
            return day
    return None


def span_due(
    every: Every, now: datetime, zone: tzinfo, told_until: datetime | None
) -> tuple[datetime, datetime] | None:
    """From when until before when it is to be told now what was handed over, in UTC: up to the end of the last whole
    day, week (from Monday) or month of the reader's zone, from where the last telling ended, so that nothing is told
    twice and nothing left out. None where that is told already, and where they do without.
    """
    if every is Every.OFF:
        return None
    first, after = _period(every, now.astimezone(zone).date())
    start, end = told_until or _at(first, 0, zone), _at(after, 0, zone)
    return (start, end) if start < end else None


def settled_until(every: Every, now: datetime, zone: tzinfo) -> datetime:
    """Up to when all is told once that is told; for who does without, what is before today is told to nobody."""
    return _at(_period(every, now.astimezone(zone).date())[1], 0, zone)


def _period(every: Every, today: date) -> tuple[date, date]:
    """The last whole period before today: its first day, and the first one after it."""
    if every is Every.WEEKLY:
        after = today - timedelta(days=today.weekday())
        return after - timedelta(days=7), after
    if every is Every.MONTHLY:
        after = today.replace(day=1)
        return (after - _DAY).replace(day=1), after
    return today - _DAY, today


def _at(day: date, hour: int, zone: tzinfo) -> datetime:
    return datetime(day.year, day.month, day.day, hour, tzinfo=zone).astimezone(UTC)
