"""Looking at receipts and checking a vault's chain."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.ledger import store
from apps.ledger.format.encoding import Line, Problem, canonical, verify_chain
from apps.ledger.log import reading
from apps.policy.ids import instant
from apps.policy.types import Receipt
from apps.policy.veil import Hidden, Veil
from apps.policy.vocabulary import Category, ReceiptKind

AT_ONCE = 1_000  # receipts that are read, and stand in memory, at once


@dataclass(frozen=True, slots=True)
class ChainVerdict:
    """What a check of a whole chain found: `count` lines read, `problems` (none: the chain holds)."""

    count: int
    problems: tuple[Problem, ...]

    def __bool__(self) -> bool:
        return not self.problems


def body_of(receipt: Receipt) -> dict[str, str | int]:
    """The receipt's object as it is canonicalised: typed ids, hex, UTC microseconds, `-` for absent."""
    return {
        "v": "muniment-receipt/1",
        "vault": f"vlt_{receipt.vault_id.hex}",
        "seq": receipt.seq,
        "time": instant(receipt.at),
        "kind": receipt.kind,
        "actor": receipt.actor,
        "on_behalf_of": receipt.on_behalf_of,
        "recipient": receipt.recipient,
        "object": receipt.object,
        "memory": f"mem_{receipt.memory_id.hex}" if receipt.memory_id else "-",
        "version": receipt.version,
        "category": receipt.category,
        "form": receipt.form,
        "reason": receipt.reason,
        "request": receipt.request,
        "turn": receipt.turn,
        "purpose": receipt.purpose,
        "commitment": receipt.commitment.hex() if receipt.commitment else "-",
        "salt": receipt.salt.hex(),
    }


def receipts(
    vault_id: UUID,
    actor: str,
    /,  # so that `equal` may name an actor too
    *,
    limit: int = 50,
    before: int | None = None,
    after: int | None = None,
    start: datetime | None = None,
    end: datetime | None = None,
    without: Collection[int] = (),
    **equal: str | UUID,
) -> tuple[Receipt, ...]:
    """A vault's receipts, newest first; see store.receipts for the filters. `start`/`end` bound their time."""
    with reading(vault_id, actor):
        first = last = None
        if start or end:
            span = store.between(vault_id, start, end)
            if span is None:
                return ()
            first, last = span
        return store.receipts(
            vault_id, limit=limit, before=before, after=after, first=first, last=last, without=without, **equal
        )


def uses_within(vault_id: UUID, objects: Collection[str], without: Collection[UUID]) -> dict[str, tuple[int, datetime]]:
    """How often these grants were read on, and when last, looking away from these memories. Within a look or an act."""
    return store.uses(vault_id, objects, without) if objects else {}


def only_about_within(vault_id: UUID, kind: ReceiptKind, memory_ids: Collection[UUID]) -> frozenset[str]:
    """The objects, by their typed ids, whose receipts of this kind are about none but these memories. Within a look or
    an act.
    """
    return store.only_about(vault_id, kind.value, memory_ids) if memory_ids else frozenset()


def requests_on_within(vault_id: UUID, object: str, without: Collection[UUID]) -> frozenset[str]:
    """What the hand-overs on this object were asked by, looking away from these memories. Within a look or an act."""
    return store.requests_on(vault_id, object, without)


def veil(vault_id: UUID, actor: str, upto: int, hidden: Hidden) -> Veil:
    """The ledger up to a line, without the lines that tell of what is hidden."""
    if not hidden.memories:
        return Veil(upto)
    with reading(vault_id, actor):
        return Veil(upto, store.about(vault_id, hidden))


def receipt(vault_id: UUID, actor: str, seq: int, *, own: bool = False) -> Receipt | None:
    """One receipt. With `own` (a client's look) only if that client is its actor."""
    with reading(vault_id, actor):
        return store.receipt(vault_id, seq, actor if own else None)


def runs(vault_id: UUID, actor: str, first: int, last: int) -> Iterator[list[Receipt]]:
    """The receipts from `first` to `last`, both included, some at a time. Each lot is read in a transaction of its own,
    so that nothing is held open while somebody takes it away."""
    for start in range(first, last + 1, AT_ONCE):
        with reading(vault_id, actor):
            found = store.run(vault_id, start, min(start + AT_ONCE - 1, last))
        yield found


def handed_over(
    vault_id: UUID, actor: str, *, after: int, limit: int, start: datetime | None = None, end: datetime | None = None
) -> tuple[Receipt, ...]:
    """What was handed over or shown, oldest first: receipts after number `after`, from `start` until before `end`."""
    with reading(vault_id, actor):
        return store.handed_over(vault_id, after=after, limit=limit, start=start, end=end)


def read_by(
    vault_id: UUID, actor: str, start: datetime, end: datetime, *, limit: int, without: Collection[UUID] = ()
) -> tuple[tuple[tuple[str, int, int, int], ...], int, int]:
    """Which clients read from `start` until before `end`, at most `limit`, those that read most first: client (cli_…),
    how many reads, how many of them of a special category, how often refused; how many clients that were in all; and
    how often links of shares were opened. All of it looking away from the memories `without`.
    """
    apart = [each.value for each in Category if each.special]
    with reading(vault_id, actor):
        rows, many = store.read_by(vault_id, start, end, apart, limit, without)
        return rows, many, store.openings(vault_id, start, end, without)


def handed_to(vault_id: UUID, actor: str, recipient: str, ids: Collection[UUID]) -> frozenset[UUID]:
    """Those of these memories that were ever handed to this recipient."""
    with reading(vault_id, actor):
        return store.handed_to(vault_id, recipient, ids)


def told_to(vault_id: UUID, recipient: str, objects: Collection[str]) -> frozenset[str]:
    """Those of these edges and entities, by their typed ids, that this client was ever told of."""
    with reading(vault_id, recipient):
        return store.told_to(vault_id, recipient, objects)


def acts_on(vault_id: UUID, actor: str, objects: Sequence[str]) -> tuple[Receipt, ...]:
    """What was done with these objects (typed ids of grants, clients, …), oldest first; hand-overs are left out."""
    with reading(vault_id, actor):
        return store.acts_on(vault_id, objects)


def last_seq(vault_id: UUID, actor: str) -> int:
    """The number of the newest receipt; 0 for an empty ledger."""
    with reading(vault_id, actor):
        return store.last_seq(vault_id)


def last_seq_within(vault_id: UUID) -> int:
    """`last_seq`, within a look or an act."""
    return store.last_seq(vault_id)


def verify(vault_id: UUID, actor: str) -> ChainVerdict:
    """Re-compute every digest and chain hash of a vault from its rows, in Python, and compare."""
    with reading(vault_id, actor):
        lines = (Line(canonical(body_of(r)), r.digest, r.chain_hash) for r in store.chain(vault_id))
        count, problems = verify_chain(lines, str(vault_id))
    return ChainVerdict(count, tuple(problems))
