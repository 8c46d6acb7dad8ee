"""Which memories hold personal data of a known kind: a list, made by looking, and every look stamped."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from apps.erasure.personal import Personal, kinds_in
from apps.ledger.log import reading
from apps.memories import services as memories
from apps.policy.roles import Deed, ask, needs
from apps.policy.types import Holder, Memory


@dataclass(frozen=True, slots=True)
class Personals:
    """Memories and the kinds found in them, by subject; `looked` at so many values, by receipts `first` to `last`.
    `unread` are attested ones that are opened for nobody but the holder.
    """

    found: tuple[tuple[Memory, frozenset[Personal]], ...]
    looked: int
    unread: int
    first: int
    last: int


@needs(Deed.ERASE)
def personal_data(holder: Holder, kinds: Collection[Personal] = tuple(Personal), country: str = "GB") -> Personals:
    """Look at every memory of the file, and say which of them hold one of these kinds. Nothing is erased. `country`
    (ISO 3166-1, two letters) says how a phone number without a prefix is read. Each look is stamped as any other.
    """
    ask(holder, Deed.SHOW)
    with reading(holder.vault_id, holder.actor):
        kept = {each.memory_id: each for each in memories.kept_within(holder)}
    found: dict[UUID, frozenset[Personal]] = {}
    looks = []
    ids = list(kept)
    for start in range(0, len(ids), memories.MOST_SHOWN):
        look = memories.show(holder, ids[start : start + memories.MOST_SHOWN])
        looks.append(look)
        for each in look.values:
            held = kinds_in(kept[each.memory_id].label, each.value or "", country) & frozenset(kinds)
            if held:
                found[each.memory_id] = held
    read = sum(each.value is not None for look in looks for each in look.values)
    lines = [number for look in looks if look.last for number in (look.first, look.last)]
    listed = sorted(found, key=lambda memory_id: (kept[memory_id].subject, memory_id))
    return Personals(
        tuple((kept[each], found[each]) for each in listed),
        read,
        len(kept) - read,
        min(lines, default=0),
        max(lines, default=0),
    )
