"""Requests: a client asks, the holder decides each part, the client looks what became of it."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings

from apps.access import store
from apps.ledger.ids import new_id
from apps.ledger.log import Act, act, reading
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.rules import cool_down_after, cooling_until, labels_for_scope, split_by_category, validate_request
from apps.policy.text import MOST_NOTE, TextProblem, check_line
from apps.policy.types import AccessPart, AccessRequest, Asked, Caller, Grant, Holder, Label, Memory, Refused
from apps.policy.vocabulary import Category, PartStatus, Purpose, ReceiptKind, Refusal, State

OPEN_FOR = timedelta(days=1)
ONCE_WITHIN = timedelta(days=1)
LONGEST = timedelta(days=366)
MOST_ITEMS = 50
LONGEST_INTERVAL = 60


@dataclass(frozen=True, slots=True)
class Decision:
    """The holder's decision on one part: which memories (none: no), until when, for how many reads."""

    memory_ids: frozenset[UUID] = frozenset()
    until: datetime | None = None
    reads: int | None = 1


@dataclass(frozen=True, slots=True)
class PartChoices:
    """One part as the holder decides it: the memories it is about, by their private labels."""

    part: AccessPart
    memories: tuple[Memory, ...]


def subjects(caller: Caller) -> tuple[Label, ...]:
    """What this client may ask for: labels of ordinary memories, and neutral ones it was granted. Never values."""
    with reading(caller.vault_id, caller.actor):
        granted = store.grants(caller.vault_id, caller.client.client_id)
    return shown_labels(memories.facts(caller.vault_id, caller.actor), granted)


def shown_labels(found: Sequence[Memory], grants: Sequence[Grant]) -> tuple[Label, ...]:
    """All labels this client has been shown: the ordinary ones, and a special one's neutral side once granted."""
    granted = {memory_id for grant in grants for memory_id in grant.memory_ids}
    special = [each for each in found if each.category.special and each.memory_id in granted]
    return labels_for_scope(each for each in found if not each.category.special) + labels_for_scope(
        special, neutral=True
    )


def ask(
    caller: Caller,
    asked: Sequence[Asked],
    *,
    purpose: Purpose,
    now: datetime,
    purpose_note: str = "",
    ttl_seconds: int = 3600,
    max_reads: int | None = None,
) -> AccessRequest | Refused:
    """File a request. Special categories become parts of their own. The same open request is found, not doubled.

    Refused as not-found (with the line's pointer) for anything the client was not shown, and as cool-down while
    every part's category is cooling down after a denial. Raises TextProblem.
    """
    note = check_line(purpose_note, "purpose_note", MOST_NOTE, empty=True)
    if len(asked) > MOST_ITEMS:
        raise TextProblem("items", f"They are {len(asked)}; at most {MOST_ITEMS} are asked for at once.")
    labels = {label.memory_id: label for label in subjects(caller)}
    refused = validate_request(asked, labels)
    if refused:
        return refused
    parts = split_by_category(asked, labels)
    mark = _fingerprint(caller, parts, purpose, note, ttl_seconds, max_reads)
    with act(caller.vault_id, caller.actor) as asking:
        open_one = store.open_request_like(caller.vault_id, mark, now)
        if open_one:
            asking.cancel()
            return open_one
        decided = store.decided_parts(caller.vault_id, caller.client.client_id)
        cooling = {part.category: until for part in parts if (until := cooling_until(part.category, decided, now))}
        if len(cooling) == len(parts):
            asking.cancel()
            return Refused(Refusal.COOL_DOWN, until=max(cooling.values()))
        new = AccessRequest(
            new_id(),
            caller.client.client_id,
            purpose,
            note,
            ttl_seconds,
            max_reads,
            now,
            now + OPEN_FOR,
            None,
            tuple(
                AccessPart(
                    part,
                    PartStatus.DENIED if part.category in cooling else PartStatus.PENDING,
                    now if part.category in cooling else None,
                    None,
                )
                for part in parts
            ),
        )
        file(asking, new, caller.actor, mark, cooling)
    return new


def file(
    within: Act, new: AccessRequest, recipient: str, mark: bytes, cooling: dict[Category, datetime] | None = None
) -> None:
    """File a request within an act, with one receipt for each part that is asked."""
    store.file_request(within, new, recipient, mark, cooling or {})
    for each in new.parts:
        within.record(
            ReceiptKind.REQUEST_MADE,
            object=typed("req", new.request_id),
            request=typed("req", new.request_id),
            category=each.part.category.value,
            purpose=new.purpose.value,
            turn=typed("trn", new.turn_id) if new.turn_id else "-",
        )


def waiting(holder: Holder, now: datetime) -> tuple[AccessRequest, ...]:
    """Assistants' requests with a part the holder has not decided; the chat's own are on their turn's page."""
    with reading(holder.vault_id, holder.actor):
        found = store.requests(holder.vault_id, pending=True)
    return tuple(each for each in found if each.turn_id is None and each.expires_at > now)


def request(holder: Holder, request_id: UUID) -> AccessRequest | None:
    """One request, in any state."""
    with reading(holder.vault_id, holder.actor):
        return store.request(holder.vault_id, request_id)


def choices(holder: Holder, found: AccessRequest) -> tuple[PartChoices, ...]:
    """What the holder may choose from in each part: the named memories, or the category's."""
    mine = memories.memories(holder)
    return tuple(PartChoices(each, _candidates(each, mine)) for each in found.parts)


def _candidates(part: AccessPart, mine: Sequence[Memory]) -> tuple[Memory, ...]:
    return tuple(
        each
        for each in mine
        if each.state is State.APPROVED
        and each.category is part.part.category
        and (part.part.whole_category or each.memory_id in part.part.memory_ids)
    )


def decide(
    holder: Holder, request_id: UUID, decisions: Mapping[Category, Decision], now: datetime
) -> AccessRequest | Refused:
    """Decide parts of a request, each by itself. An empty choice is a no, and starts the cool-down.

    A part that was decided before is refused as already-decided and nothing is changed; memories outside the part
    are not granted, whatever is sent.
    """
    with act(holder.vault_id, holder.actor) as deciding:
        found = store.request(holder.vault_id, request_id)
        if found is None:
            deciding.cancel()
            return Refused(Refusal.NOT_FOUND)
        by_category = {each.part.category: each for each in found.parts}
        refused = _refuse_decision(found, by_category, decisions, now)
        if refused:
            deciding.cancel()
            return refused
        mine = memories_within(deciding)
        recipient = store.recipient_of(holder.vault_id, request_id)
        for category, decision in decisions.items():
            offered = {each.memory_id for each in _candidates(by_category[category], mine)}
            _decide_part(deciding, found, by_category[category], decision, offered, recipient, now)
        changed = store.request(holder.vault_id, request_id)
    assert changed is not None
    return changed


def memories_within(within: Act) -> tuple[Memory, ...]:
    """The vault's memories as they stand inside an act."""
    return memories.facts_within(within)


def _refuse_decision(
    found: AccessRequest,
    by_category: Mapping[Category, AccessPart],
    decisions: Mapping[Category, Decision],
    now: datetime,
) -> Refused | None:
    if not decisions or any(category not in by_category for category in decisions):
        return Refused(Refusal.NOT_FOUND)
    if found.expires_at <= now or any(by_category[category].status is not PartStatus.PENDING for category in decisions):
        return Refused(Refusal.ALREADY_DECIDED)
    return None


def _decide_part(
    within: Act,
    found: AccessRequest,
    part: AccessPart,
    decision: Decision,
    offered: set[UUID],
    recipient: str,
    now: datetime,
) -> None:
    category = part.part.category
    chosen = decision.memory_ids & offered
    fields = {
        "request": typed("req", found.request_id),
        "category": category.value,
        "purpose": found.purpose.value,
        "turn": typed("trn", found.turn_id) if found.turn_id else "-",
    }
    if not chosen:
        own_chat = found.turn_id is not None
        until = None if own_chat else cool_down_after(PartStatus.DENIED, now, settings.COOL_DOWN_HOURS)
        store.decide_part(within, found.request_id, category, PartStatus.DENIED, now, until)
        within.record(
            ReceiptKind.REQUEST_DECIDED, object=typed("req", found.request_id), reason=PartStatus.DENIED.value, **fields
        )
        return
    grant = Grant(
        grant_id=new_id(),
        client_id=found.client_id,
        recipient=recipient,
        purpose=found.purpose,
        category=category,
        memory_ids=frozenset(chosen),
        terms_version=1,
        expires_at=min(decision.until or now + ONCE_WITHIN, now + LONGEST),
        reads_left=decision.reads,
        paused=False,
        revoked_at=None,
        request_id=found.request_id,
        turn_id=found.turn_id,
        made_at=now,
    )
    status = PartStatus.GRANTED if chosen == offered else PartStatus.PARTLY_GRANTED
    store.add_grant(within, grant)
    store.decide_part(within, found.request_id, category, status, now, None, grant.grant_id)
    within.record(ReceiptKind.REQUEST_DECIDED, object=typed("req", found.request_id), reason=status.value, **fields)
    within.record(ReceiptKind.GRANT_MADE, object=typed("gra", grant.grant_id), **fields)


def check(caller: Caller, request_id: UUID, now: datetime) -> AccessRequest | Refused:
    """A client looks what became of its request. Polling faster than the interval is refused and lengthens it."""
    with reading(caller.vault_id, caller.actor):
        found = store.request(caller.vault_id, request_id)
        if found is None or found.client_id != caller.client.client_id:
            return Refused(Refusal.NOT_FOUND)
        polled_at, interval = store.polling(caller.vault_id, request_id)
        if found.status is not PartStatus.PENDING:
            return found
        if polled_at and now < polled_at + timedelta(seconds=interval) - timedelta(milliseconds=250):
            interval = min(interval + 5, LONGEST_INTERVAL)
            store.note_poll(caller.vault_id, request_id, now, interval)
            return Refused(Refusal.RATE_LIMITED, until=now + timedelta(seconds=interval))
        store.note_poll(caller.vault_id, request_id, now, interval)
    return found


def outcome(caller: Caller, request_id: UUID) -> AccessRequest | None:
    """A client's request as it stands, for a look within one long poll: `check` has counted the poll."""
    with reading(caller.vault_id, caller.actor):
        found = store.request(caller.vault_id, request_id)
    return found if found and found.client_id == caller.client.client_id else None


def granted(caller: Caller, found: AccessRequest) -> tuple[Grant, ...]:
    """The grants a request led to."""
    with reading(caller.vault_id, caller.actor):
        mine = store.grants(caller.vault_id, caller.client.client_id)
    return tuple(each for each in mine if each.request_id == found.request_id)


def chosen(holder: Holder, found: AccessRequest) -> dict[Category, frozenset[UUID]]:
    """What the holder granted of each part of a request."""
    with reading(holder.vault_id, holder.actor):
        mine = {each.grant_id: each for each in store.grants(holder.vault_id, found.client_id)}
    return {part.part.category: mine[part.grant_id].memory_ids for part in found.parts if part.grant_id in mine}


def cancel(caller: Caller, request_id: UUID, now: datetime) -> AccessRequest | Refused:
    """A client takes its request back, as far as it is undecided."""
    with act(caller.vault_id, caller.actor) as cancelling:
        found = store.request(caller.vault_id, request_id)
        if found is None or found.client_id != caller.client.client_id:
            cancelling.cancel()
            return Refused(Refusal.NOT_FOUND)
        if found.status is not PartStatus.PENDING:
            cancelling.cancel()
            return Refused(Refusal.ALREADY_DECIDED)
        _end_pending(cancelling, found, PartStatus.CANCELLED, PartStatus.CANCELLED, ReceiptKind.REQUEST_CANCELLED, now)
    return _ended(found, PartStatus.CANCELLED, PartStatus.CANCELLED)


def expire(vault_id: UUID, request_id: UUID, now: datetime) -> bool:
    """End a request nobody decided; an undecided special category counts as denied. True when it was this call."""
    with act(vault_id, "sys_clock") as expiring:
        found = store.request(vault_id, request_id)
        if found is None or found.status is not PartStatus.PENDING or found.expires_at > now:
            expiring.cancel()
            return False
        _end_pending(expiring, found, PartStatus.EXPIRED, PartStatus.DENIED, ReceiptKind.REQUEST_EXPIRED, now)
    return True


def due_to_expire(limit: int) -> tuple[tuple[UUID, UUID], ...]:
    """(vault, request) pairs whose time is over."""
    return memories.due("request", limit)


def _end_pending(
    within: Act, found: AccessRequest, ordinary: PartStatus, special: PartStatus, kind: ReceiptKind, now: datetime
) -> None:
    for each in found.parts:
        if each.status is PartStatus.PENDING:
            status = special if each.part.category.special else ordinary
            store.decide_part(within, found.request_id, each.part.category, status, now)
    within.record(kind, object=typed("req", found.request_id), request=typed("req", found.request_id))


def _ended(found: AccessRequest, ordinary: PartStatus, special: PartStatus) -> AccessRequest:
    return replace(
        found,
        parts=tuple(
            replace(each, status=special if each.part.category.special else ordinary)
            if each.status is PartStatus.PENDING
            else each
            for each in found.parts
        ),
    )


def _fingerprint(
    caller: Caller, parts: Sequence[object], purpose: Purpose, note: str, ttl: int, reads: int | None
) -> bytes:
    text = repr((caller.client.client_id.hex, parts, purpose.value, note, ttl, reads))
    return hashlib.sha256(text.encode()).digest()
