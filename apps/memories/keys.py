"""What a vault's key is, in clear and as stored. The opening and closing is sealing's."""

import hashlib
import hmac
from dataclasses import dataclass, replace
from uuid import UUID


@dataclass(frozen=True, slots=True)
class VaultKey:
    """A vault's key in clear (32 bytes), its epoch, and the key of its search index, the same in every epoch.

    `before`: while the vault's key is being changed, the one that it follows. What is sealed then is sealed under the
    new one; prints, which are compared with each other, are all made with the old one until each has another under the
    new.
    """

    epoch: int
    key: bytes
    index_key: bytes
    before: "VaultKey | None" = None

    @property
    def of_prints(self) -> "VaultKey":
        """The key that prints are made with at this moment."""
        return self.before or self

    @property
    def alone(self) -> "VaultKey":
        """As it is once its change is over: the key that prints are made with, too."""
        return replace(self, before=None)

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
