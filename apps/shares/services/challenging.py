"""The code that a link asks for besides itself: mailed after the press, or said by the sender.

A try is spent before a code is compared and given back where it was right, so that of many at once no more are compared
than there are tries. After five wrong ones a link takes none for a while, longer with each that follows; the others of
its share go on. With the last try of all of them the share has ended.
"""

import hmac
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.contrib.auth.hashers import check_password

from apps.ledger.ids import new_id
from apps.ledger.log import act
from apps.policy.ids import typed
from apps.policy.shares import CODE_LASTS, Code, Link, waits_until
from apps.policy.types import Refused
from apps.policy.vocabulary import ReceiptKind, Refusal
from apps.shares import store
from apps.shares.services import posting
from apps.shares.services.told import Challenge
from apps.shares.store import Found
from vault import limits
from vault.tokens import share_code

CODES = ((1, 60), (6, 3600))  # of one link: so many in so many seconds


def challenged(vault_id: UUID, found: Found, code: str, now: datetime) -> Challenge | Refused | None:
    """What is needed before this link opens; None where nothing is, or the code is right. Refused as share-gone where
    it was the last try.
    """
    if found.share.code is Code.NONE:
        return None
    typed_in = "".join(code.split())
    if not typed_in or waits_until(found.link, now) is not None:
        return mail_code(vault_id, found, now)
    if found.share.code is Code.MAIL and _fits(found, now) is None:
        return _wrong(found, now)  # nothing was mailed that could be right
    left = store.spend_try(vault_id, found.link, now)
    if left is None:  # somebody else typed one by this link at the same moment: this one was not looked at
        return replace(_wrong(found, now), wrong=False)
    if _right(vault_id, found, typed_in):
        store.give_back_try(vault_id, found.link)
        return None
    if left == 0:
        _lock(vault_id, found, now)
        return Refused(Refusal.SHARE_GONE)
    typed_wrong = replace(found.link, wrong=found.link.wrong + 1, wrong_at=now)
    return replace(_wrong(found, now), waits=waits_until(typed_wrong, now))


def _wrong(found: Found, now: datetime) -> Challenge:
    if found.share.code is not Code.MAIL:
        return Challenge(found.share.code, wrong=True)
    return Challenge(Code.MAIL, wrong=True, fits=_fits(found, now), until=_full(found.link, now))


def mail_code(vault_id: UUID, found: Found, now: datetime) -> Challenge:
    """Say which code is needed; one by mail is mailed, at most one a minute, and six an hour, and none while no code is
    taken.
    """
    link = found.link
    waits = waits_until(link, now)
    if found.share.code is not Code.MAIL or waits is not None:
        return Challenge(found.share.code, waits=waits)
    until = _full(link, now) or _over(link, now)
    if until is not None:
        return Challenge(Code.MAIL, fits=_fits(found, now), until=until)
    challenge_id = new_id()
    with act(vault_id, link.recipient) as mailing:
        store.challenge(mailing, link.link_id, challenge_id, now)
        mailed = posting.challenge(mailing, found.share, link, challenge_id, now)
        mailing.record(ReceiptKind.SHARE_CHALLENGED, object=typed("shr", found.share.share_id))
    fits = min(now + CODE_LASTS, found.share.expires_at) if mailed else None
    return Challenge(Code.MAIL, mailed=mailed, fits=fits, until=_full(link, now))


def _full(link: Link, now: datetime) -> datetime | None:
    """When another code may be mailed, where none may be now. Nothing is counted."""
    return max(filter(None, (limits.full(_counted(link, span), many, span, now) for many, span in CODES)), default=None)


def _over(link: Link, now: datetime) -> datetime | None:
    """The same, counted: of two at once one is mailed."""
    return max(filter(None, [limits.over(_counted(link, span), many, span, now) for many, span in CODES]), default=None)


def _counted(link: Link, span: int) -> str:
    return f"codes:{link.link_id.hex}:{span}"


def _fits(found: Found, now: datetime) -> datetime | None:
    """Until when the code opens that was mailed last; None where none does, since it was used, or its time is over."""
    link = found.link
    if link.challenge_id is None or link.challenged_at is None or now >= link.challenged_at + CODE_LASTS:
        return None
    return min(link.challenged_at + CODE_LASTS, found.share.expires_at)


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
        posting.ended(locking, found.share.share_id, "locked", now)
