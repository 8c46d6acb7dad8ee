"""What a proposed label brings back: a label is seen where no value is, without a grant or a receipt, so that one which
says what was corrected or put away is looked at by itself. Within an act or a look.
"""

from collections.abc import Collection, Mapping
from uuid import UUID

from apps.ledger.log import Act
from apps.memories import prints, sayings, store
from apps.memories.keys import VaultKey
from apps.memories.services.echoing import Within, restated
from apps.memories.unnoticed import NoMore
from apps.policy.echo import Echo, How, echo_of
from apps.policy.prints import Print
from apps.policy.proposals import Mark, Proposal
from apps.policy.types import Memory
from apps.policy.vocabulary import Directive, MarkKind, State

_ENDED = (State.WITHDRAWN, State.MERGED)


Labels = Mapping[UUID, tuple[Print, ...]]  # what they say, by proposal


def labels_said(key: VaultKey | None, told: Collection[Proposal]) -> Labels:
    """The prints of what the labels of these say; of one that is new also of what its subject says."""
    if key is None:
        return {}
    return {
        new.proposal_id: tuple(prints.of(key, each) for each in _lines(new)) for new in told if new.says and new.label
    }


def _lines(new: Proposal) -> tuple[str, ...]:
    return (new.label, new.subject.replace(".", " ")) if new.directive is Directive.ADD else (new.label,)


def may_bring_back(told: Collection[Proposal], no_more: NoMore) -> Labels:
    """What those say that have to be looked at beside what is kept: the others hold nothing of what is `no_more`."""
    labels = labels_said(no_more.key, told)
    held = {
        proposal_id
        for proposal_id, mine in labels.items()
        if no_more.too_much or any(_holds(each, old) for label in mine for each in label.read for old in no_more.said)
    }
    return {
        new.proposal_id: labels[new.proposal_id]
        for new in told
        if new.proposal_id in labels and (new.target_id is not None or new.proposal_id in held)
    }


def marked_labels(
    within: Within,
    told: Collection[Proposal],
    said: Labels,
    targets: Mapping[UUID, Memory],
    unseen: Collection[UUID] = (),
) -> dict[UUID, Mark]:
    """By proposal a mark on what its label restates: what its target says no more; or all the words, be it only one, of
    what any other memory, as far as it is seen, says no more and nothing else says now.
    """
    if not said:
        return {}
    old = sayings.retired_in(within.vault_id, [each for mine in said.values() for each in mine])
    there = store.memories(within.vault_id, {memory_id for memory_id, _ in old}) if old else ()
    known = {each.memory_id: each for each in there if each.memory_id not in unseen}
    current = prints.found(within.vault_id, [(each.memory_id, each.version) for each in known.values()])
    found: dict[UUID, Mark] = {}
    for new in told:
        target = targets.get(new.target_id) if new.target_id is not None else None
        if target is not None and new.label == target.outer_label:  # its client was shown it
            continue
        for label in said.get(new.proposal_id, ()):
            echo = restated(within, label, target, proposed=True, beside=True) if target is not None else None
            at = (target.memory_id, echo.version) if target is not None and isinstance(echo, Echo) else None
            at = at or _brought_back(label, old, known, current)
            if at is not None:
                found.setdefault(new.proposal_id, Mark(MarkKind.ECHO, *at, How.LABEL.value))
    return found


def looked_again(
    within: Act, told: Collection[Proposal], targets: Mapping[UUID, Memory], unseen: Collection[UUID]
) -> dict[UUID, Mark]:
    """`marked_labels` of those that were compared: only where anything was corrected, or is kept no more, since the
    first of them was made.
    """
    if not told or not sayings.anything_ended(within.vault_id, min(each.made_at for each in told)):
        return {}
    return marked_labels(within, told, labels_said(store.vault_key(within.vault_id), told), targets, unseen)


def with_label(marks: tuple[Mark, ...], label: Mark | None) -> tuple[Mark, ...]:
    """These marks, and that of the label first; not where nobody is asked."""
    if label is None or label in marks or any(each.kind is MarkKind.VOID for each in marks):
        return marks
    return (label, *marks)


def _brought_back(
    label: Print,
    old: Mapping[tuple[UUID, int], Print],
    known: Mapping[UUID, Memory],
    current: Mapping[tuple[UUID, int], Print],
) -> tuple[UUID, int] | None:
    for (memory_id, version), said in old.items():
        about = known.get(memory_id)
        if about is None or not any(_holds(each, said) for each in label.read):
            continue
        now = current.get((memory_id, about.version)) if about.state not in _ENDED else None
        if isinstance(echo_of(label, now, {version: said}, beside=True), Echo):
            return memory_id, version
    return None


def _holds(label: Print, said: Print) -> bool:
    return label.whole == said.whole or (bool(said.words) and said.words <= label.words)
