"""What the vault notices about a proposal: that it restates what was corrected, contradicts what is kept, hides
characters. By prints and ids: no value is read for it. Within an act, for the holder alone.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from apps.ledger.log import Act
from apps.memories import linked, prints, proposed, store
from apps.memories.proposed import Look
from apps.memories.services.echoing import brought_back, echoed_anywhere, restated
from apps.memories.services.keeping import about
from apps.policy.conflicts import ClashKind, clash
from apps.policy.echo import Confirmed, Echo
from apps.policy.links import EdgeKind
from apps.policy.prints import Print
from apps.policy.proposals import Mark, Proposal
from apps.policy.text import hides
from apps.policy.types import Memory
from apps.policy.vocabulary import Directive, MarkKind, ReceiptKind, State

_LASTING = (ClashKind.NEAR_IDENTICAL.value,)  # what is not looked for again
NEAR = 8  # so many memories that share words with a text are compared with it


def notice(
    within: Act, new: Proposal, target: Memory | None, said: Print | None, look: Look, texts: Collection[str]
) -> tuple[Mark, ...]:
    """The marks of a proposal. `said`: the print of what it says; `look`: what it meets."""
    hidden = (Mark(MarkKind.HIDDEN),) if any(map(hides, texts)) else ()
    if said is None:
        return (*_moved(within, new, target), *_in_the_way(within, new), *hidden)
    adds = new.directive is Directive.ADD
    there = (store.under(within.vault_id, new.subject) if look.used else ()) if adds else (target,)
    mine = [each for each in there if each is not None]
    marks = [mark for each in mine for mark in _told(within, said, each, new.directive)]
    known = {each.memory_id for each in mine}
    if look.said and not marks:
        elsewhere = echoed_anywhere(within, said, lambda each: each.memory_id not in known, proposed=True)
        marks += [_echo(elsewhere.memory_id, elsewhere.echo)] if elsewhere is not None else []
    marks += [
        Mark(MarkKind.CONFLICT, memory_id, version, clashing.kind.value)
        for memory_id, version, other in look.near
        if memory_id not in known and (clashing := clash(said, other, same_subject=False)) is not None
    ]
    return (*marks, *_declared(within, mine), *hidden)


def notice_anew(within: Act, proposal: Proposal, target: Memory) -> tuple[Mark, ...]:
    """The marks of a proposal on its target as it stands by now, by the print of what it says."""
    at = (proposal.memory_id, 1)
    said = prints.found(within.vault_id, [at]).get(at) if proposal.says else None
    kept = tuple(each for each in proposal.marks if each.kind is MarkKind.HIDDEN or each.how in _LASTING)
    return (*notice(within, proposal, target, said, Look(None, True, True, ()), ()), *kept)


def echoed(within: Act, said: Print, subject: str, unseen: Collection[UUID]) -> Mark | None:
    """What a proposed text restates, that is to be kept under a subject where nothing lives; as far as it is seen."""
    mine = [each for each in store.under(within.vault_id, subject) if each.memory_id not in unseen]
    for each in mine:
        told = restated(within, said, each, proposed=True)
        if isinstance(told, Echo):
            return _echo(each.memory_id, told)
    elsewhere = echoed_anywhere(within, said, lambda each: each.memory_id not in unseen, proposed=True)
    return _echo(elsewhere.memory_id, elsewhere.echo) if elsewhere is not None else None


def _told(within: Act, said: Print, about: Memory, directive: Directive) -> list[Mark]:
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


def _declared(within: Act, mine: Sequence[Memory]) -> list[Mark]:
    """Memories that somebody said contradict the one that is about to change."""
    living = {each.memory_id for each in mine if each.state is State.APPROVED}
    if not living:
        return []
    edges = linked.edges(within.vault_id, living, kind=EdgeKind.CONTRADICTS, ended=False)
    others = [other for each in edges if (other := each.beyond(living)) is not None]
    found = store.memories(within.vault_id, others) if others else ()
    return [Mark(MarkKind.CONFLICT, each.memory_id, each.version, ClashKind.DECLARED.value) for each in found]


def _moved(within: Act, new: Proposal, target: Memory | None) -> list[Mark]:
    """What a memory says that is put under another subject, and was retired there."""
    if new.directive is not Directive.RESCOPE or target is None:
        return []
    found = brought_back(within, target, new.subject)
    return [_echo(found.memory_id, found.echo)] if found is not None else []


def _in_the_way(within: Act, new: Proposal) -> list[Mark]:
    """The memory that stands where another one would be put."""
    if new.directive is not Directive.RESCOPE:
        return []
    found = [each for each in store.under(within.vault_id, new.subject) if each.state is State.APPROVED]
    return [
        Mark(MarkKind.CONFLICT, each.memory_id, each.version, ClashKind.SAME_SUBJECT.value)
        for each in found
        if each.memory_id != new.target_id
    ]


def reopen(within: Act, new: Proposal, said: Print, now: datetime) -> None:
    """Open what is settled for the holder to look at again, where a second source contradicts it alike. One source,
    however often it says so, opens nothing.
    """
    against = {
        each.memory_id
        for each in new.marks
        if each.kind in (MarkKind.CONFLICT, MarkKind.ECHO) and each.how != ClashKind.DECLARED.value
    } | {new.target_id}
    if against == {None}:
        return
    alike = [memory_id for memory_id, _ in prints.like(within.vault_id, [said.whole]).get(said.whole, [])]
    others = proposed.others_alike(within.vault_id, alike, new.client_id) if alike else ()
    about_them = {each for other in others for each in _against(other)} & against
    for memory in store.memories(within.vault_id, [each for each in about_them if each is not None]):
        confirmed = any(m.kind is MarkKind.CONFIRMED and m.memory_id == memory.memory_id for m in new.marks)
        if memory.state is State.APPROVED and not confirmed and store.set_reopened(within, memory.memory_id, now):
            within.record(ReceiptKind.MEMORY_REOPENED, **about(memory))


def _against(proposal: Proposal) -> set[UUID | None]:
    return {each.memory_id for each in proposal.marks} | {proposal.target_id}
