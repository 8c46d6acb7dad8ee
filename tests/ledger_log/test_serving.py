"""The log over HTTP: read completely from the checkpoint alone, as existing tools read one, and cached as they do."""

from collections.abc import Iterator
from typing import Any

import httpx2
import psycopg
import pytest

from apps.ledger import services as ledger
from apps.ledger import tree
from apps.ledger.format.checkpoint import Checkpoint, parse_signed
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.leaf import Leaf
from apps.ledger.format.merkle import (
    check_consistency,
    check_inclusion,
    consistency_proof,
    inclusion_proof,
    leaf_hashes,
    root_from,
    root_of,
)
from apps.ledger.format.tiles import ENTRIES, WIDTH, Tile, TileNodes, decode_bundle, tiles_of
from tests.cast import Vault
from tests.ledger_log.test_fsck import many_chains


@pytest.fixture
def log(server: str, publisher: ledger.Publisher) -> Iterator[httpx2.Client]:
    """A stranger with nothing but the log's prefix."""
    with httpx2.Client(base_url=f"{server}/log/") as client:
        yield client


def walk(log: httpx2.Client) -> tuple[Checkpoint, list[bytes]]:
    """Read the whole log from its checkpoint, with our reader, and check every root on the way."""
    vkey = VerifierKey.parse(log.get("vkey").text.splitlines()[0])
    checkpoint, note = parse_signed(log.get("checkpoint").content)
    note.verify([vkey])

    def read(name: Tile) -> bytes:
        answer = log.get(name.path)
        assert answer.status_code == 200, name.path
        return answer.content

    nodes = TileNodes(checkpoint.size, read)
    assert root_from(nodes, checkpoint.size) == checkpoint.root
    entries: list[bytes] = []
    for name in tiles_of(checkpoint.size):
        if name.level == 0:
            entries += decode_bundle(read(name._replace(level=ENTRIES)), name.width)
    assert root_of(leaf_hashes(entries)) == checkpoint.root
    for index in range(0, checkpoint.size, 37):
        path = inclusion_proof(nodes, index, checkpoint.size)
        check_inclusion(leaf_hashes([entries[index]])[0], index, checkpoint.size, path, checkpoint.root)
    return checkpoint, entries


@pytest.mark.parametrize("chains", [0, 1, 255, 256, 300])
def test_a_stranger_reads_it_completely(
    log: httpx2.Client, publisher: ledger.Publisher, admin: psycopg.Connection[Any], chains: int
) -> None:
    many_chains(admin, chains)
    publisher.step(everything=True)
    checkpoint, entries = walk(log)
    assert checkpoint.size == len(entries) == chains
    stored = admin.execute("SELECT entry FROM log.leaf ORDER BY index").fetchall()
    assert [entry for (entry,) in stored] == entries
    for entry in entries:
        Leaf.parse(entry)


def test_what_was_read_earlier_is_the_beginning_of_what_is_read_later(
    log: httpx2.Client, publisher: ledger.Publisher, alice: Vault
) -> None:
    publisher.step(everything=True)
    first, entries = walk(log)
    for number in range(3):
        alice.keep(f"thing {number}")
        publisher.step(everything=True)
        later, more = walk(log)
        assert more[: len(entries)] == entries
        nodes = TileNodes(later.size, lambda name: log.get(name.path).content)
        proof = consistency_proof(nodes, first.size, later.size)
        check_consistency(first.size, first.root, later.size, later.root, proof)


def test_every_tile_of_every_size_is_what_the_leaves_make(
    log: httpx2.Client, publisher: ledger.Publisher, admin: psycopg.Connection[Any]
) -> None:
    """Partial tiles of earlier sizes stay, as beginnings of what they grew into."""
    from apps.ledger.format.tiles import Edge

    made: dict[Tile, bytes] = {}
    edge = Edge()
    for count in (3, 250, 10, 1):
        many_chains(admin, count)
        publisher.step(everything=True)
        rows = admin.execute("SELECT leaf_hash FROM log.leaf WHERE index >= %s ORDER BY index", [edge.size]).fetchall()
        edge, tiles = edge.integrate([row[0] for row in rows])
        made |= tiles
        for name, data in made.items():
            assert log.get(name.path).content == data, name
    assert Tile(0, 0, 3) in made and Tile(0, 0, WIDTH) in made and Tile(1, 0, 1) in made


def test_what_is_not_there_is_not_found(log: httpx2.Client, publisher: ledger.Publisher, alice: Vault) -> None:
    assert log.get("checkpoint").status_code == 404, "nothing is signed yet"
    publisher.step(everything=True)
    for path in (
        "tile/0/000",  # it has one leaf, not 256
        "tile/0/000.p/2",
        "tile/0/001.p/1",
        "tile/1/000.p/1",
        "tile/entries/000",
        "tile/entries/000.p/2",
        "tile/0/0.p/1",  # spelt otherwise
        "tile/0/000.p/01",
        "tile/0/000.p/0",
        "tile/0/000.p/256",
        "tile/00/000.p/1",
        "tile/0/x000/000.p/1",
        "tile/0/000.p/1/",
        "tile/63/000.p/1",
        "tile/64/000.p/1",
        "tile/0/x999/x999/x999/x999/x999/x999/999",
        "tile/0/../checkpoint",
        "tile/0/000.p/%31%00",
        "tile/",
        "checkpoint/",
        "",
        "issuer",
    ):
        answer = log.get(path)
        assert answer.status_code == 404, path
        assert answer.headers.get("Cache-Control") in (None, "no-store")
    for path in ("checkpoint", "tile/0/000.p/1", "vkey"):
        assert log.post(path).status_code in (403, 405)


def test_it_is_cached_as_it_changes_and_asks_nobody_who_they_are(
    log: httpx2.Client, publisher: ledger.Publisher, alice: Vault
) -> None:
    publisher.step(everything=True)
    for path, kind, cache in (
        ("checkpoint", "text/plain; charset=utf-8", "max-age=1,"),
        ("vkey", "text/plain; charset=utf-8", "max-age=1,"),
        ("tile/0/000.p/1", "application/octet-stream", "immutable"),
        ("tile/entries/000.p/1", "application/octet-stream", "immutable"),
    ):
        answer = log.get(path, headers={"Cookie": "sessionid=whoever; csrftoken=x"})
        assert answer.status_code == 200
        assert answer.headers["Content-Type"] == kind
        assert cache in answer.headers["Cache-Control"] and "public" in answer.headers["Cache-Control"]
        assert "Set-Cookie" not in answer.headers
        assert "ookie" not in answer.headers.get("Vary", "")
        again = log.get(path, headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert "Set-Cookie" not in again.headers
        assert log.get(path, headers={"If-None-Match": '"other"'}).status_code == 200
        head = log.head(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["ETag"] == answer.headers["ETag"]
    before = log.get("checkpoint").headers["ETag"]
    alice.keep("tea")
    publisher.step(everything=True)
    assert log.get("checkpoint", headers={"If-None-Match": before}).status_code == 200


def test_a_leaf_that_is_not_signed_yet_does_not_move_the_checkpoint(
    log: httpx2.Client, publisher: ledger.Publisher, alice: Vault
) -> None:
    publisher.step(everything=True)
    alice.keep("tea")
    assert publisher.integrate() == 1
    grown = tree.integrated()
    assert grown is not None and grown.size == 2
    checkpoint, entries = walk(log)
    assert checkpoint.size == len(entries) == 1


@pytest.mark.parametrize("path", ["checkpoint", "vkey", "tile/0/000.p/1", "/healthz", "/readyz"])
def test_what_can_only_be_read_says_so_to_whoever_sends(log: httpx2.Client, path: str) -> None:
    for method in ("POST", "PUT", "DELETE"):
        said = log.request(method, path if path[0] != "/" else str(log.base_url.join(path)))
        assert (said.status_code, said.headers.get("Allow")) == (405, "GET, HEAD"), path
