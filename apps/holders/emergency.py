"""Rows of emergencies, as facts: a part of the store. Nobody's leave is here, and no seat is but these."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db.models import BooleanField, F, Func, Min, Q, QuerySet
from django.db.models.functions import Now

from apps.holders.models import DelegationRow, EmergencyRow, MemberRow, User, VaultRow
from apps.ledger.log import Act
from apps.policy.emergency import Emergency, Patient
from apps.policy.people import Holder, called
from apps.policy.vocabulary import EmergencyEnd, EmergencyFinding, EmergencyReason, Level, Role

LARGEST = 2**63 - 1
MOST = 200  # of a list


def patient(space_id: UUID, whom: str) -> Patient | None:
    """Whom exactly this number (as the desk shows it) or address is, with a vault in this space."""
    here = MemberRow.objects.filter(space_id=space_id, role=Role.HOLDER.value)
    if whom.isascii() and whom.isdecimal():
        number = int(whom) if len(whom) < 20 else LARGEST
        numbered = here.values("user_id").annotate(number=Min("id")).filter(number=min(number, LARGEST))
        user_id = numbered.order_by("number").values_list("user_id", flat=True).first()
    else:
        user_id = User.objects.filter(email__iexact=whom).values_list("id", flat=True).first()
    rows = VaultRow.objects.select_related("holder").filter(space_id=space_id, holder_id=user_id)
    row = rows.order_by("vault_id").first()
    return Patient(row.vault_id, row.holder_id, row.holder.name or row.name) if row else None


def number(space_id: UUID, user_id: UUID) -> int | None:
    """This person's number in a space, as `patient` finds it; None for who holds no vault there."""
    held = MemberRow.objects.filter(space_id=space_id, user_id=user_id, role=Role.HOLDER.value)
    found = held.aggregate(number=Min("id"))["number"] if held.filter(left_at=None).exists() else None
    return None if found is None else int(found)


def acts_at(vault_id: UUID, user_id: UUID) -> bool:
    """Has this person the holder's leave to act there?"""
    rows = DelegationRow.objects.filter(vault_id=vault_id, user_id=user_id, ended_at=None)
    return rows.exclude(role=Role.EMERGENCY.value).filter(Q(expires_at=None) | Q(expires_at__gt=Now())).exists()


# ---------------------------------------------------------------- coming and going
def enter(act: Act, new: Emergency, salt: bytes) -> bool:
    """Open it, and the seat with it. False where this person has a file open already: another tab was first."""
    DelegationRow.objects.create(
        delegation_id=new.emergency_id,
        vault_id=act.vault_id,
        user_id=new.user_id,
        role=Role.EMERGENCY.value,
        level=Level.VIEW.value,
        made_at=new.entered_at,
        expires_at=new.ends_at,
    )
    _, made = EmergencyRow.objects.get_or_create(
        user_id=new.user_id,
        left_at=None,
        defaults={
            "delegation_id": new.emergency_id,
            "vault_id": act.vault_id,
            "space_id": new.space_id,
            "reason": new.reason.value,
            "note": new.note,
            "salt": salt,
            "entered_at": new.entered_at,
            "ends_at": new.ends_at,
            "due_at": new.due_at,
        },
    )
    return made


def leave(act: Act, emergency_id: UUID, how: EmergencyEnd, now: datetime) -> bool:
    """It is over. False where that was written down before."""
    DelegationRow.objects.filter(delegation_id=emergency_id, ended_at=None).update(ended_at=now)
    rows = EmergencyRow.objects.filter(delegation_id=emergency_id, vault_id=act.vault_id, left_at=None)
    return rows.update(left_at=now, how=how.value) == 1


def review(act: Act, emergency_id: UUID, by: UUID, finding: EmergencyFinding, words: str, now: datetime) -> bool:
    """What somebody made of it. False where another was first."""
    rows = EmergencyRow.objects.filter(delegation_id=emergency_id, vault_id=act.vault_id, reviewed_at=None)
    return rows.update(reviewer_id=by, finding=finding.value, words=words, reviewed_at=now) == 1


# ---------------------------------------------------------------- looking
def seat(user_id: UUID, vault_id: UUID) -> Holder | None:
    """The seat of somebody who opened this vault in an emergency, while that lasts by the database's clock."""
    row = _rows().filter(user_id=user_id, vault_id=vault_id, left_at=None, ends_at__gt=Now()).first()
    if row is None or not _stands(row):
        return None
    about = row.vault
    return Holder(
        row.vault_id,
        row.user_id,
        called(row.user.name, row.user.email),
        row.user.time_zone,
        about.space.name,
        Role.EMERGENCY,
        Level.VIEW,
        f"hld_{about.holder_id.hex}",
        about.holder.name or about.name,
    )


def unfinished(user_id: UUID | None = None) -> tuple[Emergency, ...]:
    """Of which nobody has written down yet that they are over: of everybody, or of one person, who has one at most."""
    of = {} if user_id is None else {"user_id": user_id}
    return tuple(map(_fact, _rows().filter(left_at=None, **of).order_by("ends_at")))


def one(emergency_id: UUID) -> Emergency | None:
    """One of them."""
    row = _rows().filter(delegation_id=emergency_id).first()
    return _fact(row) if row else None


def at(vault_id: UUID) -> tuple[Emergency, ...]:
    """Those at one vault, newest first."""
    return tuple(map(_fact, _rows().filter(vault_id=vault_id).order_by("-entered_at")[:MOST]))


def of_spaces(space_ids: Collection[UUID]) -> tuple[Emergency, ...]:
    """Those of some spaces: what waits for somebody first, by when it is due, then what was looked at last."""
    rows = _rows().filter(space_id__in=space_ids)
    return tuple(map(_fact, rows.order_by(F("reviewed_at").desc(nulls_first=True), "due_at")[:MOST]))


def _rows() -> QuerySet[EmergencyRow]:
    """With whether the clinic still lets them be: the gate's own question, which it asks before it shows a value."""
    still = Func(F("delegation_id"), function="gate.in_emergency", output_field=BooleanField())
    rows = EmergencyRow.objects.select_related("user", "space", "vault__holder", "vault__space")
    return rows.annotate(still=still)


def _stands(row: EmergencyRow) -> bool:
    return bool(getattr(row, "still", False))


def _fact(row: EmergencyRow) -> Emergency:
    return Emergency(
        row.delegation_id,
        row.vault_id,
        row.space_id,
        row.space.name,
        row.user_id,
        called(row.user.name, row.user.email),
        row.vault.holder.name or row.vault.name,
        EmergencyReason(row.reason),
        row.note,
        row.entered_at,
        row.ends_at,
        row.due_at,
        _stands(row),
        row.left_at,
        EmergencyEnd(row.how) if row.how else None,
        EmergencyFinding(row.finding) if row.finding else None,
        row.words,
        row.reviewed_at,
    )
