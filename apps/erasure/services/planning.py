"""What an order would do, shown before it does."""

from collections import Counter
from dataclasses import replace
from hashlib import sha256
from uuid import UUID

from apps.ledger.log import reading
from apps.memories import services as memories
from apps.policy.erasing import Derived, Found, Plan, Where, chosen
from apps.policy.roles import Deed, needs
from apps.policy.types import Holder, Refused


@needs(Deed.ERASE)
def preview(holder: Holder, where: Where, derived: Derived | None = None) -> Plan | Refused:
    """Exactly what an order would erase, and what it would leave: nothing is done. Refused as not-found where it names
    nothing, or beside what is there anything that is not.
    """
    with reading(holder.vault_id, holder.actor):
        return plan_within(holder, where, derived)


@needs(Deed.ERASE)
def plan_within(holder: Holder, where: Where, derived: Derived | None = None) -> Plan | Refused:
    """`preview`, within a look or an act."""
    there = memories.named_within(holder, where)
    about = memories.about_within(holder, where.entities) if where.entities else {}
    suggested = memories.suggested_within(holder, where.clients) if where.clients else {}
    found = Found(about, suggested)
    alone = where.alone(found)
    known = there if alone == (where,) else {one for each in alone for one in memories.named_within(holder, each)}
    named = chosen(where, there, found, known)
    if isinstance(named, Refused):
        return named
    beside = memories.holding_within(holder, named)
    plan = Plan(named, beside.derived, beside.merged, beside.suggested, beside.alike, choice=derived)
    going: frozenset[UUID] = frozenset(each.memory_id for each in plan.going)
    counts = Counter(each.category.value for each in plan.going)
    still = tuple(each for each in beside.alike if each not in going)
    digest = sha256("\n".join(plan.lines).encode()).hexdigest()
    return replace(plan, still_held=still, counts=counts, digest=digest)
