"""``python -m ops``: what the Makefile's targets call."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from ops import environment
from ops.state import CHECKOUT
from ops.trouble import Trouble, explain

KINDS = ("run", "test", "bench")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; every refusal is one sentence on standard error and exit status 1."""
    words = list(sys.argv[1:] if argv is None else argv)
    # What follows "--" belongs to the command that is run, whatever it looks like.
    split = words.index("--") if "--" in words else len(words)
    options = _parser().parse_args(words[:split])
    options.rest = words[split + 1 :]
    try:
        environment.load_dotenv(CHECKOUT / ".env")
        return int(options.go(options))
    except Trouble as trouble:
        print(f"muniment: {trouble}", file=sys.stderr, flush=True)
    except OSError as error:
        print(f"muniment: {explain(error)}", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m ops", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")

    command = commands.add_parser("exec", help="run a command with the servers up and the environment set")
    command.add_argument("--state", choices=KINDS, default="run", help="whose servers (default: those of 'make run')")
    command.set_defaults(go=_exec)

    command = commands.add_parser("test", help="run pytest on throw-away servers (arguments after --)")
    command.set_defaults(go=_test)

    for name, purpose, go in (
        ("run", "start everything, print the demo and the address, serve until Ctrl-C", _run),
        ("demo", "the demo's transcript in the terminal", _demo),
        ("doctor", "name what is missing or wrong, and the setting that corrects it", _doctor),
        ("e2e", "the end-to-end tests, with a browser where there is one", _e2e),
        ("stop", "stop whatever runs from this checkout", _stop),
        ("clean", "remove all state and the virtual environment", _clean),
    ):
        commands.add_parser(name, help=purpose).set_defaults(go=go)

    command = commands.add_parser("bootstrap", help="make roles, database and extensions in DATABASE_URL")
    command.add_argument("--own-cluster", action="store_true", help="the cluster is ours: template1 gets them too")
    command.set_defaults(go=_bootstrap)

    command = commands.add_parser("secrets", help="make the secrets of a deployment with containers, once")
    command.add_argument("folder")
    command.add_argument("--uid", type=int, default=os.getuid(), help="the account of web, worker and beat")
    command.add_argument("--database-host", default="postgres")
    command.add_argument("--redis-host", default="valkey")
    command.set_defaults(go=_secrets)

    command = commands.add_parser("serve", help="(internal) keep the servers up while somebody uses them")
    command.add_argument("--state", choices=KINDS, default="run")
    command.set_defaults(go=_serve)
    return parser


def _exec(options: argparse.Namespace) -> int:
    if not options.rest:
        raise Trouble("Say what to run: python -m ops exec -- COMMAND …")
    return _replace(options.state, options.rest)


def _test(options: argparse.Namespace) -> int:
    return _replace("test", [sys.executable, "-m", "pytest", *options.rest])


def _replace(kind: str, command: list[str]) -> int:
    """Become the command. It inherits the lock that keeps the servers up."""
    from ops.background import environment_for, use
    from ops.servers import find

    servers = find(kind)
    users = use(servers)
    users.keep_over_exec()
    env = environment_for(servers)
    try:
        os.execvpe(command[0], command, env)  # noqa: S606 - no shell is wanted
    except FileNotFoundError:
        raise Trouble(f"There is no program {command[0]}.") from None


def _run(options: argparse.Namespace) -> int:
    from ops.run import run
    from ops.servers import find

    return run(find("run"))


def _demo(options: argparse.Namespace) -> int:
    from ops.demo import demo
    from ops.servers import find

    return demo(find("run"))


def _doctor(options: argparse.Namespace) -> int:
    from ops.servers import find

    servers = find("run")
    os.chdir(CHECKOUT)
    port = servers.state.status().get("port")
    env = servers.env(privileged=True, port=port if isinstance(port, int) else 8000)
    command = [sys.executable, "manage.py", "doctor", *options.rest]
    os.execve(sys.executable, command, env)  # noqa: S606 - no shell is wanted


def _e2e(options: argparse.Namespace) -> int:
    from ops.e2e import e2e
    from ops.servers import find

    return e2e(find("test"), options.rest)


def _stop(options: argparse.Namespace) -> int:
    from ops.stop import stop

    return stop()


def _clean(options: argparse.Namespace) -> int:
    from ops.stop import clean

    return clean()


def _bootstrap(options: argparse.Namespace) -> int:
    from ops.bootstrap import LOGINS, bootstrap, database_exists
    from ops.servers import DATABASE, URL_NAMES

    admin_url = environment.server("DATABASE_URL")
    if not admin_url:
        raise Trouble("DATABASE_URL is not set: give the URL of a role that may create roles and databases.")
    passwords = {}
    for role in LOGINS:
        if url := environment.server(URL_NAMES[role]):
            passwords[role] = environment.password_of(url, URL_NAMES[role])
    # An empty volume mounted by mistake must not pass for a fresh instance.
    state = environment.setting("MUNIMENT_STATE_DIR")
    had_one = Path(state, "has-database") if state else None
    if had_one and had_one.exists() and not database_exists(admin_url, DATABASE):
        raise Trouble(
            f"The server of DATABASE_URL has no database {DATABASE}, and this instance had one: check its volume, "
            f"restore a backup, or remove {had_one} to begin with an empty one."
        )
    bootstrap(admin_url, DATABASE, passwords, own_cluster=options.own_cluster)
    if had_one:
        had_one.touch()
    print(f"The roles, the database {DATABASE} and its extensions are there.")
    return 0


def _secrets(options: argparse.Namespace) -> int:
    from ops.deployment import make_secrets

    folder = Path(options.folder)
    written = make_secrets(folder, options.uid, options.database_host, options.redis_host)
    print(f"Wrote {', '.join(written)} below {folder}." if written else "All secrets are there.")
    return 0


def _serve(options: argparse.Namespace) -> int:
    from ops.background import serve
    from ops.servers import find

    return serve(find(options.state))


if __name__ == "__main__":
    sys.exit(main())
