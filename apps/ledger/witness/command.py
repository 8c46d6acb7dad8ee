"""The command: `manage.py witness` where Muniment runs, `muniment witness` where only its client's package is."""

import argparse
import logging
import signal
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..format.keys import ED25519, VerifierKey
from ..format.strict import Malformed, inbase64
from .key import WitnessProblem, WrongArguments
from .server import Server
from .state import LOGS_FILE, open_state
from .witness import Logs, Witness

# A witness that runs was given its logs by its own --log, which nobody else can see.
NOT_NAMED = f"(neither in the file `{LOGS_FILE}` nor given here: a witness that runs may follow it by its own --log)"


def main(argv: Sequence[str]) -> int:
    """Run the command with its arguments. 0: done, or stopped by a signal; 1: one sentence says why not; 2: an argument
    is wrong, and it is said which."""
    words = list(argv)
    if not words or (words[0].startswith("-") and words[0] not in ("-h", "--help")):
        words.insert(0, "serve")
    try:
        options = _parser().parse_args(words)
    except SystemExit as ended:  # argparse has said what is wrong, or has printed the help
        return int(ended.code or 0)
    try:
        options.run(options)
    except WitnessProblem as problem:
        sys.stderr.write(f"{problem}\n")
        return 2 if isinstance(problem, WrongArguments) else 1
    except BrokenPipeError:
        return 1
    return 0


def read_logs(lines: Iterable[str], what: str) -> dict[str, tuple[VerifierKey, ...]]:
    """Which logs to follow: on each line a vkey and, only where it is not the key's name, the log's origin.

    Several keys may stand for one origin. Empty lines and those that begin with # are passed over. Raises
    WitnessProblem.
    """
    found: dict[str, tuple[VerifierKey, ...]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        vkey, _, origin = line.strip().partition(" ")
        try:
            key = VerifierKey.parse(vkey)
        except Malformed as problem:
            raise WitnessProblem(f"{what}, line {number}: {problem}.") from None
        if key.type != ED25519:
            raise WitnessProblem(f"{what}, line {number}: this is a witness's key, and a log's is asked for.")
        origin = origin.strip() or key.name
        found[origin] = tuple(dict.fromkeys((*found.get(origin, ()), key)))
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="witness",
        description="A witness for transparency logs (C2SP tlog-witness): it cosigns what continues what it has seen.",
        epilog="Without a command it serves. `witness serve --help` says what it takes.",
    )
    commands = parser.add_subparsers(required=True)
    for name, run, text in (
        ("serve", _serve, "answer logs that ask for a cosignature, until a signal ends it"),
        ("vkey", _vkey, "print the witness's public key"),
        ("logs", _logs, "list the logs that are followed, and where each stands"),
        ("refused", _refused, "list what was refused though its log had signed it, and the proofs of forks"),
    ):
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(run=run)
        command.add_argument("--state", type=Path, required=True, metavar="DIR", help="its folder; made where missing")
        if name in ("serve", "vkey"):
            command.add_argument("--name", help="its name, as in example.com/w1; needed once, when its key is made")
        if name in ("serve", "logs"):
            command.add_argument(
                "--log",
                action="append",
                default=[],
                metavar="VKEY",
                help=f"a log to follow, beside those in the file `{LOGS_FILE}` of its folder; may be repeated",
            )
        if name == "serve":
            command.add_argument("--listen", default="127.0.0.1:8098", metavar="HOST:PORT", help="%(default)s")
            command.add_argument("--prefix", default="", metavar="/PATH", help="what stands before every path")
        if name == "refused":
            command.add_argument("--notes", action="store_true", help="print the signed checkpoints themselves too")
    return parser


def _serve(options: argparse.Namespace) -> None:
    address, prefix = _address(options.listen), options.prefix.rstrip("/")
    if prefix and (not prefix.startswith("/") or any(letter in "?# " for letter in prefix)):
        raise WrongArguments("--prefix is a path that begins with /, as in /witness.")
    state = open_state(options.state, options.name)
    logs = _followed(options)
    if not logs:
        raise WrongArguments(
            f"No log to follow: give its vkey with --log, or write it on a line of {options.state / LOGS_FILE}."
        )
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    try:
        server = Server(address, Witness(state, logs), prefix)
    except OSError as error:
        raise WrongArguments(f"--listen {options.listen} cannot be had: {error.strerror or error}.") from None
    with server:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: threading.Thread(target=server.shutdown).start())
        _say(str(state.key.verifier))
        _say(f"Following {', '.join(sorted(logs))}.")
        _say(f"Listening on {server.url}")
        server.serve_forever()


def _vkey(options: argparse.Namespace) -> None:
    _say(str(open_state(options.state, options.name).key.verifier))


def _logs(options: argparse.Namespace) -> None:
    state, followed = open_state(options.state), _followed(options)
    cosigned, refusals = state.cosigned(), state.refusals()
    for origin in sorted({*followed, *cosigned}):
        standing = cosigned.get(origin)
        _say(origin if origin in followed else f"{origin} {NOT_NAMED}")
        for key in followed.get(origin, ()):
            _say(f"  key      {key}")
        if standing:
            _say(f"  cosigned {standing.size} leaves, root {inbase64(standing.root)}, {_at(standing.time)}")
        else:
            _say("  cosigned nothing yet")
        _say(f"  refused  {refusals.get(origin, 0)} times")


def _refused(options: argparse.Namespace) -> None:
    state = open_state(options.state)
    for each in state.refused():
        often = f", {each.times} times" if each.times > 1 else ""
        _say(f"{_at(each.at)} {each.status} {each.origin}: {each.size} leaves, root {inbase64(each.root)}{often}")
        _say(f"  {each.reason}")
        if options.notes:
            _say(each.note.decode())
    for origin, times in state.refusals().items():
        _say(f"{origin}: refused {times} times in all.")
    for path in sorted(options.state.glob("fork-*.json")):
        _say(f"Proof of a fork: {path}")


def _followed(options: argparse.Namespace) -> Logs:
    file = options.state / LOGS_FILE
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        lines = []
    except (OSError, UnicodeDecodeError) as error:
        raise WitnessProblem(f"{file} cannot be read: {error}.") from None
    found = read_logs(lines, str(file))
    try:
        given = read_logs(options.log, "--log")
    except WitnessProblem as problem:
        raise WrongArguments(str(problem)) from None
    for origin, keys in given.items():
        found[origin] = tuple(dict.fromkeys((*found.get(origin, ()), *keys)))
    return found


def _address(listen: str) -> tuple[str, int]:
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise WrongArguments("--listen is HOST:PORT, as in 127.0.0.1:8098 or [::1]:8098.")
    return host.removeprefix("[").removesuffix("]"), int(port)


def _at(time_: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time_))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
