"""An answer that was cut off after its memories left is ended as that: the turn says what the ledger says."""

from collections.abc import Generator
from datetime import timedelta

from apps.ledger import services as ledger
from apps.policy.ids import typed
from apps.policy.types import Turn
from apps.policy.vocabulary import ItemState, TurnStatus
from apps.turns import services as turns
from apps.turns import standin
from tests.cast import QUESTION, Vault
from tests.peers import openai
from tests.turns.logs import events_of
from vault.clock import utc_now


def cut_off(vault: Vault) -> Turn:
    """A turn whose process died in the middle of the answer: handed over, nothing stored."""
    asked = turns.ask(vault.holder, QUESTION, utc_now())
    decided = turns.decide(vault.holder, asked.turn_id, ordinary=frozenset([vault.ids["kitchen"]]), now=utc_now())
    assert isinstance(decided, Turn)
    pieces = turns.answer(vault.holder, asked.turn_id, utc_now())
    assert isinstance(pieces, Generator)
    next(pieces)
    pieces.close()
    found = turns.turn(vault.holder, asked.turn_id)
    assert found is not None
    assert found.status is TurnStatus.DECIDED
    return found


def ended(vault: Vault, turn: Turn, later: timedelta) -> Turn:
    *_, last = turns.answer(vault.holder, turn.turn_id, utc_now() + later)
    assert isinstance(last, turns.Finished)
    return last.turn


def test_within_a_minute_it_is_answered_after_all(alice: Vault, model: openai.Model) -> None:
    turn = ended(alice, cut_off(alice), timedelta())
    assert turn.answer.startswith("You said")
    assert not turn.stand_in


def test_later_it_says_that_it_was_interrupted_and_what_had_left(alice: Vault, model: openai.Model) -> None:
    turn = ended(alice, cut_off(alice), timedelta(minutes=5))
    assert turn.answer == standin.INTERRUPTED
    (kitchen,) = [item for item in turn.items if item.memory_id == alice.ids["kitchen"]]
    (receipt,) = ledger.receipts(
        alice.holder.vault_id, alice.holder.actor, turn=typed("trn", turn.turn_id), kind="value.read"
    )
    assert (kitchen.state, kitchen.seq) == (ItemState.HANDED_OVER, receipt.seq)
    (handed,) = [each.body for each in events_of(alice, turn) if each.kind == "handed_over"]
    assert (handed["seq"], handed["digest"]) == (receipt.seq, receipt.digest.hex())


def test_its_events_have_no_prompt_and_say_that_it_was_interrupted(alice: Vault, model: openai.Model) -> None:
    turn = ended(alice, cut_off(alice), timedelta(minutes=5))
    *_, last = events_of(alice, turn)
    assert (last.body["interrupted"], last.body["stand_in"], last.body["parameters"]) == (True, True, {})
    assert [each.body["step"] for each in events_of(alice, turn) if each.kind == "prompt"] == ["scope"]


def test_and_one_can_be_left_out_of_it_like_of_any_other(alice: Vault, model: openai.Model) -> None:
    turn = ended(alice, cut_off(alice), timedelta(minutes=5))
    again = turns.without(alice.holder, turn.turn_id, alice.ids["kitchen"], utc_now())
    assert isinstance(again, Turn)
