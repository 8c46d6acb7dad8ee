"""The holder looks at their own values: the one hand-over that rests on the holder alone."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from apps.ledger.format.opening import Opening
from apps.ledger.log import reading
from apps.memories import gate, store, versions
from apps.memories.services.offering import facts
from apps.policy.ids import typed
from apps.policy.plans import past_plan, show_plan
from apps.policy.roles import Deed, ask, needs, opens_attested, sees
from apps.policy.text import TextProblem
from apps.policy.types import HandedOver, Holder, Plan

MOST_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Shown:
    """What the holder was shown, stamped as `value.shown`, by receipts `first` to `last`.

    `openings`, if asked for: files, as JSON-ready members, each of which opens the commitments of one of these values.
    """

    values: tuple[HandedOver, ...]
    first: int
    last: int
    openings: tuple[dict[str, str | int], ...] = ()


@needs(Deed.SHOW)
def show(holder: Holder, ids: Sequence[UUID], *, openings: bool = False) -> Shown:
    """The holder looks at up to 50 of their own values: stamped like any other hand-over, as `value.shown`.

    Whoever acts for them is shown an attested one as confirmed, without its value.
    With `openings` also at what lets somebody they choose check which receipts are about these values: the holder
    alone. Raises TextProblem for more than 50.
    """
    if openings:
        ask(holder, Deed.TAKE)
    wanted = list(dict.fromkeys(ids))
    if len(wanted) > MOST_SHOWN:
        raise TextProblem("memories", f"They are {len(wanted)}; at most {MOST_SHOWN} are shown at once.")
    found = tuple(each for each in facts(holder.vault_id, holder.actor, wanted) if sees(holder, each))
    plan = show_plan(found, unknown=len(wanted) - len(found), attested_too=opens_attested(holder))
    shown = hand_to_holder(holder, plan, openings=openings) if plan.items else Shown((), 0, 0)
    attested = {each.memory_id for each in found if each.attested}
    return replace(
        shown,
        openings=tuple(_opening(holder, each, each.memory_id in attested) for each in shown.values if each.opening),
    )


@needs(Deed.SHOW)
def show_past(holder: Holder, wanted: Sequence[tuple[UUID, int]]) -> Shown:
    """What memories said before, by (memory, version): stamped like every look. Unknown ones are left out, and so is
    what the seat does not see. Raises TextProblem for more than 50.
    """
    if len(wanted) > MOST_SHOWN:
        raise TextProblem("versions", f"They are {len(wanted)}; at most {MOST_SHOWN} are shown at once.")
    with reading(holder.vault_id, holder.actor):
        ids = {memory_id for memory_id, _ in wanted}
        mine = {each.memory_id: each for each in store.memories(holder.vault_id, ids) if sees(holder, each)}
        lines = versions.at(holder.vault_id, [each for each in wanted if each[0] in mine])
    known = [(mine[each[0]], lines[each]) for each in dict.fromkeys(wanted) if each in lines]
    chosen = [(memory, line) for memory, line in known if sees(holder, replace(memory, category=line.category))]
    plan = past_plan(chosen, attested_too=opens_attested(holder))
    return hand_to_holder(holder, plan) if plan.items else Shown((), 0, 0)


def _opening(holder: Holder, handed: HandedOver, attested: bool) -> dict[str, str | int]:
    assert handed.opening is not None and handed.value is not None
    return Opening(
        typed("vlt", holder.vault_id),
        typed("mem", handed.memory_id),
        handed.version,
        handed.category.value,
        attested,
        handed.opening,
        handed.value,
    ).to_json()


@needs(Deed.SHOW)
def hand_to_holder(holder: Holder, plan: Plan, *, openings: bool = False, what_opens: bool = False) -> Shown:
    """Stamp and take a plan that rests on the holder, for them or for whoever acts for them; see gate.take. Where the
    rows say otherwise than the plan, nothing is stamped, and `first` is 0.
    """
    handle = secrets.token_bytes(32)
    stamped = gate.stamp(holder.vault_id, holder.actor, holder.actor, handle, plan, handle.hex())
    if stamped.outcome != "stamped":
        return Shown((), 0, 0)
    values = gate.take(holder.vault_id, holder.actor, holder.actor, handle, openings=openings, what_opens=what_opens)
    return Shown(values, stamped.first, stamped.last)
