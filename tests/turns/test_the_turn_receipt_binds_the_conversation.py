"""A turn's receipt binds question, prompt, answer, model and receipts: it re-computes with the turn's key, and without
the key no guess can be checked, however short the question."""

import hashlib
import hmac
from dataclasses import replace
from typing import Any

import pytest

from apps.memories import sealing, store
from apps.policy.types import Receipt, Turn
from apps.turns import services as turns
from apps.turns.prompts import as_sent
from tests.cast import QUESTION, Vault
from tests.peers import openai
from vault.clock import utc_now


@pytest.fixture
def turn(alice: Vault, model: openai.Model) -> Turn:
    """An answered turn that used two memories."""
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    chosen = frozenset({alice.ids["kitchen"], alice.ids["time"]})
    turns.decide(alice.holder, asked.turn_id, ordinary=chosen, now=utc_now())
    *_, last = turns.answer(alice.holder, asked.turn_id, utc_now())
    assert isinstance(last, turns.Finished)
    return last.turn


def key_of(vault: Vault, turn: Turn, admin: Any) -> bytes:
    """The turn's own key, as whoever has the root key and the database gets it."""
    epoch, wrapped = admin.execute("SELECT epoch, wrapped FROM turn WHERE turn_id = %s", [turn.turn_id]).fetchone()
    row = admin.execute(
        "SELECT epoch, root_epoch, wrapped, index_wrapped FROM vault_key WHERE vault_id = %s AND epoch = %s",
        [vault.id, epoch],
    ).fetchone()
    key = sealing.open_vault_key(vault.id, store.WrappedVaultKey(*row))
    return sealing.open_turn_key(vault.id, key, turn.turn_id, wrapped)


def receipt_of(vault: Vault) -> Receipt:
    (found,) = vault.receipts(kind="turn.answered")
    return found


def commitment(key: bytes, turn: Turn, prompt: str, receipts: list[int]) -> bytes:
    """The turn receipt's commitment, from the conversation and nothing stored beside it."""
    facts = {
        "question": sealing.keyed_digest(key, "question", turn.question),
        "prompt": sealing.keyed_digest(key, "prompt", prompt),
        "response": sealing.keyed_digest(key, "response", turn.answer),
        "receipts": ",".join(map(str, receipts)),
        "model": turn.model,
    }
    return bytes.fromhex(
        sealing.keyed_digest(key, "turn", "\n".join(f"{name} {facts[name]}" for name in sorted(facts)))
    )


def test_it_re_computes_from_the_conversation(alice: Vault, turn: Turn, model: openai.Model, admin: Any) -> None:
    """From what the model was really sent, and what it really said."""
    key, sent = key_of(alice, turn, admin), as_sent(model.requests[-1]["messages"])
    used = [item.seq for item in turn.items if item.seq]
    assert commitment(key, turn, sent, used) == receipt_of(alice).commitment
    assert turn.receipt_seq == receipt_of(alice).seq
    assert {alice.receipts()[seq - 1].memory_id for seq in used} == {alice.ids["kitchen"], alice.ids["time"]}


@pytest.mark.parametrize("part", ["question", "answer", "model", "prompt", "receipts"])
def test_one_other_word_and_it_does_not(alice: Vault, turn: Turn, model: openai.Model, admin: Any, part: str) -> None:
    key, sent = key_of(alice, turn, admin), as_sent(model.requests[-1]["messages"])
    used = [item.seq for item in turn.items if item.seq]
    if part in ("question", "answer", "model"):
        turn = replace(turn, **{part: getattr(turn, part) + "."})  # type: ignore[arg-type]
    elif part == "prompt":
        sent += " "
    else:
        used = used[:1]
    assert commitment(key, turn, sent, used) != receipt_of(alice).commitment


def test_without_the_key_a_guess_cannot_be_checked(alice: Vault, turn: Turn) -> None:
    """The question stands in a list of ten thousand; its digests match none of them."""
    receipt = receipt_of(alice)
    kept = [value for value in turn.facts.values() if isinstance(value, str)]
    for text in (QUESTION, f"question\n{QUESTION}", turn.answer, f"response\n{turn.answer}"):
        for key in (b"", b"\0" * 32, receipt.salt, turn.turn_id.bytes, alice.id.bytes):
            for guess in (
                hashlib.sha256(key + text.encode()).hexdigest(),
                hmac.new(key, text.encode(), hashlib.sha256).hexdigest(),
            ):
                assert guess not in kept
                assert bytes.fromhex(guess) != receipt.commitment


def test_the_same_question_twice_leaves_two_commitments(alice: Vault, turn: Turn) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    chosen = frozenset({alice.ids["kitchen"], alice.ids["time"]})
    turns.decide(alice.holder, asked.turn_id, ordinary=chosen, now=utc_now())
    list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    first, second = alice.receipts(kind="turn.answered")
    assert first.commitment != second.commitment


def test_with_the_key_gone_nothing_opens(alice: Vault, turn: Turn, admin: Any) -> None:
    key = key_of(alice, turn, admin)
    row = admin.execute("SELECT question, answer FROM turn WHERE turn_id = %s", [turn.turn_id]).fetchone()
    assert sealing.open_text(key, f"muniment-question/1 {turn.turn_id}", row[0]) == QUESTION
    for other in (b"\0" * 32, key[::-1]):
        with pytest.raises(sealing.CannotOpen):
            sealing.open_text(other, f"muniment-question/1 {turn.turn_id}", row[0])
    with pytest.raises(sealing.CannotOpen):
        sealing.open_text(key, f"muniment-question/1 {turn.turn_id}", row[1]), "an answer is no question"
