"""The main job in the terminal: one question, from ask to receipts. Exits 0 when every step held, else 1."""

import sys
from collections.abc import Callable
from datetime import datetime

from django.conf import settings
from django.core.management.base import BaseCommand

from apps.access import services as access
from apps.ledger import services as ledger
from apps.memories import services as memories
from apps.policy.types import Asked, Holder, Refused, Turn
from apps.policy.vocabulary import Category, ItemState, PartStatus, Purpose, Refusal
from apps.turns import services as turns
from apps.turns.management import casa_m
from vault.clock import utc_now

ADDRESS = "transcript@casa-m.example"


class DemoFailed(Exception):
    """A step of the demo did not do what it should."""


class Command(BaseCommand):
    help = "Walk through the main job and print what happens: ask, card, answer, stamps, leave out, refuse, verify."

    def handle(self, *args: object, **options: object) -> None:
        settings.LLM_BASE_URL = ""  # the stand-in walks: the same every time, and nothing of it goes to a provider
        try:
            Walk(self.stdout.write, utc_now()).go()
        except DemoFailed as failed:
            self.stderr.write(f"The demo failed: {failed}")
            sys.exit(1)
        except ledger.OnHold:
            self.stderr.write("This instance is on hold, so nothing can be stamped: manage.py guard says why.")
            sys.exit(1)


class Walk:
    """The steps, in order; each checks what it shows."""

    def __init__(self, say: Callable[[str], object], now: datetime) -> None:
        self.say = say
        self.now = now
        self.holder: Holder = casa_m.person(ADDRESS, None, now)
        lost = memories.due_for_index(1000).get(self.holder.vault_id)
        if lost:  # as after a crash or a restore, before the worker has come round
            memories.rebuild_index(self.holder.vault_id, lost, now)
        self.labels = {memory.memory_id: memory for memory in memories.memories(self.holder)}

    def go(self) -> None:
        """All of it. Raises DemoFailed at the first step that does not hold."""
        self.say(f"\n{self.holder.space_name} · {self.holder.name} asks: {casa_m.QUESTION}")
        first = self.answer(self.ask())
        again = self.leave_out(first, "Kitchen equipment")
        self.side_by_side(first, again)
        self.refuse_health()
        self.verify()

    def ask(self) -> Turn:
        """The question, and the card."""
        asked = turns.ask(self.holder, casa_m.QUESTION, self.now)
        card = turns.card(self.holder, asked)
        self.say(f"\nAsked for {len(card.ordinary)} memories, to answer this question:")
        for memory in card.ordinary:
            form = "attested: confirmed, never shown" if memory.attested else "ordinary"
            self.say(f"  (•) hand over  ( ) leave out   {memory.label}  [{form}]")
        for special in card.special:
            self.say(f"  ══ {special.category.value} · decided on its own · {special.memories[0].neutral_label}")
        self.check(
            len(card.ordinary) == 4 and len(card.special) == 1, "four memories and one special category are asked"
        )
        chosen = frozenset(memory.memory_id for memory in card.ordinary)
        decided = turns.decide(self.holder, asked.turn_id, ordinary=chosen, now=self.now)
        if isinstance(decided, Refused):
            raise DemoFailed(decided.reason)
        self.say("\n> Hand over what I chose  (health was not chosen, so it stays)")
        return decided

    def answer(self, decided: Turn) -> Turn:
        """The answer with its stamps."""
        *_, last = turns.answer(self.holder, decided.turn_id, self.now)
        self.check(isinstance(last, turns.Finished), "the question is answered")
        turn = last.turn if isinstance(last, turns.Finished) else decided
        self.say(f"\n{turn.answer}\n   — {turn.model}")
        stamped = [item for item in turn.items if item.state is ItemState.HANDED_OVER]
        self.say(f"\nHanded over · {len(stamped)} stamps")
        for item in turn.items:
            memory = self.labels[item.memory_id]
            receipt = ledger.receipt(self.holder.vault_id, self.holder.actor, item.seq) if item.seq else None
            if receipt:
                what = "confirmed" if receipt.form == "attested" else "value"
                self.say(f"  ▣ {memory.outer_label:<20} No. {receipt.seq:<4} {receipt.at:%H:%M:%S}  {what}")
            else:
                words = "left out" if item.state is ItemState.LEFT_OUT else "asked for, not handed over"
                self.say(f"  ▢ {memory.outer_label:<20} {words}")
            self.check(item.state is not ItemState.HANDED_OVER or receipt is not None, "what was used has a receipt")
        return turn

    def leave_out(self, turn: Turn, label: str) -> Turn:
        """The same question without one memory."""
        memory = next(each for each in self.labels.values() if each.label == label)
        again = turns.without(self.holder, turn.turn_id, memory.memory_id, self.now)
        if isinstance(again, Refused):
            raise DemoFailed(again.reason)
        self.say(f"\n> Leave out: {label}")
        later = self.answer(again)
        value = next(entry.value for entry in casa_m.MEMORIES if entry.label == label)
        self.check(value not in later.answer, "the memory left out is not in the new answer")
        return later

    def side_by_side(self, earlier: Turn, later: Turn) -> None:
        """What changed."""
        sentences = turns.compare(earlier.answer, later.answer)
        self.say("\nChanged:")
        for sentence in sentences:
            if sentence.changed:
                self.say(f"  + {sentence.text}")
        self.check(any(sentence.changed for sentence in sentences), "the answer changes")

    def refuse_health(self) -> None:
        """An assistant asks for health, the holder says no, and its read is refused on the record."""
        client, key = casa_m.cookbot(self.holder, self.now)
        caller = access.authenticate(key, self.now)
        if caller is None:
            raise DemoFailed("Cookbot's key does not open its vault")
        wish = access.ask(caller, [Asked(category=Category.HEALTH)], purpose=Purpose.MEAL_PLANNING, now=self.now)
        if isinstance(wish, Refused):
            raise DemoFailed(wish.reason)
        self.say(f"\n{client.name} asks for health, for {wish.purpose.value}.\n> Don't allow")
        decided = access.decide(self.holder, wish.request_id, {Category.HEALTH: access.NO}, self.now)
        self.check(not isinstance(decided, Refused) and decided.status is PartStatus.DENIED, "the request is denied")
        health = next(each for each in self.labels.values() if each.category is Category.HEALTH)
        result = access.read(
            caller,
            [health.memory_id],
            purpose=Purpose.MEAL_PLANNING,
            idempotency_key=wish.request_id.hex,
            body_digest=wish.request_id.hex,
            now=self.now,
        )
        if isinstance(result, Refused):
            raise DemoFailed(result.reason)
        reason = result.withheld[0].reason
        self.check(not result.released and reason is Refusal.NOT_FOUND, "nothing of health leaves")
        self.say(f"  ▢ A health memory: refused ({reason.value}), No. {result.first}")

    def verify(self) -> None:
        """The whole chain, re-computed."""
        verdict = ledger.verify(self.holder.vault_id, self.holder.actor)
        self.check(bool(verdict), "the chain holds")
        self.say(f"\nChain verified: {verdict.count} receipts, each re-computed from its own bytes.")

    def check(self, held: bool, what: str) -> None:
        """Stop at what does not hold."""
        if not held:
            raise DemoFailed(f"expected that {what}")
