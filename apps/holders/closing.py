"""What erasing a vault leaves of the rows of people: nothing of the vault's, and of the person what other places need.

A part of the store.
"""

import json
from collections import Counter
from uuid import UUID

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.models import Session
from django.db.models import F, Q
from django.db.models.functions import Now

from apps.holders.models import (
    DelegationRow,
    InvitationRow,
    MemberRow,
    SpaceRow,
    User,
    VaultRow,
)
from apps.ledger import log
from apps.ledger.log import Act
from apps.policy.vocabulary import Role

NOBODY = "erased.invalid"  # RFC 2606: no letter ever goes there


def end(act: Act) -> Counter[str]:
    """The vault is no vault any more: nobody holds it or acts there, no key leads to it. Returns rows by place."""
    ((found,),) = log.within([("SELECT gate.unseat(%s, %s)", [act.vault_id, act.ticket])])
    return Counter(json.loads(found[0]))


def placed(user_id: UUID) -> bool:
    """Has this person a place here beside a vault of theirs: another vault, leave to act, a role in a space?"""
    live = Q(ended_at=None) & (Q(expires_at=None) | Q(expires_at__gt=Now()))
    return (
        VaultRow.objects.filter(holder_id=user_id).exists()
        or DelegationRow.objects.filter(live, user_id=user_id).exists()
        or MemberRow.objects.filter(user_id=user_id, left_at=None).exclude(role=Role.HOLDER.value).exists()
        or User.objects.filter(Q(is_staff=True) | Q(is_superuser=True), id=user_id).exists()
    )


def own_households(user_id: UUID) -> frozenset[UUID]:
    """The spaces in which this person is alone, and no vault stands any more."""
    mine = MemberRow.objects.filter(user_id=user_id, left_at=None).values_list("space_id", flat=True)
    others = MemberRow.objects.filter(space_id__in=mine, left_at=None).exclude(user_id=user_id).values("space_id")
    held = VaultRow.objects.filter(space_id__in=mine).values("space_id")
    rows = SpaceRow.objects.filter(space_id__in=mine).exclude(space_id__in=others).exclude(space_id__in=held)
    return frozenset(rows.values_list("space_id", flat=True))


def leave_households(act: Act, user_id: UUID, spaces: frozenset[UUID]) -> None:
    """A space that nobody is in has no name and no invitations."""
    MemberRow.objects.filter(user_id=user_id, space_id__in=spaces, left_at=None).update(left_at=Now())
    InvitationRow.objects.filter(space_id__in=spaces).update(email="")
    InvitationRow.objects.filter(space_id__in=spaces, used_at=None).update(withdrawn_at=Now())
    SpaceRow.objects.filter(space_id__in=spaces).update(name="")


def forget(act: Act, user_id: UUID) -> None:
    """Nobody signs in as this person any more, and nothing says who it was. Their address is free."""
    for rows in (EmailAddress.objects, Authenticator.objects):
        rows.filter(user_id=user_id).delete()
    keys = UserSession.objects.filter(user_id=user_id)
    Session.objects.filter(session_key__in=keys.values("session_key")).delete()
    keys.delete()
    MemberRow.objects.filter(user_id=user_id, left_at=None).update(left_at=Now())
    User.objects.filter(id=user_id).update(
        email=f"{user_id.hex}@{NOBODY}",
        name="",
        password=make_password(None),
        time_zone="UTC",
        is_active=False,
        last_login=None,
        guest_at=None,
        belongs=F("belongs") + 1,
    )
