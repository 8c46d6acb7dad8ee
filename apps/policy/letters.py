"""Which letters there are, what each may carry, and when they go. Pure.

What may stand in a letter is a closed table of facts: names of people, spaces and assistants, numbers, times, words of
closed lists and ids. No fact is a text about somebody, so no label, value, purpose note or condition gets into a mail,
its subject or the table in which letters wait. The one text is what a sender writes to whom they share with: it stands
in that letter's body alone, quoted.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import Enum, StrEnum, auto

from apps.policy.text import lines, visible
from apps.policy.vocabulary import EmergencyReason, Level


@dataclass(frozen=True, slots=True)
class Reads:
    """How often an assistant, by its name, read; how many of these reads were of a special category; and how often it
    was refused."""

    name: str
    reads: int
    protected: int
    refused: int


@dataclass(frozen=True, slots=True)
class Days:
    """A span of days: the first and the last."""

    first: date
    last: date


Given = str | int | bool | date | datetime | Days | tuple[Reads, ...] | None
Packed = str | int | bool | list[list[str | int]] | None


class Letter(StrEnum):
    """Every letter. Invitations, and what allauth says of passwords and addresses, are none: they carry a secret."""

    REQUEST = "request"  # an assistant asks to read
    RETURNED = "returned"  # a reviewer sent a yes back
    STOPPED = "stopped"  # an assistant, or what it was given, was stopped by a press
    ENDED = "ended"  # what an assistant was given has ended by itself
    DIGEST = "digest"  # what waits, once a day
    RECEIPTS = "receipts"  # what was handed over, each day, week or month
    STEP = "step"  # a birthday changes who may act
    TABLE = "table"  # a household's table of ages lets guardians do more
    SETTLED = "settled"  # the policy of a space is another
    LEAVE_ENDS = "leave-ends"  # leave to act for somebody is about to end
    LEAVE_ENDED = "leave-ended"
    LEAVE_STOPPED = "leave-stopped"  # by a press of the holder's, or of whoever looks after the space
    GOING = "going"  # the time of memories is nearly over
    EMERGENCY = "emergency"  # a file was opened in an emergency
    ERASED = "erased"  # memories, or a whole vault, are gone
    KEY = "key"  # an assistant got a key
    SIGNED_IN = "signed-in"  # with a browser that was not known
    FACTOR = "factor"  # a passkey or codes were added, or taken away
    SHARE = "share"  # the link of a share, to whom it is for
    SHARE_CODE = "share-code"  # the code that opens it, to the same address
    SHARE_OPENED = "share-opened"
    SHARE_STOPPED = "share-stopped"  # by a press, by its time, or because it was opened as often as it may be


# Those that go to an address which is nobody's account: whoever reads them has no vault, seat or settings here.
OUTSIDE = frozenset({Letter.SHARE, Letter.SHARE_CODE})


class Kind(Enum):
    """What a fact is."""

    NAME = auto()  # what a person, a space or an assistant is called, or an assistant's domain
    COUNT = auto()
    TIME = auto()  # an aware datetime, or None
    DAY = auto()  # a date
    DAYS = auto()  # two dates, the first and the last of a span
    READS = auto()  # some `Reads`
    FLAG = auto()
    CODE = auto()  # a word of a closed list
    ID = auto()  # a typed id, such as req_…
    SALT = auto()  # what a link's token is made with, 32 hex digits
    WORDS = auto()  # what a person writes to the reader, or ""


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of a letter. `words` is a CODE's closed list. What a letter may leave out has an `empty`."""

    kind: Kind
    words: frozenset[str] = frozenset()
    empty: Packed = None
    needed: bool = True


NAME, COUNT, TIME, DAY, FLAG = (Fact(each) for each in (Kind.NAME, Kind.COUNT, Kind.TIME, Kind.DAY, Kind.FLAG))
DAYS, READS, ID, SALT, WORDS = (Fact(each) for each in (Kind.DAYS, Kind.READS, Kind.ID, Kind.SALT, Kind.WORDS))
ABOUT = Fact(Kind.NAME, empty="", needed=False)  # whose vault it is about; "": the reader's own
PLACE = Fact(Kind.NAME, empty="", needed=False)  # the space in which their own vault stands, if they sit elsewhere too
# What the sender of a mail is called beside the instance's address: the household's name. A clinic's says what somebody
# is treated for, and is left out ("").
HOME = Fact(Kind.NAME, empty="", needed=False)


def _code(*words: str) -> Fact:
    return Fact(Kind.CODE, frozenset(words))


FACTS: Mapping[Letter, Mapping[str, Fact]] = {
    Letter.REQUEST: {
        "about": ABOUT,
        "place": PLACE,
        "assistant": NAME,
        "domain": NAME,
        "items": COUNT,
        "kinds": COUNT,  # asked for whole, with no word of what there is
        "protected": COUNT,
        "until": TIME,
        "request": ID,
    },
    Letter.RETURNED: {"about": ABOUT, "place": PLACE, "assistant": NAME, "until": TIME, "request": ID},
    Letter.STOPPED: {
        "about": ABOUT,
        "place": PLACE,
        "assistant": NAME,
        "whole": FLAG,  # the assistant, or one grant of several
        "who": Fact(Kind.NAME, empty="", needed=False),  # who pressed; "": the reader
        "reads": COUNT,
        "last": TIME,
        "at": TIME,
    },
    Letter.ENDED: {
        "about": ABOUT,
        "place": PLACE,
        "assistant": NAME,
        "how": _code("expired", "lapsed"),
        "days": COUNT,
        "reads": COUNT,
    },
    Letter.DIGEST: {"waiting": COUNT, "reviews": COUNT, "emergencies": COUNT, "oldest": TIME},
    # `others`: how many assistants more than are listed
    Letter.RECEIPTS: {
        "about": ABOUT,
        "place": PLACE,
        "days": DAYS,
        "read": READS,
        "others": COUNT,
        "opened": Fact(Kind.COUNT, empty=0, needed=False),  # how often links that were shared
    },
    Letter.STEP: {
        "about": ABOUT,
        "day": DAY,
        "years": COUNT,
        "after": _code(*Level, "none"),
        "told": _code("before", "on"),
    },
    Letter.TABLE: {
        "about": ABOUT,
        "day": DAY,
        "decides": COUNT,  # until which age a guardian decides, in years; 0: never
        "looks": COUNT,
        "told": _code("before", "on"),
    },
    Letter.SETTLED: {"space": NAME, "at": TIME},
    Letter.LEAVE_ENDS: {"about": ABOUT, "who": ABOUT, "until": TIME},
    Letter.LEAVE_ENDED: {"about": ABOUT, "who": ABOUT, "until": TIME},
    Letter.LEAVE_STOPPED: {"about": Fact(Kind.NAME), "own": FLAG, "at": TIME},
    Letter.GOING: {"about": ABOUT, "place": PLACE, "memories": COUNT, "day": DAY},
    Letter.EMERGENCY: {
        "about": ABOUT,
        "space": NAME,
        "who": NAME,
        "reason": _code(*EmergencyReason),
        "at": TIME,
        "until": TIME,
        "due": Fact(Kind.TIME, needed=False),  # by when whoever gets this letter should have looked at it
    },
    Letter.ERASED: {
        "about": ABOUT,
        "place": PLACE,
        "who": Fact(Kind.NAME, empty="", needed=False),  # who ordered it; "": the reader
        "whole": FLAG,  # the vault with everything in it
        "account": FLAG,  # and the reader's account with it
        "over": Fact(Kind.FLAG, empty=False, needed=False),  # by the clock, since its time was over
        "memories": COUNT,
        "at": TIME,
        "copies": DAY,  # from when on no backup opens any of it
        "order": ID,
    },
    Letter.KEY: {
        "about": ABOUT,
        "place": PLACE,
        "assistant": NAME,
        "new": FLAG,  # with its first key
        "who": Fact(Kind.NAME, empty="", needed=False),
        "at": TIME,
    },
    Letter.SIGNED_IN: {"client": NAME, "at": TIME},
    Letter.FACTOR: {
        "what": _code("passkey", "codes", "recovery"),
        "how": _code("added", "removed"),
        "at": TIME,
    },
    Letter.SHARE: {
        "who": NAME,  # who shares
        "home": HOME,
        "words": WORDS,
        "until": TIME,
        "opens": COUNT,  # how often it may be opened
        "code": _code("none", "mail", "pin"),  # what is asked for after the press
        "link": ID,
        "salt": SALT,
    },
    Letter.SHARE_CODE: {"who": NAME, "home": HOME, "until": TIME, "challenge": ID},
    Letter.SHARE_OPENED: {
        "about": ABOUT,
        "place": PLACE,
        "name": Fact(Kind.NAME, empty="", needed=False),  # for whom the link is, where it is for somebody
        "client": Fact(Kind.NAME, empty="", needed=False),  # with what it was opened, coarsely
        "at": TIME,
        "left": COUNT,  # how often it could be opened then, after that opening
        "over": Fact(Kind.FLAG, empty=False, needed=False),  # it has ended since
        "until": TIME,
        "share": ID,
    },
    Letter.SHARE_STOPPED: {
        "about": ABOUT,
        "place": PLACE,
        "how": _code("stopped", "expired", "used-up", "locked"),
        "who": Fact(Kind.NAME, empty="", needed=False),  # who pressed; "": the reader, or nobody
        "at": TIME,
        "opens": COUNT,  # so far
        "share": ID,
    },
}

MOST_NAME = 120
MOST_WORDS = 300
MOST_LINES = 8  # of somebody's words, as they are told
_ID = re.compile(r"\A[a-z]{3}_[0-9a-f]{32}\Z")
_SALT = re.compile(r"\A[0-9a-f]{32}\Z")
# A dot, also as IDNA writes it, that something follows on; and before it what looks so and is none: an hour, a date.
_LINKED = re.compile(r"(?<![\w.])\d+\.\d+(?:\.\d+)?(?!\.?\w)|[.\u3002\uff0e\uff61](?=\w)")


def pack(letter: Letter, facts: Mapping[str, Given]) -> dict[str, Packed]:
    """The facts as they are kept until the letter is sent: JSON, times in UTC as ISO 8601.

    Raises ValueError, which quotes nothing, for a fact that this letter does not carry, one that is missing, and one
    that is not of its kind.
    """
    known = FACTS[letter]
    for name in facts:
        if name not in known:
            raise ValueError(f"a letter {letter.value!r} carries no {name!r}")
    packed: dict[str, Packed] = {}
    for name, fact in known.items():
        if name not in facts and fact.needed:
            raise ValueError(f"a letter {letter.value!r} needs {name!r}")
        packed[name] = _packed(letter, name, fact, facts[name]) if name in facts else fact.empty
    return packed


def _packed(letter: Letter, name: str, fact: Fact, given: Given) -> Packed:
    match fact.kind, given:
        case Kind.NAME, str() if len(given) <= MOST_NAME:
            return given
        case Kind.COUNT, int() if given >= 0 and not isinstance(given, bool):
            return given
        case Kind.FLAG, bool():
            return given
        case Kind.TIME, None:
            return None
        case Kind.TIME, datetime() if given.tzinfo is not None:
            return given.astimezone(UTC).isoformat()
        case Kind.DAY, date() if not isinstance(given, datetime):
            return given.isoformat()
        case Kind.DAYS, Days() if given.first <= given.last:
            return f"{given.first.isoformat()}/{given.last.isoformat()}"
        case Kind.READS, tuple() if all(_counted(each) for each in given):
            return [[each.name, each.reads, each.protected, each.refused] for each in given]
        case Kind.CODE, str() if given in fact.words:
            return str(given)
        case Kind.ID, str() if _ID.match(given):
            return given
        case Kind.SALT, str() if _SALT.match(given):
            return given
        case Kind.WORDS, str() if len(given) <= MOST_WORDS:
            return given
    raise ValueError(f"{name!r} of a letter {letter.value!r} is no {fact.kind.name.lower()}")


def _counted(each: Reads) -> bool:
    named = isinstance(each, Reads) and len(each.name) <= MOST_NAME
    return named and all(type(count) is int and count >= 0 for count in (each.reads, each.protected, each.refused))


def unpack(letter: Letter, packed: Mapping[str, Packed]) -> dict[str, Given]:
    """What `pack` was given, with what was left out. Facts that the letter does not carry (any more) are dropped."""
    return {name: _unpacked(fact, packed.get(name, fact.empty)) for name, fact in FACTS[letter].items()}


def _unpacked(fact: Fact, packed: Packed) -> Given:
    if isinstance(packed, str) and fact.kind is Kind.TIME:
        return datetime.fromisoformat(packed)
    if isinstance(packed, str) and fact.kind is Kind.DAY:
        return date.fromisoformat(packed)
    if isinstance(packed, str) and fact.kind is Kind.DAYS:
        first, _, last = packed.partition("/")
        return Days(date.fromisoformat(first), date.fromisoformat(last))
    if isinstance(packed, list):
        return tuple(Reads(str(name), *map(int, counts)) for name, *counts in packed)
    return packed


MOST_SAID = 60  # characters of a name in a mail


def inert(name: str) -> str:
    """A name as it may stand in a mail: short, hidden characters shown, nothing in it that a mail program makes a link
    of. People call themselves what they like, and anybody may have a mail sent that bears their name.
    """
    said = visible(name)
    return _dead(said[: MOST_SAID - 1] + "…" if len(said) > MOST_SAID else said)


def quoted(words: str) -> tuple[str, ...]:
    """What a person writes, line by line, as it may stand in a mail: as `inert` makes a name, and not shortened. Blank
    lines are left out, and what is beyond `MOST_LINES` stands in the last: nobody pushes what we say out of sight.
    """
    said = [_dead(visible(each.strip())) for each in lines(words) if each.strip()]
    return (*said[: MOST_LINES - 1], *([" ".join(said[MOST_LINES - 1 :])] if len(said) >= MOST_LINES else []))


def _dead(said: str) -> str:
    said = _LINKED.sub(lambda found: found[0] if len(found[0]) > 1 else "[.]", said.replace("://", ": //"))
    return said.replace("@", " at ")


# ---------------------------------------------------------------- to whom, and how often
MOST_ADDRESS = 254  # RFC 5321


def reachable(email: str) -> bool:
    """May a letter be sent there? The addresses of those who have none end in `.invalid` (RFC 2606)."""
    whole = "@" in email and len(email) <= MOST_ADDRESS and email.isprintable() and " " not in email
    return whole and not email.lower().rstrip(".").endswith(".invalid")


# Bursts make one letter: a second one of a series (the key up to its first /) within this time is not written.
QUIET: Mapping[Letter, timedelta] = {Letter.REQUEST: timedelta(hours=1), Letter.ENDED: timedelta(hours=1)}


def series_of(letter: Letter, key: str) -> str | None:
    """The beginning of the keys of which one letter is enough for a while; None where each letter goes."""
    return f"{key.partition('/')[0]}/" if letter in QUIET else None


# RFC 5321, 4.5.4.1: often at first, later at an interval; four to five days in all before giving up.
SHORTEST_WAIT, LONGEST_WAIT, MOST_ATTEMPTS = timedelta(minutes=1), timedelta(hours=1), 125


def next_try(attempts: int, *, for_good: bool = False) -> timedelta | None:
    """How long to wait after so many failures; None to give up, at once where the refusal is `for_good`."""
    if for_good or attempts >= MOST_ATTEMPTS:
        return None
    return min(SHORTEST_WAIT * (1 << min(max(attempts, 1) - 1, 10)), LONGEST_WAIT)
