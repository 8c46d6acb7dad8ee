"""What the holder keeps local only is on no surface of a client that runs elsewhere, granted or not: no word of its
label, subject or value, nor whom it is about; and the vault's own chat says nothing of it to a model elsewhere.
"""

import json
import secrets
from collections.abc import Iterator
from typing import Any

import pytest

from apps.memories import services as memories
from apps.memories.services import linking, naming
from apps.policy.ids import typed
from apps.policy.links import EdgeKind, EntityKind
from apps.policy.types import Refused
from apps.turns import services as turns
from tests.cast import Assistant, Vault, canary, give
from tests.drivers import Http, McpClient
from tests.peers import openai
from tests.properties.conftest import model  # noqa: F401  (a fixture)
from vault.clock import utc_now


@pytest.fixture
def secret(alice: Vault) -> list[str]:
    """A memory whose every word is a canary, that said something else before; local only. Its words."""
    words = [canary() for _ in range(5)]
    label, subject, old, new, name = words[0], words[1].lower(), words[2], words[3], words[4]
    alice.keep("secret", value=f"a {old} kept", label=label, subject=f"home.{subject}")
    fixed = memories.correct(alice.holder, alice.ids["secret"], value=f"a {new} kept", now=utc_now())
    assert not isinstance(fixed, Refused)
    person = naming.name(alice.holder, EntityKind.PERSON, name, utc_now())
    linking.draw(alice.holder, EdgeKind.ABOUT, alice.ids["secret"], person.entity_id, utc_now())
    linking.draw(alice.holder, EdgeKind.RELATES_TO, alice.ids["kitchen"], alice.ids["secret"], utc_now())
    return [label, subject, old, new, name]


def stay(vault: Vault) -> None:
    assert not isinstance(memories.mark(vault.holder, vault.ids["secret"], utc_now(), local_only=True), Refused)


def over_rest(by: Assistant, old: str) -> Iterator[Any]:
    """Every answer that a client may get about memories, as it came over the wire."""
    http, vault = Http(by.key), by.vault
    both = [vault.mem("kitchen"), vault.mem("secret")]
    once = {"Idempotency_Key": secrets.token_hex(8)}
    yield http.send("GET", "subjects")
    yield http.send("POST", "access-requests", {"items": [{"memory": both[1]}], "purpose": "meal_planning"})
    yield http.send("POST", "reads", {"memories": both, "purpose": "meal_planning"}, **once)
    yield http.send("POST", "reads", {"memories": both, "purpose": "meal_planning"}, **once)
    once = {"Idempotency_Key": secrets.token_hex(8)}
    yield http.send("POST", "check", {"texts": [f"It was a {old.upper()} kept."], "purpose": "meal_planning"}, **once)
    sent = {"directive": "correct", "target": both[1], "value": canary(), "derived_from": []}
    yield http.send("POST", "proposals", sent)
    yield http.send("POST", "proposals", {"directive": "erase", "target": both[1]})
    yield http.send("POST", "proposals/route", {"text": "Actually my secret is a bowl.", "derived_from": []})
    for path in ("proposals", "receipts", "grants", "me"):
        yield http.send("GET", path)


def over_mcp(by: Assistant, server: str) -> Iterator[Any]:
    tools = McpClient(f"{server}/mcp/{typed('vlt', by.vault.id)}", by.key)
    both = [by.vault.mem("kitchen"), by.vault.mem("secret")]
    for tool, sent in (
        ("list_subjects", {}),
        ("request_access", {"memories": both, "purpose": "meal_planning"}),
        ("read_memories", {"memories": both, "purpose": "meal_planning"}),
        ("propose_memory", {"directive": "erase", "target": both[1]}),
    ):
        got = tools.run(lambda client, tool=tool, sent=sent: client.call_tool(tool, sent))
        yield [each.text for each in got.content]


@pytest.mark.parametrize("granted", [False, True])
def test_no_client_elsewhere_is_told_a_word_of_it(
    alice: Vault, cook: Assistant, clinic: Assistant, secret: list[str], server: str, granted: bool
) -> None:
    if granted:
        give(cook, "kitchen", "secret")
        give(clinic, "kitchen", "secret")
    heard = json.dumps([each.content.decode() for each in over_rest(cook, secret[2])]).lower()
    assert [each for each in secret if each.lower() in heard][: 5 if granted else 2], "it would have been noticed"
    stay(alice)
    told = [each.content.decode() for each in over_rest(clinic, secret[2])] + list(map(str, over_mcp(clinic, server)))
    assert not [each for each in secret for answer in told if each.lower() in answer.lower()]


def test_a_model_elsewhere_neither_before_nor_after_the_question(
    alice: Vault,
    secret: list[str],
    model: openai.Model,  # noqa: F811
) -> None:
    stay(alice)
    asked = turns.ask(alice.holder, "What is my secret, and what can I cook?", utc_now())
    chosen = frozenset(each.memory_id for each in turns.card(alice.holder, asked).ordinary)
    turns.decide(alice.holder, asked.turn_id, ordinary=chosen | {alice.ids["secret"]}, now=utc_now())
    list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    said = json.dumps([model.prompts, model.scopes]).lower()
    assert model.prompts and not [each for each in secret if each.lower() in said]
