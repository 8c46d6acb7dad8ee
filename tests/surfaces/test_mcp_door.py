"""The mount: whose key opens which vault, which Host and Origin, and what a session id is worth."""

import http.client
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest

from apps.access import services as access
from apps.policy.ids import typed
from tests.fixtures import Household
from vault.clock import utc_now

CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


def post(address: str, path: str, body: Any = CALL, method: str = "POST", **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(str(urlsplit(address).netloc), timeout=30)
    sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, json.dumps(body), sent)
    response = connection.getresponse()
    response.body = response.read()  # type: ignore[attr-defined]
    connection.close()
    return response


def path_of(home: Household) -> str:
    return f"/mcp/{typed('vlt', home.holder.vault_id)}"


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def test_only_a_key_of_that_very_vault_opens_it(home: Household, server: str, settle: Callable[[], Household]) -> None:
    other = settle()
    unknown = f"/mcp/vlt_{uuid4().hex}"
    refused = [
        post(server, path_of(home)),
        post(server, path_of(home), **bearer("mnk_nothing")),
        post(server, path_of(home), **bearer(other.key)),
        post(server, path_of(home), Authorization=f"Basic {home.key}"),
        post(server, path_of(home) + "/", **bearer(home.key)),
        post(server, path_of(home).upper().replace("/MCP/VLT", "/mcp/vlt"), **bearer(home.key)),
        post(server, unknown, **bearer(home.key)),
        post(server, "/mcp/", **bearer(home.key)),
        post(server, path_of(home), Cookie=f"sessionid={uuid4().hex}"),
        post(server, path_of(home), Mcp_Session_Id=home.key),
    ]
    assert {each.status for each in refused} == {401}
    assert {each.headers["WWW-Authenticate"] for each in refused} == {'Bearer realm="muniment"'}
    assert len({each.body for each in refused}) == 1  # type: ignore[attr-defined]
    assert post(server, path_of(home), **bearer(home.key)).status == 200


def test_an_ended_key_opens_nothing(home: Household, server: str) -> None:
    access.revoke(home.holder, home.client.client_id, utc_now())
    assert post(server, path_of(home), **bearer(home.key)).status == 401


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "localhost.evil.example:80"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost:8000"}, 200),
        ({"Content-Type": "text/plain"}, 400),
        ({"Mcp-Session-Id": "deadbeef"}, 200),  # no sessions: an old id is nothing, and nothing is lost
    ],
)
def test_host_origin_and_the_rest(home: Household, server: str, headers: dict[str, str], status: int) -> None:
    assert post(server, path_of(home), **bearer(home.key), **headers).status == status


def test_a_body_of_a_mebibyte_is_too_large(home: Household, server: str) -> None:
    assert post(server, path_of(home), {"x": "y" * 2**20}, **bearer(home.key)).status == 413


def test_the_rest_of_the_address_is_djangos(server: str, live: None) -> None:
    assert json.loads(post(server, "/api/v1/me", method="GET").body)["code"] == "unauthenticated"  # type: ignore[attr-defined]
    assert post(server, "/healthz", method="GET").status == 200
