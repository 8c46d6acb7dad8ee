"""Where a new memory stands in the file: under a subject of its own, as one that is there already, or not at all."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from itertools import count

from apps.ledger.log import Act
from apps.memories import prints, store
from apps.memories.keys import VaultKey
from apps.memories.services.echoing import echoed_anywhere, restated
from apps.memories.versions import NO_LINE, Line
from apps.policy.echo import Echo
from apps.policy.roles import Deed, needs, sees
from apps.policy.text import MOST_LABEL
from apps.policy.types import Holder, Memory, Refused
from apps.policy.vocabulary import Refusal, Role, State

_BY_HAND = {each.value for each in Role}  # whoever of them says it again says the same
_OWN = {"memory_id", "version", "updated_at", "made_at", "reopened_at", "settled_at", "holds_until"}


@needs(Deed.KEEP)
def placed_within(
    holder: Holder,
    within: Act,
    key: VaultKey,
    found: Collection[Memory],
    new: Memory,
    value: str,
    line: Line,
    *,
    chosen: bool,
    on_purpose: bool,
) -> Memory | Refused:
    """The new memory under a subject of its own, beside those `found` under it; or the one that says so already; or why
    not. What is sealed from this seat neither takes a subject nor is echoed.
    """
    said = prints.of(key, value)
    there = [each for each in found if sees(holder, each)]
    if there and line == NO_LINE and _says_so(within, key, there[0], new, value):
        return there[0]
    if not on_purpose:
        elsewhere = echoed_anywhere(within, said, lambda each: sees(holder, each))
        if elsewhere is not None or any(isinstance(restated(within, said, each), Echo) for each in there):
            return Refused(Refusal.ECHO, "/value")
    return new if new.state is State.SEALED else _place(within, new, found, chosen=chosen)


def _says_so(within: Act, key: VaultKey, living: Memory, new: Memory, value: str) -> bool:
    """Does the living one say this already, byte for byte, with nothing new about it?"""
    own = _OWN | ({"as_of"} if new.as_of is None else set())
    own |= {"source"} if {living.source, new.source} <= _BY_HAND else set()
    alike = replace(living, **{name: getattr(new, name) for name in own}) == new
    return alike and prints.same(key, within.vault_id, living.memory_id, living.version, value)


def _place(within: Act, new: Memory, there: Iterable[Memory], *, chosen: bool) -> Memory | Refused:
    """The memory under a subject that is free: with a number behind it where the subject was made from a label, and one
    of those that are `there` lives under it.
    """
    if not any(each.state is State.APPROVED for each in there):
        return new
    if chosen:
        return Refused(Refusal.SUBJECT_TAKEN, "/subject")
    stem = new.subject[: MOST_LABEL - 8]
    used = store.subjects_like(within.vault_id, stem)
    number = next(each for each in count(2) if f"{stem}-{each}" not in used)
    return replace(new, subject=f"{stem}-{number}")
