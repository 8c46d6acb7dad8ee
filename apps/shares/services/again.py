"""After a backup was restored: what was shared and has ended since."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from apps.ledger.log import Act
from apps.policy.shares import stands
from apps.shares import store
from apps.shares.services.stopping import stop_link_within
from apps.shares.services.stopping import stop_within as stop_share_within


def stop_within(within: Act, now: datetime, *, shares: Collection[UUID], links: Collection[UUID]) -> int:
    """Stop again whichever of these shares and links stand, however they ended. Returns how many did."""
    known = (store.share(within.vault_id, each) for each in shares)
    standing = [each for each in known if each is not None and stands(each, now)]
    for each in standing:
        stop_share_within(within, each, now)
    ended = {each.share_id for each in standing}
    left = [
        each
        for each in store.links(within.vault_id)
        if each.link_id in links and each.stopped_at is None and each.share_id not in ended
    ]
    for link in left:
        stop_link_within(within, link, now)
    return len(standing) + len(left)
