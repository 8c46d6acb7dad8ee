"""Frozen facts: what stores return, what rules decide on, what the gate is given.

Times are aware datetimes in UTC; ids are UUIDs; texts are what the holder or client wrote.
"""

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from uuid import UUID

from apps.policy.life import USUAL
from apps.policy.people import Census as Census
from apps.policy.people import Holder as Holder
from apps.policy.people import Space as Space
from apps.policy.proposals import Proposal as Proposal
from apps.policy.vocabulary import (
    Category,
    Claim,
    Ended,
    Form,
    ItemState,
    Kind,
    PartStatus,
    Purpose,
    ReceiptKind,
    Refusal,
    State,
    TurnStatus,
)


@dataclass(frozen=True, slots=True)
class Memory:
    """The label side of a memory. Holds no value."""

    memory_id: UUID
    subject: str
    label: str
    neutral_label: str  # "" for an ordinary memory
    category: Category
    attested: bool
    claim: Claim | None
    version: int
    state: State
    as_of: date | None
    source: str
    updated_at: datetime
    kind: Kind = Kind.SEMANTIC
    weight: int = USUAL
    local_only: bool = False
    reopened_at: datetime | None = None
    merged_into: UUID | None = None
    made_at: datetime | None = None  # None: in this act
    settled_at: datetime | None = None  # when the holder last said since it was made that it holds, or what does
    holds_until: datetime | None = None  # the first moment when it does not hold, or something else takes over
    holds: bool = True  # is it true now, by its own dates? As the clock of the database stood

    @property
    def outer_label(self) -> str:
        """The label that may be seen outside the holder's own pages."""
        return self.neutral_label if self.category.special else self.label


@dataclass(frozen=True, slots=True)
class MemoryVersion:
    """One line of a memory's history. Holds no value."""

    memory_id: UUID
    version: int
    made_at: datetime
    made_by: str
    retired_at: datetime | None
    as_of: date | None
    source: str
    label: str = ""
    category: Category = Category.ORDINARY
    why: str = ""
    ended_as: Ended | None = None
    valid_from: str = ""
    valid_to: str = ""
    proposal_id: UUID | None = None
    restored_from: int | None = None
    holds_from: datetime | None = None  # where that is later than it was told
    holds_until: datetime | None = None
    overtaken_by: int | None = None  # it was to take over, and did not: what was said after it ended it

    @property
    def held(self) -> bool:
        """Is it what the file says, or was it ever?"""
        return self.ended_as is None or self.ended_as.held

    @property
    def since(self) -> datetime:
        """From when on it was, or is to be, what the file says."""
        return self.holds_from or self.made_at


@dataclass(frozen=True, slots=True)
class Label:
    """All that scoping, or a client, may see of a memory. A special one shows its neutral side only."""

    memory_id: UUID
    subject: str
    label: str
    category: Category
    attested: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """One line of a request: a memory by its id, or a whole special category by its name."""

    memory_id: UUID | None = None
    category: Category | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """The lines of a request that are decided together: the ordinary ones, or one special category."""

    category: Category
    memory_ids: tuple[UUID, ...] = ()
    whole_category: bool = False

    @property
    def name(self) -> str:
        """`ordinary` or `special:<category>`."""
        return "ordinary" if not self.category.special else f"special:{self.category.value}"


@dataclass(frozen=True, slots=True)
class Grant:
    """A standing yes. `reads_left` None means any number until `expires_at`; `reads_done` counts reads."""

    grant_id: UUID
    client_id: UUID
    recipient: str
    purpose: Purpose
    category: Category
    memory_ids: frozenset[UUID]
    terms_version: int
    expires_at: datetime
    reads_left: int | None
    paused: bool
    revoked_at: datetime | None
    request_id: UUID | None
    turn_id: UUID | None
    made_at: datetime
    reads_done: int = 0
    last_used_at: datetime | None = None
    lapse_days: int = 90
    lapsed_at: datetime | None = None

    @property
    def lapses_at(self) -> datetime:
        """When it lapses if it is not used until then."""
        return (self.last_used_at or self.made_at) + timedelta(days=self.lapse_days)


@dataclass(frozen=True, slots=True)
class DecidedPart:
    """What became of one part of a request, as far as later questions depend on it."""

    part: Part
    purpose: Purpose
    status: PartStatus
    decided_at: datetime | None
    cool_down_until: datetime | None
    request_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Client:
    """A program that asks. `built_in` is the vault's own chat."""

    client_id: UUID
    name: str
    domain: str
    built_in: bool
    paused: bool
    revoked_at: datetime | None
    registered_at: datetime
    local: bool = False  # it runs at home, the holder says


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A client's key as the holder sees it: never the key itself."""

    key_id: UUID
    client_id: UUID
    prefix: str
    made_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated client at the door of one vault; or, `by_link`, whoever has that link of a share."""

    vault_id: UUID
    client: Client
    key_id: UUID
    by_link: bool = False

    @property
    def actor(self) -> str:
        return f"{'lnk' if self.by_link else 'cli'}_{self.client.client_id.hex}"


@dataclass(frozen=True, slots=True)
class Refused:
    """A no, with its reason. Falsy, so that `if verdict:` reads as it should."""

    reason: Refusal
    pointer: str = ""  # JSON pointer of the input it is about
    also: tuple[str, ...] = field(default=(), kw_only=True)  # those of more that it is about
    until: datetime | None = None
    request_id: UUID | None = field(default=None, compare=False)  # the open request that it waits in

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Allowed:
    """A yes for one memory: in which form it may leave, and on which grant's authority."""

    memory: Memory
    form: Form
    grant: Grant | None = None


Verdict = Allowed | Refused


@dataclass(frozen=True, slots=True)
class PlanItem:
    """One line of a hand-over as the gate is asked to stamp it."""

    memory_id: UUID | None
    form: Form
    version: int = 0
    category: Category = Category.ORDINARY
    state: str = State.APPROVED.value
    attested: bool = False
    reason: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Authority:
    """On what a stamp rests: one grant, the holder, one share, or the vault's own indexer."""

    kind: str  # gra | hld | shr | sys
    object_id: UUID | None = None
    terms: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """A hand-over before it is stamped. One authority; several are several plans."""

    kind: ReceiptKind
    authority: Authority
    items: tuple[PlanItem, ...]
    purpose: str = "-"
    request: str = "-"
    turn: str = "-"
    on_behalf_of: str = "-"
    client: str = ""  # of an opening: with what it is made, coarsely


@dataclass(frozen=True, slots=True)
class HandedOver:
    """A released memory: its receipt, and the value or (for `attested`) None.

    `opening` is the key that opens the receipt's commitment; only where the holder asked for it.
    """

    memory_id: UUID
    version: int
    category: Category
    form: Form
    seq: int
    value: str | None
    opening: bytes | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """A committed receipt, field by field; see docs/receipt-format.md."""

    vault_id: UUID
    seq: int
    at: datetime
    kind: str
    actor: str
    on_behalf_of: str
    recipient: str
    object: str
    memory_id: UUID | None
    version: int
    category: str
    form: str
    reason: str
    request: str
    turn: str
    purpose: str
    commitment: bytes | None
    salt: bytes
    digest: bytes
    chain_hash: bytes


@dataclass(frozen=True, slots=True)
class AccessPart:
    """One part of a request as stored."""

    part: Part
    status: PartStatus
    decided_at: datetime | None
    grant_id: UUID | None


@dataclass(frozen=True, slots=True)
class AccessRequest:
    """A client's wish, with its parts. `purpose_note` is the client's words: hostile text."""

    request_id: UUID
    client_id: UUID
    purpose: Purpose
    purpose_note: str
    ttl_seconds: int
    max_reads: int | None
    made_at: datetime
    expires_at: datetime
    turn_id: UUID | None
    parts: tuple[AccessPart, ...]
    interval_seconds: int = 5  # between two looks at it

    @property
    def status(self) -> PartStatus:
        """The request's own status, derived from its parts."""
        found = {part.status for part in self.parts}
        for waits in (PartStatus.PENDING, PartStatus.IN_REVIEW):
            if waits in found:
                return waits
        if PartStatus.GRANTED in found:
            return PartStatus.GRANTED if found == {PartStatus.GRANTED} else PartStatus.PARTLY_GRANTED
        if PartStatus.PARTLY_GRANTED in found:
            return PartStatus.PARTLY_GRANTED
        return found.pop() if len(found) == 1 else PartStatus.DENIED


@dataclass(frozen=True, slots=True)
class TurnItem:
    """What became of one memory in a turn. `seq` is its receipt's, where there is one."""

    memory_id: UUID
    category: Category
    state: ItemState
    seq: int | None


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and what became of it. `question` and `answer` are opened under the turn's own key."""

    turn_id: UUID
    without_of: UUID | None  # the turn this one answers again
    status: TurnStatus
    question: str
    answer: str
    model: str  # who answered: an endpoint's name, or the stand-in's
    stand_in: bool
    request_id: UUID | None
    items: tuple[TurnItem, ...]
    asked_at: datetime
    answered_at: datetime | None
    receipt_seq: int | None = None  # the turn receipt; looked up for one turn, not in lists


@dataclass(frozen=True, slots=True)
class Sent:
    """By what a deed is known if it is sent again: a key that its sender chose, and a digest of what came with it."""

    key: str
    digest: str
