"""What this room's deeds answer with."""

from dataclasses import dataclass
from datetime import date, datetime

from apps.policy.shares import Code, Link, Opening, Share, ShareItem, ShareState
from apps.policy.types import Memory
from apps.policy.vocabulary import Claim, Form


# ---------------------------------------------------------------- for the holder
@dataclass(frozen=True, slots=True)
class Bounds:
    """How long a share may last here, in hours, and how often it may be opened. No hours: nobody shares here."""

    hours_most: int
    opens_most: int


@dataclass(frozen=True, slots=True)
class Line:
    """A memory as whoever opens the share would get it: its value, or the proof of an attested one alone."""

    memory: Memory
    form: Form


@dataclass(frozen=True, slots=True)
class Preview:
    """What whoever opens the share would see, without the values: `memories.show` has those, and stamps the look."""

    lines: tuple[Line, ...]
    bounds: Bounds


@dataclass(frozen=True, slots=True)
class MadeLink:
    """A link with its token, which is told this once."""

    link: Link
    token: str


@dataclass(frozen=True, slots=True)
class Made:
    """A share, and its links. `mailed`: whom a letter with their link goes to."""

    share: Share
    links: tuple[MadeLink, ...]
    mailed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Carried:
    """A memory that was shared. None: it was erased. `now`: it is handed over still, as it was then."""

    item: ShareItem
    memory: Memory | None
    now: bool


@dataclass(frozen=True, slots=True)
class Shared:
    """A share as its owner sees it; of its terms, `share.terms_version` is what a change is made from."""

    share: Share
    state: ShareState
    lines: tuple[Carried, ...]


# ---------------------------------------------------------------- for whoever has the link
@dataclass(frozen=True, slots=True)
class Challenge:
    """A code is needed, and none was given, or a wrong one. Of mailed ones: `mailed`, one is on its way since now;
    `fits`, the last one that was mailed opens until then (None: none does); `until`, no other is mailed before then.
    `waits`: too many wrong ones were typed by this link, and no code is taken or mailed until then.
    """

    code: Code
    wrong: bool = False
    mailed: bool = False
    fits: datetime | None = None
    until: datetime | None = None
    waits: datetime | None = None


@dataclass(frozen=True, slots=True)
class SharedValue:
    """A memory as it was handed over. `value` None: it is attested, and what it `claim`s is confirmed."""

    label: str
    form: Form
    value: str | None
    claim: Claim | None
    as_of: date | None


@dataclass(frozen=True, slots=True)
class Opened:
    """What was handed over for a press, or for another look. `looking_until`: until then `opening` serves for that.
    `notes_left`: so many more may be left. `zone`: that of the vault's holder, in which times are told (IANA).
    """

    opening: Opening
    values: tuple[SharedValue, ...]
    sender: str
    note: str
    until: datetime
    opens_left: int
    looking_until: datetime
    notes_left: int
    zone: str
