"""Roots and proofs are those of RFC 6962 and RFC 9162, and nothing but the true proof of the true leaf is accepted."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.ledger.format.merkle import (
    EMPTY_ROOT,
    Compact,
    check_consistency,
    check_inclusion,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    leaf_hashes,
    node_hash,
    pair_up,
    root_from,
    root_of,
    whole_nodes,
)
from apps.ledger.format.strict import Unproven
from tests.ledger.material import flipped, naive_path, naive_proof, naive_root

# The entries and roots of the reference tree of Certificate Transparency's implementations.
ENTRIES = list(
    map(
        bytes.fromhex,
        ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"],
    )
)
ROOTS = """
e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d
fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125
aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77
d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7
4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4
76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef
ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c
5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328
""".split()

LARGEST = 300
NUMBERED = [b"%d" % at for at in range(LARGEST)]
HASHES = leaf_hashes(NUMBERED)


class Rows:
    """Every node of a tree, from its leaf hashes."""

    def __init__(self, hashes: list[bytes]) -> None:
        self.rows = [hashes]
        while len(self.rows[-1]) > 1:
            self.rows.append(pair_up(self.rows[-1][: len(self.rows[-1]) & ~1]))

    def __call__(self, level: int, index: int) -> bytes:
        return self.rows[level][index]


NODES = Rows(HASHES)
NAIVE_ROOTS = [naive_root(NUMBERED[:size]) for size in range(LARGEST + 1)]


@pytest.mark.parametrize("size", range(9))
def test_the_reference_roots(size: int) -> None:
    assert root_of(leaf_hashes(ENTRIES[:size])).hex() == ROOTS[size]


def test_the_reference_proofs() -> None:
    nodes = Rows(leaf_hashes(ENTRIES))
    said = [each.hex()[:16] for each in consistency_proof(nodes, 6, 8)]
    assert said == ["0ebc5d3437fbe2db", "ca854ea128ed050b", "d37ee418976dd957"]
    said = [each.hex()[:16] for each in inclusion_proof(nodes, 5, 8)]
    assert said == ["bc1a0643b12e4d2d", "ca854ea128ed050b", "d37ee418976dd957"]


def test_every_size_has_the_root_of_a_naive_tree_however_it_grew() -> None:
    one_by_one = Compact()
    for size in range(LARGEST + 1):
        assert one_by_one.root() == NAIVE_ROOTS[size] == root_from(NODES, size)
        assert one_by_one == Compact().extend(HASHES[:size])
        if size < LARGEST:
            one_by_one = one_by_one.extend(HASHES[size : size + 1])


@given(st.lists(st.integers(0, 70), max_size=8))
def test_it_grows_in_any_steps(steps: list[int]) -> None:
    tree = Compact()
    for step in steps:
        tree = tree.extend(HASHES[:step])
    together = [each for step in steps for each in HASHES[:step]]
    assert tree == Compact().extend(together) and tree.root() == root_of(together)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 32, 33, 100])
def test_proofs_are_those_of_the_definition(size: int) -> None:
    for at in range(size):
        assert inclusion_proof(NODES, at, size) == naive_path(at, NUMBERED[:size])
        if at:
            assert consistency_proof(NODES, at, size) == naive_proof(at, NUMBERED[:size])


def test_every_leaf_of_every_size_is_included() -> None:
    for size in range(1, LARGEST + 1):
        for index in {*range(0, size, max(1, size // 40)), size - 1, size & -size, 1 << size.bit_length() - 1} - {size}:
            proof = inclusion_proof(NODES, index, size)
            check_inclusion(HASHES[index], index, size, proof, NAIVE_ROOTS[size])


def test_every_size_follows_every_smaller_one() -> None:
    for new in range(1, LARGEST + 1):
        for old in {*range(0, new, max(1, new // 40)), new - 1, new, 1 << new.bit_length() - 1}:
            proof = consistency_proof(NODES, old, new)
            check_consistency(old, NAIVE_ROOTS[old], new, NAIVE_ROOTS[new], proof)


@pytest.mark.parametrize("size", range(1, 18))
def test_a_proof_is_good_for_its_own_leaf_place_and_size_alone(size: int) -> None:
    for index in range(size):
        proof = inclusion_proof(NODES, index, size)
        for place in range(-1, size + 1):
            for leaf in {place, index} & set(range(size)):
                if (place, leaf) != (index, index):
                    with pytest.raises(Unproven):
                        check_inclusion(HASHES[leaf], place, size, proof, NAIVE_ROOTS[size])
        for other in {*range(size + 3)} - {size}:
            with pytest.raises(Unproven):
                check_inclusion(HASHES[index], index, other, proof, NAIVE_ROOTS[other])


@pytest.mark.parametrize("new", range(1, 18))
def test_a_consistency_proof_is_good_for_its_own_two_trees_alone(new: int) -> None:
    for old in range(1, new):
        proof = consistency_proof(NODES, old, new)
        for before in range(new + 2):
            for after in range(new + 3):
                if (before, after) != (old, new):
                    with pytest.raises(Unproven):
                        check_consistency(before, NAIVE_ROOTS[before], after, NAIVE_ROOTS[after], proof)
        with pytest.raises(Unproven):
            check_consistency(old, NAIVE_ROOTS[new], new, NAIVE_ROOTS[old], proof)


def test_a_taller_trees_leaf_is_none_of_a_smaller_tree() -> None:
    with pytest.raises(Unproven, match="longer than the tree"):
        check_inclusion(HASHES[7], 3, 4, inclusion_proof(NODES, 7, 8), NAIVE_ROOTS[8])


def test_a_root_alone_does_not_say_how_large_its_tree_is() -> None:
    """A limit of RFC 6962, shown: this is why a size is only ever taken from the checkpoint its root stands in."""
    proof = consistency_proof(NODES, 1, 3)
    check_consistency(1, NAIVE_ROOTS[1], 4, NAIVE_ROOTS[3], proof)


def mangled(proof: list[bytes], *roots: bytes) -> list[list[bytes]]:
    """The ways in which others' test data spoils a proof."""
    found = [proof[:-1], proof[1:], [*proof, b""], [*proof, b"\x00" * 32], [b"\x00" * 32, *proof], [*proof, proof[-1]]]
    found += [[*proof, root] for root in roots] + [[root, *proof] for root in roots]
    found += [[*proof[:at], flipped(each, 4), *proof[at + 1 :]] for at, each in enumerate(proof)]
    found += [[*proof[:at], each + b"\x00", *proof[at + 1 :]] for at, each in enumerate(proof)]
    for at, (one, other) in enumerate(pairwise(proof)):
        found.append([*proof[:at], other, one, *proof[at + 2 :]])
    return found


@given(st.integers(2, LARGEST), st.randoms(use_true_random=False))
def test_a_spoilt_proof_is_refused(size: int, chance: random.Random) -> None:
    index = chance.randrange(size)
    root = NAIVE_ROOTS[size]
    for proof in mangled(inclusion_proof(NODES, index, size), root, HASHES[index]):
        with pytest.raises(Unproven):
            check_inclusion(HASHES[index], index, size, proof, root)
    old = chance.randrange(1, size)
    for proof in mangled(consistency_proof(NODES, old, size), root, NAIVE_ROOTS[old]):
        with pytest.raises(Unproven):
            check_consistency(old, NAIVE_ROOTS[old], size, root, proof)
    with pytest.raises(Unproven):
        check_consistency(old, flipped(NAIVE_ROOTS[old], 4), size, root, consistency_proof(NODES, old, size))
    with pytest.raises(Unproven):
        check_consistency(old, NAIVE_ROOTS[old], size, flipped(root, 4), consistency_proof(NODES, old, size))


def test_the_edges_of_consistency() -> None:
    check_consistency(0, EMPTY_ROOT, 0, EMPTY_ROOT, [])
    check_consistency(0, EMPTY_ROOT, 5, NAIVE_ROOTS[5], [])
    check_consistency(5, NAIVE_ROOTS[5], 5, NAIVE_ROOTS[5], [])
    for old, old_root, new, new_root, proof in [
        (0, EMPTY_ROOT, 5, NAIVE_ROOTS[5], [EMPTY_ROOT]),
        (0, NAIVE_ROOTS[1], 5, NAIVE_ROOTS[5], []),
        (0, EMPTY_ROOT, 0, NAIVE_ROOTS[1], []),
        (5, NAIVE_ROOTS[5], 5, NAIVE_ROOTS[6], []),
        (5, NAIVE_ROOTS[5], 5, NAIVE_ROOTS[5], [NAIVE_ROOTS[5]]),
        (6, NAIVE_ROOTS[6], 5, NAIVE_ROOTS[5], []),
        (-1, EMPTY_ROOT, 5, NAIVE_ROOTS[5], []),
        (1, NAIVE_ROOTS[1], 2**63, NAIVE_ROOTS[5], [NAIVE_ROOTS[5]] * 63),
        (1, NAIVE_ROOTS[1], 5, NAIVE_ROOTS[5], [NAIVE_ROOTS[5]] * 64),
    ]:
        with pytest.raises(Unproven):
            check_consistency(old, old_root, new, new_root, proof)


@given(st.integers(-5, 2**64), st.integers(-5, 2**64), st.lists(st.binary(min_size=32, max_size=32), max_size=5))
def test_nonsense_is_refused_and_nothing_else_happens(one: int, other: int, proof: list[bytes]) -> None:
    with pytest.raises(Unproven):
        check_inclusion(b"\x01" * 32, one, other, proof, b"\x02" * 32)
    with pytest.raises(Unproven):
        check_consistency(one, b"\x01" * 32, other, b"\x02" * 32, proof)


def test_there_is_no_proof_of_what_is_not_there() -> None:
    for index, size in [(0, 0), (3, 3), (-1, 3), (0, 2**63)]:
        with pytest.raises(ValueError, match="no leaf"):
            inclusion_proof(NODES, index, size)
    for old, new in [(4, 3), (-1, 3), (1, 2**63)]:
        with pytest.raises(ValueError, match="does not follow"):
            consistency_proof(NODES, old, new)


def test_a_leaf_is_never_a_node() -> None:
    left, right = HASHES[:2]
    assert leaf_hash(left + right) != node_hash(left, right)


@given(st.integers(0, 2**63 - 1), st.integers(0, 2**63 - 1))
def test_whole_nodes_cover_a_range_once(one: int, other: int) -> None:
    at, end = min(one, other), max(one, other)
    for level, index in whole_nodes(at, end):
        assert index << level == at
        at += 1 << level
    assert at == end
