"""The holder's own file: added, looked at, put away and back, each with its receipt; no change, no receipt."""

from datetime import date
from uuid import uuid4

import pytest

from apps.memories import services as memories
from apps.policy.text import TextProblem
from apps.policy.types import Refused
from apps.policy.vocabulary import NEUTRAL_LABELS, Category, Refusal, State
from tests.cast import Vault, canary
from vault.clock import utc_now


def test_a_memory_is_listed_by_its_label_and_never_by_its_value(alice: Vault) -> None:
    listed = memories.memories(alice.holder)
    assert {each.memory_id for each in listed} == set(alice.ids.values())
    assert not [value for value in alice.values.values() if value in repr(listed)]
    assert [each.subject for each in listed] == sorted(each.subject for each in listed)


@pytest.mark.parametrize("category", [category for category in Category if category.special])
def test_a_special_one_gets_a_neutral_label_when_none_is_given(alice: Vault, category: Category) -> None:
    made = memories.add(alice.holder, label="Private words", value="x", category=category, now=utc_now())
    assert made.neutral_label == made.outer_label == NEUTRAL_LABELS[category]
    own = memories.add(
        alice.holder, label="Private words", value="x", category=category, neutral_label="A note", now=utc_now()
    )
    assert own.outer_label == "A note"


def test_an_ordinary_one_has_none(alice: Vault) -> None:
    made = memories.add(alice.holder, label="Words", value="x", neutral_label="A note", now=utc_now())
    assert (made.neutral_label, made.outer_label) == ("", "Words")


def test_a_correction_may_change_label_category_and_date(alice: Vault) -> None:
    kitchen = alice.ids["kitchen"]
    new = memories.correct(
        alice.holder, kitchen, value="x", label="Stove", category=Category.HEALTH, as_of=date(2026, 1, 2), now=utc_now()
    )
    assert not isinstance(new, Refused)
    assert new == memories.memory(alice.holder, kitchen)
    assert (new.label, new.category, new.neutral_label, new.as_of) == (
        "Stove",
        Category.HEALTH,
        "A health memory",
        date(2026, 1, 2),
    )
    back = memories.correct(alice.holder, kitchen, value="x", category=Category.ORDINARY, now=utc_now())
    assert not isinstance(back, Refused) and back.neutral_label == ""


def test_a_correction_that_cannot_be_kept_changes_nothing(alice: Vault) -> None:
    before, receipts = memories.memory(alice.holder, alice.ids["kitchen"]), alice.receipts()
    with pytest.raises(TextProblem):
        memories.correct(alice.holder, alice.ids["kitchen"], value="x", label="two\nlines", now=utc_now())
    assert memories.memory(alice.holder, alice.ids["kitchen"]) == before
    assert alice.receipts() == receipts


def test_put_away_and_back_are_two_receipts_and_twice_is_once(alice: Vault) -> None:
    kitchen = alice.ids["kitchen"]
    for _ in range(2):
        away = memories.put_away(alice.holder, kitchen, utc_now())
        assert not isinstance(away, Refused) and away.state is State.WITHDRAWN
    for _ in range(2):
        back = memories.put_back(alice.holder, kitchen, utc_now())
        assert not isinstance(back, Refused) and back.state is State.APPROVED
    kinds = [each.kind for each in alice.receipts(memory_id=kitchen)]
    assert kinds == ["memory.added", "memory.withdrawn", "memory.restored"]


def test_what_is_put_away_is_still_the_holder_s_to_see_and_correct(alice: Vault) -> None:
    new = canary()
    assert memories.correct(alice.holder, alice.ids["diary"], value=new, now=utc_now())
    assert [each.value for each in memories.show(alice.holder, [alice.ids["diary"]]).values] == [new]
    kept = memories.memory(alice.holder, alice.ids["diary"])
    assert kept and kept.state is State.WITHDRAWN


def test_a_look_is_one_stamp_with_a_receipt_for_each_value(alice: Vault) -> None:
    wanted = [alice.ids["kitchen"], alice.ids["pills"], alice.ids["kitchen"]]
    shown = memories.show(alice.holder, wanted)
    assert [each.seq for each in shown.values] == list(range(shown.first, shown.last + 1))
    assert {each.memory_id for each in shown.values} == set(wanted)
    assert len({each.at for each in alice.receipts(kind="value.shown")}) == 1


def test_an_unknown_id_in_a_look_is_a_refusal_without_an_id(alice: Vault, mallory: Vault) -> None:
    shown = memories.show(alice.holder, [alice.ids["kitchen"], uuid4(), mallory.ids["kitchen"]])
    assert [each.memory_id for each in shown.values] == [alice.ids["kitchen"]]
    refused = alice.receipts(kind="value.refused")
    assert [(each.memory_id, each.reason) for each in refused] == [(None, "not-found")] * 2


def test_a_look_at_nothing_is_no_deed(alice: Vault) -> None:
    before = alice.receipts()
    assert memories.show(alice.holder, []).values == ()
    assert alice.receipts() == before


def test_fifty_are_opened_in_one_look_and_more_are_refused_whole(alice: Vault) -> None:
    for number in range(60):
        alice.keep(f"more{number}", label="More")
    everything = list(alice.ids.values())
    assert len(memories.show(alice.holder, everything[:50]).values) == memories.MOST_SHOWN == 50
    before = alice.receipts()
    with pytest.raises(TextProblem):
        memories.show(alice.holder, everything)
    assert alice.receipts() == before


def test_an_unknown_memory_is_not_found_in_every_deed(alice: Vault) -> None:
    nowhere = uuid4()
    assert memories.memory(alice.holder, nowhere) is None
    assert memories.history(alice.holder, nowhere) == ()
    for done in (
        memories.correct(alice.holder, nowhere, value="x", now=utc_now()),
        memories.put_away(alice.holder, nowhere, utc_now()),
        memories.put_back(alice.holder, nowhere, utc_now()),
    ):
        assert done == Refused(Refusal.NOT_FOUND)
