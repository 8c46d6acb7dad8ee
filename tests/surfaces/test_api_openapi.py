"""The OpenAPI document: true of every answer, whatever is sent; and its page, from our own files alone."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.contrib.staticfiles import finders
from django.core.handlers.wsgi import WSGIHandler
from hypothesis import Phase, given, settings
from pytest_django import DjangoDbBlocker
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.drivers import Http, signed_in
from tests.fixtures import VALUES
from tests.surfaces.routes import CLIENT, EITHER, REST, Route, Scene
from tests.surfaces.test_every_route_and_tool_is_listed import scene, standing  # noqa: F401  (fixtures)

TOKEN = "t" * 32
IDS = ("access_request", "receipt", "memory", "proposal", "turn", "grant", "code")
STREAMED = (  # held in test_api_turns, ledger_log/test_bundles, test_the_conversation_is_taken_away
    "/api/v1/turns/{turn}/stream",
    "/api/v1/ledger/bundle",
    "/api/v1/turns/file",
    "/api/v1/turns/{turn}/file",
)
TELLS = ("reads", "memories/show", "turns/<str:turn>", "turns/<str:turn>/decision", "turns/<str:turn>/without")
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture
def document(live: None) -> dict[str, Any]:
    found: dict[str, Any] = Http().call("GET", "openapi.json")
    return found


@pytest.fixture(scope="module")
def api(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Any:
    """The surface as its document describes it: read once, it is the same for everybody."""
    with django_db_blocker.unblock():
        return schemathesis.openapi.from_wsgi("/api/v1/openapi.json", WSGIHandler())


def refs(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        yield from ([node["$ref"]] if isinstance(node.get("$ref"), str) else [])
        for inner in node.values():
            yield from refs(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from refs(inner)


def test_the_document_is_openapi_3_1_and_whole(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1.")
    schemas = document["components"]["schemas"]
    assert {ref.rpartition("/")[2] for ref in refs(document["paths"])} <= set(schemas)
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            where = f"{method} {path}"
            assert operation["summary"], where
            assert operation["security"] or path.startswith("/api/v1/problems"), where
            for status, response in operation["responses"].items():
                kinds = set(response.get("content", {}))
                assert (kinds == {"application/problem+json"}) is (int(status) >= 400), where


def test_a_seat_there_is_none_of_is_described_wherever_one_may_be_named(document: dict[str, Any]) -> None:
    """What `Muniment-Seat` names on any call of a holder may be unknown."""
    found = [operation for path in document["paths"].values() for operation in path.values()]
    mine = [each for each in found if any("session" in way for way in each.get("security", ()))]
    assert len(mine) > 80
    assert not [each["operationId"] for each in mine if "404" not in each["responses"]]


def test_its_page_loads_our_files_alone(live: None) -> None:
    response = Http().send("GET", "docs")
    page = response.content.decode()
    assert response.status_code == 200
    addresses = re.findall(r"""(?:src|href|data-document)=["']([^"']+)["']""", page)
    assert addresses
    assert all(each.startswith(("/static/", "/api/v1/")) for each in addresses)
    assert all(finders.find(each.removeprefix("/static/")) for each in addresses if each.startswith("/static/"))
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|style=", page)  # nothing that the policy forbids
    assert "script-src 'self'" in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize("row", REST, ids=[f"{row.method} {row.template}" for row in REST])
def test_whatever_is_sent_the_answer_is_as_described(row: Route, api: Any, scene: Scene) -> None:  # noqa: F811
    """Random requests on real ids: no 500, a described status, type and shape; and no value where none is due."""
    path = "/api/v1/" + row.template.replace("<str:", "{").replace(">", "}")
    if path in STREAMED:
        return
    operation = api[path][row.method]
    by_key = row.who in (CLIENT, EITHER)
    browser = signed_in(scene.home.holder)
    headers = {"Authorization": f"Bearer {scene.home.key}"} if by_key else {"X-CSRFToken": TOKEN}
    cookies = {} if by_key else {"sessionid": browser.cookies["sessionid"].value, "csrftoken": TOKEN}
    ids = (scene.wish, scene.receipt, scene.home.kitchen, scene.proposal, scene.turn, scene.grant, "not-found")
    real = dict(zip(IDS, ids, strict=True))

    @settings(max_examples=8, deadline=None, derandomize=True, database=None, phases=[Phase.generate])
    @given(case=operation.as_strategy())
    def holds(case: Any) -> None:
        for name in case.path_parameters or {}:
            case.path_parameters[name] = real.get(name, case.path_parameters[name])
        if "Prefer" in (case.headers or {}):
            del case.headers["Prefer"]  # a random wait would be waited for
        response = case.call(headers=headers, cookies=cookies)
        case.validate_response(response, checks=CHECKS)
        assert row.template in TELLS or not any(value in response.text for value in VALUES)

    holds()
