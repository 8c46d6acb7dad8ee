"""A share: a link over chosen ordinary memories, counted and expiring. What may be in one, what it carries now, and who
is let in: the only rules of that. Pure.

A share is live and never widens: what is corrected or erased leaves it, what is put away, sealed, special or kept to
this place is not in it while it is so, and what is new never joins. Ways in which it ends look alike from outside.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from apps.policy.ids import typed
from apps.policy.letters import MOST_WORDS
from apps.policy.people import SpacePolicy
from apps.policy.rules import goes_there, item_of, living, project
from apps.policy.text import MOST_LABEL, TextProblem, check_line, check_value, lines, subject_of
from apps.policy.types import Authority, Memory, Plan, Refused
from apps.policy.vocabulary import ReceiptKind, Refusal

HOUR = timedelta(hours=1)
LASTS, OPENS = HOUR, 3  # of a new share, unless it says otherwise
SHORTEST = timedelta(minutes=1)
MOST_MEMORIES = 50
MOST_RECIPIENTS = 5
MOST_NOTE = MOST_WORDS  # the letter with the link carries it whole
VIEWING = timedelta(minutes=15)  # for so long an opening may be looked at again, by the same browser
TRIES = 5  # of a code, by one link; then it takes none for a while
WAIT = timedelta(minutes=15)  # after the fifth wrong one, and twice as long after each that follows
MOST_TRIES = 20  # of the codes of a share, by all its links; then it has ended. One link alone has fewer in 30 days
CODE_LASTS = timedelta(minutes=15)
PIN_DIGITS = (6, 12)
MOST_VIEWS = 100  # of one opening
MOST_NOTES_BACK = 3  # a link
MOST_NOTE_BACK = 2_000
_SHORT = 60  # characters of whom a note is from, in its subject
KEPT = timedelta(days=30)  # once it has ended


class Code(StrEnum):
    """What a link asks for besides itself."""

    NONE = "none"
    MAIL = "mail"  # six digits, mailed after the press to whom the link is for
    PIN = "pin"  # what the sender said to them in another way


class ShareState(StrEnum):
    """How a share stands, for its owner."""

    LIVE = "live"
    STOPPED = "stopped"
    EXPIRED = "expired"
    USED_UP = "used-up"
    LOCKED = "locked"  # its code was tried too often


@dataclass(frozen=True, slots=True)
class Recipient:
    """Whom a link is for, as the sender wrote it. Without an address the sender hands the link over."""

    name: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class ShareItem:
    """A memory in a share, in the version that it had then."""

    memory_id: UUID
    version: int


@dataclass(frozen=True, slots=True)
class Link:
    """One token of a share. `name` and `address` are "" where nobody is named. `challenge_id` leads to the code that
    was mailed last.
    """

    link_id: UUID
    share_id: UUID
    name: str
    address: str
    stopped_at: datetime | None = None
    challenge_id: UUID | None = None
    challenged_at: datetime | None = None
    notes: int = 0  # left by whoever opened it
    wrong: int = 0  # codes that were typed by it
    wrong_at: datetime | None = None  # the last of them

    @property
    def recipient(self) -> str:
        """As receipts name whoever opens it."""
        return typed("lnk", self.link_id)


@dataclass(frozen=True, slots=True)
class Opening:
    """One counted use of a link; `views` are looks within the minutes after it."""

    opening_id: UUID
    share_id: UUID
    link_id: UUID
    opened_at: datetime
    views: int
    last_view_at: datetime | None
    client: str  # coarsely: "Firefox on Windows"


@dataclass(frozen=True, slots=True)
class Share:
    """What was shared, and how far it is. `terms_version` moves by stopping, not by opening."""

    share_id: UUID
    terms_version: int
    made_at: datetime
    made_by: str
    sender: str
    note: str
    code: Code
    expires_at: datetime
    opens_most: int
    opens_left: int
    tries_left: int
    stopped_at: datetime | None
    locked_at: datetime | None
    ended_at: datetime | None  # when its end by the clock, or by being used up, was written down
    items: tuple[ShareItem, ...] = ()
    links: tuple[Link, ...] = ()

    @property
    def opens(self) -> int:
        """How often it was opened."""
        return self.opens_most - self.opens_left


# ---------------------------------------------------------------- what may be shared
def may_be_shared(memory: Memory) -> bool:
    """Is it what a share may carry: approved and holding now, ordinary, and not kept to this place?"""
    return living(memory) and not memory.category.special and goes_there(memory, local=False)


def authorize_share(memories: Mapping[UUID, Memory], asked: Sequence[UUID], settled: SpacePolicy) -> Refused | None:
    """May these memories be shared? The only rule of it. `memories` are those of them that the seat sees.

    Refused as no-shares where the space lets nobody share; with the pointer of the first line that may not be in one:
    as never-shared for a special category, local-only for what is kept to this place, and not-found for all else,
    whether it is unknown, put away, over or not this seat's to see. Raises TextProblem for none, or too many.
    """
    if settled.share_hours_most == 0:
        return Refused(Refusal.NO_SHARES)
    if not 1 <= len(asked) <= MOST_MEMORIES:
        raise TextProblem("memories", f"They are {len(asked)}; choose between 1 and {MOST_MEMORIES}.")
    for index, memory_id in enumerate(asked):
        found = memories.get(memory_id)
        if found is None or not may_be_shared(found):
            return Refused(_why_not(found), f"/memories/{index}")
    return None


def _why_not(memory: Memory | None) -> Refusal:
    if memory is None or not living(memory):
        return Refusal.NOT_FOUND
    return Refusal.NEVER_SHARED if memory.category.special else Refusal.LOCAL_ONLY


def check_terms(lasts: timedelta, opens: int, settled: SpacePolicy) -> None:
    """May a share last so long, for so many openings? Raises TextProblem for `lasts` or `opens`."""
    hours = settled.share_hours_most
    if not SHORTEST <= lasts <= hours * HOUR:
        raise TextProblem("lasts", f"A share lasts from a minute to {hours} hours here.")
    if not 1 <= opens <= settled.share_opens_most:
        raise TextProblem("opens", f"A share can be opened from 1 to {settled.share_opens_most} times here.")


def code_of(chosen: Code | None, recipients: Sequence[Recipient]) -> Code:
    """The code that is asked for: the chosen one; else the mailed one where everybody named has an address, or none."""
    named = bool(recipients) and all(each.address.strip() for each in recipients)
    return chosen if chosen is not None else Code.MAIL if named else Code.NONE


def check_recipients(recipients: Sequence[Recipient], code: Code) -> tuple[Recipient, ...]:
    """Whom it is for, as it is kept. Raises TextProblem for more than five, for one without a name or named twice, and
    for one without an address where the code goes by mail. Of a `name`, its place from "0" is the `part`. Whether an
    address is one is not looked at here.
    """
    if len(recipients) > MOST_RECIPIENTS:
        raise TextProblem("recipients", f"They are {len(recipients)}; at most {MOST_RECIPIENTS} can be named.")
    kept = tuple(Recipient(_name(each, str(at)), each.address.strip()) for at, each in enumerate(recipients))
    addresses = [each.address.casefold() for each in kept if each.address]
    if len({each.name.casefold() for each in kept}) < len(kept) or len(set(addresses)) < len(addresses):
        raise TextProblem("recipients", "Two of them are the same. Name each one once.")
    if code is Code.MAIL and (not kept or any(not each.address for each in kept)):
        raise TextProblem("code", "A code by mail needs somebody to mail it to. Name them with an address.")
    return kept


def _name(recipient: Recipient, part: str) -> str:
    try:
        return check_line(recipient.name, "name").strip()
    except TextProblem as problem:
        raise TextProblem("name", problem.detail, part) from None


def check_pin(pin: str, code: Code) -> str:
    """The PIN itself. Raises TextProblem for one of other than 6 to 12 digits, and for one that nothing asks for."""
    least, most = PIN_DIGITS
    if code is not Code.PIN:
        if pin:
            raise TextProblem("pin", "A PIN is asked for only where you choose a spoken PIN. Leave it empty.")
        return ""
    if not (pin.isascii() and pin.isdigit() and least <= len(pin) <= most):
        raise TextProblem("pin", f"Write {least} to {most} digits, and say them to whoever is to open it.")
    if len(set(pin)) == 1 or pin in "01234567890123456789" or pin in "98765432109876543210":
        raise TextProblem("pin", "This one is guessed at once. Choose digits that do not follow each other.")
    return pin


def check_note(note: str) -> str:
    """The sender's words: at most 300 characters in lines, or none. Raises TextProblem."""
    told = note.strip()
    if len(told) > MOST_NOTE:
        raise TextProblem("note", f"It is {len(told)} characters long; at most {MOST_NOTE} are kept.")
    return "\n".join(check_line(each, "note", MOST_NOTE, empty=True) for each in lines(told))


def check_note_back(text: str) -> str:
    """A recipient's words, byte for byte. Raises TextProblem."""
    if len(text) > MOST_NOTE_BACK:
        raise TextProblem("note", f"It is {len(text)} characters long; at most {MOST_NOTE_BACK} are kept.")
    return check_value(text, "note")


def noted_as(link: Link, number: int) -> tuple[str, str]:
    """The subject and the label of the note that a recipient left, of which it is the first, the second and so on. Each
    has a subject of its own: two notes contradict each other no more than two letters do, and both can be kept.
    """
    whom, later = link.name or "a link you shared", f" ({number})" if number > 1 else ""
    subject = f"notes.{subject_of(whom)[:_SHORT].strip('-')}-{link.link_id.hex[-6:]}.{number}"
    return subject, f"A note from {whom}"[: MOST_LABEL - len(later)] + later


# ---------------------------------------------------------------- what it carries, and who is let in
def shown(share: Share, memories: Iterable[Memory]) -> tuple[Memory, ...]:
    """What the share carries now: of its memories those that may be shared still and say what they said then, in the
    order chosen.
    """
    now = {each.memory_id: each for each in memories if may_be_shared(each)}
    found = [(now.get(each.memory_id), each.version) for each in share.items]
    return tuple(memory for memory, version in found if memory is not None and memory.version == version)


def state_of(share: Share, now: datetime) -> ShareState:
    """How it stands. What a person did is said before what the clock did; its last second ends at `expires_at`. With
    its last try it is locked, whether or not somebody came to write that down.
    """
    if share.stopped_at is not None:
        return ShareState.STOPPED
    if share.locked_at is not None or share.tries_left == 0:
        return ShareState.LOCKED
    if share.expires_at <= now:
        return ShareState.EXPIRED
    return ShareState.LIVE if share.opens_left > 0 else ShareState.USED_UP


def stands(share: Share, now: datetime) -> bool:
    """Is it neither stopped nor locked nor over? Used up, it stands still for whoever opened it, who may look again."""
    return state_of(share, now) in (ShareState.LIVE, ShareState.USED_UP)


def may_be_seen(share: Share, openings: Iterable[Opening], now: datetime) -> bool:
    """Can anything be handed over by it still, to whoever presses or to whoever looks again? Then it can be stopped."""
    state = state_of(share, now)
    looked_at = state is ShareState.USED_UP and any(now < each.opened_at + VIEWING for each in openings)
    return state is ShareState.LIVE or looked_at


def admit_opening(share: Share | None, link: Link | None, now: datetime) -> Refused | None:
    """May this link be opened now? The only admission. Every no is the same one."""
    if share is None or link is None or link.stopped_at is not None or state_of(share, now) is not ShareState.LIVE:
        return Refused(Refusal.SHARE_GONE)
    return None


def admit_view(share: Share | None, link: Link | None, opening: Opening | None, now: datetime) -> Refused | None:
    """May what was opened be looked at again? Within fifteen minutes, while the share is neither stopped nor over."""
    if share is None or link is None or opening is None:
        return Refused(Refusal.SHARE_GONE)
    both_stand = stands(share, now) and link.stopped_at is None
    fresh = opening.link_id == link.link_id and now < opening.opened_at + VIEWING and opening.views < MOST_VIEWS
    return None if both_stand and fresh else Refused(Refusal.SHARE_GONE)


def waits_until(link: Link, now: datetime) -> datetime | None:
    """From when this link takes a code again, after too many wrong ones; None where it does now."""
    if link.wrong < TRIES or link.wrong_at is None:
        return None
    until = link.wrong_at + WAIT * 2 ** (link.wrong - TRIES)
    return until if now < until else None


def opening_plan(
    share: Share, carried: Sequence[Memory], opening_id: UUID, kind: ReceiptKind, client: str = ""
) -> Plan:
    """An opening, or a view of one, before it is stamped. An attested memory goes by its proof alone. `client` is with
    what it is opened, coarsely.
    """
    items = tuple(item_of(each, project(each)) for each in carried)
    authority = Authority("shr", share.share_id, share.terms_version)
    return Plan(kind, authority, items, request=typed("opn", opening_id), client=client)
