"""The code that a link asks for besides itself: mailed after the press, or said by the sender.

A try is spent before a code is compared and given back where it was right, so that of many at once no more are compared
than there are tries. With the last one the share has ended.
"""

import hmac
from datetime import datetime
from uuid import UUID

from django.contrib.auth.hashers import check_password

from apps.ledger.ids import new_id
from apps.ledger.log import act
from apps.policy.ids import typed
from apps.policy.shares import CODE_LASTS, TRIES, Code
from apps.policy.types import Refused
from apps.policy.vocabulary import ReceiptKind, Refusal
from apps.shares import store
from apps.shares.services import posting
from apps.shares.services.told import Challenge
from apps.shares.store import Found
from vault import limits
from vault.tokens import share_code

CODES_PER_MINUTE, CODES_PER_HOUR = 1, 6  # of one link


def challenged(vault_id: UUID, found: Found, code: str, now: datetime) -> Challenge | Refused | None:
    """What is needed before this link opens; None where nothing is, or the code is right. Refused as share-gone where
    it was the last try.
    """
    if found.share.code is Code.NONE:
        return None
    typed_in = "".join(code.split())
    if not typed_in:
        return mail_code(vault_id, found, now)
    if found.share.code is Code.MAIL and not _waits(found, now):
        return Challenge(Code.MAIL, wrong=True)  # nothing was mailed that could be right
    left = store.spend_try(vault_id, found.share.share_id)
    if left is None:
        return Refused(Refusal.SHARE_GONE)
    if _right(vault_id, found, typed_in):
        store.give_back_try(vault_id, found.share.share_id, TRIES)
        return None
    if left == 0:
        _lock(vault_id, found, now)
        return Refused(Refusal.SHARE_GONE)
    return Challenge(found.share.code, wrong=True)


def mail_code(vault_id: UUID, found: Found, now: datetime) -> Challenge:
    """Say which code is needed; one by mail is mailed, at most one a minute, and six an hour."""
    link = found.link
    if found.share.code is not Code.MAIL:
        return Challenge(found.share.code)
    spans = ((CODES_PER_MINUTE, 60), (CODES_PER_HOUR, 3600))
    until = next(
        filter(None, (limits.over(f"codes:{link.link_id.hex}:{span}", many, span, now) for many, span in spans)), None
    )
    if until is None:
        challenge_id = new_id()
        with act(vault_id, link.recipient) as mailing:
            store.challenge(mailing, link.link_id, challenge_id, now)
            posting.challenge(mailing, found.share, link, challenge_id, now)
            mailing.record(ReceiptKind.SHARE_CHALLENGED, object=typed("shr", found.share.share_id))
    return Challenge(Code.MAIL, until=until)


def _waits(found: Found, now: datetime) -> bool:
    link = found.link
    return link.challenge_id is not None and link.challenged_at is not None and now < link.challenged_at + CODE_LASTS


def _right(vault_id: UUID, found: Found, code: str) -> bool:
    if found.share.code is Code.PIN:
        return check_password(code, found.pin)
    challenge_id = found.link.challenge_id
    if challenge_id is None or not hmac.compare_digest(share_code(challenge_id).encode(), code.encode()):
        return False
    return store.meet_challenge(vault_id, found.link.link_id, challenge_id)


def _lock(vault_id: UUID, found: Found, now: datetime) -> None:
    with act(vault_id, found.link.recipient) as locking:
        if not store.lock(locking, found.share.share_id, now):
            locking.cancel()
            return
        locking.record(ReceiptKind.SHARE_ENDED, object=typed("shr", found.share.share_id))
        posting.ended(locking, found.share, "locked", now)
