"""Recognising what was corrected: a text against the prints of what a subject says and said before. Within an act.

A version that was kept before there were prints has none, and is not recognised.
"""

from collections.abc import Collection, Iterable
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


def restated(
    within: Act, said: Print, about: Memory, *, living: bool | None = None, proposed: bool = False
) -> Echo | Confirmed | None:
    """What a text is to a memory: its current value, a retired one, or something new. Of one that was put away or
    merged (unless it is taken as `living`), the current value is retired too: it was ended on purpose. So is, of a
    text that is `proposed`, what was proposed before and approved in other words.
    """
    here = (about.memory_id, about.version)
    current = prints.found(within.vault_id, [here]).get(here)
    holds = current if (about.state not in _ENDED if living is None else living) else None
    retired = prints.sifted(within.vault_id, about.memory_id, sieve(said, holds), proposed=proposed)
    if holds is None and current is not None:
        retired[about.version] = current
    return echo_of(said, holds, retired)


def echoed_anywhere(within: Act, said: Print, there: Iterable[UUID], *, proposed: bool = False) -> Echoed | None:
    """A memory among these that says no more what a text says token by token, whatever its subject; None where a living
    one among them says it now. `proposed` as in `restated`.
    """
    among = set(there)
    found = [each for each in said_by(within, said, proposed=proposed) if each[0] in among]
    if not found:
        return None
    known = {each.memory_id: each for each in store.memories(within.vault_id, [memory_id for memory_id, _ in found])}
    now = [known[each].state for each, version in found if each in known and known[each].version == version]
    if any(state not in _ENDED for state in now):
        return None
    memory_id, version = found[-1]
    return Echoed(memory_id, Echo(version, How.EXACT))


def brought_back(within: Act, moving: Memory, subject: str, unseen: Collection[UUID] = ()) -> Echoed | None:
    """What a memory would bring back under another subject: a value that one there, as far as it is seen, said before
    or was put away for saying.
    """
    here = (moving.memory_id, moving.version)
    said = prints.found(within.vault_id, [here]).get(here)
    if said is None:
        return None
    for each in store.under(within.vault_id, subject):
        told = restated(within, said, each) if each.memory_id not in {moving.memory_id, *unseen} else None
        if isinstance(told, Echo):
            return Echoed(each.memory_id, told)
    return None


def said_by(within: Act, said: Print, *, proposed: bool = False) -> list[tuple[UUID, int]]:
    """Every version, of any memory, that says or said exactly this; what was only proposed where that counts too."""
    found = prints.like(within.vault_id, [said.whole]).get(said.whole, [])
    lines = versions.at(within.vault_id, found)
    there = [each for each in found if each in lines]
    return [each for each in there if proposed or lines[each].ended_as is not Ended.PROPOSED]


def print_of(key: VaultKey, text: str) -> Print:
    """A text's print by the vault's key."""
    return prints.of(key, text)
