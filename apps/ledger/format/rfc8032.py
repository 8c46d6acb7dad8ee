"""Ed25519 in plain Python: RFC 8032 §5.1. For a machine that has nothing but Python; see ed25519.py for the door.

It takes milliseconds where a library takes microseconds, and its time depends on the secret it signs with: sign with
it only where nobody can measure.
"""

import hashlib

Point = tuple[int, int, int, int]  # extended coordinates: x = X/Z, y = Y/Z, xy = T/Z

FIELD = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
_CURVE_D = -121665 * pow(121666, -1, FIELD) % FIELD
_ROOT_OF_MINUS_ONE = pow(2, (FIELD - 1) // 4, FIELD)
_NEUTRAL: Point = (0, 1, 1, 0)


def python_public_key(seed: bytes) -> bytes:
    """The 32-byte public key of a 32-byte seed: RFC 8032 §5.1.5."""
    return _compress(_times(_expand(seed)[0], _BASE))


def python_sign(seed: bytes, message: bytes) -> bytes:
    """The 64-byte signature: RFC 8032 §5.1.6."""
    scalar, prefix = _expand(seed)
    public_key = _compress(_times(scalar, _BASE))
    nonce = _number(prefix, message) % ORDER
    commitment = _compress(_times(nonce, _BASE))
    challenge = _number(commitment, public_key, message) % ORDER
    return commitment + ((nonce + challenge * scalar) % ORDER).to_bytes(32, "little")


def python_verify(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Does the signature hold: RFC 8032 §5.1.7, by the equation without the cofactor, as OpenSSL does."""
    point = _decompress(public_key)
    response = int.from_bytes(signature[32:], "little")
    if point is None or len(signature) != 64 or response >= ORDER:
        return False
    x, y, z, t = point
    challenge = _number(signature[:32], public_key, message) % ORDER
    made = _add(_times(response, _BASE), _times(challenge, (FIELD - x, y, z, FIELD - t)))
    return _compress(made) == signature[:32]


def _add(one: Point, other: Point) -> Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % FIELD
    b = (one[1] + one[0]) * (other[1] + other[0]) % FIELD
    c = 2 * one[3] * other[3] * _CURVE_D % FIELD
    d = 2 * one[2] * other[2] % FIELD
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % FIELD, g * h % FIELD, f * g % FIELD, e * h % FIELD


def _times(scalar: int, point: Point) -> Point:
    made = _NEUTRAL
    while scalar:
        if scalar & 1:
            made = _add(made, point)
        point = _add(point, point)
        scalar >>= 1
    return made


def _compress(point: Point) -> bytes:
    inverse = pow(point[2], -1, FIELD)
    x, y = point[0] * inverse % FIELD, point[1] * inverse % FIELD
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _decompress(data: bytes) -> Point | None:
    """The point of 32 bytes, or None where there is none: RFC 8032 §5.1.3."""
    if len(data) != 32:
        return None
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    square = (y * y - 1) * pow(_CURVE_D * y * y + 1, -1, FIELD) % FIELD
    x = pow(square, (FIELD + 3) // 8, FIELD)
    if x * x % FIELD != square:
        x = x * _ROOT_OF_MINUS_ONE % FIELD
    if y >= FIELD or x * x % FIELD != square or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = FIELD - x
    return x, y, 1, x * y % FIELD


def _expand(seed: bytes) -> tuple[int, bytes]:
    """The secret scalar and the prefix of a seed: RFC 8032 §5.1.5."""
    digest = hashlib.sha512(seed).digest()
    return int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254, digest[32:]


def _number(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")


# The base point: y = 4/5, x even.
_BASE: Point = _decompress(bytes.fromhex("58" + "66" * 31)) or _NEUTRAL
