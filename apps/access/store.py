"""Rows of asking, as facts."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import F

from apps.access.models import ApiKeyRow, ClientRow, GrantRow, PartRow, RequestRow
from apps.ledger.log import Act, fetch
from apps.memories import services as memories
from apps.policy.types import AccessPart, AccessRequest, ApiKey, Client, DecidedPart, Grant, Memory, Part
from apps.policy.vocabulary import Category, PartStatus, Purpose

CLIENT_COLUMNS = ("client_id", "name", "domain", "built_in", "paused", "revoked_at", "registered_at")
KEY_COLUMNS = ("key_id", "client_id", "prefix", "made_at", "last_used_at", "revoked_at")
GRANT_COLUMNS = (
    "grant_id",
    "client_id",
    "recipient",
    "purpose",
    "category",
    "memory_ids",
    "terms_version",
    "expires_at",
    "reads_left",
    "paused",
    "revoked_at",
    "request_id",
    "turn_id",
    "made_at",
)
PART_COLUMNS = ("category", "memory_ids", "whole_category", "status", "decided_at", "cool_down_until", "grant_id")
REQUEST_COLUMNS = (
    "request_id",
    "client_id",
    "purpose",
    "purpose_note",
    "ttl_seconds",
    "max_reads",
    "made_at",
    "expires_at",
    "turn_id",
)


# ---------------------------------------------------------------- facts from rows
def grant_fact(row: Sequence[Any]) -> Grant:
    """A grant from a row's columns in the order of GRANT_COLUMNS."""
    values = list(row)
    values[3], values[4] = Purpose(values[3]), Category(values[4])
    values[5] = frozenset(_ids(values[5]))
    return Grant(*values)


def decided_fact(row: Sequence[Any], purpose: str) -> DecidedPart:
    """What later questions depend on, from a row in the order of PART_COLUMNS."""
    return DecidedPart(_part(row), Purpose(purpose), PartStatus(row[3]), row[4], row[5])


def _part(row: Sequence[Any]) -> Part:
    return Part(Category(row[0]), _ids(row[1]), row[2])


def _ids(stored: str | list[str]) -> tuple[UUID, ...]:
    """Memory ids from JSON: parsed by the ORM, or still text on the hot road."""
    return tuple(UUID(each) for each in (json.loads(stored) if isinstance(stored, str) else stored))


# ---------------------------------------------------------------- clients and keys
def clients(vault_id: UUID) -> tuple[Client, ...]:
    """Every client, oldest first; the vault's own chat among them."""
    rows = ClientRow.objects.filter(vault_id=vault_id).order_by("registered_at")
    return tuple(Client(*row) for row in rows.values_list(*CLIENT_COLUMNS))


def client(vault_id: UUID, client_id: UUID) -> Client | None:
    """One client; None for an unknown id."""
    row = ClientRow.objects.filter(vault_id=vault_id, client_id=client_id).values_list(*CLIENT_COLUMNS).first()
    return Client(*row) if row else None


def built_in(vault_id: UUID) -> Client | None:
    """The vault's own chat, once it has been used."""
    row = ClientRow.objects.filter(vault_id=vault_id, built_in=True).values_list(*CLIENT_COLUMNS).first()
    return Client(*row) if row else None


def keys(vault_id: UUID, client_id: UUID | None = None) -> tuple[ApiKey, ...]:
    """API keys as the holder sees them, oldest first."""
    rows = ApiKeyRow.objects.filter(vault_id=vault_id)
    if client_id:
        rows = rows.filter(client_id=client_id)
    return tuple(ApiKey(*row) for row in rows.order_by("made_at").values_list(*KEY_COLUMNS))


def key_hash(vault_id: UUID, key_id: UUID) -> bytes:
    """The hash a key is known by."""
    return bytes(ApiKeyRow.objects.filter(vault_id=vault_id, key_id=key_id).values_list("hash", flat=True).get())


def key_and_client(vault_id: UUID, actor: str, hashed: bytes) -> tuple[ApiKey, Client] | None:
    """The key with this hash and its client, in one network round trip."""
    columns = ", ".join([*(f"k.{name}" for name in KEY_COLUMNS), *(f"c.{name}" for name in CLIENT_COLUMNS)])
    (rows,) = fetch(
        vault_id,
        actor,
        [
            (
                f"SELECT {columns} FROM api_key k"  # noqa: S608
                " JOIN client c ON c.vault_id = k.vault_id AND c.client_id = k.client_id"
                " WHERE k.vault_id = %s AND k.hash = %s",
                [vault_id, hashed],
            )
        ],
    )
    if not rows:
        return None
    return ApiKey(*rows[0][: len(KEY_COLUMNS)]), Client(*rows[0][len(KEY_COLUMNS) :])


def touch_key(vault_id: UUID, actor: str, key_id: UUID, now: datetime) -> None:
    """Remember when a key was last used. Bookkeeping for the holder's page, not an act; one network round trip."""
    update = "UPDATE api_key SET last_used_at = %s WHERE vault_id = %s AND key_id = %s"
    fetch(vault_id, actor, [(update, [now, vault_id, key_id])])


def register(act: Act, new: Client) -> None:
    """A client's row."""
    ClientRow.objects.create(
        vault_id=act.vault_id,
        client_id=new.client_id,
        name=new.name,
        domain=new.domain,
        built_in=new.built_in,
        registered_at=new.registered_at,
    )


def add_key(act: Act, key: ApiKey, hashed: bytes) -> None:
    """A key by its hash."""
    ApiKeyRow.objects.create(
        vault_id=act.vault_id,
        key_id=key.key_id,
        client_id=key.client_id,
        prefix=key.prefix,
        hash=hashed,
        made_at=key.made_at,
    )


def revoke_key(act: Act, key_id: UUID, now: datetime) -> None:
    """The key opens nothing from the next request on."""
    ApiKeyRow.objects.filter(vault_id=act.vault_id, key_id=key_id, revoked_at=None).update(revoked_at=now)


def pause_client(act: Act, client_id: UUID, paused: bool) -> None:
    """Make a client's grants inert, or live again. Their terms move, so that a stamp in flight is not released."""
    ClientRow.objects.filter(vault_id=act.vault_id, client_id=client_id).update(paused=paused)
    GrantRow.objects.filter(vault_id=act.vault_id, client_id=client_id, revoked_at=None).update(
        paused=paused, terms_version=F("terms_version") + 1
    )


def revoke_client(act: Act, client_id: UUID, now: datetime) -> None:
    """End a client: its keys, its grants, and what it still waits for."""
    ClientRow.objects.filter(vault_id=act.vault_id, client_id=client_id, revoked_at=None).update(revoked_at=now)
    ApiKeyRow.objects.filter(vault_id=act.vault_id, client_id=client_id, revoked_at=None).update(revoked_at=now)
    GrantRow.objects.filter(vault_id=act.vault_id, client_id=client_id, revoked_at=None).update(
        revoked_at=now, terms_version=F("terms_version") + 1
    )
    mine = RequestRow.objects.filter(vault_id=act.vault_id, client_id=client_id)
    PartRow.objects.filter(
        vault_id=act.vault_id, request_id__in=mine.values("request_id"), status=PartStatus.PENDING.value
    ).update(status=PartStatus.CANCELLED.value, decided_at=now)


# ---------------------------------------------------------------- requests
def requests(
    vault_id: UUID, *, client_id: UUID | None = None, pending: bool = False, limit: int = 100
) -> tuple[AccessRequest, ...]:
    """Requests with their parts, newest first. `pending` keeps those with an undecided part."""
    rows = RequestRow.objects.filter(vault_id=vault_id)
    if client_id:
        rows = rows.filter(client_id=client_id)
    if pending:
        waiting = PartRow.objects.filter(vault_id=vault_id, status=PartStatus.PENDING.value)
        rows = rows.filter(request_id__in=waiting.values("request_id"))
    return _with_parts(vault_id, rows.order_by("-made_at").values_list(*REQUEST_COLUMNS)[:limit])


def request(vault_id: UUID, request_id: UUID) -> AccessRequest | None:
    """One request; None for an unknown id."""
    rows = RequestRow.objects.filter(vault_id=vault_id, request_id=request_id).values_list(*REQUEST_COLUMNS)
    found = _with_parts(vault_id, rows)
    return found[0] if found else None


def open_request_like(vault_id: UUID, fingerprint: bytes, now: datetime) -> AccessRequest | None:
    """The client's own pending request that asks for the same."""
    rows = RequestRow.objects.filter(vault_id=vault_id, fingerprint=fingerprint, expires_at__gt=now)
    found = _with_parts(vault_id, rows.order_by("-made_at").values_list(*REQUEST_COLUMNS)[:5])
    return next((each for each in found if each.status is PartStatus.PENDING), None)


def _with_parts(vault_id: UUID, rows: Iterable[Sequence[Any]]) -> tuple[AccessRequest, ...]:
    found = list(rows)
    parts: dict[UUID, list[AccessPart]] = {}
    order = [category.value for category in Category]
    for row in PartRow.objects.filter(vault_id=vault_id, request_id__in=[each[0] for each in found]).values_list(
        "request_id", *PART_COLUMNS
    ):
        fact = AccessPart(_part(row[1:]), PartStatus(row[4]), row[5], row[7])
        parts.setdefault(row[0], []).append(fact)
    return tuple(
        AccessRequest(
            row[0],
            row[1],
            Purpose(row[2]),
            row[3],
            row[4],
            row[5],
            row[6],
            row[7],
            row[8],
            tuple(sorted(parts.get(row[0], ()), key=lambda each: order.index(each.part.category.value))),
        )
        for row in found
    )


def decided_parts(vault_id: UUID, client_id: UUID) -> tuple[DecidedPart, ...]:
    """What became of this client's latest requests (the newest 200 parts)."""
    mine = RequestRow.objects.filter(vault_id=vault_id, client_id=client_id)
    purposes = dict(mine.order_by("-made_at").values_list("request_id", "purpose")[:200])
    rows = PartRow.objects.filter(vault_id=vault_id, request_id__in=list(purposes))
    return tuple(decided_fact(row[1:], purposes[row[0]]) for row in rows.values_list("request_id", *PART_COLUMNS))


def file_request(
    act: Act,
    new: AccessRequest,
    recipient: str,
    fingerprint: bytes,
    cooling: dict[Category, datetime],
) -> None:
    """A request and its parts; a part whose category is cooling down is denied as it is filed."""
    RequestRow.objects.create(
        vault_id=act.vault_id,
        request_id=new.request_id,
        client_id=new.client_id,
        recipient=recipient,
        purpose=new.purpose.value,
        purpose_note=new.purpose_note,
        ttl_seconds=new.ttl_seconds,
        max_reads=new.max_reads,
        made_at=new.made_at,
        expires_at=new.expires_at,
        turn_id=new.turn_id,
        fingerprint=fingerprint,
    )
    PartRow.objects.bulk_create(
        PartRow(
            vault_id=act.vault_id,
            request_id=new.request_id,
            category=each.part.category.value,
            memory_ids=[memory_id.hex for memory_id in each.part.memory_ids],
            whole_category=each.part.whole_category,
            status=each.status.value,
            decided_at=each.decided_at,
            cool_down_until=cooling.get(each.part.category),
        )
        for each in new.parts
    )


def decide_part(
    act: Act,
    request_id: UUID,
    category: Category,
    status: PartStatus,
    now: datetime,
    cool_down_until: datetime | None = None,
    grant_id: UUID | None = None,
) -> None:
    """Decide a pending part. A part is decided once."""
    PartRow.objects.filter(
        vault_id=act.vault_id, request_id=request_id, category=category.value, status=PartStatus.PENDING.value
    ).update(status=status.value, decided_at=now, cool_down_until=cool_down_until, grant_id=grant_id)


def polling(vault_id: UUID, request_id: UUID) -> tuple[datetime | None, int]:
    """When a request was last polled, and the seconds to wait between polls."""
    row = RequestRow.objects.filter(vault_id=vault_id, request_id=request_id).values_list(
        "polled_at", "interval_seconds"
    )
    return row.get()


def note_poll(vault_id: UUID, request_id: UUID, now: datetime, interval: int) -> None:
    """Remember a poll. Bookkeeping, not an act."""
    RequestRow.objects.filter(vault_id=vault_id, request_id=request_id).update(polled_at=now, interval_seconds=interval)


def recipient_of(vault_id: UUID, request_id: UUID) -> str:
    """To whom the values of a request would go."""
    return RequestRow.objects.filter(vault_id=vault_id, request_id=request_id).values_list("recipient", flat=True).get()


# ---------------------------------------------------------------- grants
def grants(vault_id: UUID, client_id: UUID | None = None, limit: int = 500) -> tuple[Grant, ...]:
    """Grants, newest first, ended ones included."""
    rows = GrantRow.objects.filter(vault_id=vault_id)
    if client_id:
        rows = rows.filter(client_id=client_id)
    return tuple(grant_fact(row) for row in rows.order_by("-made_at").values_list(*GRANT_COLUMNS)[:limit])


def grant(vault_id: UUID, grant_id: UUID) -> Grant | None:
    """One grant; None for an unknown id."""
    row = GrantRow.objects.filter(vault_id=vault_id, grant_id=grant_id).values_list(*GRANT_COLUMNS).first()
    return grant_fact(row) if row else None


def add_grant(act: Act, new: Grant) -> None:
    """A standing yes."""
    GrantRow.objects.create(
        vault_id=act.vault_id,
        grant_id=new.grant_id,
        client_id=new.client_id,
        recipient=new.recipient,
        purpose=new.purpose.value,
        category=new.category.value,
        memory_ids=sorted(memory_id.hex for memory_id in new.memory_ids),
        expires_at=new.expires_at,
        reads_left=new.reads_left,
        paused=new.paused,
        request_id=new.request_id,
        turn_id=new.turn_id,
        made_at=new.made_at,
    )


def revoke_grant(act: Act, grant_id: UUID, terms_version: int, now: datetime) -> None:
    """End a grant; its terms move, so that a stamp in flight is not released."""
    GrantRow.objects.filter(vault_id=act.vault_id, grant_id=grant_id, terms_version=terms_version).update(
        revoked_at=now, terms_version=terms_version + 1
    )


# ---------------------------------------------------------------- the hot road
@dataclass(frozen=True, slots=True)
class Facts:
    """All that the rules need to judge a read."""

    memories: dict[UUID, Memory]
    grants: tuple[Grant, ...]
    decided: tuple[DecidedPart, ...]


def facts_for(vault_id: UUID, actor: str, client_id: UUID, ids: Sequence[UUID]) -> Facts:
    """A read's facts in one network round trip: the memories, this client's grants and its latest decisions.

    The rows of memories come through that room's own column list and fact.
    """
    memory_rows, grant_rows, part_rows = fetch(
        vault_id,
        actor,
        [
            memories.facts_query(vault_id, ids),
            (
                f"SELECT {', '.join(GRANT_COLUMNS)} FROM access_grant"  # noqa: S608
                " WHERE vault_id = %s AND client_id = %s ORDER BY made_at DESC LIMIT 500",
                [vault_id, client_id],
            ),
            (
                f"SELECT {', '.join('p.' + name for name in PART_COLUMNS)}, r.purpose FROM ("  # noqa: S608
                "SELECT vault_id, request_id, purpose FROM access_request"
                " WHERE vault_id = %s AND client_id = %s ORDER BY made_at DESC LIMIT 200) r"
                " JOIN request_part p ON p.vault_id = r.vault_id AND p.request_id = r.request_id",
                [vault_id, client_id],
            ),
        ],
    )
    found = [memories.fact(row) for row in memory_rows]
    return Facts(
        {each.memory_id: each for each in found},
        tuple(grant_fact(row) for row in grant_rows),
        tuple(decided_fact(row[:-1], row[-1]) for row in part_rows),
    )
