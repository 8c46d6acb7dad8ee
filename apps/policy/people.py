"""Frozen facts about people: who sits at which vault, who belongs to a space, who was invited.

Times are aware datetimes in UTC; names and addresses are what people wrote.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.policy.retention import AT_FIRST, Keeping
from apps.policy.vocabulary import Category, Level, Role

_ACTORS = {
    Role.HOLDER: "hld",
    Role.GUARDIAN: "gdn",
    Role.DELEGATE: "dlg",
    Role.REVIEWER: "rev",
    Role.ADMIN: "adm",
    Role.EMERGENCY: "emg",
}
CLOCK = "sys_clock"  # acts where nobody did in time
DOOR = "sys_door"  # reads a key or a link before it is known who is there


def actor(role: Role, user_id: UUID) -> str:
    """Who acts, as receipts name them: a person in one role."""
    return f"{_ACTORS[role]}_{user_id.hex}"


def called(name: str, email: str) -> str:
    """What somebody is called; without a name, the part of the address before the @."""
    return name or email.partition("@")[0]


@dataclass(frozen=True, slots=True)
class Holder:
    """A seat: a signed-in person at one vault, their own or that of somebody they act for.

    `name` and `time_zone` are the signed-in person's; `holder_name` is who the vault is about.
    """

    vault_id: UUID
    user_id: UUID
    name: str
    time_zone: str
    space_name: str = ""
    role: Role = Role.HOLDER
    level: Level = Level.DECIDE
    on_behalf_of: str = "-"
    holder_name: str = ""
    guest: bool = False  # without an account: see policy.guests

    @property
    def actor(self) -> str:
        return actor(self.role, self.user_id)

    @property
    def acting(self) -> bool:
        """Is this somebody else's vault?"""
        return self.role is not Role.HOLDER


@dataclass(frozen=True, slots=True)
class Space:
    """A household or clinic by its name, and how many vaults it has."""

    name: str
    kind: str
    vaults: int


@dataclass(frozen=True, slots=True)
class Census:
    """What an operator may know of people: numbers, and the names of spaces."""

    people: int
    spaces: tuple[Space, ...]

    @property
    def vaults(self) -> int:
        return sum(space.vaults for space in self.spaces)


@dataclass(frozen=True, slots=True)
class SpacePolicy:
    """What a space has settled for the vaults in it. `privacy_lead` is the member whom emergencies are reported to;
    `version` moves with each change. `tiers_before` is the table that holds until `tiers_from`, where `tiers` lets a
    guardian do more with a child who lives there.
    """

    review_categories: frozenset[Category]
    most_ttl_seconds: int | None
    most_reads: int | None
    preselect: bool
    break_glass: bool
    notice: str
    lapse_days: int
    cool_down_hours: int
    tiers: tuple["Tier", ...]
    privacy_lead: UUID | None = None
    version: int = 1
    tiers_before: tuple["Tier", ...] = ()
    tiers_from: datetime | None = None
    keeping: Keeping = AT_FIRST
    share_hours_most: int = 720  # 0: nobody shares here
    share_opens_most: int = 50


@dataclass(frozen=True, slots=True)
class Settled:
    """A policy that was settled: `text` is the JSON whose SHA-256 (`digest`) its receipt is bound to."""

    version: int
    at: datetime
    text: str
    digest: bytes


@dataclass(frozen=True, slots=True)
class Tier:
    """From this age on: what a guardian may do, None for nothing any more."""

    from_years: int
    guardian: Level | None


@dataclass(frozen=True, slots=True)
class Ages:
    """A space's table of ages: the one that holds; and, where another is settled already, that and from when on."""

    held: tuple[Tier, ...]
    then: tuple[Tier, ...] = ()
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Membership:
    """A person's place in a space: in which roles, since when."""

    space_id: UUID
    space_name: str
    kind: str
    user_id: UUID
    name: str
    email: str
    roles: frozenset[Role]
    joined_at: datetime


@dataclass(frozen=True, slots=True)
class Place:
    """A person's place in a space, and whom of it they may know: members, and (its admins) who is invited; and what
    guardians may do there at which age, which everybody there may know.
    """

    mine: Membership
    members: tuple[Membership, ...]
    invitations: tuple["Invitation", ...]
    ages: "Ages"

    @property
    def admin(self) -> bool:
        return Role.ADMIN in self.mine.roles


@dataclass(frozen=True, slots=True)
class Delegation:
    """A holder's leave for somebody to act for them. `expires_at` None: until it is ended."""

    delegation_id: UUID
    vault_id: UUID
    user_id: UUID
    name: str
    role: Role
    level: Level
    made_at: datetime
    expires_at: datetime | None
    ended_at: datetime | None

    @property
    def actor(self) -> str:
        return actor(self.role, self.user_id)

    def live(self, now: datetime) -> bool:
        """Does it hold?"""
        return self.ended_at is None and (self.expires_at is None or self.expires_at > now)


@dataclass(frozen=True, slots=True)
class Invitation:
    """An offered role: in a space, or at one vault. `lasts_days` None: what it leads to has no end of its own."""

    invitation_id: UUID
    space_id: UUID
    vault_id: UUID | None
    role: Role
    level: Level
    email: str
    invited_by: str
    space_name: str
    holder_name: str  # "" where the role is in a space
    lasts_days: int | None
    made_at: datetime
    expires_at: datetime
    used_at: datetime | None
    used_by: UUID | None
    withdrawn_at: datetime | None
