"""Every place a copy can be, and what makes it go: the list that a test holds against the code.

A new table, queue, cache or file that is not named here fails the build; so does one here that is nowhere.
"""

from dataclasses import dataclass
from enum import Enum


class Goes(Enum):
    """What makes what a place holds go."""

    WITH_THE_MEMORY = "with-the-memory"  # every erasure of a memory clears it there
    WITH_THE_VAULT = "with-the-vault"  # it says nothing of one memory; erasing the whole vault clears it
    BY_ITS_TIME = "by-its-time"  # a clock clears it, whatever is erased
    NOTHING_IN_IT = "nothing-in-it"  # no words of anybody's: ids, times, keyed digests of receipts
    OF_THE_INSTANCE = "of-the-instance"  # nobody's vault: the operator's own


@dataclass(frozen=True, slots=True)
class Place:
    """A place: what makes it go, and what it holds, in a sentence."""

    goes: Goes
    holds: str


_MEMORY, _VAULT, _TIME, _NOTHING, _OURS = Goes
PLACES: dict[str, Place] = {
    # ---- tables
    "sealed.value": Place(_MEMORY, "every version's ciphertext: its row is deleted"),
    "sealed.key": Place(_MEMORY, "every version's wrapped key: its row is deleted"),
    "sealed.search_term": Place(_MEMORY, "keyed words of what search finds: deleted"),
    "sealed.search_doc": Place(_MEMORY, "that search holds it: deleted"),
    "sealed.search_candidate": Place(_MEMORY, "keyed words of a suggestion: deleted"),
    "memory": Place(_MEMORY, "subject, label, dates: blanked; the row stays as one that never was"),
    "memory_version": Place(_MEMORY, "labels, reasons and dates of its history: blanked"),
    "value_print": Place(_MEMORY, "keyed digests of its words: deleted"),
    "proposal": Place(_MEMORY, "what was suggested about it: blanked, its candidates' keys deleted"),
    "entity": Place(_MEMORY, "the name of whom it alone was about: blanked"),
    "edge": Place(_MEMORY, "when a link to it held: ended and blanked"),
    "turn": Place(_MEMORY, "the key of every conversation turn that used it: destroyed"),
    "turn_event": Place(_MEMORY, "what was asked and answered, sealed under that key: noise from then on"),
    "turn_item": Place(_NOTHING, "which memory was used in which turn: ids"),
    "merge": Place(_NOTHING, "which two were one: ids"),
    "tombstone": Place(_NOTHING, "that it was erased, when, by which order"),
    "erasure_order": Place(_NOTHING, "how many, when, why: no words"),
    "erasure_words": Place(_VAULT, "the words that came with an order"),
    "legal_hold": Place(_VAULT, "who barred erasing, why and until when"),
    "receipt": Place(_NOTHING, "ids, times, and commitments whose keys are gone"),
    "sealed.chain_head": Place(_NOTHING, "the last receipt's number and hash"),
    "sealed.ticket_key": Place(_OURS, "the key that tickets are made with: random"),
    "sealed.handle": Place(_TIME, "hashes of what was stamped in the last day"),
    "grant_memory": Place(_NOTHING, "which memory a grant is for: ids"),
    "access_grant": Place(_NOTHING, "ids, purposes from a list, ends"),
    "access_request": Place(_MEMORY, "the note that a client gave with a request for it: blanked"),
    "request_part": Place(_NOTHING, "ids and categories that were asked for"),
    "review": Place(_MEMORY, "a reviewer's words on such a request: blanked"),
    "share": Place(_MEMORY, "the sender's words on a link that carried it: blanked"),
    "share_item": Place(_MEMORY, "that a link carried it: deleted"),
    "share_link": Place(_VAULT, "whom a link is for, the address it was sent to, the hash of its token"),
    "share_opening": Place(_VAULT, "when a link was opened, and coarsely with what"),
    "client": Place(_VAULT, "the name of an assistant"),
    "api_key": Place(_VAULT, "the hash of its key"),
    "vault_key": Place(_VAULT, "the vault's key, wrapped: without it nothing of the vault opens"),
    "vault": Place(_VAULT, "the holder's name, birthday and zone"),
    "delegation": Place(_VAULT, "who may act for the holder"),
    "emergency": Place(_VAULT, "the note of whoever opened a file unasked"),
    "invitation": Place(_VAULT, "the address that was invited"),
    "step_told": Place(_VAULT, "that a birthday was told"),
    "directory": Place(_VAULT, "the hash of a credential"),
    "member": Place(_VAULT, "who is in which space"),
    "letter": Place(
        _VAULT, "letters that wait: facts from a list, no label and no value, and a recipient's address; then emptied"
    ),
    "digest": Place(_VAULT, "when a person is looked up next"),
    "mail_wishes": Place(_VAULT, "which letters a person wants, when, and the words by which they know them"),
    "user": Place(_VAULT, "the holder's address and name, where no other vault or space needs them"),
    "user_groups": Place(_VAULT, "nothing is kept there"),
    "user_user_permissions": Place(_VAULT, "nothing is kept there"),
    "account_emailaddress": Place(_VAULT, "the holder's addresses"),
    "account_emailconfirmation": Place(_VAULT, "that an address is to be confirmed"),
    "mfa_authenticator": Place(_VAULT, "the holder's second factors"),
    "usersessions_usersession": Place(_VAULT, "where the holder is signed in from"),
    "django_session": Place(_TIME, "who is signed in, and what a page still has to say"),
    "space": Place(_OURS, "the name of a household or clinic"),
    "space_policy": Place(_OURS, "what a space has settled"),
    "space_settled": Place(_OURS, "what it had settled before"),
    "reclaimed": Place(_NOTHING, "when a table was written anew, and how often rows of it changed: numbers"),
    "backed_up": Place(_NOTHING, "when a backup was made last"),
    "root_epoch": Place(_NOTHING, "which root keys there are: numbers"),
    "django_admin_log": Place(_OURS, "what an operator did"),
    "auth_permission": Place(_OURS, "the framework's own"),
    "auth_group": Place(_OURS, "the framework's own"),
    "auth_group_permissions": Place(_OURS, "the framework's own"),
    "django_content_type": Place(_OURS, "the framework's own"),
    # ---- elsewhere
    "broker": Place(_NOTHING, "tasks: ids; nothing that is sealed is ever an argument"),
    "cache": Place(_NOTHING, "counters of who came how often; no value and no label"),
    "logs": Place(_NOTHING, "what happened: no value, no label, no address"),
    "mail folder": Place(_TIME, "letters, with the address, where there is no mail server: thirty days"),
    "mail server": Place(_TIME, "letters on their way: no label and no value stands in one"),
    "planner's samples": Place(_NOTHING, "of a table's ids, times, numbers and words from lists; of nothing else"),
    "backups": Place(_TIME, "what a backup holds opens until the horizon is over"),
    "write-ahead log": Place(_TIME, "pages on their way to the disk: ciphertext, until it is reused"),
    "the instance's log": Place(_NOTHING, "hashes of chain heads"),
    "root key file": Place(_TIME, "the keys of the vaults' keys: destroyed when their epoch is over"),
}


# What an erasure counts, and in which place it was.
COUNTED = {
    "keys": "sealed.key",
    "seals": "sealed.value",
    "prints": "value_print",
    "index": "sealed.search_term",
    "memories": "memory",
    "versions": "memory_version",
    "proposals": "proposal",
    "links": "edge",
    "names": "entity",
    "turns": "turn",
    "clients": "client",
    "api_keys": "api_key",
    "requests": "access_request",
    "parts": "request_part",
    "reviews": "review",
    "grants": "access_grant",
    "shares": "share",
    "shared": "share_item",
    "letters": "letter",
    "emergencies": "emergency",
    "invitations": "invitation",
    "birthdays": "step_told",
    "delegations": "delegation",
    "keys listed": "directory",
}


def cleared(goes: Goes) -> tuple[str, ...]:
    """The places that this makes go."""
    return tuple(name for name, place in PLACES.items() if place.goes is goes)
