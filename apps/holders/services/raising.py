"""A child who does not sign in yet: whoever decides for them sees to their log-in, and asks another guardian in.

From the day on which the child sets a password both are theirs to say. Every guardian sees their own leave alone: what
another one may do, and whom another one asked in, is not shown to them and not theirs to end.
"""

from dataclasses import replace
from datetime import datetime

from apps.holders import growing, store
from apps.holders.services.addresses import check_free
from apps.ledger.log import act
from apps.policy.ids import typed
from apps.policy.roles import Deed, needs
from apps.policy.tiers import Child, judge_raising
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import ReceiptKind, Refusal


@needs(Deed.SELF)
def raised(seat: Holder) -> Child | None:
    """The child whom this person raises here: as their guardian, while the child does not sign in. None for nobody."""
    child, refused = _judged(seat)
    return child if refused is None else None


@needs(Deed.SELF)
def give_address(seat: Holder, email: str, now: datetime) -> Child | Refused:
    """Give a child who does not sign in an address to do it with, or put a mistyped one right: until they have set a
    password by it, from when on it is theirs. For a guardian whose leave is to decide, also at an age at which they do
    not any more: or else nobody could. Raises TextProblem for an address that is none, or somebody's;
    refused as rate-limited after many, so that nobody learns in bulk which are.
    """
    with act(seat.vault_id, seat.actor) as giving:
        child, refused = _judged(seat)
        if refused is not None or child is None:
            giving.cancel()
            return refused if refused is not None else Refused(Refusal.NOT_FOUND)
        until = check_free(seat.user_id, email, "leo@home.example", now, child.user_id)
        if until:
            giving.cancel()
            return Refused(Refusal.RATE_LIMITED, until=until)
        if not growing.give_address(giving, child, email):
            giving.cancel()
            return Refused(Refusal.NOT_YOURS)
        giving.record(ReceiptKind.ADDRESS_GIVEN, object=typed("vlt", seat.vault_id))
    return replace(child, email=email)


def _judged(seat: Holder) -> tuple[Child | None, Refused | None]:
    """The child a vault is about, and why this person does not raise them, if they do not."""
    leave = next(iter(store.delegations(vault_id=seat.vault_id, user_id=seat.user_id)), None)
    child = growing.child(seat.vault_id) if leave else None
    return child, judge_raising(leave, child)
