"""What was corrected is known again under whatever subject it is said: in the very same words, or with all of its words
in a text that says little more, it needs a purpose.
"""

from typing import Any

import pytest

from apps.memories import services as memories
from apps.policy.types import Memory, Refused
from apps.policy.vocabulary import MarkKind, Refusal
from tests.cast import Assistant, Vault
from tests.memories.test_what_comes_from_what_is_kept_apart import add, alone, among_many
from vault.clock import utc_now

OLD, NEW = "The kitchen database is db-3", "The kitchen database is db-7"


@pytest.fixture
def moved(alice: Vault) -> Any:
    """A memory that said db-3 and says db-7."""
    memory_id = alice.keep("database", OLD, subject="kitchen.database")
    assert isinstance(memories.correct(alice.holder, memory_id, value=NEW, now=utc_now()), Memory)
    return memory_id


def marks(vault: Vault, made: Any) -> list[tuple[str, Any, int, str]]:
    return [(each.kind.value, each.memory_id, each.version, each.how) for each in vault.noticed(made).marks]


SAME_WORDS = ["db-3 is the kitchen database", "Kitchen database: db-3!", "The database of the kitchen is DB-3."]


@pytest.mark.parametrize("text", SAME_WORDS)
def test_in_the_very_same_words_a_suggestion_is_an_echo_and_needs_a_purpose(
    alice: Vault, cook: Assistant, moved: Any, text: str
) -> None:
    made = add(cook, text, subject="notes.servers")
    assert marks(alice, made)[0] == ("echo", moved, 1, "loose")
    assert among_many(alice, made) == [("needs-attention", MarkKind.ECHO.value)]
    assert alone(alice, made) == Refused(Refusal.ECHO, "/value")
    assert isinstance(alone(alice, made, on_purpose=True), Memory)


@pytest.mark.parametrize("text", SAME_WORDS)
def test_the_holder_writes_it_under_another_subject_on_purpose_alone(alice: Vault, moved: Any, text: str) -> None:
    wish = {"label": "Servers", "subject": "notes.servers", "value": text, "now": utc_now()}
    assert memories.add(alice.holder, **wish) == Refused(Refusal.ECHO, "/value")
    assert isinstance(memories.add(alice.holder, **wish, on_purpose=True), Memory)


def test_with_all_of_its_words_in_it_it_is_an_echo_too(alice: Vault, cook: Assistant, moved: Any) -> None:
    made = add(cook, "Since spring the kitchen database is db-3 again, in the cellar", subject="notes.servers")
    assert alone(alice, made) == Refused(Refusal.ECHO, "/value")
    assert ("echo", moved, 1, "in-other-words") in marks(alice, made)
    assert among_many(alice, made) == [("needs-attention", MarkKind.ECHO.value)]
    assert isinstance(alone(alice, made, on_purpose=True), Memory)


@pytest.mark.parametrize(
    "text",
    [
        NEW,
        "The kitchen database was db-3 and is db-7",
        "The kitchen database is not db-3",
        "There are three servers in the cellar: the kitchen database db-3 was moved from, the music, and what the"
        " neighbours keep for their garden, bicycles, holidays, insurance, school and choir",
    ],
    ids=["what holds", "what holds besides", "a denial", "a text in which it is little"],
)
def test_what_says_more_or_otherwise_is_no_echo(alice: Vault, cook: Assistant, moved: Any, text: str) -> None:
    made = add(cook, text, subject="notes.servers")
    assert "echo" not in {each[0] for each in marks(alice, made)}


def test_one_word_alone_is_no_fact_elsewhere(alice: Vault, cook: Assistant) -> None:
    memory_id = alice.keep("town", "Leeds", subject="home.town")
    memories.correct(alice.holder, memory_id, value="Porto", now=utc_now())
    made = add(cook, "Leeds United", subject="sports.club")
    assert marks(alice, made) == []
    assert marks(alice, add(cook, "Leeds", subject="notes.town")) == [("echo", memory_id, 1, "exact")]


def test_what_was_put_away_is_known_again_too_and_what_was_put_back_is_none(
    alice: Vault, cook: Assistant, moved: Any
) -> None:
    memories.put_away(alice.holder, moved, utc_now())
    made = add(cook, "db-7 is the kitchen database", subject="notes.servers")
    assert marks(alice, made)[0] == ("echo", moved, 2, "loose")
    memories.put_back(alice.holder, moved, utc_now())
    again = add(cook, "The database of the kitchen: db-7", subject="notes.kitchen")
    assert "echo" not in {each[0] for each in marks(alice, again)}
