"""By what a new proposal is known again, and by what it is compared: made of what it says, whatever is kept."""

from apps.memories import prints, store, terms
from apps.memories.keys import VaultKey
from apps.policy.forms import usual
from apps.policy.looks import plainly
from apps.policy.prints import whole
from apps.policy.proposals import Likeness, Proposal, Traits
from apps.policy.types import Memory


def recognised(new: Proposal, value: str, key: VaultKey, target: Memory | None) -> tuple[Likeness, Traits]:
    """By what it is known again, a note by its words alone, and by what it is compared once it stands."""
    everything = store.fingerprint(key, *_told(new, value, target))
    if not new.says:
        return Likeness(everything, everything), Traits()
    gist = store.fingerprint(key, str(new.client_id), "gist", terms.once(_gist, value))
    words, said = store.question_terms(key, value), prints.of(key, value)
    return Likeness(gist, gist if new.by_link else everything, new.subject, new.target_id), Traits(
        tuple(words), "", said.also, tuple(said.long or ())
    )


def read(new: Proposal, value: str) -> None:
    """Read what `recognised` asks of its words, whatever the key: within `terms.reading_once` it is read then."""
    prints.reading(value)
    terms.once(_gist, value)
    _told(new, value, None)


def _gist(value: str) -> str:
    return terms.once(_as_seen, terms.once(usual, value))


def _as_seen(value: str) -> str:
    """A value as the eye reads it, in whatever letters and blanks."""
    plain, _ = plainly(value)
    return whole(plain) or plain


def _told(new: Proposal, value: str, target: Memory | None) -> tuple[str, ...]:
    """All that it says, in whatever letters and blanks; the label that its client was shown, said beside it, is nothing
    new. What its client was not shown takes no part.
    """
    label = _collapsed(new.label)
    label = "" if target is not None and label == _collapsed(target.outer_label) else label
    more = (str(new.target_id), str(new.candidate)) if new.target_id is not None else ()
    return (str(new.client_id), new.directive.value, new.subject, label, terms.once(_as_seen, value), *more)


def _collapsed(line: str) -> str:
    return " ".join(line.split())
