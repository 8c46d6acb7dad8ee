"""The services themselves as a surface, in the drivers' vocabulary: what every other surface must agree with."""

import hashlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from uuid import UUID

from apps.access import services as access
from apps.ledger import services as ledger
from apps.memories import services as memories
from apps.policy.ids import typed, untyped
from apps.policy.text import TextProblem
from apps.policy.types import AccessRequest, Holder, Refused, Turn
from apps.policy.types import Asked as Line
from apps.policy.vocabulary import Category, Purpose, Refusal
from apps.turns import services as turns
from tests.drivers import Asked, Handed, No, Read, Stub, Subject, Suggestion, Wish
from vault.clock import utc_now

T = TypeVar("T")
NOTHING = UUID(int=0)


def _no(refused: Refused) -> No:
    return No(refused.reason.value)


def _worded(deed: Callable[[], T]) -> T | No:
    """A text that cannot be kept is a `validation` on every surface."""
    try:
        return deed()
    except TextProblem:
        return No("validation")


def _ids(prefix: str, texts: Sequence[str]) -> list[UUID]:
    return [untyped(prefix, text) or NOTHING for text in texts]


class InsideClient:
    """A client, past the door."""

    name = "services"

    def __init__(self, key: str) -> None:
        self.key = key

    def _caller(self) -> Any:
        return access.authenticate(self.key, utc_now())

    def subjects(self) -> tuple[Subject, ...] | No:
        caller = self._caller()
        if caller is None:
            return No("unauthenticated")
        return tuple(
            Subject(typed("mem", each.memory_id), each.label, each.category.value, each.attested)
            for each in access.subjects(caller)
        )

    def ask(
        self, memories: Sequence[str] = (), categories: Sequence[str] = (), purpose: str = "meal_planning", **more: Any
    ) -> Wish | No:
        caller = self._caller()
        if caller is None:
            return No("unauthenticated")
        lines = [Line(each) for each in _ids("mem", memories)] + [Line(category=Category(each)) for each in categories]
        return _worded(lambda: _wish(access.ask(caller, lines, purpose=Purpose(purpose), now=utc_now(), **more)))

    def check(self, request: str) -> Wish | No:
        caller = self._caller()
        if caller is None:
            return No("unauthenticated")
        return _wish(access.check(caller, untyped("req", request) or NOTHING, utc_now()))

    def read(self, memories: Sequence[str], key: str | None = None, purpose: str = "meal_planning") -> Read | No:
        caller = self._caller()
        if caller is None:
            return No("unauthenticated")
        got = access.read(
            caller,
            _ids("mem", memories),
            purpose=Purpose(purpose),
            idempotency_key=key or secrets.token_hex(8),
            body_digest=hashlib.sha256(repr((list(memories), purpose)).encode()).hexdigest(),
            now=utc_now(),
        )
        if isinstance(got, Refused):
            return _no(got)
        handed = tuple(
            Handed(
                typed("mem", each.memory.memory_id),
                each.memory.outer_label,
                each.handed.value,
                each.memory.claim.value if each.handed.value is None and each.memory.claim else None,
                f"rcp_{each.handed.seq}",
            )
            for each in got.released
        )
        withheld = {typed("mem", each.memory_id): each.reason.value for each in got.withheld}
        return Read(handed, withheld, f"rcp_{got.first}", got.replayed)

    def propose(self, label: str, value: str, **more: Any) -> Suggestion | No:
        caller = self._caller()
        if caller is None:
            return No("unauthenticated")
        sent = ("label", "value", *more)
        own = {name: text for name, text in more.items() if name in ("subject", "rationale", "as_of")}
        made = _worded(
            lambda: access.propose(
                caller, label=label, value=value, now=utc_now(), sent_fields=sent, derived_from=[], **own
            )
        )
        if isinstance(made, Refused):
            return _no(made)
        return made if isinstance(made, No) else Suggestion(typed("prp", made.proposal_id), made.status.value)

    def receipt(self, receipt: str) -> Stub | No:
        caller = self._caller()
        if caller is None:
            return No("unauthenticated")
        found = ledger.receipt(caller.vault_id, caller.actor, int(receipt.removeprefix("rcp_")), own=True)
        if found is None:
            return No(Refusal.NOT_FOUND.value)
        return Stub(receipt, found.kind, found.memory_id and typed("mem", found.memory_id), found.reason)


class InsideHolder:
    """A holder, signed in."""

    name = "services"

    def __init__(self, holder: Holder) -> None:
        self.holder = holder

    def add(self, label: str, value: str, **more: Any) -> str | No:
        made = _worded(lambda: memories.add(self.holder, label=label, value=value, now=utc_now(), **more))
        return made if isinstance(made, No) else typed("mem", made.memory_id)

    def show(self, wanted: Sequence[str]) -> dict[str, str] | No:
        shown = memories.show(self.holder, _ids("mem", wanted))
        return {typed("mem", each.memory_id): each.value or "" for each in shown.values}

    def decide(self, request: str, parts: Mapping[str, Sequence[str]], reads: int | None = 1) -> str | No:
        decisions = {
            Category(part.removeprefix("special:")): (
                access.Decision(frozenset(_ids("mem", chosen)), None, reads) if chosen else access.NO
            )
            for part, chosen in parts.items()
        }
        decided = access.decide(self.holder, untyped("req", request) or NOTHING, decisions, utc_now())
        return _no(decided) if isinstance(decided, Refused) else decided.status.value

    def approve(self, proposal: str) -> str | No:
        done = memories.approve(self.holder, untyped("prp", proposal) or NOTHING, now=utc_now())
        return _no(done) if isinstance(done, Refused) else typed("mem", done.memory.memory_id)

    def ask_turn(self, question: str) -> Asked | No:
        asked = _worded(lambda: turns.ask(self.holder, question, utc_now()))
        return asked if isinstance(asked, No) else self._turn(asked)

    def decide_turn(self, turn: str, ordinary: Sequence[str]) -> Asked | No:
        turn_id = untyped("trn", turn) or NOTHING
        decided = turns.decide(self.holder, turn_id, ordinary=frozenset(_ids("mem", ordinary)), now=utc_now())
        return _no(decided) if isinstance(decided, Refused) else self._answered(decided)

    def without(self, turn: str, memory: str) -> Asked | No:
        turn_id, memory_id = untyped("trn", turn) or NOTHING, untyped("mem", memory) or NOTHING
        again = turns.without(self.holder, turn_id, memory_id, utc_now())
        return _no(again) if isinstance(again, Refused) else self._answered(again)

    def _answered(self, decided: Turn) -> Asked:
        for _ in turns.answer(self.holder, decided.turn_id, utc_now()):
            pass
        found = turns.turn(self.holder, decided.turn_id)
        assert found is not None
        return self._turn(found)

    def _turn(self, found: Turn) -> Asked:
        card = turns.card(self.holder, found)
        special = [each for part in card.special for each in part.memories]
        offered = tuple(typed("mem", each.memory_id) for each in (*card.ordinary, *special))
        return Asked(typed("trn", found.turn_id), found.status.value, offered, found.answer)


def _wish(found: AccessRequest | Refused) -> Wish | No:
    if isinstance(found, Refused):
        return _no(found)
    parts = {each.part.name: each.status.value for each in found.parts}
    return Wish(typed("req", found.request_id), found.status.value, parts)
