"""Seals: each value under a key of its own, wrapped by its vault's key, wrapped by the root key.

AES-256-GCM throughout. A seal's associated data names vault, memory, version, category and attested, so that a row
whose category was edited does not open. The root key is in a file outside the database: see roots.
"""

import hashlib
import hmac
import os
from dataclasses import dataclass
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from apps.memories.keys import VaultKey, WrappedKey, WrappedVaultKey
from apps.memories.roots import root_keys

NONCE = 12


class CannotOpen(Exception):
    """A seal that does not open: a wrong key, or bytes or labels that were changed."""


@dataclass(frozen=True, slots=True)
class Seal:
    """A sealed value as stored: what `gate.put` takes."""

    nonce: bytes
    ciphertext: bytes
    commitment: bytes
    epoch: int
    wrapped: bytes


def _wrap(key: bytes, secret: bytes, about: str) -> bytes:
    nonce = os.urandom(NONCE)
    return nonce + AESGCM(key).encrypt(nonce, secret, about.encode())


def _unwrap(key: bytes, wrapped: bytes, about: str) -> bytes:
    try:
        return AESGCM(key).decrypt(wrapped[:NONCE], wrapped[NONCE:], about.encode())
    except (InvalidTag, ValueError):  # another key, or bytes that are no seal at all
        raise CannotOpen(about) from None


def new_key(after: VaultKey | None = None) -> VaultKey:
    """A vault's first key, with a new index key; or the one that follows, with the same."""
    if after is None:
        return VaultKey(1, os.urandom(32), os.urandom(32))
    return VaultKey(after.epoch + 1, os.urandom(32), after.index_key)


def rewrap_vault_key(vault_id: UUID, wrapped: WrappedVaultKey, root_epoch: int) -> WrappedVaultKey:
    """The same keys wrapped by another root key. Raises CannotOpen."""
    return wrap_vault_key(vault_id, open_vault_key(vault_id, wrapped), root_epoch)


def wrap_vault_key(vault_id: UUID, key: VaultKey, root_epoch: int) -> WrappedVaultKey:
    """A vault's key and its index key wrapped by this root key. Raises CannotOpen where that is gone."""
    root = _root(root_epoch)
    return WrappedVaultKey(
        key.epoch,
        root_epoch,
        _wrap(root, key.key, _about_vault(vault_id, key.epoch)),
        _wrap(root, key.index_key, _about_index(vault_id)),
    )


def open_vault_key(vault_id: UUID, wrapped: WrappedVaultKey) -> VaultKey:
    """A vault's keys in clear. Raises CannotOpen when the root key of that epoch is gone or another."""
    root = _root(wrapped.root_epoch)
    return VaultKey(
        wrapped.epoch,
        _unwrap(root, wrapped.wrapped, _about_vault(vault_id, wrapped.epoch)),
        _unwrap(root, wrapped.index_wrapped, _about_index(vault_id)),
    )


def _root(epoch: int) -> bytes:
    key = root_keys().get(epoch)
    if key is None:
        raise CannotOpen(f"root key of epoch {epoch}")
    return key


def _about_vault(vault_id: UUID, epoch: int) -> str:
    return f"muniment-vault-key/1 {vault_id} {epoch}"


def _about_index(vault_id: UUID) -> str:
    return f"muniment-index-key/1 {vault_id}"


def _about_turn(vault_id: UUID, turn_id: UUID) -> str:
    return f"muniment-turn-key/1 {vault_id} {turn_id}"


def _about_value(vault_id: UUID, memory_id: UUID, version: int, category: str, attested: bool) -> str:
    return f"muniment-value/1 {vault_id} {memory_id} {version} {category} {str(attested).lower()}"


def seal(
    vault_id: UUID, key: VaultKey, memory_id: UUID, version: int, category: str, attested: bool, text: str
) -> Seal:
    """Seal a value under a new key of its own. The commitment can be opened with a key derived from that one."""
    about = _about_value(vault_id, memory_id, version, category, attested)
    secret, nonce = os.urandom(32), os.urandom(NONCE)
    value = text.encode()
    return Seal(
        nonce,
        AESGCM(secret).encrypt(nonce, value, about.encode()),
        hmac.new(_commitment_key(secret), about.encode() + b"\n" + value, hashlib.sha256).digest(),
        key.epoch,
        _wrap(key.key, secret, about),
    )


def rewrap_key(vault_id: UUID, old: VaultKey, new: VaultKey, key: WrappedKey) -> bytes:
    """A value's key wrapped by the vault's new key; what it seals stays as it is. Raises CannotOpen."""
    about = _about_value(vault_id, key.memory_id, key.version, key.category, key.attested)
    return _wrap(new.key, _unwrap(old.key, key.wrapped, about), about)


@dataclass(frozen=True, slots=True)
class Sealed:
    """A sealed value as `gate.take` releases it."""

    memory_id: UUID
    version: int
    category: str
    attested: bool
    nonce: bytes
    ciphertext: bytes
    epoch: int
    wrapped: bytes
    root_epoch: int
    vault_key: bytes


def open_value(vault_id: UUID, sealed: Sealed) -> str:
    """The value in clear. Raises CannotOpen where anything the seal is bound to was changed."""
    secret, about = _value_key(vault_id, sealed)
    try:
        return AESGCM(secret).decrypt(sealed.nonce, sealed.ciphertext, about.encode()).decode()
    except InvalidTag:
        raise CannotOpen(about) from None


def opening_key(vault_id: UUID, sealed: Sealed) -> bytes:
    """The key that opens this value's commitment and nothing else. Raises CannotOpen."""
    return _commitment_key(_value_key(vault_id, sealed)[0])


def _value_key(vault_id: UUID, sealed: Sealed) -> tuple[bytes, str]:
    """A value's own key, and what its seal is bound to."""
    key = _unwrap(_root(sealed.root_epoch), sealed.vault_key, _about_vault(vault_id, sealed.epoch))
    about = _about_value(vault_id, sealed.memory_id, sealed.version, sealed.category, sealed.attested)
    return _unwrap(key, sealed.wrapped, about), about


def _commitment_key(secret: bytes) -> bytes:
    """Derived from a value's key, so that whoever checks a commitment cannot open the seal."""
    return hmac.digest(secret, b"muniment-commitment/1", hashlib.sha256)


def new_turn_key(vault_id: UUID, key: VaultKey, turn_id: UUID) -> tuple[bytes, bytes]:
    """A conversation turn's own key, in clear and wrapped by the vault's."""
    secret = os.urandom(32)
    return secret, _wrap(key.key, secret, _about_turn(vault_id, turn_id))


def open_turn_key(vault_id: UUID, key: VaultKey, turn_id: UUID, wrapped: bytes) -> bytes:
    """A turn's key in clear. Raises CannotOpen."""
    return _unwrap(key.key, wrapped, _about_turn(vault_id, turn_id))


def rewrap_turn_key(vault_id: UUID, old: VaultKey, new: VaultKey, turn_id: UUID, wrapped: bytes) -> bytes:
    """A turn's key wrapped by the vault's new key. Raises CannotOpen."""
    return _wrap(new.key, open_turn_key(vault_id, old, turn_id, wrapped), _about_turn(vault_id, turn_id))


def turn_digest_key(secret: bytes) -> bytes:
    """Derived from a turn's key, so that whoever checks the conversation's digests cannot open its seals."""
    return hmac.digest(secret, b"muniment-turn-digests/1", hashlib.sha256)


def seal_text(secret: bytes, about: str, text: str) -> bytes:
    """A text sealed under a turn's key, its nonce in front. `about` names which text it is."""
    return _wrap(secret, text.encode(), about)


def open_text(secret: bytes, about: str, sealed: bytes) -> str:
    """A text in clear. Raises CannotOpen."""
    return _unwrap(secret, sealed, about).decode()


def seal_digests(key: bytes, about: str, digests: bytes) -> bytes:
    """Digests sealed under a vault's key, the nonce in front. `about` names of what they are."""
    return _wrap(key, digests, about)


def open_digests(key: bytes, about: str, sealed: bytes) -> bytes:
    """The digests in clear. Raises CannotOpen."""
    return _unwrap(key, sealed, about)


def keyed_digest(secret: bytes, about: str, text: str) -> str:
    """HMAC-SHA256 in hex: recognises a text while the key lives, and cannot be guessed after it is gone."""
    return hmac.new(secret, f"{about}\n{text}".encode(), hashlib.sha256).hexdigest()
