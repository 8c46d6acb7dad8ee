"""The press on a link: facts, the one admission, one stamp, and only then the values. A scanner never gets here: what
shows the page before the press asks nothing of this room.

To whoever comes with a token every no is the same one, and as much is looked up for a token that leads nowhere.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from apps.holders import services as holders
from apps.ledger.ids import new_id
from apps.memories import gate
from apps.policy.shares import MOST_NOTES_BACK, VIEWING, Opening, admit_opening, admit_view, opening_plan, shown
from apps.policy.types import HandedOver, Memory, Refused
from apps.policy.vocabulary import ReceiptKind, Refusal
from apps.shares import store
from apps.shares.services.challenging import challenged, mail_code
from apps.shares.services.told import Challenge, Opened, SharedValue
from apps.shares.store import Found
from vault.tokens import token_hash

GONE = Refused(Refusal.SHARE_GONE)
NOWHERE = UUID(int=0)


def found_by(token: str, opening_id: UUID | None = None) -> tuple[UUID, Found | None]:
    """What a token leads to, and in which vault. As much is asked for one that leads nowhere."""
    hashed = token_hash(token)
    vault_id = holders.vault_of(hashed) or NOWHERE
    return vault_id, store.found(vault_id, hashed, opening_id)


def let_in(token: str, now: datetime, opening_id: UUID | None = None) -> tuple[UUID, Found] | None:
    """`found_by`, where somebody who comes with this token may open what is there; with `opening_id`, where they may
    look again at what they opened then. None whatever the reason, and where nothing is left to hand over.
    """
    vault_id, found = found_by(token, opening_id)
    if found is None or not carried(found):
        return None
    if opening_id is None:
        no = admit_opening(found.share, found.link, now)
    else:
        no = admit_view(found.share, found.link, found.opening, now)
    return (vault_id, found) if no is None else None


def open_(token: str, now: datetime, *, code: str = "", client: str = "") -> Opened | Challenge | Refused:
    """Somebody pressed *Open*: hand over what the share carries now, counted as one opening, with a receipt for each
    memory. `client` is what they opened it with, coarsely ("Firefox on Windows"); who may share here are told of it.

    Where a code is needed and `code` is empty or wrong, what is needed is said instead and nothing is counted; one by
    mail is mailed then. Refused as share-gone, whatever the reason; then nothing was counted either. Raises the
    database's error where the receipts cannot be written, and OnHold.
    """
    admitted = let_in(token, now)
    if admitted is None:
        return GONE
    vault_id, found = admitted
    asked = challenged(vault_id, found, code, now)
    if asked is not None:
        return asked
    return _hand_over(token, vault_id, found, new_id(), ReceiptKind.VALUE_OPENED, now, client)


def knock(token: str, now: datetime) -> Challenge | Refused:
    """Say which code this link asks for, if any; one by mail is mailed again, unless that was a moment ago (`until`).
    Refused as share-gone.
    """
    admitted = let_in(token, now)
    return mail_code(*admitted, now) if admitted is not None else GONE


def view(token: str, opening_id: UUID, now: datetime) -> Opened | Refused:
    """Look again at what was opened by this link within the last fifteen minutes: what the share carries now of it,
    counted as a view, with receipts of its own. Refused as share-gone.
    """
    admitted = let_in(token, now, opening_id)
    if admitted is None:
        return GONE
    vault_id, found = admitted
    return _hand_over(token, vault_id, found, opening_id, ReceiptKind.VALUE_VIEWED, now, "")


def carried(found: Found) -> tuple[Memory, ...]:
    """What the share carries now."""
    return shown(found.share, found.memories)


def _hand_over(
    token: str, vault_id: UUID, found: Found, opening_id: UUID, kind: ReceiptKind, now: datetime, client: str
) -> Opened | Refused:
    recipient, handle = found.link.recipient, secrets.token_bytes(32)
    looks = kind is ReceiptKind.VALUE_VIEWED
    for _ in range(2):  # the facts may move under a plan: ask the rules once more
        chosen = carried(found)
        plan = opening_plan(found.share, chosen, opening_id, kind, client)
        stamped = gate.stamp(vault_id, recipient, recipient, handle, plan, handle.hex())
        if stamped.outcome == "stamped" and stamped.at is not None:
            handed = gate.take(vault_id, recipient, recipient, handle)
            return _opened(found, opening_id, chosen, handed, stamped.at, looks, client) if handed else GONE
        again = let_in(token, now, opening_id if looks else None)
        if again is None:
            return GONE
        _, found = again
    return GONE


def _opened(
    found: Found,
    opening_id: UUID,
    chosen: Sequence[Memory],
    handed: Sequence[HandedOver],
    at: datetime,
    looks: bool,
    client: str,
) -> Opened:
    values = {each.memory_id: each for each in handed}
    share, link = found.share, found.link
    new = Opening(opening_id, share.share_id, link.link_id, at, 0, None, client)
    opening = found.opening if looks and found.opening is not None else new
    return Opened(
        opening,
        tuple(_value(each, values[each.memory_id]) for each in chosen if each.memory_id in values),
        share.sender,
        share.note,
        share.expires_at,
        share.opens_left - (not looks),
        min(opening.opened_at + VIEWING, share.expires_at),
        max(MOST_NOTES_BACK - link.notes, 0),
        found.zone,
    )


def _value(memory: Memory, handed: HandedOver) -> SharedValue:
    return SharedValue(memory.label, handed.form, handed.value, memory.claim, memory.as_of)
