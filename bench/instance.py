"""A Muniment of its own for a measurement: a new database, migrated, and a web process on a free port.

Needs the servers' environment (`python -m ops exec --state bench -- …`).
"""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2

from ops.bootstrap import bootstrap, drop_database

ROOT = Path(__file__).resolve().parent.parent
URLS = ("MUNIMENT_DB_APP_URL", "MUNIMENT_DB_GATE_URL", "MUNIMENT_DB_OWNER_URL")


@dataclass(frozen=True, slots=True)
class Instance:
    """A running web process. `env` is what it was started with."""

    url: str
    env: Mapping[str, str]
    database: str


@contextmanager
def instance(name: str, *, settings: str = "vault.settings", **extra: str) -> Iterator[Instance]:
    """A fresh database `muniment_bench_<name>` and a server on it; both go when the block is left."""
    database = f"muniment_bench_{name}"
    admin = urlsplit(os.environ["DATABASE_URL"])._replace(path="/postgres").geturl()
    port = free_port()
    env = {
        **os.environ,
        **{each: urlsplit(os.environ[each])._replace(path=f"/{database}").geturl() for each in URLS},
        "DJANGO_SETTINGS_MODULE": settings,
        "MUNIMENT_PUBLIC_URL": f"http://localhost:{port}",
        "MUNIMENT_DB_POOL": "true",
        "MUNIMENT_READS_PER_MINUTE": "1000000",
        "PYTHONPATH": str(ROOT),
        **extra,
    }
    drop_database(admin, database)
    bootstrap(admin, database, {})
    for command in (
        ["migrate", "--database", "owner", "-v", "0"],
        ["install_ticket_key"],
        ["collectstatic", "--noinput", "-v", "0"],
    ):
        subprocess.run(
            [sys.executable, "manage.py", *command], cwd=ROOT, env=env, check=True, stdout=subprocess.DEVNULL
        )
    web = subprocess.Popen(
        [sys.executable, "-m", "uvicorn", "vault.asgi:application", "--port", str(port), "--log-level", "warning"],
        cwd=ROOT,
        env=env,
    )
    try:
        url = f"http://localhost:{port}"
        wait_for(f"{url}/healthz", web)
        yield Instance(url, env, database)
    finally:
        web.terminate()
        web.wait(20)
        drop_database(admin, database)


def wait_for(url: str, process: subprocess.Popen[bytes], seconds: float = 60) -> None:
    """Until `url` answers 200. Raises RuntimeError when the process ended or the time is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            if httpx2.get(url, timeout=2).status_code == 200:
                return
        except httpx2.HTTPError:
            pass
        time.sleep(0.1)
    raise RuntimeError(f"{url} did not come up")


def free_port() -> int:
    """A port nobody listens on now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


class Holder:
    """A person at the REST surface: signed up through the pages, then session and CSRF."""

    def __init__(self, url: str, email: str) -> None:
        self.http = httpx2.Client(base_url=url, timeout=60, follow_redirects=True)
        self.http.get("/accounts/signup/").raise_for_status()
        form = {"email": email, "password1": "three-measured-words-91", "csrfmiddlewaretoken": self.token}
        answer = self.http.post("/accounts/signup/", data=form, headers={"Referer": f"{url}/accounts/signup/"})
        answer.raise_for_status()
        self.call("GET", "/me")

    @property
    def token(self) -> str:
        return self.http.cookies["csrftoken"]

    def call(self, method: str, path: str, headers: Mapping[str, str] | None = None, **body: object) -> dict[str, Any]:
        """One request of /api/v1; the JSON of a 2xx. Raises RuntimeError with the problem otherwise."""
        answer = self.http.request(
            method,
            f"/api/v1{path}",
            headers={"X-CSRFToken": self.token, "Referer": str(self.http.base_url), **(headers or {})},
            **({"json": body} if body else {}),
        )
        if answer.status_code >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text[:300]}")
        return dict(answer.json())
