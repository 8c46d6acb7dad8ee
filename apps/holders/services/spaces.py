"""Spaces: founding a household or clinic, who belongs to it, and how a place in it ends.

A space has a ledger of its own, a chain under the space's id, for the acts that are no vault's.
"""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from apps.holders import growing, settled, store
from apps.holders.services.acting import end_those_of
from apps.holders.services.people import own_space
from apps.ledger.ids import new_id
from apps.ledger.log import act
from apps.policy.ids import typed
from apps.policy.people import Membership, Place, SpacePolicy, actor
from apps.policy.roles import judge_leaving, known_to, manages, policy_for
from apps.policy.settling import ages
from apps.policy.text import check_line
from apps.policy.tiers import allowed
from apps.policy.types import Refused
from apps.policy.vocabulary import Level, ReceiptKind, Refusal, Role


def found_space(kind: str, name: str, admin_id: UUID) -> UUID:
    """A new household or clinic with its first admin. Raises TextProblem for a name that cannot be kept."""
    space_id = new_id()
    check_line(name, "name")
    with act(space_id, actor(Role.ADMIN, admin_id), begin=True) as founding:
        settled.found_space(founding, space_id, kind, name, policy_for(kind))
        store.join(founding, space_id, admin_id, Role.ADMIN)
        store.end_sessions(founding, admin_id)
        founding.record(ReceiptKind.SPACE_FOUNDED, object=typed("spc", space_id))
        founding.record(ReceiptKind.MEMBER_JOINED, object=typed("spc", space_id), reason=Role.ADMIN.value)
    return space_id


def policy(vault_id: UUID) -> SpacePolicy:
    """What the space of a vault has settled; a household's beginnings where there is no such vault."""
    return settled.policy_at(vault_id) or policy_for("household")


def space_policy(space_id: UUID) -> SpacePolicy:
    """What a space has settled; a household's beginnings where there is no such space."""
    return settled.policy_of(space_id) or policy_for("household")


def settled_in(places: Collection[Membership]) -> tuple[tuple[Membership, SpacePolicy], ...]:
    """Each of these places, with what its space has settled. One statement, however many."""
    found = settled.policies_of([each.space_id for each in places])
    return tuple((each, found.get(each.space_id) or policy_for(each.kind)) for each in places)


def household_of(vault_id: UUID) -> str:
    """What the household is called in which a vault stands; "" in a clinic, whose name tells of care."""
    return store.household_of(vault_id)


def unreviewed(vault_id: UUID) -> bool:
    """Does the space of a vault have a yes looked at twice, with nobody who could? The vault's own holder can't."""
    own = store.holder_of_vault(vault_id)
    if own is None or not policy(vault_id).review_categories:
        return False
    there = store.members(store.space_of(vault_id))
    return not any(Role.REVIEWER in each.roles and each.user_id != own.user_id for each in there)


# ---------------------------------------------------------------- who belongs to it
def memberships(user_id: UUID) -> tuple[Membership, ...]:
    """The spaces a person belongs to, and in which roles."""
    return store.memberships(user_id)


def members(user_id: UUID, space_id: UUID) -> tuple[Membership, ...]:
    """Who belongs to a space, as far as this member may know; nobody for anybody else."""
    return known_to(user_id, store.members(space_id))


def places(user_id: UUID, now: datetime) -> tuple[Place, ...]:
    """The person's places, each with its members and invitations as far as they may know, and its table of ages. Four
    statements, however many places.
    """
    mine = store.memberships(user_id)
    everybody, invited = defaultdict(list), defaultdict(list)
    for member in store.members(*(each.space_id for each in mine)):
        everybody[member.space_id].append(member)
    for each in store.open_invitations(space_ids=[each.space_id for each in mine if manages([each])]):
        invited[each.space_id].append(each)
    return tuple(
        Place(each, known_to(user_id, everybody[each.space_id]), tuple(invited[each.space_id]), ages(settled, now))
        for each, settled in settled_in(mine)
    )


def managed(user_id: UUID, space_id: UUID) -> Membership | None:
    """An admin's place in a space; None for anybody else, and for a space that there is not."""
    return next((each for each in store.memberships(user_id) if each.space_id == space_id and manages([each])), None)


# ---------------------------------------------------------------- the end of a place
def leave(user_id: UUID, space_id: UUID, now: datetime) -> Membership | Refused:
    """Leave a space in every role. A vault of one's own goes along, into a new household; acting for others in the
    space ends; and the person is signed out everywhere. Refused for its last admin, for its privacy lead, and for a
    child at an age at which guardians decide: its admins may end their place.
    """
    return _end_place(user_id, space_id, None, now, actor(Role.HOLDER, user_id), None)


def end_place(
    admin_id: UUID, space_id: UUID, user_id: UUID, now: datetime, role: Role | None = None
) -> Membership | Refused:
    """End somebody's place in a space, in one role or in all: by its admins. The same becomes of the person as if they
    had left; in one role of several, acting for others goes on. Refused as not-found for whoever is no admin there, and
    as not-yours-to-decide for a child who does not sign in yet.
    """
    if managed(admin_id, space_id) is None:
        return Refused(Refusal.NOT_FOUND)
    return _end_place(user_id, space_id, role, now, actor(Role.ADMIN, admin_id), admin_id)


def _end_place(
    user_id: UUID, space_id: UUID, role: Role | None, now: datetime, by: str, admin_id: UUID | None
) -> Membership | Refused:
    judged = _judge(user_id, space_id, role, admin_id, now)
    if isinstance(judged, Refused):
        return judged
    if not judged[0].roles - judged[1]:
        end_those_of(user_id, space_id, now, by if admin_id else None)
    with act(space_id, by, begin=True) as ending:
        judged = _judge(user_id, space_id, role, admin_id, now)  # again under the lock: another admin may be going too
        if isinstance(judged, Refused):
            ending.cancel()
            return judged
        leaver, roles = judged
        store.leave(ending, space_id, user_id, roles, now)
        if Role.HOLDER in roles and store.holds_in(user_id, space_id):
            own = new_id()
            kept = space_policy(space_id) if growing.themself(user_id) else None
            own_space(ending, user_id, own, f"{leaver.name}'s household", kept)
            store.move_vaults(ending, user_id, space_id, own)
        store.end_sessions(ending, user_id)
        about = typed("usr", user_id) if admin_id else typed("spc", space_id)
        for each in sorted(roles):
            ending.record(ReceiptKind.MEMBER_LEFT, object=about, reason=each.value)
    return leaver


def _judge(
    user_id: UUID, space_id: UUID, role: Role | None, admin_id: UUID | None, now: datetime
) -> tuple[Membership, frozenset[Role]] | Refused:
    """Their place in the space and what ends of it, or why it may not end."""
    found = store.members(space_id)
    leaver = next((each for each in found if each.user_id == user_id), None)
    if admin_id and not manages(each for each in found if each.user_id == admin_id):
        return Refused(Refusal.NOT_FOUND)
    others = [each for each in found if each.user_id != user_id]
    as_child = growing.themself(user_id)
    raised = any(not each.signs_in for each in as_child)
    young = admin_id is None and any(allowed(each.growing, now) is Level.DECIDE for each in as_child)
    roles = judge_leaving(leaver, others, space_policy(space_id), role, raised=raised, decided_for=young)
    if isinstance(roles, Refused) or leaver is None:
        return roles if isinstance(roles, Refused) else Refused(Refusal.NOT_FOUND)
    return leaver, roles
