"""Nothing is handed over before its day, nor what was true until then after it: on every road, whatever the clock does.

Protects who relies on an answer from an address that nobody lives at yet, or any more.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.ledger.log import act, reading
from apps.memories import gate, store, tasks, versions
from apps.memories import services as memories
from apps.memories.gate import handle_for
from apps.memories.services.erasing import erase_within
from apps.policy.rules import item_of
from apps.policy.text import TextProblem
from apps.policy.types import Authority, Memory, Plan, Refused
from apps.policy.vocabulary import Category, Ended, Form, ReceiptKind
from apps.turns import services as turns
from tests.cast import PURPOSE, QUESTION, Assistant, Vault, canary, give
from tests.days import Day
from tests.drivers import signed_in
from tests.properties.conftest import Surface
from tests.threads import at_once
from vault.clock import utc_now


def corrected(alice: Vault, name: str = "time", **wish: Any) -> str:
    """The holder's correction, by its value."""
    value = canary()
    done = memories.correct(alice.holder, alice.ids[name], value=value, now=utc_now(), **wish)
    assert isinstance(done, Memory), done
    return value


def lines(alice: Vault, name: str = "time") -> list[tuple[int, Ended | None]]:
    return [(each.version, each.ended_as) for each in memories.history(alice.holder, alice.ids[name])]


@pytest.fixture
def never() -> Iterator[str]:
    """A day that is far."""
    yield (utc_now() + timedelta(days=400)).date().isoformat()


# ---------------------------------------------------------------- on every road
def test_what_is_told_from_a_day_to_come_is_handed_over_from_that_day_on(
    alice: Vault, cook: Assistant, surface: Surface
) -> None:
    client, holder, memory = surface.client(cook), surface.holder(alice.holder), alice.mem("time")
    give(cook, "time")
    day = Day()
    york = corrected(alice, valid_from=str(day))
    got = client.read([memory])
    assert got and got.values == {memory: alice.values["time"]}
    assert holder.show([memory]) == {memory: alice.values["time"]}
    assert datetime.now(UTC) < day.at, "the control"
    day.comes(alice.id)
    got = client.read([memory])
    assert got and got.values == {memory: york}
    assert holder.show([memory]) == {memory: york}
    assert lines(alice) == [(2, None), (1, Ended.CHANGED)]


def test_the_holder_s_own_look_is_never_at_what_is_over(alice: Vault, surface: Surface) -> None:
    holder, memory, day = surface.holder(alice.holder), alice.mem("time"), Day()
    york = corrected(alice, valid_from=str(day))
    day.comes(alice.id)
    assert holder.show([memory]) == {memory: york}


def test_a_new_memory_from_a_day_to_come_is_offered_to_nobody_before(
    alice: Vault, cook: Assistant, surface: Surface
) -> None:
    client, day, value = surface.client(cook), Day(), canary()
    made = memories.add(alice.holder, label="Where I park", value=value, now=utc_now(), valid_from=str(day))
    assert isinstance(made, Memory)
    alice.ids["parking"] = made.memory_id
    memory = alice.mem("parking")
    listed = client.subjects()
    assert listed and memory not in [each.memory for each in listed]
    wish = client.ask([memory])
    assert not wish and wish.code == "not-found"
    day.comes(alice.id)
    give(cook, "parking")
    got = client.read([memory])
    assert got and got.values == {memory: value}


def test_the_chat_is_asked_of_what_holds_alone(alice: Vault) -> None:
    day = Day()
    corrected(alice, valid_to=str(day))
    offered = memories.memory(alice.holder, alice.ids["time"])
    assert offered is not None and offered.holds
    day.comes(alice.id)
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    assert alice.ids["time"] not in [each.memory_id for each in asked.items]


# ---------------------------------------------------------------- the gate by itself
def test_the_gate_reads_the_dates_itself(alice: Vault, cook: Assistant) -> None:
    """A plan that was made while it held is stale once it does not."""
    day = Day()
    corrected(alice, valid_to=str(day))
    grant = give(cook, "time")
    (fact,) = memories.facts(alice.id, cook.caller.actor, [alice.ids["time"]])
    plan = Plan(
        ReceiptKind.VALUE_READ,
        Authority("gra", grant.grant_id, grant.terms_version),
        (item_of(fact, Form.VALUE),),
        PURPOSE.value,
    )
    actor = cook.caller.actor
    early, late = handle_for("early"), handle_for("late")
    assert gate.stamp(alice.id, actor, actor, early, plan, "early").outcome == "stamped"
    assert [each.memory_id for each in gate.take(alice.id, actor, actor, early)] == [alice.ids["time"]], "the control"
    day.comes(alice.id)
    assert gate.stamp(alice.id, actor, actor, late, plan, "late").outcome == "stale"
    assert gate.take(alice.id, actor, actor, early) == (), "stamped before, and not released after"


# ---------------------------------------------------------------- what waits
def test_what_waits_takes_over_once_however_many_clocks_strike(alice: Vault) -> None:
    day = Day()
    corrected(alice, valid_from=str(day))
    tasks.arrive()
    assert lines(alice) == [(2, Ended.WAITING), (1, None)]
    day.comes(alice.id)
    at_once([tasks.arrive] * 3)
    told = [each for each in alice.receipts(kind="memory.corrected") if each.actor == "sys_clock"]
    assert [(each.memory_id, each.version) for each in told] == [(alice.ids["time"], 2)]
    newest, before = memories.history(alice.holder, alice.ids["time"])
    assert (newest.holds_from, before.retired_at) == (day.at, day.at)
    assert (newest.ended_as, before.ended_as) == (None, Ended.CHANGED)


def test_what_is_said_meanwhile_holds_meanwhile(alice: Vault) -> None:
    day = Day()
    york = corrected(alice, valid_from=str(day))
    bradford = corrected(alice)
    assert {each.value for each in memories.show(alice.holder, [alice.ids["time"]]).values} == {bradford}
    day.comes(alice.id)
    assert {each.value for each in memories.show(alice.holder, [alice.ids["time"]]).values} == {york}
    assert lines(alice) == [(3, Ended.CHANGED), (2, None), (1, Ended.WRONG)]
    back = memories.revert(alice.holder, alice.ids["time"], utc_now())
    assert isinstance(back, Memory)
    assert {each.value for each in memories.show(alice.holder, [alice.ids["time"]]).values} == {bradford}


def test_of_two_for_one_day_the_later_word_waits(alice: Vault, never: str) -> None:
    corrected(alice, valid_from=never)
    corrected(alice, valid_from=never)
    assert lines(alice) == [(3, Ended.WAITING), (2, Ended.CANCELLED), (1, None)]
    assert len(alice.receipts(kind="memory.cancelled")) == 1


def test_what_was_said_for_now_waits_no_more(alice: Vault, never: str) -> None:
    """It happened early. Of the plan, what was to follow it stays."""
    porto, faro = "I live in Porto", "I live in Faro"
    for value, day in ((porto, Day(600)), (faro, never)):
        told = memories.correct(alice.holder, alice.ids["time"], value=value, now=utc_now(), valid_from=str(day))
        assert isinstance(told, Memory)
    early = memories.correct(alice.holder, alice.ids["time"], value="I live in porto!", now=utc_now(), changed=True)
    assert isinstance(early, Memory) and early.holds_until is not None
    assert lines(alice) == [(4, None), (3, Ended.WAITING), (2, Ended.CANCELLED), (1, Ended.CHANGED)]
    told_of = {each.version: each.overtaken_by for each in memories.history(alice.holder, alice.ids["time"])}
    assert told_of == {4: None, 3: None, 2: 4, 1: None}


def test_a_day_that_is_said_anew_is_the_one_that_counts(alice: Vault, never: str) -> None:
    """The same on another day; and there and back again are three days."""
    for value, day in (("Porto", Day(900)), ("Porto", Day(600)), ("Faro", Day(700)), ("Porto", never)):
        told = memories.correct(alice.holder, alice.ids["time"], value=value, now=utc_now(), valid_from=str(day))
        assert isinstance(told, Memory)
    waits = [(5, Ended.WAITING), (4, Ended.WAITING), (3, Ended.WAITING)]
    assert lines(alice) == [*waits, (2, Ended.CANCELLED), (1, None)]


def test_there_and_back_again_by_two_days_goes_as_it_was_told(alice: Vault) -> None:
    away, home = Day(600), Day(900)
    first = alice.values["time"]
    for value, day in (("Faro", away), (first, home)):
        told = memories.correct(alice.holder, alice.ids["time"], value=value, now=utc_now(), valid_from=str(day))
        assert isinstance(told, Memory), told
    home.comes(alice.id)
    assert memories.arrive(alice.id) == 2
    assert {each.value for each in memories.show(alice.holder, [alice.ids["time"]]).values} == {first}
    assert lines(alice) == [(3, None), (2, Ended.CHANGED), (1, Ended.CHANGED)]


def test_what_was_said_after_a_day_stands_though_the_clock_is_late(alice: Vault, cook: Assistant) -> None:
    """A correction between the moment and the clock: no older word takes its place, and the holder is told."""
    give(cook, "time")
    day = Day()
    corrected(alice, valid_from=str(day))
    day.comes(alice.id)
    bradford = corrected(alice)
    assert cook.read("time").released[0].handed.value == bradford
    found = memories.memory(alice.holder, alice.ids["time"])
    assert found is not None and (found.version, found.reopened_at) == (3, day.at)
    assert memories.history(alice.holder, alice.ids["time"])[1].overtaken_by == 3


def test_what_waited_and_is_taken_back_on_purpose_waits_again(alice: Vault) -> None:
    day = Day(600)
    corrected(alice, valid_from=str(day))
    assert memories.cancel(alice.holder, alice.ids["time"], 2, utc_now())
    again = memories.reaffirm(alice.holder, alice.ids["time"], 2, utc_now())
    assert isinstance(again, Memory) and (again.version, again.holds, again.holds_until) == (1, True, day.at)
    assert lines(alice) == [(3, Ended.WAITING), (2, Ended.CANCELLED), (1, None)]


def test_a_neutral_label_for_a_day_to_come_is_refused_and_loses_nothing(alice: Vault, never: str) -> None:
    for wish in ({"category": Category.HEALTH}, {}):
        with pytest.raises(TextProblem) as told:
            corrected(alice, valid_from=never, neutral_label="Something private", **wish)
        assert told.value.field == "neutral_label"
    assert lines(alice) == [(1, None)]


def test_what_waits_is_taken_back_and_what_holds_goes_on(alice: Vault) -> None:
    day = Day()
    corrected(alice, valid_from=str(day))
    found = memories.memory(alice.holder, alice.ids["time"])
    assert found is not None and found.holds_until == day.at
    done = memories.cancel(alice.holder, alice.ids["time"], 2, utc_now())
    assert isinstance(done, Memory)
    day.comes(alice.id)
    found = memories.memory(alice.holder, alice.ids["time"])
    assert found is not None and (found.version, found.holds, found.holds_until) == (1, True, None)
    assert not memories.cancel(alice.holder, alice.ids["time"], 2, utc_now())


def test_what_waits_does_not_bring_a_category_back(alice: Vault) -> None:
    """It was sealed as an ordinary one; by its day the memory is of health."""
    day = Day()
    corrected(alice, valid_from=str(day))
    corrected(alice, category=Category.HEALTH)
    day.comes(alice.id)
    found = memories.memory(alice.holder, alice.ids["time"])
    assert found is not None and (found.category, found.version) == (Category.HEALTH, 3)
    assert lines(alice)[1] == (2, Ended.CANCELLED)


def test_what_waits_is_no_echo_and_no_find(alice: Vault, never: str) -> None:
    value = "I live in Yorkminsterbury from now on"
    done = memories.correct(alice.holder, alice.ids["time"], value=value, now=utc_now(), valid_from=never)
    assert isinstance(done, Memory)
    assert memories.check_texts(alice.holder, [value]).finds == ()
    now = memories.correct(alice.holder, alice.ids["time"], value=value, now=utc_now())
    assert not isinstance(now, Refused) and now.version == 3


def test_a_day_begins_where_the_person_lives(alice: Vault, never: str) -> None:
    there = replace(alice.holder, time_zone="Asia/Tokyo")
    done = memories.correct(there, alice.ids["time"], value=canary(), now=utc_now(), valid_from=never, valid_to=never)
    assert isinstance(done, Memory)
    midnight = datetime.fromisoformat(never).replace(tzinfo=UTC) - timedelta(hours=9)
    newest = memories.history(alice.holder, alice.ids["time"])[0]
    assert (newest.holds_from, newest.holds_until) == (midnight, midnight + timedelta(days=1))


def test_erased_it_says_no_day_and_never_takes_over(alice: Vault) -> None:
    day = Day()
    corrected(alice, valid_from=str(day))
    with act(alice.id, alice.holder.actor) as erasing:
        found = store.memory(alice.id, alice.ids["time"])
        assert found is not None
        erase_within(erasing, [found], utc_now())
    day.comes(alice.id)
    assert memories.arrive(alice.id) == 0
    with reading(alice.id, alice.holder.actor):
        left = versions.history(alice.id, alice.ids["time"])
    assert {(each.holds_from, each.holds_until, each.valid_from) for each in left} == {(None, None, "")}


# ---------------------------------------------------------------- the page
def test_the_page_says_what_waits_and_takes_it_back(alice: Vault, never: str) -> None:
    browser, path = signed_in(alice.holder), f"/file/{alice.mem('time')}"
    corrected(alice, valid_from=never)
    page = browser.get(path).content.decode()
    assert "waits for its day" in page
    assert "Holds until" in page
    sent = {"version": "2", "if_version": "1"}
    after = browser.post(f"{path}/cancel", sent, follow=True).content.decode()
    assert "Taken back. What is kept now goes on." in after
    assert "taken back before its day" in after
