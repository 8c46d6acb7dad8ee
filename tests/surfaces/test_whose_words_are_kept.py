"""Whose words are kept, who suggested them, and how what was kept before ended: over the services, REST and pages."""

from typing import Any
from uuid import UUID

import pytest

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.ids import typed, untyped
from apps.policy.types import Caller, Memory, Proposal
from apps.policy.vocabulary import Category, Directive, Ended
from tests.drivers import Http
from tests.fixtures import Household
from tests.surfaces.web import browser, text_of
from vault.clock import utc_now


@pytest.fixture
def caller(home: Household) -> Caller:
    found = access.authenticate(home.key, utc_now())
    assert found is not None
    return found


def kitchen_of(home: Household) -> UUID:
    found = untyped("mem", home.kitchen)
    assert found is not None
    return found


def suggested(home: Household, caller: Caller, kind: str) -> Proposal:
    kitchen = kitchen_of(home)
    corrects = {"directive": Directive.CORRECT, "target": kitchen, "known": [kitchen]}
    sent: dict[str, Any] = corrects if kind == "correct" else {"label": "Tea"}
    made = memories.propose(caller, value="Green, with milk", now=utc_now(), **sent)
    assert isinstance(made, Proposal), made
    return made


def approved(home: Household, made: Proposal, **words: Any) -> Memory:
    """Looked at, with whatever was noticed about it, and then kept."""
    shown = memories.proposal(home.holder, made.proposal_id)
    assert shown is not None
    memories.tell(home.holder, [shown])
    done = memories.approve(home.holder, made.proposal_id, now=utc_now(), **words)
    assert isinstance(done, memories.Approved) and done.memory is not None, done
    return done.memory


@pytest.mark.parametrize("kind", ["add", "correct"])
@pytest.mark.parametrize("more", [{}, {"category": Category.HEALTH}], ids=["plain", "apart"])
def test_other_words_are_the_holders_and_what_was_suggested_stays_its_client_s(
    home: Household, caller: Caller, kind: str, more: dict[str, Any]
) -> None:
    kept = approved(home, suggested(home, caller, kind), value="Black, no sugar", **more)
    assert kept.source == "holder"
    client = typed("cli", caller.client.client_id)
    told = Http(holder=home.holder).call("GET", f"memories/{typed('mem', kept.memory_id)}/provenance")
    assert (told["said_by"], told["said_by_name"], told["kept_by"]) == (home.holder.actor, None, home.holder.actor)
    (proposed,) = [each for each in told["history"] if not each["kept"]]
    lines = {each.version: each.source for each in memories.history(home.holder, kept.memory_id)}
    assert lines[proposed["version"]["version"]] == client
    over_rest = Http(holder=home.holder).call("GET", f"memories/{typed('mem', kept.memory_id)}/history")["versions"]
    assert {each["version"]: each["source"] for each in over_rest} == lines
    assert proposed["suggested"]["client_name"] == caller.client.name


@pytest.mark.parametrize("kind", ["add", "correct"])
def test_words_kept_as_they_were_suggested_are_their_client_s(home: Household, caller: Caller, kind: str) -> None:
    kept = approved(home, suggested(home, caller, kind))
    client = typed("cli", caller.client.client_id)
    told = Http(holder=home.holder).call("GET", f"memories/{typed('mem', kept.memory_id)}/provenance")
    assert (told["said_by"], told["said_by_name"], told["kept_by"]) == (client, caller.client.name, home.holder.actor)


def test_pages_call_an_assistant_by_its_name(home: Household, caller: Caller) -> None:
    kept = approved(home, suggested(home, caller, "add"))
    client, address = browser(home.holder), f"/file/{typed('mem', kept.memory_id)}"
    memory, provenance = (" ".join(text_of(client.get(each)).split()) for each in (address, f"{address}/provenance"))
    assert f"<dt>Came from</dt> <dd> {caller.client.name} </dd>" in memory
    assert f"in the words of {caller.client.name}" in memory
    assert f"<dd>{caller.client.name}, and kept by you</dd>" in provenance
    assert typed("cli", caller.client.client_id) not in memory + provenance


@pytest.mark.parametrize(
    ("value", "words", "ended"),
    [
        ("same", {"label": "Pots and pans"}, Ended.CHANGED),
        ("spelt otherwise", {}, Ended.CHANGED),
        ("other", {}, Ended.WRONG),
        ("other", {"changed": True}, Ended.CHANGED),
    ],
)
def test_what_is_only_spelt_or_named_otherwise_never_was_wrong(
    home: Household, value: str, words: dict[str, Any], ended: Ended
) -> None:
    kitchen = kitchen_of(home)
    now = memories.show(home.holder, [kitchen]).values[0].value or ""
    said = {"same": now, "spelt otherwise": f"{now.upper()} ", "other": "A gas hob"}[value]
    assert isinstance(memories.correct(home.holder, kitchen, value=said, now=utc_now(), **words), Memory)
    assert memories.history(home.holder, kitchen)[1].ended_as is ended


def test_nor_was_what_a_suggestion_confirms_in_its_place(home: Household, caller: Caller) -> None:
    kitchen = kitchen_of(home)
    old = memories.memory(home.holder, kitchen)
    assert old is not None
    now = memories.show(home.holder, [kitchen]).values[0].value or ""
    made = memories.propose(caller, label="Pans", value=now.upper(), subject=old.subject, now=utc_now())
    assert isinstance(made, Proposal)
    approved(home, made, replaces=kitchen)
    assert memories.history(home.holder, kitchen)[1].ended_as is Ended.CHANGED
