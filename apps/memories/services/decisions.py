"""What was decided about proposals, to look at again: labels, who, when and why, and no values. What is to be undone
or lifted is found here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.ledger.log import reading
from apps.memories import proposed
from apps.memories.services.catching_up import catch_up
from apps.memories.services.sight import unseen_within
from apps.memories.services.telling import as_seen
from apps.policy.proposals import Proposal
from apps.policy.roles import Deed, needs
from apps.policy.staging import UNDO
from apps.policy.types import Holder
from apps.policy.vocabulary import ProposalStatus

_OVER = tuple(each for each in ProposalStatus if each is not ProposalStatus.PENDING)


@needs(Deed.FOLLOW)
def decided(
    holder: Holder,
    *,
    status: ProposalStatus | None = None,
    client_id: UUID | None = None,
    after: UUID | None = None,
    limit: int = 50,
) -> tuple[Proposal, ...]:
    """What was decided, withdrawn, or ended undecided, the newest decision first: at most `limit`, from the one that
    follows the proposal `after` on. Of what still waits, nothing.
    """
    catch_up(holder.vault_id)
    statuses = _OVER if status is None else tuple(each for each in _OVER if each is status)
    with reading(holder.vault_id, holder.actor):
        unseen = unseen_within(holder)
        found = proposed.decided(
            holder.vault_id, statuses=statuses, client_id=client_id, after=after, limit=limit, without=unseen
        )
    return tuple(as_seen(each, unseen) for each in found)


@dataclass(frozen=True, slots=True)
class Lately:
    """What was approved within the last seven days and can be taken back: `found` are the newest. `goes` says how many
    of each go there are in all.
    """

    found: tuple[Proposal, ...]
    goes: Mapping[UUID | None, int]

    @property
    def more(self) -> int:
        """How many there are beside those that were found."""
        return sum(self.goes.values()) - len(self.found)


@needs(Deed.FOLLOW)
def undoable(holder: Holder, now: datetime, *, limit: int = 50) -> Lately:
    """What was approved within the last seven days and can be taken back still, see `judge_undo`, the newest first."""
    with reading(holder.vault_id, holder.actor):
        unseen = unseen_within(holder)
        found, goes = proposed.approved_since(holder.vault_id, now - UNDO, limit=limit, without=unseen)
    return Lately(tuple(as_seen(each, unseen) for each in found), goes)
