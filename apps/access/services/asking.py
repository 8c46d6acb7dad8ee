"""The client's side of a request: what may be asked, asking, looking what became of it, taking it back."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings

from apps.access import store
from apps.access.services import posting
from apps.holders import services as holders
from apps.ledger.ids import new_id
from apps.ledger.log import Act, act, reading
from apps.memories import services as memories
from apps.policy.grants import check_terms
from apps.policy.ids import typed
from apps.policy.people import CLOCK
from apps.policy.review import open_for, seen_by_client
from apps.policy.rules import (
    cooling_until,
    labels_for_scope,
    split_by_category,
    validate_request,
    visible_to_client,
)
from apps.policy.text import MOST_NOTE, TextProblem, check_line
from apps.policy.types import AccessPart, AccessRequest, Asked, Caller, Grant, Label, Refused
from apps.policy.vocabulary import Category, PartStatus, Purpose, ReceiptKind, Refusal
from vault import limits

MOST_ITEMS = 50
LONGEST_INTERVAL = 60


def subjects(caller: Caller) -> tuple[Label, ...]:
    """What this client may ask for: labels of ordinary memories, and neutral ones it was granted. Never values."""
    return shown(caller, None)


def shown(caller: Caller, ids: Sequence[UUID] | None) -> tuple[Label, ...]:
    """The labels that this client is shown; of `ids` alone where they are given."""
    with reading(caller.vault_id, caller.actor):
        granted = store.special_grants(caller.vault_id, caller.client.client_id)
    found = memories.facts(caller.vault_id, caller.actor, ids)
    local = caller.client.local
    seen = (each for each in found if visible_to_client(each, granted, local=local))
    return labels_for_scope(seen, neutral=True, local=local)


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
    every part's category is cooling down after a denial, as rate-limited beyond MUNIMENT_WISHES_PER_HOUR. Raises
    TextProblem.
    """
    check_terms(timedelta(seconds=ttl_seconds), max_reads, fields=("ttl_seconds", "max_reads"))
    note = check_line(purpose_note, "purpose_note", MOST_NOTE, empty=True)
    if len(asked) > MOST_ITEMS:
        raise TextProblem("items", f"They are {len(asked)}; at most {MOST_ITEMS} are asked for at once.")
    named = [each.memory_id for each in asked if each.memory_id]
    labels = {label.memory_id: label for label in shown(caller, named)}
    refused = validate_request(asked, labels)
    if refused is not None:
        return refused
    parts = split_by_category(asked, labels)
    mark = _fingerprint(caller, parts, purpose, note, ttl_seconds, max_reads)
    with act(caller.vault_id, caller.actor) as asking:
        open_one = store.open_request_like(caller.vault_id, mark, now)
        if open_one:
            asking.cancel()
            return seen_by_client(open_one)
        until = limits.over(f"asks:{caller.client.client_id.hex}", settings.WISHES_PER_HOUR, 3600, now)
        if until:
            asking.cancel()
            return Refused(Refusal.RATE_LIMITED, until=until)
        decided = store.decided_parts(asking, caller.client.client_id, now)
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
            now + open_for(holders.policy(caller.vault_id)),
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
        posting.asked(asking, caller.client, new)
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


def check(caller: Caller, request_id: UUID, now: datetime) -> AccessRequest | Refused:
    """A client looks what became of its request. Polling faster than the interval is refused and lengthens it."""
    with reading(caller.vault_id, caller.actor):
        found = store.request(caller.vault_id, request_id)
        if found is None or found.client_id != caller.client.client_id:
            return Refused(Refusal.NOT_FOUND)
        found = seen_by_client(found)
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
    return seen_by_client(found) if found and found.client_id == caller.client.client_id else None


def granted(caller: Caller, found: AccessRequest) -> tuple[Grant, ...]:
    """The grants a request led to."""
    named = [each.grant_id for each in found.parts if each.grant_id]
    if not named:
        return ()
    with reading(caller.vault_id, caller.actor):
        return store.grants_named(caller.vault_id, named)


def cancel(caller: Caller, request_id: UUID, now: datetime) -> AccessRequest | Refused:
    """A client takes its request back, as far as it is undecided."""
    with act(caller.vault_id, caller.actor) as cancelling:
        found = store.request(caller.vault_id, request_id)
        if found is None or found.client_id != caller.client.client_id:
            cancelling.cancel()
            return Refused(Refusal.NOT_FOUND)
        if not found.status.open:
            cancelling.cancel()
            return Refused(Refusal.ALREADY_DECIDED)
        _end_pending(cancelling, found, PartStatus.CANCELLED, PartStatus.CANCELLED, ReceiptKind.REQUEST_CANCELLED, now)
    return _ended(found, PartStatus.CANCELLED, PartStatus.CANCELLED)


def expire(vault_id: UUID, request_id: UUID, now: datetime) -> bool:
    """End a request nobody decided, or no reviewer; an undecided special category counts as denied. True when it was
    this call.
    """
    with act(vault_id, CLOCK) as expiring:
        found = store.request(vault_id, request_id)
        if found is None or not found.status.open or found.expires_at > now:
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
        if each.status.open:
            status = special if each.part.category.special else ordinary
            store.decide_part(within, found.request_id, each.part.category, status, now, was=each.status)
    within.record(kind, object=typed("req", found.request_id), request=typed("req", found.request_id))


def _ended(found: AccessRequest, ordinary: PartStatus, special: PartStatus) -> AccessRequest:
    return replace(
        found,
        parts=tuple(
            replace(each, status=special if each.part.category.special else ordinary) if each.status.open else each
            for each in found.parts
        ),
    )


def _fingerprint(
    caller: Caller, parts: Sequence[object], purpose: Purpose, note: str, ttl: int, reads: int | None
) -> bytes:
    text = repr((caller.client.client_id.hex, parts, purpose.value, note, ttl, reads))
    return hashlib.sha256(text.encode()).digest()
