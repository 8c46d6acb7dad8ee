"""Corrections from the outside, over REST: what was put right stays right, and every way back is taken on purpose."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.memories import services as memories
from apps.policy.types import Memory
from tests.drivers import Http, No
from tests.fixtures import Household
from tests.threads import at_once
from vault.clock import utc_now


class File:
    """The holder at their file."""

    def __init__(self, home: Household) -> None:
        self.http = Http(holder=home.holder)

    def keep(self, subject: str, value: str, **more: Any) -> Any:
        return self.http.call("POST", "memories", {"label": subject, "subject": subject, "value": value, **more})

    def change(self, memory: str, **wish: Any) -> Any:
        return self.http.call("PATCH", f"memories/{memory}", wish, If_Match="*")

    def back(self, memory: str, how: str = "revert", **wish: Any) -> Any:
        return self.http.call("POST", f"memories/{memory}/{how}", wish, If_Match="*")

    def says(self, memory: str) -> str:
        """The current value, shown."""
        (shown,) = self.http.call("POST", "memories/show", {"memories": [memory]})["values"]
        return str(shown["value"])

    def said(self, memory: str, version: int) -> Any:
        """A version's value, shown."""
        wanted = {"versions": [{"memory": memory, "version": version}]}
        return [each["value"] for each in self.http.call("POST", "memories/show", wanted)["values"]]

    def history(self, memory: str) -> Any:
        return self.http.call("GET", f"memories/{memory}/history")["versions"]

    def chain_holds(self, memory: str) -> bool:
        """Does the ledger hold, made anew and compared?"""
        return bool(self.http.call("GET", f"memories/{memory}/provenance")["integrity"]["chain"]["holds"])

    def named(self, subject: str, **query: str) -> list[Any]:
        """What stands under a subject, as a query finds it."""
        words = "&".join(f"{name}={value}" for name, value in {"limit": "200", **query}.items())
        return [each for each in self.http.call("GET", f"memories?{words}")["items"] if each["subject"] == subject]


@pytest.fixture
def mine(home: Household) -> File:
    return File(home)


@pytest.fixture
def moved(mine: File) -> str:
    """A memory that said Leeds and says Porto."""
    town = mine.keep("home.town", "Leeds")["id"]
    assert mine.change(town, value="Porto")["version"] == 2
    return str(town)


def test_one_value_is_current_and_the_one_before_is_kept(mine: File, moved: str) -> None:
    assert mine.says(moved) == "Porto"
    assert len(mine.named("home.town")) == 1
    lines = [(each["version"], each["ended_as"], each["retired_at"] is None) for each in mine.history(moved)]
    assert lines == [(2, None, True), (1, "wrong", False)]
    assert mine.said(moved, 1) == ["Leeds"]


@pytest.mark.parametrize("again", ["Leeds", "leeds", "  LEEDS ", "Leeds."], ids=range(4))
def test_the_old_value_is_refused_and_how_to_mean_it_is_said(mine: File, moved: str, again: str) -> None:
    response = mine.http.send("PATCH", f"memories/{moved}", {"value": again}, If_Match="*")
    told = response.json()
    assert (response.status_code, told["code"], told["errors"][0]["pointer"]) == (409, "echo", "/value")
    assert "on_purpose" in told["detail"]
    assert mine.says(moved) == "Porto"
    assert len(mine.history(moved)) == 2


@pytest.mark.parametrize("again", ["I live in Leeds", "In Leeds, of course", "my home is leeds now"], ids=range(3))
def test_the_old_value_in_other_words_is_recognised(mine: File, moved: str, again: str) -> None:
    assert mine.change(moved, value=again) == No("echo", 409)
    assert mine.says(moved) == "Porto"


@pytest.mark.parametrize("subject", ["", "another.place"])
def test_the_old_value_under_no_subject_or_another_is_no_new_memory(mine: File, moved: str, subject: str) -> None:
    body = {"label": "Where from", "value": "Leeds", **({"subject": subject} if subject else {})}
    before = len(mine.http.call("GET", "memories")["items"])
    assert mine.http.call("POST", "memories", body) == No("echo", 409)
    assert len(mine.http.call("GET", "memories")["items"]) == before
    assert mine.http.call("POST", "memories", {**body, "on_purpose": True})["version"] == 1


def test_a_change_of_mind_is_one_clear_deed_and_leaves_its_mark(home: Household, mine: File) -> None:
    theme = mine.keep("theme", "light")["id"]
    mine.change(theme, value="dark", changed=True)
    assert mine.change(theme, value="light") == No("echo", 409)
    back = mine.back(theme, "reaffirm", version=1, changed=True, why="The sun is back")
    assert (back["version"], mine.says(theme)) == (3, "light")
    newest, dark, first = mine.history(theme)
    assert (newest["restored_from"], newest["why"], newest["made_by"]) == (1, "The sun is back", home.holder.actor)
    assert (dark["ended_as"], first["ended_as"]) == ("changed", "changed")
    (line,) = mine.http.call("GET", "receipts?kind=memory.reaffirmed")["items"]
    assert (line["memory"], line["version"]) == (theme, 3)
    assert mine.change(theme, value="dark", on_purpose=True)["version"] == 4
    assert mine.history(theme)[0]["restored_from"] == 2


def test_going_back_takes_the_one_before_and_then_goes_further(mine: File) -> None:
    town = mine.keep("home.town", "Brno")["id"]
    mine.change(town, value="Porto")
    mine.change(town, value="Faro")
    assert (mine.back(town)["version"], mine.says(town)) == (4, "Porto")
    assert (mine.back(town)["version"], mine.says(town)) == (5, "Brno")
    assert mine.back(town) == No("nothing-before", 409)
    assert mine.said(town, 3) == ["Faro"]
    assert [each["restored_from"] for each in mine.history(town)] == [1, 2, None, None, None]
    kinds = [each["kind"] for each in mine.http.call("GET", f"receipts?memory={town}&limit=200")["items"]]
    assert kinds.count("memory.reverted") == 2


def test_where_there_is_nothing_before_going_back_changes_nothing(home: Household, mine: File) -> None:
    before = mine.http.send("GET", f"memories/{home.kitchen}").headers["ETag"]
    assert mine.back(home.kitchen) == No("nothing-before", 409)
    assert mine.back("mem_" + "0" * 32) == No("not-found", 404)
    assert mine.http.send("GET", f"memories/{home.kitchen}").headers["ETag"] == before


def test_going_back_sent_twice_goes_back_once(mine: File, moved: str) -> None:
    mine.change(moved, value="Faro")
    tag = mine.http.send("GET", f"memories/{moved}").headers["ETag"]
    assert mine.http.call("POST", f"memories/{moved}/revert", {}) == No("precondition-required", 428)
    assert mine.http.call("POST", f"memories/{moved}/revert", {}, If_Match=tag)["version"] == 4
    assert mine.http.call("POST", f"memories/{moved}/revert", {}, If_Match=tag) == No("precondition-failed", 412)
    assert mine.says(moved) == "Porto"


def test_the_same_value_three_times_is_one_memory_confirmed(mine: File) -> None:
    first = mine.http.send("POST", "memories", {"label": "Tea", "value": "Green"})
    again = [mine.http.send("POST", "memories", {"label": "Tea", "value": "Green"}) for _ in range(2)]
    assert [each.status_code for each in (first, *again)] == [201, 200, 200]
    assert {each.json()["id"] for each in (first, *again)} == {first.json()["id"]}
    tea = first.json()["id"]
    assert mine.change(tea, value="Green")["version"] == 1
    assert len(mine.history(tea)) == 1
    assert mine.back(tea, "reaffirm", version=1)["version"] == 1
    (line,) = mine.http.call("GET", "receipts?kind=memory.reaffirmed")["items"]
    assert (line["memory"], line["version"]) == (tea, 1)


def test_a_slip_of_the_pen_is_put_right_byte_for_byte(mine: File) -> None:
    town = mine.keep("home.town", "porto")["id"]
    assert mine.change(town, value="Porto")["version"] == 2
    assert mine.says(town) == "Porto"


def test_what_was_ended_does_not_come_back_by_being_said_again(home: Household, mine: File, moved: str) -> None:
    assert mine.change(moved, state="withdrawn")["state"] == "withdrawn"
    assert "home.town" not in {each["subject"] for each in Http(home.key).call("GET", "subjects?limit=200")["items"]}
    assert [each["version"] for each in mine.history(moved)] == [2, 1]
    for again in ("Porto", "I live in Porto", "Leeds"):
        assert mine.keep("home.town", again) == No("echo", 409)
    assert mine.keep("home.town", "Faro")["version"] == 1
    assert mine.change(moved, state="approved") == No("subject-taken", 409)


def test_a_value_told_late_joins_the_history_alone(mine: File) -> None:
    today = utc_now().date()
    days = {ago: (today - timedelta(days=ago)).isoformat() for ago in (300, 200, 150, 100, 50)}
    town = mine.keep("home.town", "Brno", valid_from=days[300])["id"]
    mine.change(town, value="Porto", changed=True, valid_from=days[100])
    late = mine.change(town, value="Faro", changed=True, valid_from=days[200])
    assert (late["version"], mine.says(town)) == (2, "Porto")
    assert mine.http.send("GET", f"memories/{town}").headers["ETag"]
    true_then = {ago: mine.named("home.town", true_at=days[ago])[0]["version"] for ago in (300, 150, 50)}
    assert {ago: mine.said(town, version) for ago, version in true_then.items()} == {
        300: ["Brno"],
        150: ["Faro"],
        50: ["Porto"],
    }
    (line,) = mine.http.call("GET", "receipts?kind=memory.backdated")["items"]
    assert (line["memory"], line["version"]) == (town, 3)
    assert mine.back(town)["version"] == 4
    assert mine.says(town) == "Brno"


def test_a_day_that_somebody_says_goes_before_one_that_nobody_said(mine: File) -> None:
    past = (utc_now().date() - timedelta(days=90)).isoformat()
    plan = mine.keep("phone.plan", "Plan Alto")["id"]
    assert mine.change(plan, value="Plan Basso", changed=True, valid_from=past)["version"] == 2
    assert mine.says(plan) == "Plan Basso"
    assert [each["ended_as"] for each in mine.history(plan)] == [None, "changed"]


def test_what_was_not_told_yet_was_not_said(mine: File) -> None:
    today = utc_now().date()
    past = {ago: (today - timedelta(days=ago)).isoformat() for ago in (90, 30)}
    mine.keep("home.town", "Brno", valid_from=past[90])
    assert mine.named("home.town", as_of=past[30]) == []
    assert [each["version"] for each in mine.named("home.town", true_at=past[30])] == [1]
    assert mine.named("home.town", true_at=past[30], as_of=past[30]) == []
    assert [each["version"] for each in mine.named("home.town", as_of=today.isoformat())] == [1]


@pytest.mark.parametrize("query", ["as_of=yesterday", "true_at=2026-13-01", "as_of=2026-01-01T00:00:00%2B01:00"])
def test_a_moment_is_a_day_or_utc_and_nothing_else(mine: File, query: str) -> None:
    told = mine.http.send("GET", f"memories?{query}").json()
    assert (told["code"], told["errors"][0]["pointer"]) == ("validation", "/" + query.partition("=")[0])


def test_what_it_would_contradict_is_named_before_it_is_written(mine: File, moved: str) -> None:
    """A second memory under a subject, whatever it says, is refused by that subject; so is moving one there."""
    told = mine.http.send("POST", "memories", {"label": "Town", "subject": "home.town", "value": "Faro"}).json()
    assert (told["code"], told["errors"][0]["pointer"]) == ("subject-taken", "/subject")
    assert [each["id"] for each in mine.http.call("GET", "memories?subject=home.town")["items"]] == [moved]
    other = mine.keep("home.city", "Braga")["id"]
    assert mine.change(other, subject="home.town") == No("subject-taken", 409)
    assert mine.change(other, subject="work.city")["subject"] == "work.city"


def test_a_hundred_corrections_by_four_at_once_leave_one_value(mine: File, home: Household) -> None:
    town = mine.keep("home.town", "place 0")["id"]
    hands = [File(home) for _ in range(4)]

    def hand(number: int) -> Callable[[], list[Any]]:
        return lambda: [hands[number].change(town, value=f"place {'abcd'[number]}{each}") for each in range(25)]

    done = at_once([hand(number) for number in range(4)])
    assert not [each for each in done if isinstance(each, Exception)]
    assert not [each for one in done for each in one if isinstance(each, No)], "whichever stood then"
    lines = mine.history(town)
    assert [each["version"] for each in lines] == list(range(101, 0, -1))
    assert [each["version"] for each in lines if each["retired_at"] is None] == [101]
    stamped = mine.http.call("GET", "receipts?kind=memory.corrected&limit=200")["items"]
    assert [each["version"] for each in stamped] == list(range(101, 1, -1))
    assert mine.chain_holds(town)


@pytest.mark.parametrize(
    ("wish", "problem"),
    [
        ({"version": 9}, No("not-found", 404)),
        ({"version": 0}, No("validation", 422)),
        ({}, No("validation", 422)),
        ({"version": 1, "value": "x"}, No("validation", 422)),
    ],
    ids=range(4),
)
def test_what_is_taken_back_is_named_by_its_version(mine: File, moved: str, wish: Any, problem: No) -> None:
    assert mine.back(moved, "reaffirm", **wish) == problem
    assert mine.says(moved) == "Porto"


def test_retired_values_are_shown_to_the_holder_and_stamped(home: Household, mine: File, moved: str) -> None:
    assert mine.said(moved, 1) == ["Leeds"]
    stamped = mine.http.call("GET", f"receipts?memory={moved}&kind=value.shown")["items"]
    assert [(each["version"], each["form"]) for each in stamped] == [(1, "value")]
    wanted = {"versions": [{"memory": moved, "version": 1}]}
    assert Http(home.key).call("POST", "memories/show", wanted) == No("holder-only", 403)
    for body in ({}, {**wanted, "memories": [moved]}, {**wanted, "openings": True}):
        assert mine.http.call("POST", "memories/show", body) == No("validation", 422)


def test_the_file_is_ordered_by_rank_and_tells_what_is_over(mine: File) -> None:
    today = utc_now().date()
    mine.keep("light", "one", weight=1)
    mine.keep("heavy", "two", weight=100)
    mine.keep("over", "three", valid_to=(today - timedelta(days=2)).isoformat())
    by_rank = [each["subject"] for each in mine.http.call("GET", "memories?order=rank&limit=200")["items"]]
    assert (by_rank[0], by_rank[-1]) == ("heavy", "light")
    look = mine.http.call("GET", "memories?list=worth-another-look")["items"]
    assert [each["subject"] for each in look] == ["over"]
    assert mine.http.call("GET", "memories?list=worth-another-look&as_of=2026-01-01") == No("validation", 422)


def test_a_rank_counts_from_when_it_was_said_and_not_from_when_it_was_touched(home: Household) -> None:
    """Two years, half the weight: and no touch makes it fresher, but that the holder says it again."""
    past, now = utc_now() - timedelta(days=730), utc_now()
    old = memories.add(home.holder, label="Old", subject="old", value="one", weight=80, now=past)
    new = memories.add(home.holder, label="New", subject="new", value="two", weight=60, now=now)
    assert isinstance(old, Memory) and isinstance(new, Memory)

    def first() -> str:
        return next(each.subject for each in memories.ranked(home.holder, now) if each.subject.endswith(("old", "new")))

    assert first() == "new"
    memories.rescope(home.holder, old.memory_id, "very.old", now)
    memories.mark(home.holder, old.memory_id, now, local_only=True)
    memories.put_away(home.holder, old.memory_id, now)
    memories.put_back(home.holder, old.memory_id, now)
    assert first() == "new"
    assert memories.reaffirm(home.holder, old.memory_id, 1, now)
    assert first() == "very.old"


def test_a_mark_is_no_new_version(mine: File, moved: str) -> None:
    marked = mine.change(moved, kind="episodic", weight=80, local_only=True)
    assert [marked[name] for name in ("kind", "weight", "local_only", "version")] == ["episodic", 80, True, 2]
    assert mine.change(moved, weight=101) == No("validation", 422)
    assert mine.change(moved, weight=5, value="Faro") == No("validation", 422)


def test_settling_what_is_not_open_changes_nothing(mine: File, moved: str) -> None:
    tag = mine.http.send("GET", f"memories/{moved}").headers["ETag"]
    assert mine.http.send("POST", f"memories/{moved}/resolve").headers["ETag"] == tag


# ---------------------------------------------------------------- what clients suggest
def suggested(home: Household, moved: str, value: str, **more: Any) -> Any:
    """A client's correction of a memory that it was shown."""
    wish = {"directive": "correct", "target": moved, "value": value, "derived_from": [], **more}
    return Http(home.key).call("POST", "proposals", wish)


def test_a_suggestion_that_waits_changes_nothing_that_is_served(home: Household, mine: File, moved: str) -> None:
    wish = home.as_client().ask([moved])
    home.as_holder().decide(wish.request, {"ordinary": [moved]}, reads=None)
    made = suggested(home, moved, "Faro")
    assert made["status"] == "pending"
    assert home.as_client().read([moved]).values == {moved: "Porto"}
    assert mine.says(moved) == "Porto"
    waiting = [each["id"] for each in mine.http.call("GET", "proposals?limit=200")["items"]]
    assert made["id"] in waiting


def test_once_approved_it_takes_the_place_of_the_old_one_at_once(home: Household, mine: File, moved: str) -> None:
    made = suggested(home, moved, "Faro")
    done = mine.http.call("POST", f"proposals/{made['id']}/decision", {"decision": "approve"})
    assert (done["memory"]["id"], done["memory"]["version"]) == (moved, 3)
    assert [each["version"] for each in mine.named("home.town")] == [3]
    newest, before, _ = mine.history(moved)
    assert (newest["proposal"], before["retired_at"]) == (made["id"], newest["made_at"])
    assert mine.says(moved) == "Faro"
    assert mine.back(moved)["version"] == 4
    assert mine.says(moved) == "Porto"


@pytest.mark.parametrize("again", ["Leeds", "I live in Leeds"])
def test_what_was_corrected_is_suggested_in_vain(home: Household, mine: File, moved: str, again: str) -> None:
    """The client is answered as for any suggestion: it learns nothing of what the file said."""
    news, echo = suggested(home, moved, "Faro"), suggested(home, moved, again)
    assert echo.keys() == news.keys()
    assert echo["status"] == news["status"] == "pending"
    path = f"proposals/{echo['id']}/decision"
    assert mine.http.call("POST", path, {"decision": "approve"}) == No("echo", 409)
    assert mine.says(moved) == "Porto"
    assert mine.http.call("POST", path, {"decision": "approve", "on_purpose": True})["memory"]["version"] == 3
    assert mine.history(moved)[0]["restored_from"] == 1


def test_a_rejected_suggestion_is_never_served_and_never_approved(home: Household, mine: File, moved: str) -> None:
    made = suggested(home, moved, "Faro")
    path = f"proposals/{made['id']}/decision"
    assert mine.http.call("POST", path, {"decision": "reject"})["proposal"]["status"] == "rejected"
    assert mine.http.call("POST", path, {"decision": "approve"}) == No("already-decided", 409)
    assert suggested(home, moved, "Faro") == No("already-rejected", 409)
    assert mine.says(moved) == "Porto"
    assert [each["version"] for each in mine.history(moved)] == [2, 1]
    assert mine.chain_holds(moved)


def test_what_a_suggestion_would_contradict_is_named_to_the_holder_before(
    home: Household, mine: File, moved: str
) -> None:
    made = Http(home.key).call(
        "POST", "proposals", {"label": "Town", "subject": "home.town", "value": "Faro", "derived_from": []}
    )
    (waiting,) = [each for each in mine.http.call("GET", "proposals")["items"] if each["id"] == made["id"]]
    assert [(each["kind"], each.get("memory")) for each in waiting["marks"]] == [("conflict", moved)]


@pytest.mark.parametrize("look", ["proposals", "proposals/{id}", "proposals/show"])
def test_a_yes_to_what_nearly_says_the_same_is_carried_out_once_the_holder_saw_that(
    home: Household, mine: File, look: str
) -> None:
    rent = mine.keep("home.rent", "The flat rent is 950 euros")["id"]
    body = {"label": "Note", "subject": "notes.flat", "value": "The flat rent is 900 euros", "derived_from": []}
    made = Http(home.key).call("POST", "proposals", body)["id"]
    yes = {"decision": "approve"}
    for match in ({}, {"If_Match": "*"}, {"If_Match": '"1"'}):
        assert mine.http.call("POST", f"proposals/{made}/decision", yes, **match) == No("noticed-since", 409), match
    if look == "proposals/show":
        told = mine.http.call("POST", look, {"proposals": [made]})["proposals"][0]["proposal"]
    else:
        told = mine.http.call("GET", look.format(id=made))
        told = told if look != "proposals" else next(each for each in told["items"] if each["id"] == made)
    (mark,) = told["marks"]
    assert (mark["kind"], mark["how"], mark["memory"]) == ("conflict", "near-identical", rent)
    assert mine.http.call("POST", f"proposals/{made}/decision", yes)["memory"]["subject"] == "notes.flat"
