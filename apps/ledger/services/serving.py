"""What anybody may fetch of the log: a checkpoint with its cosignatures, tiles and entries, and the log's keys."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from apps.ledger import cosigned, tree
from apps.ledger.format.policy import Policy
from apps.ledger.format.strict import Malformed
from apps.ledger.format.tiles import Tile
from apps.ledger.format.witness import with_signatures
from apps.ledger.services.witnessing import ASKS_NOBODY, printable, signers


def checkpoint() -> bytes | None:
    """The newest checkpoint that has met the policy, with its cosignatures; None before there is any.

    Before any has met it, and where it asks for no witness, the newest that is signed, whoever has cosigned it.
    """
    found = cosigned.newest_quorum() or tree.newest_checkpoint()
    return with_cosignatures(*found) if found else None


def with_cosignatures(size: int, note: bytes) -> bytes:
    """The log's signed checkpoint of this size, with the lines of the witnesses that have cosigned it."""
    lines = "".join(cosigned.cosignatures(size).values())
    return with_signatures(note, lines.encode()) if lines else note


def resource(path: str) -> bytes | None:
    """A tile or a bundle of entries by its path below the log's prefix, `tile/…`; None where there is none."""
    try:
        return tree.tile(Tile.parse(path))
    except Malformed:
        return None


def vkeys() -> tuple[str, ...]:
    """Every key the log has signed with, as `name+id+key`; the newest, in force, first."""
    return tree.keys()


@dataclass(frozen=True, slots=True)
class Witness:
    """A witness of the policy in force, and what it last did. Without `url` it is not asked."""

    name: str
    vkey: str
    url: str | None
    heard: cosigned.LastHeard


@dataclass(frozen=True, slots=True)
class Witnessed:
    """Who has cosigned a checkpoint, by the names of the policy in force; what that policy asks for, in words; and
    whether these are enough for it. A policy that asks for none is met by none."""

    names: tuple[str, ...]
    asks: str
    quorum: bool


def witnesses() -> tuple[Witness, ...]:
    """The witnesses of the policy in force, in its order."""
    found = [(name, str(party.key), party.url) for name, party in _policy().witnesses.items()]
    return tuple(Witness(printable(name), vkey, url, cosigned.last_heard(vkey)) for name, vkey, url in found)


def witnessed(vkeys: Collection[str]) -> Witnessed:
    """What these keys are worth that have signed a checkpoint: those in `keys` of a receipt's file, by their values."""
    policy = _policy()
    names = signers(policy, vkeys)
    return Witnessed(tuple(sorted(map(printable, names))), printable(policy.asks), policy.is_quorum(names))


def policy_in_force() -> bytes:
    """The text of the policy that the log's process goes by; that which asks nobody before it ever had a file."""
    found = cosigned.policy()
    return found[1] if found else ASKS_NOBODY


def _policy() -> Policy:
    return Policy.parse(policy_in_force())


def waiting(limit: int = 1000) -> frozenset[tuple[UUID, int]]:
    """Heads (vault, seq) that no published leaf holds yet. Needs the log's role."""
    newest = tree.newest_checkpoint(tree.LOG)
    heads = frozenset((head.vault_id, head.seq) for head in tree.changed_heads(True, limit))
    return heads | tree.places_from(newest[0] if newest else 0)
