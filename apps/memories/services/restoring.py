"""The way back: to what was said before, or on purpose to what was retired; each as a new version."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from apps.ledger.log import Act, act, reading
from apps.memories import prints, store, versions
from apps.memories.services.arriving import overtaken_within, wait_within
from apps.memories.services.keeping import about, as_seen, as_written, neutral, seal
from apps.memories.services.past import predecessor
from apps.memories.services.showing import show_past
from apps.memories.versions import Line
from apps.policy import when
from apps.policy.roles import Deed, needs, opens_attested
from apps.policy.text import MOST_RATIONALE, check_line
from apps.policy.types import Holder, Memory, MemoryVersion, Refused
from apps.policy.vocabulary import Ended, ReceiptKind, Refusal


@needs(Deed.KEEP)
def revert(
    holder: Holder, memory_id: UUID, now: datetime, *, if_version: int | None = None, why: str = ""
) -> Memory | Refused:
    """Seal what was said before as a new version. Said again, it goes further back. Refused as nothing-before where
    there is nothing, as stale where the memory has moved on meanwhile. The value is looked at for it, which is stamped
    as shown. Raises TextProblem.
    """
    with reading(holder.vault_id, holder.actor):
        found = as_seen(holder, memory_id, if_version)
        lines = versions.history(holder.vault_id, memory_id)
    if isinstance(found, Refused):
        return found
    before = predecessor(lines, found.version)
    if before is None:
        return Refused(Refusal.NOTHING_BEFORE)
    return _restore(holder, found, before, now, ReceiptKind.MEMORY_REVERTED, Ended.WRONG, why)


@needs(Deed.KEEP)
def reaffirm(
    holder: Holder,
    memory_id: UUID,
    version: int,
    now: datetime,
    *,
    if_version: int | None = None,
    changed: bool = False,
    why: str = "",
) -> Memory | Refused:
    """Take a retired value back on purpose, as a new version; `changed`: what it takes the place of was true until now,
    else it was wrong. Of the version that holds it says that it still does: nothing is sealed anew, and its rank starts
    afresh. Refused as not-found for a version there is none of, as stale where the memory has moved on meanwhile.
    Raises TextProblem.
    """
    with reading(holder.vault_id, holder.actor):
        found = as_seen(holder, memory_id, if_version)
        line = versions.one(holder.vault_id, memory_id, version)
    if isinstance(found, Refused):
        return found
    if line is None:
        return Refused(Refusal.NOT_FOUND)
    if version == found.version:
        return _confirm(holder, found, now)
    ended = Ended.CHANGED if changed else Ended.WRONG
    return _restore(holder, found, line, now, ReceiptKind.MEMORY_REAFFIRMED, ended, why)


def _confirm(holder: Holder, found: Memory, now: datetime) -> Memory | Refused:
    with act(holder.vault_id, holder.actor) as confirming:
        old = as_seen(holder, found.memory_id, found.version)
        if isinstance(old, Refused):
            confirming.cancel()
            return old
        store.affirm(confirming, old.memory_id, now)
        confirming.record(ReceiptKind.MEMORY_REAFFIRMED, **about(old))
    return replace(old, updated_at=now, settled_at=now)


def _restore(
    holder: Holder, found: Memory, line: MemoryVersion, now: datetime, kind: ReceiptKind, ended: Ended, why: str
) -> Memory | Refused:
    said = check_line(why, "why", MOST_RATIONALE, empty=True)
    if found.attested and not opens_attested(holder):
        return Refused(Refusal.NOT_YOURS)  # its value is opened for nobody but the holder
    looked = show_past(holder, [(found.memory_id, line.version)])
    if not looked.values or looked.values[0].value is None:
        return Refused(Refusal.NOT_FOUND)
    with act(holder.vault_id, holder.actor) as restoring:
        old = as_seen(holder, found.memory_id, found.version)
        if isinstance(old, Refused):
            restoring.cancel()
            return old
        made = Line(why=said)
        return restore_within(restoring, old, line, looked.values[0].value, now, kind, made, ended)


def restore_within(
    within: Act,
    old: Memory,
    line: MemoryVersion,
    value: str,
    now: datetime,
    kind: ReceiptKind,
    made: Line,
    ended: Ended = Ended.WRONG,
) -> Memory:
    """What a version said, as a new one, within an act: its receipt of this `kind` included. With its label and source,
    and from when to when that one was true, as it was said; what is special by now stays so. Its sort, weight and place
    at home are the memory's and no version's, and stay. What is true from a day to come waits for it. `made`: what the
    history says of it.
    """
    new = replace(_as_it_was(old, line), version=versions.next_number(within, old.memory_id))
    new = replace(new, reopened_at=None, settled_at=now, updated_at=now)
    dates = {name: getattr(line, name) for name in ("valid_from", "valid_to", "holds_from", "holds_until")}
    made = replace(made, restored_from=line.version, **dates)
    current = versions.one(within.vault_id, old.memory_id, old.version)
    if when.waits(made.holds_from, current.holds_from if current is not None else None, now):
        return wait_within(within, old, new, value, made, now)
    said = prints.of(store.vault_key_for_writing(within, now), value)
    overtaken_within(within, old, new, said, now)
    store.supersede(within, new, now, ended, made)
    seal(within, new, value, now)
    within.record(kind, **about(new))
    return as_written(within, new, old, made)


def _as_it_was(old: Memory, line: MemoryVersion) -> Memory:
    """The memory with an earlier version's label side. What either of the two keeps apart as special stays apart: an
    ordinary label that it had by now, or a private one from then, would tell the secret.
    """
    category = line.category if line.category.special else old.category
    kept = category is old.category
    return replace(
        old,
        label=line.label or old.label,
        category=category,
        neutral_label=old.neutral_label if kept else neutral(category, ""),
        as_of=line.as_of,
        source=line.source,
    )
