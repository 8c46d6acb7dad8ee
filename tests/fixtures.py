"""Fixtures of the surfaces: a household with a file and a registered client, and the drivers."""

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import uvicorn
from django.conf import settings
from django.db import connections

from apps.access import services as access
from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.types import Client, Holder
from apps.policy.vocabulary import Category, Claim
from tests.drivers import ApiClient, ApiHolder, ClientDriver, HolderDriver, McpClient
from tests.pages import WebHolder
from vault.clock import utc_now


@dataclass(frozen=True, slots=True)
class Household:
    """One holder, what is in the file, and one client with its key. Memories by a short name."""

    holder: Holder
    client: Client
    key: str
    kitchen: str
    time: str
    budget: str  # attested
    insulin: str  # special: health

    def as_client(self) -> ApiClient:
        return ApiClient(self.key)

    def as_mcp(self, address: str, mode: str = "auto") -> McpClient:
        return McpClient(f"{address}/mcp/{typed('vlt', self.holder.vault_id)}", self.key, mode)

    def as_holder(self) -> ApiHolder:
        return ApiHolder(self.holder)


@pytest.fixture(scope="session")
def server(django_db_setup: None) -> Iterator[str]:
    """The real web process's application on a real port, in a thread: its address."""
    from vault.asgi import application

    for alias in connections:  # its threads end with their requests: like a pool, they keep no connection
        connections[alias].settings_dict["CONN_MAX_AGE"] = 0
    config = uvicorn.Config(application, host="127.0.0.1", port=0, log_config=None, access_log=False)
    web = uvicorn.Server(config)
    thread = threading.Thread(target=web.run, name="server")
    thread.start()
    while not web.started:
        time.sleep(0.01)
    port = web.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    web.should_exit = True
    thread.join()


@pytest.fixture(params=["REST", "MCP"])
def as_client(request: pytest.FixtureRequest) -> Callable[[Household], ClientDriver]:
    """Every surface a client has: a property that takes this is held against each."""
    if request.param == "REST":
        return Household.as_client
    address: str = request.getfixturevalue("server")
    return lambda home: home.as_mcp(address)


@pytest.fixture(params=["REST", "web"])
def as_holder(request: pytest.FixtureRequest) -> Callable[[Household], HolderDriver]:
    """Every surface the holder has."""
    return Household.as_holder if request.param == "REST" else lambda home: WebHolder(home.holder)


@pytest.fixture(scope="session", autouse=True)
def _static_root() -> None:
    """The server of static files warns about a missing folder, and a warning is an error here."""
    Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)


KITCHEN = "One 24 cm frying pan, one pot, no oven"
TIME = "Thirty minutes on weekdays"
BUDGET = "Sixty euros a week"
INSULIN = "Twelve units of insulin at breakfast"
VALUES = (KITCHEN, TIME, BUDGET, INSULIN)


def household() -> Household:
    """A new household."""
    now = utc_now()
    holder = holders.enrol(f"{secrets.token_hex(6)}@home.example", "Ines", None, space="Home")

    def keep(label: str, value: str, **more: object) -> str:
        return typed("mem", memories.add(holder, label=label, value=value, now=now, **more).memory_id)  # type: ignore[arg-type]

    client, key = access.register(holder, name="Cookbot", now=now)
    return Household(
        holder,
        client,
        key,
        keep("Kitchen equipment", KITCHEN),
        keep("Cooking time", TIME),
        keep("Grocery budget", BUDGET, claim=Claim.BUDGET),
        keep("Insulin at breakfast", INSULIN, category=Category.HEALTH),
    )


@pytest.fixture
def settle(live: None) -> Callable[[], Household]:
    """Make another household."""
    return household


@pytest.fixture
def home(settle: Callable[[], Household]) -> Household:
    """A household."""
    return settle()
