"""What waits for a person, wherever they sit: counted once a day, for a letter that says no more than how many."""

from datetime import datetime
from uuid import UUID

from apps.access.services.deciding import waiting
from apps.access.services.reviewing import desks, queue
from apps.holders import services as holders
from apps.holders.services.looking import to_review
from apps.memories import services as memories
from apps.policy.letters import Given
from apps.policy.roles import Deed


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
