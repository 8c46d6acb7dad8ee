"""The keys of turns are wrapped anew when the vault's key is changed, in the same act."""

from uuid import UUID

from apps.ledger.log import Act
from apps.memories.keys import VaultKey
from apps.memories.services import joins_rotations
from apps.turns import wrapped


@joins_rotations
def rewrap(within: Act, old: VaultKey, new: VaultKey, page: int) -> int:
    """Every turn that was not erased, `page` by `page`. Returns how many."""
    done, last = 0, UUID(int=0)
    while found := wrapped.rewrap(within, old, new, last, page):
        done, last = done + len(found), found[-1]
    return done
