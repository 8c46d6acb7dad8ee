"""Somebody tries it without an account: apart from everybody, within limits, and gone a day after they last used it."""

import html
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from apps.access import services as access
from apps.erasure import services as erasure
from apps.erasure import tasks
from apps.holders import services as holders
from apps.holders.models import User
from apps.memories import services as memories
from apps.policy import guests
from apps.policy.ids import typed
from apps.policy.letters import reachable
from apps.policy.roles import Barred
from apps.policy.text import TextProblem
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Directive, Level, Refusal, Role
from apps.turns import services as turns
from tests.cast import Assistant, Vault, register
from tests.surfaces.web import browser, text_of
from tests.threads import at_once
from vault.clock import utc_now

LABEL = "A guest vault:"
HOUR = timedelta(hours=1)


@pytest.fixture
def guest(live: None) -> Vault:
    """Somebody who tries it."""
    found = holders.open_guest(10_000, utc_now())
    assert found is not None
    return Vault(found)


def keep(guest: Vault, label: str) -> Any:
    """They keep something."""
    return memories.add(guest.holder, label=label, value=f"{label}, as it is", now=utc_now())


def test_a_press_opens_one_where_it_is_switched_on_and_every_page_says_so(live: None, settings: Any) -> None:
    client = Client()
    assert "without an account" not in text_of(client.get("/accounts/login/"))
    assert client.post("/guest").status_code == 404
    settings.GUESTS = True
    assert "without an account" in text_of(client.get("/accounts/login/"))
    assert client.post("/guest").headers["Location"] == "/"
    for path in ("/", "/file", "/inbox", "/grants", "/people", "/ledger"):
        assert LABEL in text_of(client.get(path)), path
    assert client.get("/accounts/email/").headers["Location"] == "/", "there is no account to look after"


def test_nobody_else_s_page_says_so(alice: Vault) -> None:
    client = browser(alice.holder)
    assert LABEL not in text_of(client.get("/file"))


def test_there_are_only_so_many_at_once(live: None, guest: Vault, settings: Any) -> None:
    settings.GUESTS, settings.GUEST_VAULTS = True, 1
    client = Client()
    assert client.post("/guest").headers["Location"] == "/accounts/login/"
    assert "Too many people try it" in text_of(client.get("/accounts/login/"))


def test_nothing_is_mailed_to_a_guest_and_nobody_is_invited(guest: Vault, alice: Vault) -> None:
    assert not reachable(User.objects.get(id=guest.holder.user_id).email)
    with pytest.raises(Barred):
        holders.invite_to_vault(guest.holder, "leo@home.example", Role.DELEGATE, Level.VIEW, utc_now())
    (place,) = holders.memberships(guest.holder.user_id)
    told = holders.invite_to_space(guest.holder.user_id, place.space_id, "leo@home.example", Role.HOLDER, utc_now())
    assert told == Refused(Refusal.NOT_FOUND), "they look after no household"
    _, token = holders.invite_to_vault(alice.holder, "leo@home.example", Role.DELEGATE, Level.VIEW, utc_now())
    assert isinstance(holders.accept(guest.holder.user_id, token, utc_now()), Refused)


def test_it_holds_only_so_much(guest: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.memories.services.keeping.MOST_MEMORIES", 2)
    keep(guest, "One"), keep(guest, "Two")
    with pytest.raises(TextProblem, match="at most 2 memories"):
        keep(guest, "Three")
    for name in ("A", "B", "C"):
        access.register(guest.holder, name=name, now=utc_now())
    with pytest.raises(TextProblem, match="at most 3 assistants"):
        access.register(guest.holder, name="D", now=utc_now())


def test_no_more_by_doing_it_all_at_once(guest: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    deeds: list[Callable[[], Any]] = [
        lambda name=name: access.register(guest.holder, name=name, now=utc_now()) for name in "ABCDEF"
    ]
    done = at_once(deeds)
    assert sum(isinstance(each, TextProblem) for each in done) == 3
    assert len(access.clients(guest.holder)) == guests.MOST_ASSISTANTS
    monkeypatch.setattr("apps.memories.services.keeping.MOST_MEMORIES", 2)
    done = at_once([lambda name=name: keep(guest, name) for name in ("One", "Two", "Three", "Four", "Five")])
    assert sum(isinstance(each, TextProblem) for each in done) == 3
    assert len(memories.memories(guest.holder)) == 2
    monkeypatch.setattr("apps.turns.services.asking.MOST_QUESTIONS", 2)
    asking = [lambda: turns.ask(guest.holder, "What is one?", utc_now())] * 5
    assert sum(isinstance(each, TextProblem) for each in at_once(asking)) == 3


def test_what_is_suggested_fills_it_no_further_and_what_changes_something_goes_on(
    guest: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot, kept = register(guest, "Bot"), keep(guest, "One")
    made = [suggested(bot, label=each, value=f"{each}, as it is") for each in ("Two", "Three", "Four")]
    correction = suggested(
        bot, directive=Directive.CORRECT, target=kept.memory_id, known=[kept.memory_id], value="Or so"
    )
    monkeypatch.setattr("apps.memories.services.keeping.MOST_MEMORIES", 2)
    reviewed = [(each.proposal_id, each.revision) for each in made]
    with pytest.raises(TextProblem, match="at most 2 memories"):
        memories.approve_many(guest.holder, reviewed, utc_now())
    page = browser(guest.holder)
    shown = text_of(page.post("/inbox/show", {"proposal": [typed("prp", each) for each, _ in reviewed]}))
    (signed,) = re.findall(r'name="reviewed"\s+value="([^"]+)"', shown)
    answer = page.post("/inbox/approve", {"reviewed": html.unescape(signed)}, follow=True)
    assert "at most 2 memories" in text_of(answer)
    answer = page.post(f"/inbox/{typed('prp', made[0].proposal_id)}/approve", follow=True)
    assert answer.status_code == 200 and len(memories.memories(guest.holder)) == 2
    answer = page.post(f"/inbox/{typed('prp', made[1].proposal_id)}/approve", follow=True)
    assert "at most 2 memories" in text_of(answer)
    done = memories.approve(guest.holder, correction.proposal_id, now=utc_now())
    assert isinstance(done, memories.Approved)


def suggested(bot: Assistant, **wish: Any) -> Proposal:
    made = memories.propose(bot.caller, now=utc_now(), **wish)
    assert isinstance(made, Proposal), made
    return made


def test_an_account_is_not_held_to_that(alice: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.memories.services.keeping.MOST_MEMORIES", 0)
    assert not isinstance(keep(alice, "One more"), Refused)


def test_it_is_erased_a_day_after_it_was_used_last_with_its_certificate(guest: Vault, alice: Vault) -> None:
    keep(guest, "Where I tried it")
    used = holders.guest_used_at(guest.holder.user_id)
    assert used is not None
    assert isinstance(erasure.end_guest(guest.id, used + guests.LASTS - HOUR), Refused)
    done = erasure.end_guest(guest.id, used + guests.LASTS)
    assert isinstance(done, erasure.Ended) and done.account_too
    assert (done.order.basis.value, done.order.certified, done.order.made_by) == ("retention", True, "sys_clock")
    assert memories.memories(guest.holder) == () and holders.holder(guest.holder.user_id) is None
    kinds = [each.kind for each in guest.receipts()]
    assert kinds[-4:] == ["erasure.ordered", "vault.erased", "memory.erased", "erasure.certified"]
    assert holders.holder(alice.holder.user_id) is not None


def test_using_it_counts_anew(guest: Vault) -> None:
    used = holders.guest_used_at(guest.holder.user_id)
    assert used is not None
    holders.note_guest(guest.holder.user_id, used, used + 20 * HOUR)
    assert isinstance(erasure.end_guest(guest.id, used + 25 * HOUR), Refused)
    assert isinstance(erasure.end_guest(guest.id, used + 44 * HOUR), erasure.Ended)


def test_of_two_beats_one_erases_it_and_no_account_goes(
    guest: Vault, alice: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = utc_now() + 25 * HOUR
    at_once([lambda: erasure.end_guest(guest.id, late)] * 2)
    assert len(guest.receipts(kind="vault.erased")) == 1
    monkeypatch.setattr(tasks, "utc_now", lambda: late)
    tasks.end_guests()
    assert erasure.end_guest(alice.id, late) is None
    assert memories.memory(alice.holder, alice.ids["time"]) is not None


def test_a_legal_hold_keeps_it(guest: Vault) -> None:
    late = utc_now() + 25 * HOUR
    erasure.place(guest.id, "The district court", "Case 12", late + HOUR, utc_now())
    no = erasure.end_guest(guest.id, late)
    assert isinstance(no, Refused) and no.reason is Refusal.LEGAL_HOLD
    assert isinstance(erasure.end_guest(guest.id, late + 2 * HOUR), erasure.Ended)
