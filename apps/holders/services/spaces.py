"""Spaces: founding a household or clinic, who belongs to it, leaving it, what it has settled.

A space has a ledger of its own, a chain under the space's id, for the acts that are no vault's.
"""

from datetime import datetime
from uuid import UUID

from apps.holders import store
from apps.holders.services.acting import end_those_of
from apps.holders.services.people import own_space
from apps.ledger.ids import new_id
from apps.ledger.log import act
from apps.policy.ids import typed
from apps.policy.people import Membership, SpacePolicy, actor
from apps.policy.roles import judge_leaving, known_to, policy_for
from apps.policy.text import check_line
from apps.policy.types import Refused
from apps.policy.vocabulary import ReceiptKind, Refusal, Role


def found_space(kind: str, name: str, admin_id: UUID) -> UUID:
    """A new household or clinic with its first admin. Raises TextProblem for a name that cannot be kept."""
    space_id = new_id()
    check_line(name, "name")
    with act(space_id, actor(Role.ADMIN, admin_id), begin=True) as founding:
        store.found_space(founding, space_id, kind, name, policy_for(kind))
        store.join(founding, space_id, admin_id, Role.ADMIN)
        store.end_sessions(founding, admin_id)
        founding.record(ReceiptKind.SPACE_FOUNDED, object=typed("spc", space_id))
        founding.record(ReceiptKind.MEMBER_JOINED, object=typed("spc", space_id), reason=Role.ADMIN.value)
    return space_id


def policy(vault_id: UUID) -> SpacePolicy:
    """What the space of a vault has settled; a household's beginnings where there is no such vault."""
    return store.policy_at(vault_id) or policy_for("household")


def space_policy(space_id: UUID) -> SpacePolicy:
    """What a space has settled; a household's beginnings where there is no such space."""
    return store.policy_of(space_id) or policy_for("household")


def memberships(user_id: UUID) -> tuple[Membership, ...]:
    """The spaces a person belongs to, and in which roles."""
    return store.memberships(user_id)


def members(user_id: UUID, space_id: UUID) -> tuple[Membership, ...]:
    """Who belongs to a space, as far as this member may know; nobody for anybody else."""
    return known_to(user_id, store.members(space_id))


def leave(user_id: UUID, space_id: UUID, now: datetime) -> Membership | Refused:
    """Leave a space in every role. A vault of one's own goes along, into a new household; acting for others in the
    space ends; and the person is signed out everywhere. Refused for its last admin.
    """
    judged = _judge(user_id, space_id)
    if isinstance(judged, Refused):
        return judged
    end_those_of(user_id, space_id, now)
    with act(space_id, actor(Role.HOLDER, user_id), begin=True) as leaving:
        leaver = _judge(user_id, space_id)  # again under the lock: another admin may be leaving too
        if isinstance(leaver, Refused):
            leaving.cancel()
            return leaver
        store.leave(leaving, space_id, user_id, now)
        if store.holds_in(user_id, space_id):
            own = new_id()
            own_space(leaving, user_id, own, f"{leaver.name}'s household")
            store.move_vaults(leaving, user_id, space_id, own)
        store.end_sessions(leaving, user_id)
        for role in sorted(leaver.roles):
            leaving.record(ReceiptKind.MEMBER_LEFT, object=typed("spc", space_id), reason=role.value)
    return leaver


def _judge(user_id: UUID, space_id: UUID) -> Membership | Refused:
    """Their place in the space, or why they may not leave it."""
    found = store.members(space_id)
    leaver = next((each for each in found if each.user_id == user_id), None)
    refused = judge_leaving(leaver, (each for each in found if each.user_id != user_id))
    if refused is not None or leaver is None:
        return refused if refused is not None else Refused(Refusal.NOT_FOUND)
    return leaver
