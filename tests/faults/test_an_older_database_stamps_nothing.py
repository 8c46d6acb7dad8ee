"""A backup that is put in place of a database which has gone on: the next start holds it before its first stamp, people
may still read, and it goes on only under another name. The real programs, the documented commands, a real backup.
"""

import json
import re
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.ops.conftest import ROOT, Checkout, checkout, until  # noqa: F401  (a fixture)
from tests.ops.test_run import end, free_port, page, size_of_log

BACKUP = "MUNIMENT_BACKUP_PASSPHRASE='correct horse battery staple' python manage.py backup older"
RESTORE = "MUNIMENT_BACKUP_PASSPHRASE='correct horse battery staple' python manage.py restore --over older/*.data.age"
COUNT = """import os, psycopg
with psycopg.connect(os.environ["MUNIMENT_DB_ADMIN_URL"]) as admin:
    print(admin.execute("SELECT count(*), (SELECT count(*) FROM sealed.handle) FROM receipt").fetchone())
"""
AT_WORK = 8.0  # seconds in which beat and worker have tried what is due, such as the index that no backup holds


@contextmanager
def running(there: Checkout, port: str) -> Iterator["subprocess.Popen[bytes]"]:
    """`make run`; what goes wrong inside ends it."""
    with there.start("run", MUNIMENT_PORT=port) as boss:
        try:
            yield boss
        finally:
            if boss.poll() is None:
                boss.terminate()


def within(there: Checkout, *words: str) -> str:
    """What a command says in the checkout's environment; it must succeed."""
    done = there.ops("exec", "--", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def receipts(counted: str) -> int:
    """How many receipts COUNT has found."""
    return int(counted.strip("(").split(",")[0])


def answer(port: str, path: str) -> Any:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as response:
        return response.read()


def test_it_is_held_before_the_first_stamp_and_goes_on_under_another_name(checkout: Checkout) -> None:  # noqa: F811
    for name in ("apps", "vault", "client"):
        unwanted = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, checkout.folder / name, ignore=unwanted, dirs_exist_ok=True)
    (checkout.folder / "requirements").mkdir()
    for name in ("manage.py", "requirements/runtime.txt", "LICENSE"):
        shutil.copy(ROOT / name, checkout.folder / name)
    said, port = checkout.folder / ".run" / "said", free_port()

    with running(checkout, port) as boss:
        until(lambda: "Muniment is at" in said.read_text() or boss.poll() is not None, 240, "no address was printed")
        assert boss.poll() is None, said.read_text()
        until(lambda: size_of_log(port) > 0, 30)
        within(checkout, "sh", "-c", BACKUP)
        older, before = within(checkout, "python", "-c", COUNT), size_of_log(port)
        within(checkout, "python", "manage.py", "demo")
        until(lambda: size_of_log(port) > before, 30, "the log did not go on")
        assert within(checkout, "python", "-c", COUNT) != older
        end(boss)

    told = within(checkout, "sh", "-c", RESTORE)
    assert "everything agrees" in told and "On hold:" in told
    assert "1 assistants, keys, grants and people that act were let in again, and are stopped again" in told
    brought = within(checkout, "python", "-c", COUNT)
    assert receipts(brought) == receipts(older) + 1, (
        "the key that the demonstration has replaced since is revoked again"
    )

    with running(checkout, port) as boss:
        until(lambda: "for people to read" in said.read_text() or boss.poll() is not None, 240, "no word of a hold")
        assert boss.poll() is None, said.read_text()
        assert "does not continue the tree of" in said.read_text() and "On hold:" in said.read_text()
        assert page(port) == 200 and json.loads(answer(port, "/readyz"))["status"] == "on hold"
        held = within(checkout, "python", "-c", COUNT)
        demo = checkout.ops("exec", "--", "python", "manage.py", "demo")
        assert demo.returncode == 1 and "on hold" in demo.stderr
        time.sleep(AT_WORK)
        assert within(checkout, "python", "-c", COUNT) == held
        assert receipts(held) == receipts(brought)
        assert "Traceback" not in (checkout.state / "log" / "log.log").read_text()
        assert size_of_log(port) <= before, "nothing was signed"

        told = within(checkout, "python", "manage.py", "restored", "--origin", "vault.example/log/2")
        assert "The hold is lifted." in told
        assert json.loads(answer(port, "/readyz"))["status"] == "ok"
        within(checkout, "python", "manage.py", "demo")
        until(lambda: answer(port, "/log/checkpoint").startswith(b"vault.example/log/2\n"), 30, "it is not served")
        grown = size_of_log(port)
        within(checkout, "python", "manage.py", "demo")
        until(lambda: size_of_log(port) > grown, 30, "the running process did not go on by itself")
        within(checkout, "python", "manage.py", "fsck_ledger")
        end(boss)

    with running(checkout, port) as boss:
        until(lambda: re.search("Muniment is at|On hold", said.read_text()) or boss.poll() is not None, 240)
        assert "On hold" not in said.read_text(), "what is said in public is held against it no more"
        end(boss)
