"""What a vault's key is, in clear and as stored. The opening and closing is sealing's."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VaultKey:
    """A vault's key in clear (32 bytes), its epoch, and the key of its search index."""

    epoch: int
    key: bytes
    index_key: bytes


@dataclass(frozen=True, slots=True)
class WrappedVaultKey:
    """A vault's key as stored."""

    epoch: int
    root_epoch: int
    wrapped: bytes
    index_wrapped: bytes
