"""An answer takes as long whatever is kept: what a client suggests costs the same, so that no clock tells it what a
file says.

Protects the holder from a client that asks by suggesting. Statements, messages and round trips are compared and not
times, which a busy machine would blur; what one statement costs is not compared.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import connections

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Directive, State
from tests.cast import Assistant, Vault
from tests.surfaces.test_a_read_costs_few_round_trips import ALIASES, counted
from vault.clock import utc_now

Spoken = list[str]


@contextmanager
def spoken(folder: Path) -> Iterator[Spoken]:
    """What is said to the database: every statement but for what it is told, every answer's kind in its order as libpq
    writes it down, and how many round trips it takes.
    """
    found: Spoken = []

    def note(execute: Any, sql: Any, *more: Any) -> Any:
        found.append(re.sub(r"'[^']*'", "'…'", str(sql)))
        return execute(sql, *more)

    with counted(folder) as trips, ExitStack() as listening:
        for alias in ALIASES:
            listening.enter_context(connections[alias].execute_wrapper(note))
        yield found
    for alias in ALIASES:
        found += re.findall(r'CommandComplete.*"([A-Z ]+)', (folder / alias).read_text(errors="replace"))
    found.append(f"{trips[0]} round trips")


def said(by: Assistant, folder: Path, **words: Any) -> tuple[Spoken, Proposal | Refused]:
    """What one suggestion sends, and its answer, as every surface makes it."""
    caller = by.caller
    with spoken(folder) as found:
        done = access.propose(caller, now=utc_now(), derived_from=(), **words)
    return found, done


KEPT: list[tuple[str, Callable[[Vault], dict[str, str]]]] = [
    ("what is kept, under its subject", lambda _: {"value": "Forty minutes", "subject": "cooking.time"}),
    ("what is kept, elsewhere", lambda _: {"value": "Forty minutes", "subject": "somewhere.else"}),
    ("a subject that is taken", lambda _: {"value": "Something new", "subject": "cooking.time"}),
    ("what was corrected", lambda _: {"value": "An hour at least"}),
    ("what was put away", lambda _: {"value": "Porto by the river"}),
    ("what is of a special category", lambda vault: {"value": vault.values["pills"]}),
    ("what is sealed from guardians", lambda _: {"value": "A diary of the summer"}),
    ("nearly what is kept", lambda _: {"value": "The flight to Lisbon leaves at 11:20 from gate B22"}),
    ("what another client proposes", lambda _: {"value": "A wood stove in the yard"}),
]


@pytest.fixture
def full(alice: Vault, clinic: Assistant) -> Vault:
    """A file that says, said, hides and was told a good deal."""
    now = utc_now()
    memories.correct(alice.holder, alice.ids["time"], value="An hour at least", now=now)
    memories.correct(alice.holder, alice.ids["time"], value="Forty minutes", now=now)
    alice.keep("away", "Porto by the river")
    memories.put_away(alice.holder, alice.ids["away"], now)
    alice.keep("secret", "A diary of the summer")
    memories.seal_from_guardians(alice.holder, alice.ids["secret"], now)
    kept = memories.memory(alice.holder, alice.ids["secret"])
    assert kept is not None and kept.state is State.SEALED
    alice.keep("flight", "The flight to Lisbon leaves at 10:45 from gate B22")
    memories.propose(clinic.caller, now=now, label="Heat", value="A wood stove in the yard")
    return alice


@pytest.mark.parametrize("words", [each for _, each in KEPT], ids=[each for each, _ in KEPT])
def test_a_guess_costs_its_client_the_same_whatever_is_kept(
    full: Vault, cook: Assistant, tmp_path: Path, words: Callable[[Vault], dict[str, str]]
) -> None:
    fresh, made = said(cook, tmp_path, label="News", value="Nobody ever said this here", subject="quite.new")
    guessed, found = said(cook, tmp_path, **{"label": "News", "subject": "guess.work", **words(full)})
    assert isinstance(made, Proposal) and isinstance(found, Proposal)
    assert guessed == fresh
    assert not any("gate.alike" in each for each in fresh)


@pytest.mark.parametrize("directive", [Directive.CORRECT, Directive.REVERT, Directive.ERASE, Directive.RESCOPE])
def test_what_is_hidden_costs_what_is_not_there_does(
    full: Vault, cook: Assistant, tmp_path: Path, directive: Directive
) -> None:
    more: dict[str, Any] = {Directive.CORRECT: {"value": "Porto"}, Directive.RESCOPE: {"subject": "a.b"}}.get(
        directive, {}
    )
    absent = said(cook, tmp_path, directive=directive, target=uuid4(), **more)
    for name in ("pills", "away", "secret"):
        assert said(cook, tmp_path, directive=directive, target=full.ids[name], **more) == absent, name
    assert isinstance(absent[1], Refused)


def test_a_correction_costs_the_same_whether_it_says_what_was_said_before_or_not(
    full: Vault, cook: Assistant, tmp_path: Path
) -> None:
    wish: dict[str, Any] = {"directive": Directive.CORRECT, "target": full.ids["time"]}
    fresh, _ = said(cook, tmp_path, **wish, value="Nobody ever said this here")
    for value in ("Forty minutes", "An hour at least", "Porto by the river", full.values["pills"]):
        found, made = said(cook, tmp_path, **wish, value=value)
        assert isinstance(made, Proposal) and found == fresh, value


def test_what_is_taken_back_costs_the_same_whether_anything_stands_before_it(
    full: Vault, cook: Assistant, tmp_path: Path
) -> None:
    with_past, made = said(cook, tmp_path, directive=Directive.REVERT, target=full.ids["time"])
    without, found = said(cook, tmp_path, directive=Directive.REVERT, target=full.ids["kitchen"])
    assert isinstance(made, Proposal) and isinstance(found, Proposal)
    assert with_past == without


def test_the_word_of_a_routed_text_costs_what_any_other_does(full: Vault, cook: Assistant, tmp_path: Path) -> None:
    told = []
    for text in ("remember that nobody ever said this here", "remember that forty minutes"):
        caller = cook.caller
        with spoken(tmp_path) as found:
            access.route_text(caller, text, now=utc_now(), derived_from=())
        told.append(found)
    assert told[0] == told[1]


def test_it_is_noticed_all_the_same_before_anybody_sees_it(full: Vault, cook: Assistant, tmp_path: Path) -> None:
    _, made = said(cook, tmp_path, label="News", subject="guess.work", value="An hour at least")
    assert isinstance(made, Proposal) and made.marks == ()
    (found,) = [each for each in memories.proposals(full.holder) if each.proposal_id == made.proposal_id]
    assert [each.memory_id for each in found.marks] == [full.ids["time"]]
