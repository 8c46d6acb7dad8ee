"""The six tools, over the official client, in both protocol eras."""

import json
import logging
from typing import Any
from uuid import uuid4

import mcp
import pytest
from mcp.types import ElicitRequestURLParams, ElicitResult

from apps.mcp import words
from apps.memories.services import APPROVER_ONLY
from apps.policy.vocabulary import Refusal
from tests.drivers import McpClient
from tests.fixtures import INSULIN, KITCHEN, VALUES, Household

ERAS = ["2026-07-28", "legacy"]
HINTS = {  # read-only, destructive, idempotent, open world
    "list_subjects": (True, False, True, False),
    "request_access": (False, False, True, False),
    "check_request": (True, False, True, False),
    "read_memories": (False, False, True, False),
    "propose_memory": (False, False, False, False),
    "get_receipt": (True, False, True, False),
}


@pytest.fixture
def client(home: Household, server: str) -> McpClient:
    return home.as_mcp(server)


@pytest.mark.parametrize("era", ERAS)
def test_ask_decide_read_cite(home: Household, server: str, era: str) -> None:
    client, holder = home.as_mcp(server, era), home.as_holder()
    assert {each.label for each in client.subjects()} == {"Kitchen equipment", "Cooking time", "Grocery budget"}
    wish = client.ask([home.kitchen, home.budget])
    assert wish.status == "pending"
    assert client.ask([home.kitchen, home.budget]).request == wish.request
    assert holder.decide(wish.request, {"ordinary": [home.kitchen, home.budget]}) == "granted"
    assert client.check(wish.request).status == "granted"
    read = client.read([home.kitchen, home.budget, home.time])
    assert read.values == {home.kitchen: KITCHEN, home.budget: None}
    assert read.withheld == {home.time: "grant-required"}
    assert client.receipt(read.receipt).kind == "value.read"


@pytest.mark.parametrize("era", ERAS)
def test_six_tools_with_every_hint_and_both_schemas(home: Household, server: str, era: str) -> None:
    async def tools(client: mcp.Client) -> Any:
        return await client.list_tools()

    listed = home.as_mcp(server, era).run(tools)
    found = {}
    for tool in listed.tools:
        note = tool.annotations
        found[tool.name] = (
            note.read_only_hint,
            note.destructive_hint,
            note.idempotent_hint,
            note.open_world_hint,
        )
        assert tool.output_schema["type"] == "object"
        assert tool.input_schema["additionalProperties"] is False
        assert tool.description
    assert found == HINTS
    assert list(found) == list(HINTS)
    if era != "legacy":
        assert (listed.cache_scope, listed.ttl_ms) == ("private", 300_000)


def test_pending_and_denied_are_answers(home: Household, client: McpClient) -> None:
    asked = client.call("request_access", memories=[home.kitchen], purpose="care")
    assert (asked["status"], asked["next"]) == ("pending", {"tool": "check_request", "after_seconds": 20})
    assert asked["holder_url"].endswith(f"/requests/{asked['request_id']}")
    assert "open the link" in asked["tell_the_user"]
    assert client.check(asked["request_id"]).status == "pending"
    slower = client.call("check_request", request_id=asked["request_id"])  # too soon: an answer all the same
    assert (slower["status"], slower["next"]["tool"]) == ("pending", "check_request")
    home.as_holder().decide(asked["request_id"], {"ordinary": []})
    assert client.check(asked["request_id"]).status == "denied"
    again = client.call("request_access", memories=[home.kitchen], purpose="care")
    assert (again["status"], again["request_id"]) == ("denied", None)
    assert again["cool_down_until"]


def test_a_special_category_is_asked_for_by_name_and_shown_by_its_neutral_label(
    home: Household, client: McpClient
) -> None:
    wish = client.ask(categories=["health"])
    assert wish.parts == {"special:health": "pending"}
    home.as_holder().decide(wish.request, {"special:health": [home.insulin]})
    assert [(each.label, each.category) for each in client.subjects() if each.memory == home.insulin] == [
        ("A health memory", "health")
    ]
    assert client.read([home.insulin]).values == {home.insulin: INSULIN}


def test_a_turn_is_read_once_and_cited(home: Household, client: McpClient) -> None:
    wish = client.ask([home.kitchen])
    home.as_holder().decide(wish.request, {"ordinary": [home.kitchen]}, reads=1)
    arguments = {"memories": [home.kitchen], "purpose": "meal_planning", "turn_id": "dinner 1"}
    first, again = client.call("read_memories", **arguments), client.call("read_memories", **arguments)
    assert (first["handed_over"][0]["value"], again["replayed"]) == (KITCHEN, True)
    cited = client.call("get_receipt", turn_id="dinner 1")["receipts"]
    assert [each["id"] for each in cited] == [first["receipt"]["id"]]
    assert cited[0]["turn"].startswith("trn_")
    assert client.call("get_receipt", turn_id="dinner 2").code == "not-found"


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "field"),
    [
        ("request_access", {"purpose": "care", "memories": [f"mem_{uuid4().hex}"]}, "not-found", "items/0"),
        ("request_access", {"purpose": "care", "memories": ["kitchen"]}, "validation", "memories"),
        ("request_access", {"purpose": "anything", "categories": ["health"]}, "validation", "purpose"),
        ("request_access", {"purpose": "care", "categories": ["ordinary"]}, "not-found", "items/0"),
        ("request_access", {"purpose": "care", "categories": ["health"], "max_reads": 0}, "validation", "max_reads"),
        ("request_access", {"categories": ["health"]}, "validation", "purpose"),
        ("request_access", {"purpose": "care", "categories": ["health"], "vault": "x"}, "validation", None),
        ("check_request", {"request_id": f"req_{uuid4().hex}"}, "not-found", None),
        ("check_request", {"request_id": "7"}, "validation", "request_id"),
        ("read_memories", {"memories": [], "purpose": "care"}, "validation", "memories"),
        ("propose_memory", {"label": "a\x00", "value": "b"}, "validation", "label"),
        ("propose_memory", {"label": "a", "value": " "}, "validation", "value"),
        ("propose_memory", {"label": "a", "value": "b", "category": "health"}, "field-not-allowed", "category"),
        ("propose_memory", {"label": "a", "value": "b", "as_of": "soon"}, "validation", "as_of"),
        ("propose_memory", {"label": "a", "value": "b", "turn_id": "never"}, "not-found", "turn_id"),
        ("get_receipt", {}, "validation", "receipt_id"),
        ("get_receipt", {"receipt_id": "rcp_1"}, "not-found", None),
    ],
)
def test_what_the_caller_can_change_is_an_error_that_says_so(
    client: McpClient, tool: str, arguments: dict[str, Any], code: str, field: str | None
) -> None:
    got = client.run(lambda sdk: sdk.call_tool(tool, arguments))
    told = json.loads(got.content[0].text)
    assert got.is_error
    assert (told["code"], told["field"]) == (code, field)
    assert told["detail"]


def test_the_words_cover_every_refusal() -> None:
    assert set(words.REFUSALS) == set(Refusal)
    for detail, who, then in words.REFUSALS.values():
        assert "{" not in detail
        assert who in ("client", "holder", "operator", None)
        assert then.tool in (None, *HINTS)


def test_a_client_that_can_open_an_address_is_asked_to(home: Household, client: McpClient) -> None:
    """URL elicitation: the request's address is shown, the holder decides there, the retry learns the outcome."""
    opened: list[str] = []

    async def show(_: Any, params: Any) -> ElicitResult:
        assert isinstance(params, ElicitRequestURLParams)
        opened.append(params.url)
        return ElicitResult(action="accept")

    def ask(sdk: mcp.Client) -> Any:
        return sdk.call_tool("request_access", {"purpose": "care", "memories": [home.kitchen]})

    got = client.run(ask, elicitation_callback=show)
    assert not got.is_error
    assert got.structured_content["status"] == "pending"  # "accept" means opened, not approved
    assert opened == [got.structured_content["holder_url"]]


def test_a_sealed_state_is_bound_to_client_and_arguments(home: Household, client: McpClient, server: str) -> None:
    arguments = {"purpose": "care", "memories": [home.kitchen]}

    async def first(sdk: mcp.Client) -> Any:
        return await sdk.session.call_tool("request_access", arguments, allow_input_required=True)

    async def ignored(_: Any, __: Any) -> ElicitResult:
        return ElicitResult(action="decline")

    asked = client.run(first, elicitation_callback=ignored)
    state = asked.request_state
    assert "req_" not in state

    def retry(with_state: str, **changed: Any) -> Any:
        async def again(sdk: mcp.Client) -> Any:
            return await sdk.session.call_tool("request_access", arguments | changed, request_state=with_state)

        return again

    assert client.run(retry(state)).structured_content["status"] == "pending"
    other = home.as_holder().http.call("POST", "clients", {"name": "Other"})
    stranger = McpClient(client.url, other["api_key"])
    for who, deed in (
        (stranger, retry(state)),
        (client, retry(state, purpose="travel")),
        (client, retry(state[:-4] + "AAAA")),
    ):
        with pytest.raises(Exception, match="requestState") as refused:
            who.run(deed)
        assert KITCHEN not in str(refused.value)


def test_the_resources(home: Household, client: McpClient) -> None:
    wish = client.ask([home.kitchen])
    home.as_holder().decide(wish.request, {"ordinary": [home.kitchen]})
    read = client.read([home.kitchen])

    def body(uri: str) -> Any:
        async def get(sdk: mcp.Client) -> Any:
            return await sdk.read_resource(uri)

        return json.loads(client.run(get).contents[0].text)

    assert {each["code"] for each in body("vault://policy")["refusals"]} == {reason.value for reason in Refusal}
    assert [each["memories"] for each in body("vault://grants")["grants"]] == [[home.kitchen]]
    assert body(f"vault://receipts/{read.receipt}")["kind"] == "value.read"
    with pytest.raises(Exception, match="nothing here"):
        body("vault://receipts/rcp_1")


def test_nothing_a_model_calls_logs_a_value(
    home: Household, client: McpClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", logger="mcp.server")
    caplog.set_level("DEBUG", logger="muniment")
    wish = client.ask([home.kitchen])
    home.as_holder().decide(wish.request, {"ordinary": [home.kitchen]})
    client.read([home.kitchen])
    client.propose("Spices", "No coriander at all")
    assert not any(value in caplog.text for value in (*VALUES, "coriander", home.key))
    assert not [each for each in logging.getLogger().handlers if "Rich" in type(each).__name__]


def test_an_unknown_argument_is_told_the_known_ones_and_not_the_approver_s(home: Household, client: McpClient) -> None:
    async def deed(session: mcp.Client) -> Any:
        return await session.call_tool("propose_memory", {"label": "City", "value": "Porto", "colour": "red"})

    told = client.run(deed)
    assert told.is_error
    said = json.dumps(told.structured_content) + "".join(getattr(each, "text", "") for each in told.content)
    assert "label" in said and "rationale" in said
    assert not [each for each in APPROVER_ONLY if each in said]
