"""The tree that every leaf hangs in: RFC 6962 §2.1, RFC 9162 §2.1. SHA-256 throughout.

A node is named by its level and its index: `(level, index)` covers the leaves from `index << level` up to, not
including, `(index + 1) << level`. A `Nodes` function gives the hash of such a whole node, from wherever it is kept.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from .strict import HASH_BYTES, MOST, Unproven

EMPTY_ROOT = hashlib.sha256(b"").digest()
LONGEST_PROOF = 63  # hashes: a tree has at most 2^63 - 1 leaves

Nodes = Callable[[int, int], bytes]


def leaf_hash(entry: bytes) -> bytes:
    """SHA-256(0x00 ‖ entry): RFC 6962 §2.1."""
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """SHA-256(0x01 ‖ left ‖ right): RFC 6962 §2.1."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def leaf_hashes(entries: Iterable[bytes]) -> list[bytes]:
    """`leaf_hash` of each, in a tight loop."""
    sha256 = hashlib.sha256
    return [sha256(b"\x00" + entry).digest() for entry in entries]


def pair_up(hashes: Sequence[bytes]) -> list[bytes]:
    """The level above an even number of siblings, in a tight loop."""
    sha256 = hashlib.sha256
    return [sha256(b"\x01" + left + right).digest() for left, right in zip(hashes[::2], hashes[1::2], strict=True)]


@dataclass(frozen=True, slots=True)
class Compact:
    """A tree that only grows: its size and the roots of its whole subtrees, largest (leftmost) first.

    Enough to append leaves and to know the root; 63 hashes at most, whatever the size.
    """

    size: int = 0
    peaks: tuple[bytes, ...] = ()

    def extend(self, hashes: Sequence[bytes]) -> "Compact":
        """The tree with these leaf hashes appended."""
        peaks, row, level = list(self.peaks), list(hashes), 0
        kept: list[bytes] = []
        while peaks or row:
            if self.size >> level & 1:
                row.insert(0, peaks.pop())
            if len(row) % 2:
                kept.append(row.pop())
            row = pair_up(row)
            level += 1
        return Compact(self.size + len(hashes), tuple(reversed(kept)))

    def root(self) -> bytes:
        """The root hash; SHA-256 of nothing for an empty tree."""
        return _fold(self.peaks) if self.peaks else EMPTY_ROOT


def root_of(hashes: Sequence[bytes]) -> bytes:
    """MTH of these leaf hashes: RFC 6962 §2.1."""
    return Compact().extend(hashes).root()


def whole_nodes(start: int, end: int) -> list[tuple[int, int]]:
    """The (level, index) of the fewest whole nodes that cover the leaves from start to end, left to right."""
    found: list[tuple[int, int]] = []
    while start < end:
        level = (end - start).bit_length() - 1
        if start:
            level = min(level, (start & -start).bit_length() - 1)
        found.append((level, start >> level))
        start += 1 << level
    return found


def root_from(nodes: Nodes, size: int) -> bytes:
    """The root of the tree of this size, from its nodes."""
    return _range_root(nodes, 0, size) if size else EMPTY_ROOT


def inclusion_proof(nodes: Nodes, index: int, size: int) -> list[bytes]:
    """PATH(index, D[size]), leaf's sibling first: RFC 6962 §2.1.1. Raises ValueError unless 0 <= index < size."""
    if not 0 <= index < size <= MOST:
        raise ValueError(f"there is no leaf {index} in a tree of {size}")
    start, end = 0, size
    beside: list[tuple[int, int]] = []
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            beside.append((middle, end))
            end = middle
        else:
            beside.append((start, middle))
            start = middle
    return [_range_root(nodes, *leaves) for leaves in reversed(beside)]


def consistency_proof(nodes: Nodes, old: int, new: int) -> list[bytes]:
    """PROOF(old, D[new]): RFC 6962 §2.1.2; empty for old = 0 and old = new. Raises ValueError unless old <= new."""
    if not 0 <= old <= new <= MOST:
        raise ValueError(f"a tree of {new} does not follow one of {old}")
    if old == 0:
        return []
    start, end = 0, new
    beside: list[tuple[int, int]] = []
    while end != old:
        middle = start + _split(end - start)
        if old <= middle:
            beside.append((middle, end))
            end = middle
        else:
            beside.append((start, middle))
            start = middle
    if start:  # the old tree is not itself a node of the new one: say which node it ends with
        beside.append((start, end))
    return [_range_root(nodes, *leaves) for leaves in reversed(beside)]


def check_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> None:
    """Is the leaf hash at `index` of the tree with this size and root: RFC 9162 §2.1.3.2. Raises Unproven."""
    if not 0 <= index < size <= MOST:
        raise Unproven(f"there is no leaf {index} in a tree of {size}")
    node, last, made = index, size - 1, leaf
    for beside in _hashes(proof):
        if last == 0:
            raise Unproven("the inclusion proof is longer than the tree is high")
        if node & 1 or node == last:
            made = node_hash(beside, made)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            made = node_hash(made, beside)
        node, last = node >> 1, last >> 1
    if last:
        raise Unproven("the inclusion proof is shorter than the tree is high")
    if made != root:
        raise Unproven("the inclusion proof leads to another root")


def check_consistency(old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]) -> None:
    """Is the tree (new, new_root) the tree (old, old_root) with leaves appended: RFC 9162 §2.1.4.2. Raises Unproven.

    A tree without leaves is a prefix of every tree: for old = 0 the proof is empty and the new root is not looked at.
    A root does not say how many leaves it has: take each size and root from one signed checkpoint.
    """
    path = _hashes(proof)
    if not 0 <= old <= new <= MOST:
        raise Unproven(f"a tree of {new} does not follow one of {old}")
    if old in (0, new):
        if path:
            raise Unproven("a consistency proof from nothing, or to the same size, is empty")
        if old == 0 and old_root != EMPTY_ROOT:
            raise Unproven("a tree without leaves has another root")
        if old == new and old_root != new_root:
            raise Unproven("two trees of one size have different roots")
        return
    if old & (old - 1) == 0:  # a whole subtree: its root is the path's first node, and is not sent
        path = [old_root, *path]
    before, after = roots_between(old, new, path)
    if before != old_root:
        raise Unproven("the consistency proof does not lead to the old root")
    if after != new_root:
        raise Unproven("the consistency proof does not lead to the new root")


def roots_between(old: int, new: int, path: Sequence[bytes]) -> tuple[bytes, bytes]:
    """The two roots that a path joins, for 0 < old < new: RFC 9162 §2.1.4.2, steps 2 to 6. Raises Unproven.

    The path is the proof, with the old root before it where `old` is a power of two.
    """
    if not path:
        raise Unproven("the consistency proof is empty")
    node, last = old - 1, new - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    before = after = path[0]
    for beside in path[1:]:
        if last == 0:
            raise Unproven("the consistency proof is longer than the tree is high")
        if node & 1 or node == last:
            before, after = node_hash(beside, before), node_hash(beside, after)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            after = node_hash(after, beside)
        node, last = node >> 1, last >> 1
    if last:
        raise Unproven("the consistency proof is shorter than the tree is high")
    return before, after


def _split(count: int) -> int:
    """The largest power of two below a count of at least 2."""
    return 1 << (count - 1).bit_length() - 1


def _range_root(nodes: Nodes, start: int, end: int) -> bytes:
    """The root over some leaves that begin where a node does: RFC 6962's MTH(D[start:end])."""
    return _fold([nodes(level, index) for level, index in whole_nodes(start, end)])


def _fold(peaks: Sequence[bytes]) -> bytes:
    """One root over whole subtrees, largest first, not none."""
    made = peaks[-1]
    for peak in reversed(peaks[:-1]):
        made = node_hash(peak, made)
    return made


def _hashes(proof: Sequence[bytes]) -> list[bytes]:
    if len(proof) > LONGEST_PROOF or any(len(each) != HASH_BYTES for each in proof):
        raise Unproven(f"a proof is at most {LONGEST_PROOF} hashes of {HASH_BYTES} bytes")
    return list(proof)
