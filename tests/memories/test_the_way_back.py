"""Going back, taking back on purpose, and what either may not let slip."""

from datetime import timedelta
from typing import Any

import pytest

from apps.memories import services as memories
from apps.policy.types import Memory, Refused
from apps.policy.vocabulary import NEUTRAL_LABELS, Category, Claim, Ended, Refusal, State
from tests.cast import Vault, canary
from tests.holders.people import acting, newcomer
from tests.threads import at_once
from vault.clock import utc_now


def said(vault: Vault, name: str, *values: str, **more: Any) -> None:
    """A memory that said these, one after the other."""
    vault.keep(name, values[0], label=more.pop("label", "Home town"), **more)
    for value in values[1:]:
        done = memories.correct(vault.holder, vault.ids[name], value=value, now=utc_now(), on_purpose=True)
        assert isinstance(done, Memory)


def says(vault: Vault, name: str) -> str | None:
    return memories.show(vault.holder, [vault.ids[name]]).values[0].value


def revert(vault: Vault, name: str, **more: Any) -> Memory | Refused:
    return memories.revert(vault.holder, vault.ids[name], utc_now(), **more)


def test_two_who_go_back_at_once_go_back_once(alice: Vault) -> None:
    said(alice, "town", "Brno", "Porto", "Faro")
    done = at_once([lambda: revert(alice, "town"), lambda: revert(alice, "town")])
    kept = [each for each in done if isinstance(each, Memory)]
    assert len(kept) in (1, 2)  # together: one is told that it has moved on; one after the other: twice
    assert says(alice, "town") == ("Porto" if len(kept) == 1 else "Brno")
    assert [each for each in done if not isinstance(each, Memory)] == [Refused(Refusal.STALE)] * (2 - len(kept))


def test_of_a_correction_and_a_way_back_at_once_both_or_one_hold(alice: Vault) -> None:
    said(alice, "town", "Brno", "Porto")
    done = at_once(
        [
            lambda: revert(alice, "town"),
            lambda: memories.correct(alice.holder, alice.ids["town"], value="Faro", now=utc_now()),
        ]
    )
    assert not [each for each in done if isinstance(each, Exception)]
    lines = memories.history(alice.holder, alice.ids["town"])
    assert [each.version for each in lines] == list(range(len(lines), 0, -1))
    assert [each.version for each in lines if each.retired_at is None] == [lines[0].version]


def test_taking_back_needs_the_version_that_was_looked_at(alice: Vault) -> None:
    said(alice, "town", "Brno", "Porto")
    stale = memories.reaffirm(alice.holder, alice.ids["town"], 1, utc_now(), if_version=1)
    assert stale == Refused(Refusal.STALE)
    assert says(alice, "town") == "Porto"


def test_a_change_of_mind_and_back_can_be_gone_back_from(alice: Vault) -> None:
    """Dark was true in between, so what came before light is dark."""
    said(alice, "theme", "light")
    memories.correct(alice.holder, alice.ids["theme"], value="dark", now=utc_now(), changed=True)
    memories.reaffirm(alice.holder, alice.ids["theme"], 1, utc_now(), changed=True)
    assert isinstance(revert(alice, "theme"), Memory)
    assert says(alice, "theme") == "dark"


def test_what_only_was_told_late_was_never_said_before(alice: Vault) -> None:
    said(alice, "town", "Porto")
    past = (utc_now() - timedelta(days=90)).date().isoformat()
    memories.correct(
        alice.holder, alice.ids["town"], value="Brno", now=utc_now(), changed=True, valid_from=past, valid_to=past
    )
    assert len(memories.history(alice.holder, alice.ids["town"])) == 2
    assert revert(alice, "town") == Refused(Refusal.NOTHING_BEFORE)
    assert memories.correct(alice.holder, alice.ids["town"], value="Brno", now=utc_now()) == Refused(
        Refusal.ECHO, "/value"
    )


def test_a_value_that_was_special_when_it_was_said_comes_back_special(alice: Vault) -> None:
    """Its label from then would tell the secret; and so would the value, in an ordinary memory."""
    private = canary()
    alice.keep("pill", "twelve units", label=private, subject="pill", category=Category.HEALTH)
    now = memories.correct(
        alice.holder, alice.ids["pill"], value="a walk", label="Walks", category=Category.ORDINARY, now=utc_now()
    )
    assert isinstance(now, Memory)
    assert (now.category, now.outer_label) == (Category.ORDINARY, "Walks")
    back = revert(alice, "pill")
    assert isinstance(back, Memory)
    assert (back.label, back.category, back.outer_label) == (
        private,
        Category.HEALTH,
        NEUTRAL_LABELS[Category.HEALTH],
    )


def test_what_is_special_by_now_stays_special(alice: Vault) -> None:
    alice.keep("pill", "twelve units", label="Units", subject="pill")
    memories.correct(alice.holder, alice.ids["pill"], value="ten", category=Category.HEALTH, now=utc_now())
    back = revert(alice, "pill")
    assert isinstance(back, Memory)
    assert (back.category, back.outer_label) == (Category.HEALTH, NEUTRAL_LABELS[Category.HEALTH])


def test_nobody_but_the_holder_takes_an_attested_value_back(alice: Vault) -> None:
    said(alice, "sum", "sixty", "ninety", label="Budget", claim=Claim.BUDGET)
    seat = acting(alice.holder, newcomer("Rosa"))
    before = len(alice.receipts())
    assert memories.revert(seat, alice.ids["sum"], utc_now()) == Refused(Refusal.NOT_YOURS)
    assert memories.reaffirm(seat, alice.ids["sum"], 1, utc_now()) == Refused(Refusal.NOT_YOURS)
    assert len(alice.receipts()) == before
    assert isinstance(revert(alice, "sum"), Memory)
    assert says(alice, "sum") == "sixty"


def test_going_back_is_stamped_as_a_look_and_as_a_deed(alice: Vault) -> None:
    said(alice, "town", "Brno", "Porto")
    revert(alice, "town")
    about = [(each.kind, each.version) for each in alice.receipts(memory_id=alice.ids["town"])]
    assert about[-2:] == [("value.shown", 1), ("memory.reverted", 3)]


def test_what_is_sealed_from_them_a_guardian_learns_by_no_echo_and_no_taken_subject(alice: Vault) -> None:
    said(alice, "diary-page", "saw Rui on Friday", "saw nobody on Friday", label="Page", subject="page")
    memories.seal_from_guardians(alice.holder, alice.ids["diary-page"], utc_now())
    seat = acting(alice.holder, newcomer("Rosa"))
    for value, subject in (("saw Rui on Friday", "page"), ("saw nobody on Friday", "other")):
        made = memories.add(seat, label="Page", value=value, subject=subject, now=utc_now())
        assert isinstance(made, Memory), made
        assert made.made_at is None
    for deed in (memories.revert, memories.resolve):
        assert deed(seat, alice.ids["diary-page"], utc_now()) == Refused(Refusal.NOT_FOUND)
    assert memories.reaffirm(seat, alice.ids["diary-page"], 1, utc_now()) == Refused(Refusal.NOT_FOUND)
    assert memories.mark(seat, alice.ids["diary-page"], utc_now(), weight=1) == Refused(Refusal.NOT_FOUND)
    assert memories.rescope(seat, alice.ids["diary-page"], "x", utc_now()) == Refused(Refusal.NOT_FOUND)
    assert memories.put_back(alice.holder, alice.ids["diary-page"], utc_now()) == Refused(Refusal.SUBJECT_TAKEN)


@pytest.mark.parametrize("deed", ["put_back", "rescope", "add"])
def test_of_two_who_take_a_subject_at_once_one_gets_it(alice: Vault, deed: str) -> None:
    alice.keep("one", "first", label="One", subject="shared.place")
    memories.put_away(alice.holder, alice.ids["one"], utc_now())
    alice.keep("two", "second", label="Two", subject="another.place")
    deeds = {
        "put_back": lambda: memories.put_back(alice.holder, alice.ids["one"], utc_now()),
        "rescope": lambda: memories.rescope(alice.holder, alice.ids["two"], "shared.place", utc_now()),
        "add": lambda: memories.add(alice.holder, label="Three", value="third", subject="shared.place", now=utc_now()),
    }
    other = "add" if deed != "add" else "rescope"
    done = at_once([deeds[deed], deeds[other]])
    assert sorted(isinstance(each, Memory) for each in done) == [False, True]
    (no,) = [each for each in done if not isinstance(each, Memory)]
    assert no.reason is Refusal.SUBJECT_TAKEN
    living = [each for each in memories.memories(alice.holder) if each.state is State.APPROVED]
    assert [each.subject for each in living].count("shared.place") == 1


def test_the_history_tells_how_each_version_ended(alice: Vault) -> None:
    said(alice, "town", "Brno")
    memories.correct(alice.holder, alice.ids["town"], value="Porto", now=utc_now(), changed=True, why="Moved")
    memories.correct(alice.holder, alice.ids["town"], value="Faro", now=utc_now())
    revert(alice, "town", why="A slip")
    lines = memories.history(alice.holder, alice.ids["town"])
    assert [(each.version, each.ended_as, each.why, each.restored_from) for each in lines] == [
        (4, None, "A slip", 2),
        (3, Ended.WRONG, "", None),
        (2, Ended.WRONG, "Moved", None),
        (1, Ended.CHANGED, "", None),
    ]
    assert {each.made_by for each in lines} == {alice.holder.actor}


def test_an_echo_is_known_however_many_versions_came_since(alice: Vault) -> None:
    said(alice, "number", "the lucky number is 0", label="Number")
    for number in range(1, 40):
        memories.correct(alice.holder, alice.ids["number"], value=f"the lucky number is {number}", now=utc_now())
    for again in ("the lucky number is 0", "The lucky number is: 7", "my lucky number is 3"):
        done = memories.correct(alice.holder, alice.ids["number"], value=again, now=utc_now())
        assert done == Refused(Refusal.ECHO, "/value"), again


def test_an_old_value_in_words_of_its_own_is_news(alice: Vault) -> None:
    """Words are compared, not what they mean; and what was kept before there were prints has none."""
    said(alice, "town", "Leeds", "Porto")
    done = memories.correct(alice.holder, alice.ids["town"], value="the city on the Aire", now=utc_now())
    assert isinstance(done, Memory)
    assert done.version == 3
