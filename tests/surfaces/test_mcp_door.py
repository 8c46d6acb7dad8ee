"""The mount: whose key opens which vault, which Host and Origin, and what a session id is worth."""

import http.client
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest

from apps.access import services as access
from apps.ledger import services as ledger
from apps.policy.ids import typed
from tests.fixtures import Household
from vault.clock import utc_now

CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


def post(address: str, path: str, body: Any = CALL, method: str = "POST", **headers: str) -> http.client.HTTPResponse:
    return post_bytes(address, path, json.dumps(body).encode(), method, **headers)


def post_bytes(address: str, path: str, body: bytes, method: str = "POST", **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(str(urlsplit(address).netloc), timeout=30)
    sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body, sent)
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


def call(tool: str, arguments: str) -> bytes:
    """A tools/call whose arguments are raw JSON, as a careless client writes it."""
    params = f'{{"name":"{tool}","arguments":{arguments}}}'
    return f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}'.encode()


@pytest.mark.parametrize(
    "body",
    [
        call("propose_memory", r'{"label":"a","value":"\ud83d"}'),
        call("propose_memory", r'{"label":"\u0000","value":"b"}'),
        call("propose_memory", r'{"\ud83d":"a"}'),
        call("propose_memory", '{"label":1,"value":["b"]}'),
        call("read_memories", '{"memories":"mem","purpose":{}}'),
        call("read_memories", r'{"memories":["\ud83d"],"purpose":"care"}'),
        call("read_memories", r'{"memories":["mem_1"],"purpose":"care","turn_id":"\ud83d"}'),
        call("get_receipt", r'{"turn_id":"\ud83d"}'),
        call("get_receipt", r'{"receipt_id":"rcp_٣"}'),
        call("approve_proposal", "{}"),
        call("list_subjects", "[]"),
        call("list_subjects", "[" * 5000),
        b"\xff",
        b"{}",
    ],
)
def test_careless_bodies_are_refused_and_break_nothing(
    home: Household, server: str, body: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    for era in ("2025-11-25", "2026-07-28"):
        sent = {"MCP-Protocol-Version": era, "Mcp-Method": "tools/call", **bearer(home.key)}
        response = post_bytes(server, path_of(home), body, **sent)
        assert response.status < 500
        if response.status == 200:
            told = json.loads(response.body)  # type: ignore[attr-defined]
            assert "error" in told or told["result"]["isError"]
            assert "server-error" not in str(told)
    assert "Traceback" not in caplog.text


def test_many_callers_at_once_never_cross(home: Household, server: str, settle: Callable[[], Household]) -> None:
    """Two vaults, eight threads, REST and MCP mixed on one running server: everybody gets their own."""
    homes = [home, settle()]
    for each in homes:
        wish = each.as_client().ask([each.kitchen])
        each.as_holder().decide(wish.request, {"ordinary": [each.kitchen]}, reads=None)

    def read(number: int) -> None:
        mine, other = homes[number % 2], homes[1 - number % 2]
        asked = {"memories": [mine.kitchen, other.kitchen], "purpose": "meal_planning"}
        if number % 4 < 2:
            sent = {"Idempotency-Key": uuid4().hex, **bearer(mine.key)}
            got = json.loads(post(server, "/api/v1/reads", asked, **sent).body)  # type: ignore[attr-defined]
        else:
            params = {"name": "read_memories", "arguments": asked}
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
            told = json.loads(post(server, path_of(mine), body, **bearer(mine.key)).body)  # type: ignore[attr-defined]
            got = told["result"]["structuredContent"]
        assert [each["memory"] for each in got["handed_over"]] == [mine.kitchen]
        assert [(each["memory"], each["problem"]) for each in got["withheld"]] == [(other.kitchen, "not-found")]

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(read, range(80)))
    for each in homes:
        rows = ledger.receipts(each.holder.vault_id, each.holder.actor, limit=200, kind="value.read")
        assert len(rows) == 40
        assert {row.actor for row in rows} == {f"cli_{each.client.client_id.hex}"}
        assert ledger.verify(each.holder.vault_id, each.holder.actor)
