"""Emergencies: in a clinic that allows it, somebody opens a file there for an hour without being asked in. Pure.

What makes up for that: few may, they say why, everybody concerned is told at once, and somebody else looks afterwards.
Times are aware datetimes in UTC.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from apps.policy.people import Membership, SpacePolicy, actor
from apps.policy.text import TextProblem, check_line, pieces
from apps.policy.types import Refused
from apps.policy.vocabulary import EmergencyEnd, EmergencyFinding, EmergencyReason, Refusal, Role

LASTS = timedelta(minutes=60)
STEP_UP = timedelta(minutes=5)  # how long it holds that somebody has shown who they are
REVIEW_WITHIN = timedelta(hours=72)
LEAST_NOTE = 10
MOST_NOTE = MOST_WORDS = 280
MISSES_PER_HOUR = 20  # numbers and addresses that lead to nobody: a limit to guessing
LOOKS_PER_HOUR = 100  # that name somebody; opening looks once more
MOST_WHOM = 254


@dataclass(frozen=True, slots=True)
class Patient:
    """Whom a number or an address is, in one space."""

    vault_id: UUID
    user_id: UUID
    name: str


@dataclass(frozen=True, slots=True)
class Emergency:
    """One hour at one vault, by its delegation's id. `note` None: it was erased. `allowed`: the clinic still lets this
    person do it, and the vault still stands there.
    """

    emergency_id: UUID
    vault_id: UUID
    space_id: UUID
    space_name: str
    user_id: UUID
    name: str
    holder_name: str
    reason: EmergencyReason
    note: str | None
    entered_at: datetime
    ends_at: datetime
    due_at: datetime
    allowed: bool = True
    left_at: datetime | None = None
    how: EmergencyEnd | None = None
    finding: EmergencyFinding | None = None
    words: str = ""
    reviewed_at: datetime | None = None

    @property
    def actor(self) -> str:
        return actor(Role.EMERGENCY, self.user_id)

    def ended(self, now: datetime) -> EmergencyEnd | None:
        """By what it is over, whether that was written down yet or not; None while it lasts."""
        if self.how is not None:
            return self.how
        if self.ends_at <= now:
            return EmergencyEnd.TIME_OVER
        return None if self.allowed else EmergencyEnd.TAKEN_AWAY

    def minutes_left(self, now: datetime) -> int:
        """Begun minutes until it is over."""
        return max(-((now - self.ends_at) // timedelta(minutes=1)), 0)

    def late(self, now: datetime) -> bool:
        """Should somebody have looked at it by now?"""
        return self.reviewed_at is None and self.due_at <= now


# ---------------------------------------------------------------- coming in
def opens(place: Membership, settled: SpacePolicy) -> bool:
    """May this member open files of this space in an emergency? A clinic switches it on, and its admins say who."""
    return place.kind == "clinic" and settled.break_glass and Role.EMERGENCY in place.roles


def fresh(proved_at: datetime | None, now: datetime) -> bool:
    """Did they show just now who they are?"""
    return proved_at is not None and proved_at <= now < proved_at + STEP_UP


def judge_entry(
    *, own: bool, acts_there: bool, opened: bool, proved_at: datetime | None, now: datetime
) -> Refused | None:
    """May they come in now? Stale: they show anew who they are. Not into their own file, nor where they act anyway; and
    into one at a time.
    """
    if not fresh(proved_at, now):
        return Refused(Refusal.STALE)
    if own or acts_there:
        return Refused(Refusal.NOT_YOURS)
    return Refused(Refusal.ALREADY_DECIDED) if opened else None


def check_note(text: str) -> str:
    """Why, in a line of 10 to 280 characters that can be seen. Raises TextProblem."""
    said = check_line(text, "note", MOST_NOTE)
    if sum(not hidden and not shown.isspace() for shown, hidden in pieces(said)) < LEAST_NOTE:
        raise TextProblem("note", f"Write why, in at least {LEAST_NOTE} letters: somebody will read it afterwards.")
    return said


# ---------------------------------------------------------------- looking afterwards
def reviewers(settled: SpacePolicy, members: Iterable[Membership], used_by: UUID) -> frozenset[UUID]:
    """Who looks at it: the clinic's privacy lead, who is never the one who did it; then any admin who is not."""
    others = {each.user_id: each for each in members if each.user_id != used_by}
    if settled.privacy_lead in others:
        return frozenset({others[settled.privacy_lead].user_id})
    return frozenset(user_id for user_id, each in others.items() if Role.ADMIN in each.roles)


def judge_finding(found: Emergency | None) -> Refused | None:
    """May whoever looks at it say what they make of it? Once it is over, and nobody has."""
    if found is None or found.left_at is None:
        return Refused(Refusal.NOT_FOUND)
    return Refused(Refusal.ALREADY_DECIDED) if found.finding is not None else None
