"""The process itself: a receipt is provable within five seconds of its act, and it needs no setting but its own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median_low
from urllib.parse import urlsplit

import psycopg
import pytest

from apps.ledger import services as ledger
from ops.environment import base
from tests.cast import Vault
from tests.databases import ROOT, admin_url

FRESH = 5.0
PATIENCE_SECONDS = 60


def environment(database: str, key_file: Path, **more: str) -> dict[str, str]:
    """What the process gets, and nothing else of Muniment's: no key of a ticket, a seal or a session."""
    url = urlsplit(os.environ["MUNIMENT_DB_LOG_URL"])._replace(path=f"/{database}").geturl()
    return {
        **base(keep_settings=False),
        "DJANGO_SETTINGS_MODULE": "vault.log_settings",
        "MUNIMENT_DB_LOG_URL": url,
        "MUNIMENT_LOG_KEY_FILE": str(key_file),
        "MUNIMENT_PUBLIC_URL": "https://vault.example",
        **more,
    }


def command(*words: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "manage.py", *words]
    return subprocess.run(argv, cwd=ROOT, env=env, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def process(instance: str, key_file: Path, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    with (tmp_path / "said").open("wb") as said:
        argv = [sys.executable, "manage.py", "publish_log"]
        started = subprocess.Popen(argv, cwd=ROOT, env=environment(instance, key_file), stdout=said, stderr=said)
    yield started
    started.kill()
    started.wait()


def until_provable(vault: Vault, seq: int, seconds: float) -> float:
    """How long it took until the receipt's file had its proof."""
    began = time.monotonic()
    while True:
        found = ledger.proof(vault.id, vault.holder.actor, seq)
        assert found
        if "log" not in found:
            return time.monotonic() - began
        assert found["log"] == "not yet in the log"
        assert time.monotonic() - began < seconds, f"not provable within {seconds} s"
        time.sleep(0.05)


def test_a_receipt_is_provable_within_five_seconds(
    process: subprocess.Popen[bytes], alice: Vault, tmp_path: Path
) -> None:
    until_provable(alice, 1, PATIENCE_SECONDS)  # the start
    waits = []
    for number in range(4):
        alice.keep(f"thing {number}")
        waits.append(until_provable(alice, alice.receipts()[-1].seq, PATIENCE_SECONDS))
        time.sleep(0.3 * number)
    print("provable after", [f"{wait:.2f} s" for wait in waits])
    assert median_low(waits) < FRESH, "one may be late because the machine is busy"
    note = ledger.checkpoint()
    assert note and note.startswith(b"vault.example/log\n")
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) == 0
    assert "Traceback" not in (tmp_path / "said").read_text()


def test_it_goes_on_when_the_server_throws_it_out(
    process: subprocess.Popen[bytes], alice: Vault, instance: str
) -> None:
    until_provable(alice, 1, PATIENCE_SECONDS)
    with psycopg.connect(admin_url("postgres"), autocommit=True) as admin:
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'muniment_log' AND datname = %s",
            [instance],
        )
    alice.keep("tea")
    until_provable(alice, alice.receipts()[-1].seq, PATIENCE_SECONDS)
    assert process.poll() is None


def test_once_and_fsck_with_its_settings_alone(instance: str, key_file: Path, alice: Vault) -> None:
    env = environment(instance, key_file, MUNIMENT_LOG_ORIGIN="log.example/of/ours")
    done = command("publish_log", "--once", env=env)
    assert done.returncode == 0, done.stderr
    assert "Published a tree of 1 leaves." in done.stderr
    note = ledger.checkpoint()
    assert note and note.startswith(b"log.example/of/ours\n1\n")
    checked = command("fsck_ledger", env=env)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "1 leaves, 1 checkpoints, 1 vaults" in checked.stdout


def test_what_stops_it_is_one_sentence(instance: str, key_file: Path, alice: Vault) -> None:
    env = environment(instance, key_file)
    key_file.write_text("nonsense")
    key_file.chmod(0o600)
    done = command("publish_log", "--once", env=env)
    assert done.returncode == 1
    assert done.stderr.startswith("CommandError: The log's key file") and len(done.stderr.splitlines()) == 1
    nowhere = env | {"MUNIMENT_DB_LOG_URL": "postgresql://muniment_log:word@127.0.0.1:9/muniment"}
    done = command("publish_log", "--once", env=nowhere)
    assert done.returncode == 1 and "word" not in done.stderr
    assert "does not let the log in" in done.stderr and len(done.stderr.splitlines()) == 1
    env.pop("MUNIMENT_DB_LOG_URL")
    done = command("publish_log", "--once", env=env)
    assert done.returncode == 1 and "MUNIMENT_DB_LOG_URL is not set" in done.stderr
