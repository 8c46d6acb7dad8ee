"""A backup's files are age v1: another program opens what we write, and we open what it writes; nothing else opens."""

import base64
import hashlib
import io
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ops.backups.age import CHUNK, CannotDecrypt, Identity, Passphrase, Reader, Recipient, Writer

VECTORS = json.loads((Path(__file__).parent / "vectors/rage.json").read_text())
SIZES = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK]


def encrypted(data: bytes, to: Passphrase | Recipient) -> bytes:
    file = io.BytesIO()
    writer = Writer(file, to)
    for start in range(0, len(data), 10_000):
        writer.write(data[start : start + 10_000])
    writer.close()
    return file.getvalue()


def opened(file: bytes, by: Passphrase | Identity) -> bytes:
    return Reader(io.BytesIO(file), by).read()


@pytest.mark.parametrize("each", VECTORS["files"], ids=lambda each: f"{each['by']}-{each['size']}")
def test_what_rage_has_written_opens(each: dict[str, str]) -> None:
    by = Identity.parse(VECTORS["identity"]) if each["by"] == "identity" else Passphrase(VECTORS["passphrase"])
    data = opened(base64.b64decode(each["age"]), by)
    assert (len(data), hashlib.sha256(data).hexdigest()) == (each["size"], each["sha256"])


def test_keys_are_written_as_rage_writes_them() -> None:
    identity = Identity.parse(VECTORS["identity"])
    assert str(identity) == VECTORS["identity"]
    assert str(identity.recipient) == VECTORS["recipient"]
    assert Recipient.parse(VECTORS["recipient"]) == identity.recipient


@pytest.mark.parametrize("size", SIZES)
def test_what_is_written_opens_again(size: int) -> None:
    identity, data = Identity.new(), os.urandom(size)
    file = encrypted(data, identity.recipient)
    assert opened(file, identity) == data
    with pytest.raises(CannotDecrypt, match="does not open with this identity"):
        opened(file, Identity.new())


def test_a_passphrase_opens_and_another_does_not() -> None:
    file = encrypted(b"hello", Passphrase("correct horse battery"))
    assert opened(file, Passphrase("correct horse battery")) == b"hello"
    with pytest.raises(CannotDecrypt, match="does not open with this passphrase"):
        opened(file, Passphrase("correct horse batterY"))


def test_no_file_makes_us_work_for_an_hour() -> None:
    file = encrypted(b"hello", Passphrase("correct horse battery")).replace(b" 18\n", b" 40\n", 1)
    with pytest.raises(CannotDecrypt, match="rounds of scrypt"):
        opened(file, Passphrase("correct horse battery"))


@given(place=st.integers(0, 10**9), flip=st.integers(1, 255))
def test_a_changed_byte_anywhere_is_met(place: int, flip: int) -> None:
    identity = Identity.new()
    file = bytearray(encrypted(b"x" * (CHUNK + 100), identity.recipient))
    file[place % len(file)] ^= flip
    with pytest.raises(CannotDecrypt):
        opened(bytes(file), identity)


@given(size=st.integers(0, 10**9))
def test_a_file_that_was_cut_off_anywhere_does_not_end_well(size: int) -> None:
    identity = Identity.new()
    file = encrypted(b"x" * (2 * CHUNK + 100), identity.recipient)
    with pytest.raises(CannotDecrypt):
        opened(file[: size % len(file)], identity)


def test_a_file_that_goes_on_after_its_end_does_not_open() -> None:
    identity = Identity.new()
    with pytest.raises(CannotDecrypt):
        opened(encrypted(b"x", identity.recipient) + b"more", identity)


@pytest.mark.parametrize("text", ["", "age1", "age1qqqq", VECTORS["recipient"][:-1] + "q", VECTORS["identity"], "ä"])
def test_no_other_text_is_a_public_key(text: str) -> None:
    with pytest.raises(ValueError, match="key"):
        Recipient.parse(text)
