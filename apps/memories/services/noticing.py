"""What the vault notices about a proposal: that it restates what was corrected, contradicts what is kept, or would
change nothing. By prints and ids: no value is read for it. Within an act or a look, for the holder alone.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from apps.memories import linked, prints, store, unnoticed
from apps.memories.services.echoing import Within, brought_back, echoed_anywhere, nearly_echoed, restated
from apps.memories.services.sources import Told, marked_close
from apps.memories.services.voiding import would_change_nothing
from apps.policy.conflicts import ClashKind, clash, same_fact
from apps.policy.echo import Confirmed, Echo, How
from apps.policy.links import EdgeKind
from apps.policy.prints import Print
from apps.policy.proposals import Mark, Proposal
from apps.policy.types import Memory
from apps.policy.vocabulary import Directive, MarkKind, State

_LASTING = (ClashKind.NEAR_IDENTICAL.value, ClashKind.SUGGESTED.value, How.LABEL.value)  # what is not looked for again


@dataclass(frozen=True, slots=True)
class Meets:
    """What a proposal meets. `used`: some memory stands, or stood, under its subject. `said`: some memory says or said
    the same, or another client proposes it. `near`: memories that share words with it, in which version, and the prints
    of what they say. `beside`: its marks for what else waits.
    """

    used: bool = True
    said: bool = True
    near: Sequence[tuple[UUID, int, Print]] = ()
    beside: Sequence[Mark] = ()


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
    close = marked_close(within, [(new, said)]).get(new.proposal_id, ()) if meets.said or new.lineage else ()
    if meets.said and not marks:
        marks += _besides(close, _elsewhere(within, said, known))
    marks += [
        Mark(MarkKind.CONFLICT, memory_id, version, clashing.kind.value)
        for memory_id, version, other in meets.near
        if memory_id not in known and (clashing := clash(said, other, same_subject=False)) is not None
    ]
    return (*marks, *_declared(within, mine), *meets.beside, *close, *new.of_itself)


def noticed_since(within: Within, told: Told, targets: Mapping[UUID, Memory]) -> dict[UUID, tuple[Mark, ...]]:
    """What is to be noticed about proposals on the day they are decided, and is not among their marks yet: each by its
    print, its target among `targets`. That something stands under its subject, or that it is an echo, a decision finds
    by itself.
    """
    said = {new.proposal_id: says for new, says in told if says is not None}
    close = marked_close(within, told)
    first = min((new.made_at for new, _ in told), default=None)
    words = frozenset[int]().union(*(each.words for each in said.values()))
    written = unnoticed.since(within.vault_id, first, words) if first is not None and words else ()
    found = {}
    for new, says in told:
        marks = list(close.get(new.proposal_id, ()))
        if says is not None:
            met = [mark for each in written if each.at >= new.made_at and (mark := _meets(new, says, each))]
            marks += _besides((*marks, *new.marks), met)
        target = targets.get(new.target_id) if new.target_id is not None and new.says else None
        marks += _declared(within, [target]) if target is not None else []
        known = {(each.kind, each.memory_id) for each in new.marks}
        found[new.proposal_id] = tuple(each for each in marks if (each.kind, each.memory_id) not in known)
    return {proposal_id: marks for proposal_id, marks in found.items() if marks}


def _besides(close: Sequence[Mark], marks: Sequence[Mark]) -> list[Mark]:
    """Those marks that say more: of what is kept apart, that it is confirmed is said already."""
    apart = {each.memory_id for each in close if each.kind is MarkKind.ALONE}
    return [each for each in marks if each.kind is not MarkKind.CONFIRMED or each.memory_id not in apart]


def _meets(new: Proposal, says: Print, other: unnoticed.Since) -> Mark | None:
    """What a proposal is to a memory that was written since it was made, under another subject than its own."""
    if other.memory_id in (new.target_id, new.memory_id) or other.subject == new.subject:
        return None
    if same_fact(says, other.says):
        return Mark(MarkKind.CONFIRMED, other.memory_id, other.version)
    clashing = clash(says, other.says, same_subject=False)
    return Mark(MarkKind.CONFLICT, other.memory_id, other.version, clashing.kind.value) if clashing else None


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


def _elsewhere(within: Within, said: Print, known: Collection[UUID]) -> list[Mark]:
    """What a text is to memories of other subjects: it was put away or corrected there; or it holds there now."""

    def elsewhere(each: Memory) -> bool:
        return each.memory_id not in known

    echo = echoed_anywhere(within, said, elsewhere, proposed=True)
    if echo is not None:
        return [_echo(echo.memory_id, echo.echo)]
    like = prints.like(within.vault_id, {each.whole for each in said.read})
    at = {one for each in like.values() for one in each if one[0] not in known}
    living = [
        each
        for each in (store.memories(within.vault_id, {memory_id for memory_id, _ in at}) if at else ())
        if each.state is State.APPROVED and (each.memory_id, each.version) in at
    ]
    says = prints.found(within.vault_id, [(each.memory_id, each.version) for each in living])
    confirmed = [each for each in living if same_fact(said, says[each.memory_id, each.version])]
    if confirmed:
        return [Mark(MarkKind.CONFIRMED, each.memory_id, each.version) for each in confirmed]
    near = nearly_echoed(within, said, elsewhere)
    return [_echo(near.memory_id, near.echo)] if near is not None else []


def _told(within: Within, said: Print, about: Memory, directive: Directive) -> list[Mark]:
    """What a text is to a memory of its subject."""
    told = restated(within, said, about, proposed=True, beside=True)
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
