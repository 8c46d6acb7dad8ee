"""A log's files are those of C2SP tlog-tiles: ours have their names and bytes, and Tessera's are read completely."""

import hashlib
from contextlib import suppress
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.ledger.format.checkpoint import parse_signed
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.leaf import Leaf
from apps.ledger.format.merkle import (
    Compact,
    check_consistency,
    check_inclusion,
    consistency_proof,
    inclusion_proof,
    leaf_hashes,
    root_from,
    root_of,
)
from apps.ledger.format.strict import Malformed
from apps.ledger.format.tiles import (
    ENTRIES,
    WIDTH,
    Edge,
    Tile,
    TileNodes,
    decode_bundle,
    encode_bundle,
    split_tile,
    tiles_of,
)
from tests.ledger.material import BYTES, TEXT, tessera_checkpoints, tessera_file, vectors_of_tessera

HASHES = leaf_hashes(b"%d" % at for at in range(70_000))


def test_a_path_is_that_of_the_standard() -> None:
    assert Tile(0, 1_234_067, 256).path == "tile/0/x001/x234/067"
    assert Tile(ENTRIES, 0, 5).path == "tile/entries/000.p/5"
    assert Tile(1, 273, 112).path == "tile/1/273.p/112"
    assert Tile(2, 1000, 256).path == "tile/2/x001/000"


@given(st.integers(-1, 63), st.integers(0, (2**63 - 1) // 256), st.integers(1, 256))
def test_a_path_reads_back(level: int, number: int, width: int) -> None:
    assert Tile.parse(Tile(level, number, width).path) == (level, number, width)


@pytest.mark.parametrize(
    "path",
    [
        "", "tile", "tile/0", "tile/0/", "/tile/0/000", "tile/0/000/", "tile/0/000\n", "tile/00/000", "tile/64/000",
        "tile/-1/000", "tile/0/0", "tile/0/00", "tile/0/0000", "tile/0/x000/000", "tile/0/001/000", "tile/0/x001",
        "tile/0/000.p/0", "tile/0/000.p/256", "tile/0/000.p/01", "tile/0/000.p/", "tile/0/000.p/1/", "tile/0/٠٠٠",
        "tile/0/" + "x999/" * 7 + "999", "tile/0/" + "x999/" * 2000 + "999", "tile/data/000", "tile/entries/../000",
    ],
)  # fmt: skip
def test_any_other_path_is_refused(path: str) -> None:
    with pytest.raises(Malformed):
        Tile.parse(path)


@given(TEXT)
def test_hostile_paths_raise_nothing_else(text: str) -> None:
    with pytest.raises(Malformed):
        Tile.parse("tile/" + text)


def test_the_sizes_of_the_standard() -> None:
    tiles = tiles_of(70_000)
    assert [sum(tile.level == level and tile.width == WIDTH for tile in tiles) for level in range(3)] == [273, 1, 0]
    assert [tile for tile in tiles if tile.width < WIDTH] == [(0, 273, 112), (1, 1, 17), (2, 0, 1)]
    assert tiles_of(256) == [(0, 0, 256), (1, 0, 1)]
    assert tiles_of(0) == [] and tiles_of(700, 700) == []
    assert tiles_of(257, 256) == [(0, 1, 1)]


def grow(sizes: list[int]) -> tuple[Edge, dict[Tile, bytes], list[set[Tile]]]:
    """A log written in steps: its edge, its files, and which files each step wrote."""
    edge, files, steps = Edge(), {}, []
    for size in sizes:
        edge, written = edge.integrate(HASHES[edge.size : size])
        files |= written
        steps.append(set(written))
    return edge, files, steps


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 3000), min_size=1, max_size=5).map(sorted), st.data())
def test_a_log_in_tiles_is_the_tree(sizes: list[int], data: st.DataObject) -> None:
    edge, files, steps = grow(sizes)
    for old, new, written in zip([0, *sizes], sizes, steps, strict=False):
        assert written == set(tiles_of(new, old))
    size = sizes[-1]
    root = root_of(HASHES[:size])
    assert edge.size == size and edge.root() == root
    assert Edge.read(size, files.__getitem__) == edge
    for at in {0, *sizes}:  # every size a checkpoint was made for, not the last alone
        assert Edge.read(at, files.__getitem__).root() == root_of(HASHES[:at])
        assert root_from(TileNodes(at, files.__getitem__), at) == root_of(HASHES[:at])
    nodes = TileNodes(size, files.__getitem__)
    for _ in range(5 if size else 0):
        index, old = data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, size))
        check_inclusion(HASHES[index], index, size, inclusion_proof(nodes, index, size), root)
        check_consistency(old, root_of(HASHES[:old]), size, root, consistency_proof(nodes, old, size))


def test_a_large_log_is_read_by_few_tiles() -> None:
    edge, files, _ = grow([70_000])
    assert edge.root() == root_of(HASHES) == Compact().extend(HASHES).root()
    assert set(files) == set(tiles_of(70_000))
    read: list[Tile] = []

    def fetch(tile: Tile) -> bytes:
        read.append(tile)
        return files[tile]

    proof = inclusion_proof(TileNodes(70_000, fetch), 12_345, 70_000)
    check_inclusion(HASHES[12_345], 12_345, 70_000, proof, edge.root())
    assert len(read) == len(set(read)) <= 5
    nodes = TileNodes(70_000, files.__getitem__)
    for old in (1, 255, 256, 257, 65_535, 65_536, 65_537, 69_999):
        check_consistency(old, root_of(HASHES[:old]), 70_000, edge.root(), consistency_proof(nodes, old, 70_000))


def test_a_whole_tile_serves_where_a_partial_one_is_gone() -> None:
    _, files, _ = grow([300, 512])
    nodes = TileNodes(300, lambda tile: files.get(tile._replace(width=WIDTH)) or files[tile])
    assert root_from(nodes, 300) == root_of(HASHES[:300])


def test_a_wrong_tile_leads_to_no_proof() -> None:
    _, files, _ = grow([300])
    assert root_from(TileNodes(300, lambda tile: files[tile][::-1]), 300) != root_of(HASHES[:300])
    for wrong in (b"", files[Tile(0, 1, 44)][:-1], files[Tile(0, 1, 44)][:-32], b"\x00" * 32 * 257):
        with pytest.raises(Malformed):
            TileNodes(300, lambda tile, wrong=wrong: wrong)(0, 260)  # type: ignore[misc]


def test_there_is_no_node_outside_the_tree() -> None:
    nodes = TileNodes(300, grow([300])[1].__getitem__)
    for level, index in [(0, 300), (0, -1), (-1, 0), (9, 0), (8, 1)]:
        with pytest.raises(ValueError, match="no whole node"):
            nodes(level, index)


# Tessera's log


def test_all_of_tesseras_checkpoints_verify_and_have_the_roots_of_its_tiles_and_entries() -> None:
    key = VerifierKey.parse(vectors_of_tessera()["vkey"])
    entries: list[bytes] = []
    for size, signed in enumerate(tessera_checkpoints()):
        checkpoint, note = parse_signed(signed)
        assert [each.key for each in note.verify([key])] == [key]
        assert (checkpoint.origin, checkpoint.size) == (key.name, size)
        if size:
            entries = decode_bundle(tessera_file(Tile(ENTRIES, 0, size)), size)
            assert encode_bundle(entries) == tessera_file(Tile(ENTRIES, 0, size))
        edge, written = Edge().integrate(leaf_hashes(entries))
        assert {tile: tessera_file(tile) for tile in written} == written
        assert edge.root() == root_from(TileNodes(size, tessera_file), size) == checkpoint.root
        assert Edge.read(size, tessera_file) == edge
    assert vectors_of_tessera()["checkpoint"].encode() == tessera_checkpoints()[-1]
    assert all(Tile.parse(path).path == path for path in vectors_of_tessera()["files_hex"])


def test_every_entry_of_tesseras_log_is_included_and_every_size_follows() -> None:
    trees = [parse_signed(signed)[0] for signed in tessera_checkpoints()]
    hashes = leaf_hashes(decode_bundle(tessera_file(Tile(ENTRIES, 0, 15)), 15))
    for tree in trees:
        nodes = TileNodes(tree.size, tessera_file)
        for index in range(tree.size):
            check_inclusion(hashes[index], index, tree.size, inclusion_proof(nodes, index, tree.size), tree.root)
        for old in trees[: tree.size + 1]:
            check_consistency(old.size, old.root, tree.size, tree.root, consistency_proof(nodes, old.size, tree.size))


# Entry bundles


@given(st.lists(st.binary(max_size=40), min_size=1, max_size=WIDTH), st.data())
def test_a_bundle_reads_back(entries: list[bytes], data: st.DataObject) -> None:
    width = data.draw(st.integers(1, len(entries)))
    assert decode_bundle(encode_bundle(entries), width) == entries[:width]


def test_a_bundle_has_limits() -> None:
    assert decode_bundle(encode_bundle([b"x" * 65_535]), 1) == [b"x" * 65_535]
    for entries in ([], [b""] * 257, [b"x" * 65_536]):
        with pytest.raises(Malformed):
            encode_bundle(entries)
    with pytest.raises(Malformed):
        decode_bundle(b"\x00\x00" * 257, 1)


@pytest.mark.parametrize("data", [b"", b"\x00", b"\x00\x01", b"\x00\x00\x00", b"\x00\x01a\x00", b"\xff\xffabc"])
def test_a_bundle_ends_with_its_last_entry(data: bytes) -> None:
    with pytest.raises(Malformed):
        decode_bundle(data, 1)


@given(BYTES, st.integers(0, 300))
def test_hostile_bundles_and_tiles_raise_nothing_else(data: bytes, width: int) -> None:
    for read in (decode_bundle, split_tile):
        with suppress(Malformed):
            assert len(read(data, width)) == width


# Speed


def test_integrating_is_not_much_more_than_hashing_the_leaves() -> None:
    """One node for each leaf allows half the speed of bare hashing. Held loosely: machines are busy."""
    entries = [Leaf(HASHES[at], at + 1, HASHES[at]).to_bytes() for at in range(1 << 14)]
    sha256 = hashlib.sha256

    def bare() -> object:
        return [sha256(entry).digest() for entry in entries]

    def integrating() -> object:
        return Edge().integrate(leaf_hashes(entries))

    best = {work: min(_time(work) for _ in range(5)) for work in (bare, integrating)}
    assert best[bare] / best[integrating] > 0.25


def _time(work: object) -> float:
    start = process_time()
    work()  # type: ignore[operator]
    return process_time() - start
