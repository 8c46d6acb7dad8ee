"""Signatures are those of RFC 8032, and the library and plain Python give one answer to anything."""

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.ledger.format import ed25519, rfc8032
from apps.ledger.format.ed25519 import check_public_key, public_key, sign, signature_holds
from apps.ledger.format.strict import Malformed
from tests.ledger.material import flipped

# RFC 8032 §7.1: seed, public key, message, signature.
VECTORS = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24"
        "655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aee"
        "b00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28d"
        "c027beceea1ec40a",
    ),
]
SEEDS = st.binary(min_size=32, max_size=32)


@pytest.fixture(params=["library", "python"])
def by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Everything that is asked of Ed25519 is asked of both."""
    assert ed25519.WITH_LIBRARY
    monkeypatch.setattr(ed25519, "WITH_LIBRARY", request.param == "library")
    return str(request.param)


@pytest.mark.parametrize(("seed", "key", "message", "signature"), [tuple(map(bytes.fromhex, each)) for each in VECTORS])
def test_the_vectors_of_the_standard(by: str, seed: bytes, key: bytes, message: bytes, signature: bytes) -> None:
    assert public_key(seed) == key
    assert sign(seed, message) == signature
    assert signature_holds(key, message, signature)
    assert not signature_holds(key, message + b"\x00", signature)
    for bit in range(0, 512, 37):
        assert not signature_holds(key, message, flipped(signature, bit))


@settings(max_examples=10, deadline=None)
@given(SEEDS, st.binary(max_size=100), st.integers(0))
def test_both_give_one_answer(seed: bytes, message: bytes, bit: int) -> None:
    key = public_key(seed)
    assert rfc8032.python_public_key(seed) == key
    signature = sign(seed, message)
    assert rfc8032.python_sign(seed, message) == signature
    for made in (signature, flipped(signature, bit)):
        assert rfc8032.python_verify(key, message, made) == signature_holds(key, message, made) == (made == signature)


@settings(max_examples=30, deadline=None)
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=20), st.binary(min_size=64, max_size=64))
def test_both_give_one_answer_to_nonsense(key: bytes, message: bytes, signature: bytes) -> None:
    try:
        said = signature_holds(key, message, signature)
    except Malformed:
        return
    assert rfc8032.python_verify(key, message, signature) == said


def test_a_response_beyond_the_order_is_refused(by: str) -> None:
    key, signature = public_key(b"s" * 32), sign(b"s" * 32, b"m")
    other = (int.from_bytes(signature[32:], "little") + rfc8032.ORDER).to_bytes(32, "little")
    assert not signature_holds(key, b"m", signature[:32] + other)


def test_a_key_with_a_part_of_small_order_is_judged_alike() -> None:
    """Where verifiers are known to differ: with the cofactor this signature would hold, without it does not."""
    twist = next(
        point
        for number in range(99)
        if (found := rfc8032._decompress(hashlib.sha256(b"%d" % number).digest()))
        and (point := rfc8032._times(rfc8032.ORDER, found))
        and rfc8032._compress(rfc8032._times(4, point)) != rfc8032._compress(rfc8032._NEUTRAL)
    )
    scalar = 12345 << 3
    key = rfc8032._compress(rfc8032._add(rfc8032._times(scalar, rfc8032._BASE), twist))
    answers = set()
    for nonce in range(1, 30):
        commitment = rfc8032._compress(rfc8032._times(nonce, rfc8032._BASE))
        challenge = rfc8032._number(commitment, key, b"m") % rfc8032.ORDER
        signature = commitment + ((nonce + challenge * scalar) % rfc8032.ORDER).to_bytes(32, "little")
        said = signature_holds(key, b"m", signature)
        assert rfc8032.python_verify(key, b"m", signature) == said
        answers.add(said)
    assert answers == {True, False}  # it holds where the challenge is a multiple of eight


def small_order_keys() -> list[bytes]:
    """Every spelling, canonical or not, of a point whose order is a divisor of eight."""
    field = rfc8032.FIELD
    ys = {y + more for y in ed25519._SMALL for more in (0, field) if y + more < 1 << 255}
    return [(y | sign << 255).to_bytes(32, "little") for y in sorted(ys) for sign in (0, 1)]


@pytest.mark.parametrize("key", [*small_order_keys(), rfc8032.FIELD.to_bytes(32, "little"), b"", b"k" * 31, b"k" * 33])
def test_a_key_that_means_nothing_is_refused(key: bytes) -> None:
    with pytest.raises(Malformed):
        check_public_key(key)
    with pytest.raises(Malformed):
        signature_holds(key, b"m", b"\x00" * 64)


def test_plain_python_reads_no_point_in_another_spelling() -> None:
    for y in (rfc8032.FIELD, rfc8032.FIELD + 3, 1 | 1 << 255):  # not reduced; a sign where x is 0
        assert rfc8032._decompress(y.to_bytes(32, "little")) is None
        assert not rfc8032.python_verify(y.to_bytes(32, "little"), b"m", b"\x00" * 64)


def test_there_are_no_other_points_of_small_order() -> None:
    found = set()
    for number in range(40):
        point = rfc8032._decompress(hashlib.sha256(b"%d" % number).digest())
        if point:
            spelt = rfc8032._compress(rfc8032._times(rfc8032.ORDER, point))
            found.add(int.from_bytes(spelt, "little") & (1 << 255) - 1)
    assert found == set(ed25519._SMALL)


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_a_seed_is_32_bytes_and_a_signature_64(by: str, length: int) -> None:
    with pytest.raises(Malformed):
        sign(b"s" * length, b"m")
    with pytest.raises(Malformed):
        public_key(b"s" * length)
    if length != 64:
        assert not signature_holds(public_key(b"s" * 32), b"m", b"\x00" * length)
        assert not rfc8032.python_verify(public_key(b"s" * 32), b"m", b"\x00" * length)


def test_a_key_off_the_curve_verifies_nothing(by: str) -> None:
    off = next(key for y in range(2, 99) if rfc8032._decompress(key := y.to_bytes(32, "little")) is None)
    assert not signature_holds(off, b"m", b"\x00" * 64)
