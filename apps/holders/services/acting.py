"""Who acts for whom: the holder's leave, which ends by a press or by its day, and is renewed by the holder alone."""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from apps.holders import growing, store
from apps.ledger.log import Act, act
from apps.mail import services as mail
from apps.policy.ids import typed
from apps.policy.letters import Given, Letter
from apps.policy.people import Delegation, actor
from apps.policy.roles import Deed, delegated_until, judge_ending, manages, needs
from apps.policy.tiers import allowed
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Level, ReceiptKind, Refusal, Role


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
    """End it: by the holder, or by whoever acts on it. It bites at that person's next request, and who is ended by
    another is told by letter. A child ends no guardian's leave at an age at which guardians decide.
    """
    with act(holder.vault_id, holder.actor) as ending:
        found = store.delegation(holder.vault_id, delegation_id)
        decided_for = growing.raises(holder.vault_id, now, Level.DECIDE)
        refused = judge_ending(found, holder, now, decided_for=decided_for)
        if refused is not None or found is None:
            ending.cancel()
            return refused if refused is not None else Refused(Refusal.NOT_FOUND)
        return _end_and_tell(ending, found, now, holder.user_id, holder.holder_name)


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


def _end_and_tell(within: Act, found: Delegation, now: datetime, by: UUID, about: str) -> Delegation:
    if found.user_id != by:
        own = by == _holder_of(found.vault_id)
        facts: dict[str, Given] = {"about": about, "own": own, "at": now}
        mail.post(within, Letter.LEAVE_STOPPED, found.user_id, facts, key=typed("del", found.delegation_id))
    return end(within, found, now)


def _holder_of(vault_id: UUID) -> UUID | None:
    own = store.holder_of_vault(vault_id)
    return own.user_id if own else None


# ---------------------------------------------------------------- by whoever looks after the space
@dataclass(frozen=True, slots=True)
class Guarding:
    """A guardian's leave in a household: whose, and at whose vault."""

    leave: Delegation
    child: str


def guarding(admin_id: UUID, space_id: UUID, now: datetime) -> tuple[Guarding, ...]:
    """The guardians of the children who live in a space and are too young to end their leave: for its admins alone."""
    if not manages(each for each in store.memberships(admin_id) if each.space_id == space_id):
        return ()
    return tuple(
        Guarding(leave, own.holder_name)
        for vault_id, child in growing.children(now, space_id, guarded=True)
        if allowed(child, now) is Level.DECIDE and (own := store.holder_of_vault(vault_id))
        for leave in store.delegations(vault_id=vault_id)
        if leave.role is Role.GUARDIAN
    )


def end_guarding(admin_id: UUID, space_id: UUID, delegation_id: UUID, now: datetime) -> Delegation | Refused:
    """End a guardian's leave for a child who is too young to: by an admin of the space. The guardian gets a letter."""
    found = next(
        (each for each in guarding(admin_id, space_id, now) if each.leave.delegation_id == delegation_id), None
    )
    if found is None:
        return Refused(Refusal.NOT_FOUND)
    with act(found.leave.vault_id, actor(Role.ADMIN, admin_id)) as ending:
        standing = store.delegation(found.leave.vault_id, delegation_id)
        if standing is None or standing.ended_at is not None:
            ending.cancel()
            return Refused(Refusal.NOT_FOUND)
        return _end_and_tell(ending, standing, now, admin_id, found.child)


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
