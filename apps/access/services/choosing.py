"""What a decision says, and what it comes to: a no is said, and a yes that comes to nothing is refused, never a no."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.policy.grants import chosen_of
from apps.policy.rules import goes_there, living
from apps.policy.text import TextProblem
from apps.policy.types import AccessPart, Memory, Refused
from apps.policy.vocabulary import Category, PartStatus, Refusal


@dataclass(frozen=True, slots=True)
class Decision:
    """The holder's decision on one part: yes to which memories, until when, for how many reads; or no.

    `subjects` chooses the asked memories that stand under a subject at this moment.
    """

    memory_ids: frozenset[UUID] = frozenset()
    until: datetime | None = None
    reads: int | None = 1
    subjects: frozenset[str] = frozenset()
    allow: bool = True


NO = Decision(allow=False)


def undecided(status: PartStatus, decision: Decision) -> bool:
    """Is the part still the person's to decide so? While a reviewer looks at their yes, they may still say no."""
    return status is PartStatus.PENDING or (status is PartStatus.IN_REVIEW and not decision.allow)


def candidates(part: AccessPart, mine: Sequence[Memory], local: bool) -> tuple[Memory, ...]:
    """What can be handed over of what a part asks for. `local`: what stays at home may go there too."""
    asked = [each for each in mine if _asks_for(part, each)]
    return tuple(each for each in asked if living(each) and goes_there(each, local=local))


def taken(decision: Decision, part: AccessPart, mine: Sequence[Memory], local: bool) -> frozenset[UUID] | Refused:
    """The memories that a yes comes to, and none for a no. What was put away since they were chosen is left out.

    Refused as not-found where one is chosen that was not asked for. Raises TextProblem where a yes comes to nothing.
    """
    if not decision.allow:
        return frozenset()
    if not decision.memory_ids <= {*part.part.memory_ids, *(each.memory_id for each in mine if _asks_for(part, each))}:
        return Refused(Refusal.NOT_FOUND)
    chosen = chosen_of(candidates(part, mine, local), decision.memory_ids, decision.subjects)
    if chosen:
        return chosen
    if decision.subjects:
        raise TextProblem("subjects", "Nothing that was asked for is under it. Choose another subject, or memories.")
    if decision.memory_ids:
        raise TextProblem("memories", "What you chose can’t be handed over any more. Choose something else, or say no.")
    raise TextProblem("memories", "Choose at least one, or say no.")


def _asks_for(part: AccessPart, memory: Memory) -> bool:
    named = part.part.whole_category or memory.memory_id in part.part.memory_ids
    return named and memory.category is part.part.category


@contextmanager
def about(category: Category) -> Iterator[None]:
    """A text problem of one part names that part too."""
    try:
        yield
    except TextProblem as problem:
        raise TextProblem(problem.field, problem.detail, part=category.value) from None
