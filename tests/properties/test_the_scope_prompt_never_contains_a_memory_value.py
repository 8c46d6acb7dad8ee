"""The scope prompt never contains a memory value: a model is shown what memories are about before anyone said yes, and
nothing of what they hold.

Protects the holder from the model's provider.
"""

import json
from typing import Any
from uuid import UUID

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.memories import services as memories
from apps.policy.types import Label
from apps.policy.vocabulary import Category
from apps.turns import services as turns
from apps.turns.prompts import scope_prompt
from tests.cast import QUESTION, Vault, canary
from tests.peers import openai
from tests.properties.conftest import Surface
from vault.clock import utc_now

VALUES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=80).filter(str.strip)


def test_scope_prompt_never_contains_a_memory_value(alice: Vault, near: Surface, model: openai.Model) -> None:
    assert near.holder(alice.holder).ask_turn(QUESTION)
    (prompt,) = model.scopes
    assert alice.labels["kitchen"] in prompt, "it is a real prompt over this vault's labels"
    assert [secret for secret in alice.secrets if secret in prompt] == []


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(values=st.lists(VALUES, min_size=2, max_size=2))
def test_it_is_the_same_to_the_byte_whatever_the_values_are(
    alice: Vault, model: openai.Model, values: list[str]
) -> None:
    """Not even an order or a length tells what a memory says, not when it says the question's own words."""
    turns.ask(alice.holder, QUESTION, utc_now())
    for name, value in zip(("kitchen", "budget"), values, strict=True):
        memories.correct(alice.holder, alice.ids[name], value=value, now=utc_now())
    memories.correct(alice.holder, alice.ids["dislikes"], value=f"{QUESTION} {values[0]}", now=utc_now())
    turns.ask(alice.holder, QUESTION, utc_now())
    before, after = model.scopes[-2:]
    assert before == after


def test_a_private_label_is_not_in_it_only_its_neutral_one(alice: Vault, model: openai.Model) -> None:
    turns.ask(alice.holder, QUESTION, utc_now())
    (prompt,) = model.scopes
    assert "A health memory" in prompt and "A memory about belief" in prompt
    assert alice.labels["pills"] not in prompt and "secret.pills" not in prompt


def test_what_is_put_away_is_not_even_named(alice: Vault, model: openai.Model) -> None:
    turns.ask(alice.holder, QUESTION, utc_now())
    assert alice.labels["diary"] not in model.scopes[0]
    memories.put_back(alice.holder, alice.ids["diary"], utc_now())
    turns.ask(alice.holder, QUESTION, utc_now())
    assert alice.labels["diary"] in model.scopes[1], "the control: it is named once it is put back"


def test_a_proposal_is_not_in_it(alice: Vault, cook: Any, model: openai.Model) -> None:
    label, value = canary(), canary()
    assert memories.propose(cook.caller, label=label, value=value, now=utc_now())
    turns.ask(alice.holder, QUESTION, utc_now())
    assert label not in model.scopes[0] and value not in model.scopes[0]


def test_it_says_nothing_else_about_the_vault(alice: Vault, model: openai.Model) -> None:
    """No id, no name, no receipt: a question and numbered labels."""
    turns.ask(alice.holder, QUESTION, utc_now())
    (body,) = model.requests
    assert set(body) == {"model", "messages", "temperature", "stream"}
    said = json.dumps(body)
    for told in (alice.id, alice.holder.user_id, *alice.ids.values()):
        assert told.hex not in said and str(told) not in said
    assert alice.holder.name not in said and alice.holder.space_name not in said


@given(st.lists(st.text(min_size=1, max_size=30), max_size=6), st.text(max_size=40))
def test_the_builder_can_only_see_labels(labels: list[str], question: str) -> None:
    """It is given labels, a type that has no value; what it writes of each is the label alone."""
    made = [Label(UUID(int=1), "subject-word", label, Category.ORDINARY, False) for label in labels]
    text = scope_prompt(question, made)[-1]["content"]
    listed = "\n".join(f"{number}. {label}" for number, label in enumerate(labels, start=1))
    assert text == f"Question: {question}\n\nNotes:\n{listed}"
