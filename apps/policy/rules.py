"""The whole authorization model: pure functions over frozen facts. `now` is an argument.

A verdict is a value: `Allowed` or a falsy `Refused` with its reason. Nothing here raises a no.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from apps.policy.grants import over
from apps.policy.types import (
    Allowed,
    Asked,
    Authority,
    Caller,
    DecidedPart,
    Grant,
    Holder,
    Label,
    Memory,
    Part,
    Plan,
    PlanItem,
    Proposal,
    Refused,
    Verdict,
)
from apps.policy.vocabulary import (
    Category,
    Form,
    PartStatus,
    ProposalStatus,
    Purpose,
    ReceiptKind,
    Refusal,
    State,
)


def goes_there(memory: Memory, *, local: bool) -> bool:
    """Does this memory go to such a place at all? One that is local only goes to nothing but what is marked local: a
    client by the holder, a model endpoint by who runs the instance.
    """
    return local or not memory.local_only


def living(memory: Memory) -> bool:
    """May it be offered at all? What does not hold yet, or no more, by its own dates is offered to nobody."""
    return memory.state is State.APPROVED and memory.holds


def labels_for_scope(memories: Iterable[Memory], *, neutral: bool = False, local: bool = False) -> tuple[Label, ...]:
    """What may a client be shown to choose from? Approved memories' labels, never a value; what is local only is absent
    but for what is `local` itself.

    Special categories are absent; with `neutral` (the vault's own chat) they appear by their neutral
    label and their category alone, because a private label or subject would tell the secret.
    """
    labels = []
    for memory in memories:
        if not living(memory) or not goes_there(memory, local=local):
            continue
        if not memory.category.special:
            labels.append(Label(memory.memory_id, memory.subject, memory.label, memory.category, memory.attested))
        elif neutral:
            labels.append(
                Label(
                    memory.memory_id,
                    memory.category.value,
                    memory.neutral_label,
                    memory.category,
                    memory.attested,
                )
            )
    return tuple(labels)


def validate_request(asked: Sequence[Asked], labels: Mapping[UUID, Label]) -> Refused | None:
    """May this be asked at all? Every memory must be one the client was shown; a category must be special.

    Unknown, foreign, withdrawn and never-shown ids all get the same not-found, with the line's pointer.
    """
    if not asked:
        return Refused(Refusal.NOT_FOUND, "/items")
    for index, line in enumerate(asked):
        known = line.memory_id in labels if line.memory_id else line.category is not None and line.category.special
        if not known or (line.memory_id and line.category):
            return Refused(Refusal.NOT_FOUND, f"/items/{index}")
    return None


def split_by_category(asked: Sequence[Asked], labels: Mapping[UUID, Label]) -> tuple[Part, ...]:
    """The parts that are decided apart: the ordinary lines together, each special category by itself."""
    ids: dict[Category, dict[UUID, None]] = {}
    whole: set[Category] = set()
    for line in asked:
        if line.memory_id:
            ids.setdefault(labels[line.memory_id].category, {})[line.memory_id] = None
        elif line.category:
            ids.setdefault(line.category, {})
            whole.add(line.category)
    order = list(Category)
    return tuple(Part(category, tuple(ids[category]), category in whole) for category in sorted(ids, key=order.index))


def visible_to_client(memory: Memory | None, grants: Iterable[Grant], *, local: bool = False) -> bool:
    """Was the client ever shown that this exists? Ordinary labels are; a special one only by a grant for it, and so is
    one that is local only, but to what is `local` itself.
    """
    if memory is None or not living(memory):
        return False
    return (not memory.category.special and goes_there(memory, local=local)) or any(
        memory.memory_id in grant.memory_ids and grant.category is memory.category for grant in grants
    )


def rides_along(memory: Memory, others: Iterable[Memory]) -> bool:
    """Is this a special category in the company of anything else? Then it stays behind."""
    return memory.category.special and any(other.category is not memory.category for other in others)


def project(memory: Memory) -> Form:
    """In which form may it leave? The only road from a memory to a disclosure: an attested one only as proof."""
    return Form.ATTESTED if memory.attested else Form.VALUE


def find_grant(
    memory: Memory,
    *,
    recipient: str,
    purpose: Purpose,
    turn_id: UUID | None,
    grants: Sequence[Grant],
    decided: Sequence[DecidedPart],
    now: datetime,
) -> Verdict:
    """Does a grant cover this memory for this recipient and purpose, live and unspent? Else, why not.

    A grant covers a special category only if it was given for that category alone, and a grant that is
    bound to a turn covers that turn alone. Of several, the one that ends first is used.
    """
    covering = [
        grant
        for grant in grants
        if memory.memory_id in grant.memory_ids
        and grant.category is memory.category
        and grant.recipient == recipient
        and grant.turn_id in (None, turn_id)
    ]
    for_purpose = [grant for grant in covering if grant.purpose is purpose]
    live = [grant for grant in for_purpose if not over(grant, now)]
    unspent = [grant for grant in live if grant.reads_left is None or grant.reads_left > 0]
    usable = [grant for grant in unspent if not grant.paused]
    if usable:
        return Allowed(memory, project(memory), min(usable, key=lambda grant: (grant.expires_at, grant.grant_id)))
    if unspent:
        return Refused(Refusal.PAUSED)
    return _why_not(memory, decided, covering, for_purpose, live, now)


def _why_not(
    memory: Memory,
    decided: Sequence[DecidedPart],
    covering: Sequence[Grant],
    for_purpose: Sequence[Grant],
    live: Sequence[Grant],
    now: datetime,
) -> Refused:
    """The most useful true reason: what is under way first, then what ended, then what never was."""
    about = [
        part
        for part in decided
        if part.part.category is memory.category
        and (part.part.whole_category or memory.memory_id in part.part.memory_ids)
    ]
    waiting = [part for part in about if part.status.open]
    if waiting:
        return Refused(Refusal.GRANT_PENDING, request_id=waiting[0].request_id)
    cooling = [part.cool_down_until for part in about if part.cool_down_until and part.cool_down_until > now]
    if cooling:
        return Refused(Refusal.GRANT_DENIED, until=max(cooling))
    if live:
        return Refused(Refusal.GRANT_SPENT)
    if for_purpose:
        return Refused(Refusal.GRANT_ENDED)
    if covering:
        return Refused(Refusal.PURPOSE_MISMATCH)
    return Refused(Refusal.GRANT_REQUIRED)


def cooling_until(category: Category, decided: Iterable[DecidedPart], now: datetime) -> datetime | None:
    """Until when a denial keeps this client from asking for the category again; None when it may ask."""
    ends = [part.cool_down_until for part in decided if part.part.category is category and part.cool_down_until]
    return max((end for end in ends if end > now), default=None)


def cool_down_after(status: PartStatus, decided_at: datetime | None, hours: int) -> datetime | None:
    """When the cool-down that a denial starts is over; None for anything but a denial."""
    if status is not PartStatus.DENIED or decided_at is None:
        return None
    return decided_at + timedelta(hours=hours)


def stamps(
    verdicts: Sequence[tuple[UUID, Verdict]],
    *,
    kind: ReceiptKind,
    purpose: str,
    request: str = "-",
    turn: str = "-",
) -> tuple[Plan, ...]:
    """The plans that say exactly what is handed over and refused: one plan a grant, refusals with the first.

    A not-found is stamped without an id, whatever exists: the client may read its own receipts.
    """
    by_grant: dict[UUID, tuple[Grant, list[PlanItem]]] = {}
    refused: list[PlanItem] = []
    for memory_id, verdict in verdicts:
        if isinstance(verdict, Refused):
            named = None if verdict.reason is Refusal.NOT_FOUND else memory_id
            refused.append(PlanItem(named, Form.REFUSED, reason=verdict.reason))
        elif verdict.grant is not None:
            items = by_grant.setdefault(verdict.grant.grant_id, (verdict.grant, []))[1]
            items.append(item_of(verdict.memory, verdict.form))
    groups = [(Authority("gra", g.grant_id, g.terms_version), items) for g, items in by_grant.values()]
    if not groups and refused:
        groups = [(Authority("gra"), [])]
    return tuple(
        Plan(kind, authority, tuple(items + (refused if index == 0 else [])), purpose, request, turn)
        for index, (authority, items) in enumerate(groups)
    )


def item_of(memory: Memory, form: Form) -> PlanItem:
    """The plan's line for a memory as its row stands."""
    return PlanItem(memory.memory_id, form, memory.version, memory.category, memory.state.value, memory.attested)


def judge_proposal(proposal: Proposal | None, by: Holder | Caller) -> Refused | None:
    """May this one decide on this proposal now? Only the holder, signed in, and only while it is pending."""
    if not isinstance(by, Holder):
        return Refused(Refusal.NOT_YOURS)
    if proposal is None:
        return Refused(Refusal.NOT_FOUND)
    if proposal.status is not ProposalStatus.PENDING:
        return Refused(Refusal.ALREADY_DECIDED)
    return None
