"""On hold every surface says so in a sentence of its own, does nothing, and goes on showing the ledger."""

import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from apps.access.tasks import expire_requests
from apps.console.management import log
from apps.ledger import hold
from apps.ledger import services as ledger
from apps.memories.tasks import rebuild_indexes
from tests.cast import admin  # noqa: F401  (a fixture)
from tests.drivers import Http
from tests.fixtures import Household
from tests.surfaces.routes import ANYONE, CLIENT, REST, TOOLS, Scene
from tests.surfaces.test_every_route_and_tool_is_listed import scene_of
from tests.surfaces.web import browser, furnish, last_seq, text_of

REASON = "The database is of an earlier day: a test says so."


@pytest.fixture
def scene(home: Household) -> Scene:
    return scene_of(home)


@pytest.fixture
def held(scene: Scene, admin: psycopg.Connection[Any]) -> Iterator[None]:  # noqa: F811
    """A hold, taken away by the superuser in the end: the database is this whole process's."""
    hold.put(REASON, None)
    yield
    lift(admin)


def lift(admin: psycopg.Connection[Any]) -> None:  # noqa: F811
    admin.execute("SET session_replication_role = replica")
    admin.execute("DELETE FROM log.hold")
    admin.execute("UPDATE sealed.ticket_key SET held = false")
    admin.execute("SET session_replication_role = origin")


LOOKS = {"erasures/preview", "shares/preview"}  # labels alone: sent, so that no subject stands in an address
NO_VAULT_S = {"me/mail"}  # what a person wishes of letters is in no vault, and has no receipt


def count(admin: psycopg.Connection[Any]) -> Any:  # noqa: F811
    return admin.execute("SELECT count(*), (SELECT count(*) FROM sealed.handle) FROM receipt").fetchone()


def test_rest_does_nothing_and_shows_everything(
    scene: Scene,
    held: None,
    admin: psycopg.Connection[Any],  # noqa: F811
) -> None:
    before = count(admin)
    client, holder = Http(scene.home.key), Http(holder=scene.home.holder)
    for row in REST:
        call = row.call(scene)
        path = call.path or scene.path(row.template)
        response = (client if row.who in (CLIENT,) else holder).send(row.method, path, call.body, **call.headers)
        if row.method == "GET" or row.who is ANYONE or row.template in LOOKS | NO_VAULT_S:
            assert response.status_code == 200, (row.template, response.content)
            continue
        assert response.status_code == 503, (row.template, response.content)
        problem = response.json()
        assert (problem["code"], problem["who_can_fix"], problem["retryable"]) == ("on-hold", "operator", False)
        assert "until its operator has put its database right" in problem["detail"]
    assert count(admin) == before


def test_what_is_suggested_meanwhile_is_not_counted(
    scene: Scene,
    admin: psycopg.Connection[Any],  # noqa: F811
    settings: Any,
) -> None:
    settings.WISHES_PER_HOUR = 2
    client, body = Http(scene.home.key), {"label": "Pet", "value": "Rex", "derived_from": []}
    hold.put(REASON, None)
    try:
        assert [client.send("POST", "proposals", body).status_code for _ in range(4)] == [503] * 4
    finally:
        lift(admin)
    assert client.send("POST", "proposals", body).status_code == 201


def test_a_repeated_read_is_not_served_either(scene: Scene, admin: psycopg.Connection[Any]) -> None:  # noqa: F811
    client = scene.home.as_client()
    assert client.read([scene.home.kitchen], key="same").values
    before = count(admin)
    hold.put(REASON, None)
    try:
        refused = client.read([scene.home.kitchen], key="same")
        assert not refused and refused.code == "on-hold"
    finally:
        lift(admin)
    assert count(admin) == before


def test_the_tools_say_it(scene: Scene, held: None, server: str, admin: psycopg.Connection[Any]) -> None:  # noqa: F811
    before = count(admin)
    assistant = scene.home.as_mcp(server)
    said = {name: assistant.call(name, **arguments(scene)) for name, (_, arguments) in TOOLS.items()}
    for name in ("request_access", "read_memories", "propose_memory"):
        assert not said[name] and said[name].code == "on-hold", name
    assert said["list_subjects"]["subjects"] and said["get_receipt"]["receipts"] and said["check_request"]
    assert count(admin) == before


def test_pages_say_it_in_one_sentence_and_are_still_there(
    home: Household,
    admin: psycopg.Connection[Any],  # noqa: F811
    request: pytest.FixtureRequest,
) -> None:
    seen = furnish(home)
    client = browser(seen.holder)
    request.getfixturevalue("held")
    before = count(admin)
    deeds = {
        "/chat": {"question": "What is for dinner?"},
        f"/chat/{seen.offered}/decide": {"part": "ordinary", "do": "none"},
        f"/chat/{seen.answered}/without": {"memory": home.kitchen},
        "/file/add": {"label": "Tea", "value": "Green", "category": "ordinary"},
        "/file/show": {"memory": home.kitchen},
        f"/file/{home.kitchen}/put-away": {},
        "/inbox/show": {"proposal": seen.proposal},
        f"/inbox/{seen.proposal}/reject": {},
        f"/requests/{seen.wish}/decide": {"part": "ordinary", "do": "deny"},
        "/grants/register": {"name": "Another"},
    }
    for path, fields in deeds.items():
        response = client.post(path, fields)
        assert response.status_code == 503, path
        assert "Nothing was read, changed or handed over" in text_of(response), path
        assert REASON not in text_of(response), "why is the operator's to read"
    for path in seen.pages():
        assert client.get(path).status_code == 200, path
    signing_up = {"email": f"{secrets.token_hex(6)}@home.example", "password1": secrets.token_hex(12)}
    assert Client().post("/accounts/signup/", signing_up).status_code == 503
    assert count(admin) == before


SAID = "nothing is handed over and nothing is kept until whoever runs it has looked."


def test_every_page_says_it_before_anybody_presses_anything(home: Household, request: pytest.FixtureRequest) -> None:
    seen = furnish(home)
    client, stranger = browser(seen.holder), Client()
    files = ("/ledger.csv", f"/receipts/rcp_{last_seq(seen.holder)}.receipt.json")
    for_all = ("/verify", "/accounts/login/", "/accounts/signup/")
    pages = (*(path for path in seen.pages() if path not in files), "/you", "/help/what-we-cannot-do", *for_all[:1])
    assert not [path for path in pages if SAID in text_of(client.get(path))]
    assert not [path for path in for_all if SAID in text_of(stranger.get(path))]
    request.getfixturevalue("held")
    for path in pages:
        page = text_of(client.get(path))
        assert page.index(SAID) < page.index("<main"), path
        assert 'You can <a href="/ledger">read your ledger</a>' in page and REASON not in page, path
    for path in for_all:
        page = text_of(stranger.get(path))
        assert SAID in page and "read your ledger" not in page, path


def test_a_receipt_is_not_sure_of_its_place_in_the_log(
    home: Household, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    home.as_client().read([home.kitchen])
    last = f"/receipts/rcp_{last_seq(home.holder)}"
    client = browser(home.holder)
    ledger.publisher(tmp_path / "log_key", origin="vault.example/log").step(everything=True)
    home.as_client().read([home.time])
    waiting = f"/receipts/rcp_{last_seq(home.holder)}"
    assert "<h2>In the log</h2>" in text_of(client.get(last))
    assert "It is within a few seconds" in text_of(client.get(waiting))
    request.getfixturevalue("held")
    page = text_of(client.get(last))
    assert "In the log, as this database has it" in page and "may differ from what others hold of the log" in page
    page = text_of(client.get(waiting))
    assert "within a few seconds" not in page and "Nothing comes into it while" in page


def test_an_answer_that_would_be_streamed_is_refused_before_it_begins(
    home: Household,
    admin: psycopg.Connection[Any],  # noqa: F811
    request: pytest.FixtureRequest,
) -> None:
    seen = furnish(home)
    decided = home.as_holder().ask_turn("How is my cooking time?")
    request.getfixturevalue("held")
    before = count(admin)
    streaming = {"Accept": "text/event-stream"}
    page = browser(seen.holder).post(f"/chat/{decided.turn}/answer", headers=streaming)
    assert page.status_code == 503
    holder = Http(holder=seen.holder)
    sent = holder.send("POST", f"turns/{decided.turn}/decision", {"parts": [], "ordinary": []}, **streaming)
    assert sent.status_code in (422, 503)
    assert count(admin) == before


def test_readyz_the_console_and_the_doctor_say_it(scene: Scene, held: None) -> None:
    ready = Client().get("/readyz")
    assert (ready.status_code, ready.json()["status"]) == (200, "on hold"), "people may come to read"
    staff = get_user_model().objects.create_user(f"{secrets.token_hex(6)}@ops.example", None, is_staff=True)
    console = Client()
    console.force_login(staff)
    assert REASON in text_of(console.get("/console/"))
    (finding,) = log.hold()
    assert finding.level == "FAIL" and REASON in finding.says and "manage.py restored" in finding.fix


def test_jobs_wait(scene: Scene, held: None) -> None:
    assert (expire_requests(), rebuild_indexes()) == (0, 0)


def test_off_hold_nobody_says_anything(scene: Scene) -> None:
    assert Client().get("/readyz").json()["status"] == "ok"
    assert [finding.level for finding in log.hold()] == ["ok"]
    assert ledger.on_hold() is None
    assert json.dumps(scene.receipt)
