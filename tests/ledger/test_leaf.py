"""A leaf of the instance's log pins one vault's chain, and names nobody."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.ledger.format.leaf import Leaf, tag_of
from apps.ledger.format.strict import Malformed
from tests.ledger.material import BYTES, SIZES_REFUSED

KEY = bytes(range(32))
VAULT = "00000000-0000-4000-8000-000000000001"
# echo -n 00000000-0000-4000-8000-000000000001 | openssl dgst -sha256 -mac HMAC -macopt hexkey:000102…1f
TAG = "58e7008dc86da549f214a5051a7632898205e0a3f3a45c233350710d0851d88d"
ENTRY = f"muniment-leaf/1\n{TAG}\n7\n{'ab' * 32}\n".encode()


def test_a_leaf_has_fixed_bytes() -> None:
    leaf = Leaf(tag_of(KEY, VAULT), 7, b"\xab" * 32)
    assert leaf.to_bytes() == ENTRY
    assert Leaf.parse(ENTRY) == leaf


@given(st.binary(min_size=32, max_size=32), st.integers(1, 2**53 - 1), st.binary(min_size=32, max_size=32))
def test_a_leaf_reads_back(tag: bytes, seq: int, chain_hash: bytes) -> None:
    assert Leaf.parse(Leaf(tag, seq, chain_hash).to_bytes()) == Leaf(tag, seq, chain_hash)


def test_another_vault_or_key_has_another_tag() -> None:
    assert len({tag_of(KEY, VAULT), tag_of(KEY, VAULT.replace("1", "2")), tag_of(KEY[::-1], VAULT)}) == 3


@pytest.mark.parametrize(
    "vault",
    ["", "vlt_00000000000040008000000000000001", VAULT.replace("-", ""), VAULT.upper().replace("1", "A"), VAULT + "\n"],
)
def test_a_vault_has_one_spelling(vault: str) -> None:
    with pytest.raises(Malformed):
        tag_of(KEY, vault)


@pytest.mark.parametrize("key", [b"", b"k" * 31])
def test_a_short_key_is_refused(key: bytes) -> None:
    with pytest.raises(Malformed):
        tag_of(key, VAULT)


@pytest.mark.parametrize(
    "entry",
    [
        b"", b"\n", ENTRY[:-1], ENTRY + b"\n", ENTRY + b"more\n", ENTRY.replace(b"/1", b"/2"), b" " + ENTRY,
        ENTRY.replace(b"\n", b"\r\n"), ENTRY.replace(b"ab", b"AB"), ENTRY.replace(b"ab" * 32, b"ab" * 31),
        ENTRY.replace(b"ab" * 32, b"ab" * 33), ENTRY.replace(b"ab" * 32, b"\xef\xbc\x91" * 32), ENTRY + b"\xff",
    ],
)  # fmt: skip
def test_anything_else_is_no_leaf(entry: bytes) -> None:
    with pytest.raises(Malformed):
        Leaf.parse(entry)


@pytest.mark.parametrize("seq", [*SIZES_REFUSED, "0", str(2**53)])
def test_a_seq_has_one_spelling_and_begins_at_one(seq: str) -> None:
    with pytest.raises(Malformed):
        Leaf.parse(ENTRY.replace(b"\n7\n", f"\n{seq}\n".encode()))


@pytest.mark.parametrize(
    "parts", [(b"t", 1, b"c" * 32), (b"t" * 32, 1, b""), (b"t" * 32, 0, b"c" * 32), (b"t" * 32, True, b"c" * 32)]
)
def test_what_would_not_read_back_is_not_made(parts: tuple[bytes, int, bytes]) -> None:
    with pytest.raises(Malformed):
        Leaf(*parts)


@given(BYTES)
def test_hostile_leaves_raise_nothing_else(data: bytes) -> None:
    for tried in (data, ENTRY + data, b"muniment-leaf/1\n" + data):
        with suppress(Malformed):
            assert Leaf.parse(tried).to_bytes() == tried
