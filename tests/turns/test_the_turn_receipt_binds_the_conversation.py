"""A turn's receipts bind question, prompts, answer, model, and every memory offered and handed over: they re-compute
with the turn's digest key, and without it no guess can be checked, however short the question."""

import hashlib
import hmac
import json
from dataclasses import replace
from typing import Any

import pytest

from apps.ledger.format.turn import turn_commitment, turn_facts
from apps.memories import sealing
from apps.policy.types import Receipt, Turn
from apps.turns import services as turns
from tests.cast import QUESTION, Vault
from tests.peers import openai
from tests.turns.logs import conversation_of, events_of
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


def receipt_of(vault: Vault, kind: str = "turn.answered") -> Receipt:
    (found,) = vault.receipts(kind=kind)
    return found


def mac(key: bytes, about: str, text: str | bytes) -> str:
    """As docs/receipt-format.md says it, with nothing of ours."""
    raw = text.encode() if isinstance(text, str) else text
    return hmac.new(key, about.encode() + b"\n" + raw, hashlib.sha256).hexdigest()


def told(vault: Vault, turn: Turn, model: openai.Model) -> dict[str, Any]:
    """The facts of an answered turn, from what the model was really sent and said, and from the ledger."""
    key, events = conversation_of(vault, turn).key, events_of(vault, turn)
    handed = [vault.receipts()[item.seq - 1] for item in turn.items if item.seq]
    return {
        "v": "muniment-turn/2",
        "turn": f"trn_{turn.turn_id.hex}",
        "events": len(events),
        "head": events[-1].chain_hash.hex(),
        "question": mac(key, "question", turn.question),
        "prompts": [mac(key, "prompt", raw) for raw in model.raw],
        "response": mac(key, "response", turn.answer),
        "offered": [{"memory": f"mem_{it.memory_id.hex}", "category": it.category.value} for it in turn.items],
        "handed_over": [
            {
                "memory": f"mem_{each.memory_id.hex if each.memory_id else ''}",
                "seq": each.seq,
                "commitment": (each.commitment or b"").hex(),
                "digest": each.digest.hex(),
                "chain_hash": each.chain_hash.hex(),
            }
            for each in handed
        ],
        "model": turn.model,
        "parameters": {name: model.requests[-1][name] for name in ("model", "stream", "temperature")},
    }


def commitment(key: bytes, facts: dict[str, Any]) -> bytes:
    text = json.dumps(facts, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return bytes.fromhex(mac(key, "muniment-turn/2", text))


def test_it_re_computes_from_the_conversation(alice: Vault, turn: Turn, model: openai.Model) -> None:
    """From what the model was really sent, and what it really said."""
    facts = told(alice, turn, model)
    assert len(facts["prompts"]) == 2, "what it was asked to choose from, and what it answered"
    assert commitment(conversation_of(alice, turn).key, facts) == receipt_of(alice).commitment
    assert turn.receipt_seq == receipt_of(alice).seq
    assert {each["memory"] for each in facts["handed_over"]} == {alice.mem("kitchen"), alice.mem("time")}


@pytest.mark.parametrize("part", ["question", "prompts", "response", "offered", "handed_over", "model", "parameters"])
def test_one_other_word_and_it_does_not(alice: Vault, turn: Turn, model: openai.Model, part: str) -> None:
    facts = told(alice, turn, model)
    other = facts[part] + "." if isinstance(facts[part], str) else type(facts[part])()
    assert commitment(conversation_of(alice, turn).key, facts | {part: other}) != receipt_of(alice).commitment


def test_the_asking_is_bound_before_anything_is_decided(alice: Vault, model: openai.Model) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    kept = conversation_of(alice, asked)
    assert [each.kind for each in kept.events] == ["asked", "prompt", "offered"]
    assert turn_commitment(kept.key, turn_facts(kept.key, kept.events)) == receipt_of(alice, "turn.asked").commitment
    changed = [replace(kept.events[0], body={**kept.events[0].body, "question": "Else?"}), *kept.events[1:]]
    assert turn_commitment(kept.key, turn_facts(kept.key, changed)) != receipt_of(alice, "turn.asked").commitment


def test_without_the_key_a_guess_cannot_be_checked(alice: Vault, turn: Turn, admin: Any) -> None:
    """The question stands in a list of ten thousand; its digests match none of them."""
    receipts = [receipt_of(alice), receipt_of(alice, "turn.asked")]
    rows = admin.execute("SELECT digest, chain_hash FROM turn_event WHERE turn_id = %s", [turn.turn_id]).fetchall()
    stored = {bytes(each) for row in rows for each in row} | {each.commitment for each in receipts}
    assert len(stored) > 10
    bodies = [each.canonical() for each in events_of(alice, turn)]
    texts = [QUESTION.encode(), f"question\n{QUESTION}".encode(), turn.answer.encode(), *bodies]
    for text in [*texts, *(b"muniment-event/1\n" + each for each in bodies)]:
        for key in (b"", b"\0" * 32, receipts[0].salt, turn.turn_id.bytes, alice.id.bytes):
            for guess in (hashlib.sha256(key + text).digest(), hmac.digest(key, text, hashlib.sha256)):
                assert guess not in stored


def test_with_it_the_same_guess_is_recognised(alice: Vault, turn: Turn) -> None:
    """The control."""
    kept = conversation_of(alice, turn)
    text = b"muniment-event/1\n" + kept.events[0].canonical()
    assert hmac.digest(kept.key, text, hashlib.sha256) == kept.events[0].digest


def test_the_same_question_twice_leaves_two_commitments(alice: Vault, turn: Turn) -> None:
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    chosen = frozenset({alice.ids["kitchen"], alice.ids["time"]})
    turns.decide(alice.holder, asked.turn_id, ordinary=chosen, now=utc_now())
    list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    first, second = alice.receipts(kind="turn.answered")
    assert first.commitment != second.commitment


def test_with_the_key_gone_nothing_opens(alice: Vault, turn: Turn, admin: Any) -> None:
    """Neither the digest key, which a holder may give away, nor any other opens what is sealed."""
    row = admin.execute("SELECT body FROM turn_event WHERE turn_id = %s AND n = 1", [turn.turn_id]).fetchone()
    about = f"muniment-event/1 {alice.id} {turn.turn_id} 1 asked"
    for other in (b"\0" * 32, conversation_of(alice, turn).key):
        with pytest.raises(sealing.CannotOpen):
            sealing.open_text(other, about, bytes(row[0]))
    admin.execute("UPDATE turn SET wrapped = '\\x00' WHERE turn_id = %s", [turn.turn_id])
    with pytest.raises(sealing.CannotOpen):
        turns.turn(alice.holder, turn.turn_id)
