"""Rows of review, as facts: a person's yes that waits, what reviewers made of it, and the desk across a space's vaults.

A second store of this room: it asks the database one question that reaches over vaults (gate.desk), and that one
answers with the columns of DeskRow and nothing else.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connections

from apps.access.models import PartRow, RequestRow, ReviewRow
from apps.ledger.log import ALIAS, Act
from apps.ledger.tickets import issue
from apps.policy.consent import Shown, Surface, below
from apps.policy.people import actor
from apps.policy.review import DeskRow, Review
from apps.policy.tiers import Band
from apps.policy.vocabulary import Category, PartStatus, Purpose, ReviewOutcome, Role

_ROLES = {"hld": Role.HOLDER, "gdn": Role.GUARDIAN, "dlg": Role.DELEGATE}


def desk(space_id: UUID, reviewer_id: UUID, limit: int, review_id: UUID | None = None) -> tuple[DeskRow, ...]:
    """What waits for this reviewer in a space, oldest first; or one review, in any state. Nothing for whoever is no
    reviewer there now. One statement, however many vaults.
    """
    ticket = issue(space_id, actor(Role.REVIEWER, reviewer_id), "-")
    with connections[ALIAS].cursor() as cursor:
        cursor.execute("SELECT * FROM gate.desk(%s, %s, %s, %s)", [space_id, ticket, review_id, limit])
        return tuple(map(_row, cursor.fetchall()))


def _row(row: Sequence[Any]) -> DeskRow:
    values = list(row)
    values[4] = values[4] or "?"
    values[6], values[8], values[12] = Category(values[6]), Purpose(values[8]), _ROLES[values[12]]
    values[13:15] = [_band(*values[13:15])]
    values[-1] = ReviewOutcome(values[-1]) if values[-1] else None
    return DeskRow(*values)


def _band(from_years: int | None, until_years: int | None) -> Band | None:
    return None if from_years is None or until_years is None else Band(from_years, until_years)


def waits_for(reviewer_id: UUID, most: int) -> int | None:
    """How much waits for this reviewer, wherever they review, counted up to `most`; None for who reviews nowhere."""
    ticket = issue(reviewer_id, actor(Role.REVIEWER, reviewer_id), "-")
    with connections[ALIAS].cursor() as cursor:
        cursor.execute("SELECT gate.desk_waits(%s, %s)", [ticket, most])
        (found,) = cursor.fetchone()
    return None if found is None else int(found)


def begin(act: Act, new: Review) -> None:
    """A person's yes that waits for a reviewer: its part is in review from now on."""
    ReviewRow.objects.create(
        vault_id=act.vault_id,
        review_id=new.review_id,
        request_id=new.request_id,
        category=new.category.value,
        memory_ids=sorted(memory_id.hex for memory_id in new.memory_ids),
        whole=new.whole,
        until=new.until,
        reads=new.reads,
        decided_by=new.decided_by,
        tier_from=new.band.from_years if new.band else None,
        tier_until=new.band.until_years if new.band else None,
        decided_at=new.decided_at,
        due_at=new.due_at,
        surface=new.shown.surface.value,
        notice=new.shown.notice,
        notice_space=new.shown.below.space_id if new.shown.below else None,
        notice_version=new.shown.below.version if new.shown.below else None,
        ui_version=new.shown.ui_version,
    )


def review(act: Act, review_id: UUID) -> Review | None:
    """One review of this vault, with how its part and its request stand."""
    row = ReviewRow.objects.filter(vault_id=act.vault_id, review_id=review_id).first()
    if row is None:
        return None
    of = {"vault_id": act.vault_id, "request_id": row.request_id}
    status = PartRow.objects.filter(**of, category=row.category).values_list("status", flat=True).get()
    expires_at = RequestRow.objects.filter(**of).values_list("expires_at", flat=True).get()
    return _fact(row, PartStatus(status), expires_at)


def close(act: Act, done: Review, reviewer: str, now: datetime) -> bool:
    """What a reviewer made of it. False where another was first."""
    assert done.outcome is not None
    rows = ReviewRow.objects.filter(vault_id=act.vault_id, review_id=done.review_id, outcome=None)
    closed = {"outcome": done.outcome.value, "reviewer": reviewer, "reason": done.reason, "reviewed_at": now}
    return rows.update(**closed) == 1


def returned(vault_id: UUID, request_id: UUID) -> dict[Category, str]:
    """What reviewers wrote to the person last about each part of a request, where they wrote anything."""
    rows = ReviewRow.objects.filter(vault_id=vault_id, request_id=request_id, outcome__isnull=False)
    found = rows.exclude(reason="").order_by("reviewed_at").values_list("category", "reason")
    return {Category(category): reason for category, reason in found}


def _fact(row: ReviewRow, part: PartStatus, expires_at: datetime) -> Review:
    return Review(
        row.review_id,
        row.request_id,
        Category(row.category),
        frozenset(UUID(each) for each in row.memory_ids),
        row.whole,
        row.until,
        row.reads,
        row.decided_by,
        row.decided_at,
        row.due_at,
        Shown(Surface(row.surface), row.notice, row.ui_version, below(row.notice_space, row.notice_version)),
        ReviewOutcome(row.outcome) if row.outcome else None,
        row.reason,
        part,
        expires_at,
        _band(row.tier_from, row.tier_until),
    )
