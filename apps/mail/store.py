"""Rows of mail, as facts. A letter is written with an act; what becomes of it afterwards is the post's bookkeeping."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Count, F, Min, Q
from django.db.models.functions import Now

from apps.ledger.log import ALIAS, Act
from apps.mail import wished
from apps.mail.models import DigestRow, LetterRow, WishesRow
from apps.policy.arriving import Course, Told, course_of
from apps.policy.letters import Letter, Packed, reachable
from apps.policy.wishes import Wishes, wants


@dataclass(frozen=True, slots=True)
class Envelope:
    """A letter taken in hand: to which address ("": there is none), for a reader in which zone. `attempts` counts this
    one.
    """

    letter_id: UUID
    letter: Letter
    to: str
    time_zone: str
    facts: Mapping[str, Packed]
    made_at: datetime
    attempts: int
    at: datetime  # now, by the database's clock
    reader: UUID | None  # None: nobody who has an account here
    wishes: Wishes  # the reader's


@dataclass(frozen=True, slots=True)
class Post:
    """How the post stands: letters not sent yet, since when the oldest waits, the last trouble; those given up; and
    those that came back, for good or not.
    """

    waiting: int
    since: datetime | None
    trouble: str
    failed: int
    back: int
    delayed: int


@dataclass(frozen=True, slots=True)
class Sent:
    """A letter to an address that is nobody's here, for whoever had it sent: which, under which key, how far it is."""

    letter: Letter
    key: str
    made_at: datetime
    course: Course


# ---------------------------------------------------------------- writing
def keep(
    act: Act, letter: Letter, to: UUID, facts: Mapping[str, Packed], key: str, series: str | None, quiet: timedelta
) -> UUID | None:
    """Lay a letter into the outbox. None where it is there already, where one of its series was written just now, where
    the person has no address, and where they do without it.
    """
    return _keep(act.vault_id, letter, to, facts, key, series, quiet)


def lay(letter: Letter, to: UUID, facts: Mapping[str, Packed], key: str, vault_id: UUID | None) -> UUID | None:
    """The same where nothing was done."""
    return _keep(vault_id, letter, to, facts, key, None, timedelta(0))


def keep_outside(
    act: Act, letter: Letter, address: str, zone: str, facts: Mapping[str, Packed], key: str
) -> UUID | None:
    """The same to an address that is nobody's account. None where it is there already, and for no address."""
    if not reachable(address):
        return None
    row, made = LetterRow.objects.get_or_create(
        to=None,
        vault_id=act.vault_id,
        letter=letter.value,
        key=key,
        defaults={"address": address, "zone": zone, "facts": dict(facts)},
    )
    return row.letter_id if made else None


def _keep(
    vault_id: UUID | None,
    letter: Letter,
    to: UUID,
    facts: Mapping[str, Packed],
    key: str,
    series: str | None,
    quiet: timedelta,
) -> UUID | None:
    person = get_user_model().objects.filter(pk=to, is_active=True).first()
    if person is None or not reachable(person.email) or not wants(wished.wishes(to), letter):
        return None
    rows = LetterRow.objects.filter(to_id=to, letter=letter.value)
    if series and rows.filter(key__startswith=series, made_at__gt=Now() - quiet).exists():
        return None
    row, made = rows.get_or_create(
        key=key, defaults={"to_id": to, "letter": letter.value, "vault_id": vault_id, "facts": dict(facts)}
    )
    return row.letter_id if made else None


def once_it_stands(deed: Callable[[], None]) -> None:
    """Do this after the commit of the transaction in hand, never where it is rolled back. If it cannot be done, that
    is logged and undoes nothing.
    """
    transaction.on_commit(deed, using=ALIAS, robust=True)


# ---------------------------------------------------------------- sending
def due(limit: int) -> tuple[UUID, ...]:
    """Letters whose time has come, the longest waiting first."""
    rows = LetterRow.objects.filter(sent_at=None, failed=False, due_at__lte=Now()).order_by("due_at")
    return tuple(rows.values_list("letter_id", flat=True)[:limit])


def claim(letter_id: UUID, lease: timedelta) -> Envelope | None:
    """Take a letter in hand for as long as `lease`; None where somebody else has it, or it is at its end.

    A compare-and-set on when it is due: of two workers one moves it, and the other finds it not due any more. No row
    stays locked and no transaction open while a mail server is spoken to.
    """
    rows = LetterRow.objects.filter(letter_id=letter_id, sent_at=None, failed=False, due_at__lte=Now())
    if not rows.update(attempts=F("attempts") + 1, due_at=Now() + lease):
        return None
    row = LetterRow.objects.select_related("to").annotate(at=Now()).get(letter_id=letter_id)
    person, to, zone = row.to, row.address, row.zone
    if person is not None:
        to, zone = person.email if person.is_active and reachable(person.email) else "", person.time_zone
    wishes = wished.wishes(person.pk) if person is not None else Wishes()
    return Envelope(
        letter_id, Letter(row.letter), to, zone, row.facts, row.made_at, row.attempts, row.at, row.to_id, wishes
    )


def hold(letter_id: UUID, until: datetime) -> None:
    """Leave it for later: nobody tried to send it."""
    LetterRow.objects.filter(letter_id=letter_id, sent_at=None).update(due_at=until, attempts=F("attempts") - 1)


_EMPTIED: Mapping[str, object] = {"facts": {}, "address": ""}


def sent(letter_id: UUID) -> None:
    """It has gone. What it said, and an address that is nobody's here, are not kept."""
    LetterRow.objects.filter(letter_id=letter_id, sent_at=None).update(
        sent_at=Now(), trouble="", failed=False, **_EMPTIED
    )


def put_off(letter_id: UUID, trouble: str, wait: timedelta | None) -> None:
    """It could not be sent: try again after `wait`, or (None) give it up, with what it said."""
    moved = {"failed": True, **_EMPTIED} if wait is None else {"due_at": Now() + wait}
    LetterRow.objects.filter(letter_id=letter_id, sent_at=None).update(trouble=trouble[:64], **moved)


def forget(kept: timedelta) -> int:
    """Take away what reached its end so long ago. How many letters."""
    over = (Q(failed=True) | Q(sent_at__isnull=False)) & Q(made_at__lt=Now() - kept)
    return LetterRow.objects.filter(over).delete()[0]


def end(act: Act, user_id: UUID | None = None) -> int:
    """Take away every letter about the vault, or (`user_id`) to a person, with what they wished of them. How many."""
    if user_id is None:
        return LetterRow.objects.filter(vault_id=act.vault_id).delete()[0]
    DigestRow.objects.filter(to_id=user_id).delete()
    WishesRow.objects.filter(to_id=user_id).delete()
    return LetterRow.objects.filter(to_id=user_id).delete()[0]


def post() -> Post:
    """How the post stands. What is held for somebody's quiet hours waits, and is not late."""
    open_ones = Q(sent_at=None, failed=False)
    late = open_ones & (Q(due_at__lte=Now()) | Q(attempts__gt=0))
    found = LetterRow.objects.aggregate(
        waiting=Count("pk", filter=open_ones),
        since=Min("made_at", filter=late),
        failed=Count("pk", filter=Q(failed=True)),
        back=Count("pk", filter=Q(bounced=Told.HARD.value)),
        delayed=Count("pk", filter=Q(bounced=Told.SOFT.value)),
    )
    last = LetterRow.objects.filter(open_ones).exclude(trouble="").order_by("-due_at").first()
    return Post(trouble=last.trouble if last else "", **found)


# ---------------------------------------------------------------- what became of them
def note(letter_id: UUID, told: Told) -> bool:
    """What its provider tells of a letter. What came back stays so, whatever is told later. True if it is one of ours
    and something is new.
    """
    rows = LetterRow.objects.filter(letter_id=letter_id).exclude(bounced=Told.HARD.value)
    bounced = "" if told is Told.ARRIVED else told.value
    return rows.exclude(bounced=bounced).update(bounced=bounced) == 1


def letters_of(vault_id: UUID, keys: str) -> tuple[Sent, ...]:
    """The letters of a vault to addresses that are nobody's here, whose key begins so; the oldest first."""
    rows = LetterRow.objects.filter(to=None, vault_id=vault_id, key__startswith=keys).order_by("made_at")
    return tuple(
        Sent(Letter(row.letter), row.key, row.made_at, course_of(row.sent_at is not None, row.failed, row.bounced))
        for row in rows
    )


def take_back(act: Act, keys: str) -> int:
    """Send none of these that has not gone yet. How many."""
    rows = LetterRow.objects.filter(to=None, vault_id=act.vault_id, key__startswith=keys, sent_at=None, failed=False)
    return rows.delete()[0]
