"""By what a person signs in, as it was in the database that a restore replaced: a part of the store."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from allauth.mfa.models import Authenticator

from apps.holders.models import User


def sign_in_by(user_id: UUID, password: str, factors: Sequence[Mapping[str, Any]]) -> bool:
    """Whoever is here and active has this password (a hash) and these second factors. False where they had already."""
    rows = User.objects.filter(id=user_id, is_active=True)
    here = rows.values_list("password", flat=True).first()
    held = list(Authenticator.objects.filter(user_id=user_id).order_by("id").values_list("type", "data"))
    if here is None or (here == password and held == [(each["type"], each["data"]) for each in factors]):
        return False
    rows.update(password=password)
    Authenticator.objects.filter(user_id=user_id).delete()
    Authenticator.objects.bulk_create([_factor(user_id, each) for each in factors])
    return True


def _factor(user_id: UUID, row: Mapping[str, Any]) -> Authenticator:
    used_at = row["last_used_at"]
    return Authenticator(
        user_id=user_id,
        type=row["type"],
        data=row["data"],
        created_at=datetime.fromisoformat(row["created_at"]),
        last_used_at=datetime.fromisoformat(used_at) if used_at else None,
    )
