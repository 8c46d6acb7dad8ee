"""The hold in the database: whether this instance may stamp, every hold there was, what the guard could not find out,
and notes that wait to be judged."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from django.db import DatabaseError, connections, transaction  # noqa: TID251  (a store: SQL is spoken here)

from apps.ledger import tree
from apps.ledger.format.checkpoint import Checkpoint
from apps.ledger.format.tiles import Tile
from apps.ledger.signing import is_proof

SQLSTATE = "MU001"  # what gate.stamp and gate.open say on hold
LONGEST_REASON = 1000  # characters


class OnHold(Exception):
    """Nothing is stamped: this database is not the one that the instance's log signed for. Nothing was read, nothing
    written."""


@dataclass(frozen=True, slots=True)
class Hold:
    """A hold as it was put, or as it was lifted (`held` false). `origin` is the log's name then, `evidence` the signed
    note that the database does not continue, or a proof of a fork."""

    held: bool
    origin: str
    reason: str
    evidence: bytes | None
    at: datetime

    @property
    def proven(self) -> bool:
        """Are two histories signed: no other database undoes that."""
        return self.evidence is not None and is_proof(self.evidence)


@contextmanager
def refusing() -> Iterator[None]:
    """Raises OnHold where the gate refuses because of a hold."""
    try:
        yield
    except DatabaseError as error:
        if getattr(error.__cause__, "sqlstate", None) == SQLSTATE:
            raise OnHold("this instance is on hold") from None
        raise


def record(alias: str = "default") -> tuple[Hold, ...]:
    """Every hold that was put or lifted, the newest first."""
    rows = tree.answers(alias, "SELECT held, origin, reason, evidence, at FROM log.hold ORDER BY id DESC")
    return tuple(Hold(row[0], row[1], row[2], row[3] and bytes(row[3]), row[4]) for row in rows)


def in_force(alias: str = "default") -> tuple[Hold, ...]:
    """What the instance is on hold for, the newest first; empty where it is not."""
    found = record(alias)
    lifted = next((place for place, each in enumerate(found) if not each.held), len(found))
    return found[:lifted]


def put(reason: str, evidence: bytes | None) -> None:
    """Put the hold: when this returns, nothing that begins is stamped any more. Needs the log's role."""
    tree.execute("SELECT gate.hold(%s, %s)", [reason, evidence])


def begin_anew(
    old: Checkpoint,
    new: Checkpoint,
    leaf: tuple[bytes, bytes],
    tiles: Mapping[Tile, bytes],
    *,
    vkeys: Sequence[str],
    reason: str,
) -> bool:
    """Move the log from `old` to `new`, which has another name and one leaf more (its entry and leaf hash), and lift
    the hold, in one transaction. `vkeys` are the log's keys under the names that end and, last, the new one. False, and
    nothing is written, where the tree is not `old` any more."""
    with transaction.atomic(using=tree.LOG, durable=True), connections[tree.LOG].cursor() as cursor:
        cursor.execute(
            "UPDATE log.tree SET origin = %s, size = %s, root = %s"
            " WHERE id = 1 AND origin = %s AND size = %s AND root = %s",
            [new.origin, new.size, new.root, old.origin, old.size, old.root],
        )
        if cursor.rowcount != 1:
            return False
        cursor.execute("INSERT INTO log.leaf (index, entry, leaf_hash) VALUES (%s, %s, %s)", [old.size, *leaf])
        tree.put_tiles(cursor, tiles)
        for vkey in vkeys:
            tree.add_key(vkey)
        # The policy begins anew, too: no cosignature of the log that ended counts for this one.
        cursor.execute("INSERT INTO log.policy (text) SELECT text FROM log.policy ORDER BY id DESC LIMIT 1")
        cursor.execute("SELECT gate.lift(%s)", [reason])
    return True


def doubts() -> tuple[str, ...]:
    """What the guard could not find out at the last start, in sentences."""
    return tuple(row[0] for row in tree.answers("default", "SELECT said FROM log.doubt ORDER BY at, said"))


def keep_doubts(said: Sequence[str]) -> None:
    """These are in doubt from now on, and nothing else. Needs the log's role."""
    with transaction.atomic(using=tree.LOG):
        tree.execute("DELETE FROM log.doubt", [])
        tree.execute(
            "INSERT INTO log.doubt (said) SELECT unnest(%s::text[]) ON CONFLICT DO NOTHING",
            [[each[:LONGEST_REASON] for each in said]],
        )


def suspect(note: bytes) -> bool:
    """Leave a signed note to the log's process. False where too many wait already."""
    return bool(tree.answers("default", "SELECT gate.suspect(%s)", [note])[0][0])


def suspected() -> tuple[bytes, ...]:
    """The notes that wait to be judged. Needs the log's role."""
    return tuple(bytes(row[0]) for row in tree.answers(tree.LOG, "SELECT note FROM log.evidence ORDER BY at"))


def judged(notes: Sequence[bytes]) -> None:
    """These notes wait no longer. Needs the log's role."""
    tree.execute("DELETE FROM log.evidence WHERE note = ANY (%b::bytea[])", [list(notes)])
