"""Rows of proposals, as facts: a part of the store."""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import F, Q, QuerySet

from apps.ledger.log import Act
from apps.memories.models import ProposalRow
from apps.policy.proposals import Candidate, Mark, Proposal
from apps.policy.staging import LASTS
from apps.policy.vocabulary import Directive, MarkKind, ProposalStatus

_PROPOSAL = (
    "proposal_id",
    "client_id",
    "directive",
    "status",
    "memory_id",
    "subject",
    "label",
    "rationale",
    "as_of",
    "made_at",
    "decided_at",
    "target_id",
    "target_version",
    "candidate",
    "evidence",
    "lineage",
    "turn",
    "marks",
    "revision",
    "expires_at",
    "decided_by",
    "reason",
    "edited",
    "batch_id",
    "outcome_id",
    "undone_at",
    "lifted_at",
)
_DECISION = "decision"  # in the candidate's JSON: a keyed digest by which the same decision is recognised


# ---------------------------------------------------------------- reading
def proposals(
    vault_id: UUID,
    *,
    status: ProposalStatus | None = None,
    client_id: UUID | None = None,
    ids: Collection[UUID] | None = None,
    limit: int = 200,
    without: Collection[UUID] = (),
) -> tuple[Proposal, ...]:
    """Proposals, newest first; `without` those that are about these memories, or became them."""
    rows = ProposalRow.objects.filter(vault_id=vault_id)
    if without:
        rows = rows.exclude(_touching(without))
    if status:
        rows = rows.filter(status=status.value)
    if client_id:
        rows = rows.filter(client_id=client_id)
    if ids is not None:
        rows = rows.filter(proposal_id__in=list(ids))
    return _facts(rows.order_by("-made_at", "-proposal_id"), limit)


def batch(vault_id: UUID, batch_id: UUID) -> tuple[Proposal, ...]:
    """What was approved in one go."""
    return _facts(ProposalRow.objects.filter(vault_id=vault_id, batch_id=batch_id).order_by("made_at", "proposal_id"))


def proposed_as(vault_id: UUID, ids: Collection[UUID]) -> tuple[UUID, ...]:
    """The proposals that are about these memories, or became them."""
    return tuple(ProposalRow.objects.filter(_touching(ids), vault_id=vault_id).values_list("proposal_id", flat=True))


def proposal(vault_id: UUID, proposal_id: UUID) -> Proposal | None:
    """One proposal; None for an unknown id."""
    return next(iter(proposals(vault_id, ids=[proposal_id])), None)


def decision_of(vault_id: UUID, proposal_id: UUID) -> str:
    """By what its decision is recognised again; "" where it was decided as proposed, or is not."""
    rows = ProposalRow.objects.filter(vault_id=vault_id, proposal_id=proposal_id)
    found = rows.values_list("candidate", flat=True).first()
    return str((found or {}).get(_DECISION, ""))


def proposal_like(vault_id: UUID, fingerprint: bytes) -> Proposal | None:
    """The newest proposal that said the same, from the same client."""
    rows = ProposalRow.objects.filter(vault_id=vault_id, fingerprint=fingerprint).order_by("-made_at")
    return next(iter(_facts(rows, 1)), None)


def others_alike(vault_id: UUID, memory_ids: Collection[UUID], client_id: UUID) -> tuple[Proposal, ...]:
    """The pending proposals of other clients whose candidates are among these."""
    rows = ProposalRow.objects.filter(
        vault_id=vault_id, memory_id__in=list(memory_ids), status=ProposalStatus.PENDING.value
    )
    return _facts(rows.exclude(client_id=client_id))


def count_pending(vault_id: UUID, without: Collection[UUID] = ()) -> int:
    """How many proposals wait for the holder; `without` those that are about these memories."""
    rows = ProposalRow.objects.filter(vault_id=vault_id, status=ProposalStatus.PENDING.value)
    return (rows.exclude(_touching(without)) if without else rows).count()


def _touching(ids: Collection[UUID]) -> Q:
    chosen = list(ids)
    told = [str(each) for each in chosen]
    about = Q(memory_id__in=chosen) | Q(target_id__in=chosen, target_id__isnull=False)
    return about | Q(outcome_id__in=chosen, outcome_id__isnull=False) | Q(candidate__other__in=told)


def _facts(rows: QuerySet[ProposalRow], limit: int | None = None) -> tuple[Proposal, ...]:
    return tuple(map(_proposal, rows.values_list(*_PROPOSAL)[:limit]))


def _proposal(row: Sequence[Any]) -> Proposal:
    values = list(row)
    values[2], values[3] = Directive(values[2]), ProposalStatus(values[3])
    given = {name: each for name, each in values[13].items() if name != _DECISION}
    values[13] = Candidate(**{**given, "other": UUID(given["other"]) if given.get("other") else None})
    values[14], values[15] = tuple(values[14]), tuple(values[15])
    values[17] = tuple(_mark(each) for each in values[17])
    return Proposal(*values)


def _mark(given: dict[str, Any]) -> Mark:
    memory = given.get("memory")
    return Mark(
        MarkKind(given["kind"]), UUID(memory) if memory else None, given.get("version", 0), given.get("how", "")
    )


# ---------------------------------------------------------------- writing
def propose(act: Act, new: Proposal, fingerprint: bytes) -> None:
    """A proposal's label side."""
    act.insert(
        ProposalRow(
            vault_id=act.vault_id,
            proposal_id=new.proposal_id,
            client_id=new.client_id,
            directive=new.directive.value,
            status=new.status.value,
            memory_id=new.memory_id,
            subject=new.subject,
            label=new.label,
            rationale=new.rationale,
            fingerprint=fingerprint,
            as_of=new.as_of,
            made_at=new.made_at,
            target_id=new.target_id,
            target_version=new.target_version,
            candidate=_candidate_json(new.candidate),
            evidence=list(new.evidence),
            lineage=list(new.lineage),
            turn=new.turn,
            marks=_marks_json(new.marks),
            expires_at=new.expires_at or new.made_at + LASTS,
        )
    )


def _candidate_json(candidate: Candidate) -> dict[str, str | bool]:
    told = {name: each for name, each in asdict(candidate).items() if each}
    return {name: str(each) if isinstance(each, UUID) else each for name, each in told.items()}


def _marks_json(marks: Iterable[Mark]) -> list[dict[str, str | int]]:
    return [
        {"kind": each.kind.value, "memory": str(each.memory_id or ""), "version": each.version, "how": each.how}
        for each in marks
    ]


def approved(act: Act, done: Sequence[Proposal], decision: str = "") -> None:
    """They were approved, and this became of each; `decision` is by what it is recognised again."""
    query = (
        "UPDATE proposal p SET status = 'approved', decided_at = u.at, decided_by = %s, revision = p.revision + 1,"
        " outcome_id = u.became, batch_id = u.batch, edited = u.edited, candidate = p.candidate || u.more::jsonb"
        " FROM unnest(%s::uuid[], %s::timestamptz[], %s::uuid[], %s::uuid[], %s::boolean[], %s::text[])"
        " AS u(id, at, became, batch, edited, more)"
        " WHERE p.vault_id = %s AND p.proposal_id = u.id AND p.status = 'pending'"
    )
    more = [_more(each, decision) for each in done]
    columns = [
        [each.proposal_id for each in done],
        [each.decided_at for each in done],
        [each.outcome_id for each in done],
        [each.batch_id for each in done],
        [each.edited for each in done],
        more,
    ]
    act.later(query, [act.actor, *columns, act.vault_id])


def _more(proposal: Proposal, decision: str) -> str:
    told = _candidate_json(proposal.candidate) | ({_DECISION: decision} if decision else {})
    return json.dumps(told)


def ended(act: Act, ids: Collection[UUID], status: ProposalStatus, now: datetime, reason: str = "") -> None:
    """They end without having become anything."""
    rows = ProposalRow.objects.filter(
        vault_id=act.vault_id, proposal_id__in=list(ids), status=ProposalStatus.PENDING.value
    )
    rows.update(status=status.value, decided_at=now, decided_by=act.actor, reason=reason, revision=F("revision") + 1)


def lifted(act: Act, proposal_id: UUID, now: datetime) -> None:
    """The same may be proposed again."""
    rows = ProposalRow.objects.filter(vault_id=act.vault_id, proposal_id=proposal_id)
    rows.update(lifted_at=now, revision=F("revision") + 1)


def rebased(act: Act, proposal_id: UUID, target_version: int, marks: Iterable[Mark]) -> None:
    """It is to change the target as it stands by now."""
    rows = ProposalRow.objects.filter(vault_id=act.vault_id, proposal_id=proposal_id)
    rows.update(target_version=target_version, marks=_marks_json(marks), revision=F("revision") + 1)


def undone(act: Act, ids: Collection[UUID], now: datetime) -> None:
    """What became of them was taken back."""
    rows = ProposalRow.objects.filter(vault_id=act.vault_id, proposal_id__in=list(ids))
    rows.update(undone_at=now, revision=F("revision") + 1)
