"""A web process of a test's own, with settings of the test's own."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from tests.e2e.conftest import READY_SECONDS, ROOT, _answers


def free_port() -> int:
    """A loopback port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def web_process(state: Path, **more: str) -> Iterator[str]:
    """Uvicorn on a free port and on this test's database, with `more` in its environment: its public address."""
    port = free_port()
    address = f"http://localhost:{port}"
    env = {**os.environ, "MUNIMENT_STATE_DIR": str(state), "MUNIMENT_PUBLIC_URL": address, **more}
    for role in ("APP", "GATE", "OWNER"):
        url = urlsplit(env[f"MUNIMENT_DB_{role}_URL"])
        env[f"MUNIMENT_DB_{role}_URL"] = url._replace(path=f"/{settings.DATABASES['default']['NAME']}").geturl()
    collect = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
    subprocess.run(collect, cwd=ROOT, env=env, check=True)
    command = [sys.executable, "-m", "uvicorn", "vault.asgi:application", "--port", str(port), "--log-level", "warning"]
    with (state / "web.log").open("wb") as log:
        web = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=subprocess.STDOUT)
        try:
            until = time.monotonic() + READY_SECONDS
            while not _answers(f"{address}/healthz"):
                assert web.poll() is None and time.monotonic() < until, (state / "web.log").read_text()
                time.sleep(0.1)
            yield address
        finally:
            web.terminate()
            web.wait(timeout=20)
