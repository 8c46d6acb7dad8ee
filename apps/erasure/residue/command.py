"""The command `residue`: where the values come from, and how it ends. It prints no value, not even a wrong word."""

import argparse
import getpass
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NoReturn

from . import Unopened, search
from .limits import Limits

DESCRIPTION = (
    "Look for values that should be gone, in every file below the given folders: databases' pages, dumps, logs,"
    " archives. It prints where and as what, never a value."
)
EXIT_CODES = (
    "exit codes: 0 nothing found, and everything was looked into; 1 found; 2 not everything could be looked into, or a"
    " wrong command"
)
_USUAL = Limits()
_PROMPT = "\0prompt"
_LITERAL = (
    "Do not write a value on the command line: lists of processes and the shell's history keep it. Write --value alone"
    " to be asked, --value - to read lines from standard input, or --value-file FILE."
)
MOST_VALUES_BYTES = 64 << 20


class Wrong(Exception):
    """A wrong command, as one sentence that repeats nothing of it."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """argparse repeats what it did not understand, which may be a value."""
        raise Wrong(f"{_hint(message)} See {self.prog} --help.")


def run(
    words: Sequence[str],
    *,
    prog: str,
    show: Callable[[Iterable[str]], None],
    show_json: Callable[[object], None],
    roots: Sequence[Path] = (),
    elsewhere: Sequence[Unopened] = (),
) -> int:
    """Search and show; return the exit code. Raises Wrong.

    `roots` are looked through where none is given; `elsewhere` belongs to them and cannot be.
    """
    options = _parser(prog, roots).parse_args(words)
    places = [Path(root) for root in options.root] or list(roots)
    if not places:
        raise Wrong("Give --root DIR: what is to be looked through.")
    values = _values(options)
    if not values:
        raise Wrong("There is no value to look for: give one a line.")
    bounds = Limits(depth=options.depth, unpacked=options.unpacked << 20)
    report = search(places, values, limits=bounds)
    if not options.root:
        report.unopened += elsewhere
    if options.json:
        show_json(report.to_json())
    else:
        show(report.lines())
    return report.exit_code


def _parser(prog: str, roots: Sequence[Path]) -> _Parser:
    parser = _Parser(prog=prog, description=DESCRIPTION, epilog=EXIT_CODES, allow_abbrev=False)
    usual = f" (else {', '.join(map(str, roots))})".replace("%", "%%") if roots else ""
    parser.add_argument(
        "--root", action="append", default=[], metavar="DIR", help=f"a folder or file; may be repeated{usual}"
    )
    parser.add_argument(
        "--value",
        action="append",
        nargs="?",
        const=_PROMPT,
        default=[],
        metavar="-",
        help="alone: asks for a value and does not echo it; - reads values from standard input, one a line",
    )
    parser.add_argument(
        "--value-file", action="append", default=[], metavar="FILE", help="reads values from a file, one a line"
    )
    parser.add_argument("--depth", type=_whole, default=_USUAL.depth, help=f"archives in archives ({_USUAL.depth})")
    parser.add_argument(
        "--unpacked",
        type=_whole,
        default=_USUAL.unpacked >> 20,
        metavar="MIB",
        help=f"how much one file may unpack to ({_USUAL.unpacked >> 20} MiB)",
    )
    parser.add_argument("--json", action="store_true", help="the report as one JSON document")
    return parser


def _whole(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise argparse.ArgumentTypeError("a whole number")
    return int(text)


def _values(options: argparse.Namespace) -> list[bytes]:
    if any(each not in ("-", _PROMPT) for each in options.value):
        raise Wrong(_LITERAL)
    if not options.value and not options.value_file:
        raise Wrong(
            "Say where the values are: --value (you are asked), --value - (standard input) or --value-file FILE."
        )
    found: list[bytes] = []
    if "-" in options.value:
        found += _lines(sys.stdin.buffer.read(MOST_VALUES_BYTES + 1))
    for _ in range(options.value.count(_PROMPT)):
        found += _lines(_asked())
    for name in options.value_file:
        try:
            with Path(name).open("rb") as stream:
                found += _lines(stream.read(MOST_VALUES_BYTES + 1))
        except OSError as error:
            raise Wrong(f"The --value-file cannot be read: {error.strerror}.") from None
    return list(dict.fromkeys(found))


def _asked() -> bytes:
    """A value from the terminal, without echo."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", getpass.GetPassWarning)
            return getpass.getpass("Value (not shown): ").encode("utf-8", "surrogateescape")
    except (EOFError, getpass.GetPassWarning):
        raise Wrong("There is no terminal to ask at: write --value - and give the values on standard input.") from None


def _lines(data: bytes) -> list[bytes]:
    if len(data) > MOST_VALUES_BYTES:
        raise Wrong("These are too many values: give at most 64 MiB of them.")
    return [line for each in data.split(b"\n") if (line := each.strip())]


def _hint(message: str) -> str:
    """What argparse complains about, without what it repeats."""
    for name in ("--root", "--value-file", "--value", "--depth", "--unpacked"):
        if f"argument {name}:" in message:
            return f"{name} is not given as it should be."
    return "There is a word in the command that does not belong there."
