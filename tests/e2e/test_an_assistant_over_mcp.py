"""An assistant with the official MCP client against the real web process; the holder decides in a real browser."""

import re
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from queue import Queue
from typing import Any

import httpx2
import mcp
import pytest
from mcp.types import ElicitRequestURLParams, ElicitResult
from playwright.sync_api import Page, expect

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.turns.management import casa_m
from tests.drivers import McpClient
from tests.e2e.conftest import Ines
from vault.clock import utc_now

pytestmark = pytest.mark.e2e

ERAS = ["2026-07-28", "legacy"]
PAN = "One 24 cm frying pan, one pot, no oven"
PATIENCE_SECONDS = 30
ALLOW = re.compile("^Allow")


class Assistant(McpClient):
    """The client on a thread of its own: the browser's driver keeps an event loop in the test's."""

    def run(self, deed: Callable[[mcp.Client], Awaitable[Any]], **options: Any) -> Any:
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(super().run, deed, **options).result()


@pytest.fixture
def key(ines: Ines) -> str:
    return access.register(ines.holder, name="Planner", now=utc_now())[1]


@pytest.fixture
def address(ines: Ines, site: str) -> str:
    """Where the vault is over MCP."""
    return f"{site}/mcp/{typed('vlt', ines.holder.vault_id)}"


@pytest.mark.parametrize("era", ERAS)
def test_ask_wait_read_cite_and_be_stopped(
    open_browser: Callable[..., Page], ines: Ines, key: str, address: str, era: str
) -> None:
    assistant, page = Assistant(address, key, era), open_browser()
    kitchen = next(each.memory for each in assistant.subjects() if each.label == "Kitchen equipment")
    assert assistant.read([kitchen]).withheld == {kitchen: "grant-required"}
    asked = assistant.call("request_access", memories=[kitchen], purpose="meal_planning", purpose_note="Dinner")
    assert (asked["status"], asked["next"]["tool"], asked["grants"]) == ("pending", "check_request", [])
    assert assistant.check(asked["request_id"]).status == "pending"
    assert assistant.read([kitchen]).withheld == {kitchen: "grant-pending"}

    page.goto(asked["holder_url"])
    expect(page.get_by_role("heading", level=1)).to_have_text("Planner asks to plan meals")
    page.locator("summary", has_text="Change time or reads").click()
    page.get_by_label("How long").select_option("for a day")
    page.get_by_role("button", name=ALLOW).click()
    expect(page.get_by_text("Done. You can close this.")).to_be_visible()

    told = assistant.call("check_request", request_id=asked["request_id"])
    assert (told["status"], [each["memories"] for each in told["grants"]]) == ("granted", [[kitchen]])
    read = assistant.read([kitchen])
    assert (read.values, read.withheld) == ({kitchen: PAN}, {})
    receipt = assistant.receipt(read.receipt)
    assert (receipt.kind, receipt.memory) == ("value.read", kitchen)
    page.goto(f"/receipts/{read.receipt}")  # the holder sees the same line
    expect(page.locator(".receipt")).to_contain_text("Kitchen equipment")
    expect(page.locator(".receipt")).to_contain_text("Planner")

    page.goto("/grants")
    page.locator("li", has_text="Kitchen equipment").get_by_role("button", name=re.compile("^Stop")).click()
    expect(page.get_by_text("Stopped. No further reads.")).to_be_visible()
    after = assistant.read([kitchen])
    assert (after.handed, after.withheld) == ((), {kitchen: "grant-ended"})
    refusal = assistant.receipt(after.receipt)
    assert (refusal.kind, refusal.reason) == ("value.refused", "grant-ended")


@pytest.mark.parametrize("era", ERAS)
def test_a_special_category_is_pending_alike_whether_or_not_it_is_there(
    open_browser: Callable[..., Page], ines: Ines, key: str, address: str, era: str
) -> None:
    assistant, page = Assistant(address, key, era), open_browser()
    thyroid = next(each for each in memories.memories(ines.holder) if each.label == "Thyroid tablets")
    there, absent = (
        assistant.call("request_access", categories=[name], purpose="care") for name in ("health", "genetic")
    )

    def anonymous(told: dict[str, Any], name: str) -> str:
        return str(told).replace(told["request_id"], "req").replace(name, "category")

    assert there["status"] == "pending"
    assert anonymous(there, "health") == anonymous(absent, "genetic")
    told = {
        name: assistant.call("check_request", request_id=each["request_id"])
        for name, each in (("health", there), ("genetic", absent))
    }
    assert anonymous(told["health"], "health") == anonymous(told["genetic"], "genetic")
    assert not [each for each in assistant.subjects() if each.category != "ordinary"]

    page.goto(absent["holder_url"])
    expect(page.locator(".protected")).to_contain_text("Nothing of this kind is kept")
    expect(page.get_by_role("button", name=ALLOW)).to_have_count(0)
    page.get_by_role("button", name="Don’t allow").click()
    expect(page.get_by_text("Done. You can close this.")).to_be_visible()
    page.goto(there["holder_url"])
    page.get_by_label("Thyroid tablets").check()
    page.locator(".protected").get_by_role("button", name=ALLOW).click()
    expect(page.get_by_text("Done. You can close this.")).to_be_visible()

    assert assistant.check(absent["request_id"]).status == "denied"
    assert assistant.check(there["request_id"]).status == "granted"
    named = [(each.memory, each.label) for each in assistant.subjects() if each.category == "health"]
    assert named == [(typed("mem", thyroid.memory_id), "A health memory")]
    read = assistant.read([named[0][0]], purpose="care")
    assert list(read.values.values()) == [next(e.value for e in casa_m.MEMORIES if e.label == "Thyroid tablets")]


def test_an_assistant_that_can_show_an_address_learns_the_decision_in_the_same_call(
    open_browser: Callable[..., Page], key: str, address: str
) -> None:
    assistant, page = Assistant(address, key), open_browser()
    kitchen = next(each.memory for each in assistant.subjects() if each.label == "Kitchen equipment")
    shown: Queue[str] = Queue()
    decided: Queue[bool] = Queue()

    async def show(_: Any, params: Any) -> ElicitResult:
        assert isinstance(params, ElicitRequestURLParams)
        shown.put(params.url)
        decided.get(timeout=PATIENCE_SECONDS)  # the person is at the page meanwhile
        return ElicitResult(action="accept")

    def ask(sdk: mcp.Client) -> Any:
        return sdk.call_tool("request_access", {"purpose": "meal_planning", "memories": [kitchen]})

    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(McpClient(address, key).run, ask, elicitation_callback=show)
        page.goto(shown.get(timeout=PATIENCE_SECONDS))
        page.get_by_role("button", name=ALLOW).click()
        expect(page.get_by_text("Done. You can close this.")).to_be_visible()
        decided.put(True)
        told = call.result(PATIENCE_SECONDS).structured_content
    assert told["status"] == "granted"
    assert assistant.read([kitchen]).values == {kitchen: PAN}
    assert assistant.read([kitchen]).withheld == {kitchen: "grant-spent"}  # Allow gives one read


@pytest.mark.parametrize("era", ERAS)
def test_the_key_of_another_vault_opens_nothing(key: str, address: str, era: str) -> None:
    stranger = casa_m.person(f"{key[-12:].lower()}@elsewhere.example", None, utc_now())
    other = casa_m.cookbot(stranger, utc_now())[1]
    for wrong in (other, "mnk_nothing"):
        assert httpx2.post(address, headers={"Authorization": f"Bearer {wrong}"}, json={}).status_code == 401
        with pytest.raises(mcp.MCPError, match="error response"):
            Assistant(address, wrong, era).subjects()
    assert Assistant(address, key, era).subjects()
