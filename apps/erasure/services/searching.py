"""An order with a search: what is erased is looked for in the files of this instance while its words are still known.

Afterwards nobody has the words. So whoever orders looks at them first (stamped as every look), they stay in the memory
of the process that answers, and the search runs there: no task is ever given them. Should the process fall in between,
the clock certifies the order as one whose words were not looked for.
"""

import logging
from datetime import datetime

from apps.erasure.residue import Coverage, Limits, Report, search
from apps.erasure.services.carrying import searched
from apps.erasure.services.holding import holds
from apps.erasure.services.ordering import erasure, order
from apps.erasure.services.planning import preview
from apps.erasure.services.repeating import sent_before
from apps.memories import services as memories
from apps.policy.erasing import NOT_SEARCHED, Basis, Derived, Order, Plan, Residue, Searched, Where, barred, judge
from apps.policy.roles import Deed, ask, needs
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Refused, Sent
from vault.clock import utc_now
from vault.places import places

MOST_SEARCHED = 100  # memories: whoever orders waits for the answer
LIMITS = Limits(read=2 << 30, seconds=20)  # what is beyond them counts as unopened
log = logging.getLogger("muniment.erasure")


@needs(Deed.ERASE)
def order_and_search(
    holder: Holder,
    where: Where,
    now: datetime,
    *,
    basis: Basis = Basis.WISH,
    request: str = "",
    derived: Derived | None = None,
    plan: str | None = None,
    sent: Sent | None = None,
) -> Order | Refused:
    """`order`, and then a look for what the memories said in every file that this process can open, within LIMITS: what
    that came to stands in the certificate, as numbers. Words of older versions are not looked for. What nobody could
    open, and a memory that is opened for nobody but the holder, counts as unopened.

    Refused as `order` is. Raises TextProblem also where it is more than MOST_SEARCHED memories.
    """
    ask(holder, Deed.SHOW)
    before = sent_before(holder, sent) if sent is not None else None
    if before is not None:
        return before if isinstance(before, Refused) else erasure(holder, before.order_id) or before
    no = barred(holds(holder, now), now)
    found = no if no is not None else preview(holder, where)
    agreed = judge(found, derived, plan, by_name=where.by_name) if isinstance(found, Plan) else found
    if isinstance(agreed, Refused):
        return agreed
    if len(agreed.going) > MOST_SEARCHED:
        raise TextProblem("search", f"These are {len(agreed.going)} memories; at most {MOST_SEARCHED} are looked for.")
    words = _words(holder, agreed)
    made = order(
        holder,
        where,
        now,
        basis=basis,
        request=request,
        derived=derived,
        plan=agreed.digest,
        search=True,
        sent=sent,
    )
    if isinstance(made, Refused) or made.made_at != now:  # it was sent twice at once, and the other searches
        return made
    searched(holder.vault_id, made.order_id, _look(words, len(agreed.going) - len(words)), utc_now())
    return erasure(holder, made.order_id) or made


def _words(holder: Holder, plan: Plan) -> list[str]:
    """What the memories say, one each; of those that may be opened for this seat."""
    ids = [each.memory_id for each in plan.going]
    looks = [
        memories.show(holder, ids[at : at + memories.MOST_SHOWN]) for at in range(0, len(ids), memories.MOST_SHOWN)
    ]
    return [each.value for look in looks for each in look.values if each.value]


def _look(words: list[str], unread: int) -> Searched:
    """Look for them. It never raises: what was ordered is done, whatever becomes of the search."""
    kept = places()
    try:
        report = search(kept.roots, list(dict.fromkeys(words)), limits=LIMITS) if words else Report(Coverage())
    except Exception as fault:  # what it says may hold a value
        log.error("looking for what was erased failed: %s", type(fault).__name__)
        return NOT_SEARCHED
    unopened = len(report.unopened) + len(report.unsearched) + len(kept.elsewhere) + unread
    result = Residue.FOUND if report.found else Residue.PARTLY if unopened else Residue.CLEAN
    counts = report.counts()
    return Searched(
        result.value,
        counts["LIVE"],
        counts["UNRECLAIMED"],
        counts["PLAIN"],
        report.coverage.files,
        report.bytes_read,
        unopened,
    )
