"""What anybody may fetch of the log: the newest checkpoint, tiles and entries, and the keys it is signed with."""

from uuid import UUID

from apps.ledger import tree
from apps.ledger.format.strict import Malformed
from apps.ledger.format.tiles import Tile


def checkpoint() -> bytes | None:
    """The signed note of the newest published tree; None before there is one."""
    found = tree.newest_checkpoint()
    return found[1] if found else None


def resource(path: str) -> bytes | None:
    """A tile or a bundle of entries by its path below the log's prefix, `tile/…`; None where there is none."""
    try:
        return tree.tile(Tile.parse(path))
    except Malformed:
        return None


def vkeys() -> tuple[str, ...]:
    """Every key the log has signed with, as `name+id+key`; the newest, in force, first."""
    return tree.keys()


def waiting(limit: int = 1000) -> frozenset[tuple[UUID, int]]:
    """Heads (vault, seq) that no published leaf holds yet. Needs the log's role."""
    newest = tree.newest_checkpoint(tree.LOG)
    heads = frozenset((head.vault_id, head.seq) for head in tree.changed_heads(True, limit))
    return heads | tree.places_from(newest[0] if newest else 0)
