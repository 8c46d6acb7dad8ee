"""`muniment verify`: each file told by its content, checked, and answered with its limits before its verdict."""

import argparse

from . import files
from .files import Trouble
from .format.verdict import Report, Trust, cant_check
from .format.verifying import verify_stream
from .output import show, show_json

JSON_FORMAT = "muniment-verify/1"
_WORST_FIRST = (1, 2, 0)  # one altered file among many that could not be read is still an altered file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `verify` understands."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="what to check; - is standard input")
    parser.add_argument(
        "--key",
        action="append",
        default=[],
        metavar="VKEY|@FILE",
        help="a key of the log that you already had, or @ and a file of such keys; may be repeated",
    )
    parser.add_argument("--policy", metavar="FILE", help="whose cosignatures you ask for, and how many: a tlog-policy")
    parser.add_argument("--vault", metavar="VLT", help="the vault that the files should be of: vlt_ and 32 hex digits")
    parser.add_argument(
        "--opening",
        action="append",
        default=[],
        metavar="FILE",
        help="a value with its key, from the holder, to be bound to its receipt; may be repeated",
    )
    parser.add_argument("--json", action="store_true", help="the reports as one JSON document")


def run(options: argparse.Namespace) -> int:
    """Check every file. Returns 1 if any is altered or not theirs, else 2 if any could not be checked, else 0."""
    if options.files.count(files.STDIN) > 1:
        raise Trouble("Standard input can be read once: give - once.")
    trust = Trust(
        keys=tuple(key for given in options.key for key in files.keys(given)),
        policy=files.policy(options.policy) if options.policy is not None else None,
        vault=files.vault(options.vault) if options.vault is not None else None,
    )
    openings = [files.small(name) for name in options.opening]
    told = []
    codes = set()
    for number, name in enumerate(options.files):
        report = _report(name, trust, openings)
        codes.add(report.exit_code)
        told.append({"file": name, **report.to_json()})
        if not options.json:
            show([*([""] if number else []), f"{name} ({report.kind})", *report.lines()])
    worst = next(code for code in _WORST_FIRST if code in codes)
    if options.json:
        show_json({"format": JSON_FORMAT, "files": told, "exit_code": worst})
    return worst


def _report(name: str, trust: Trust, openings: list[bytes]) -> Report:
    try:
        return verify_stream(files.lines(name), trust, openings)
    except OSError as error:
        return cant_check("unknown", files.unreadable(name, error))
