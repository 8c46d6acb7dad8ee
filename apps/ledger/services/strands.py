"""The part of a vault's ledger that is about some turns of its chat: their receipts whole, and what lies between them
by its digests alone, so that all of it is one chain that the log holds.

A client may put any turn's id on a read of its own: such a receipt is not one of the turn's, and has another request.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from apps.ledger import store
from apps.ledger.format.encoding import genesis
from apps.ledger.format.pinned import Pinned
from apps.ledger.services.proofs import pinned
from apps.ledger.services.receipts import body_of, runs
from apps.policy.types import Receipt

Link = tuple[dict[str, str | int], bytes] | bytes


@dataclass(frozen=True, slots=True)
class Strand:
    """A run of receipts: its bounds, the chain hash before it, and what ties its end to the log, if that holds it."""

    first: int
    last: int
    previous_chain_hash: bytes
    pinned: Pinned | None

    @property
    def cosigned(self) -> bool:
        """Has a witness signed the checkpoint it is tied to."""
        return self.pinned is not None and self.pinned.cosigned


def strand_of(vault_id: UUID, requests: Mapping[str, str]) -> Strand:
    """Where the receipts of these turns begin and end. `requests`: each turn's request, both typed ids, or `-`.

    To be called while reading as that vault.
    """
    first, last = store.span(vault_id, requests)
    previous = store.chain_hash(vault_id, first - 1) if first > 1 else genesis(str(vault_id))
    assert previous is not None, "a chain has no gaps"
    return Strand(first, last, previous, pinned(vault_id, last))


def links(vault_id: UUID, actor: str, found: Strand, requests: Mapping[str, str]) -> Iterator[list[Link]]:
    """The run, some at a time: members and chain hash of the turns' own receipts, the digest of every other."""
    for some in runs(vault_id, actor, found.first, found.last):
        yield [(body_of(each), each.chain_hash) if _own(each, requests) else each.digest for each in some]


def _own(receipt: Receipt, requests: Mapping[str, str]) -> bool:
    request = requests.get(receipt.turn)
    return request is not None and (receipt.kind.startswith("turn.") or receipt.request == request != "-")
