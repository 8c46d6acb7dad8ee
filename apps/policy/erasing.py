"""What is to be erased: which memories an order names, what goes with them, and what a certificate says. Pure."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from apps.policy.text import TextProblem, check_line
from apps.policy.types import Memory, Refused
from apps.policy.vocabulary import Category, Refusal

MOST_WORDS = 500


class Basis(StrEnum):
    """Why it is erased: GDPR Art. 17(1), and the vault's own ways."""

    WISH = "wish"  # the holder wants it
    NOT_NEEDED = "not-needed"  # (a)
    CONSENT_WITHDRAWN = "consent-withdrawn"  # (b)
    OBJECTION = "objection"  # (c)
    UNLAWFUL = "unlawful"  # (d)
    LEGAL_DUTY = "legal-duty"  # (e)
    CHILD = "collected-from-a-child"  # (f)
    PROPOSAL = "proposal"  # an assistant suggested it, and the holder said yes
    RETENTION = "retention"  # its time was over
    RESTORED = "restored"  # it was erased before, and a backup that was restored held it again


BY_HAND = frozenset(Basis) - {Basis.PROPOSAL, Basis.RETENTION, Basis.RESTORED}


class Derived(StrEnum):
    """What becomes of what was made from it."""

    ERASE = "erase"
    KEEP = "keep"


class Residue(StrEnum):
    """What looking for the words afterwards came to."""

    NOT_SEARCHED = "not-searched"
    CLEAN = "clean"  # everything was looked at, nothing was found
    FOUND = "found"
    PARTLY = "partly"  # nothing was found, and not everything could be opened


@dataclass(frozen=True, slots=True)
class Where:
    """Which memories: those that meet everything that is said. Nothing said names nothing.

    `subjects` are whole subjects; with `below`, what stands under them as well. `entities` are whom they are about,
    `clients` the assistants that suggested them: which memories those are, `Found` says.
    """

    ids: frozenset[UUID] = frozenset()
    subjects: frozenset[str] = frozenset()
    below: bool = False
    categories: frozenset[Category] = frozenset()
    sources: frozenset[str] = frozenset()
    entities: frozenset[UUID] = frozenset()
    clients: frozenset[UUID] = frozenset()
    made_before: datetime | None = None
    made_after: datetime | None = None

    @property
    def said(self) -> bool:
        """Does it name anything?"""
        return self != Where(below=self.below)

    def alone(self, found: "Found") -> "tuple[Where, ...]":
        """What it names one by one, each kind by itself, whatever else narrows it."""
        about = frozenset().union(*found.about.values(), *found.suggested_by.values())
        each = (
            Where(ids=self.ids | about),
            Where(subjects=self.subjects, below=self.below),
            Where(sources=self.sources),
        )
        return tuple(one for one in each if one.said)

    @property
    def by_name(self) -> bool:
        """Are the memories given one by one, and in no other way?"""
        return self == Where(ids=self.ids) and bool(self.ids)


@dataclass(frozen=True, slots=True)
class Found:
    """What the file knows of memories beside their rows: whom they are about, and which assistant suggested them."""

    about: Mapping[UUID, frozenset[UUID]] = field(default_factory=dict)  # entity -> memories
    suggested_by: Mapping[UUID, frozenset[UUID]] = field(default_factory=dict)  # client -> memories


@dataclass(frozen=True, slots=True)
class Plan:
    """What an order would do, before it does: what it names; what was made from that, or merged into it; where words
    like theirs stay. `digest` names exactly this plan.
    """

    named: tuple[Memory, ...]
    derived: tuple[Memory, ...] = ()
    merged: tuple[Memory, ...] = ()
    suggested: frozenset[UUID] = frozenset()  # proposals that were made from it
    still_held: tuple[UUID, ...] = ()  # other memories that say the same
    counts: Mapping[str, int] = field(default_factory=dict)
    choice: Derived | None = None
    digest: str = ""  # SHA-256 of `lines`, in hex

    @property
    def going(self) -> tuple[Memory, ...]:
        """Every memory that goes."""
        return (*self.named, *self.derived, *self.merged) if self.choice is Derived.ERASE else self.named

    @property
    def staying(self) -> tuple[Memory, ...]:
        """What was made from it, and stays."""
        return () if self.choice is Derived.ERASE else (*self.derived, *self.merged)

    @property
    def made_from(self) -> bool:
        """Is there anything that was made from it?"""
        return bool(self.derived or self.merged or self.suggested)

    @property
    def lines(self) -> tuple[str, ...]:
        """Ids and versions of what is named and of what was made from it, in order: what `digest` is of."""
        listed = [
            f"{kind} {each.memory_id.hex} {each.version}"
            for kind, group in (("named", self.named), ("derived", self.derived), ("merged", self.merged))
            for each in sorted(group, key=lambda each: each.memory_id)
        ]
        return ("muniment-erasure-plan/1", *listed, *(f"suggested {each.hex}" for each in sorted(self.suggested)))


def chosen(
    where: Where, memories: Iterable[Memory], found: Found, known: Collection[Memory]
) -> tuple[Memory, ...] | Refused:
    """The memories that an order names. Refused as not-found where it names none, or anything one by one (an id, a
    subject, a source, whom it is about, who suggested it) that is of no memory here: an order that leaves out what it
    says is a mistake. Of a category there may be none. `known` are the memories that it names in any one way.
    """
    if not where.said:
        return Refused(Refusal.NOT_FOUND)
    unknown = _unknown(where, known, found)
    if unknown:
        return Refused(Refusal.NOT_FOUND, unknown)
    named = tuple(each for each in memories if _meets(where, each, found))
    return named or Refused(Refusal.NOT_FOUND)


def _unknown(where: Where, known: Collection[Memory], found: Found) -> str:
    """The first kind of names among which one names nothing, as a pointer."""
    ids, subjects = {each.memory_id for each in known}, {each.subject for each in known}
    missing = {
        "/memories": where.ids - ids,
        "/subjects": [
            one for one in where.subjects - subjects if not any(_under(each, {one}, where.below) for each in subjects)
        ],
        "/sources": where.sources - {each.source for each in known},
        "/entities": [one for one in where.entities if not ids & found.about.get(one, frozenset())],
        "/clients": [one for one in where.clients if not ids & found.suggested_by.get(one, frozenset())],
    }
    return next((pointer for pointer, names in missing.items() if names), "")


def _meets(where: Where, memory: Memory, found: Found) -> bool:
    about = frozenset().union(*(found.about.get(each, frozenset()) for each in where.entities))
    suggested = frozenset().union(*(found.suggested_by.get(each, frozenset()) for each in where.clients))
    return (
        (not where.ids or memory.memory_id in where.ids)
        and (not where.subjects or _under(memory.subject, where.subjects, where.below))
        and (not where.categories or memory.category in where.categories)
        and (not where.sources or memory.source in where.sources)
        and (not where.entities or memory.memory_id in about)
        and (not where.clients or memory.memory_id in suggested)
        and (where.made_before is None or (memory.made_at is not None and memory.made_at < where.made_before))
        and (where.made_after is None or (memory.made_at is not None and memory.made_at >= where.made_after))
    )


def _under(subject: str, subjects: Collection[str], below: bool) -> bool:
    return subject in subjects or (below and any(subject.startswith(f"{each}.") for each in subjects))


def judge(plan: Plan, choice: Derived | None, previewed: str | None, *, by_name: bool) -> Plan | Refused:
    """The plan as it is to be carried out. Refused as stale where it is another than was `previewed` (which whatever
    is not given one by one has to be), as lineage-choice where something was made from it and nothing was said of that.
    """
    if previewed != plan.digest and (previewed is not None or not by_name):
        return Refused(Refusal.STALE, "/plan")
    if choice is None and plan.made_from:
        return Refused(Refusal.LINEAGE_CHOICE, "/derived")
    return replace(plan, choice=choice or Derived.KEEP)


@dataclass(frozen=True, slots=True)
class LegalHold:
    """Nothing of a vault is erased until a day, or until it is lifted; `by` is who laid it."""

    hold_id: UUID
    by: str
    why: str
    placed_at: datetime
    until: datetime
    lifted_at: datetime | None = None

    def standing(self, now: datetime) -> bool:
        """Does it stand?"""
        return self.lifted_at is None and now < self.until


def check_hold(new: LegalHold, now: datetime) -> LegalHold:
    """Raises TextProblem where nobody is named, nothing is given as the reason, or it would end before it begins."""
    if new.until <= now:
        raise TextProblem("until", "This is past. Give a day to come.")
    return replace(new, by=check_line(new.by, "by", MOST_WORDS), why=check_line(new.why, "why", MOST_WORDS))


def barred(holds: Iterable[LegalHold], now: datetime) -> Refused | None:
    """Is erasing barred? Until the last of the holds that stand."""
    until = [each.until for each in holds if each.standing(now)]
    return Refused(Refusal.LEGAL_HOLD, until=max(until)) if until else None


def check_words(text: str) -> str:
    """What came with an order, such as the number of a request: one line, or nothing. Raises TextProblem."""
    return check_line(text, "request", MOST_WORDS, empty=True)


@dataclass(frozen=True, slots=True)
class Searched:
    """What looking for the words on disk came to: numbers, and no words. `unopened` are places that nobody could look
    into, which is why they are never counted as clean.
    """

    result: str  # a Residue
    live: int = 0
    unreclaimed: int = 0
    plain: int = 0
    files: int = 0
    bytes_read: int = 0
    unopened: int = 0

    def to_json(self) -> dict[str, str | int]:
        """The members, JSON-ready."""
        return asdict(self)


NOT_SEARCHED = Searched(Residue.NOT_SEARCHED.value)


@dataclass(frozen=True, slots=True)
class Order:
    """An order as it stands: `told` of its memories have their receipts, `counts` says how many rows went from where,
    `certificate` are its bytes once nothing is left to do.
    """

    order_id: UUID
    basis: Basis
    choice: Derived
    memories: int
    made_at: datetime
    made_by: str
    whole_vault: bool = False
    told: int = 0
    kept: int = 0  # memories that were made from it, and stay
    still_held: int = 0  # other memories that say the same
    counts: Mapping[str, int] = field(default_factory=dict)
    residue: Searched | None = None
    searching: bool = False
    done_at: datetime | None = None
    certificate: bytes = b""

    @property
    def certified(self) -> bool:
        """Is nothing left to do?"""
        return self.done_at is not None
