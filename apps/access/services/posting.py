"""Letters about requests and grants: to the holder, and to whoever may decide for them, as far as their seat sees it.

What is sealed from somebody is in no letter to them: neither counted nor the reason why one came.
"""

from datetime import datetime
from uuid import UUID

from apps.access import store, touching
from apps.access.services.sight import sight
from apps.holders import services as holders
from apps.ledger.log import Act
from apps.mail import services as mail
from apps.policy.ids import typed
from apps.policy.letters import Given, Letter
from apps.policy.review import Review
from apps.policy.roles import Deed, needs
from apps.policy.types import AccessRequest, Client, Grant, Holder
from apps.policy.vocabulary import PartStatus


def asked(within: Act, client: Client, new: AccessRequest) -> None:
    """Tell of a request; of a burst of one assistant's, of the first (`policy.letters.QUIET`)."""
    for seat in holders.deciding(within.vault_id):
        left = sight(seat).request(new)
        parts = [each.part for each in left.parts if each.status is PartStatus.PENDING] if left else []
        if parts:
            facts = _of(seat, client) | {
                "domain": client.domain,
                "items": sum(len(each.memory_ids) for each in parts),
                "kinds": sum(each.whole_category for each in parts),
                "protected": sum(each.category.special for each in parts),
                "until": new.expires_at,
                "request": typed("req", new.request_id),
            }
            mail.post(within, Letter.REQUEST, seat.user_id, facts, key=_key(client, "req", new.request_id))


def sent_back(within: Act, found: AccessRequest, done: Review) -> None:
    """Tell that a reviewer sent a yes back. What the reviewer wrote is on the page alone."""
    client = store.client(within.vault_id, found.client_id)
    for seat in holders.deciding(within.vault_id):
        left = sight(seat).request(found)
        if client and left and done.category in {each.part.category for each in left.parts}:
            facts = _of(seat, client) | {"until": found.expires_at, "request": typed("req", found.request_id)}
            mail.post(within, Letter.RETURNED, seat.user_id, facts, key=typed("rev", done.review_id))


def ended(within: Act, grant: Grant, how: str) -> None:
    """Tell that a grant has ended by itself. Not of the chat's own, nor where its last read was done long before."""
    client = store.client(within.vault_id, grant.client_id)
    if client is None or grant.turn_id is not None or grant.reads_left == 0:
        return
    for seat in holders.deciding(within.vault_id):
        left = sight(seat).grant(grant)
        if left is not None:
            facts = _of(seat, client) | {"how": how, "days": grant.lapse_days, "reads": left.reads_done}
            mail.post(within, Letter.ENDED, seat.user_id, facts, key=_key(client, "gra", grant.grant_id))


@needs(Deed.STOP)
def stopped_grant(holder: Holder, within: Act, whole: Grant, now: datetime) -> None:
    """Confirm that a grant was stopped: to who pressed, and to the holder where that was somebody else."""
    client = store.client(within.vault_id, whole.client_id)
    if client is None or whole.turn_id is not None:
        return
    for seat in holders.pressed(holder):
        left = sight(seat).grant(whole)
        if left is not None:
            about = typed("gra", whole.grant_id)
            _stopped(holder, within, seat, client, about, left.reads_done, left.last_used_at, now)


@needs(Deed.STOP)
def stopped_client(holder: Holder, within: Act, client: Client, now: datetime) -> None:
    """Confirm that an assistant was stopped, with all it was given: one count, however many grants those were."""
    for seat in holders.pressed(holder):
        seen = sight(seat)
        found = touching.grants(within.vault_id, seen.sealed) if seen.sealed else ()
        mine = [each for each in found if each.client_id == client.client_id]
        reads, last = touching.reads_of(within.vault_id, client.client_id, [each.grant_id for each in mine])
        for left in seen.grants_of(mine):
            reads, last = reads + left.reads_done, max(filter(None, (last, left.last_used_at)), default=None)
        _stopped(holder, within, seat, client, typed("cli", client.client_id), reads, last, now)


@needs(Deed.CONNECT)
def keyed(holder: Holder, within: Act, client: Client, key_id: UUID, now: datetime, *, new: bool) -> None:
    """Tell that an assistant got a key: to who made it, and to the holder where that was somebody else."""
    for seat in holders.pressed(holder):
        facts = _of(seat, client) | {"new": new, "at": now}
        if seat.user_id != holder.user_id:
            facts["who"] = holder.name
        mail.post(within, Letter.KEY, seat.user_id, facts, key=typed("key", key_id))


def _stopped(
    holder: Holder,
    within: Act,
    seat: Holder,
    client: Client,
    about: str,
    reads: int,
    last: datetime | None,
    now: datetime,
) -> None:
    facts: dict[str, Given] = {"whole": about.startswith("cli_"), "reads": reads, "last": last, "at": now}
    if seat.user_id != holder.user_id:
        facts["who"] = holder.name
    mail.post(within, Letter.STOPPED, seat.user_id, _of(seat, client) | facts, key=f"{about}/{now.isoformat()}")


def _of(seat: Holder, client: Client) -> dict[str, Given]:
    return holders.whose_vault(seat) | {"assistant": client.name}


def _key(client: Client, prefix: str, about: UUID) -> str:
    """One series for each assistant."""
    return f"{typed('cli', client.client_id)}/{typed(prefix, about)}"
