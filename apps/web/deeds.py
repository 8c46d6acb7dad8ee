"""What a receipt's kind is called on a page."""

from typing import NamedTuple

from apps.policy.vocabulary import ReceiptKind


class Deed(NamedTuple):
    """A receipt's kind: `noun` stands in where the line is about no memory, `done` is the word on its tag."""

    noun: str
    done: str


KINDS: dict[ReceiptKind, Deed] = {
    ReceiptKind.VALUE_READ: Deed("A memory", "handed over"),
    ReceiptKind.VALUE_SHOWN: Deed("A memory", "shown"),
    ReceiptKind.VALUE_INDEXED: Deed("A memory", "indexed"),
    ReceiptKind.VALUE_REFUSED: Deed("A memory", "refused"),
    ReceiptKind.VAULT_OPENED: Deed("The vault", "opened"),
    ReceiptKind.CLIENT_REGISTERED: Deed("An assistant", "registered"),
    ReceiptKind.CLIENT_PAUSED: Deed("An assistant", "paused"),
    ReceiptKind.CLIENT_RESUMED: Deed("An assistant", "resumed"),
    ReceiptKind.CLIENT_REVOKED: Deed("An assistant", "stopped"),
    ReceiptKind.CLIENT_LOCAL: Deed("An assistant", "marked as running at home"),
    ReceiptKind.CLIENT_HOSTED: Deed("An assistant", "no longer marked as running at home"),
    ReceiptKind.KEY_MADE: Deed("A key", "made"),
    ReceiptKind.KEY_REVOKED: Deed("A key", "ended"),
    ReceiptKind.MEMORY_ADDED: Deed("A memory", "added"),
    ReceiptKind.MEMORY_CORRECTED: Deed("A memory", "corrected"),
    ReceiptKind.MEMORY_WITHDRAWN: Deed("A memory", "put away"),
    ReceiptKind.MEMORY_RESTORED: Deed("A memory", "put back"),
    ReceiptKind.MEMORY_SEALED: Deed("A memory", "sealed from guardians"),
    ReceiptKind.MEMORY_INDEXED: Deed("Search", "renewed"),
    ReceiptKind.MEMORY_BACKDATED: Deed("A memory", "added to its past"),
    ReceiptKind.MEMORY_POSTDATED: Deed("A memory", "said from a day to come"),
    ReceiptKind.MEMORY_CANCELLED: Deed("A memory", "taken back before its day"),
    ReceiptKind.MEMORY_REVERTED: Deed("A memory", "taken back to what it was"),
    ReceiptKind.MEMORY_REAFFIRMED: Deed("A memory", "said again on purpose"),
    ReceiptKind.MEMORY_REOPENED: Deed("A memory", "opened again"),
    ReceiptKind.MEMORY_RESOLVED: Deed("A memory", "settled"),
    ReceiptKind.MEMORY_RESCOPED: Deed("A memory", "put under another subject"),
    ReceiptKind.MEMORY_MARKED: Deed("A memory", "marked"),
    ReceiptKind.MEMORY_MERGED: Deed("A memory", "merged"),
    ReceiptKind.MEMORY_PARTED: Deed("A memory", "parted again"),
    ReceiptKind.MEMORY_ENDING: Deed("A memory’s time", "nearly over"),
    ReceiptKind.MEMORY_ERASED: Deed("A memory", "erased"),
    ReceiptKind.ERASURE_ORDERED: Deed("An erasure", "ordered"),
    ReceiptKind.ERASURE_CERTIFIED: Deed("An erasure", "certified"),
    ReceiptKind.VAULT_ERASED: Deed("The vault", "erased"),
    ReceiptKind.ERASURE_FORGOTTEN: Deed("The words of an erasure", "erased"),
    ReceiptKind.ERASURE_BARRED: Deed("A legal hold", "placed"),
    ReceiptKind.ERASURE_FREED: Deed("A legal hold", "lifted"),
    ReceiptKind.KEYS_ROTATED: Deed("The vault's key", "renewed"),
    ReceiptKind.ENTITY_NAMED: Deed("A name", "noted"),
    ReceiptKind.ENTITY_MERGED: Deed("A name", "merged"),
    ReceiptKind.ENTITY_PARTED: Deed("A name", "parted again"),
    ReceiptKind.ENTITY_READ: Deed("A name", "told"),
    ReceiptKind.EDGE_DRAWN: Deed("A link", "drawn"),
    ReceiptKind.EDGE_ENDED: Deed("A link", "ended"),
    ReceiptKind.EDGE_READ: Deed("A link", "told"),
    ReceiptKind.PROPOSAL_MADE: Deed("A proposal", "made"),
    ReceiptKind.PROPOSAL_APPROVED: Deed("A proposal", "approved"),
    ReceiptKind.PROPOSAL_REJECTED: Deed("A proposal", "rejected"),
    ReceiptKind.PROPOSAL_WITHDRAWN: Deed("A proposal", "taken back"),
    ReceiptKind.PROPOSAL_EXPIRED: Deed("A proposal", "ended undecided"),
    ReceiptKind.PROPOSAL_REBASED: Deed("A proposal", "set against what is kept now"),
    ReceiptKind.PROPOSAL_LIFTED: Deed("A proposal", "allowed again"),
    ReceiptKind.PROPOSAL_UNDONE: Deed("A proposal", "undone"),
    ReceiptKind.REQUEST_MADE: Deed("A request", "asked"),
    ReceiptKind.REQUEST_DECIDED: Deed("A request", "decided"),
    ReceiptKind.REQUEST_CANCELLED: Deed("A request", "taken back"),
    ReceiptKind.REQUEST_EXPIRED: Deed("A request", "expired"),
    ReceiptKind.GRANT_MADE: Deed("A grant", "made"),
    ReceiptKind.GRANT_NARROWED: Deed("A grant", "narrowed"),
    ReceiptKind.GRANT_REVOKED: Deed("A grant", "stopped"),
    ReceiptKind.GRANT_EXPIRED: Deed("A grant", "expired"),
    ReceiptKind.GRANT_LAPSED: Deed("A grant", "lapsed, unused"),
    ReceiptKind.TURN_ASKED: Deed("A question", "asked"),
    ReceiptKind.TURN_ANSWERED: Deed("An answer", "given"),
    ReceiptKind.SPACE_FOUNDED: Deed("The space", "founded"),
    ReceiptKind.MEMBER_JOINED: Deed("A member", "joined"),
    ReceiptKind.MEMBER_LEFT: Deed("A member", "left"),
    ReceiptKind.INVITATION_MADE: Deed("An invitation", "made"),
    ReceiptKind.INVITATION_WITHDRAWN: Deed("An invitation", "taken back"),
    ReceiptKind.DELEGATION_MADE: Deed("Leave to act here", "given"),
    ReceiptKind.DELEGATION_RENEWED: Deed("Leave to act here", "renewed"),
    ReceiptKind.DELEGATION_ENDED: Deed("Leave to act here", "ended"),
    ReceiptKind.ADDRESS_GIVEN: Deed("An address to sign in with", "given"),
    ReceiptKind.TIER_ANNOUNCED: Deed("A birthday", "announced"),
    ReceiptKind.TIER_CHANGED: Deed("What guardians may do", "changed"),
    ReceiptKind.REVIEW_APPROVED: Deed("What was allowed", "approved"),
    ReceiptKind.REVIEW_NARROWED: Deed("What was allowed", "approved for less"),
    ReceiptKind.REVIEW_RETURNED: Deed("What was allowed", "sent back"),
    ReceiptKind.REVIEW_DECLINED: Deed("What was allowed", "declined"),
    ReceiptKind.DESK_ENTERED: Deed("The desk", "entered"),
    ReceiptKind.DESK_LEFT: Deed("The desk", "left"),
    ReceiptKind.SPACE_SETTLED: Deed("The space’s policy", "settled"),
    ReceiptKind.EMERGENCY_ENTERED: Deed("The file", "opened in an emergency"),
    ReceiptKind.EMERGENCY_LEFT: Deed("The file", "left after an emergency"),
    ReceiptKind.EMERGENCY_REVIEWED: Deed("An emergency", "reviewed"),
}


def of_kind(kind: str) -> Deed:
    """The wording of a receipt's kind; one that this version doesn't know is shown by its own name."""
    return KINDS[ReceiptKind(kind)] if kind in set(ReceiptKind) else Deed("An act", kind)
