"""What the tools return: the shapes behind their output schemas."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

PartName = str
Status = Literal["pending", "granted", "partly_granted", "denied", "expired", "cancelled"]


class Shape(BaseModel):
    """An object of a result: every member is always there."""

    model_config = ConfigDict(extra="forbid")


class Subject(Shape):
    """What may be asked for; never a value."""

    memory: str
    subject: str
    label: str
    category: str
    attested: bool


class Subjects(Shape):
    subjects: list[Subject]
    special_categories: list[str]
    purposes: list[str]


class Part(Shape):
    """What is decided together: `ordinary`, or one special category."""

    part: PartName
    status: Status


class Grant(Shape):
    grant: str
    category: str
    purpose: str
    memories: list[str]
    state: Literal["live", "paused", "spent", "expired", "lapsed", "revoked"]
    expires_at: str
    reads_left: int | None
    reads_done: int
    last_used_at: str | None


class Next(Shape):
    """What to call next, and when."""

    tool: str | None
    after_seconds: int | None


class Wish(Shape):
    """A request and what became of it. Pending and denied are answers, not errors."""

    status: Status
    request_id: str | None
    parts: list[Part]
    grants: list[Grant]
    cool_down_until: str | None
    holder_url: str | None
    next: Next
    tell_the_user: str


class Attested(Shape):
    claim: str
    confirmed: bool


class HandedOver(Shape):
    """`value` is null for an attested memory, `attested` for any other."""

    memory: str
    label: str
    value: str | None
    attested: Attested | None
    as_of: str | None
    status: str
    provenance: str
    rationale: str
    receipt: str
    grant: str | None
    reads_left: int | None


class Withheld(Shape):
    memory: str
    problem: str
    cool_down_until: str | None
    next: Next


class Entity(Shape):
    """Whom or what a memory that was handed over is about. `merged_into` is another one of these, that stays."""

    id: str
    kind: str
    name: str
    merged_into: str | None
    receipt: str


class Edge(Shape):
    """An edge that stands, of a memory that was handed over; its other end is granted too."""

    model_config = ConfigDict(extra="forbid", serialize_by_alias=True)

    id: str
    kind: str
    from_: str = Field(alias="from")
    to: str
    valid_from: str
    valid_to: str
    made_at: str
    receipt: str


class ReadReceipt(Shape):
    id: str
    seq: int
    last_seq: int
    at: str
    digest: str


class Read(Shape):
    receipt: ReadReceipt
    handed_over: list[HandedOver]
    withheld: list[Withheld]
    entities: list[Entity]
    edges: list[Edge]
    replayed: bool
    handling: str


class Proposal(Shape):
    proposal: str
    status: Literal["pending", "approved", "rejected", "expired", "withdrawn"]
    again: bool
    tell_the_user: str


class Receipt(Shape):
    id: str
    seq: int
    at: str
    kind: str
    memory: str | None
    form: str
    reason: str
    purpose: str
    request: str
    turn: str
    digest: str


class Receipts(Shape):
    receipts: list[Receipt]


class Problem(Shape):
    """An error: what is wrong, who can fix it, what to do."""

    code: str
    detail: str
    who_can_fix: str | None
    next: Next
    field: str | None
