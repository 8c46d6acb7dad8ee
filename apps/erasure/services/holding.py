"""Legal holds: whoever may says that nothing of a vault is erased until a day."""

from datetime import datetime
from uuid import UUID

from apps.erasure import store
from apps.ledger.ids import new_id
from apps.ledger.log import act, reading
from apps.policy.erasing import LegalHold, check_hold
from apps.policy.roles import Deed, needs
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import ReceiptKind, Refusal

OPERATOR = "sys_operator"


def place(vault_id: UUID, by: str, why: str, until: datetime, now: datetime) -> LegalHold:
    """Bar erasing in a vault until then. `by` and `why` are words for the holder, who is shown both. Only an operator
    does this, at the instance itself. Raises TextProblem.
    """
    checked = check_hold(LegalHold(new_id(), by, why, now, until), now)
    with act(vault_id, OPERATOR) as placing:
        store.place(placing, checked)
        placing.record(ReceiptKind.ERASURE_BARRED)
    return checked


def lift(vault_id: UUID, hold_id: UUID, now: datetime) -> Refused | None:
    """It ends now. Refused as not-found where it does not stand."""
    with act(vault_id, OPERATOR) as lifting:
        if not store.lift(lifting, hold_id, now):
            lifting.cancel()
            return Refused(Refusal.NOT_FOUND)
        lifting.record(ReceiptKind.ERASURE_FREED)
    return None


@needs(Deed.LOOK)
def holds(holder: Holder, now: datetime) -> tuple[LegalHold, ...]:
    """The holds that stand at this vault."""
    with reading(holder.vault_id, holder.actor):
        return tuple(each for each in store.holds(holder.vault_id) if each.standing(now))


def holds_at(vault_id: UUID) -> tuple[LegalHold, ...]:
    """Every hold there was at a vault, for its operator."""
    with reading(vault_id, OPERATOR):
        return store.holds(vault_id)
