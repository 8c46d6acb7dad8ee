"""The keys of turns are wrapped anew when the vault's key is changed."""

from uuid import UUID

from apps.ledger.log import Act
from apps.memories.keys import VaultKey
from apps.memories.services import joins_rotations
from apps.turns import wrapped


@joins_rotations
def rewrap(vault_id: UUID, old: VaultKey, new: VaultKey, page: int, within: Act | None) -> int:
    """Every turn that was not erased, `page` by `page`. Returns how many."""
    found = wrapped.rewrap(vault_id, old, new, UUID(int=0), page, within)
    done = len(found)
    while len(found) == page:
        found = wrapped.rewrap(vault_id, old, new, found[-1], page, within)
        done += len(found)
    return done
