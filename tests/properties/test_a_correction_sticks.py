"""A correction sticks: what was corrected comes back by nobody's repeating it, only by the holder's own, express deed.

Protects the holder from being told again, by an assistant that never forgets, what they put right.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.types import Memory, Proposal, Refused
from apps.policy.vocabulary import Directive, Ended, Refusal
from tests.cast import Assistant, Vault, give
from tests.days import Day
from tests.drivers import Http
from tests.pages import WebHolder
from vault.clock import utc_now

TOWNS = ("Brno", "Porto", "Faro", "Leeds")
DEEDS = st.one_of(
    st.tuples(st.sampled_from(["correct", "mean", "add"]), st.sampled_from(TOWNS)),
    st.tuples(st.just("revert"), st.just("")),
    st.tuples(st.just("reaffirm"), st.integers(1, 8)),
)


@dataclass
class Model:
    """What should hold, kept as simply as it can be said: each version's value, and what it would go back to."""

    values: list[str] = field(default_factory=list)
    ways: list[tuple[int, ...]] = field(default_factory=list)  # of each version: those it came over, itself the last

    @property
    def current(self) -> str:
        return self.values[-1]

    def new(self, value: str) -> None:
        at = len(self.values) + 1
        self.ways.append((*(self.ways[-1] if self.ways else ()), at))
        self.values.append(value)

    def again(self, version: int) -> None:
        """A version said once more goes back where that one would."""
        self.ways.append(self.ways[version - 1])
        self.values.append(self.values[version - 1])

    def last(self, value: str) -> int | None:
        """The newest version before the current one that said this."""
        earlier = [number for number, each in enumerate(self.values[:-1], 1) if each == value]
        return max(earlier, default=None)


def do(vault: Vault, town: Any, model: Model, deed: str, what: Any) -> None:
    """One deed on the file and on the model; what the file answers is what the model says."""
    now, holder = utc_now(), vault.holder
    if deed in ("correct", "mean"):
        echo = model.last(what) if what != model.current else None
        done = memories.correct(holder, town, value=what, now=now, on_purpose=deed == "mean")
        if echo is not None and deed != "mean":
            assert done == Refused(Refusal.ECHO, "/value")
        else:
            assert isinstance(done, Memory)
            if echo is not None:
                model.again(echo)
            elif what != model.current:
                model.new(what)
    elif deed == "add":
        if what != model.current and model.last(what) is not None:
            made = memories.add(holder, label="Somewhere", value=what, now=now)
            assert made == Refused(Refusal.ECHO, "/value")
    elif deed == "revert":
        way = model.ways[-1]
        done = memories.revert(holder, town, now)
        if len(way) < 2:
            assert done == Refused(Refusal.NOTHING_BEFORE)
        else:
            assert isinstance(done, Memory)
            model.again(way[-2])
    elif what < len(model.values):
        assert isinstance(memories.reaffirm(holder, town, what, now), Memory)
        model.again(what)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(DEEDS, min_size=4, max_size=12))
def test_after_any_deeds_what_is_served_is_what_the_holder_said_last(
    alice: Vault, cook: Assistant, deeds: list[Any]
) -> None:
    name = f"town-{utc_now().timestamp()}".replace(".", "-")
    alice.keep(name, "Home", label="Home town", on_purpose=True, subject=name)
    give(cook, name)
    model = Model()
    model.new("Home")
    for deed, what in deeds:
        do(alice, alice.ids[name], model, deed, what)
        served = cook.read(name).released[0].handed
        assert (served.value, served.version) == (model.current, len(model.values))
    lines = memories.history(alice.holder, alice.ids[name])
    assert [each.version for each in lines if each.retired_at is None] == [len(model.values)]
    memories.put_away(alice.holder, alice.ids[name], utc_now())


def by_service(vault: Vault, name: str, value: str) -> str:
    done = memories.correct(vault.holder, vault.ids[name], value=value, now=utc_now())
    return "taken" if isinstance(done, Memory) else done.reason.value


def by_rest(vault: Vault, name: str, value: str) -> str:
    http = Http(holder=vault.holder)
    done = http.send("PATCH", f"memories/{vault.mem(name)}", {"value": value}, If_Match="*")
    return "taken" if done.status_code == 200 else str(done.json()["code"])


def by_page(vault: Vault, name: str, value: str) -> str:
    fields = {"label": "Home town", "value": value, "category": "ordinary"}
    found = memories.memory(vault.holder, vault.ids[name])
    assert found is not None
    sent = {**fields, "if_version": str(found.version)}
    response = WebHolder(vault.holder).browser.post(f"/file/{vault.mem(name)}/correct", sent)
    told = response.content.decode()
    if response.status_code == 302:
        return "taken"
    assert value.strip() in told  # what was typed is still there
    return "echo" if "I mean it" in told else f"{response.status_code}"


def by_new_memory(vault: Vault, name: str, value: str) -> str:
    made = memories.add(vault.holder, label="Home town", value=value, now=utc_now())
    return "taken" if isinstance(made, Memory) else made.reason.value


ROADS = pytest.mark.parametrize("road", [by_service, by_rest, by_page, by_new_memory])


@ROADS
@pytest.mark.parametrize("again", ["Leeds", " leeds", "LEEDS!", "I live in Leeds", "in Leeds, as I told you"])
def test_no_road_of_the_holder_takes_it_back_unasked(
    alice: Vault, cook: Assistant, road: Callable[[Vault, str, str], str], again: str
) -> None:
    alice.keep("home", "Leeds", label="Home town", subject="home-town")
    give(cook, "home")
    assert by_service(alice, "home", "Porto") == "taken"
    assert road(alice, "home", again) == "echo"
    assert cook.read("home").released[0].handed.value == "Porto"
    assert len(memories.history(alice.holder, alice.ids["home"])) == 2


@pytest.mark.parametrize("again", ["Leeds", "I live in Leeds"])
def test_an_approval_in_passing_does_not_take_it_back(alice: Vault, cook: Assistant, again: str) -> None:
    """A client proposes what was corrected. Saying yes to it is not yet meaning it."""
    alice.keep("home", "Leeds", label="Home town", subject="home.town")
    assert by_service(alice, "home", "Porto") == "taken"
    made = access.propose(
        cook.caller,
        directive=Directive.CORRECT,
        target=alice.ids["home"],
        value=again,
        derived_from=[],
        now=utc_now(),
    )
    assert isinstance(made, Proposal)
    assert memories.approve(alice.holder, made.proposal_id, now=utc_now()) == Refused(Refusal.ECHO, "/value")
    assert memories.show(alice.holder, [alice.ids["home"]]).values[0].value == "Porto"
    done = memories.approve(alice.holder, made.proposal_id, now=utc_now(), on_purpose=True)
    assert not isinstance(done, Refused)
    newest = memories.history(alice.holder, alice.ids["home"])[0]
    assert (newest.version, newest.restored_from, newest.proposal_id) == (3, 1, made.proposal_id)


@pytest.mark.parametrize("again", ["Leeds by the river", "LEEDS, by the river!"])
def test_nor_does_one_of_something_new_that_nobody_compared_yet(alice: Vault, cook: Assistant, again: str) -> None:
    alice.keep("home", "Leeds, by the river", label="Home town", subject="home.town")
    assert by_service(alice, "home", "Porto") == "taken"
    made = access.propose(cook.caller, label="City", subject="city", value=again, derived_from=[], now=utc_now())
    assert isinstance(made, Proposal)
    assert isinstance(memories.approve(alice.holder, made.proposal_id, now=utc_now()), Refused)
    assert "city" not in [each.subject for each in memories.memories(alice.holder)]


def test_what_the_holder_means_is_taken_and_says_so_in_the_history(alice: Vault) -> None:
    alice.keep("home", "Leeds", label="Home town")
    by_service(alice, "home", "Porto")
    done = memories.correct(alice.holder, alice.ids["home"], value="Leeds", now=utc_now(), on_purpose=True)
    assert isinstance(done, Memory)
    newest, porto, _ = memories.history(alice.holder, alice.ids["home"])
    assert (newest.restored_from, porto.retired_at) == (1, newest.made_at)
    assert alice.receipts(memory_id=alice.ids["home"])[-1].kind == "memory.reaffirmed"


# ---------------------------------------------------------------- by a date
def say(vault: Vault, value: str, **wish: Any) -> None:
    done = memories.correct(vault.holder, vault.ids["home"], value=value, now=utc_now(), **wish)
    assert isinstance(done, Memory), done


def approved(vault: Vault, client: Assistant, value: str, **wish: Any) -> UUID:
    """The client's correction, which the holder approved."""
    made = access.propose(
        client.caller,
        directive=Directive.CORRECT,
        target=vault.ids["home"],
        value=value,
        derived_from=[],
        now=utc_now(),
        **wish,
    )
    assert isinstance(made, Proposal)
    done = memories.approve(vault.holder, made.proposal_id, now=utc_now())
    assert isinstance(done, memories.Approved), done
    return made.proposal_id


def it_changed(vault: Vault, _: Assistant) -> str:
    say(vault, "Porto", changed=True)
    say(vault, "Faro", changed=True)
    return "Faro"


def it_was_wrong(vault: Vault, _: Assistant) -> str:
    say(vault, "Porto", changed=True)
    say(vault, "Faro")
    return "Faro"


def in_other_words(vault: Vault, _: Assistant) -> str:
    say(vault, "I live in Porto, Rua das Flores 5", changed=True)
    say(vault, "Faro")
    return "Faro"


def it_was_reverted(vault: Vault, _: Assistant) -> str:
    say(vault, "Porto", changed=True)
    assert isinstance(memories.revert(vault.holder, vault.ids["home"], utc_now()), Memory)
    return "Leeds"


def it_was_reaffirmed(vault: Vault, _: Assistant) -> str:
    say(vault, "Porto", changed=True)
    assert isinstance(memories.reaffirm(vault.holder, vault.ids["home"], 1, utc_now()), Memory)
    return "Leeds"


def it_was_approved_and_undone(vault: Vault, client: Assistant) -> str:
    proposal_id = approved(vault, client, "Porto", changed=True)
    assert memories.undo(vault.holder, proposal_id, utc_now())
    return "Leeds"


def it_was_put_away_between(vault: Vault, _: Assistant) -> str:
    say(vault, "Porto", changed=True)
    assert memories.put_away(vault.holder, vault.ids["home"], utc_now())
    assert memories.put_back(vault.holder, vault.ids["home"], utc_now())
    say(vault, "Faro")
    return "Faro"


def it_was_planned_twice(vault: Vault, _: Assistant) -> str:
    say(vault, "Porto", valid_from=str(Day(300)))
    say(vault, "Porto", changed=True)
    say(vault, "Faro")
    return "Faro"


def by_the_holder(vault: Vault, _: Assistant, day: Day) -> None:
    say(vault, "Porto", valid_from=str(day), changed=True)


def by_an_approval(vault: Vault, client: Assistant, day: Day) -> None:
    approved(vault, client, "Porto", valid_from=str(day), changed=True)


@pytest.mark.parametrize("plan", [by_the_holder, by_an_approval])
@pytest.mark.parametrize(
    "deeds",
    [
        it_changed,
        it_was_wrong,
        in_other_words,
        it_was_reverted,
        it_was_reaffirmed,
        it_was_approved_and_undone,
        it_was_put_away_between,
        it_was_planned_twice,
    ],
)
def test_no_date_brings_it_back(
    alice: Vault,
    cook: Assistant,
    plan: Callable[[Vault, Assistant, Day], None],
    deeds: Callable[[Vault, Assistant], str],
) -> None:
    """It was to be so from a day on; it was so early, and then no more. The day comes, and changes nothing: what waited
    ended with a deed of the holder, or is there for them to look at.
    """
    alice.keep("home", "Leeds", label="Home town", subject="home.town")
    give(cook, "home")
    day = Day()
    plan(alice, cook, day)
    holds = deeds(alice, cook)
    day.comes(alice.id)
    memories.arrive(alice.id)
    assert cook.read("home").released[0].handed.value == holds
    waited = [each for each in memories.history(alice.holder, alice.ids["home"]) if each.version == 2]
    assert [(each.ended_as, each.overtaken_by is not None) for each in waited] == [(Ended.CANCELLED, True)]
    by_itself = [each for each in alice.receipts(kind="memory.cancelled") if each.actor == "sys_clock"]
    looks = [each.memory_id for each in memories.reopened(alice.holder)]
    assert looks == ([alice.ids["home"]] if by_itself else [])


def test_a_date_that_is_told_again_on_purpose_is_a_deed(alice: Vault, cook: Assistant) -> None:
    alice.keep("home", "Leeds", label="Home town", subject="home.town")
    give(cook, "home")
    say(alice, "Porto", changed=True)
    say(alice, "Faro")
    day = Day()
    again = {"value": "Porto", "valid_from": str(day), "now": utc_now()}
    assert memories.correct(alice.holder, alice.ids["home"], **again) == Refused(Refusal.ECHO, "/value")
    assert isinstance(memories.correct(alice.holder, alice.ids["home"], **again, on_purpose=True), Memory)
    day.comes(alice.id)
    assert memories.arrive(alice.id) == 1
    assert cook.read("home").released[0].handed.value == "Porto"
