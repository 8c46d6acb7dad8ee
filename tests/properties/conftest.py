"""The cast, the surfaces a property is held against, and a model endpoint."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from apps.policy.types import Holder
from tests import drivers
from tests.cast import admin, alice, clinic, cook, mallory  # noqa: F401  (fixtures)
from tests.drivers import ClientDriver, HolderDriver
from tests.inside import InsideClient, InsideHolder
from tests.peers import openai


@dataclass(frozen=True)
class Surface:
    """A road to the product: how a client takes it (by its key), and how the holder does."""

    name: str
    client: Callable[[str], ClientDriver]
    holder: Callable[[Holder], HolderDriver]


SURFACES = [
    Surface("services", InsideClient, InsideHolder),
    Surface("REST", drivers.ApiClient, drivers.ApiHolder),
]
if hasattr(drivers, "McpClient") and hasattr(drivers, "WebHolder"):
    SURFACES.append(Surface("MCP and web", drivers.McpClient, drivers.WebHolder))


@pytest.fixture(params=SURFACES, ids=lambda surface: surface.name)
def surface(request: Any) -> Surface:
    """Each road in turn."""
    found: Surface = request.param
    return found


@pytest.fixture
def model(settings: Any) -> Iterator[openai.Model]:
    """A model endpoint that the chat is configured to use."""
    with openai.model() as served:
        settings.LLM_BASE_URL, settings.LLM_MODEL = served.url, "parrot-1"
        settings.LLM_TIMEOUT_SECONDS = 5
        yield served
