"""A recipient leaves a note: it waits in the inbox as a suggestion, and is inert until the holder says otherwise."""

from datetime import datetime
from uuid import UUID

from apps.ledger.log import act
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.shares import MOST_NOTES_BACK, check_note_back, noted_as
from apps.policy.types import Caller, Client, Refused
from apps.policy.vocabulary import ReceiptKind, Refusal
from apps.shares import store
from apps.shares.services.opening import GONE, carried, let_in


def leave_note(token: str, opening_id: UUID, text: str, now: datetime) -> int | Refused:
    """Leave a note beside what was opened by this link within the last fifteen minutes. Returns how many more may be
    left. The holder finds it among what is suggested; what became of it nobody here is told, so that one which was
    turned down before is taken like any other.

    Refused as share-gone, and as rate-limited where the link has left three. Raises TextProblem for the field `note`.
    """
    admitted = let_in(token, now, opening_id)
    if admitted is None:
        return GONE
    vault_id, found = admitted
    words, link = check_note_back(text), found.link
    with act(vault_id, link.recipient) as noting:
        number = store.leave_note(noting, link.link_id, MOST_NOTES_BACK)
        if number is None:
            noting.cancel()
            return Refused(Refusal.RATE_LIMITED)
        noting.record(ReceiptKind.SHARE_NOTED, object=typed("shr", found.share.share_id))
    subject, label = noted_as(link, number)
    memories.propose(
        Caller(vault_id, Client(link.link_id, link.name, "", False, False, None, now), link.link_id, by_link=True),
        now=now,
        subject=subject,
        label=label,
        value=words,
        lineage=tuple(each.memory_id for each in carried(found)),
    )
    return MOST_NOTES_BACK - number
