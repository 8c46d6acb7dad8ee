"""Ed25519 (RFC 8032 §5.1): by `cryptography` where it is installed, else in plain Python. Both answer alike.

So that they do, a public key is looked at first: its one spelling, and not one of the eight points of small order,
under which one signature holds for many messages.
"""

from .rfc8032 import FIELD, python_public_key, python_sign, python_verify
from .strict import Malformed

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
except ImportError:  # a stranger's machine: Python alone
    WITH_LIBRARY = False
else:
    WITH_LIBRARY = True

PUBLIC_KEY_BYTES = SEED_BYTES = 32
SIGNATURE_BYTES = 64

# y of the points of order 1, 2, 4 and 8.
_ORDER_8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
_SMALL = (0, 1, FIELD - 1, _ORDER_8, FIELD - _ORDER_8)


def public_key(seed: bytes) -> bytes:
    """The 32-byte public key of a 32-byte seed. Raises Malformed for another length."""
    _check_seed(seed)
    if WITH_LIBRARY:
        return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
    return python_public_key(seed)


def sign(seed: bytes, message: bytes) -> bytes:
    """The 64-byte signature of a message. Raises Malformed for a seed of another length than 32."""
    _check_seed(seed)
    if WITH_LIBRARY:
        return Ed25519PrivateKey.from_private_bytes(seed).sign(message)
    return python_sign(seed, message)


def check_public_key(key: bytes) -> bytes:
    """The key, if signatures under it can mean anything. Raises Malformed."""
    y = int.from_bytes(key, "little") & (1 << 255) - 1
    if len(key) != PUBLIC_KEY_BYTES or y >= FIELD or y in _SMALL:
        raise Malformed("an Ed25519 public key is 32 bytes, canonical, and no point of small order")
    return key


def signature_holds(key: bytes, message: bytes, signature: bytes) -> bool:
    """Does this 64-byte signature of the message hold under the 32-byte public key. Raises Malformed for the key."""
    check_public_key(key)
    if len(signature) != SIGNATURE_BYTES:
        return False
    if not WITH_LIBRARY:
        return python_verify(key, message, signature)
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _check_seed(seed: bytes) -> None:
    if len(seed) != SEED_BYTES:
        raise Malformed(f"an Ed25519 seed is {SEED_BYTES} bytes")
