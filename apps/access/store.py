"""Rows of asking, as facts."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connections
from django.db.models import F, Q
from psycopg import sql

from apps.access import finding
from apps.access.finding import GRANT_COLUMNS, PART_COLUMNS, REQUEST_COLUMNS, Facts, grant_fact
from apps.access.models import ApiKeyRow, ClientRow, GrantMemoryRow, GrantRow, PartRow, RequestRow
from apps.ledger.log import Act, fetch
from apps.memories import services as memories
from apps.memories.services.linking import edge_fact
from apps.policy.consent import Shown
from apps.policy.types import AccessRequest, ApiKey, Client, DecidedPart, Grant
from apps.policy.vocabulary import Category, PartStatus, Purpose

CLIENT_COLUMNS = ("client_id", "name", "domain", "built_in", "paused", "revoked_at", "registered_at", "local")
KEY_COLUMNS = ("key_id", "client_id", "prefix", "made_at", "last_used_at", "revoked_at")
_KEY_AND_CLIENT = (
    sql.SQL(
        "SELECT {}, {} FROM api_key k JOIN client c ON c.vault_id = k.vault_id AND c.client_id = k.client_id"
        " WHERE k.vault_id = %s AND k.hash = %s"
    )
    .format(finding.listed(KEY_COLUMNS, "k"), finding.listed(CLIENT_COLUMNS, "c"))
    .as_string(None)
)


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
    (rows,) = fetch(vault_id, actor, [(_KEY_AND_CLIENT, [vault_id, hashed])])
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


def set_local(act: Act, client_id: UUID, local: bool) -> None:
    """Whether a client runs at home; the gate looks at it again at every release."""
    ClientRow.objects.filter(vault_id=act.vault_id, client_id=client_id).update(local=local)


def revoke_client(act: Act, client_id: UUID, now: datetime) -> None:
    """End a client: its keys, its grants, and what it still waits for. One statement, however much that is."""
    with connections["default"].cursor() as cursor:
        cursor.execute(finding.END_CLIENT, {"now": now, "vault": act.vault_id, "client": client_id})


# ---------------------------------------------------------------- requests
def requests(
    vault_id: UUID,
    *,
    client_id: UUID | None = None,
    having: PartStatus | None = None,
    limit: int = 100,
    without: Collection[UUID] = (),
) -> tuple[AccessRequest, ...]:
    """Requests with their parts, newest first, but `without` these. `having` keeps those with such a part."""
    rows = RequestRow.objects.filter(vault_id=vault_id).exclude(request_id__in=list(without))
    if client_id:
        rows = rows.filter(client_id=client_id)
    if having:
        parts = PartRow.objects.filter(vault_id=vault_id, status=having.value)
        rows = rows.filter(request_id__in=parts.values("request_id"))
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
    return next((each for each in found if each.status.open), None)


def _with_parts(vault_id: UUID, rows: Iterable[Sequence[Any]]) -> tuple[AccessRequest, ...]:
    found = list(rows)
    parts = PartRow.objects.filter(vault_id=vault_id, request_id__in=[each[0] for each in found])
    return finding.request_facts(found, parts.values_list("request_id", *PART_COLUMNS))


def decided_parts(act: Act, client_id: UUID, now: datetime) -> tuple[DecidedPart, ...]:
    """This client's parts that wait or cool down."""
    query, parameters = finding.decided(act.vault_id, client_id, now)
    with connections["default"].cursor() as cursor:
        cursor.execute(query, parameters)
        return tuple(map(finding.decided_fact, cursor.fetchall()))


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
    now: datetime | None,
    cool_down_until: datetime | None = None,
    grant_id: UUID | None = None,
    *,
    was: PartStatus = PartStatus.PENDING,
) -> None:
    """Decide a part that waits for whom `was` says, once; or let it wait for somebody else."""
    PartRow.objects.filter(
        vault_id=act.vault_id, request_id=request_id, category=category.value, status=was.value
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
def grants(
    vault_id: UUID,
    client_id: UUID | None = None,
    *,
    limit: int = 500,
    after: Grant | None = None,
    without: Collection[UUID] = (),
) -> tuple[Grant, ...]:
    """Grants to assistants, newest first, ended ones included; the chat's own, which are bound to turns, left out.

    `after` begins below that one; `without` leaves these out.
    """
    rows = GrantRow.objects.filter(vault_id=vault_id, turn_id=None).exclude(grant_id__in=list(without))
    if client_id:
        rows = rows.filter(client_id=client_id)
    if after:
        older = Q(made_at__lt=after.made_at) | Q(made_at=after.made_at, grant_id__lt=after.grant_id)
        rows = rows.filter(older)
    return _grants(rows.order_by("-made_at", "-grant_id"), limit)


def live_grants(vault_id: UUID, now: datetime, limit: int, without: Collection[UUID] = ()) -> tuple[Grant, ...]:
    """The newest grants to assistants that are not over; one that is spent is not over yet."""
    rows = GrantRow.objects.filter(vault_id=vault_id, turn_id=None, revoked_at=None, lapsed_at=None, expired_at=None)
    rows = rows.filter(expires_at__gt=now).exclude(grant_id__in=list(without))
    return _grants(rows.order_by("-made_at", "-grant_id"), limit)


def lapsed_grants(vault_id: UUID, since: datetime, limit: int, without: Collection[UUID] = ()) -> tuple[Grant, ...]:
    """The grants that lapsed since then, newest first."""
    rows = GrantRow.objects.filter(vault_id=vault_id, lapsed_at__gt=since).exclude(grant_id__in=list(without))
    return _grants(rows.order_by("-lapsed_at"), limit)


def special_grants(vault_id: UUID, client_id: UUID) -> tuple[Grant, ...]:
    """Every grant of a special category that this client was ever given."""
    rows = GrantRow.objects.filter(vault_id=vault_id, client_id=client_id)
    return _grants(rows.exclude(category=Category.ORDINARY.value))


def used_since(vault_id: UUID, client_id: UUID, since: datetime) -> bool:
    """Was anything handed to this client since then?"""
    return GrantRow.objects.filter(vault_id=vault_id, client_id=client_id, last_used_at__gt=since).exists()


def grants_named(vault_id: UUID, ids: Iterable[UUID]) -> tuple[Grant, ...]:
    """The grants with these ids."""
    return _grants(GrantRow.objects.filter(vault_id=vault_id, grant_id__in=list(ids)))


def grant(vault_id: UUID, grant_id: UUID) -> Grant | None:
    """One grant; None for an unknown id."""
    found = grants_named(vault_id, [grant_id])
    return found[0] if found else None


def _grants(rows: Any, limit: int | None = None) -> tuple[Grant, ...]:
    return tuple(grant_fact(row) for row in rows.values_list(*GRANT_COLUMNS)[:limit])


def add_grant(act: Act, new: Grant, shown: Shown) -> None:
    """A standing yes, and what stood above the button."""
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
        lapse_days=new.lapse_days,
        surface=shown.surface.value,
        notice=shown.notice,
        notice_space=shown.below.space_id if shown.below else None,
        notice_version=shown.below.version if shown.below else None,
        ui_version=shown.ui_version,
    )
    if new.turn_id is None:
        GrantMemoryRow.objects.bulk_create(
            GrantMemoryRow(
                vault_id=act.vault_id,
                client_id=new.client_id,
                memory_id=memory_id,
                purpose=new.purpose.value,
                expires_at=new.expires_at,
                grant_id=new.grant_id,
            )
            for memory_id in new.memory_ids
        )


# ---------------------------------------------------------------- the hot road
def facts_for(
    vault_id: UUID,
    actor: str,
    client_id: UUID,
    ids: Sequence[UUID],
    *,
    purpose: Purpose,
    now: datetime,
    turn_id: UUID | None = None,
    edges: bool = False,
) -> Facts:
    """A read's facts in one network round trip: the memories, what of this client's grants and requests it depends on,
    and with `edges` those that may be told beside it.

    With `turn_id` the grants of that turn, which are all that the vault's own chat ever has. The rows of memories come
    through that room's own column list and fact.
    """
    grants = (
        finding.bound_to(vault_id, turn_id) if turn_id else finding.covering(vault_id, client_id, ids, purpose, now)
    )
    linked = [finding.linked(vault_id, client_id, ids, purpose, now)] if edges else []
    memory_rows, grant_rows, part_rows, *edge_rows = fetch(
        vault_id,
        actor,
        [memories.facts_query(vault_id, ids), grants, finding.decided(vault_id, client_id, now), *linked],
    )
    found = [memories.fact(row) for row in memory_rows]
    return Facts(
        {each.memory_id: each for each in found},
        tuple(map(grant_fact, grant_rows)),
        tuple(map(finding.decided_fact, part_rows)),
        tuple(edge_fact(row) for rows in edge_rows for row in rows),
    )
