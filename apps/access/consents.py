"""What a consent record needs of a grant besides its terms. A store of this room, read alone."""

from datetime import datetime
from uuid import UUID

from apps.access.models import GrantMemoryRow, GrantRow
from apps.policy.consent import Shown, Surface, below
from apps.policy.types import Grant


def shown(vault_id: UUID, grant_id: UUID) -> Shown:
    """What stood above the button when a grant was given."""
    rows = GrantRow.objects.filter(vault_id=vault_id, grant_id=grant_id)
    names = ("surface", "notice", "ui_version", "notice_space", "notice_version")
    surface, notice, ui_version, space_id, version = rows.values_list(*names).get()
    return Shown(Surface(surface), notice, ui_version, below(space_id, version))


def given_until(vault_id: UUID, found: Grant) -> datetime:
    """Until when a grant was given, however it was narrowed since. One that is bound to a turn is never narrowed."""
    rows = GrantMemoryRow.objects.filter(
        vault_id=vault_id,
        client_id=found.client_id,
        memory_id__in=found.memory_ids,
        purpose=found.purpose.value,
        grant_id=found.grant_id,
    )
    return rows.values_list("expires_at", flat=True).first() or found.expires_at
