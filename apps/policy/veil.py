"""What a holder seals from guardians leaves no trace: what is left of a ledger, a request, a grant, a turn. Pure.

A guardian's or delegate's lines are counted among themselves: chain numbers would have gaps where something is hidden.
"""

from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from apps.policy.types import AccessPart, AccessRequest, Grant, Receipt
from apps.policy.vocabulary import ReceiptKind

LEVELLED = (ReceiptKind.DELEGATION_MADE, ReceiptKind.DELEGATION_RENEWED, ReceiptKind.DELEGATION_ENDED)  # by `reason`


@dataclass(frozen=True, slots=True)
class Hidden:
    """What somebody isn't shown of a vault, as receipts name it. `parts` are `req_…/category`."""

    memories: frozenset[UUID] = frozenset()
    objects: frozenset[str] = frozenset()  # memories, proposals, requests, grants and turns, by their typed ids
    parts: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Veil:
    """A ledger up to a line, without some of its lines. `hidden` are their chain numbers, rising."""

    upto: int
    hidden: tuple[int, ...] = ()

    def place(self, seq: int) -> int:
        """Which line it is among those that are left."""
        return seq - bisect_right(self.hidden, seq)

    def seq(self, place: int) -> int:
        """The chain number of the line at this place."""
        for each in self.hidden:
            if each > place:
                break
            place += 1
        return place

    def line(self, receipt: Receipt) -> Receipt:
        """The receipt by its place, with nothing on it by which the chain could be told, nor how far somebody else may
        act here.
        """
        reason = "-" if receipt.kind in LEVELLED else receipt.reason
        bare = replace(receipt, commitment=None, salt=b"", digest=b"", chain_hash=b"")
        return replace(bare, seq=self.place(receipt.seq), reason=reason)


def left_of_request(request: AccessRequest, sealed: Collection[UUID]) -> AccessRequest | None:
    """The request as though nobody had asked for what is sealed; None where nothing is left to ask for.

    A turn's goes whole: its question and its answer may tell.
    """
    asked = {memory_id for each in request.parts for memory_id in each.part.memory_ids}
    if asked.isdisjoint(sealed):
        return request
    parts = tuple(part for each in request.parts if (part := _left_of_part(each, sealed)))
    return replace(request, parts=parts) if parts and request.turn_id is None else None


def _left_of_part(part: AccessPart, sealed: Collection[UUID]) -> AccessPart | None:
    ids = tuple(each for each in part.part.memory_ids if each not in sealed)
    if not ids and not part.part.whole_category:
        return None
    return replace(part, part=replace(part.part, memory_ids=ids))


def left_of_grant(grant: Grant, sealed: Collection[UUID]) -> Grant | None:
    """The grant without what is sealed; None where that was all of it, and where a turn's question goes with it."""
    left = grant.memory_ids - frozenset(sealed)
    if left == grant.memory_ids:
        return grant
    return replace(grant, memory_ids=left) if left and grant.turn_id is None else None


def without_reads(grant: Grant, done: int, last: datetime | None) -> Grant:
    """The grant as though only `done` reads had been made on it, the last of them then."""
    left = None if grant.reads_left is None else grant.reads_left + grant.reads_done - done
    return replace(grant, reads_done=done, reads_left=left, last_used_at=last)
