"""Merging: two memories, or two entities, that are one; and parting them again.

The one that is kept stays as it is. The other is offered to nobody, is out of search, and its subject is free again;
what was drawn to it is followed to the one that stays.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from apps.ledger.ids import new_id
from apps.ledger.log import Act, act, reading
from apps.memories import linked, store
from apps.memories.services.keeping import about, taken
from apps.memories.services.sight import unseen_within
from apps.policy.ids import typed
from apps.policy.links import Merge, What
from apps.policy.roles import Deed, needs
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Memory, Refused
from apps.policy.vocabulary import ReceiptKind, Refusal, State


@needs(Deed.LOOK)
def merges(holder: Holder) -> tuple[Merge, ...]:
    """What was merged, newest first, undone ones too; as far as this seat sees both."""
    with reading(holder.vault_id, holder.actor):
        unseen = unseen_within(holder)
        return tuple(each for each in linked.merges(holder.vault_id) if not {each.kept_id, each.merged_id} & unseen)


@needs(Deed.KEEP)
def merge(
    holder: Holder,
    what: What,
    kept_id: UUID,
    merged_id: UUID,
    now: datetime,
    *,
    versions: Mapping[UUID, int] | None = None,
) -> Merge | Refused:
    """Make two one: two memories that are kept, or two entities of one kind. Refused as not-found for what is not
    there, was put away or is merged already; as stale where a memory is no longer at the one of `versions` that was
    looked at. Raises TextProblem for one and the same, and for two kinds.
    """
    with act(holder.vault_id, holder.actor) as merging:
        done: Merge | Refused | None = _moved(holder.vault_id, versions or {})
        if done is None:
            done = merge_within(merging, what, kept_id, merged_id, now, unseen=unseen_within(holder))
        if isinstance(done, Refused):
            merging.cancel()
    return done


def _moved(vault_id: UUID, versions: Mapping[UUID, int]) -> Refused | None:
    """Is one of these memories another by now than it was looked at?"""
    found = store.memories(vault_id, list(versions)) if versions else ()
    return Refused(Refusal.STALE) if any(versions[each.memory_id] != each.version for each in found) else None


def merge_within(
    within: Act, what: What, kept_id: UUID, merged_id: UUID, now: datetime, *, unseen: Collection[UUID] = ()
) -> Merge | Refused:
    """`merge`, within an act: its receipt included. `unseen` is not there for who acts."""
    if kept_id == merged_id:
        raise TextProblem("merged", "They are one and the same. Choose another one.")
    for one, pointer in ((kept_id, "/kept"), (merged_id, "/merged")):
        if one in unseen:
            return Refused(Refusal.NOT_FOUND, pointer)
    new = Merge(new_id(), what, kept_id, merged_id, now)
    return _merge_entities(within, new, now) if what is What.ENTITY else _merge_memories(within, new, now)


def _merge_memories(within: Act, new: Merge, now: datetime) -> Merge | Refused:
    found = {each.memory_id: each for each in store.memories(within.vault_id, [new.kept_id, new.merged_id])}
    for one, pointer in ((new.kept_id, "/kept"), (new.merged_id, "/merged")):
        if one not in found or found[one].state is not State.APPROVED:
            return Refused(Refusal.NOT_FOUND, pointer)
    merged = replace(found[new.merged_id], state=State.MERGED, merged_into=new.kept_id, updated_at=now)
    linked.merge_into(within, new, now)
    store.index(within, store.vault_key_for_writing(within, now), merged, None)
    within.record(ReceiptKind.MEMORY_MERGED, **{**about(merged), "object": typed("mem", new.kept_id)})
    return new


def _merge_entities(within: Act, new: Merge, now: datetime) -> Merge | Refused:
    found = {each.entity_id: each for each in linked.entities(within.vault_id, [new.kept_id, new.merged_id])}
    for one, pointer in ((new.kept_id, "/kept"), (new.merged_id, "/merged")):
        if one not in found or found[one].merged_into is not None:
            return Refused(Refusal.NOT_FOUND, pointer)
    if found[new.kept_id].kind is not found[new.merged_id].kind:
        raise TextProblem("merged", "They are of two kinds. Put that right first, or choose another one.")
    linked.merge_into(within, new, now)
    within.record(ReceiptKind.ENTITY_MERGED, object=typed("mrg", new.merge_id))
    return new


@needs(Deed.KEEP)
def part(holder: Holder, merge_id: UUID, now: datetime) -> Merge | Refused:
    """Make them two again. Refused as not-found where it was undone, or one of them is gone or sealed; as subject-taken
    where another memory stands under the subject by now.
    """
    with act(holder.vault_id, holder.actor) as parting:
        done = part_within(parting, merge_id, now, unseen=unseen_within(holder))
        if isinstance(done, Refused):
            parting.cancel()
    return done


def part_within(within: Act, merge_id: UUID, now: datetime, *, unseen: Collection[UUID] = ()) -> Merge | Refused:
    """`part`, within an act: its receipt included. What was drawn meanwhile stays with the one that was kept; search
    finds the other again once it is indexed anew.
    """
    found = linked.merge(within.vault_id, merge_id)
    if found is None or found.undone_at is not None or {found.kept_id, found.merged_id} & set(unseen):
        return Refused(Refusal.NOT_FOUND)
    if found.what is What.ENTITY:
        if not linked.entities(within.vault_id, [found.merged_id]):
            return Refused(Refusal.NOT_FOUND)
        within.record(ReceiptKind.ENTITY_PARTED, object=typed("mrg", found.merge_id))
        return linked.part(within, found, now)
    merged = store.memory(within.vault_id, found.merged_id)
    if merged is None or merged.state is not State.MERGED:
        return Refused(Refusal.NOT_FOUND)
    if taken(within, merged.subject):
        return Refused(Refusal.SUBJECT_TAKEN)
    return _part_memories(within, found, merged, now)


def _part_memories(within: Act, found: Merge, merged: Memory, now: datetime) -> Merge:
    within.record(ReceiptKind.MEMORY_PARTED, **{**about(merged), "object": typed("mem", found.kept_id)})
    return linked.part(within, found, now)
