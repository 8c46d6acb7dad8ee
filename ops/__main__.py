"""``python -m ops``: what the Makefile's targets call."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence

from ops import environment
from ops.state import CHECKOUT
from ops.trouble import Trouble, explain

KINDS = ("run", "test", "bench")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; every refusal is one sentence on standard error and exit status 1."""
    options = _parser().parse_args(argv)
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
    command.add_argument(
        "--state", choices=KINDS, default="run", help="whose servers (default: those of 'make run')"
    )
    command.add_argument("command", nargs=argparse.REMAINDER, metavar="-- command")
    command.set_defaults(go=_exec)

    command = commands.add_parser("test", help="run pytest on throw-away servers")
    command.add_argument("arguments", nargs=argparse.REMAINDER)
    command.set_defaults(go=_test)

    command = commands.add_parser("bootstrap", help="make roles, database and extensions in DATABASE_URL")
    command.add_argument(
        "--own-cluster", action="store_true", help="the cluster is ours: template1 gets them too"
    )
    command.set_defaults(go=_bootstrap)

    command = commands.add_parser("serve", help="(internal) keep the servers up while somebody uses them")
    command.add_argument("--state", choices=KINDS, default="run")
    command.set_defaults(go=_serve)
    return parser


def _exec(options: argparse.Namespace) -> int:
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        raise Trouble("Say what to run: python -m ops exec -- COMMAND …")
    return _replace(options.state, command)


def _test(options: argparse.Namespace) -> int:
    arguments = options.arguments[1:] if options.arguments[:1] == ["--"] else options.arguments
    return _replace("test", [sys.executable, "-m", "pytest", *arguments])


def _replace(kind: str, command: Sequence[str]) -> int:
    """Become the command. It inherits the lock that keeps the servers up."""
    from ops.background import use
    from ops.servers import find

    servers = find(kind)
    users = use(servers)
    users.keep_over_exec()
    env = servers.env(privileged=True)
    programs = [os.path.dirname(sys.executable), *([str(servers.postgres.bin)] if servers.postgres else [])]
    env["PATH"] = os.pathsep.join([*programs, env.get("PATH", os.defpath)])
    try:
        os.execvpe(command[0], command, env)
    except FileNotFoundError:
        raise Trouble(f"There is no program {command[0]}.") from None


def _bootstrap(options: argparse.Namespace) -> int:
    from ops.bootstrap import LOGINS, bootstrap
    from ops.servers import DATABASE, URL_NAMES

    admin_url = environment.setting("DATABASE_URL")
    if not admin_url:
        raise Trouble("DATABASE_URL is not set: give the URL of a role that may create roles and databases.")
    passwords = {}
    for role in LOGINS:
        if url := environment.setting(URL_NAMES[role]):
            passwords[role] = environment.password_of(url, URL_NAMES[role])
    bootstrap(admin_url, DATABASE, passwords, own_cluster=options.own_cluster)
    print(f"The roles, the database {DATABASE} and its extensions are there.")
    return 0


def _serve(options: argparse.Namespace) -> int:
    from ops.background import serve
    from ops.servers import find

    return serve(find(options.state))


if __name__ == "__main__":
    sys.exit(main())
