"""What was made one, as pages tell it."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from apps.memories import services as memories
from apps.memories.services import merging, naming
from apps.policy.links import Merge, What
from apps.policy.types import Holder
from apps.web.lines import Names


@dataclass(frozen=True, slots=True)
class Merged:
    """A merge as the page tells it: what each of the two is called."""

    merge: Merge
    kept: str
    merged: str


def became(holder: Holder, memory_id: UUID) -> list[Merged]:
    """Of a memory that is part of another: that it is."""
    mine = [each for each in merging.merges(holder) if each.merged_id == memory_id and each.undone_at is None]
    known = {each.memory_id: each for each in memories.memories(holder)} if mine else {}
    return merges_told(mine, Names(known, {}, {}, {}, holder), ())


def merges_told(found: Iterable[Merge], names: Names, known: Iterable[naming.Known]) -> list[Merged]:
    """What was merged, by what both were called."""
    called = {each.entity.entity_id: each.entity.name for each in known}
    called |= {name.entity_id: name.name for each in known for name in each.merged}
    return [
        Merged(each, *(names.memory(one) if each.what is What.MEMORY else called.get(one, "") for one in _two(each)))
        for each in found
    ]


def _two(merge: Merge) -> tuple[UUID, UUID]:
    return merge.kept_id, merge.merged_id
