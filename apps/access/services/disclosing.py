"""The disclosure report of a vault: from its receipts, and who its recipients are."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from types import MappingProxyType
from uuid import UUID

from apps.access import store
from apps.holders.services import looking
from apps.ledger import services as ledger
from apps.ledger.log import reading
from apps.policy.disclosure import ABSENT, Disclosure, disclosures_of, rolled_up
from apps.policy.ids import typed
from apps.policy.roles import Deed, needs
from apps.policy.types import Holder, Receipt

LOOKS_BACK_YEARS = 6  # what 45 CFR 164.528(a) lets a person ask for
AT_ONCE = 1000
NOBODY: Mapping[str, tuple[str, str]] = MappingProxyType({})


@needs(Deed.TAKE)
def disclosures(
    holder: Holder,
    now: datetime,
    start: datetime | None = None,
    end: datetime | None = None,
    *,
    roll_up: bool = False,
    others: Mapping[str, tuple[str, str]] = NOBODY,
) -> tuple[Disclosure, ...]:
    """Every hand-over from `start` (six years back, if not given) until before `end`, oldest first.

    `others`: of recipients that this room does not know, what they are called, and their address.
    With `roll_up`, those that differ in nothing but their time are one line: the first, how many, and the last.
    """
    since = start or _years_back(now, LOOKS_BACK_YEARS)
    parties = {each.actor: (f"{each.name}, {each.space_name}", ABSENT) for each in looking.used_at(holder)}
    with reading(holder.vault_id, holder.actor, still=True):
        parties |= {typed("cli", each.client_id): (each.name, each.domain) for each in store.clients(holder.vault_id)}
        parties |= others
        found = disclosures_of(_handed_over(holder.vault_id, holder.actor, since, end), parties)
        return rolled_up(found) if roll_up else tuple(found)


def _handed_over(vault_id: UUID, actor: str, start: datetime, end: datetime | None) -> Iterator[Receipt]:
    after = 0
    while True:
        batch = ledger.handed_over(vault_id, actor, after=after, limit=AT_ONCE, start=start, end=end)
        yield from batch
        if len(batch) < AT_ONCE:
            return
        after = batch[-1].seq


def _years_back(now: datetime, years: int) -> datetime:
    """The same day so many years ago; of a leap day the one before."""
    day = 28 if (now.month, now.day) == (2, 29) else now.day
    return now.replace(year=now.year - years, day=day)
