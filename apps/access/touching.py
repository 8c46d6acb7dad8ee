"""Requests and grants that name some memories, ended ones included, and counts of reads: a part of the store."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db.models import Max, Sum

from apps.access import finding
from apps.access.finding import GRANT_COLUMNS, PART_COLUMNS, REQUEST_COLUMNS
from apps.access.models import GrantRow, PartRow, RequestRow
from apps.policy.types import AccessRequest, Grant


def requests(vault_id: UUID, ids: Collection[UUID]) -> tuple[AccessRequest, ...]:
    """The requests that name any of these memories, with all their parts."""
    parts = PartRow.objects.filter(vault_id=vault_id)
    named = parts.filter(memory_ids__has_any_keys=[each.hex for each in ids]).values("request_id")
    rows = list(RequestRow.objects.filter(vault_id=vault_id, request_id__in=named).values_list(*REQUEST_COLUMNS))
    of_them = parts.filter(request_id__in=[each[0] for each in rows])
    return finding.request_facts(rows, of_them.values_list("request_id", *PART_COLUMNS))


def grants(vault_id: UUID, ids: Collection[UUID]) -> tuple[Grant, ...]:
    """The grants over any of these memories, the chat's own too."""
    rows = GrantRow.objects.filter(vault_id=vault_id, memory_ids__has_any_keys=[each.hex for each in ids])
    return tuple(map(finding.grant_fact, rows.values_list(*GRANT_COLUMNS)))


def reads_of(vault_id: UUID, client_id: UUID, without: Collection[UUID]) -> tuple[int, datetime | None]:
    """How often a client read on all its grants but these, and when last. One statement, however many there are."""
    rows = GrantRow.objects.filter(vault_id=vault_id, client_id=client_id).exclude(grant_id__in=list(without))
    found = rows.aggregate(reads=Sum("reads_done"), last=Max("last_used_at"))
    return found["reads"] or 0, found["last"]
