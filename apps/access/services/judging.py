"""What the rules say to a read: the facts that were found, a verdict on each memory, and the plans to stamp."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.access.finding import Facts
from apps.policy.rules import find_grant, goes_there, rides_along, stamps, visible_to_client
from apps.policy.types import Plan, Refused, Verdict
from apps.policy.vocabulary import Purpose, ReceiptKind, Refusal

Verdicts = Sequence[tuple[UUID, Verdict]]


@dataclass(frozen=True, slots=True)
class Party:
    """Who asks, and to whom the values go: for an assistant the same, for the chat its model endpoint. `local`: that
    is at home, and may have what goes nowhere else.
    """

    vault_id: UUID
    actor: str
    recipient: str
    client_id: UUID
    local: bool = False


@dataclass(frozen=True, slots=True)
class Deed:
    """One hand-over as it was asked for. `key` and `body_digest` are what makes a repeated send harmless; `edges`: how
    the memories stand to each other is told with them.
    """

    party: Party
    purpose: Purpose
    key: str
    body_digest: str
    now: datetime
    turn: str = "-"
    turn_id: UUID | None = None
    request: str = "-"
    edges: bool = False


def judge(deed: Deed, facts: Facts, ids: Iterable[UUID]) -> list[tuple[UUID, Verdict]]:
    """The rules' verdict on each id, in the order asked."""
    asked, local = list(ids), deed.party.local
    seen = {
        memory_id: memory
        for memory_id in asked
        if (memory := facts.memories.get(memory_id)) and visible_to_client(memory, facts.grants, local=local)
    }
    verdicts: list[tuple[UUID, Verdict]] = []
    for memory_id in asked:
        memory = seen.get(memory_id)
        if memory is None:
            verdict: Verdict = Refused(Refusal.NOT_FOUND)
        elif not goes_there(memory, local=local):
            verdict = Refused(Refusal.LOCAL_ONLY)
        elif rides_along(memory, seen.values()):
            verdict = Refused(Refusal.SPECIAL_ALONE)
        else:
            verdict = find_grant(
                memory,
                recipient=deed.party.recipient,
                purpose=deed.purpose,
                turn_id=deed.turn_id,
                grants=facts.grants,
                decided=facts.decided,
                now=deed.now,
            )
        verdicts.append((memory_id, verdict))
    return verdicts


def plans_for(deed: Deed, verdicts: Verdicts) -> tuple[Plan, ...]:
    """The plans of a read, one a grant."""
    return stamps(
        verdicts, kind=ReceiptKind.VALUE_READ, purpose=deed.purpose.value, request=deed.request, turn=deed.turn
    )
