"""A label that restates what was corrected or put away is looked at by itself.

Protects what a label is seen by: whoever may see labels would read there, without a grant or a receipt, what the holder
put right.
"""

from pathlib import Path
from typing import Any

import pytest

from apps.memories import services as memories
from apps.policy.types import Memory, Refused
from apps.policy.vocabulary import MarkKind, Refusal
from tests.cast import Assistant, Vault
from tests.memories.test_a_proposal_costs_few_round_trips import APPROVE
from tests.memories.test_what_comes_from_what_is_kept_apart import add, alone, among_many, correct
from tests.surfaces.test_a_read_costs_few_round_trips import counted
from vault.clock import utc_now

LEFT = [("needs-attention", MarkKind.ECHO.value)]
ECHO = Refused(Refusal.ECHO, "/label")


@pytest.fixture
def hamlet(alice: Vault) -> Any:
    """A memory that said Thornby and says Welford."""
    memory_id = alice.keep("Hamlet", "Thornby", subject="home.hamlet")
    assert isinstance(memories.correct(alice.holder, memory_id, value="Welford", now=utc_now()), Memory)
    return memory_id


def marks(vault: Vault, made: Any) -> list[tuple[str, Any, int, str]]:
    return [(each.kind.value, each.memory_id, each.version, each.how) for each in vault.noticed(made).marks]


@pytest.mark.parametrize("label", ["Hamlet: Thornby", "Thornby", "THORNBY!", "The hamlet we all call home is Thornby"])
def test_the_label_of_a_correction(alice: Vault, cook: Assistant, hamlet: Any, label: str) -> None:
    made = correct(cook, hamlet, "Welford village", label=label)
    assert ("echo", hamlet, 1, "in-its-label") in marks(alice, made)
    assert among_many(alice, made) == LEFT
    assert alone(alice, made) == ECHO
    assert alone(alice, made, value="Welford, the village") == ECHO
    kept = alone(alice, made, label="Hamlet, of late")
    assert isinstance(kept, Memory) and kept.label == "Hamlet, of late"


@pytest.mark.parametrize(
    "label", ["Home is Thornby", "Thornby", "Where we live, since spring: Thornby", "Т\u04bbornby"]
)
@pytest.mark.parametrize("subject", ["notes.one", ""])
def test_the_label_of_what_is_added_elsewhere(
    alice: Vault, cook: Assistant, hamlet: Any, label: str, subject: str
) -> None:
    made = add(cook, "as in the label", label=label, subject=subject)
    assert ("echo", hamlet, 1, "in-its-label") in marks(alice, made)
    assert among_many(alice, made) == LEFT
    assert alone(alice, made) == ECHO
    assert isinstance(alone(alice, made, on_purpose=True), Memory)


def test_a_subject_says_it_too(alice: Vault, cook: Assistant, hamlet: Any) -> None:
    made = add(cook, "as its subject says", label="Home", subject="home.thornby")
    assert among_many(alice, made) == LEFT


def test_what_was_put_away(alice: Vault, cook: Assistant, hamlet: Any) -> None:
    memories.put_away(alice.holder, hamlet, utc_now())
    assert among_many(alice, add(cook, "as in the label", label="Welford")) == LEFT
    memories.put_back(alice.holder, hamlet, utc_now())
    assert (
        among_many(alice, add(cook, "as in the label again", label="Welford", subject="notes.two"))[0][0] == "applied"
    )


def test_what_was_corrected_since_it_was_compared(alice: Vault, cook: Assistant) -> None:
    memory_id = alice.keep("Hamlet", "Thornby", subject="home.hamlet")
    made = add(cook, "as in the label", label="Home is Thornby")
    assert marks(alice, made) == []
    memories.correct(alice.holder, memory_id, value="Welford", now=utc_now())
    assert among_many(alice, made) == LEFT


def test_before_it_was_compared_a_label_that_says_more_than_its_subject_does_is_compared_first(
    alice: Vault, cook: Assistant, hamlet: Any
) -> None:
    assert isinstance(alone(alice, add(cook, "as in the label", label="Home is Thornby")), Refused)


def test_an_ordinary_label_costs_nothing(alice: Vault, cook: Assistant, hamlet: Any, tmp_path: Path) -> None:
    made = add(cook, "Sails on Sundays", label="Note 17", subject="note-17")
    with counted(tmp_path) as trips:
        assert isinstance(alone(alice, made), Memory)
    assert trips == [APPROVE]


@pytest.mark.parametrize("label", ["Hamlet", "Welford", "Home, since spring"])
def test_a_label_that_brings_nothing_back_is_as_it_was(alice: Vault, cook: Assistant, hamlet: Any, label: str) -> None:
    made = add(cook, "Blue towels and a green door", label=label)
    assert marks(alice, made) == []
    assert among_many(alice, made) == [("applied", "")]


def test_what_another_memory_says_now_is_no_secret_of_the_one_that_said_it(
    alice: Vault, cook: Assistant, hamlet: Any
) -> None:
    alice.keep("Born in", "Thornby", subject="birth.place", on_purpose=True)
    assert "echo" not in {each[0] for each in marks(alice, add(cook, "On Sundays", label="Walks round Thornby"))}


def test_the_holder_s_own_label_takes_a_purpose_as_their_value_does(alice: Vault, hamlet: Any) -> None:
    wish = {"value": "Welford", "label": "Hamlet: Thornby", "now": utc_now()}
    assert memories.correct(alice.holder, hamlet, **wish) == ECHO
    kept = memories.correct(alice.holder, hamlet, **wish, on_purpose=True)
    assert isinstance(kept, Memory) and kept.label == "Hamlet: Thornby"


def test_a_label_in_other_words_and_one_that_is_approved_before_it_was_compared(
    alice: Vault, cook: Assistant, hamlet: Any
) -> None:
    """Limits: stated in the threat model."""
    assert marks(alice, add(cook, "as in the label", label="Home begins with a T and ends in hornby")) == []
    made = add(cook, "Blue towels and a green door", label="Home is Thornby", subject="")
    assert isinstance(alone(alice, made), Memory)
