"""Rebuild the log from its leaves, and every chain from its receipts, and compare: what `manage.py fsck_ledger` does.

Everything is read in one snapshot, so that a log that is written meanwhile is no difference.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

from apps.ledger import cosigned, store, tree
from apps.ledger.format.checkpoint import Checkpoint, parse_signed
from apps.ledger.format.encoding import Line, canonical, verify_chain
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.leaf import Leaf, tag_of
from apps.ledger.format.merkle import Compact, leaf_hash
from apps.ledger.format.policy import Policy
from apps.ledger.format.restored import RESTORED_VERSION, Restored
from apps.ledger.format.strict import Malformed, Unproven
from apps.ledger.format.tiles import Edge, Tile
from apps.ledger.format.witness import with_signatures
from apps.ledger.services.receipts import body_of
from apps.ledger.services.witnessing import signers
from apps.policy.ids import typed

AT_ONCE = 4096  # leaves whose tiles are made together


class Difference(Exception):
    """The first thing that is not what it should be: one sentence that says where."""


@dataclass(slots=True)
class Report:
    """What was looked at, and the first difference, empty if there is none."""

    leaves: int = 0
    checkpoints: int = 0
    cosignatures: int = 0
    vaults: int = 0
    receipts: int = 0
    root: bytes = b""
    difference: str = ""

    def __bool__(self) -> bool:
        return not self.difference


def check_ledger() -> Report:
    """Compare the whole ledger with what its leaves and receipts make. Needs the log's role; changes nothing.

    It takes as its word what was signed and what the receipts say: a history rewritten whole, by whoever holds the
    log's key, has no difference in it. That takes a witness.
    """
    report = Report()
    with tree.snapshot():
        try:
            _check_tree(report)
            _check_witnesses(report)
            _check_places()
            _check_chains(report)
        except Difference as found:
            report.difference = str(found)
    return report


def every_vault() -> Iterator[UUID]:
    """Every vault that has a chain, by its id: those that were erased too. Needs the log's role."""
    return (head.vault_id for head in tree.heads())


def _check_tree(report: Report) -> None:
    """Leaves in order, each with its hash and its vault's tag; the tree, its tiles and every checkpoint as they make
    them."""
    head = tree.integrated(tree.LOG)
    keys = [VerifierKey.parse(vkey) for vkey in tree.keys(tree.LOG)]
    signed = [_signed(size, note, keys, head) for size, note in tree.checkpoints()]
    edge, compact = Edge(), Compact()
    made: dict[tuple[int, int], bytes] = {}
    remaining = iter(signed)
    due = next(remaining, None)
    for hashes in _leaf_hashes(report):
        start = 0
        while due is not None and due.size <= edge.size + len(hashes):
            end = due.size - edge.size
            compact, start = compact.extend(hashes[start:end]), end
            if compact.root() != due.root:
                raise Difference(f"the checkpoint of {due.size} leaves says another root than these leaves make")
            due = next(remaining, None)
        compact = compact.extend(hashes[start:])
        edge, tiles = edge.integrate(hashes)
        made |= {(name.level, name.number): data for name, data in tiles.items() if name.level}
    report.checkpoints, report.root = len(signed), compact.root()
    if due is not None:
        raise Difference(f"there is a checkpoint of {due.size} leaves, and there are {report.leaves}")
    if (head.size if head else 0) != report.leaves:
        raise Difference(f"the tree says {head.size if head else 0} leaves, and there are {report.leaves}")
    if head and head.root != report.root:
        raise Difference("the tree says another root than its leaves make")
    _check_tiles(made)


def _signed(size: int, note: bytes, keys: Collection[VerifierKey], head: Checkpoint | None) -> Checkpoint:
    """A stored checkpoint, if it is signed by one of this log's keys, under a name that the log has or has had."""
    names = {key.name for key in keys}
    try:
        checkpoint, parsed = parse_signed(note)
        parsed.verify(keys)
    except (Malformed, Unproven) as problem:
        raise Difference(f"the checkpoint of {size} leaves does not hold: {problem}") from None
    if checkpoint.size != size or head is None or not {checkpoint.origin, head.origin} <= names:
        raise Difference(f"the checkpoint of {size} leaves is of another tree")
    return checkpoint


def _leaf_hashes(report: Report) -> Iterator[list[bytes]]:
    """The leaves' hashes, made anew, some at a time."""
    hashes: list[bytes] = []
    for row in tree.leaves():
        if row.index != report.leaves:
            which = "is missing" if row.index > report.leaves else "is named by two places"
            raise Difference(f"leaf {min(report.leaves, row.index)} {which}")
        made = leaf_hash(row.entry)
        if made != row.leaf_hash:
            raise Difference(f"leaf {row.index} does not have the hash of its entry")
        _check_leaf(row)
        hashes.append(made)
        report.leaves += 1
        if len(hashes) == AT_ONCE:
            yield hashes
            hashes = []
    yield hashes


def _check_leaf(row: tree.StoredLeaf) -> None:
    """Is the leaf whose its place says. An entry of a log that began anew is nobody's."""
    try:
        if row.vault_id is None and row.entry.startswith(RESTORED_VERSION.encode()):
            Restored.parse(row.entry)
            return
        leaf = Leaf.parse(row.entry)
    except Malformed as problem:
        raise Difference(f"leaf {row.index} is none: {problem}") from None
    if row.vault_id is None or row.pseudonym is None:
        raise Difference(f"leaf {row.index} belongs to no vault")
    if leaf.seq != row.seq or leaf.tag != tag_of(row.pseudonym, str(row.vault_id)):
        raise Difference(f"leaf {row.index} is not of receipt {row.seq} of {_name(row.vault_id)}, as its place says")


def _check_tiles(made: dict[tuple[int, int], bytes]) -> None:
    for level, number, hashes in tree.tiles():
        if made.pop((level, number), None) != hashes:
            raise Difference(f"{Tile(level, number, 256).path} is not what the leaves make")
    for level, number in sorted(made):
        raise Difference(f"{Tile(level, number, 256).path} is missing")


def _check_witnesses(report: Report) -> None:
    """Every cosignature holds and is by a witness that a policy has named; every quorum is one under its policy."""
    policies = {number: Policy.parse(text) for number, text in cosigned.policies().items()}
    named = {str(party.key) for policy in policies.values() for party in policy.witnesses.values()}
    for size, vkey, line, note in cosigned.all_cosignatures():
        if vkey not in named:
            raise Difference(f"a cosignature of {size} leaves is by {vkey}, which no policy has named")
        try:
            parse_signed(with_signatures(note, line.encode()))[1].verify([VerifierKey.parse(vkey)])
        except (Malformed, Unproven) as problem:
            raise Difference(f"the cosignature of {size} leaves by {vkey} does not hold: {problem}") from None
        report.cosignatures += 1
    for number, size, vkeys in cosigned.quorums():
        if number not in policies or not policies[number].is_quorum(signers(policies[number], vkeys)):
            raise Difference(f"the checkpoint of {size} leaves has not met policy {number}, and is said to have")


def _check_places() -> None:
    lost = tree.place_without_leaf()
    if lost is not None:
        raise Difference(f"receipt {lost[1]} of {_name(lost[0])} has its place at leaf {lost[2]}, which is not there")
    lost = tree.place_without_receipt()
    if lost is not None:
        raise Difference(f"leaf {lost[2]} is of receipt {lost[1]} of {_name(lost[0])}, which is not there")


def _check_chains(report: Report) -> None:
    """Every vault's chain from its first receipt to its head, and the leaves that pin it."""
    heads = tree.heads()
    head = next(heads, None)
    for vault_id, rows in groupby(store.ledger(), key=lambda row: row[0].vault_id):
        while head is not None and head.vault_id < vault_id:
            _check_chain(report, head, [])
            head = next(heads, None)
        if head is None or head.vault_id != vault_id:
            raise Difference(f"{_name(vault_id)} has receipts, and its chain has no head")
        _check_chain(report, head, rows)
        head = next(heads, None)
    while head is not None:
        _check_chain(report, head, [])
        head = next(heads, None)


def _check_chain(report: Report, head: tree.Head, rows: Iterable[store.LedgerRow]) -> None:
    elsewhere: list[int] = []

    def lines() -> Iterator[Line]:
        for receipt, entry in rows:
            if entry is not None and Leaf.parse(entry).chain_hash != receipt.chain_hash:
                elsewhere.append(receipt.seq)
            yield Line(canonical(body_of(receipt)), receipt.digest, receipt.chain_hash)

    count, problems = verify_chain(lines(), str(head.vault_id), (head.seq, head.chain_hash))
    report.vaults += 1
    report.receipts += count
    if problems:
        raise Difference(f"receipt {problems[0].seq} of {_name(head.vault_id)} does not hold: {problems[0].what}")
    if elsewhere:
        raise Difference(f"receipt {elsewhere[0]} of {_name(head.vault_id)} is not the one that its leaf pins")


def _name(vault_id: UUID) -> str:
    return typed("vlt", vault_id)
