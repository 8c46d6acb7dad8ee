"""An audit bundle of a vault's ledger, or of a run of its receipts: docs/audit-bundle.md.

It is written as the rows stand, and as it is taken away. That they agree with one another and with the log is not for
us to say: whoever has the bundle checks it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.ledger import store, tree
from apps.ledger.format.bundle_parts import (
    MOST_EARLIER,
    Earlier,
    Entry,
    LoggedHead,
    Manifest,
    bundle_lines,
    limits_of_bundle,
)
from apps.ledger.format.checkpoint import parse_signed
from apps.ledger.format.encoding import canonical, genesis
from apps.ledger.format.merkle import consistency_proof
from apps.ledger.format.pinned import Pinned
from apps.ledger.format.tiles import TileNodes
from apps.ledger.log import reading
from apps.ledger.services.proofs import pinned, read_tile
from apps.ledger.services.receipts import body_of, runs
from apps.policy.ids import instant, typed


class BadRange(ValueError):
    """There are no such receipts. `which` is the bound that is wrong, `from` or `to`; the sentence says what to do."""

    def __init__(self, which: str, says: str) -> None:
        super().__init__(says)
        self.which = which


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle to be taken away: the name of its file, and its bytes, made as they are asked for."""

    name: str
    parts: Iterator[bytes]


def bundle(vault_id: UUID, actor: str, now: datetime, first: int | None = None, last: int | None = None) -> Bundle:
    """The receipts from `first` to `last`, both included; without bounds all there are. Raises BadRange.

    What ties them to the log is fixed here; the receipts are read while the parts are, each lot in a transaction of
    its own, so that nothing is held open meanwhile. They are what they were: a ledger only grows.
    """
    with reading(vault_id, actor):
        newest = store.last_seq(vault_id)
        first, last = _bounds(first, last, newest)
        head = store.chain_hash(vault_id, newest)
        previous = store.chain_hash(vault_id, first - 1) if first > 1 else genesis(str(vault_id))
        assert head is not None and previous is not None, "a chain has no gaps"
        held = _pinned(vault_id, first, last)
        below = _size(held) if held else 0
        earlier = _earlier(vault_id, first, held) if held else ()
    upto = min(held.leaf.seq, last) if held else None
    limits = limits_of_bundle(last, upto, held is not None and held.cosigned)
    made_at = instant(now)
    manifest = Manifest(typed("vlt", vault_id), first, last, previous, (newest, head), made_at, limits)
    receipts, heads = _receipts(vault_id, actor, first, last), _heads(vault_id, actor, first, last, below)
    return Bundle(f"ledger_{first}-{last}.bundle.jsonl", bundle_lines(manifest, held, earlier, receipts, heads))


def _bounds(first: int | None, last: int | None, newest: int) -> tuple[int, int]:
    """The bounds, if there are receipts between them."""
    begins, ends = first or 1, last or newest
    if begins > newest:
        raise BadRange("from", f"The newest receipt is number {newest}. Ask from that one or an earlier one.")
    if ends > newest:
        raise BadRange("to", f"The newest receipt is number {newest}. Ask up to that one, or without `to`.")
    if ends < begins:
        raise BadRange("to", f"There is no receipt from {begins} to {ends}. Ask for the smaller number first.")
    return begins, ends


def _pinned(vault_id: UUID, first: int, last: int) -> Pinned | None:
    """What pins the whole run; else what pins most of it; None where the log holds none of it yet."""
    held = pinned(vault_id, last)
    if held is not None:
        return held
    newest = tree.newest_checkpoint()
    places = tree.places_within(vault_id, first, last, newest[0] if newest else 0, newest=True)
    return pinned(vault_id, places[0][1]) if places else None


def _size(held: Pinned) -> int:
    return parse_signed(held.proof.checkpoint)[0].size


def _earlier(vault_id: UUID, first: int, held: Pinned) -> tuple[Earlier, ...]:
    """Checkpoints of the same log and key from before, spread from the run's first leaf on, that lead to this one."""
    now, _ = parse_signed(held.proof.checkpoint)
    begins = tree.place(vault_id, first, now.size)
    start, end = begins[0] if begins else held.proof.index, held.proof.index
    spread = {start + (end - start) * step // MOST_EARLIER for step in range(MOST_EARLIER)}
    keys = {(key.name, key.key_id) for key in held.keys}
    nodes = TileNodes(now.size, read_tile)
    found = []
    for signed in tree.first_checkpoints(sorted(spread)):
        then, note = parse_signed(signed)
        same = then.origin == now.origin and {(each.name, each.key_id) for each in note.signatures} <= keys
        if same and then.size < now.size:
            found.append(Earlier(signed, tuple(consistency_proof(nodes, then.size, now.size))))
    return tuple(found)


def _receipts(vault_id: UUID, actor: str, first: int, last: int) -> Iterator[Sequence[Entry]]:
    for found in runs(vault_id, actor, first, last):
        yield [Entry(each.seq, each.kind, canonical(body_of(each)), each.chain_hash) for each in found]


def _heads(vault_id: UUID, actor: str, first: int, last: int, below: int) -> Iterator[LoggedHead]:
    while True:
        with reading(vault_id, actor):
            found = tree.places_within(vault_id, first, last, below)
        yield from (LoggedHead(index, seq) for index, seq in found)
        if not found:
            return
        first = found[-1][1] + 1
