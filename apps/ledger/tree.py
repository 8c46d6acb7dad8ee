"""The instance's log in the database: the tree's head, its leaves and tiles, and what was signed.

The log's own process reads and writes on the alias `log`, everybody else reads what is public on `default`.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connections, transaction  # noqa: TID251  (a store: SQL is spoken here)

from apps.ledger.format.checkpoint import Checkpoint
from apps.ledger.format.strict import HASH_BYTES
from apps.ledger.format.tiles import ENTRIES, WIDTH, Tile, encode_bundle

LOG = "log"
Place = tuple[int, int, bytes, bytes]  # of a leaf: its index, the seq it names, its entry, its pseudonym's key
Values = Sequence[Any] | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a vault's chain: its last receipt's number and chain hash; its pseudonym's key, None before its
    first leaf."""

    vault_id: UUID
    seq: int
    chain_hash: bytes
    pseudonym: bytes | None


@dataclass(frozen=True, slots=True)
class NewLeaf:
    """A leaf to be appended: whose it is, and what stands in the log."""

    vault_id: UUID
    seq: int
    pseudonym: bytes
    entry: bytes
    leaf_hash: bytes


def begin(origin: str, empty_root: bytes) -> None:
    """The tree without leaves, if there is no tree yet."""
    execute(
        "INSERT INTO log.tree (id, origin, size, root) VALUES (1, %s, 0, %s) ON CONFLICT (id) DO NOTHING",
        [origin, empty_root],
    )


def integrated(alias: str = "default") -> Checkpoint | None:
    """The tree as far as it is integrated and committed, signed or not; None before the log's process first ran."""
    rows = answers(alias, "SELECT origin, size, root FROM log.tree WHERE id = 1")
    return Checkpoint(rows[0][0], rows[0][1], bytes(rows[0][2])) if rows else None


def changed_heads(everything: bool, limit: int) -> list[Head]:
    """Chains that have grown beyond their last leaf, the longest waiting first."""
    rows = answers(
        LOG,
        "SELECT h.vault_id, h.seq, h.chain_hash, p.key FROM gate.changed_heads(%s, %s) h"
        " LEFT JOIN log.pseudonym p USING (vault_id)",
        [everything, limit],
    )
    return [Head(row[0], row[1], bytes(row[2]), row[3] and bytes(row[3])) for row in rows]


def append(old: Checkpoint, new: Checkpoint, leaves: Sequence[NewLeaf], tiles: Mapping[Tile, bytes]) -> bool:
    """Move the tree from `old` to `new`, with its leaves and tiles, in one transaction.

    False, and nothing is written, where the tree is not `old` any more: somebody else was first. That is all that keeps
    two processes from forking the log, and it is the WHERE of one statement.
    """
    with transaction.atomic(using=LOG, durable=True), connections[LOG].cursor() as cursor:
        cursor.execute(
            "UPDATE log.tree SET size = %s, root = %s WHERE id = 1 AND size = %s AND root = %s",
            [new.size, new.root, old.size, old.root],
        )
        if cursor.rowcount != 1:
            return False
        cursor.execute(
            "INSERT INTO log.leaf (index, entry, leaf_hash)"
            " SELECT %s::bigint + n - 1, e, h FROM unnest(%b::bytea[], %b::bytea[]) WITH ORDINALITY AS t(e, h, n)",
            [old.size, [leaf.entry for leaf in leaves], [leaf.leaf_hash for leaf in leaves]],
        )
        vaults = [leaf.vault_id for leaf in leaves]
        cursor.execute(
            "INSERT INTO log.place (vault_id, seq, index)"
            " SELECT v, s, %s::bigint + n - 1 FROM unnest(%b::uuid[], %b::bigint[]) WITH ORDINALITY AS t(v, s, n)",
            [old.size, vaults, [leaf.seq for leaf in leaves]],
        )
        cursor.execute(
            "INSERT INTO log.pseudonym (vault_id, key) SELECT * FROM unnest(%b::uuid[], %b::bytea[])"
            " ON CONFLICT (vault_id) DO NOTHING",
            [vaults, [leaf.pseudonym for leaf in leaves]],
        )
        put_tiles(cursor, tiles)
    return True


def put_tiles(cursor: Any, tiles: Mapping[Tile, bytes]) -> None:
    """Write the tiles that the appended leaves complete or go on with, in the transaction that appends them."""
    for tile, hashes in tiles.items():
        if tile.level:  # level 0 is the leaves themselves
            cursor.execute(
                "INSERT INTO log.tile (level, number, hashes) VALUES (%s, %s, %s)"
                " ON CONFLICT (level, number) DO UPDATE SET hashes = excluded.hashes",
                [tile.level, tile.number, hashes],
            )


def tile(name: Tile, alias: str = "default") -> bytes | None:
    """A tile's bytes, or a bundle's; None where the tree has not grown so far. A partial one stays when it is outgrown:
    it is the beginning of what came after."""
    if name.level > 0:
        rows = answers(
            alias,
            "SELECT substring(hashes FOR %s) FROM log.tile WHERE level = %s AND number = %s AND length(hashes) >= %s",
            [name.width * HASH_BYTES, name.level, name.number, name.width * HASH_BYTES],
        )
        return bytes(rows[0][0]) if rows else None
    column = "entry" if name.level == ENTRIES else "leaf_hash"
    first = name.number * WIDTH
    rows = answers(
        alias,
        f"SELECT {column} FROM log.leaf WHERE index >= %s AND index < %s ORDER BY index",  # noqa: S608
        [first, first + name.width],
    )
    if len(rows) < name.width:
        return None
    parts = [bytes(row[0]) for row in rows]
    return encode_bundle(parts) if name.level == ENTRIES else b"".join(parts)


def add_key(vkey: str) -> None:
    """A public key that the log signs with from now on."""
    execute("INSERT INTO log.key (vkey) VALUES (%s) ON CONFLICT (vkey) DO NOTHING", [vkey])


def keys(alias: str = "default") -> tuple[str, ...]:
    """Every public key the log has signed with, the newest first."""
    return tuple(row[0] for row in answers(alias, "SELECT vkey FROM log.key ORDER BY added_at DESC, vkey"))


def add_checkpoint(size: int, note: bytes) -> None:
    """A signed checkpoint. One of a size stands: what a second process signed says the same."""
    execute("INSERT INTO log.checkpoint (size, note) VALUES (%s, %s) ON CONFLICT (size) DO NOTHING", [size, note])


def newest_checkpoint(alias: str = "default") -> tuple[int, bytes] | None:
    """The size and the signed note of the largest tree that was published."""
    rows = answers(alias, "SELECT size, note FROM log.checkpoint ORDER BY size DESC LIMIT 1")
    return (rows[0][0], bytes(rows[0][1])) if rows else None


def checkpoint_of(size: int, alias: str = "default") -> bytes | None:
    """The signed note of the tree of this size, if it was published."""
    rows = answers(alias, "SELECT note FROM log.checkpoint WHERE size = %s", [size])
    return bytes(rows[0][0]) if rows else None


def place(vault_id: UUID, seq: int, below: int) -> Place | None:
    """The first leaf with an index below `below` that pins a receipt of a vault: its index, the seq it names, its
    entry, and the key of the vault's pseudonym. None where there is none yet."""
    rows = answers(
        "default",
        "SELECT p.index, p.seq, l.entry, s.key FROM log.place p JOIN log.leaf l USING (index)"
        " JOIN log.pseudonym s USING (vault_id) WHERE p.vault_id = %s AND p.seq >= %s ORDER BY p.seq LIMIT 1",
        [vault_id, seq],
    )
    if not rows or rows[0][0] >= below:
        return None
    return rows[0][0], rows[0][1], bytes(rows[0][2]), bytes(rows[0][3])


def places_within(vault_id: UUID, first: int, last: int, below: int, *, newest: bool = False) -> list[tuple[int, int]]:
    """The vault's heads from seq `first` to `last` whose leaves stand below this index: index and seq, in order, a
    thousand at most; or the newest of them alone."""
    query = (
        "SELECT index, seq FROM log.place"  # noqa: S608
        " WHERE vault_id = %s AND seq >= %s AND seq <= %s AND index < %s"
        f" ORDER BY seq {'DESC LIMIT 1' if newest else 'LIMIT 1000'}"
    )
    return [(row[0], row[1]) for row in answers("default", query, [vault_id, first, last, below])]


def first_checkpoints(indexes: Sequence[int]) -> list[bytes]:
    """The first published checkpoint that holds each of these leaves, the smallest first, none twice."""
    rows = answers(
        "default",
        "SELECT DISTINCT c.size, c.note FROM unnest(%s::bigint[]) i CROSS JOIN LATERAL"
        " (SELECT size, note FROM log.checkpoint WHERE size > i ORDER BY size LIMIT 1) c ORDER BY c.size",
        [list(indexes)],
    )
    return [bytes(row[1]) for row in rows]


def places_from(index: int) -> frozenset[tuple[UUID, int]]:
    """The heads (vault, seq) whose leaves stand from this index on."""
    rows = answers(LOG, "SELECT vault_id, seq FROM log.place WHERE index >= %s", [index])
    return frozenset((row[0], row[1]) for row in rows)


# ---------------------------------------------------------------- everything, for a check of the whole
@dataclass(frozen=True, slots=True)
class StoredLeaf:
    """A leaf with its place: whose it is, which seq, and the pseudonym's key; None where that is lost."""

    index: int
    entry: bytes
    leaf_hash: bytes
    vault_id: UUID | None
    seq: int | None
    pseudonym: bytes | None


@contextmanager
def snapshot() -> Iterator[None]:
    """What is read inside is one state of the database, whatever is written meanwhile."""
    with transaction.atomic(using=LOG, durable=True):
        execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY", [])
        yield


def leaves() -> Iterator[StoredLeaf]:
    """Every leaf in order; twice where two places name it."""
    query = (
        "SELECT l.index, l.entry, l.leaf_hash, p.vault_id, p.seq, s.key FROM log.leaf l"
        " LEFT JOIN log.place p USING (index) LEFT JOIN log.pseudonym s USING (vault_id) ORDER BY l.index"
    )
    for row in stream(query):
        yield StoredLeaf(row[0], bytes(row[1]), bytes(row[2]), row[3], row[4], row[5] and bytes(row[5]))


def tiles() -> Iterator[tuple[int, int, bytes]]:
    """Every stored tile: level, number, hashes."""
    for row in stream("SELECT level, number, hashes FROM log.tile ORDER BY level, number"):
        yield row[0], row[1], bytes(row[2])


def checkpoints() -> Iterator[tuple[int, bytes]]:
    """Every checkpoint's size and signed note, the smallest first."""
    for row in stream("SELECT size, note FROM log.checkpoint ORDER BY size"):
        yield row[0], bytes(row[1])


def place_without_leaf() -> tuple[UUID, int, int] | None:
    """A place (vault, seq, index) whose leaf is not there."""
    return _first_place("log.leaf l USING (index) WHERE l.index IS NULL")


def place_without_receipt() -> tuple[UUID, int, int] | None:
    """A place (vault, seq, index) whose receipt is not there."""
    return _first_place("public.receipt r USING (vault_id, seq) WHERE r.seq IS NULL")


def heads() -> Iterator[Head]:
    """The head of every chain, in the order of their vaults; without pseudonyms."""
    after: UUID | None = None
    while rows := answers(LOG, "SELECT vault_id, seq, chain_hash FROM gate.heads(%s, 5000)", [after]):
        for row in rows:
            yield Head(row[0], row[1], bytes(row[2]), None)
        after = rows[-1][0]


def _first_place(missing: str) -> tuple[UUID, int, int] | None:
    query = f"SELECT vault_id, seq, index FROM log.place LEFT JOIN {missing} ORDER BY index LIMIT 1"  # noqa: S608
    rows = answers(LOG, query)
    return (rows[0][0], rows[0][1], rows[0][2]) if rows else None


def stream(query: str) -> Iterator[tuple[Any, ...]]:
    """Rows of a long answer on the log's connection, some at a time; inside a transaction."""
    with connections[LOG].chunked_cursor() as cursor:
        cursor.execute(query)
        while rows := cursor.fetchmany(2000):
            yield from rows


def answers(alias: str, query: str, values: Values = ()) -> list[tuple[Any, ...]]:
    """The rows of a question."""
    with connections[alias].cursor() as cursor:
        cursor.execute(query, values)
        return list(cursor.fetchall())


def execute(statement: str, values: Values) -> None:
    """Carry a statement out as the log's role."""
    with connections[LOG].cursor() as cursor:
        cursor.execute(statement, values)
