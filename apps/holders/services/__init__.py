"""Who is here, at which vaults they sit, what they belong to, and whom they invited."""

from apps.holders.services.acting import delegations, end_delegation, renew_delegation
from apps.holders.services.inviting import (
    accept,
    invitation,
    invitations,
    invite_to_space,
    invite_to_vault,
    judge,
    space_invitations,
    withdraw_from_space,
    withdraw_from_vault,
)
from apps.holders.services.people import (
    census,
    delist,
    enlist,
    enrol,
    holder_named,
    open_vault,
    set_profile,
    vault_of,
)
from apps.holders.services.seats import Barred, ask, holder, holder_of_vault, may, seat, seats
from apps.holders.services.spaces import found_space, leave, members, memberships, policy

__all__ = [
    "Barred",
    "accept",
    "ask",
    "census",
    "delegations",
    "delist",
    "end_delegation",
    "enlist",
    "enrol",
    "found_space",
    "holder",
    "holder_named",
    "holder_of_vault",
    "invitation",
    "invitations",
    "invite_to_space",
    "invite_to_vault",
    "judge",
    "leave",
    "may",
    "members",
    "memberships",
    "open_vault",
    "policy",
    "renew_delegation",
    "seat",
    "seats",
    "set_profile",
    "space_invitations",
    "vault_of",
    "withdraw_from_space",
    "withdraw_from_vault",
]
