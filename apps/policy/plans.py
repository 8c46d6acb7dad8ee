"""Plans that rest on the holder or on the vault itself, rather than on a grant."""

from collections.abc import Iterable, Sequence

from apps.policy.rules import item_of, project
from apps.policy.types import Authority, Memory, MemoryVersion, Plan, PlanItem, Proposal
from apps.policy.vocabulary import Category, Form, ProposalStatus, ReceiptKind, Refusal, State

RETIRED = "retired"


def show_plan(memories: Sequence[Memory], unknown: int = 0, *, attested_too: bool = True) -> Plan:
    """The holder looks at their own memories: values in clear, stamped as shown. Unknown ids are refusals.

    Without `attested_too`, for who acts for the holder, an attested one is confirmed and its value stays.
    """
    items = [
        item_of(memory, Form.VALUE if attested_too else project(memory))
        for memory in memories
        if memory.state is not State.ERASED
    ]
    items += [PlanItem(None, Form.REFUSED, reason=Refusal.NOT_FOUND)] * unknown
    return Plan(ReceiptKind.VALUE_SHOWN, Authority("hld"), tuple(items))


def past_plan(lines: Sequence[tuple[Memory, MemoryVersion]], *, attested_too: bool = True) -> Plan:
    """The holder looks at versions of their own memories: retired ones as they were, the current one as it is."""
    items = [
        PlanItem(
            memory.memory_id,
            Form.VALUE if attested_too else project(memory),
            line.version,
            line.category,
            memory.state.value if line.version == memory.version else RETIRED,
            memory.attested,
        )
        for memory, line in lines
        if memory.state is not State.ERASED
    ]
    return Plan(ReceiptKind.VALUE_SHOWN, Authority("hld"), tuple(items))


def candidate_plan(proposals: Sequence[Proposal]) -> Plan:
    """The holder looks at what clients propose: the candidates are sealed, and showing them is stamped too."""
    items = [
        PlanItem(p.memory_id, Form.VALUE, 1, Category.ORDINARY, "proposed")
        for p in proposals
        if p.status is ProposalStatus.PENDING and p.says
    ]
    return Plan(ReceiptKind.VALUE_SHOWN, Authority("hld"), tuple(items))


def joined(*plans: Plan, most: int) -> Plan:
    """Several looks of the holder as one, which is stamped once; at most so many values, the first ones."""
    items = tuple(item for plan in plans for item in plan.items)
    return Plan(ReceiptKind.VALUE_SHOWN, Authority("hld"), items[:most])


def index_plan(memories: Iterable[Memory]) -> Plan:
    """The indexer reads what may be searched by value: approved, ordinary, not attested."""
    items = [
        item_of(memory, Form.VALUE)
        for memory in memories
        if memory.state is State.APPROVED and not memory.category.special and not memory.attested
    ]
    return Plan(ReceiptKind.VALUE_INDEXED, Authority("sys"), tuple(items))
