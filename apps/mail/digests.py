"""Whose digests are due, and what is told by schedule: rows, as facts.

One look a day at each person, at their hour. What waits is told on each day on which something does, what was handed
over once its day, week or month is at an end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib.auth import get_user_model
from django.db import transaction

from apps.mail import store, wished
from apps.mail.models import DigestRow
from apps.policy.letters import Given, Letter, pack
from apps.policy.wishes import Wishes, digest_day, next_digest, settled_until, span_due, wants
from vault.zones import zone_named


@dataclass(frozen=True, slots=True)
class Due:
    """A person whose digests are due since `due_at`: of which day of theirs (None: that is over, and nothing is told),
    whether they want to know what waits, and from when until before when it is to be told what was handed over.
    """

    user_id: UUID
    zone: ZoneInfo
    due_at: datetime
    day: date | None
    waiting: bool
    span: tuple[datetime, datetime] | None
    wishes: Wishes


@dataclass(frozen=True, slots=True)
class Telling:
    """A letter to be written: once for each `key`, about that vault or (None) about none alone."""

    letter: Letter
    key: str
    facts: Mapping[str, Given]
    vault_id: UUID | None = None


def welcome(now: datetime, limit: int) -> int:
    """Look up whoever is new here at their next hour; what was handed over is told to them from when they came. Returns
    how many these are, at most `limit`.
    """
    known = DigestRow.objects.values("to_id")
    strangers = get_user_model().objects.filter(is_active=True).exclude(pk__in=known).order_by("pk")
    found = list(strangers.values_list("pk", "time_zone", "date_joined")[:limit])
    said = wished.wishes_of([user_id for user_id, _, _ in found])
    rows = [
        DigestRow(
            to_id=user_id,
            due_at=next_digest(now, zone_named(zone), said.get(user_id, Wishes()).hour),
            told_until=came,
        )
        for user_id, zone, came in found
    ]
    DigestRow.objects.bulk_create(rows, ignore_conflicts=True)
    return len(found)


def due(now: datetime, limit: int) -> tuple[Due, ...]:
    """Whose digests are due, the longest waiting first."""
    rows = list(DigestRow.objects.filter(due_at__lte=now).order_by("due_at").select_related("to")[:limit])
    said = wished.wishes_of([row.to_id for row in rows])
    return tuple(_due(row, said.get(row.to_id, Wishes()), now) for row in rows)


def _due(row: DigestRow, wishes: Wishes, now: datetime) -> Due:
    zone = zone_named(row.to.time_zone)
    span = span_due(wishes.receipts, now, zone, row.told_until)
    day = digest_day(now, zone, wishes.hour)
    return Due(row.to_id, zone, row.due_at, day, wants(wishes, Letter.DIGEST), span, wishes)


def settle(found: Due, tellings: Sequence[Telling] | None, now: datetime) -> tuple[UUID, ...]:
    """Write these letters, and look again at the person's next hour: all of it or nothing. None, where another beat was
    first; and where they could not be found out (None) the same span is told next time. Returns the letters.
    """
    following = next_digest(now, found.zone, found.wishes.hour)
    moved: dict[str, datetime] = {"due_at": following}
    if tellings is not None and found.day is not None:
        moved["told_until"] = settled_until(found.wishes.receipts, now, found.zone)
    with transaction.atomic():
        if not DigestRow.objects.filter(to_id=found.user_id, due_at=found.due_at).update(**moved):
            return ()
        if found.day is None:
            return ()
        laid = [
            store.lay(each.letter, found.user_id, pack(each.letter, each.facts), each.key, each.vault_id)
            for each in tellings or ()
        ]
    return tuple(each for each in laid if each is not None)
