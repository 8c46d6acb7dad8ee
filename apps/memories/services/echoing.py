"""Recognising what was corrected: a text against the prints of what a subject says and said before. Within an act
or a look.

A version that was kept before there were prints has none, and is not recognised.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from apps.memories import prints, sayings, store, versions, waiting
from apps.policy.echo import Confirmed, Echo, How, echo_of, same, sieve
from apps.policy.prints import Print
from apps.policy.types import Memory
from apps.policy.vocabulary import Ended, State

_ENDED = (State.WITHDRAWN, State.MERGED)


class Within(Protocol):
    """An act, or a look at one vault."""

    @property
    def vault_id(self) -> UUID: ...


@dataclass(frozen=True, slots=True)
class Echoed:
    """A text restates what this memory said before, or was put away for saying."""

    memory_id: UUID
    echo: Echo


def restated(
    within: Within,
    said: Print,
    about: Memory,
    *,
    living: bool | None = None,
    proposed: bool = False,
    beside: bool = False,
) -> Echo | Confirmed | None:
    """What a text is to a memory: its current value, a retired one, or something new. Of one that was put away or
    merged (unless it is taken as `living`), the current value is retired too: it was ended on purpose. So is, of a
    text that is `proposed`, what was proposed before and approved in other words. `beside` as in `echo_of`.
    """
    here = (about.memory_id, about.version)
    current = prints.found(within.vault_id, [here]).get(here)
    holds = current if (about.state not in _ENDED if living is None else living) else None
    retired = prints.sifted(within.vault_id, about.memory_id, sieve(said, holds), proposed=proposed)
    if about.holds_until is not None:
        retired = _without_what_waits(within, about, retired)
    if holds is None and current is not None:
        retired[about.version] = current
    return echo_of(said, holds, retired, beside=beside)


def _without_what_waits(within: Within, about: Memory, retired: dict[int, Print]) -> dict[int, Print]:
    """Without what was taken back before its day and waits for another one by now."""
    waits = [(each.memory_id, each.version) for each in waiting.of(within.vault_id, about.memory_id)]
    said = {each.whole for each in prints.found(within.vault_id, waits).values()}
    again = [(about.memory_id, version) for version, each in retired.items() if each.whole in said]
    lines = versions.at(within.vault_id, again)
    planned = {each.version for each in lines.values() if each.ended_as is Ended.CANCELLED}
    return {version: each for version, each in retired.items() if version not in planned}


def echoed_anywhere(
    within: Within, said: Print, seen: Callable[[Memory], bool], *, proposed: bool = False
) -> Echoed | None:
    """A memory of those that are `seen` that says no more what a text says token by token, or in the very same words,
    whatever its subject; None where a living one of them says it now. `proposed` as in `restated`.
    """
    alike = {at: each for at, each in sayings.saying(within.vault_id, said).items() if same(said, each)}
    mine = store.memories(within.vault_id, {memory_id for memory_id, _ in alike}) if alike else ()
    known = {each.memory_id: each for each in mine if seen(each)}
    lines = versions.at(within.vault_id, [each for each in alike if each[0] in known])
    found = sorted(at for at in alike if at in lines and (proposed or lines[at].ended_as is not Ended.PROPOSED))
    if not found or any(known[each].version == version and known[each].state not in _ENDED for each, version in found):
        return None
    wholes = {each.whole for each in said.read}
    exact = [at for at in found if alike[at].whole in wholes]
    memory_id, version = (exact or found)[-1]
    return Echoed(memory_id, Echo(version, How.EXACT if exact else How.LOOSE))


def nearly_echoed(within: Within, said: Print, seen: Callable[[Memory], bool]) -> Echoed | None:
    """A memory of those that are `seen`, under whatever subject, whose retired value a text says in other words: every
    word of it, two at least, and they are half of the text. What only was proposed is retired too.
    """
    near = sayings.held_in(within.vault_id, said)
    mine = store.memories(within.vault_id, {memory_id for memory_id, _ in near}) if near else ()
    current = prints.found(within.vault_id, [(each.memory_id, each.version) for each in mine])
    for each in filter(seen, mine):
        holds = current.get((each.memory_id, each.version)) if each.state not in _ENDED else None
        told = echo_of(
            said, holds, {version: old for (memory_id, version), old in near.items() if memory_id == each.memory_id}
        )
        if isinstance(told, Echo):
            return Echoed(each.memory_id, told)
    return None


def brought_back(within: Within, moving: Memory, subject: str, unseen: Collection[UUID] = ()) -> Echoed | None:
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
