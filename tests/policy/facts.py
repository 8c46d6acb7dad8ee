"""Facts for the rules' tests: made by hand where a table says it, drawn by hypothesis where a property does."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from hypothesis import strategies as st

from apps.policy.types import Asked, DecidedPart, Grant, Label, Memory, Part, Proposal
from apps.policy.vocabulary import Category, Claim, Directive, PartStatus, ProposalStatus, Purpose, State

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
COOK = "cli_" + "c" * 32
CLINIC = "cli_" + "d" * 32
SPECIAL = [category for category in Category if category.special]


def memory(**changes: Any) -> Memory:
    """An ordinary approved memory; `changes` replaces fields. A special one gets a neutral label."""
    category = changes.get("category", Category.ORDINARY)
    made = {
        "memory_id": uuid4(),
        "subject": "kitchen.equipment",
        "label": "Kitchen equipment",
        "neutral_label": "A memory set apart" if category.special else "",
        "category": category,
        "attested": False,
        "claim": Claim.BUDGET if changes.get("attested") else None,
        "version": 1,
        "state": State.APPROVED,
        "as_of": None,
        "source": "holder",
        "updated_at": NOW,
    }
    return Memory(**made | changes)


def label_of(of: Memory) -> Label:
    """The label a client was shown of a memory."""
    return Label(of.memory_id, of.subject, of.outer_label, of.category, of.attested)


def shown(*memories: Memory) -> dict[UUID, Label]:
    """What a client was shown, by id."""
    return {each.memory_id: label_of(each) for each in memories}


def grant(*memories: Memory, **changes: Any) -> Grant:
    """A grant of an hour to COOK for answering, on these memories; of the first one's category."""
    made = {
        "grant_id": uuid4(),
        "client_id": UUID(int=1),
        "recipient": COOK,
        "purpose": Purpose.ANSWER,
        "category": memories[0].category if memories else Category.ORDINARY,
        "memory_ids": frozenset(each.memory_id for each in memories),
        "terms_version": 1,
        "expires_at": NOW + HOUR,
        "reads_left": None,
        "paused": False,
        "revoked_at": None,
        "request_id": None,
        "turn_id": None,
        "made_at": NOW - HOUR,
    }
    return Grant(**made | changes)


def decided(*memories: Memory, status: PartStatus = PartStatus.DENIED, **changes: Any) -> DecidedPart:
    """A part about these memories that was decided an hour ago and cools down for another."""
    category = memories[0].category if memories else Category.ORDINARY
    part = Part(category, tuple(each.memory_id for each in memories))
    made = {
        "part": part,
        "purpose": Purpose.ANSWER,
        "status": status,
        "decided_at": NOW - HOUR,
        "cool_down_until": NOW + HOUR if status is PartStatus.DENIED else None,
    }
    return DecidedPart(**made | changes)


def proposal(**changes: Any) -> Proposal:
    """A pending proposal."""
    made = {
        "proposal_id": uuid4(),
        "client_id": uuid4(),
        "directive": Directive.ADD,
        "status": ProposalStatus.PENDING,
        "memory_id": uuid4(),
        "subject": "home.city",
        "label": "City",
        "rationale": "",
        "as_of": None,
        "made_at": NOW,
        "decided_at": None,
    }
    return Proposal(**made | changes)


# ---------------------------------------------------------------- drawn
words = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=8)


@st.composite
def memories(draw: st.DrawFn, **fixed: Any) -> Memory:
    """Any memory that the database would keep; its words are drawn."""
    category = fixed.get("category") or draw(st.sampled_from(Category))
    attested = fixed["attested"] if "attested" in fixed else draw(st.booleans())
    return memory(
        category=category,
        subject=draw(words),
        label=draw(words),
        neutral_label=draw(words) if category.special else "",
        attested=attested,
        claim=draw(st.sampled_from(Claim)) if attested else None,
        version=draw(st.integers(1, 9)),
        state=fixed.get("state") or draw(st.sampled_from(State)),
    )


@st.composite
def grants(draw: st.DrawFn, among: list[Memory]) -> Grant:
    """A grant on some of these memories, with terms of every kind around NOW."""
    held = draw(st.lists(st.sampled_from(among), unique_by=lambda each: each.memory_id)) if among else []
    return grant(
        memory_ids=frozenset(each.memory_id for each in held),
        category=draw(st.sampled_from(Category)),
        recipient=draw(st.sampled_from([COOK, CLINIC])),
        purpose=draw(st.sampled_from([Purpose.ANSWER, Purpose.TRAVEL])),
        expires_at=NOW + timedelta(seconds=draw(st.sampled_from([-3600, -1, 0, 1, 3600]))),
        reads_left=draw(st.sampled_from([None, 0, 1, 5])),
        paused=draw(st.booleans()),
        revoked_at=draw(st.sampled_from([None, NOW - HOUR])),
        turn_id=draw(st.sampled_from([None, UUID(int=7), UUID(int=8)])),
    )


@st.composite
def asked_of(draw: st.DrawFn, among: list[Memory]) -> list[Asked]:
    """Lines that may be asked of these memories: ids that were shown, and special categories by name."""
    by_id = [Asked(each.memory_id) for each in among]
    by_category = [Asked(category=each) for each in SPECIAL]
    return draw(st.lists(st.sampled_from(by_id + by_category), min_size=1, max_size=8))
