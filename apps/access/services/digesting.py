"""What is told by schedule: what waits for a person, wherever they sit, by how many; and what was handed over out of
their own vaults, and those of children who do not sign in yet, by how often. No letter says what it was.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from apps.access import store
from apps.access.services.deciding import waiting
from apps.access.services.reviewing import desks, queue
from apps.holders import services as holders
from apps.holders.services.looking import to_review
from apps.ledger import services as ledger
from apps.ledger.log import reading
from apps.mail.services import Due, Telling
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.letters import Days, Given, Letter, Reads
from apps.policy.roles import Deed, needs
from apps.policy.types import Holder

MOST_LISTED = 20  # assistants in one letter; how many more there were it says too


def tellings(due: Due, now: datetime) -> list[Telling]:
    """The letters for somebody whose digests are due: none where nothing waits, and none of a vault from which nothing
    was handed over and nothing refused.
    """
    found: list[Telling] = []
    if due.day is None:
        return found
    facts = digest(due.user_id, now) if due.waiting else None
    if facts is not None:
        found.append(Telling(Letter.DIGEST, due.day.isoformat(), facts))
    return [*found, *_handed_over(due)] if due.span else found


def _handed_over(due: Due) -> Iterator[Telling]:
    """Of each vault of the person's own, and of each child's who does not sign in yet and for whom they decide, by
    itself, so that the letter goes with it.
    """
    seats = holders.seats(due.user_id)
    for seat in seats:
        if due.span is not None and _told_at(seat):
            facts = handed_over(seat, *due.span, due.zone)
            if facts is not None:
                key = f"{typed('vlt', seat.vault_id)}/{due.span[1].isoformat()}"
                yield Telling(Letter.RECEIPTS, key, holders.whose_vault(seat, seats) | facts, seat.vault_id)


def _told_at(seat: Holder) -> bool:
    """Is this person told what was handed over there? Of a child who does not sign in yet whoever decides for them is:
    nobody else would be.
    """
    return not seat.acting or (holders.may(seat, Deed.FOLLOW) and holders.raised(seat) is not None)


@needs(Deed.FOLLOW)
def handed_over(holder: Holder, start: datetime, end: datetime, zone: ZoneInfo) -> dict[str, Given] | None:
    """The facts of a receipts digest (`Letter.RECEIPTS`) of a vault, from `start` until before `end`, its days told in
    that zone; what is sealed from this seat is not counted. None where nothing was handed over and no assistant was
    refused.
    """
    vault_id = holder.vault_id
    with reading(vault_id, holder.actor):
        sealed = memories.sealed_within(holder)
    rows, many, opened = ledger.read_by(vault_id, holder.actor, start, end, limit=MOST_LISTED, without=sealed)
    if not rows and not opened:
        return None
    with reading(vault_id, holder.actor):
        names = {typed("cli", each.client_id): each.name for each in store.clients(vault_id)}
    days = Days(start.astimezone(zone).date(), (end - timedelta(microseconds=1)).astimezone(zone).date())
    read = tuple(Reads(names.get(actor, actor), *counts) for actor, *counts in rows)
    return {"days": days, "read": read, "others": many - len(rows), "opened": opened}


def digest(user_id: UUID, now: datetime) -> dict[str, Given] | None:
    """The facts of a person's digest (`Letter.DIGEST`); None where nothing waits for them.

    Requests and proposals where they may decide, as their seat sees them; what waits at their desks as a reviewer; uses
    of emergency access that they have to look at.
    """
    mine: list[datetime] = []
    for seat in holders.seats(user_id):
        if holders.may(seat, Deed.DECIDE):
            mine += [each.made_at for each in waiting(seat, now)]
            mine += [each.made_at for each in memories.proposals(seat)]
    rows = [each.row for desk in desks(user_id) for each in queue(desk)]
    reviews = [each.decided_at for each in rows if not each.own]
    emergencies = [each.entered_at for each in to_review(user_id) if each.reviewed_at is None]
    if not (mine or reviews or emergencies):
        return None
    return {
        "waiting": len(mine),
        "reviews": len(reviews),
        "emergencies": len(emergencies),
        "oldest": min(mine + reviews + emergencies),
    }
