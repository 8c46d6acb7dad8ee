"""A browser in front of the real web process: Debian's Chromium, uvicorn in a process of its own, nothing faked."""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from apps.access import services as access
from apps.policy.types import Caller, Holder
from apps.turns.management import casa_m
from vault.clock import utc_now

ROOT = Path(__file__).resolve().parent.parent.parent
NAMES = ("chromium", "chromium-browser", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)
READY_SECONDS = 60
CUT = ("net::ERR_FAILED", "Failed to fetch")  # what a browser says of a line that the test itself cut
expect.set_options(timeout=20_000)


@dataclass(frozen=True)
class Ines:
    """The demo's person, new for each test, with her eight memories and Cookbot."""

    holder: Holder
    email: str
    password: str
    session: str
    caller: Caller


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The distribution's Chromium; without one these tests are left out, and say so.

    Playwright keeps an event loop in this thread as long as it lives. Django would refuse its database there, and
    other tests could not start loops of their own: so it lives for a module at most.
    """
    path = os.environ.get("MUNIMENT_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if not path:
        pytest.skip("there is no Chromium: install it with apt-get install chromium, or set MUNIMENT_CHROMIUM")
    with sync_playwright() as playwright, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The web process on a free port, on this test's database: its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://localhost:{port}"
    state = tmp_path_factory.mktemp("state")
    env = {**os.environ, "MUNIMENT_STATE_DIR": str(state), "MUNIMENT_PUBLIC_URL": address, "MUNIMENT_DB_POOL": "true"}
    for role in ("APP", "GATE", "OWNER"):
        url = urlsplit(env[f"MUNIMENT_DB_{role}_URL"])
        env[f"MUNIMENT_DB_{role}_URL"] = url._replace(path=f"/{settings.DATABASES['default']['NAME']}").geturl()
    collect = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
    subprocess.run(collect, cwd=ROOT, env=env, check=True)
    log = (state / "web.log").open("wb")
    command = [sys.executable, "-m", "uvicorn", "vault.asgi:application", "--port", str(port), "--log-level", "warning"]
    web = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=subprocess.STDOUT)
    until = time.monotonic() + READY_SECONDS
    while not _answers(f"{address}/healthz"):
        assert web.poll() is None and time.monotonic() < until, (state / "web.log").read_text()
        time.sleep(0.1)
    yield address
    web.terminate()
    web.wait(timeout=20)
    log.close()


def _answers(url: str) -> bool:
    with suppress(OSError), urllib.request.urlopen(url, timeout=2) as response:
        return response.status == 200
    return False


@pytest.fixture
def ines(live: None, site: str) -> Ines:
    """A person with a file, signed in."""
    email, password, now = f"{secrets.token_hex(6)}@casa-m.example", secrets.token_hex(8), utc_now()
    holder = casa_m.person(email, password, now)
    _, key = casa_m.cookbot(holder, now)
    caller = access.authenticate(key, now)
    assert caller is not None
    client = Client()
    client.force_login(get_user_model().objects.get(pk=holder.user_id))
    return Ines(holder, email, password, client.cookies["sessionid"].value, caller)


@pytest.fixture
def open_browser(chromium: Browser, site: str, ines: Ines) -> Iterator[Callable[..., Page]]:
    """Open a browser window of Ines: `open_browser(width=360, dark=True, script=False, signed_in=True)`.

    Whatever the browser complains about (a script's error, a refused resource) fails the test.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def complain(said: ConsoleMessage) -> None:
        # What was sent again, or leads nowhere, is answered with a page and an error's status: on purpose.
        if not any(cut in said.text for cut in CUT) and not said.location["url"].endswith("/s"):
            complaints.append(said.text)

    def open_one(
        width: int = 1280, height: int = 900, dark: bool = False, script: bool = True, signed_in: bool = True
    ) -> Page:
        context = chromium.new_context(
            base_url=site,
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            java_script_enabled=script,
            reduced_motion="reduce",
        )
        contexts.append(context)
        if signed_in:
            context.add_cookies([{"name": "sessionid", "value": ines.session, "url": site}])
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complain(said) if said.type == "error" else None)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not complaints
