"""Stopping a share, or one link of it. What was seen cannot be unseen."""

from datetime import datetime
from uuid import UUID

from apps.ledger.log import Act, act
from apps.policy.ids import typed
from apps.policy.roles import Deed, needs
from apps.policy.shares import Link, Share, stands
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import ReceiptKind, Refusal
from apps.shares import store
from apps.shares.services import posting
from apps.shares.services.seeing import left_within, share
from apps.shares.services.told import Shared


@needs(Deed.STOP)
def stop(holder: Holder, share_id: UUID, now: datetime, *, if_version: int | None = None) -> Shared | Refused:
    """It opens for nobody from here on, and nobody looks again at what they opened. Of one that has ended already
    nothing is done, and the answer is the same. Refused as not-found, and as stale where its terms are others than
    `if_version`.
    """
    with act(holder.vault_id, holder.actor) as stopping:
        found = _named(holder, share_id, if_version)
        if isinstance(found, Refused):
            stopping.cancel()
            return found
        if stands(found, now):
            stop_within(stopping, found, now)
            posting.stopped(holder, stopping, share_id, now)
        if not stopping.lines:
            stopping.cancel()
    return share(holder, share_id, now) or Refused(Refusal.NOT_FOUND)


def stop_within(within: Act, found: Share, now: datetime) -> None:
    """The share is stopped, with its receipt."""
    store.stop(within, found.share_id, now)
    posting.unsend(within, found.links)
    within.record(ReceiptKind.SHARE_STOPPED, object=typed("shr", found.share_id))


def stop_link_within(within: Act, link: Link, now: datetime) -> None:
    """The link is stopped, with its receipt."""
    store.stop_link(within, link.share_id, link.link_id, now)
    posting.unsend(within, [link])
    within.record(ReceiptKind.SHARE_STOPPED, object=link.recipient)


@needs(Deed.STOP)
def stop_link(
    holder: Holder, share_id: UUID, link_id: UUID, now: datetime, *, if_version: int | None = None
) -> Shared | Refused:
    """This link opens for nobody from here on; the share goes on by its others. The last one that is left stops the
    share. Refused as `stop` is.
    """
    with act(holder.vault_id, holder.actor) as stopping:
        found = _named(holder, share_id, if_version)
        if isinstance(found, Refused):
            stopping.cancel()
            return found
        link = next((each for each in found.links if each.link_id == link_id), None)
        if link is None:
            stopping.cancel()
            return Refused(Refusal.NOT_FOUND)
        if stands(found, now) and link.stopped_at is None:
            stop_link_within(stopping, link, now)
            if all(each is link or each.stopped_at is not None for each in found.links):
                stop_within(stopping, found, now)
                posting.stopped(holder, stopping, share_id, now)
        if not stopping.lines:
            stopping.cancel()
    return share(holder, share_id, now) or Refused(Refusal.NOT_FOUND)


@needs(Deed.STOP)
def _named(holder: Holder, share_id: UUID, if_version: int | None) -> Share | Refused:
    known = store.share(holder.vault_id, share_id)
    found = next(iter(left_within(holder, [known] if known else [])), None)
    if found is None:
        return Refused(Refusal.NOT_FOUND)
    return Refused(Refusal.STALE) if if_version is not None and if_version != found.terms_version else found
