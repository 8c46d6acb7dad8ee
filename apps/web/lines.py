"""Receipts as lines on a page: labels, names and words for what a receipt states in ids."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.ids import untyped
from apps.policy.people import CLOCK, DOOR, actor
from apps.policy.text import visible
from apps.policy.types import Holder, Memory, Proposal, Receipt
from apps.policy.vocabulary import Category, Form, ReceiptKind, Refusal, Role
from apps.turns import services as turns
from apps.web import words
from apps.web.deeds import of_kind

ROLES = {actor(role, UUID(int=0))[:4]: word for role, word in words.ROLES.items() if role is not Role.HOLDER}
BY_PERSON = {"hld_", *ROLES}
BY_PROGRAM = {
    "sys_index": "the search index",
    CLOCK: "the clock",
    DOOR: "the door",
    "sys_restore": "the restore of a backup",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One ledger line. `shape` is value, attested, refused or act; `who` begins with *to* or *by*."""

    seq: int
    at: datetime
    what: str
    who: str
    how: str
    why: str
    shape: str
    special: bool
    receipt: Receipt


@dataclass(frozen=True, slots=True)
class Names:
    """What the ids on a vault's receipts are called. Special memories go by their neutral label, even here."""

    memories: Mapping[UUID, Memory]
    proposals: Mapping[UUID, Proposal]  # by the id of the memory each would become
    clients: Mapping[str, str]
    people: Mapping[str, str]  # who acts, or ever acted, for the holder; by actor
    seat: Holder

    def memory(self, memory_id: UUID) -> str:
        """What the holder's pages call it: a label, a suggestion's label, or that it is gone."""
        if found := self.memories.get(memory_id):
            return visible(found.outer_label)
        if proposed := self.proposals.get(memory_id):
            return f"{visible(proposed.label)}, a suggestion"
        return "An erased memory"

    def party(self, name: str) -> str:
        """Whoever acted or was handed something, as the pages call them."""
        if name == self.seat.actor:
            return "you"
        if name.startswith("hld_"):
            return visible(self.seat.holder_name)
        if role := ROLES.get(name[:4]):
            if name in self.people:
                return f"{visible(self.people[name])}, {role}"
            return "somebody in an emergency" if name.startswith("emg_") else f"a {role}"
        if name.startswith("sys_"):
            return BY_PROGRAM.get(name, "this vault")
        if name.startswith("mdl_"):  # the chat's model endpoint, named by its host
            host = visible(name.removeprefix("mdl_").removeprefix("local/"))
            return "the stand-in" if name == "mdl_stand-in" else f"the chat at {host}"
        if untyped("lnk", name):
            who = self.clients.get(name, "")
            return f"{visible(who)}, by a link" if who else "whoever has a link that was shared"
        return visible(self.clients.get(name, "an assistant" if untyped("cli", name) else name))

    def source(self, said: str) -> str:
        """Where a text came from that somebody else wrote down: an assistant by its name, people by their role; "" for
        the holder's own.
        """
        if said == Role.HOLDER.value:
            return ""
        if said == Role.EMERGENCY.value:
            return "somebody in an emergency"
        return f"a {words.ROLES[Role(said)]}" if said in set(Role) else self.party(said)


def names_of(holder: Holder) -> Names:
    """The names a holder's ledger needs: four look-ups, whatever its length."""
    known = {each.memory_id: each for each in memories.memories(holder)}
    proposed = {each.memory_id: each for each in memories.proposals(holder, None)}
    return Names(known, proposed, turns.names(holder), holders.acted(holder), holder)


def lines(receipts: Iterable[Receipt], names: Names) -> list[Line]:
    """Receipts as ledger lines, in their order."""
    return [_line(each, names) for each in receipts]


def newest(holder: Holder, limit: int) -> list[Line]:
    """The newest lines of a holder's ledger."""
    found = turns.receipts(holder, limit=limit)
    return lines(found, names_of(holder)) if found else []


def _line(receipt: Receipt, names: Names) -> Line:
    deed = of_kind(receipt.kind)
    refused = receipt.kind == ReceiptKind.VALUE_REFUSED
    value = receipt.kind.startswith("value.")
    attested = receipt.form == Form.ATTESTED
    toward = receipt.recipient if value and receipt.recipient != "-" else receipt.actor
    return Line(
        seq=receipt.seq,
        at=receipt.at,
        what=_what(receipt, names, deed.noun),
        who=f"{'to' if value and not refused else 'by'} {_party(receipt, names, toward)}",
        how="confirmed" if attested and receipt.kind != ReceiptKind.VALUE_SHOWN else deed.done,
        why=_why(receipt),
        shape="refused" if refused else "attested" if attested else "value" if value else "act",
        special=_special(receipt),
        receipt=receipt,
    )


def _party(receipt: Receipt, names: Names, toward: str) -> str:
    """Whom a line names. Of what the chat did while its holder asked, the holder sees that the chat did it."""
    asked = receipt.kind == ReceiptKind.REQUEST_MADE and receipt.actor[:4] in BY_PERSON
    return "the chat" if asked or receipt.kind == ReceiptKind.TURN_ANSWERED else names.party(toward)


def _what(receipt: Receipt, names: Names, noun: str) -> str:
    if receipt.memory_id:
        return names.memory(receipt.memory_id)
    if untyped("cli", receipt.object) and receipt.object in names.clients:
        name = visible(names.clients[receipt.object])
        return f"{noun} of {name}" if receipt.kind.startswith("key.") else name
    if _special(receipt):
        return f"{noun}: {words.CATEGORIES[Category(receipt.category)].lower()}"
    return noun


def _special(receipt: Receipt) -> bool:
    return receipt.category in set(Category) and Category(receipt.category).special


def _why(receipt: Receipt) -> str:
    if receipt.reason in set(Refusal):
        return words.refusal(receipt.reason).short
    statuses = {status.value: word for status, word in words.PARTS.items()}
    return statuses.get(receipt.reason, "")
