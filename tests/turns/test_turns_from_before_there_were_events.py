"""A turn from before there were events is read, answered and taken away as what it is; its receipt still verifies."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from apps.ledger.format.verdict import Trust, Verdict
from apps.ledger.format.verifying import verify
from apps.ledger.log import act
from apps.memories import sealing
from apps.memories.keys import WrappedVaultKey
from apps.policy.ids import typed
from apps.policy.types import Turn
from apps.policy.vocabulary import ReceiptKind
from apps.turns import services as turns
from apps.turns import store
from tests.cast import QUESTION, Vault
from tests.turns.files import bytes_of, exported, lines_of
from vault.clock import utc_now

ANSWER, PROMPT = "Pan-fried tofu.", "[]"


def key_of(vault: Vault, turn_id: Any, admin: Any) -> bytes:
    """The turn's own key, as whoever has the root key and the database gets it."""
    epoch, wrapped = admin.execute("SELECT epoch, wrapped FROM turn WHERE turn_id = %s", [turn_id]).fetchone()
    row = admin.execute(
        "SELECT epoch, root_epoch, wrapped, index_wrapped FROM vault_key WHERE vault_id = %s AND epoch = %s",
        [vault.id, epoch],
    ).fetchone()
    key = sealing.open_vault_key(vault.id, WrappedVaultKey(*row))
    return sealing.open_turn_key(vault.id, key, turn_id, wrapped)


@pytest.fixture
def old(alice: Vault, admin: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Turn]:
    """A turn as it was asked then: two sealed texts in its row, and a receipt without a commitment."""
    honest = store.add
    monkeypatch.setattr(store, "add", lambda *sent: honest(*sent) and None)
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    monkeypatch.undo()
    sealed = sealing.seal_text(key_of(alice, asked.turn_id, admin), f"muniment-question/1 {asked.turn_id}", QUESTION)
    admin.execute("ALTER TABLE turn_event DISABLE TRIGGER append_only")
    admin.execute("DELETE FROM turn_event WHERE turn_id = %s", [asked.turn_id])
    admin.execute("ALTER TABLE turn_event ENABLE TRIGGER append_only")
    admin.execute("UPDATE turn SET question = %s WHERE turn_id = %s", [sealed, asked.turn_id])
    found = turns.turn(alice.holder, asked.turn_id)
    assert found
    yield found


def answered_then(vault: Vault, old: Turn, admin: Any) -> None:
    """Answered as it was then: five facts under the turn's own key, bound by its receipt."""
    key = key_of(vault, old.turn_id, admin)
    facts = {
        "question": sealing.keyed_digest(key, "question", QUESTION),
        "prompt": sealing.keyed_digest(key, "prompt", PROMPT),
        "response": sealing.keyed_digest(key, "response", ANSWER),
        "receipts": "",
        "model": "the stand-in (no model)",
    }
    commitment = sealing.keyed_digest(key, "turn", "\n".join(f"{name} {facts[name]}" for name in sorted(facts)))
    name = typed("trn", old.turn_id)
    with act(vault.id, vault.holder.actor) as answering:
        answering.record(
            ReceiptKind.TURN_ANSWERED,
            object=name,
            turn=name,
            request=typed("req", old.request_id) if old.request_id else "-",
            purpose="answer",
            commitment=commitment,
        )
    admin.execute(
        "UPDATE turn SET answer = %s, facts = %s, status = 'answered', model = %s, answered_at = now()"
        " WHERE turn_id = %s",
        [
            sealing.seal_text(key, f"muniment-answer/1 {old.turn_id}", ANSWER),
            json.dumps(facts),
            facts["model"],
            old.turn_id,
        ],
    )


def test_it_is_read_as_before(alice: Vault, old: Turn, admin: Any) -> None:
    assert old.question == QUESTION
    answered_then(alice, old, admin)
    found = turns.turn(alice.holder, old.turn_id)
    assert found and (found.question, found.answer) == (QUESTION, ANSWER)
    assert turns.recent(alice.holder)[0].answer == ANSWER


def test_its_file_verifies_by_the_facts_of_its_time(alice: Vault, old: Turn, admin: Any) -> None:
    answered_then(alice, old, admin)
    data = exported(alice, old.turn_id)
    report = verify(data, Trust())
    assert report.verdict is Verdict.NOT_CHECKED, (report.says, report.findings)
    assert any("before there were events" in each for each in report.coverage)
    said = lines_of(data)[1]["turn"]
    assert (said["version"], said["texts"]) == ("muniment-turn/1", {"question": QUESTION, "response": ANSWER})
    for content, verdict in ((True, Verdict.NOT_CHECKED), (False, Verdict.EVENTS_NOT_CHECKED)):
        assert verify(exported(alice, content=content), Trust()).verdict is verdict
    assert QUESTION not in exported(alice, content=False).decode()


def test_one_other_word_or_fact_in_it_is_named(alice: Vault, old: Turn, admin: Any) -> None:
    answered_then(alice, old, admin)
    for group, name in [
        ("texts", "question"),
        ("texts", "response"),
        *(("facts", each) for each in ("prompt", "model")),
    ]:
        lines = lines_of(exported(alice, old.turn_id))
        lines[1]["turn"][group][name] += "."
        assert verify(bytes_of(lines), Trust()).verdict is Verdict.ALTERED
    lines = lines_of(exported(alice, old.turn_id))
    del lines[1]["turn"]["facts"], lines[1]["turn"]["texts"], lines[1]["turn"]["key"]
    assert verify(bytes_of(lines), Trust()).verdict is Verdict.ALTERED, "what a receipt binds cannot be left out"


def test_asked_then_and_answered_now_its_events_begin_with_the_answer(alice: Vault, old: Turn) -> None:
    waiting = verify(exported(alice, old.turn_id), Trust())
    assert waiting.verdict is Verdict.NOT_CHECKED, waiting.findings
    turns.decide(alice.holder, old.turn_id, ordinary=frozenset({alice.ids["kitchen"]}), now=utc_now())
    *_, last = turns.answer(alice.holder, old.turn_id, utc_now())
    assert isinstance(last, turns.Finished)
    assert last.turn.question == QUESTION
    report = verify(exported(alice, old.turn_id), Trust())
    assert report.verdict is Verdict.NOT_CHECKED, (report.says, report.findings)
    assert report.content.startswith("content checked")


def test_a_new_turn_cannot_pass_for_an_old_one(alice: Vault) -> None:
    """Without its events, as if there had never been any."""
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    for content in (True, False):
        lines = [line for line in lines_of(exported(alice, asked.turn_id, content=content)) if "event" not in line]
        lines[1] = {"turn": {"turn": typed("trn", asked.turn_id), "version": "muniment-turn/1"}}
        assert verify(bytes_of(lines), Trust()).verdict is Verdict.ALTERED
