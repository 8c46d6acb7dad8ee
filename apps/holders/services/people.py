"""People: signing up, a vault of one's own, a profile; and the vault a credential belongs to."""

from collections.abc import Collection
from dataclasses import replace
from uuid import UUID

from apps.holders import settled, store
from apps.ledger.ids import new_id
from apps.ledger.log import Act, act
from apps.policy.ids import typed
from apps.policy.people import SpacePolicy, actor
from apps.policy.roles import Deed, needs, policy_for
from apps.policy.text import TextProblem, check_line
from apps.policy.types import Census, Holder
from apps.policy.vocabulary import ReceiptKind, Role
from vault.zones import zones


def holder_named(email: str) -> Holder | None:
    """The person who signs in with this address, at their vault."""
    user_id = store.user_named(email)
    return store.first_seat(user_id) if user_id else None


OWN = (Role.HOLDER, Role.ADMIN)


def open_vault(user_id: UUID, name: str, space: str, *, roles: Collection[Role] = OWN) -> Holder:
    """Give a person a vault in a household of their own, whose admin they are. Somebody who has one keeps it."""
    found = store.first_seat(user_id)
    if found:
        return found
    vault_id, space_id = new_id(), new_id()
    with act(vault_id, actor(Role.HOLDER, user_id), founding=True) as opening:
        own_space(opening, user_id, space_id, space, roles=roles)
        store.open_vault(opening, user_id, name, space_id)
        opening.record(ReceiptKind.VAULT_OPENED, object=typed("vlt", vault_id))
    found = store.first_seat(user_id)
    assert found is not None
    return found


def own_space(
    within: Act,
    user_id: UUID,
    space_id: UUID,
    name: str,
    left: SpacePolicy | None = None,
    *,
    roles: Collection[Role] = OWN,
) -> None:
    """A household with this person in it, holder and admin. A child who left another space brings its table of ages
    along: moving lets no guardian do more.
    """
    policy = policy_for("household")
    if left is not None:
        policy = replace(policy, tiers=left.tiers, tiers_before=left.tiers_before, tiers_from=left.tiers_from)
    settled.found_space(within, space_id, "household", name, policy)
    for role in roles:
        store.join(within, space_id, user_id, role)


def enrol(email: str, name: str, password: str | None, *, space: str, time_zone: str = "UTC") -> Holder:
    """A new person with a vault; an address that is known keeps its vault and gets the password."""
    user_id = store.user_named(email)
    if user_id is None:
        user_id = store.make_user(email, name, password, time_zone)
    elif password is not None:
        store.set_password(user_id, password)
    return open_vault(user_id, name, space)


@needs(Deed.SELF)
def set_profile(holder: Holder, *, name: str, time_zone: str) -> Holder:
    """Change what the person is called and the zone their times are shown in. Raises TextProblem naming the field."""
    check_line(name, "name")
    check_zone(time_zone)
    store.set_profile(holder.user_id, name, time_zone)
    return replace(holder, name=name, time_zone=time_zone)


def check_zone(name: str) -> None:
    """Raises TextProblem for the field `time_zone` where there is no such zone."""
    if name not in zones():
        raise TextProblem("time_zone", "Choose a zone from the list, such as Europe/Lisbon.")


def census() -> Census:
    """How many people, vaults and spaces there are: for the operator, who sees no more."""
    return store.census()


def vault_of(credential_hash: bytes) -> UUID | None:
    """The vault that a credential (by its SHA-256) belongs to; None for an unknown one."""
    return store.vault_of(credential_hash)


def enlist(within: Act, credential_hash: bytes, kind: str) -> None:
    """Lead from a credential to the vault of the act in hand."""
    store.enlist(within, credential_hash, kind)


def zone_query(vault_id: UUID) -> tuple[str, list[object]]:
    """The query for the zone (IANA) of whom a vault is about, for a caller that sends several in one round trip."""
    return store.zone_query(vault_id)


def unlist(credential_hashes: Collection[bytes]) -> None:
    """Take out of the directory what leads nowhere any more. Housekeeping, not an act."""
    store.unlist(credential_hashes)


def delist(within: Act, credential_hash: bytes) -> None:
    """Take a credential out of the directory, within an act."""
    store.delist(within, credential_hash)
