"""What a vault's key is, in clear and as stored. The opening and closing is sealing's."""

import hashlib
import hmac
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class VaultKey:
    """A vault's key in clear (32 bytes), its epoch, and the key of its search index, the same in every epoch."""

    epoch: int
    key: bytes
    index_key: bytes

    @property
    def print_key(self) -> bytes:
        """What prints are keyed with: another in each epoch, so that an older copy of a print tells nothing once the
        epoch is over. In the first epoch it is the index key's, as it was before there were epochs."""
        if self.epoch == 1:
            return self.index_key
        return hmac.digest(self.key, b"muniment-print-key/1", hashlib.sha256)


@dataclass(frozen=True, slots=True)
class WrappedVaultKey:
    """A vault's key as stored."""

    epoch: int
    root_epoch: int
    wrapped: bytes
    index_wrapped: bytes


@dataclass(frozen=True, slots=True)
class WrappedKey:
    """A value's key as stored, and what its wrap is bound to."""

    memory_id: UUID
    version: int
    category: str
    attested: bool
    wrapped: bytes
