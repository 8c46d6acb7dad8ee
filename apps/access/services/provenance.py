"""Provenance in one answer, in the order in which an auditor asks: what holds, who said it, what it was made from, what
it said before, who was handed it, whether that can be checked, and what all this does not prove. No value is in it.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from apps.access import store
from apps.ledger import services as ledger
from apps.ledger.format.opening import Opening
from apps.ledger.format.verdict import Altered
from apps.ledger.log import reading
from apps.memories import services as memories
from apps.memories.services.linking import Link
from apps.policy.ids import typed, untyped
from apps.policy.links import EdgeKind, Merge
from apps.policy.proposals import Proposal
from apps.policy.roles import Deed, needs
from apps.policy.types import Holder, Memory, MemoryVersion
from apps.policy.veil import Veil
from apps.policy.vocabulary import Ended

LIMITS = (
    "It says what this vault was told, by whom and when; it does not show that what was told is true.",
    "A source is the word of whoever wrote it down. An assistant is named by the key that was used.",
    "Lineage is what was handed over, or was said to be used. What an assistant learned elsewhere is not in it.",
    "Who was handed it is who got it from this vault. What they passed on is not in it, nor whether they used it.",
    "Receipts show what was recorded, and that the record holds; their times are the clock of the instance's database.",
    "Whoever has both the database and the root key reads without a receipt.",
)


class Content(StrEnum):
    """Does the value match what its receipts are bound to? Only a look at it can tell, and a look has its receipt."""

    NOT_CHECKED = "not-checked"
    MATCHES = "matches"
    DIFFERS = "differs"


@dataclass(frozen=True, slots=True)
class Told:
    """A version, and the suggestion it came from. `kept` is false for words that were suggested and not kept."""

    line: MemoryVersion
    proposal: Proposal | None
    kept: bool


@dataclass(frozen=True, slots=True)
class Integrity:
    """What was checked of the record. The chain was made anew from line `first` (0: not said) to line `last`.

    `newest` is the newest receipt about the memory, and `logged` where that one stands in the log; None where it is not
    there yet, or is not said.
    """

    content: Content
    bound_by: int | None  # the first receipt that is bound to the value
    holds: bool
    first: int
    last: int
    newest: int
    logged: ledger.Logged | None


@dataclass(frozen=True, slots=True)
class Provenance:
    """See the module. `since` is when the version that holds was told; `said_by` whose words it is, an assistant's
    where they were kept as it suggested them; `kept_by` who wrote it down, or said yes to it; `attested_by` who had the
    vault confirm that version, "" where it does not. `clients` are what assistants are called, by `cli_…`.
    """

    memory: Memory
    since: datetime
    said_by: str
    kept_by: str
    attested_by: str
    links: tuple[Link, ...]
    merges: tuple[Merge, ...]
    history: tuple[Told, ...]
    recipients: tuple[ledger.Recipient, ...]
    integrity: Integrity
    clients: dict[str, str]
    limits: tuple[str, ...] = LIMITS

    @property
    def made_from(self) -> tuple[Link, ...]:
        return tuple(each for each in self._lineage if each.outward)

    @property
    def made_into(self) -> tuple[Link, ...]:
        return tuple(each for each in self._lineage if not each.outward)

    @property
    def others(self) -> tuple[Link, ...]:
        """The edges that are no lineage."""
        return tuple(each for each in self.links if each not in self._lineage)

    @property
    def _lineage(self) -> tuple[Link, ...]:
        return tuple(each for each in self.links if each.edge.kind is EdgeKind.DERIVED_FROM)


@needs(Deed.FOLLOW)
def provenance(holder: Holder, memory_id: UUID, veil: Veil | None = None) -> Provenance | None:
    """Where a memory comes from and went; None for an unknown or erased one. The value is not looked at.

    `veil` lies over the ledger for whoever acts for the holder: they see lines by their own numbers, and no log.
    """
    found = memories.origin(holder, memory_id)
    if found is None:
        return None
    with reading(holder.vault_id, holder.actor, still=True):
        clients = {typed("cli", each.client_id): each.name for each in store.clients(holder.vault_id)}
        last = ledger.last_seq_within(holder.vault_id) if veil is None else veil.upto
        hidden = veil.hidden if veil is not None else ()
        recipients = ledger.recipients_within(holder.vault_id, memory_id, hidden)
        walked = ledger.walk_within(holder.vault_id, last)
    integrity = Integrity(Content.NOT_CHECKED, None, not walked.problems, walked.first, walked.last, 0, None)
    if veil is None:
        integrity = _in_the_log(holder, memory_id, integrity)
    else:
        integrity = replace(integrity, first=0, last=veil.place(last))
        recipients = tuple(
            replace(each, first_seq=veil.place(each.first_seq), last_seq=veil.place(each.last_seq))
            for each in recipients
        )
    source = found.memory.source
    current = next(each for each in found.history if each.version == found.memory.version)
    attested_by = current.made_by if found.memory.attested else ""
    return Provenance(
        memory=found.memory,
        since=current.made_at,
        said_by=source if untyped("cli", source) or untyped("lnk", source) else current.made_by,
        kept_by=current.made_by,
        attested_by=attested_by,
        links=found.links,
        merges=found.merges,
        history=tuple(_told(each, found) for each in found.history),
        recipients=recipients,
        integrity=integrity,
        clients=clients,
    )


@needs(Deed.TAKE)
def provenance_checked(holder: Holder, memory_id: UUID) -> Provenance | None:
    """`provenance`, with the value looked at and compared with what its receipts are bound to. The look is stamped as
    shown. The holder's alone: nobody else is given what opens a commitment.
    """
    looked = memories.show(holder, [memory_id], openings=True)
    found = provenance(holder, memory_id)
    if found is None or not looked.openings:
        return found
    opening = Opening.from_json(looked.openings[0])
    seq = ledger.bound(holder.vault_id, holder.actor, opening, memory_id)
    content = Content.DIFFERS if seq is None else Content.MATCHES
    return replace(found, integrity=replace(found.integrity, content=content, bound_by=seq))


def _told(line: MemoryVersion, found: memories.Origin) -> Told:
    proposal = found.proposals.get(line.proposal_id) if line.proposal_id is not None else None
    return Told(line, proposal, kept=line.ended_as is not Ended.PROPOSED)


def _in_the_log(holder: Holder, memory_id: UUID, integrity: Integrity) -> Integrity:
    newest = ledger.receipts(holder.vault_id, holder.actor, limit=1, memory_id=memory_id)
    if not newest:
        return integrity
    found = replace(integrity, newest=newest[0].seq)
    file = ledger.proof(holder.vault_id, holder.actor, found.newest)
    try:
        return replace(found, logged=ledger.logged(file) if file is not None else None)
    except Altered:
        return replace(found, holds=False)
