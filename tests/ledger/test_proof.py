"""A proof file is that of C2SP tlog-proof, and is good for its own entry, place, log and quorum alone."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.ledger.format.checkpoint import Checkpoint
from apps.ledger.format.leaf import Leaf
from apps.ledger.format.merkle import inclusion_proof, leaf_hashes
from apps.ledger.format.note import Note
from apps.ledger.format.policy import Policy
from apps.ledger.format.proof import Proof
from apps.ledger.format.strict import Malformed, Unproven, inbase64
from apps.ledger.format.tiles import ENTRIES, Edge, Tile, TileNodes, decode_bundle
from tests.ledger.material import (
    BASE64_REFUSED,
    BYTES,
    LOG,
    SIZES_REFUSED,
    WITNESS,
    flipped,
    tessera_checkpoints,
    tessera_file,
    vectors_of_tessera,
)

ENTRY = [Leaf(bytes([at]) * 32, at + 1, bytes([at]) * 32).to_bytes() for at in range(11)]
EDGE, FILES = Edge().integrate(leaf_hashes(ENTRY))
TREE = Checkpoint(LOG.name, EDGE.size, EDGE.root())
SIGNED = Note(TREE.text, (LOG.sign(TREE.text.encode()), WITNESS.sign(TREE.text.encode(), 1_700_000_000))).to_bytes()
POLICY = Policy.parse(f"log {LOG.verifier}\nwitness w {WITNESS.verifier}\nquorum w\n".encode())


def proof(index: int) -> Proof:
    return Proof(index, tuple(inclusion_proof(TileNodes(TREE.size, FILES.__getitem__), index, TREE.size)), SIGNED)


@pytest.mark.parametrize("index", range(11))
def test_an_entry_is_proven_by_its_own_proof_alone(index: int) -> None:
    made = Proof.parse(proof(index).to_bytes())
    found = made.check(ENTRY[index], POLICY)
    assert (found.checkpoint, found.witnesses) == (TREE, {"w": 1_700_000_000})
    for other in {*range(11)} - {index}:
        with pytest.raises(Unproven):
            made.check(ENTRY[other], POLICY)
        with pytest.raises(Unproven):
            replace(proof(index), index=other).check(ENTRY[index], POLICY)


def test_the_bytes_are_those_of_the_standard() -> None:
    made = replace(proof(10), extra=b"\x00more")
    lines = made.to_bytes().decode().split("\n")
    assert lines[:3] == ["c2sp.org/tlog-proof@v1", f"extra {inbase64(made.extra)}", "index 10"]
    assert lines[3 : lines.index("")] == [inbase64(each) for each in made.hashes]
    assert made.to_bytes().endswith(b"\n\n" + SIGNED)
    assert Proof.parse(made.to_bytes()) == made


def test_a_tree_of_one_has_a_proof_without_hashes() -> None:
    entries = leaf_hashes(ENTRY[:1])
    tree = Checkpoint(LOG.name, 1, entries[0])
    made = Proof(0, (), Note(tree.text, (LOG.sign(tree.text.encode()),)).to_bytes())
    assert made.to_bytes().decode().startswith(f"c2sp.org/tlog-proof@v1\nindex 0\n\n{LOG.name}\n1\n")
    without = Policy.parse(f"log {LOG.verifier}\nquorum none\n".encode())
    assert Proof.parse(made.to_bytes()).check(ENTRY[0], without).witnesses == {}
    with pytest.raises(Unproven):
        made.check(ENTRY[0], POLICY)


def test_every_entry_of_tesseras_log_has_a_proof_that_holds() -> None:
    policy = Policy.parse(f"log {vectors_of_tessera()['vkey']}\nquorum none\n".encode())
    entries = decode_bundle(tessera_file(Tile(ENTRIES, 0, 15)), 15)
    for size, signed in enumerate(tessera_checkpoints()):
        for index in range(size):
            hashes = inclusion_proof(TileNodes(size, tessera_file), index, size)
            made = Proof.parse(Proof(index, tuple(hashes), signed).to_bytes())
            assert made.check(entries[index], policy).checkpoint.size == size


def test_the_checkpoint_is_believed_only_as_the_policy_says() -> None:
    for policy in (
        "quorum none\n",
        f"log {vectors_of_tessera()['vkey']}\nquorum none\n",
        f"log {LOG.verifier}\nwitness w {WITNESS.verifier.__class__('w', 4, b'k' * 32)}\nquorum w\n",
    ):
        with pytest.raises(Unproven):
            proof(3).check(ENTRY[3], Policy.parse(policy.encode()))
    assert proof(3).check(ENTRY[3], Policy.parse(b"quorum none\n"), [LOG.verifier]).logs == (LOG.verifier,)


HASH = inbase64(b"h" * 32)


@pytest.mark.parametrize(
    "text",
    [
        "", "\n\n", "c2sp.org/tlog-proof@v1", "c2sp.org/tlog-proof@v1\n", "c2sp.org/tlog-proof@v1\nindex 0\n",
        "c2sp.org/tlog-proof@v1\nindex 0\n\n", "c2sp.org/tlog-proof@v2\nindex 0\n\ncheckpoint\n",
        "wrong-header\nindex 0\n\ncheckpoint\n", " c2sp.org/tlog-proof@v1\nindex 0\n\ncheckpoint\n",
        "c2sp.org/tlog-proof@v1\r\nindex 0\r\n\r\ncheckpoint\n", "c2sp.org/tlog-proof@v1\n\n\ncheckpoint\n",
        "c2sp.org/tlog-proof@v1\nextra \nindex 0\n\ncheckpoint\n", "c2sp.org/tlog-proof@v1\nextra\nindex 0\n\nc\n",
        "c2sp.org/tlog-proof@v1\nindex 0\nextra AA==\n\ncheckpoint\n", "c2sp.org/tlog-proof@v1\nindex\n\ncheckpoint\n",
        "c2sp.org/tlog-proof@v1\nextra AA==\nextra AA==\nindex 0\n\nc\n", "c2sp.org/tlog-proof@v1\nindex 0 \n\nc\n",
        f"c2sp.org/tlog-proof@v1\nindex 0\n{HASH}x\n\ncheckpoint\n", f"c2sp.org/tlog-proof@v1\nindex 0\n {HASH}\n\nc\n",
        f"c2sp.org/tlog-proof@v1\nindex 0\n{inbase64(b'h' * 64)}\n\nc\n",
        f"c2sp.org/tlog-proof@v1\n{HASH}\nindex 0\n\nc\n",
        "c2sp.org/tlog-proof@v1\nindex 0\n" + f"{HASH}\n" * 64 + "\ncheckpoint\n", "x" * 2_000_001,
        f"c2sp.org/tlog-proof@v1\nindex {2**63 - 1}\n\nc\n",
    ],
)  # fmt: skip
def test_anything_else_is_no_proof(text: str) -> None:
    with pytest.raises(Malformed):
        Proof.parse(text.encode())


@pytest.mark.parametrize("index", SIZES_REFUSED)
def test_an_index_has_one_spelling(index: str) -> None:
    with pytest.raises(Malformed):
        Proof.parse(f"c2sp.org/tlog-proof@v1\nindex {index}\n\nc\n".encode())


@pytest.mark.parametrize("written", BASE64_REFUSED)
def test_base64_has_one_spelling(written: str) -> None:
    for head in (f"extra {written}\nindex 0", f"index 0\n{written}"):
        with pytest.raises(Malformed):
            Proof.parse(f"c2sp.org/tlog-proof@v1\n{head}\n\nc\n".encode() if written else b"")


@pytest.mark.parametrize(
    "changes",
    [{"index": -1}, {"index": 2**63 - 1}, {"hashes": (b"h",)}, {"hashes": (b"h" * 32,) * 64}, {"checkpoint": b""}],
)
def test_what_would_not_read_back_is_not_written(changes: dict[str, object]) -> None:
    with pytest.raises(Malformed):
        replace(proof(3), **changes).to_bytes()


@given(BYTES)
def test_hostile_proofs_raise_nothing_else(data: bytes) -> None:
    for tried in (
        data,
        proof(3).to_bytes() + data,
        b"c2sp.org/tlog-proof@v1\nindex 0\n" + data,
        b"c2sp.org/tlog-proof@v1\n\n" + data,
    ):
        with suppress(Malformed, Unproven):
            assert Proof.parse(tried).to_bytes() == tried
            Proof.parse(tried).check(ENTRY[3], POLICY)


@given(st.integers(0))
def test_a_proof_with_a_bit_changed_does_not_hold(bit: int) -> None:
    whole = proof(3).to_bytes()
    with pytest.raises((Malformed, Unproven)):
        Proof.parse(flipped(whole, bit)).check(ENTRY[3], POLICY)
