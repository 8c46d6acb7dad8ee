"""The ledger as a seat follows it. The holder sees the chain. Whoever acts for them sees its lines by their place among
those they may know of, and nothing of the chain: a gap in its numbers would tell that something is sealed from them.

It stands in this room because a line may tell of anything up to a conversation.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from apps.access import services as access
from apps.ledger import services as ledger
from apps.ledger.log import reading
from apps.memories import services as memories
from apps.policy.disclosure import Disclosure
from apps.policy.ids import typed
from apps.policy.roles import Deed, may, needs
from apps.policy.types import Holder, Receipt, Turn
from apps.policy.veil import Veil
from apps.shares import services as shares
from apps.turns import store


@needs(Deed.FOLLOW)
def receipts(
    holder: Holder,
    /,
    *,
    limit: int = 50,
    before: int | None = None,
    after: int | None = None,
    start: datetime | None = None,
    end: datetime | None = None,
    **equal: str | UUID,
) -> tuple[Receipt, ...]:
    """The lines this seat may see, newest first, by its own numbers, which `before` and `after` are too. For the other
    filters see ledger.receipts.
    """
    veil = _veil(holder)
    if veil is not None:
        before = veil.upto + 1 if before is None else min(veil.seq(before), veil.upto + 1)
        after = None if after is None else veil.seq(after)
    found = ledger.receipts(
        holder.vault_id,
        holder.actor,
        limit=limit,
        before=before,
        after=after,
        start=start,
        end=end,
        without=veil.hidden if veil else (),
        **equal,
    )
    return found if veil is None else tuple(map(veil.line, found))


@needs(Deed.FOLLOW)
def receipt(holder: Holder, number: int) -> Receipt | None:
    """One line by this seat's own number; None for a number that no line has."""
    veil = _veil(holder)
    if veil is None:
        return ledger.receipt(holder.vault_id, holder.actor, number)
    found = ledger.receipt(holder.vault_id, holder.actor, veil.seq(number)) if veil.seq(number) <= veil.upto else None
    return found and veil.line(found)


@needs(Deed.FOLLOW)
def last_number(holder: Holder) -> int:
    """The newest line's number; 0 for an empty ledger."""
    veil = _veil(holder)
    return ledger.last_seq(holder.vault_id, holder.actor) if veil is None else veil.place(veil.upto)


@needs(Deed.LOOK)
def numbers(holder: Holder, seqs: Iterable[int]) -> dict[int, int]:
    """The chain's numbers, and by which number this seat knows each."""
    wanted = tuple(seqs)
    veil = _veil(holder) if wanted else None
    return {seq: seq if veil is None else veil.place(seq) for seq in wanted}


@needs(Deed.SHOW)
def shown(holder: Holder, looked: memories.Shown) -> memories.Shown:
    """What was shown, with its receipts by the numbers this seat knows."""
    known = numbers(holder, {looked.first, looked.last, *(each.seq for each in looked.values)} - {0})
    values = tuple(replace(each, seq=known[each.seq]) for each in looked.values)
    return replace(looked, values=values, first=known.get(looked.first, 0), last=known.get(looked.last, 0))


@needs(Deed.ASK)
def numbered(holder: Holder, found: Turn) -> Turn:
    """The turn with its receipts by the numbers this seat knows."""
    seqs = {item.seq for item in found.items if item.seq} | ({found.receipt_seq} if found.receipt_seq else set())
    known = numbers(holder, seqs)
    items = tuple(replace(item, seq=item.seq and known[item.seq]) for item in found.items)
    return replace(found, items=items, receipt_seq=found.receipt_seq and known[found.receipt_seq])


@needs(Deed.FOLLOW)
def provenance(holder: Holder, memory_id: UUID) -> access.Provenance | None:
    """Where a memory comes from and went, by the numbers this seat knows; see access.provenance."""
    return _with_links(holder, access.provenance(holder, memory_id, _veil(holder)))


@needs(Deed.TAKE)
def provenance_checked(holder: Holder, memory_id: UUID) -> access.Provenance | None:
    """`provenance`, with the value looked at and compared with what its receipts are bound to; see access."""
    return _with_links(holder, access.provenance_checked(holder, memory_id))


@needs(Deed.FOLLOW)
def _with_links(holder: Holder, found: access.Provenance | None) -> access.Provenance | None:
    """With what the recipients of links are called, where one was handed it or left a note."""
    if found is None:
        return None
    suggested = (each.proposal for each in found.history if each.proposal is not None)
    parties = [*(each.recipient for each in found.recipients), *(each.source for each in suggested)]
    by_link = any(each.startswith("lnk_") for each in parties)
    return replace(found, clients=found.clients | shares.names(holder)) if by_link else found


@needs(Deed.TAKE)
def disclosures(
    holder: Holder, now: datetime, start: datetime | None = None, end: datetime | None = None, *, roll_up: bool = False
) -> tuple[Disclosure, ...]:
    """Every hand-over of a span of time, those by links that were shared among them; see access."""
    return access.disclosures(holder, now, start, end, roll_up=roll_up, others=shares.addresses(holder))


@needs(Deed.LOOK)
def names(holder: Holder) -> dict[str, str]:
    """What to call the parties of a vault's receipts, by `cli_…`; for who may follow also by `lnk_…` ("": nobody)."""
    known = access.names(holder.vault_id, holder.actor)
    return known | (shares.names(holder) if may(holder, Deed.FOLLOW) is None else {})


def _veil(holder: Holder) -> Veil | None:
    """What lies over the chain for this seat; None for the holder, who sees it as it is.

    The last line is looked up first: of what is written or sealed while the others are, nothing is shown this time.
    """
    if not holder.acting:
        return None
    upto = ledger.last_seq(holder.vault_id, holder.actor)
    with reading(holder.vault_id, holder.actor):
        turns = store.touching(holder.vault_id, memories.sealed_within(holder))
        asked = store.requests_of(holder.vault_id, turns)
    hidden = access.hidden(holder)
    told = {*(typed("trn", each) for each in turns), *(typed("req", each) for each in asked), *shares.hidden(holder)}
    return ledger.veil(holder.vault_id, holder.actor, upto, replace(hidden, objects=hidden.objects | told))
