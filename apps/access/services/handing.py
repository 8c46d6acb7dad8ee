"""The read: facts, verdicts, one stamp for each grant, and only then the values.

A deed's stamps have the handles 0, 1, 2 … in the order they were written, so that the same deed sent again finds them;
what is refused after a stamp is refused under a handle derived from it. What goes with the values is told after them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.conf import settings

from apps.access.finding import Facts
from apps.access.services.judging import Deed, Party, Verdicts, judge, plans_for
from apps.access.services.looking import look
from apps.access.services.relating import Beside, tell
from apps.ledger import services as ledger
from apps.memories import gate
from apps.policy.text import TextProblem
from apps.policy.types import Authority, Caller, HandedOver, Memory, Plan, PlanItem, Refused, Verdict
from apps.policy.vocabulary import Form, Purpose, ReceiptKind, Refusal
from vault import limits

MOST_ITEMS = 50


@dataclass(frozen=True, slots=True)
class Released:
    """A memory handed over: its label side, what left, and what is left of the grant."""

    memory: Memory
    handed: HandedOver
    grant_id: UUID | None
    reads_left: int | None


@dataclass(frozen=True, slots=True)
class Withheld:
    """A memory asked for and not handed over. `request_id`: the open request that it waits in."""

    memory_id: UUID
    reason: Refusal
    until: datetime | None = None
    request_id: UUID | None = None

    @classmethod
    def of(cls, memory_id: UUID, no: Refused) -> "Withheld":
        """One that was refused."""
        return cls(memory_id, no.reason, no.until, no.request_id)


@dataclass(slots=True)
class ReadResult:
    """What a read led to. `first` and `last` number its receipts; `digest` is the first one's, in hex. What is told
    `beside` has receipts of its own. `facts` are what it was judged on.
    """

    released: list[Released] = field(default_factory=list)
    withheld: list[Withheld] = field(default_factory=list)
    first: int = 0
    last: int = 0
    at: datetime | None = None
    digest: str = ""
    replayed: bool = False
    beside: Beside = field(default_factory=Beside)
    facts: list[Facts] = field(default_factory=list, repr=False)

    def note(self, stamped: gate.Stamped) -> None:
        """The receipts of one more stamp."""
        if not self.first and stamped.first:
            self.first, self.at = stamped.first, stamped.at
            self.digest = stamped.digests[0].hex() if stamped.digests else ""
        self.last = max(self.last, stamped.last)


def read(
    caller: Caller,
    ids: Sequence[UUID],
    *,
    purpose: Purpose,
    idempotency_key: str,
    body_digest: str,
    now: datetime,
    turn: str = "-",
) -> ReadResult | Refused:
    """Hand memories to a client: values, or proof of an attested one, each with its receipt; or the reason it stays.
    Beside them, how they stand to each other and whom or what they are about, as far as its grants cover that.

    The same `idempotency_key` with the same body within 60 s spends nothing and takes again; later it is refused as
    idempotency-expired, and with another body as idempotency-reuse. Over the flood limit: rate-limited, and one
    counted receipt a minute. Raises TextProblem for none or more than 50 ids; the database's error when the receipt
    cannot be written: nothing was read then.
    """
    client = caller.client
    party = Party(caller.vault_id, caller.actor, caller.actor, client.client_id, client.local)
    refused = flooded(party, now)
    if refused is not None:
        return refused
    done = hand_over(
        party, ids, purpose=purpose, key=idempotency_key, body_digest=body_digest, now=now, turn=turn, edges=True
    )
    if isinstance(done, ReadResult):
        handed = {each.memory.memory_id for each in done.released}
        done.beside = tell(party, purpose, turn, handed, done.facts, now)
    return done


def hand_over(
    party: Party,
    ids: Sequence[UUID],
    *,
    purpose: Purpose,
    key: str,
    body_digest: str,
    now: datetime,
    turn: str = "-",
    turn_id: UUID | None = None,
    request: str = "-",
    edges: bool = False,
) -> ReadResult | Refused:
    """The one road of a hand-over, for clients and for the chat alike; see `read`. With `edges` its facts hold them."""
    deed = Deed(party, purpose, key, body_digest, now, turn, turn_id, request, edges)
    wanted = list(dict.fromkeys(ids))
    if not 1 <= len(wanted) <= MOST_ITEMS:
        raise TextProblem("memories", f"They are {len(wanted)}; name between 1 and {MOST_ITEMS} at once.")
    result = ReadResult()
    number = 0
    verdicts: Verdicts = ()
    for _ in range(2):  # the facts may move under a plan: ask the rules once more, then refuse
        facts = look(deed, wanted)
        result.facts.append(facts)
        verdicts = judge(deed, facts, wanted)
        for plan in plans_for(deed, verdicts):
            stamped = _stamp(deed, str(number), plan)
            if stamped.outcome == "reuse":
                return Refused(Refusal.IDEMPOTENCY_REUSE)
            if stamped.outcome == "expired":
                return Refused(Refusal.IDEMPOTENCY_EXPIRED)
            if stamped.outcome == "replay":
                return _replay(deed, stamped, facts, wanted)
            if stamped.outcome == "stamped":
                result.note(stamped)
                _collect(deed, result, str(number), plan, facts, verdicts)
                number += 1
        settled = {each.memory.memory_id for each in result.released} | {each.memory_id for each in result.withheld}
        wanted = [memory_id for memory_id in wanted if memory_id not in settled]
        if not wanted:
            return result
    _refuse(deed, result, str(number), [(each, verdict) for each, verdict in verdicts if each in wanted], Refusal.STALE)
    return result


def _stamp(deed: Deed, place: str, plan: Plan) -> gate.Stamped:
    party = deed.party
    handle = gate.handle_for(party.actor, deed.key, place)
    return gate.stamp(party.vault_id, party.actor, party.recipient, handle, plan, deed.body_digest)


def _take(deed: Deed, place: str) -> tuple[HandedOver, ...]:
    party = deed.party
    return gate.take(party.vault_id, party.actor, party.recipient, gate.handle_for(party.actor, deed.key, place))


def _collect(deed: Deed, result: ReadResult, place: str, plan: Plan, facts: Facts, verdicts: Verdicts) -> None:
    """Take what was stamped; what is not released after all (its grant ended meanwhile) is refused on the record."""
    wanted = [item.memory_id for item in plan.items if item.memory_id and item.form is not Form.REFUSED]
    taken = _take(deed, place) if wanted else ()
    grants = {each.grant_id: each for each in facts.grants}
    grant = grants.get(plan.authority.object_id) if plan.authority.object_id else None
    left = None if grant is None or grant.reads_left is None else grant.reads_left - 1
    for handed in taken:
        memory = facts.memories[handed.memory_id]
        result.released.append(Released(memory, handed, plan.authority.object_id, left))
    if any(item.form is Form.REFUSED for item in plan.items):
        result.withheld += [Withheld.of(each, no) for each, no in verdicts if isinstance(no, Refused)]
    served = {each.memory_id for each in taken}
    missing = [memory_id for memory_id in wanted if memory_id not in served]
    if missing:
        _refuse_ended(deed, result, judge(deed, look(deed, missing), missing))


def _refuse_ended(deed: Deed, result: ReadResult, verdicts: Verdicts) -> None:
    """Refuse what was stamped and is not released any more, for the reason that holds now; the same ones once."""
    place = " ".join(["ended", *sorted(memory_id.hex for memory_id, _ in verdicts)])
    _refuse(deed, result, place, verdicts, Refusal.STALE)


def _refuse(deed: Deed, result: ReadResult, place: str, verdicts: Verdicts, otherwise: Refusal) -> None:
    """Stamp refusals of their own: each for its own reason, or `otherwise` where the rules would say yes."""
    refusals = [(each, verdict if isinstance(verdict, Refused) else Refused(otherwise)) for each, verdict in verdicts]
    for plan in plans_for(deed, refusals):
        result.note(_stamp(deed, place, plan))
    result.withheld += [Withheld.of(each, no) for each, no in refusals]


def _replay(deed: Deed, stamped: gate.Stamped, facts: Facts, asked: Sequence[UUID]) -> ReadResult:
    """The same deed again within 60 s: nothing is spent, what is still served is taken again.

    What was refused then is refused as it was; what is not served any more is refused on the record, once.
    """
    party, number = deed.party, 0
    result = ReadResult(first=stamped.first, last=stamped.last, replayed=True, facts=[facts])
    while True:
        try:
            taken = _take(deed, str(number))
        except gate.NotReleased:
            break
        released = [(facts.memories[each.memory_id], each) for each in taken if each.memory_id in facts.memories]
        result.released += [Released(memory, each, None, None) for memory, each in released]
        number += 1
    result.last = max([result.last, *[each.handed.seq for each in result.released]])
    rows = ledger.receipts(
        party.vault_id, party.actor, limit=MOST_ITEMS, after=stamped.first - 1, before=stamped.last + 1
    )
    if rows:
        result.at, result.digest = rows[-1].at, rows[-1].digest.hex()
    served = {each.handed.memory_id for each in result.released}
    then = {row.memory_id: row.reason for row in rows if row.form == Form.REFUSED.value}
    now: list[tuple[UUID, Verdict]] = []
    for memory_id, verdict in judge(deed, facts, asked):
        if memory_id in served:
            continue
        if memory_id in then or (None in then and verdict == Refused(Refusal.NOT_FOUND)):
            reason = Refusal(then.get(memory_id, Refusal.NOT_FOUND))
            no = verdict if isinstance(verdict, Refused) and verdict.reason is reason else Refused(reason)
            result.withheld.append(Withheld.of(memory_id, no))
        else:
            now.append((memory_id, verdict))
    if now:
        _refuse_ended(deed, result, now)
    return result


def flooded(party: Party, now: datetime) -> Refused | None:
    """Over the limit of reads a minute: refused, with one receipt for the whole minute."""
    until = limits.over(f"reads:{party.client_id.hex}", settings.READS_PER_MINUTE, 60, now)
    if until is None:
        return None
    key = f"flood:{int(now.timestamp()) // 60}"
    handle = gate.handle_for(party.actor, key, "refused")
    plan = Plan(ReceiptKind.VALUE_READ, Authority("gra"), (PlanItem(None, Form.REFUSED, reason=Refusal.RATE_LIMITED),))
    gate.stamp(party.vault_id, party.actor, party.recipient, handle, plan, key)
    return Refused(Refusal.RATE_LIMITED, until=until)
