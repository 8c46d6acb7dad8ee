"""What a person in a role may do: one table, and the rules of belonging and acting for others. Pure.

A role, a level or a deed that is not in the table is refused: whoever adds one says what it may.
"""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from enum import Enum, auto
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar
from uuid import UUID

from apps.policy.people import Delegation, Holder, Invitation, Membership, SpacePolicy, Tier
from apps.policy.types import Memory, Refused
from apps.policy.vocabulary import Category, Level, Refusal, Role, State

Rest = ParamSpec("Rest")
Answer = TypeVar("Answer")

INVITATION_LASTS = timedelta(days=7)
MOST_DELEGATED_DAYS = 548  # eighteen months; then the holder says it again
TIERS = (Tier(0, Level.DECIDE), Tier(13, Level.VIEW), Tier(18, None))
AT_A_VAULT = frozenset({Role.GUARDIAN, Role.DELEGATE})
IN_A_SPACE = frozenset({Role.HOLDER, Role.REVIEWER, Role.ADMIN, Role.EMERGENCY})
IN_A_CLINIC = frozenset({Role.EMERGENCY})  # and in no household
_SPECIAL = frozenset(each for each in Category if each.special)


class Deed(Enum):
    """What is done at a vault, as far as roles differ in it."""

    LOOK = auto()  # labels of memories
    SHOW = auto()  # values of memories
    KEEP = auto()  # add, correct, put away and back
    SEAL = auto()  # from guardians and delegates
    FOLLOW = auto()  # requests, proposals, assistants, grants, and the ledger
    DECIDE = auto()  # on requests and proposals
    STOP = auto()  # pause and end what was given: no harder than giving it
    SHARE = auto()  # links over ordinary memories: making them, following them
    CONNECT = auto()  # register assistants and make their keys
    ASK = auto()  # the vault's own chat, and what was said in it
    ERASE = auto()  # memories, for good
    END = auto()  # the whole vault, for good
    TAKE = auto()  # take files away: receipts, bundles, conversations, openings
    INVITE = auto()  # say who acts for the holder, renew it and end it
    SELF = auto()  # what is the person's own: their name and zone, leaving, an invitation to them


_DECIDES = frozenset({Deed.LOOK, Deed.SHOW, Deed.KEEP, Deed.FOLLOW, Deed.DECIDE, Deed.STOP, Deed.SHARE, Deed.SELF})
_MAY: dict[tuple[Role, Level], frozenset[Deed]] = {
    (Role.HOLDER, Level.DECIDE): frozenset(Deed),
    (Role.GUARDIAN, Level.DECIDE): _DECIDES | {Deed.CONNECT, Deed.ASK, Deed.ERASE},
    (Role.GUARDIAN, Level.VIEW): frozenset({Deed.LOOK, Deed.SELF}),
    (Role.DELEGATE, Level.DECIDE): _DECIDES,
    (Role.DELEGATE, Level.VIEW): frozenset({Deed.LOOK, Deed.SELF}),
    (Role.EMERGENCY, Level.VIEW): frozenset({Deed.LOOK, Deed.SHOW, Deed.SELF}),
}


class Barred(Exception):
    """A deed that this seat may not do. Nothing was done; `refused` says why."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.reason.value)
        self.refused = refused


def may(seat: Holder, deed: Deed) -> Refused | None:
    """May this person do this at this vault? None for yes; and who has no seat, such as a client, may nothing."""
    allowed = _MAY.get((seat.role, seat.level), frozenset()) if isinstance(seat, Holder) else frozenset()
    if deed is Deed.INVITE and allowed and seat.guest:
        return Refused(Refusal.NOT_YOURS)
    return None if deed in allowed else Refused(Refusal.NOT_YOURS)


def ask(seat: Holder, deed: Deed) -> None:
    """Raise Barred where `may` says no."""
    refused = may(seat, deed)
    if refused is not None:
        raise Barred(refused)


def needs(
    deed: Deed,
) -> Callable[[Callable[Concatenate[Holder, Rest], Answer]], Callable[Concatenate[Holder, Rest], Answer]]:
    """Ask before a service function begins: a no is raised as Barred, and nothing is done. Every service that takes a
    seat has one.
    """

    def guard(function: Callable[Concatenate[Holder, Rest], Answer]) -> Callable[Concatenate[Holder, Rest], Answer]:
        @wraps(function)
        def guarded(seat: Holder, /, *args: Rest.args, **kwargs: Rest.kwargs) -> Answer:
            ask(seat, deed)
            return function(seat, *args, **kwargs)

        guarded.deed = deed  # type: ignore[attr-defined]  # what the architecture tests look for
        return guarded

    return guard


def sees(seat: Holder, memory: Memory) -> bool:
    """Is this memory there at all, for this seat?"""
    states, categories = hides(seat)
    return memory.state not in states and memory.category not in categories


def hides(seat: Holder) -> tuple[frozenset[State], frozenset[Category]]:
    """In which states, and of which categories, memories are not there for this seat. Who may only view sees the
    ordinary ones, but in an emergency all; what is sealed from guardians is there for the holder alone.
    """
    states = frozenset({State.SEALED}) if seat.acting else frozenset()
    whole = seat.level is Level.DECIDE or seat.role is Role.EMERGENCY
    return states, frozenset() if whole else _SPECIAL


def opens_attested(seat: Holder) -> bool:
    """May the value of an attested memory be shown? It is opened for nobody but the holder."""
    return seat.role is Role.HOLDER


def judge_undoing(seat: Holder, stopped_by: str) -> Refused | None:
    """May this seat let go on what this actor stopped? What the holder stopped themself nobody undoes for them."""
    own = seat.acting and stopped_by.startswith("hld_")
    return Refused(Refusal.NOT_YOURS) if own else None


# ---------------------------------------------------------------- spaces
def offered_in(kind: str) -> frozenset[Role]:
    """The roles that there are in a space of this kind."""
    return IN_A_SPACE if kind == "clinic" else IN_A_SPACE - IN_A_CLINIC


def manages(memberships: Iterable[Membership]) -> bool:
    """Is one of these a space admin's place?"""
    return any(Role.ADMIN in each.roles for each in memberships)


def known_to(user_id: UUID, members: Iterable[Membership]) -> tuple[Membership, ...]:
    """Whom of a space a member may know of; nobody, who is none.

    In a household everybody. In a clinic its admins alone know who holds a vault there: to hold one tells of care.
    """
    everybody = tuple(members)
    mine = [each for each in everybody if each.user_id == user_id]
    if not mine or mine[0].kind != "clinic" or Role.ADMIN in mine[0].roles:
        return everybody if mine else ()
    return tuple(each for each in everybody if each.user_id == user_id or each.roles - {Role.HOLDER})


def judge_leaving(
    leaver: Membership | None,
    others: Iterable[Membership],
    policy: SpacePolicy,
    role: Role | None = None,
    *,
    raised: bool = False,
    decided_for: bool = False,
) -> frozenset[Role] | Refused:
    """The roles that somebody gives up in a space, or is relieved of: one of theirs, or all.

    Refused for a place that is not there; for the last admin, without whom nobody could invite or end anybody; for the
    privacy lead, whose work another one has to take first; for a child who does not sign in yet (`raised`): their
    vault would go where nobody can look after it; and for one who goes themself at an age at which guardians decide
    (`decided_for`).
    """
    given = leaver.roles if leaver and role is None else frozenset({role})
    if leaver is None or not given <= leaver.roles:
        return Refused(Refusal.NOT_FOUND)
    if Role.ADMIN in given and not manages(others):
        return Refused(Refusal.LAST_ADMIN)
    if policy.privacy_lead == leaver.user_id and not leaver.roles - given - {Role.HOLDER}:
        return Refused(Refusal.PRIVACY_LEAD)
    if Role.HOLDER in given and (raised or decided_for):
        return Refused(Refusal.NOT_YOURS if raised else Refusal.TOO_YOUNG)
    return frozenset(each for each in leaver.roles if each in given)


def policy_for(kind: str) -> SpacePolicy:
    """What a new space of this kind begins with."""
    clinic = kind == "clinic"
    reviewed = _SPECIAL if clinic else frozenset[Category]()
    return SpacePolicy(reviewed, None, None, not clinic, False, "", 90, 24, TIERS)


# ---------------------------------------------------------------- invitations and delegations
def judge_invitation(found: Invitation | None, email: str | None, now: datetime) -> Refused | None:
    """May the person who signs in with this address accept it now? It is for one person, once, for seven days.

    Without an address: does it still stand, for whomever it is for?
    """
    if found is None:
        return Refused(Refusal.NOT_FOUND)
    if found.used_at or found.withdrawn_at or found.expires_at <= now:
        return Refused(Refusal.INVITATION_OVER)
    its_own = email is None or found.email.casefold() == email.casefold()
    return None if its_own else Refused(Refusal.INVITED_OTHER)


def delegated_until(role: Role, lasts_days: int | None, now: datetime) -> datetime | None:
    """When acting for somebody ends by itself: of a delegate always, eighteen months from now at the most."""
    if role is not Role.DELEGATE:
        return None
    return now + timedelta(days=min(max(lasts_days or MOST_DELEGATED_DAYS, 1), MOST_DELEGATED_DAYS))


def judge_ending(found: Delegation | None, by: Holder, now: datetime, *, decided_for: bool = False) -> Refused | None:
    """May it be ended? By the holder, and by whoever acts on it; while it holds. Not a guardian's leave by a child for
    whom guardians decide at their age (`decided_for`).
    """
    if found is None or not found.live(now):
        return Refused(Refusal.NOT_FOUND)
    if decided_for and by.role is Role.HOLDER and found.role is Role.GUARDIAN:
        return Refused(Refusal.TOO_YOUNG)
    return None if by.role is Role.HOLDER or by.user_id == found.user_id else Refused(Refusal.NOT_YOURS)
