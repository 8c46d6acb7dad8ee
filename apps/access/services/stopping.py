"""What a holder stopped themself, which whoever acts for them doesn't let go on."""

from collections.abc import Collection
from uuid import UUID

from apps.access import touching
from apps.ledger import services as ledger
from apps.policy.ids import typed
from apps.policy.roles import Deed, judge_undoing, needs
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import ReceiptKind


@needs(Deed.STOP)
def refuse_resuming(holder: Holder, client_id: UUID) -> Refused | None:
    """May this seat let an assistant go on? None for yes. Within the act that does it."""
    acts = ledger.acts_on(holder.vault_id, holder.actor, [typed("cli", client_id)]) if holder.acting else ()
    paused = [each.actor for each in acts if each.kind == ReceiptKind.CLIENT_PAUSED]
    return judge_undoing(holder, paused[-1]) if paused else None


@needs(Deed.DECIDE)
def refuse_giving_again(holder: Holder, client_id: UUID, ids: Collection[UUID]) -> Refused | None:
    """May this seat give these memories to an assistant? Not where the holder stopped what it was given of them last.
    Within the act that does it.
    """
    last: dict[UUID, UUID] = {}
    if holder.acting:
        given = [each for each in touching.grants(holder.vault_id, ids) if each.client_id == client_id]
        for grant in sorted(given, key=lambda each: each.made_at):
            if grant.turn_id is None:
                last |= {each: grant.grant_id for each in grant.memory_ids if each in ids}
    if not last:
        return None
    named = sorted({typed("gra", each) for each in last.values()})
    acts = ledger.acts_on(holder.vault_id, holder.actor, named)
    stopped = (each.actor for each in acts if each.kind == ReceiptKind.GRANT_REVOKED)
    return next((refused for each in stopped if (refused := judge_undoing(holder, each)) is not None), None)
