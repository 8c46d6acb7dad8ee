"""The command `muniment`: what it is told, and how it ends: 0, 1 or 2, a sentence, and never a traceback."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence

from . import __version__, compare, erasure_audit, verify
from .files import Trouble
from .output import complain, show, show_json

DESCRIPTION = (
    "Check what a Muniment vault hands out, offline: nothing is sent, fetched or written. Or look for what"
    " should be gone; or be a witness; or ask a vault what of a text was corrected in it."
)
EXIT_CODES = (
    "exit codes: 0 unaltered; 1 altered, not from where you say, about another value, or a log that forked; "
    "2 cannot be checked, or a wrong command"
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["witness"]:
        from .witness.command import main as witness  # a server: what only checks files loads no socket

        return witness(words[1:])
    try:
        code = _run(words)
        sys.stdout.flush()
    except Trouble as trouble:
        complain(str(trouble))
        return 2
    except OSError as error:  # of the output alone: whoever read it has gone, or its disk is full
        if not isinstance(error, BrokenPipeError):
            complain(f"The answer could not be written: {error.strerror or error}.")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python tries, and fails, once more
        return 2
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except Exception as fault:  # Python would end with 1, which says that a file was altered
        complain(f"This program failed: {type(fault).__name__}: {fault}. Nothing was shown by that; please report it.")
        return 2
    return code


def _run(words: Sequence[str]) -> int:
    if words[:1] == ["check"]:
        from .check import main as check  # it asks a vault: what only checks files loads no socket

        return check(words[1:])
    if words[:1] == ["residue"]:
        return _residue(words[1:])
    options = _parser().parse_args(words)
    return int(options.run(options))


def _residue(words: Sequence[str]) -> int:
    """What it is told may be a value that should be gone: no word of it, and of a fault, is repeated."""
    from .residue import command as residue

    try:
        return residue.run(words, prog="muniment residue", show=show, show_json=show_json)
    except residue.Wrong as wrong:
        raise Trouble(str(wrong)) from None
    except OSError:
        raise
    except Exception as fault:
        raise Trouble(
            f"This program failed: {type(fault).__name__}. Nothing was shown by that; please report it."
        ) from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="muniment", description=DESCRIPTION, epilog=EXIT_CODES, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"muniment {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    audits = erasure_audit.EXIT_CODES
    for name, module, text, codes in (
        ("verify", verify, "check files", EXIT_CODES),
        ("compare", compare, "two bundles of one vault: did its ledger grow, and by what", EXIT_CODES),
        ("erasure-audit", erasure_audit, "is anything left of what was erased, as a bundle's receipts tell", audits),
    ):
        command = commands.add_parser(name, help=text, description=text, epilog=codes, allow_abbrev=False)
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    commands.add_parser("residue", help="look for values that should be gone, in folders and files", add_help=False)
    commands.add_parser("check", help="ask a vault where files say what was corrected in it", add_help=False)
    commands.add_parser("witness", help="run a witness for transparency logs", add_help=False)
    return parser
