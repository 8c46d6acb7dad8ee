"""What a suggestion's card shows: what it says, and beside it what is kept, each with its words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.core import signing

from apps.memories.services import Beside, Side
from apps.policy.proposals import Proposal
from apps.policy.types import HandedOver, Holder
from apps.policy.vocabulary import Category, MarkKind
from apps.web.forms import ApproveForm


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept, and what it says; None where its value is shown to nobody but the holder."""

    side: Side
    text: str | None


@dataclass(frozen=True, slots=True)
class Row:
    """A suggestion as it was shown. `reason`: what was typed as why not; `why_not`: why that can't be kept."""

    beside: Beside
    text: str
    kept: tuple[Kept, ...]
    form: ApproveForm
    reason: str = ""
    why_not: str = ""

    @property
    def echoes(self) -> bool:
        """Does it say again what was corrected? Whoever keeps it then means it."""
        return bool(self.beside.proposal.marked(MarkKind.ECHO))


def rows_of(
    there: Sequence[Beside], values: Sequence[HandedOver], form: Callable[[Proposal, str, Category], ApproveForm]
) -> list[Row]:
    """The rows of what was shown; what is gone meanwhile is left out."""
    said = {(each.memory_id, each.version): each.value for each in values}
    rows = []
    for each in there:
        proposal = each.proposal
        text = said.get((proposal.memory_id, 1)) or ""
        if proposal.says and not text:
            continue
        kept = [Kept(side, said[at]) for side in each.sides if (at := (side.memory.memory_id, side.version)) in said]
        target = next((side.memory for side in each.sides if side.memory.memory_id == proposal.target_id), None)
        category = target.category if target is not None else Category.ORDINARY
        rows.append(Row(each, text, tuple(kept), form(proposal, text, category)))
    return rows


def reviewed(holder: Holder, shown: Sequence[Proposal]) -> str:
    """For the form that keeps all of them: what was shown on this page, to this person, as it stood then; signed."""
    return signing.dumps([(each.proposal_id.hex, each.revision) for each in shown], salt=_salt(holder))


def was_reviewed(holder: Holder, sent: str) -> list[tuple[UUID, int]] | None:
    """The proposals, with their revisions, that `reviewed` signed for them; None for anything else."""
    try:
        return [(UUID(named), revision) for named, revision in signing.loads(sent, salt=_salt(holder))]
    except signing.BadSignature:
        return None


def _salt(holder: Holder) -> str:
    return f"web.reviewed:{holder.vault_id.hex}:{holder.user_id.hex}"
