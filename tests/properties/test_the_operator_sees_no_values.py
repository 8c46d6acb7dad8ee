"""The operator sees no values: not on the console, in a log, in a backup, in a cache, in the directory or in an error.

Protects the holder from whoever runs the server, and the operator from having to know.
"""

import base64
import logging
import re
import secrets
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import caches
from django.test import Client as DjangoClient

from apps.access import services as access
from apps.holders import services as holders
from apps.memories import services as memories
from apps.turns import services as turns
from apps.web import urls as web
from tests.cast import QUESTION, Assistant, Vault, canary, give
from tests.drivers import ApiClient, ApiHolder
from tests.gate.test_the_index_says_ids_and_ranks import BACKUP, dump
from tests.peers import openai
from tests.properties.conftest import Surface, over_mcp
from tests.properties.test_a_read_that_cannot_be_stamped_does_not_happen import WAYS, broken
from vault.clock import utc_now


@pytest.fixture
def olga(live: None) -> DjangoClient:
    """Signed in to the console, with every right it knows."""
    user = get_user_model().objects.create_superuser(f"olga-{secrets.token_hex(6)}@house.example", None)
    browser = DjangoClient(raise_request_exception=False)
    browser.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return browser


@pytest.fixture
def lived(alice: Vault, cook: Assistant, model: openai.Model, server: str) -> list[str]:
    """A day in the life of a vault, on every surface. Returns all that was confidential in it."""
    give(cook, "kitchen", "budget")
    give(cook, "pills")
    for client in (ApiClient(cook.key), over_mcp(server).client(cook)):
        client.read([alice.mem("kitchen"), alice.mem("budget")])
        client.read([alice.mem("pills")])
        client.read([alice.mem("friday")])
        client.subjects()
    holder = ApiHolder(alice.holder)
    question = f"{QUESTION} And {canary()}?"
    asked = holder.ask_turn(question)
    assert asked
    specials = {alice.mem("pills"), alice.mem("friday")}
    answered = holder.decide_turn(asked.turn, [each for each in asked.offered if each not in specials])
    assert answered
    assert holder.without(answered.turn, alice.mem("kitchen"))
    holder.show([alice.mem(name) for name in alice.ids])
    suggested, corrected = canary(), canary()
    assert ApiClient(cook.key).propose("City", suggested)
    assert memories.correct(alice.holder, alice.ids["time"], value=corrected, now=utc_now())
    return [*alice.secrets, suggested, corrected, question, question.split()[-1].strip("?"), cook.key]


def spellings(secret: str) -> Iterator[str]:
    """A secret as it might be written down."""
    raw = secret.encode()
    yield from (secret, raw.hex(), base64.b64encode(raw).decode().rstrip("="), raw.decode("latin-1"))


def found(in_: str, confidential: list[str]) -> list[str]:
    """What of the confidential stands in a text, however it is spelled."""
    return [secret for secret in confidential if any(each in in_ for each in spellings(secret))]


def values_only(vault: Vault, confidential: list[str]) -> list[str]:
    """Without the private labels, which the database holds in clear: see what we do not promise."""
    private = {each.label for each in memories.memories(vault.holder)}
    return [each for each in confidential if each not in private]


def test_the_console_shows_counts_and_nothing_of_anybody_s(
    alice: Vault, lived: list[str], olga: DjangoClient, settings: Any
) -> None:
    seen, waiting = set(), ["/console/"]
    while waiting:
        path = waiting.pop()
        seen.add(path)
        page = olga.get(path)
        text = page.content.decode()
        assert found(text, lived) == [], path
        assert not [label for label in alice.labels.values() if label in text], path
        assert not re.search(rf"{alice.id.hex}|{alice.holder.user_id.hex}", text)
        waiting += [each for each in re.findall(r'href="(/console/[^"#?]*)"', text) if each not in seen]
    assert seen, "there is a console"


def test_every_page_of_a_holder_is_closed_to_the_operator(alice: Vault, lived: list[str], olga: DjangoClient) -> None:
    ids = {"mem": alice.mem("kitchen")}
    for page in web.urlpatterns:
        path = "/" + re.sub(r"<(\w+):\w+>", lambda m: ids.get(m[1], f"{m[1]}_{'0' * 31}1"), str(page.pattern))
        for answer in (olga.get(path), olga.post(path)):
            text = answer.content.decode(errors="replace")  # a program may be taken away here too
            assert found(text, lived) == [], path
            assert not [label for label in alice.labels.values() if label in text], path
    for route in ("memories", "grants", "receipts", "subjects", "clients", "me"):
        assert olga.get(f"/api/v1/{route}").status_code in (401, 403)


def test_nothing_of_it_is_in_a_log(
    alice: Vault, cook: Assistant, caplog: pytest.LogCaptureFixture, request: pytest.FixtureRequest
) -> None:
    caplog.set_level(logging.DEBUG)
    lived: list[str] = request.getfixturevalue("lived")
    assert caplog.records
    assert found(caplog.text, lived) == []
    assert not [record for record in caplog.records if found(repr(record.args), lived)]


@pytest.mark.parametrize("way", list(WAYS))
def test_nothing_of_it_is_in_an_error(
    alice: Vault, cook: Assistant, admin: Any, near: Surface, way: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A database's message may quote a row; ours may not."""
    caplog.set_level(logging.DEBUG)
    give(cook, "kitchen")
    with broken(admin, way):
        try:
            answer = repr(near.client(cook).read([alice.mem("kitchen")]))
        except Exception as error:
            answer = repr(error) + repr(error.__cause__)
        try:
            answer += repr(near.holder(alice.holder).add(alice.labels["pills"], alice.values["pills"]))
        except Exception as error:
            answer += repr(error) + repr(error.__cause__)
    assert found(caplog.text + answer, values_only(alice, alice.secrets)) == []


def test_a_backup_holds_no_value(alice: Vault, lived: list[str]) -> None:
    backup = dump("admin", *BACKUP)
    assert (backup.returncode, backup.stderr) == (0, "")
    assert str(alice.ids["kitchen"]) in backup.stdout, "it is a backup of this vault"
    assert found(backup.stdout, values_only(alice, lived)) == []


def test_the_whole_database_holds_no_value(alice: Vault, lived: list[str]) -> None:
    """Search index, sessions, handles and conversations included."""
    whole = dump("postgres").stdout
    assert "search_term" in whole
    assert found(whole, values_only(alice, lived)) == []


def test_no_cache_holds_a_value_or_a_label(alice: Vault, lived: list[str]) -> None:
    cache: Any = caches["default"]
    client = cache._cache.get_client()
    for key in client.scan_iter(count=1000):
        kept = client.get(key) if client.type(key) == b"string" else b""
        text = (key + (kept or b"")).decode("latin-1")
        assert found(text, [*lived, *alice.labels.values()]) == []


def test_the_directory_says_which_vault_and_not_whose(alice: Vault, cook: Assistant, admin: Any) -> None:
    rows = admin.execute("SELECT * FROM directory WHERE vault_id = %s", [alice.id]).fetchall()
    assert rows
    for row in rows:
        assert cook.key not in repr(row) and cook.key.encode() not in bytes(row[0])
        assert alice.holder.name not in repr(row) and alice.holder.user_id not in row
    assert holders.vault_of(bytes(rows[0][0])) == alice.id, "the control: it leads there"


def test_a_key_is_shown_once_and_kept_by_its_hash(alice: Vault, cook: Assistant) -> None:
    assert cook.key not in repr([access.clients(alice.holder), access.keys(alice.holder)])
    assert cook.key not in dump("postgres").stdout


def test_the_operator_who_becomes_the_holder_leaves_a_trace(alice: Vault) -> None:
    """Nothing keeps an operator from signing in as somebody; what was looked at is then on the record."""
    shown = ApiHolder(alice.holder).show([alice.mem("pills")])
    assert shown == {alice.mem("pills"): alice.values["pills"]}
    assert [each.memory_id for each in alice.receipts(kind="value.shown")] == [alice.ids["pills"]]


def test_a_task_s_message_carries_ids_only(alice: Vault, admin: Any) -> None:
    """What waits in the broker is found by id; no value and no label travels there."""
    admin.execute("DELETE FROM sealed.search_doc WHERE vault_id = %s", [alice.id])
    due = memories.due_for_index(10_000)
    assert set(due[alice.id]) >= {alice.ids["kitchen"]}
    assert found(repr(due), alice.secrets) == []
    assert turns.recent(alice.holder) == ()
