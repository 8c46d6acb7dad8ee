"""What erasing a memory leaves of its rows: ids, times, and nothing that says what it was. A part of the store."""

from datetime import datetime
from uuid import UUID

from django.db.models import BinaryField, Func, Q

from apps.ledger.log import Act
from apps.memories import linked
from apps.memories.models import EdgeRow, EntityRow, MemoryRow, ProposalRow, VersionRow
from apps.policy.links import EdgeKind
from apps.policy.types import Memory
from apps.policy.vocabulary import NEUTRAL_LABELS, ProposalStatus, State


def blank(act: Act, memory: Memory, now: datetime) -> None:
    """A memory's row and its history, without a word of the holder's. What was merged into it stays merged."""
    MemoryRow.objects.filter(vault_id=act.vault_id, memory_id=memory.memory_id).update(
        state=State.ERASED.value,
        subject="",
        label="",
        neutral_label=NEUTRAL_LABELS.get(memory.category, ""),
        as_of=None,
        source="",
        reopened_at=None,
        merged_into=None,
        updated_at=now,
    )
    VersionRow.objects.filter(vault_id=act.vault_id, memory_id=memory.memory_id).update(
        label="", why="", as_of=None, source="", valid_from="", valid_to=""
    )


def forget_proposals(act: Act, memory_id: UUID, now: datetime) -> tuple[tuple[UUID, ...], tuple[UUID, ...]]:
    """What was ever suggested about a memory, without its words; those that waited still are taken back. Returns the
    candidates, whose keys are to be destroyed, and the proposals that waited, oldest first.
    """
    rows = ProposalRow.objects.filter(vault_id=act.vault_id)
    about = (
        Q(memory_id=memory_id) | Q(target_id=memory_id) | Q(outcome_id=memory_id) | Q(candidate__other=str(memory_id))
    )
    found = list(rows.filter(about).order_by("made_at").values_list("proposal_id", "memory_id", "status"))
    rows.filter(proposal_id__in=[proposal_id for proposal_id, _, _ in found]).update(
        subject="",
        label="",
        rationale="",
        reason="",
        candidate={},
        evidence=[],
        marks=[],
        as_of=None,
        fingerprint=Func("proposal_id", function="uuid_send", output_field=BinaryField()),  # its 16 bytes
    )
    waiting = tuple(each for each, _, status in found if status == ProposalStatus.PENDING.value)
    rows.filter(proposal_id__in=waiting).update(status=ProposalStatus.WITHDRAWN.value, decided_at=now)
    return tuple(candidate for _, candidate, _ in found if candidate != memory_id), waiting


def unlink(act: Act, memory_id: UUID, now: datetime) -> None:
    """End what was drawn to and from a memory. Whom or what no memory that is left ever was about has no name any more:
    it would tell what is gone.
    """
    vault_id = act.vault_id
    edges = EdgeRow.objects.filter(vault_id=vault_id)
    mine = edges.filter(Q(from_id=memory_id) | Q(to_id=memory_id))
    named = list(mine.filter(kind=EdgeKind.ABOUT.value).values_list("to_id", flat=True))
    mine.filter(ended_at=None).update(ended_at=now, ended_by=act.actor)
    mine.update(valid_from="", valid_to="")
    for _, group in set(linked.one_with(vault_id, named).values()):
        told = edges.filter(kind=EdgeKind.ABOUT.value, to_id__in=list(group)).values("from_id")
        left = MemoryRow.objects.filter(vault_id=vault_id, memory_id__in=told).exclude(memory_id=memory_id)
        if not left.exclude(state=State.ERASED.value).exists():
            EntityRow.objects.filter(vault_id=vault_id, entity_id__in=list(group)).update(name="")
            gone = edges.filter(Q(from_id__in=list(group)) | Q(to_id__in=list(group)), ended_at=None)
            gone.update(ended_at=now, ended_by=act.actor)
