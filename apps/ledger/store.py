"""Receipts out of the database, as facts."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import connections
from django.db.models import Max, Min, Q, TextField, Value
from django.db.models.functions import Concat

from apps.ledger import tree
from apps.ledger.models import ReceiptRow
from apps.policy.types import Receipt
from apps.policy.veil import Hidden
from apps.policy.vocabulary import ReceiptKind

LedgerRow = tuple[Receipt, bytes | None]
_COLUMNS = (
    "vault_id, seq, at, kind, actor, on_behalf_of, recipient, object, memory_id, version, category, form, reason,"
    " request, turn, purpose, commitment, salt, digest, chain_hash"
)
_NAMES = _COLUMNS.split(", ")


def receipts(
    vault_id: UUID,
    *,
    limit: int,
    before: int | None = None,
    after: int | None = None,
    first: int | None = None,
    last: int | None = None,
    without: Collection[int] = (),
    **equal: str | UUID,
) -> tuple[Receipt, ...]:
    """Receipts newest first. `before`/`after` bound seq exclusively, `first`/`last` inclusively; `without` these.

    `equal` takes actor, recipient, kind, category, form, request, turn, memory_id.
    """
    rows = ReceiptRow.objects.filter(vault_id=vault_id, **equal)
    if without:
        rows = rows.exclude(seq__in=list(without))
    bounds = {"seq__lt": before, "seq__gt": after, "seq__gte": first, "seq__lte": last}
    rows = rows.filter(**{name: bound for name, bound in bounds.items() if bound is not None})
    return tuple(_fact(row) for row in rows.order_by("-seq").values_list(*_NAMES)[:limit])


def handed_to(vault_id: UUID, recipient: str, ids: Collection[UUID]) -> frozenset[UUID]:
    """Those of these memories that were ever handed to this recipient. The newest hand-over of each is looked for, so
    that a late one is found at once."""
    query = (
        "SELECT w.id FROM unnest(%s::uuid[]) AS w(id) WHERE EXISTS (SELECT FROM (SELECT FROM receipt r"
        " WHERE r.vault_id = %s AND r.memory_id = w.id AND r.recipient = %s AND r.form IN ('value', 'attested')"
        " ORDER BY r.seq DESC LIMIT 1) last)"
    )
    with connections["default"].cursor() as cursor:
        cursor.execute(query, [list(ids), vault_id, recipient])
        return frozenset(row[0] for row in cursor.fetchall())


def handed_over(
    vault_id: UUID, *, after: int, limit: int, start: datetime | None, end: datetime | None
) -> tuple[Receipt, ...]:
    """The receipts of what was handed over or shown after a number and within a span of time, oldest first."""
    rows = ReceiptRow.objects.filter(vault_id=vault_id, seq__gt=after, form__in=["value", "attested"])
    if start:
        rows = rows.filter(at__gte=start)
    if end:
        rows = rows.filter(at__lt=end)
    return tuple(_fact(row) for row in rows.order_by("seq").values_list(*_NAMES)[:limit])


def read_by(
    vault_id: UUID,
    start: datetime,
    end: datetime,
    apart: Collection[str],
    limit: int,
    without: Collection[UUID] = (),
) -> tuple[tuple[tuple[str, int, int, int], ...], int]:
    """Which clients read from `start` until before `end`, those that read most first: actor, how many reads, how many
    of them of the categories `apart`, how often refused; and how many clients that were in all, looking away from the
    memories `without`. A read is one moment.
    Where the span begins is looked for from the newest receipt back: it costs by what was done since then.
    """
    query = (
        "SELECT actor, count(DISTINCT at) FILTER (WHERE form <> 'refused') AS reads,"
        " count(DISTINCT at) FILTER (WHERE form <> 'refused' AND category = ANY (%s)),"
        " count(DISTINCT at) FILTER (WHERE form = 'refused') AS refused, count(*) OVER ()"
        " FROM receipt WHERE vault_id = %s AND seq > coalesce((SELECT r.seq FROM receipt r WHERE r.vault_id = %s"
        " AND r.at < %s ORDER BY r.seq DESC LIMIT 1), 0) AND at < %s AND form IN ('value', 'attested', 'refused')"
        " AND (memory_id IS NULL OR memory_id <> ALL (%s::uuid[]))"
        " AND actor LIKE 'cli\\_%%' GROUP BY actor ORDER BY reads DESC, refused DESC, actor LIMIT %s"
    )
    with connections["default"].cursor() as cursor:
        cursor.execute(query, [list(apart), vault_id, vault_id, start, end, list(without), limit])
        rows = cursor.fetchall()
    return tuple(row[:4] for row in rows), rows[0][4] if rows else 0


def openings(vault_id: UUID, start: datetime, end: datetime, without: Collection[UUID] = ()) -> int:
    """How often links of shares were opened from `start` until before `end`, looking away from the memories `without`;
    what was looked at again is no opening. Found as `read_by` finds its span.
    """
    query = (
        "SELECT count(DISTINCT (actor, at)) FROM receipt WHERE vault_id = %s AND seq > coalesce((SELECT r.seq"
        " FROM receipt r WHERE r.vault_id = %s AND r.at < %s ORDER BY r.seq DESC LIMIT 1), 0) AND at < %s AND kind = %s"
        " AND memory_id <> ALL (%s::uuid[])"
    )
    with connections["default"].cursor() as cursor:
        cursor.execute(query, [vault_id, vault_id, start, end, ReceiptKind.VALUE_OPENED.value, list(without)])
        return int(cursor.fetchone()[0])


def recipients(
    vault_id: UUID, memory_id: UUID, without: Collection[int] = ()
) -> tuple[tuple[str, int, int, int, datetime, datetime, list[str], bool], ...]:
    """To whom a memory went, the last first: recipient, how often, the first and the last receipt by number and time,
    for what, and whether its value was ever among it. `without` these lines.
    """
    query = (
        "SELECT recipient, count(*), min(seq), max(seq), min(at), max(at),"
        " coalesce(array_agg(DISTINCT purpose) FILTER (WHERE purpose <> '-'), '{}'), bool_or(form = 'value')"
        " FROM receipt WHERE vault_id = %s AND memory_id = %s AND form IN ('value', 'attested') AND seq <> ALL (%s)"
        " GROUP BY recipient ORDER BY max(seq) DESC"
    )
    with connections["default"].cursor() as cursor:
        cursor.execute(query, [vault_id, memory_id, list(without)])
        return tuple(
            (*row[:4], row[4].astimezone(UTC), row[5].astimezone(UTC), sorted(row[6]), row[7])
            for row in cursor.fetchall()
        )


def committed(vault_id: UUID, memory_id: UUID, version: int) -> dict[bytes, int]:
    """What the receipts of a version's value are bound to, and the first receipt of each; one, where all is well."""
    rows = ReceiptRow.objects.filter(vault_id=vault_id, memory_id=memory_id, version=version)
    found = (
        rows.filter(form__in=["value", "attested"])
        .exclude(commitment=None)
        .values_list("commitment")
        .annotate(first=Min("seq"))
    )
    return {bytes(commitment): first for commitment, first in found}


def told_to(vault_id: UUID, recipient: str, objects: Collection[str]) -> frozenset[str]:
    """Those of these objects, edges and entities by their typed ids, that this recipient was told of."""
    kinds = [ReceiptKind.EDGE_READ.value, ReceiptKind.ENTITY_READ.value]
    rows = ReceiptRow.objects.filter(vault_id=vault_id, object__in=list(objects), form="-", kind__in=kinds)
    return frozenset(rows.filter(recipient=recipient).values_list("object", flat=True).distinct())


def acts_on(vault_id: UUID, objects: Sequence[str]) -> tuple[Receipt, ...]:
    """The receipts of acts on these objects, oldest first; of no hand-over, which all have a form."""
    rows = ReceiptRow.objects.filter(vault_id=vault_id, object__in=objects, form="-").order_by("seq")
    return tuple(_fact(row) for row in rows.values_list(*_NAMES))


def about(vault_id: UUID, hidden: Hidden) -> tuple[int, ...]:
    """The numbers of the receipts that tell of any of these, rising."""
    named = list(hidden.objects)
    rows = ReceiptRow.objects.filter(vault_id=vault_id).alias(
        part=Concat("request", Value("/"), "category", output_field=TextField())
    )
    rows = rows.filter(
        Q(memory_id__in=list(hidden.memories))
        | Q(object__in=named)
        | Q(request__in=named)
        | Q(turn__in=named)
        | Q(part__in=list(hidden.parts))
    )
    return tuple(rows.order_by("seq").values_list("seq", flat=True))


def uses(vault_id: UUID, objects: Collection[str], without: Collection[UUID]) -> dict[str, tuple[int, datetime]]:
    """How often these grants were read on, and when last, looking away from these memories. A read is one moment."""
    rows = ReceiptRow.objects.filter(vault_id=vault_id, object__in=list(objects), kind=ReceiptKind.VALUE_READ.value)
    found: dict[str, tuple[int, datetime]] = {}
    for name, at in rows.exclude(memory_id__in=list(without)).order_by("at").values_list("object", "at").distinct():
        found[name] = (found[name][0] + 1 if name in found else 1, at.astimezone(UTC))
    return found


def only_about(vault_id: UUID, kind: str, memory_ids: Collection[UUID]) -> frozenset[str]:
    """The objects whose receipts of this kind are about none but these memories."""
    rows = ReceiptRow.objects.filter(vault_id=vault_id, kind=kind)
    found = rows.filter(memory_id__in=list(memory_ids)).values_list("object", flat=True).distinct()
    others = rows.filter(object__in=list(found)).exclude(memory_id__in=list(memory_ids))
    return frozenset(found) - frozenset(others.values_list("object", flat=True).distinct())


def requests_on(vault_id: UUID, object: str, without: Collection[UUID]) -> frozenset[str]:
    """What the hand-overs on this object were asked by, looking away from these memories."""
    rows = ReceiptRow.objects.filter(vault_id=vault_id, object=object).exclude(form="-")
    return frozenset(rows.exclude(memory_id__in=list(without)).values_list("request", flat=True).distinct())


def between(vault_id: UUID, start: datetime | None, end: datetime | None) -> tuple[int, int] | None:
    """The first and last seq of the receipts of a span of time; None when there are none."""
    rows = ReceiptRow.objects.filter(vault_id=vault_id)
    if start:
        rows = rows.filter(at__gte=start)
    if end:
        rows = rows.filter(at__lt=end)
    seqs = rows.order_by("seq").values_list("seq", flat=True)
    first, last = seqs.first(), seqs.last()
    return (first, last) if first is not None and last is not None else None


def span(vault_id: UUID, requests: Mapping[str, str]) -> tuple[int, int]:
    """The first and last seq of the receipts of these turns (see services.strands); 0 where there are none."""
    rows = ReceiptRow.objects.filter(vault_id=vault_id, turn__in=list(requests))
    rows = rows.filter(Q(kind__startswith="turn.") | Q(request__in=[each for each in requests.values() if each != "-"]))
    found = rows.aggregate(first=Min("seq"), last=Max("seq"))
    return found["first"] or 0, found["last"] or 0


def receipt(vault_id: UUID, seq: int, actor: str | None = None) -> Receipt | None:
    """One receipt; with `actor`, only if it is about that actor."""
    rows = ReceiptRow.objects.filter(vault_id=vault_id, seq=seq)
    if actor is not None:
        rows = rows.filter(actor=actor)
    found = rows.values_list(*_NAMES).first()
    return _fact(found) if found else None


def last_seq(vault_id: UUID) -> int:
    """The newest receipt's number; 0 where there is none."""
    return ReceiptRow.objects.filter(vault_id=vault_id).order_by("-seq").values_list("seq", flat=True).first() or 0


def chain_hash(vault_id: UUID, seq: int) -> bytes | None:
    """The chain hash of one receipt."""
    found = ReceiptRow.objects.filter(vault_id=vault_id, seq=seq).values_list("chain_hash", flat=True).first()
    return None if found is None else bytes(found)


def digests(vault_id: UUID, first: int, last: int) -> list[bytes]:
    """The digests of a run of receipts, in order, both ends included."""
    rows = ReceiptRow.objects.filter(vault_id=vault_id, seq__gte=first, seq__lte=last)
    return [bytes(digest) for digest in rows.order_by("seq").values_list("digest", flat=True)]


def run(vault_id: UUID, first: int, last: int) -> list[Receipt]:
    """The receipts with these numbers, in order, both ends included."""
    with connections["default"].cursor() as cursor:
        cursor.execute(
            f"SELECT {_COLUMNS} FROM receipt WHERE vault_id = %s AND seq BETWEEN %s AND %s ORDER BY seq",  # noqa: S608
            [vault_id, first, last],
        )
        return list(map(_fact, cursor.fetchall()))


def chain(vault_id: UUID, batch: int = 5000) -> Iterator[Receipt]:
    """Every receipt in order, in batches, so that a long chain does not stand in memory."""
    seq = 0
    while True:
        with connections["default"].cursor() as cursor:
            cursor.execute(
                f"SELECT {_COLUMNS} FROM receipt WHERE vault_id = %s AND seq > %s ORDER BY seq LIMIT %s",  # noqa: S608
                [vault_id, seq, batch],
            )
            rows = cursor.fetchall()
        yield from map(_fact, rows)
        if len(rows) < batch:
            return
        seq = rows[-1][1]


def ledger() -> Iterator[LedgerRow]:
    """Every receipt of every vault, in the order of vaults and numbers, with the entry of the leaf that pins it, if
    one does. Needs the log's role, inside a transaction."""
    columns = ", ".join(f"r.{name}" for name in _NAMES)
    query = (
        f"SELECT {columns}, l.entry FROM receipt r LEFT JOIN log.place p USING (vault_id, seq)"  # noqa: S608
        " LEFT JOIN log.leaf l USING (index) ORDER BY r.vault_id, r.seq"
    )
    for *row, entry in tree.stream(query):
        yield _fact(tuple(row)), entry and bytes(entry)


def _fact(row: tuple[Any, ...]) -> Receipt:
    values = list(row)
    values[2] = values[2].astimezone(UTC)
    for index in (16, 17, 18, 19):
        values[index] = None if values[index] is None else bytes(values[index])
    return Receipt(*values)
