"""What a vault's receipts say of one memory, and whether its chain holds: for whoever traces where something went."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.ledger import store
from apps.ledger.format.encoding import Line, Problem, Walk, canonical, genesis
from apps.ledger.format.opening import Opening
from apps.ledger.log import reading
from apps.ledger.services.receipts import body_of
from apps.policy.ids import typed

MOST_WALKED = 5_000


@dataclass(frozen=True, slots=True)
class Recipient:
    """Somebody to whom a memory went: how often, by which receipt first and last, for what. `values`: not only proof
    of it.
    """

    recipient: str
    number: int
    first_seq: int
    last_seq: int
    first_at: datetime
    last_at: datetime
    purposes: tuple[str, ...]
    values: bool


@dataclass(frozen=True, slots=True)
class Walked:
    """The newest lines of a chain, made anew and compared: from `first` to `last`, and what does not hold."""

    first: int
    last: int
    problems: tuple[Problem, ...]


def recipients_within(vault_id: UUID, memory_id: UUID, without: Collection[int] = ()) -> tuple[Recipient, ...]:
    """To whom a memory went, the last first; `without` these lines. Within a look."""
    found = store.recipients(vault_id, memory_id, without)
    return tuple(Recipient(*row[:6], tuple(row[6]), row[7]) for row in found)


def walk_within(vault_id: UUID, last: int) -> Walked:
    """Make the chain anew up to a line and compare it, from its beginning or over the newest 5,000. Within a look."""
    first = max(last - MOST_WALKED + 1, 1)
    before = store.chain_hash(vault_id, first - 1) if first > 1 else genesis(str(vault_id))
    if not last or before is None:
        return Walked(first, last, (Problem(first, "chain"),) if last else ())
    walk = Walk(typed("vlt", vault_id), first - 1, before)
    lines = [Line(canonical(body_of(each)), each.digest, each.chain_hash) for each in store.run(vault_id, first, last)]
    problems = walk.lines(lines) if lines else []
    whole = () if walk.seq == last else (Problem(walk.seq + 1, "seq"),)
    return Walked(first, last, (*problems, *whole))


def bound(vault_id: UUID, actor: str, opening: Opening, memory_id: UUID) -> int | None:
    """The first receipt that is bound to this value. None where there is none, or where any receipt of the same version
    is bound to something else.
    """
    with reading(vault_id, actor):
        found = store.committed(vault_id, memory_id, opening.version)
    mine = found.get(bytes.fromhex(opening.commitment))
    return mine if len(found) == 1 else None
