"""Rows of proposals, as facts: a part of the store."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from apps.ledger.log import Act
from apps.memories.models import ProposalRow
from apps.policy.types import Proposal
from apps.policy.vocabulary import ProposalStatus

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
)


def proposals(
    vault_id: UUID,
    *,
    status: ProposalStatus | None = None,
    client_id: UUID | None = None,
    limit: int = 200,
    without: Collection[UUID] = (),
) -> tuple[Proposal, ...]:
    """Proposals, newest first; `without` those that became these memories."""
    rows = ProposalRow.objects.filter(vault_id=vault_id).exclude(memory_id__in=list(without))
    if status:
        rows = rows.filter(status=status.value)
    if client_id:
        rows = rows.filter(client_id=client_id)
    return tuple(_proposal(row) for row in rows.order_by("-made_at", "-proposal_id").values_list(*_PROPOSAL)[:limit])


def proposed_as(vault_id: UUID, ids: Collection[UUID]) -> tuple[UUID, ...]:
    """The proposals that became these memories."""
    rows = ProposalRow.objects.filter(vault_id=vault_id, memory_id__in=list(ids))
    return tuple(rows.values_list("proposal_id", flat=True))


def proposal(vault_id: UUID, proposal_id: UUID) -> Proposal | None:
    """One proposal; None for an unknown id."""
    row = ProposalRow.objects.filter(vault_id=vault_id, proposal_id=proposal_id).values_list(*_PROPOSAL).first()
    return _proposal(row) if row else None


def proposal_like(vault_id: UUID, fingerprint: bytes) -> Proposal | None:
    """The newest proposal that said the same, from the same client."""
    rows = ProposalRow.objects.filter(vault_id=vault_id, fingerprint=fingerprint).order_by("-made_at")
    row = rows.values_list(*_PROPOSAL).first()
    return _proposal(row) if row else None


def count_pending(vault_id: UUID) -> int:
    """How many proposals wait for the holder."""
    return ProposalRow.objects.filter(vault_id=vault_id, status=ProposalStatus.PENDING.value).count()


def _proposal(row: Sequence[Any]) -> Proposal:
    values = list(row)
    values[3] = ProposalStatus(values[3])
    return Proposal(*values)


def propose(act: Act, proposal: Proposal, fingerprint: bytes) -> None:
    """A candidate's label side."""
    ProposalRow.objects.create(
        vault_id=act.vault_id,
        proposal_id=proposal.proposal_id,
        client_id=proposal.client_id,
        directive=proposal.directive,
        status=proposal.status.value,
        memory_id=proposal.memory_id,
        subject=proposal.subject,
        label=proposal.label,
        rationale=proposal.rationale,
        fingerprint=fingerprint,
        as_of=proposal.as_of,
        made_at=proposal.made_at,
        expires_at=proposal.made_at + timedelta(days=30),
    )


def decide_proposal(act: Act, proposal_id: UUID, status: ProposalStatus, now: datetime) -> None:
    """The holder's decision; a candidate is decided once."""
    ProposalRow.objects.filter(
        vault_id=act.vault_id, proposal_id=proposal_id, status=ProposalStatus.PENDING.value
    ).update(status=status.value, decided_at=now)
