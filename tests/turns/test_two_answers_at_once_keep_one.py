"""Two tabs, or a press and its repetition: one answer is kept, one receipt is left, nothing is handed over twice."""

from apps.turns import services as turns
from apps.turns.services import Finished
from tests.cast import QUESTION, Vault
from tests.peers import openai
from tests.threads import at_once
from vault.clock import utc_now


def test_one_is_kept(alice: Vault, model: openai.Model) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    chosen = frozenset({alice.ids["kitchen"], alice.ids["time"]})
    turns.decide(alice.holder, asked.turn_id, ordinary=chosen, now=utc_now())
    results = at_once([lambda: list(turns.answer(alice.holder, asked.turn_id, utc_now()))] * 3)
    finished = [events[-1] for events in results if isinstance(events, list)]
    said = [each.turn.answer for each in finished if isinstance(each, Finished)]
    assert len(said) == 3, results
    assert len(set(said)) == 1
    assert len(alice.receipts(kind="turn.answered")) == 1
    assert len(alice.handed()) == 2


def test_answering_again_says_the_same_and_asks_nobody(alice: Vault, model: openai.Model) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    turns.decide(alice.holder, asked.turn_id, ordinary=frozenset({alice.ids["kitchen"]}), now=utc_now())
    *_, first = turns.answer(alice.holder, asked.turn_id, utc_now())
    again = list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    assert again == [first]
    assert len(model.answers) == 1
    assert len(alice.handed()) == 1


def test_two_decisions_at_once_are_one(alice: Vault) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    kitchen, time = frozenset({alice.ids["kitchen"]}), frozenset({alice.ids["time"]})
    results = at_once(
        [
            lambda: turns.decide(alice.holder, asked.turn_id, ordinary=kitchen, now=utc_now()),
            lambda: turns.decide(alice.holder, asked.turn_id, ordinary=time, now=utc_now()),
        ]
    )
    assert not [each for each in results if isinstance(each, Exception)]
    assert sum(bool(each) for each in results) == 1
    list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    assert len(alice.handed()) == 1
