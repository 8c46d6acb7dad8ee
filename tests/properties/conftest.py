"""The cast, the surfaces a property is held against, and a model endpoint."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
from mcp.shared.exceptions import MCPError

from apps.policy.ids import typed
from apps.policy.types import Holder
from tests.cast import Assistant, admin, alice, clinic, cook, mallory  # noqa: F401  (fixtures)
from tests.clinics import bot, casa, leo  # noqa: F401  (fixtures)
from tests.drivers import ApiClient, ApiHolder, ClientDriver, HolderDriver, McpClient, No
from tests.fences import _statements_stay_in_their_place, _stores_return_facts  # noqa: F401  (fixtures)
from tests.inside import InsideClient, InsideHolder
from tests.pages import WebHolder
from tests.peers import openai


@dataclass(frozen=True)
class Surface:
    """A road to the product: how a client takes it, and how the holder does."""

    name: str
    client: Callable[[Assistant], ClientDriver]
    holder: Callable[[Holder], HolderDriver]


INSIDE = Surface("services", lambda by: InsideClient(by.key), InsideHolder)
REST = Surface("REST", lambda by: ApiClient(by.key), ApiHolder)


class Mcp(McpClient):
    """The SDK's client; where it is not let in, the door's answer, as the driver's vocabulary words it."""

    def call(self, tool: str, **arguments: Any) -> Any:
        try:
            return super().call(tool, **arguments)
        except (BaseExceptionGroup, MCPError):
            door = httpx2.post(self.url, json={}, headers={"Authorization": f"Bearer {self.key}"})
            if door.status_code == 401:
                return No("unauthenticated", 401)
            raise


def over_mcp(address: str) -> Surface:
    """MCP by the SDK's client, over a real port; the holder uses the pages."""
    return Surface("MCP", lambda by: Mcp(f"{address}/mcp/{typed('vlt', by.vault.id)}", by.key), WebHolder)


@pytest.fixture(params=["services", "REST", "MCP"], ids=["services", "REST", "MCP and web"])
def surface(request: Any) -> Surface:
    """Each road in turn."""
    if request.param == "MCP":
        return over_mcp(request.getfixturevalue("server"))
    return INSIDE if request.param == "services" else REST


WEB = Surface("web", lambda by: ApiClient(by.key), WebHolder)


@pytest.fixture(params=[INSIDE, REST, WEB], ids=lambda surface: surface.name)
def near(request: Any) -> Surface:
    """The roads whose work is done in the test's own thread, where its connections can be watched."""
    found: Surface = request.param
    return found


@pytest.fixture
def model(settings: Any) -> Iterator[openai.Model]:
    """A model endpoint that the chat is configured to use."""
    with openai.model() as served:
        settings.LLM_BASE_URL, settings.LLM_MODEL = served.url, "parrot-1"
        settings.LLM_TIMEOUT_SECONDS = 5
        yield served
