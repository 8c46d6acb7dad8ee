"""What a space keeps for a time only goes by an order of the clock's; no memory goes before its holder was told."""

import json
import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session

from apps.access import services as access
from apps.erasure import services as erasure
from apps.erasure import store, tasks
from apps.holders import services as holders
from apps.ledger.log import Act, act
from apps.mail.models import LetterRow
from apps.memories import services as memories
from apps.policy.erasing import Basis, Order
from apps.policy.retention import Keeping, Kept
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Category
from apps.turns import services as turns
from tests.cast import Assistant, Vault, canary
from tests.surfaces.web import browser, text_of
from tests.threads import at_once
from vault.clock import utc_now

DAY = timedelta(days=1)


def settle(vault: Vault, **keeping: Any) -> None:
    """How long what is kept in the vault's household."""
    (place,) = holders.memberships(vault.holder.user_id)
    held = holders.space_policy(place.space_id)
    done = holders.settle(vault.holder.user_id, place.space_id, replace(held, keeping=Keeping(**keeping)), utc_now())
    assert not isinstance(done, Refused)


def there(vault: Vault, name: str) -> bool:
    """Is it in the file?"""
    return memories.memory(vault.holder, vault.ids[name]) is not None


@pytest.fixture
def health(alice: Vault) -> Vault:
    """A vault whose household keeps memories of health for a hundred days."""
    settle(alice, memories=(Kept(Category.HEALTH, 100),))
    return alice


@pytest.fixture
def start() -> datetime:
    return utc_now()


def test_a_memory_goes_when_its_time_is_over_and_no_other_does(health: Vault, start: datetime) -> None:
    others = {each.memory_id for each in memories.memories(health.holder) if each.category is not Category.HEALTH}
    assert erasure.retain(health.id, start + 69 * DAY) is None
    assert health.receipts(kind="memory.ending") == ()
    assert erasure.retain(health.id, start + 71 * DAY) is None
    assert erasure.retain(health.id, start + 100 * DAY) is None, "thirty days from when it was told"
    done = erasure.retain(health.id, start + 102 * DAY)
    assert isinstance(done, Order)
    assert (done.basis, done.certified, done.made_by) == (Basis.RETENTION, True, "sys_clock")
    assert {each.memory_id for each in memories.memories(health.holder)} == others
    kinds = [each.kind for each in health.receipts(memory_id=health.ids["pills"])]
    assert kinds[-2:] == ["memory.ending", "memory.erased"]


def test_whoever_decides_is_told_once_and_sees_which_and_when(health: Vault, start: datetime) -> None:
    told = start + 75 * DAY
    for _ in range(2):
        erasure.retain(health.id, told)
    (letter,) = LetterRow.objects.filter(letter="going", to_id=health.holder.user_id)
    listed = erasure.going_soon(health.holder, told)
    assert health.ids["pills"] in {memory.memory_id for memory, _ in listed}
    assert {at for _, at in listed} == {told + 30 * DAY}
    assert (letter.facts["memories"], letter.facts["day"]) == (len(listed), (told + 30 * DAY).date().isoformat())


def test_a_legal_hold_stops_it(health: Vault, start: datetime) -> None:
    erasure.retain(health.id, start + 75 * DAY)
    hold = erasure.place(health.id, "The district court", "Case 12", start + 300 * DAY, start)
    assert erasure.retain(health.id, start + 120 * DAY) is None
    assert there(health, "pills")
    erasure.lift(health.id, hold.hold_id, start + 121 * DAY)
    assert isinstance(erasure.retain(health.id, start + 121 * DAY), Order)


def test_of_two_beats_one_does_it(health: Vault, start: datetime) -> None:
    at_once([lambda: erasure.retain(health.id, start + 75 * DAY)] * 2)
    assert len(LetterRow.objects.filter(letter="going", to_id=health.holder.user_id)) == 1
    done = at_once([lambda: erasure.retain(health.id, start + 110 * DAY)] * 2)
    assert len([each for each in done if isinstance(each, Order)]) == 1
    assert len(health.receipts(kind="erasure.ordered")) == 1


def test_notes_of_requests_go_once_they_are_decided(alice: Vault, cook: Assistant, start: datetime) -> None:
    asked = cook.ask("kitchen", purpose_note="For the dinner on Sunday")
    settle(alice, notes_days=30)
    assert erasure.retain(alice.id, start + 31 * DAY) is None, "it waits still"
    access.cancel(cook.caller, asked.request_id, start)
    done = erasure.retain(alice.id, start + 31 * DAY)
    assert isinstance(done, Order) and json.loads(done.certificate or b"{}") is not None
    assert (done.memories, done.counts["requests"]) == (0, 1)
    found = access.request(alice.holder, asked.request_id)
    assert found is not None and found.purpose_note == ""
    assert erasure.retain(alice.id, start + 31 * DAY) is None


def suggested(by: Assistant, words: str, now: datetime) -> Proposal:
    """A suggestion with these words in all that it says."""
    told = {"label": f"Label {words}", "value": f"Value {words}", "rationale": f"Because {words}"}
    made = memories.propose(by.caller, now=now, **told)
    assert isinstance(made, Proposal), made
    return made


def test_the_words_of_suggestions_go_once_they_were_decided_long_ago(
    alice: Vault, cook: Assistant, admin: Any, start: datetime
) -> None:
    """Those that came to nothing and those that were kept; a memory that came of one stays as it is."""
    words = {name: canary() for name in ("rejected", "kept", "waiting")}
    made = {name: suggested(cook, said, start) for name, said in words.items()}
    memories.reject(alice.holder, made["rejected"].proposal_id, start, reason="No")
    kept = memories.approve(alice.holder, made["kept"].proposal_id, now=start)
    assert isinstance(kept, memories.Approved) and kept.memory is not None
    settle(alice, proposals_days=30)
    assert erasure.retain(alice.id, start + 29 * DAY) is None
    done = erasure.retain(alice.id, start + 31 * DAY)
    assert isinstance(done, Order) and (done.memories, done.counts) == (0, {"proposals": 2})
    rows = admin.execute("SELECT to_jsonb(p)::text FROM proposal p WHERE vault_id = %s", [alice.id]).fetchall()
    assert [any(words[name] in row for (row,) in rows) for name in words] == [False, False, True]
    found = memories.memory(alice.holder, kept.memory.memory_id)
    assert found is not None and found.label == f"Label {words['kept']}"
    assert erasure.retain(alice.id, start + 31 * DAY) is None


def test_a_session_that_is_over_goes_with_where_it_was_signed_in_from(alice: Vault) -> None:
    ours, theirs = (browser(alice.holder).session.session_key for _ in range(2))
    for key in (ours, theirs):
        UserSession.objects.create(
            user_id=alice.holder.user_id, session_key=key, ip="10.0.0.1", user_agent="Somebody's"
        )
    Session.objects.filter(session_key=theirs).update(expire_date=utc_now() - DAY)
    tasks.retain()
    for rows in (Session.objects, UserSession.objects):
        left = rows.filter(session_key__in=(ours, theirs)).values_list("session_key", flat=True)
        assert list(left) == [ours]


def test_the_page_says_what_goes_and_when_and_one_press_keeps_it(
    health: Vault, start: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, late = browser(health.holder), start + 71 * DAY
    assert "Nothing does." in text_of(client.get("/file/going"))
    assert erasure.retain(health.id, late) is None
    monkeypatch.setattr("apps.web.views.file.utc_now", lambda: late)
    page = text_of(client.get("/file/going"))
    assert health.labels["pills"] in page and health.labels["time"] not in page
    (action,) = re.findall(r'action="(/file/mem_[0-9a-f]{32}/reaffirm)"', page)
    held = memories.memory(health.holder, health.ids["pills"])
    assert held is not None
    client.post(action, {"version": held.version, "if_version": held.version})
    assert len(health.receipts(kind="memory.reaffirmed")) == 1


def test_conversations_are_kept_unless_it_is_settled(alice: Vault, start: datetime) -> None:
    turn = turns.ask(alice.holder, "What is in the kitchen?", start)
    assert erasure.retain(alice.id, start + 400 * DAY) is None
    settle(alice, turns_days=90)
    assert erasure.retain(alice.id, start + 89 * DAY) is None
    done = erasure.retain(alice.id, start + 91 * DAY)
    assert isinstance(done, Order) and done.counts["turns"] == 1
    assert turns.turn(alice.holder, turn.turn_id) is None


def test_a_night_that_takes_words_and_no_memory_is_certified_once_with_what_went(
    alice: Vault, cook: Assistant, start: datetime
) -> None:
    asked = cook.ask("kitchen", purpose_note="For the dinner on Sunday")
    access.cancel(cook.caller, asked.request_id, start)
    turns.ask(alice.holder, "What is in the kitchen?", start)
    settle(alice, notes_days=30, turns_days=30)
    done = erasure.retain(alice.id, start + 31 * DAY)
    assert isinstance(done, Order)
    row = erasure.erasure(alice.holder, done.order_id)
    assert row is not None and row.certified, "in the act that took them"
    said = json.loads(row.certificate)
    assert row.counts == said["counts"] == {"requests": 1, "turns": 1}
    erasure.carry_out(alice.id, done.order_id, utc_now())
    assert done.order_id not in {order_id for _, order_id in erasure.due(100)}
    assert len(alice.receipts(kind="erasure.certified")) == 1


def test_an_order_that_is_not_there_is_neither_counted_nor_certified(alice: Vault) -> None:
    for deed in (lambda within, order: store.count(within, order, {}, 0), _certify):
        with pytest.raises(LookupError), act(alice.id, "sys_clock") as within:
            deed(within, uuid4())


def _certify(within: Act, order_id: UUID) -> None:
    store.certify(within, order_id, b"{}", utc_now())


def test_the_beat_does_it_in_every_vault_and_one_that_fails_keeps_no_other(
    alice: Vault, mallory: Vault, admin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for vault in (alice, mallory):
        settle(vault, memories=(Kept(Category.HEALTH, 60),))
    whole = erasure.retain

    def failing(vault_id: Any, now: datetime) -> Order | None:
        if vault_id == alice.id:
            raise RuntimeError("this one cannot be opened")
        return whole(vault_id, now)

    monkeypatch.setattr(erasure, "retain", failing)
    for days in (50, 90):
        monkeypatch.setattr(tasks, "utc_now", lambda days=days: utc_now() + days * DAY)
        tasks.retain()
    assert there(alice, "pills") and not there(mallory, "pills")
