"""Recognising what was corrected: a text against the prints of what a subject says and said before. Within an act.

A version that was kept before there were prints has none, and is not recognised.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from apps.ledger.log import Act
from apps.memories import prints, store, versions
from apps.memories.keys import VaultKey
from apps.policy.echo import Confirmed, Echo, How, echo_of, sieve
from apps.policy.prints import Print
from apps.policy.types import Memory
from apps.policy.vocabulary import Ended, State

_ENDED = (State.WITHDRAWN, State.MERGED)


@dataclass(frozen=True, slots=True)
class Echoed:
    """A text restates what this memory said before, or was put away for saying."""

    memory_id: UUID
    echo: Echo


def restated(within: Act, said: Print, about: Memory, *, living: bool | None = None) -> Echo | Confirmed | None:
    """What a text is to a memory: its current value, a retired one, or something new. Of one that was put away or
    merged (unless it is taken as `living`), the current value is retired too: it was ended on purpose.
    """
    here = (about.memory_id, about.version)
    current = prints.found(within.vault_id, [here]).get(here)
    holds = current if (about.state not in _ENDED if living is None else living) else None
    retired = prints.sifted(within.vault_id, about.memory_id, sieve(said, holds))
    if holds is None and current is not None:
        retired[about.version] = current
    return echo_of(said, holds, retired)


def echoed_anywhere(within: Act, said: Print, there: Iterable[UUID]) -> Echoed | None:
    """A memory among these that says no more what a text says token by token, whatever its subject; None where a living
    one among them says it now.
    """
    among = set(there)
    found = [each for each in said_by(within, said) if each[0] in among]
    if not found:
        return None
    known = {each.memory_id: each for each in store.memories(within.vault_id, [memory_id for memory_id, _ in found])}
    now = [known[each].state for each, version in found if each in known and known[each].version == version]
    if any(state not in _ENDED for state in now):
        return None
    memory_id, version = found[-1]
    return Echoed(memory_id, Echo(version, How.EXACT))


def said_by(within: Act, said: Print) -> list[tuple[UUID, int]]:
    """Every version, of any memory, that says or said exactly this."""
    found = prints.like(within.vault_id, [said.whole]).get(said.whole, [])
    lines = versions.at(within.vault_id, found)
    return [each for each in found if each in lines and lines[each].ended_as is not Ended.PROPOSED]


def print_of(key: VaultKey, text: str) -> Print:
    """A text's print by the vault's key."""
    return prints.of(key, text)
