"""Invitations: an offered role, for one person, once, for seven days. The link holds a token that is kept as a hash."""

import hashlib
import secrets
from datetime import datetime
from uuid import UUID

from apps.holders import growing, store
from apps.holders.services.acting import delegate
from apps.holders.services.addresses import check_other, too_many
from apps.holders.services.raising import raised
from apps.holders.services.spaces import managed, space_policy
from apps.ledger.ids import new_id
from apps.ledger.log import Act, act
from apps.policy.ids import typed
from apps.policy.people import Delegation, Invitation, actor
from apps.policy.roles import (
    AT_A_VAULT,
    INVITATION_LASTS,
    Deed,
    ask,
    delegated_until,
    judge_invitation,
    may,
    needs,
    offered_in,
)
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Level, ReceiptKind, Refusal, Role


# ---------------------------------------------------------------- inviting
@needs(Deed.SELF)
def invite_to_vault(
    holder: Holder, email: str, role: Role, level: Level, now: datetime, days: int | None = None
) -> tuple[Invitation, str] | Refused:
    """Offer to act for the holder, as a guardian or a delegate (for `days`, eighteen months at the most). By the
    holder; to another guardian also by the guardian who decides for a child that does not sign in yet.

    Returns the invitation and its token, which nobody is told again. Refused as rate-limited after many. Raises
    TextProblem for an address that is none, or one's own, and for a guardian of whom is no child by their day of birth.
    """
    if role not in AT_A_VAULT:
        return Refused(Refusal.NOT_FOUND)
    if not (role is Role.GUARDIAN and asks_guardians_in(holder)):
        ask(holder, Deed.INVITE)
    if role is Role.GUARDIAN and not growing.raises(holder.vault_id, now):
        raise TextProblem("role", "Only a child has guardians. Choose a delegate, whose leave ends by itself.")
    own = store.holder_of_vault(holder.vault_id)
    check_other(email, {holder.user_id} | ({own.user_id} if own else set()))
    until = too_many(holder.user_id, email, now)
    if until:
        return Refused(Refusal.RATE_LIMITED, until=until)
    space_id = store.space_of(holder.vault_id)
    new, token = _invitation(space_id, holder.vault_id, role, level, email, holder.name, now, days)
    with act(holder.vault_id, holder.actor) as inviting:
        _invite(inviting, new, token, holder.user_id)
    return new, token


@needs(Deed.SELF)
def asks_guardians_in(seat: Holder) -> bool:
    """Is this the guardian who decides for a child that does not sign in yet?"""
    return seat.role is Role.GUARDIAN and may(seat, Deed.DECIDE) is None and raised(seat) is not None


def invite_to_space(
    user_id: UUID, space_id: UUID, email: str, role: Role, now: datetime
) -> tuple[Invitation, str] | Refused:
    """Offer a place in a space: to a holder with a vault in it, or another admin; in a clinic also to a reviewer, or to
    who may open a file there in an emergency. For its admins alone.

    Refused as rate-limited after many. Raises TextProblem for an address that is none, or one's own, and where whoever
    looks at emergencies should be in them.
    """
    place = managed(user_id, space_id)
    if place is None or role not in offered_in(place.kind):
        return Refused(Refusal.NOT_FOUND)
    check_other(email, {user_id})
    if role is Role.EMERGENCY and _looks_after(store.user_named(email), space_id):
        raise TextProblem("email", "They are the privacy lead, who looks at what others did. Invite somebody else.")
    until = too_many(user_id, email, now)
    if until:
        return Refused(Refusal.RATE_LIMITED, until=until)
    new, token = _invitation(space_id, None, role, Level.DECIDE, email, place.name, now, None)
    with act(space_id, actor(Role.ADMIN, user_id), begin=True) as inviting:
        _invite(inviting, new, token, user_id)
    return new, token


def _invitation(
    space_id: UUID,
    vault_id: UUID | None,
    role: Role,
    level: Level,
    email: str,
    invited_by: str,
    now: datetime,
    days: int | None,
) -> tuple[Invitation, str]:
    over = now + INVITATION_LASTS
    made = Invitation(
        new_id(), space_id, vault_id, role, level, email, invited_by, "", "", days, now, over, None, None, None
    )
    return made, secrets.token_urlsafe(16)  # 128 bits, in 22 characters


def _looks_after(user_id: UUID | None, space_id: UUID) -> bool:
    """Is this who looks at the space's emergencies?"""
    return user_id is not None and space_policy(space_id).privacy_lead == user_id


def _invite(within: Act, new: Invitation, token: str, invited_by: UUID) -> None:
    """Write it down; an open one to the same address for the same thing is taken back by it."""
    spaces = () if new.vault_id else (new.space_id,)
    for old in store.open_invitations(vault_id=new.vault_id, space_ids=spaces):
        same = (old.role, old.email.casefold()) == (new.role, new.email.casefold())
        if same and store.withdraw_invitation(within, old.invitation_id, new.made_at):
            about = typed("inv", old.invitation_id)
            within.record(ReceiptKind.INVITATION_WITHDRAWN, object=about, reason=old.role.value)
    store.invite(within, new, _hash(token), invited_by)
    within.record(ReceiptKind.INVITATION_MADE, object=typed("inv", new.invitation_id), reason=new.role.value)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


# ---------------------------------------------------------------- looking and taking back
@needs(Deed.SELF)
def invitations(holder: Holder) -> tuple[Invitation, ...]:
    """Invitations to act for the holder that nobody has accepted yet; to whoever acts, those that they made."""
    own = None if may(holder, Deed.INVITE) is None else holder.user_id
    return store.open_invitations(vault_id=holder.vault_id, by=own)


@needs(Deed.SELF)
def withdraw(holder: Holder, invitation_id: UUID, now: datetime) -> Invitation | Refused:
    """Take an invitation back: its link leads nowhere from then on. One to act for the holder is the holder's to take
    back, and whoever asked another guardian in may too; one to a place in a space its admins', wherever they sit.
    """
    found = store.invitation(invitation_id)
    if found is None:
        return Refused(Refusal.NOT_FOUND)
    if found.vault_id is None:
        if managed(holder.user_id, found.space_id) is None:
            return Refused(Refusal.NOT_FOUND)
        return _withdraw(found.space_id, actor(Role.ADMIN, holder.user_id), found, now)
    if may(holder, Deed.INVITE) is not None and found not in invitations(holder):
        return Refused(Refusal.NOT_FOUND)
    if found.vault_id != holder.vault_id:
        return Refused(Refusal.NOT_FOUND)
    return _withdraw(holder.vault_id, holder.actor, found, now)


def _withdraw(chain: UUID, by: str, found: Invitation, now: datetime) -> Invitation | Refused:
    with act(chain, by, begin=found.vault_id is None) as withdrawing:
        if not store.withdraw_invitation(withdrawing, found.invitation_id, now):
            withdrawing.cancel()
            return Refused(Refusal.INVITATION_OVER)
        withdrawing.record(
            ReceiptKind.INVITATION_WITHDRAWN, object=typed("inv", found.invitation_id), reason=found.role.value
        )
    return found


# ---------------------------------------------------------------- accepting
def invitation(token: str) -> Invitation | None:
    """What a link leads to; looking changes nothing. None for a token that was never given."""
    return store.invitation_by(_hash(token))


def judge(found: Invitation | None, user_id: UUID | None, now: datetime) -> Refused | None:
    """May this person accept it now? None for yes. Without a person: does it still stand?"""
    return judge_invitation(found, store.address(user_id) if user_id else None, now)


def accept(user_id: UUID, token: str, now: datetime) -> Invitation | Refused:
    """Take up what was offered, once: of two presses at once one does it. Ends the person's sessions.

    A place as a holder comes with a vault in that space, opened in an act of its own; a second press of the same
    person finishes what a crash between the two left open.
    """
    found = invitation(token)
    if found is not None and found.used_by == user_id and _vault_is_due(found, user_id):
        return _with_vault(found, user_id)
    refused = judge(found, user_id, now)
    if refused is not None or found is None:
        return refused if refused is not None else Refused(Refusal.NOT_FOUND)
    taken = _act_for(found, user_id, now) if found.vault_id else _join(found, user_id, now)
    if not taken:
        return Refused(Refusal.INVITATION_OVER)
    return _with_vault(found, user_id) if found.role is Role.HOLDER else found


def _act_for(found: Invitation, user_id: UUID, now: datetime) -> bool:
    assert found.vault_id is not None
    until = delegated_until(found.role, found.lasts_days, now)
    new = Delegation(new_id(), found.vault_id, user_id, "", found.role, found.level, now, until, None)
    with act(found.vault_id, new.actor) as accepting:
        stands = found.role is not Role.GUARDIAN or growing.raises(found.vault_id, now)
        if not stands or not store.take_invitation(accepting, found.invitation_id, user_id, now):
            accepting.cancel()
            return False
        delegate(accepting, new)
    return True


def _join(found: Invitation, user_id: UUID, now: datetime) -> bool:
    with act(found.space_id, actor(found.role, user_id), begin=True) as joining:
        both = found.role is Role.EMERGENCY and _looks_after(user_id, found.space_id)
        if both or not store.take_invitation(joining, found.invitation_id, user_id, now):
            joining.cancel()
            return False
        store.join(joining, found.space_id, user_id, found.role)
        store.end_sessions(joining, user_id)
        joining.record(ReceiptKind.MEMBER_JOINED, object=typed("spc", found.space_id), reason=found.role.value)
    return True


def _vault_is_due(found: Invitation, user_id: UUID) -> bool:
    return found.role is Role.HOLDER and not store.holds_in(user_id, found.space_id)


def _with_vault(found: Invitation, user_id: UUID) -> Invitation:
    if _vault_is_due(found, user_id):
        vault_id = new_id()
        with act(vault_id, actor(Role.HOLDER, user_id), founding=True) as opening:
            store.open_vault(opening, user_id, store.names(frozenset({user_id}))[user_id], found.space_id)
            opening.record(ReceiptKind.VAULT_OPENED, object=typed("vlt", vault_id))
    return found
