"""Whatever is added, put right, told late, taken back and said anew, in whatever zone: what the file said at a moment
and what was true at one are as a plain account of it says, by all that is known now, and by what was known at any time.
"""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.memories import services as memories
from apps.memories.services import past
from apps.policy.types import Holder, Memory, MemoryVersion, Refused
from apps.policy.vocabulary import Refusal
from tests.cast import Vault, canary
from tests.erasing import erase

BEGINNING = datetime(2024, 10, 20, 12, 30, 15, tzinfo=UTC)  # clocks are put back and on in what follows
ZONES = ("UTC", "Europe/Lisbon", "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/Asuncion", "Africa/Cairo")
MINUTE = timedelta(minutes=1)


# ---------------------------------------------------------------- a plain account of it
@dataclass(frozen=True)
class Line:
    """A version, as whoever keeps the account writes it down. `below`: what was said before it, to go back to."""

    version: int
    made: datetime
    start: datetime
    end: datetime | None
    late: bool
    below: "Line | None"
    given_start: datetime | None
    wrong: bool = False
    begun: bool = True  # somebody said when it began


class Account:
    """Everything that was told, in the order in which it was told: the lines as they were after each deed."""

    def __init__(self) -> None:
        self.states: list[tuple[datetime, list[Line]]] = []

    def known(self, at: datetime | None) -> list[Line]:
        """The lines as they were known at a moment, or are by now."""
        states = [lines for when, lines in self.states if at is None or when <= at]
        return states[-1] if states else []

    @property
    def current(self) -> Line:
        return [each for each in self.known(None) if not each.late][-1]

    def told(self, line: Line, *, wrong: bool = False) -> None:
        """A line joins; where it takes the place of the current one, that was wrong, or it was not."""
        lines = list(self.known(None))
        if not line.late and lines:
            at = lines.index(self.current)
            lines[at] = replace(lines[at], wrong=wrong)
        self.states.append((line.made, [*lines, line]))

    def said(self, at: datetime) -> int | None:
        """What stood in the file then."""
        stood = [each.version for each in self.known(at) if not each.late]
        return stood[-1] if stood else None

    def true(self, at: datetime, known: datetime | None) -> int | None:
        """Of all that is right, what began last of what was true then."""
        lines = self.known(known)
        stood = [each for each in lines if not each.late]
        begins = sorted(each.start for each in stood if not each.wrong)
        found = []
        for each in lines:
            after = stood[stood.index(each) + 1 :] if not each.late else []
            if each.end is not None:
                end = each.end
            elif each.late:
                end = next((begin for begin in begins if begin > each.start), datetime.max.replace(tzinfo=UTC))
            else:
                end = after[0].start if after else datetime.max.replace(tzinfo=UTC)
            if not each.wrong and each.start <= at < end:
                found.append((each.start, each.version))
        return max(found)[1] if found else None


def begins(day: date, zone: ZoneInfo) -> datetime:
    """The first minute of a day in a zone, by looking at every clock on the way."""
    at = datetime(day.year, day.month, day.day, tzinfo=UTC) - timedelta(hours=15)
    while at.astimezone(zone).date() < day:
        at += 15 * MINUTE
    return at


# ---------------------------------------------------------------- what is done
@dataclass(frozen=True)
class Time:
    """When something was true: so many days before it is told, as a day or as a moment."""

    back: int
    day: bool

    def written(self, now: datetime, zone: ZoneInfo) -> str:
        at = now - timedelta(days=self.back, hours=3)
        return at.astimezone(zone).date().isoformat() if self.day else at.strftime("%Y-%m-%dT%H:%M:%SZ")


def start_of(written: str, zone: ZoneInfo) -> datetime | None:
    if not written:
        return None
    return datetime.fromisoformat(written) if "T" in written else begins(date.fromisoformat(written), zone)


def end_of(written: str, zone: ZoneInfo) -> datetime | None:
    if not written or "T" in written:
        return start_of(written, zone)
    return begins(date.fromisoformat(written) + timedelta(days=1), zone)


TIMES = st.none() | st.builds(Time, st.sampled_from([0, 1, 2, 7, 20, 45, 90]), st.booleans())
DEEDS = st.tuples(
    st.sampled_from(["correct", "correct", "change", "change", "revert", "reaffirm", "away"]),
    st.integers(1, 30),  # days after the one before
    TIMES,  # from when
    st.none() | st.integers(1, 60),  # for how many days
    st.integers(0, 9),
)


class Keeping:
    """The memory over the real services, and the account of it."""

    def __init__(self, vault: Vault, zone: str) -> None:
        self.zone, self.now = ZoneInfo(zone), BEGINNING
        self.holder: Holder = replace(vault.holder, time_zone=zone)
        self.account = Account()

    def dates(self, start: Time | None, days: int | None) -> dict[str, str]:
        """The two dates as they are written; the end lies after the start."""
        since = start.written(self.now, self.zone) if start is not None else ""
        if days is None:
            return {"valid_from": since, "valid_to": ""}
        first = (start_of(since, self.zone) or self.now) + timedelta(days=days)
        return {"valid_from": since, "valid_to": first.astimezone(self.zone).date().isoformat()}

    def add(self, start: Time | None, days: int | None) -> None:
        dates = self.dates(start, days)
        made = memories.add(self.holder, label=canary(), value=canary(), now=self.now, **dates)
        assert isinstance(made, Memory)
        self.memory_id: UUID = made.memory_id
        since, until = start_of(dates["valid_from"], self.zone), end_of(dates["valid_to"], self.zone)
        begun = since is not None
        self.account.told(Line(1, self.now, since or self.now, until, False, None, since, begun=begun))

    def correct(self, start: Time | None, days: int | None, *, changed: bool) -> None:
        dates, old = self.dates(start, days), self.account.current
        done = memories.correct(
            self.holder, self.memory_id, value=canary(), changed=changed, now=self.now, on_purpose=True, **dates
        )
        assert isinstance(done, Memory)
        since, until = start_of(dates["valid_from"], self.zone), end_of(dates["valid_to"], self.zone)
        over = until is not None and until <= self.now
        late = over or (changed and old.begun and since is not None and since < old.start)
        version = max(each.version for each in self.lines())
        first = since or (self.now if changed or late else old.start)
        begun = since is not None or changed or old.begun
        line = Line(version, self.now, first, until, late, old, since, begun=begun)
        self.account.told(line, wrong=not changed)
        assert done.version == (old.version if late else version)

    def revert(self) -> None:
        old = self.account.current
        done = memories.revert(self.holder, self.memory_id, self.now)
        if old.below is None:
            assert done == Refused(Refusal.NOTHING_BEFORE)
            return
        assert isinstance(done, Memory)
        self.again(old.below, done.version, wrong=True)

    def reaffirm(self, which: int, *, changed: bool) -> None:
        stood = [each for each in self.account.known(None) if not each.late]
        line = stood[which % len(stood)]
        done = memories.reaffirm(self.holder, self.memory_id, line.version, self.now, changed=changed)
        assert isinstance(done, Memory)
        if line.version != self.account.current.version:
            self.again(line, done.version, wrong=not changed)

    def again(self, line: Line, version: int, *, wrong: bool) -> None:
        """What was said once is said anew, with its dates."""
        old = self.account.current
        first = line.given_start or (old.start if wrong else self.now)
        below = line.below if wrong else old
        begun = line.given_start is not None or not wrong or old.begun
        made = Line(version, self.now, first, line.end, False, below, line.given_start, begun=begun)
        self.account.told(made, wrong=wrong)

    def lines(self) -> tuple[MemoryVersion, ...]:
        return memories.history(self.holder, self.memory_id)

    def asked(self, **at: datetime | None) -> int | None:
        """The version that answers."""
        found = past.as_then(self.holder, **at)
        return next((each.line.version for each in found if each.memory.memory_id == self.memory_id), None)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(ZONES),
    TIMES,
    st.none() | st.integers(1, 60),
    st.lists(DEEDS, min_size=1, max_size=8),
    st.lists(st.tuples(st.integers(-100, 300), st.integers(0, 23), st.integers(0, 300)), min_size=4, max_size=8),
)
def test_what_was_said_and_true_is_as_the_account_says(
    alice: Vault,
    zone: str,
    start: Time | None,
    days: int | None,
    deeds: list[tuple[str, int, Time | None, int | None, int]],
    asked: list[tuple[int, int, int]],
) -> None:
    keeping = Keeping(alice, zone)
    keeping.add(start, days)
    for deed, later, since, for_days, which in deeds:
        keeping.now += timedelta(days=later, minutes=later)
        if deed in ("correct", "change"):
            keeping.correct(since, for_days, changed=deed == "change")
        elif deed == "revert":
            keeping.revert()
        elif deed == "reaffirm":
            keeping.reaffirm(which, changed=which % 2 == 0)
        else:  # what is offered to nobody was said and true all the same
            assert isinstance(memories.put_away(keeping.holder, keeping.memory_id, keeping.now), Memory)
            assert isinstance(memories.put_back(keeping.holder, keeping.memory_id, keeping.now), Memory)
    account = keeping.account
    edges = [edge for each in account.known(None) for edge in (each.made, each.start, each.end) if edge is not None]
    moments = [(BEGINNING + timedelta(days=at, hours=hour), BEGINNING + timedelta(days=k)) for at, hour, k in asked]
    moments += [
        (edge - timedelta(seconds=back), known) for edge in edges for back in (0, 1) for _, known in moments[:1]
    ]
    for at, known in moments:
        assert keeping.asked(known_at=at) == account.said(at), (at, "said")
        assert keeping.asked(true_at=at) == account.true(at, None), (at, "true, as is known now")
        assert keeping.asked(true_at=at, known_at=known) == account.true(at, known), (at, known)


@pytest.mark.parametrize("deeds", [0, 2])
def test_what_was_erased_was_never_said_and_never_true(alice: Vault, deeds: int) -> None:
    keeping = Keeping(alice, "Europe/Lisbon")
    keeping.add(Time(20, day=True), None)
    for _ in range(deeds):
        keeping.now += timedelta(days=5)
        keeping.correct(None, None, changed=True)
    assert keeping.asked(known_at=keeping.now) == keeping.asked(true_at=keeping.now) == deeds + 1
    alice.ids["told"] = keeping.memory_id
    erase(alice, "told")
    for at in (BEGINNING - timedelta(days=10), BEGINNING, keeping.now):
        assert keeping.asked(known_at=at) is keeping.asked(true_at=at) is None
