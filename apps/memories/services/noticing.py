"""What the vault notices about a proposal: that it restates what was corrected, contradicts what is kept, or would
change nothing. By prints and ids: no value is read for it. Within an act or a look, for the holder alone.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from apps.memories import linked, prints, store
from apps.memories.services.echoing import Within, brought_back, echoed_anywhere, restated
from apps.memories.services.voiding import would_change_nothing
from apps.policy.conflicts import ClashKind, clash
from apps.policy.echo import Confirmed, Echo
from apps.policy.links import EdgeKind
from apps.policy.prints import Print
from apps.policy.proposals import Mark, Proposal
from apps.policy.types import Memory
from apps.policy.vocabulary import Directive, MarkKind, State

_LASTING = (ClashKind.NEAR_IDENTICAL.value,)  # what is not looked for again


@dataclass(frozen=True, slots=True)
class Meets:
    """What a proposal meets. `used`: some memory stands, or stood, under its subject. `said`: some memory says or said
    the same, or another client proposes it. `near`: memories that share words with it, in which version, and the prints
    of what they say.
    """

    used: bool = True
    said: bool = True
    near: Sequence[tuple[UUID, int, Print]] = ()


def notice(
    within: Within, new: Proposal, target: Memory | None, said: Print | None, meets: Meets, bare: str = ""
) -> tuple[Mark, ...]:
    """The marks of a proposal. `said`: the print of what it says; `bare`: by what it is known without its dates and its
    label. What only its own words tell was marked when it was made, and stays.
    """
    void = would_change_nothing(within, new, target, bare)
    if void is not None:
        return (Mark(MarkKind.VOID, new.target_id, new.target_version or 0, void.value), *new.of_itself)
    if said is None:
        return (*_moved(within, new, target), *_in_the_way(within, new), *new.of_itself)
    adds = new.directive is Directive.ADD
    there = (store.under(within.vault_id, new.subject) if meets.used else ()) if adds else (target,)
    mine = [each for each in there if each is not None]
    marks = [mark for each in mine for mark in _told(within, said, each, new.directive)]
    known = {each.memory_id for each in mine}
    if meets.said and not marks:
        elsewhere = echoed_anywhere(within, said, lambda each: each.memory_id not in known, proposed=True)
        marks += [_echo(elsewhere.memory_id, elsewhere.echo)] if elsewhere is not None else []
    marks += [
        Mark(MarkKind.CONFLICT, memory_id, version, clashing.kind.value)
        for memory_id, version, other in meets.near
        if memory_id not in known and (clashing := clash(said, other, same_subject=False)) is not None
    ]
    return (*marks, *_declared(within, mine), *new.of_itself)


def notice_anew(within: Within, proposal: Proposal, target: Memory) -> tuple[Mark, ...]:
    """The marks of a proposal on its target as it stands by now, by the print of what it says."""
    at = (proposal.memory_id, 1)
    said = prints.found(within.vault_id, [at]).get(at) if proposal.says else None
    kept = tuple(each for each in proposal.marks if each.how in _LASTING)
    return (*notice(within, proposal, target, said, Meets()), *kept)


def echoed(within: Within, said: Print, subject: str, unseen: Collection[UUID]) -> Mark | None:
    """What a proposed text restates, that is to be kept under a subject where nothing lives; as far as it is seen."""
    mine = [each for each in store.under(within.vault_id, subject) if each.memory_id not in unseen]
    for each in mine:
        told = restated(within, said, each, proposed=True)
        if isinstance(told, Echo):
            return _echo(each.memory_id, told)
    elsewhere = echoed_anywhere(within, said, lambda each: each.memory_id not in unseen, proposed=True)
    return _echo(elsewhere.memory_id, elsewhere.echo) if elsewhere is not None else None


def _told(within: Within, said: Print, about: Memory, directive: Directive) -> list[Mark]:
    """What a text is to a memory of its subject."""
    told = restated(within, said, about, proposed=True)
    if isinstance(told, Confirmed):
        return [Mark(MarkKind.CONFIRMED, about.memory_id, about.version)]
    found = [_echo(about.memory_id, told)] if isinstance(told, Echo) else []
    if directive is Directive.ADD and about.state is State.APPROVED:
        found.append(Mark(MarkKind.CONFLICT, about.memory_id, about.version, ClashKind.SAME_SUBJECT.value))
    return found


def _echo(memory_id: UUID, echo: Echo) -> Mark:
    return Mark(MarkKind.ECHO, memory_id, echo.version, echo.how.value)


def _declared(within: Within, mine: Sequence[Memory]) -> list[Mark]:
    """Memories that somebody said contradict the one that is about to change."""
    living = {each.memory_id for each in mine if each.state is State.APPROVED}
    if not living:
        return []
    edges = linked.edges(within.vault_id, living, kind=EdgeKind.CONTRADICTS, ended=False)
    others = [other for each in edges if (other := each.beyond(living)) is not None]
    found = store.memories(within.vault_id, others) if others else ()
    return [Mark(MarkKind.CONFLICT, each.memory_id, each.version, ClashKind.DECLARED.value) for each in found]


def _moved(within: Within, new: Proposal, target: Memory | None) -> list[Mark]:
    """What a memory says that is put under another subject, and was retired there."""
    if new.directive is not Directive.RESCOPE or target is None:
        return []
    found = brought_back(within, target, new.subject)
    return [_echo(found.memory_id, found.echo)] if found is not None else []


def _in_the_way(within: Within, new: Proposal) -> list[Mark]:
    """The memory that stands where another one would be put."""
    if new.directive is not Directive.RESCOPE:
        return []
    found = [each for each in store.under(within.vault_id, new.subject) if each.state is State.APPROVED]
    return [
        Mark(MarkKind.CONFLICT, each.memory_id, each.version, ClashKind.SAME_SUBJECT.value)
        for each in found
        if each.memory_id != new.target_id
    ]
