"""Who acts for whom: the holder's leave, which ends by a press or by its day, and is renewed by the holder alone."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from apps.holders import store
from apps.ledger.log import Act, act
from apps.policy.ids import typed
from apps.policy.people import Delegation
from apps.policy.roles import Deed, delegated_until, judge_ending, needs
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import ReceiptKind, Refusal


@needs(Deed.SELF)
def delegations(holder: Holder) -> tuple[Delegation, ...]:
    """Who may act at this vault, also those whose day is over: the holder sees all, anybody else their own."""
    found = store.delegations(vault_id=holder.vault_id)
    return tuple(each for each in found if not holder.acting or each.user_id == holder.user_id)


@needs(Deed.FOLLOW)
def acted(holder: Holder) -> dict[str, str]:
    """What those who act, or ever acted, for the holder are called, by actor: for the ledger. To whoever acts
    the others are their roles alone.
    """
    found = store.acted(holder.vault_id)
    return {actor: name for actor, name in found.items() if not holder.acting or actor == holder.actor}


@needs(Deed.SELF)
def end_delegation(holder: Holder, delegation_id: UUID, now: datetime) -> Delegation | Refused:
    """End it: by the holder, or by whoever acts on it. It bites at that person's next request."""
    with act(holder.vault_id, holder.actor) as ending:
        found = store.delegation(holder.vault_id, delegation_id)
        refused = judge_ending(found, holder, now)
        if refused is not None or found is None:
            ending.cancel()
            return refused if refused is not None else Refused(Refusal.NOT_FOUND)
        return end(ending, found, now)


@needs(Deed.INVITE)
def renew_delegation(
    holder: Holder, delegation_id: UUID, now: datetime, days: int | None = None
) -> Delegation | Refused:
    """Let it hold from now for `days` (eighteen months at the most), also after its day. The holder's press alone."""
    with act(holder.vault_id, holder.actor) as renewing:
        found = store.delegation(holder.vault_id, delegation_id)
        if found is None or found.ended_at is not None:
            renewing.cancel()
            return Refused(Refusal.NOT_FOUND)
        until = delegated_until(found.role, days, now)
        store.set_end(renewing, delegation_id, expires_at=until)
        renewing.record(ReceiptKind.DELEGATION_RENEWED, object=typed("del", delegation_id), reason=found.level.value)
        return replace(found, expires_at=until)


def delegate(within: Act, new: Delegation) -> None:
    """Give leave to act, within the act that makes it so."""
    store.delegate(within, new)
    store.end_sessions(within, new.user_id)
    within.record(ReceiptKind.DELEGATION_MADE, object=typed("del", new.delegation_id), reason=new.level.value)


def end_those_of(user_id: UUID, space_id: UUID, now: datetime, by: str | None = None) -> None:
    """End what a person may do for others in this space: one act a vault, by themself or by who ended their place."""
    for each in store.delegations(user_id=user_id):
        if store.space_of(each.vault_id) == space_id:
            with act(each.vault_id, by or each.actor) as ending:
                end(ending, each, now)


def end(within: Act, found: Delegation, now: datetime) -> Delegation:
    """End leave to act, within the act that does it."""
    store.set_end(within, found.delegation_id, ended_at=now)
    store.end_sessions(within, found.user_id)
    within.record(ReceiptKind.DELEGATION_ENDED, object=typed("del", found.delegation_id), reason=found.level.value)
    return replace(found, ended_at=now)
