"""Recognising what was corrected: a text against the prints of what a subject says and said before. Within an act."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from apps.ledger.log import Act
from apps.memories import prints, store, versions
from apps.memories.keys import VaultKey
from apps.policy.echo import Confirmed, Echo, How, echo_of
from apps.policy.prints import Print
from apps.policy.types import Memory
from apps.policy.vocabulary import Ended, State

NEWEST = 20  # so many retired versions are compared word by word; token by token, all of them


@dataclass(frozen=True, slots=True)
class Echoed:
    """A text restates what this memory said before, or was put away for saying."""

    memory_id: UUID
    echo: Echo


def restated(within: Act, said: Print, about: Memory) -> Echo | Confirmed | None:
    """What a text is to a memory: its current value, a retired one, or something new. Of one that was put away or
    merged, the current value is retired too: it was ended on purpose.
    """
    retired = [each.version for each in versions.newest_retired(within.vault_id, about.memory_id, NEWEST)]
    found = prints.found(within.vault_id, [(about.memory_id, each) for each in (about.version, *retired)])
    known = {version: made for (_, version), made in found.items() if version != about.version}
    current = found.get((about.memory_id, about.version))
    if about.state in (State.WITHDRAWN, State.MERGED) and current is not None:
        known, current = known | {about.version: current}, None
    told = echo_of(said, current, known)
    if told is not None:
        return told
    exact = [
        version
        for memory_id, version in _said_before(within, said)
        if memory_id == about.memory_id and version != about.version
    ]
    return Echo(max(exact), How.EXACT) if exact else None


def echoed_anywhere(within: Act, said: Print, there: Iterable[UUID]) -> Echoed | None:
    """A memory among these that says no more what a text says token by token, whatever its subject; None where some
    memory says it now.
    """
    found = [(memory_id, version) for memory_id, version in _said_before(within, said) if memory_id in set(there)]
    if not found:
        return None
    current = {each.memory_id: each for each in store.memories(within.vault_id, [each for each, _ in found])}
    if any(memory_id in current and current[memory_id].version == version for memory_id, version in found):
        return None
    memory_id, version = found[-1]
    return Echoed(memory_id, Echo(version, How.EXACT))


def _said_before(within: Act, said: Print) -> list[tuple[UUID, int]]:
    """Every version, of any memory, that says exactly this."""
    found = prints.like(within.vault_id, [said.whole]).get(said.whole, [])
    lines = {(each.memory_id, each.version): each for each in versions.of(within.vault_id, {each for each, _ in found})}
    return [each for each in found if each in lines and lines[each].ended_as is not Ended.PROPOSED]


def print_of(key: VaultKey, text: str) -> Print:
    """A text's print by the vault's key."""
    return prints.of(key, text)
