"""The embedded servers: up for a command, gone when unused, back after a kill, never in the way of a next start."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from ops import state
from ops.accounts import current, for_servers
from tests.ops.conftest import Checkout, gone, kill, until

ASK = """
import os, psycopg, redis, json
said = {}
for role in ("OWNER", "APP", "GATE", "LOG", "ADMIN"):
    with psycopg.connect(os.environ[f"MUNIMENT_DB_{role}_URL"]) as connection:
        said[role] = connection.execute("SELECT current_user").fetchone()[0]
with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
    for name in ("listen_addresses", "log_min_error_statement", "log_error_verbosity", "log_parameter_max_length"):
        said[name] = connection.execute("SELECT current_setting(%s)", [name]).fetchone()[0]
from urllib.parse import urlsplit
url = urlsplit(os.environ["REDIS_URL"])
client = redis.Redis(unix_socket_path=url.path, password=url.password)
said["kept"] = (client.get("kept") or b"").decode()
client.set("kept", "yes")
said["policy"] = client.config_get("maxmemory-policy")["maxmemory-policy"]
said["root_key_mode"] = oct(os.stat(os.environ["MUNIMENT_ROOT_KEY_FILE"]).st_mode & 0o777)
said["ticket_key"] = os.environ["MUNIMENT_TICKET_KEY"]
print(json.dumps(said))
"""


def ask(checkout: Checkout, **settings: str) -> dict[str, str]:
    done = checkout.ops("exec", "--", sys.executable, "-c", ASK, **settings)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert isinstance(answer, dict)
    return answer


def test_a_command_finds_servers_roles_and_secrets(checkout: Checkout) -> None:
    said = ask(checkout)
    assert [said[role] for role in ("OWNER", "APP", "GATE", "LOG", "ADMIN")] == [
        "muniment_owner",
        "muniment_app",
        "muniment_gate",
        "muniment_log",
        "muniment_admin",
    ]
    assert said["listen_addresses"] == ""
    assert (said["log_min_error_statement"], said["log_error_verbosity"]) == ("panic", "terse")
    assert said["policy"] == "noeviction"
    assert said["root_key_mode"] == "0o600"
    assert len(said["ticket_key"]) == 64

    # Killing any of them, or the supervisor itself, is healed; nothing that was kept is lost.
    for part in ("postgres", "valkey"):
        before = checkout.pid(part)
        kill(before)
        until(lambda part=part, before=before: checkout.pid(part) not in (None, before), what=f"{part} stayed away")
    until(lambda: checkout.ops("exec", "--", sys.executable, "-c", ASK).returncode == 0)
    orphans = [pid for part in ("postgres", "valkey") if (pid := checkout.pid(part))]
    supervisor = checkout.status()["pid"]
    assert isinstance(supervisor, int)
    kill(supervisor)
    again = ask(checkout)
    assert again["ticket_key"] == said["ticket_key"]
    assert all(gone(pid) for pid in orphans)
    data = Path(checkout.folder, ".run", "pg", "data")
    assert not list(data.glob("log*")), "the log must lie outside what a base backup copies"

    stopped = checkout.ops("stop")
    assert "Stopped" in stopped.stdout
    assert checkout.pid("postgres") is None


def test_a_path_too_long_moves_the_state(checkout: Checkout) -> None:
    deep = checkout.folder / ("d" * 60) / ("e" * 60)
    deep.mkdir(parents=True)
    for part in ("ops", "vault"):
        shutil.move(checkout.folder / part, deep / part)
    moved = Checkout(deep)
    home = checkout.folder / "home"
    try:
        ask(moved, HOME=str(home), XDG_STATE_HOME=str(home))
        state = Path((deep / ".run" / "state").read_text().strip())
        assert deep not in state.parents
        assert (state / "pg" / "data" / "PG_VERSION").exists()
    finally:
        cleaned = moved.ops("clean", HOME=str(home), XDG_STATE_HOME=str(home))
        for part in ("ops", "vault"):
            shutil.move(deep / part, checkout.folder / part)
    assert f"Removed {state}" in cleaned.stdout
    assert not state.exists()


def test_the_servers_of_tests_are_kept_in_memory_where_there_is_room(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, servers = checkout.folder / "memory", for_servers()
    memory.mkdir(mode=0o755)
    monkeypatch.setattr(state, "IN_MEMORY", memory)
    monkeypatch.setattr(state, "ENOUGH_MEMORY", 2**60)
    where = checkout.folder / ".run" / "test"
    assert state.locate("test", servers, checkout.folder).root == where, "there is not enough"
    monkeypatch.setattr(state, "ENOUGH_MEMORY", 0)
    assert state.locate("test", servers, checkout.folder).root.parent == memory
    monkeypatch.setattr(state, "ENOUGH_MEMORY", 2**60)
    assert state.locate("test", servers, checkout.folder).root.parent == memory, "it stays where it is"
    for kind in ("run", "bench"):
        assert memory not in state.locate(kind, servers, checkout.folder).root.parents


def test_memory_that_a_checkout_left_full_is_given_back_once_it_is_gone(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, servers = checkout.folder / "memory", for_servers()
    memory.mkdir(mode=0o755)
    monkeypatch.setattr(state, "IN_MEMORY", memory)
    monkeypatch.setattr(state, "ENOUGH_MEMORY", 0)
    checkouts = {name: checkout.folder / name for name in ("gone", "served", "there", "new")}
    kept = {name: state.locate("test", servers, checkouts[name]) for name in ("gone", "served", "there")}
    strangers = memory / f"muniment-{current().uid}-0123456789"
    strangers.mkdir()
    for name in ("gone", "served"):
        shutil.rmtree(checkouts[name])
    lock = state.take_supervision(kept["served"])
    assert lock is not None
    state.locate("test", servers, checkouts["there"])
    assert kept["gone"].root.exists(), "as long as nobody asks for room"
    state.locate("test", servers, checkouts["new"])
    assert not kept["gone"].root.exists()
    assert kept["served"].root.exists(), "servers run from it"
    assert kept["there"].root.exists() and strangers.exists()
    lock.release()
    shutil.rmtree(checkouts["new"])
    state.locate("test", servers, checkouts["gone"])
    assert not kept["served"].root.exists() and kept["there"].root.exists()


def test_a_server_that_cannot_be_reached_is_one_sentence(checkout: Checkout) -> None:
    url = "postgresql://nobody:word@127.0.0.1:9/postgres"
    done = checkout.ops("exec", "--", "true", DATABASE_URL=url, REDIS_URL="redis://127.0.0.1:9/0")
    assert done.returncode == 1
    assert done.stderr.startswith("muniment: ") and len(done.stderr.splitlines()) == 1
    assert "DATABASE_URL" in done.stderr and "word" not in done.stderr


def test_a_full_disk_is_one_sentence(checkout: Checkout) -> None:
    broken = checkout.folder / "ops" / "state.py"
    broken.write_text(broken.read_text().replace("ENOUGH_SPACE = 200 *", "ENOUGH_SPACE = 200_000_000 *"))
    done = checkout.ops("exec", "--", "true")
    assert done.returncode == 1
    assert "almost full" in done.stderr and len(done.stderr.splitlines()) == 1
    assert not (checkout.folder / ".run" / "pg").exists()


def test_a_lost_database_or_root_key_is_never_made_anew(checkout: Checkout) -> None:
    ask(checkout)
    checkout.ops("stop")
    state = checkout.folder / ".run"
    (state / "pg" / "data").rename(state / "pg" / "elsewhere")
    done = checkout.ops("exec", "--", "true")
    assert done.returncode == 1 and "is gone, and the last start had one" in done.stderr
    assert not (state / "pg" / "data").exists()
    (state / "pg" / "elsewhere").rename(state / "pg" / "data")
    (state / "app" / "root_keys").rename(state / "app" / "elsewhere")
    done = checkout.ops("exec", "--", "true")
    assert done.returncode == 1 and "without them no stored value opens" in done.stderr
    (state / "app" / "elsewhere").rename(state / "app" / "root_keys")
    ask(checkout)
    drop = 'psql "$DATABASE_URL" -qc "DROP DATABASE muniment WITH (FORCE)"'
    assert checkout.ops("exec", "--", "sh", "-c", drop).returncode == 0
    (state / "bootstrapped.stamp").write_text("changed")
    checkout.ops("stop")
    done = checkout.ops("exec", "--", "true")
    assert done.returncode == 1 and "has no database muniment, and this instance had one" in done.stderr
