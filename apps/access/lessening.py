"""Grants that become less, or end: a part of the store. Each moves the terms, so that a stamp in flight is not
released; but for an end that the clock only writes down.
"""

from datetime import datetime
from uuid import UUID

from apps.access.models import GrantRow
from apps.ledger.log import Act
from apps.policy.types import Grant


def narrow_grant(act: Act, new: Grant) -> None:
    """A grant's narrower terms. Their version has moved, so that a stamp in flight is not released."""
    GrantRow.objects.filter(
        vault_id=act.vault_id, grant_id=new.grant_id, terms_version=new.terms_version - 1, revoked_at=None
    ).update(
        expires_at=new.expires_at,
        reads_left=new.reads_left,
        memory_ids=sorted(memory_id.hex for memory_id in new.memory_ids),
        terms_version=new.terms_version,
    )


def lapse_grant(act: Act, grant_id: UUID, terms_version: int, now: datetime) -> bool:
    """End a grant that stood unused; its terms move. False where another worker was first."""
    rows = GrantRow.objects.filter(vault_id=act.vault_id, grant_id=grant_id, terms_version=terms_version)
    rows = rows.filter(lapsed_at=None, revoked_at=None, expired_at=None)
    return rows.update(lapsed_at=now, terms_version=terms_version + 1) == 1


def expire_grant(act: Act, grant_id: UUID, now: datetime) -> bool:
    """Write down that a grant's time is over. False where that is written already, or it ended otherwise."""
    rows = GrantRow.objects.filter(vault_id=act.vault_id, grant_id=grant_id, expires_at__lte=now, turn_id=None)
    return rows.filter(revoked_at=None, lapsed_at=None, expired_at=None).update(expired_at=now) == 1


def revoke_grant(act: Act, grant_id: UUID, terms_version: int, now: datetime) -> None:
    """End a grant; its terms move, so that a stamp in flight is not released."""
    GrantRow.objects.filter(vault_id=act.vault_id, grant_id=grant_id, terms_version=terms_version).update(
        revoked_at=now, terms_version=terms_version + 1
    )
