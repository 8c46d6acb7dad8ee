"""The read: facts, verdicts, one stamp for each grant, and only then the values."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.core.cache import cache

from apps.access.store import Facts, facts_for
from apps.ledger import services as ledger
from apps.memories import gate
from apps.policy.rules import find_grant, rides_along, stamps, visible_to_client
from apps.policy.text import TextProblem
from apps.policy.types import Authority, Caller, HandedOver, Memory, Plan, PlanItem, Refused, Verdict
from apps.policy.vocabulary import Form, Purpose, ReceiptKind, Refusal

MOST_ITEMS = 50


@dataclass(frozen=True, slots=True)
class Party:
    """Who asks, and to whom the values go: for an assistant the same, for the chat its model endpoint."""

    vault_id: UUID
    actor: str
    recipient: str
    client_id: UUID


@dataclass(frozen=True, slots=True)
class Released:
    """A memory handed over: its label side, what left, and what is left of the grant."""

    memory: Memory
    handed: HandedOver
    grant_id: UUID | None
    reads_left: int | None


@dataclass(frozen=True, slots=True)
class Withheld:
    """A memory asked for and not handed over."""

    memory_id: UUID
    reason: Refusal
    until: datetime | None = None


@dataclass(slots=True)
class ReadResult:
    """What a read led to. `first` and `last` number its receipts; `digest` is the first one's, in hex."""

    released: list[Released] = field(default_factory=list)
    withheld: list[Withheld] = field(default_factory=list)
    first: int = 0
    last: int = 0
    at: datetime | None = None
    digest: str = ""
    replayed: bool = False


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

    The same `idempotency_key` with the same body within 60 s spends nothing and takes again; later it is refused as
    idempotency-expired, and with another body as idempotency-reuse. Over the flood limit: rate-limited, and one
    counted receipt a minute. Raises TextProblem for none or more than 50 ids; the database's error when the receipt
    cannot be written: nothing was read then.
    """
    party = Party(caller.vault_id, caller.actor, caller.actor, caller.client.client_id)
    flooded = _flooded(party, now)
    if flooded:
        return flooded
    return hand_over(party, ids, purpose=purpose, key=idempotency_key, body_digest=body_digest, now=now, turn=turn)


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
) -> ReadResult | Refused:
    """The one road of a hand-over, for clients and for the chat alike; see `read`."""
    wanted = list(dict.fromkeys(ids))
    if not 1 <= len(wanted) <= MOST_ITEMS:
        raise TextProblem("memories", f"They are {len(wanted)}; name between 1 and {MOST_ITEMS} at once.")
    result = ReadResult()
    for attempt in ("stale", "stale again"):  # the facts moved under the plan: ask the rules once more, then refuse
        facts = facts_for(party.vault_id, party.actor, party.client_id, wanted)
        verdicts = judge(facts, wanted, party=party, purpose=purpose, turn_id=turn_id, now=now)
        plans = stamps(verdicts, kind=ReceiptKind.VALUE_READ, purpose=purpose.value, request=request, turn=turn)
        for index, plan in enumerate(plans):
            handle = gate.handle_for(party.actor, key, str(index))
            stamped = gate.stamp(party.vault_id, party.actor, party.recipient, handle, plan, body_digest)
            if stamped.outcome in ("reuse", "expired"):
                reason = Refusal.IDEMPOTENCY_REUSE if stamped.outcome == "reuse" else Refusal.IDEMPOTENCY_EXPIRED
                return Refused(reason)
            if stamped.outcome == "replay":
                return _replay(party, key, stamped, facts, wanted, body_digest, purpose, turn)
            if stamped.outcome == "stamped":
                _note(result, stamped)
                _collect(result, party, key, handle, plan, facts, verdicts, body_digest)
        settled = {each.memory.memory_id for each in result.released} | {each.memory_id for each in result.withheld}
        wanted = [memory_id for memory_id in wanted if memory_id not in settled]
        if not wanted:
            return result
        key = f"{key}\x1f{attempt}"
    _refuse(result, party, key, wanted, Refusal.STALE, body_digest, purpose.value, turn)
    return result


def judge(
    facts: Facts, ids: Iterable[UUID], *, party: Party, purpose: Purpose, turn_id: UUID | None, now: datetime
) -> list[tuple[UUID, Verdict]]:
    """The rules' verdict on each id, in the order asked."""
    asked = list(ids)
    seen = {
        memory_id: memory
        for memory_id in asked
        if (memory := facts.memories.get(memory_id)) and visible_to_client(memory, facts.grants)
    }
    verdicts: list[tuple[UUID, Verdict]] = []
    for memory_id in asked:
        memory = seen.get(memory_id)
        if memory is None:
            verdict: Verdict = Refused(Refusal.NOT_FOUND)
        elif rides_along(memory, seen.values()):
            verdict = Refused(Refusal.SPECIAL_ALONE)
        else:
            verdict = find_grant(
                memory,
                recipient=party.recipient,
                purpose=purpose,
                turn_id=turn_id,
                grants=facts.grants,
                decided=facts.decided,
                now=now,
            )
        verdicts.append((memory_id, verdict))
    return verdicts


def _collect(
    result: ReadResult,
    party: Party,
    key: str,
    handle: bytes,
    plan: Plan,
    facts: Facts,
    verdicts: Sequence[tuple[UUID, Verdict]],
    body_digest: str,
) -> None:
    """Take what was stamped; what is not released after all (its grant ended meanwhile) is refused on the record."""
    wanted = {item.memory_id for item in plan.items if item.form is not Form.REFUSED}
    taken = gate.take(party.vault_id, party.actor, party.recipient, handle) if wanted else ()
    grants = {each.grant_id: each for each in facts.grants}
    grant = grants.get(plan.authority.object_id) if plan.authority.object_id else None
    left = None if grant is None or grant.reads_left is None else grant.reads_left - 1
    for handed in taken:
        memory = facts.memories[handed.memory_id]
        result.released.append(Released(memory, handed, plan.authority.object_id, left))
    missing = [memory_id for memory_id in wanted if memory_id and memory_id not in {each.memory_id for each in taken}]
    if missing:
        _refuse(result, party, f"{key}\x1fended", missing, Refusal.GRANT_ENDED, body_digest, plan.purpose, plan.turn)
    refused = any(item.form is Form.REFUSED for item in plan.items)
    for memory_id, verdict in verdicts if refused else ():
        if isinstance(verdict, Refused):
            result.withheld.append(Withheld(memory_id, verdict.reason, verdict.until))


def _refuse(
    result: ReadResult,
    party: Party,
    key: str,
    ids: Sequence[UUID],
    reason: Refusal,
    body_digest: str,
    purpose: str,
    turn: str,
) -> None:
    """Stamp refusals of their own, under a handle derived from the deed's: sent again, they are not doubled."""
    items = tuple(PlanItem(memory_id, Form.REFUSED, reason=reason) for memory_id in ids)
    plan = Plan(ReceiptKind.VALUE_READ, Authority("gra"), items, purpose, turn=turn)
    handle = gate.handle_for(party.actor, key, "refused")
    stamped = gate.stamp(party.vault_id, party.actor, party.recipient, handle, plan, body_digest)
    _note(result, stamped)
    result.withheld += [Withheld(memory_id, reason) for memory_id in ids]


def _replay(
    party: Party,
    key: str,
    stamped: gate.Stamped,
    facts: Facts,
    asked: Sequence[UUID],
    body_digest: str,
    purpose: Purpose,
    turn: str,
) -> ReadResult:
    """The same deed again within 60 s: nothing is spent, what is still served is taken again."""
    result = ReadResult(replayed=True)
    index = 0
    while True:
        handle = gate.handle_for(party.actor, key, str(index))
        try:
            taken = gate.take(party.vault_id, party.actor, party.recipient, handle)
        except gate.NotReleased:
            break
        result.released += [
            Released(facts.memories[each.memory_id], each, None, None)
            for each in taken
            if each.memory_id in facts.memories
        ]
        index += 1
    rows = ledger.receipts(
        party.vault_id, party.actor, limit=MOST_ITEMS, after=stamped.first - 1, before=stamped.last + 1
    )
    served = {each.handed.memory_id for each in result.released}
    ended = [row.memory_id for row in rows if row.form != Form.REFUSED.value and row.memory_id not in served]
    named = {row.memory_id: row.reason for row in rows if row.form == Form.REFUSED.value}
    for memory_id in asked:  # a not-found was stamped without its id: it is what was asked for and is nowhere else
        if memory_id not in served and memory_id not in ended:
            result.withheld.append(Withheld(memory_id, Refusal(named.get(memory_id, Refusal.NOT_FOUND))))
    result.first, result.last, result.at = stamped.first, stamped.last, stamped.at
    result.digest = rows[-1].digest.hex() if rows else ""
    gone = [memory_id for memory_id in ended if memory_id]
    if gone:
        _refuse(result, party, f"{key}\x1fended", gone, Refusal.GRANT_ENDED, body_digest, purpose.value, turn)
    return result


def _note(result: ReadResult, stamped: gate.Stamped) -> None:
    if not result.first and stamped.first:
        result.first, result.at = stamped.first, stamped.at
        result.digest = stamped.digests[0].hex() if stamped.digests else ""
    result.last = max(result.last, stamped.last)


def _flooded(party: Party, now: datetime) -> Refused | None:
    """Over the limit of reads a minute: refused, with one receipt for the whole minute."""
    minute = int(now.timestamp()) // 60
    counter = f"reads:{party.client_id.hex}:{minute}"
    cache.add(counter, 0, 120)
    if cache.incr(counter) <= settings.READS_PER_MINUTE:
        return None
    result = ReadResult()
    key = f"flood:{minute}"
    handle = gate.handle_for(party.actor, key, "refused")
    plan = Plan(ReceiptKind.VALUE_READ, Authority("gra"), (PlanItem(None, Form.REFUSED, reason=Refusal.RATE_LIMITED),))
    _note(result, gate.stamp(party.vault_id, party.actor, party.recipient, handle, plan, key))
    until = datetime.fromtimestamp((minute + 1) * 60, tz=now.tzinfo)
    return Refused(Refusal.RATE_LIMITED, until=max(until, now + timedelta(seconds=1)))
