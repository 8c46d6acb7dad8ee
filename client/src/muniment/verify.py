"""`muniment verify`: each file told by its content, checked, and answered with its limits before its verdict."""

import argparse

from . import trust
from .files import check_names, lines, small, unreadable
from .format.verdict import Report, Trust, cant_check
from .format.verifying import verify_stream
from .output import show, show_json, worst

VERIFY_JSON = "muniment-verify/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `verify` understands."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="what to check; - is standard input")
    trust.add_arguments(parser)
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
    check_names(options.files)
    trusted = trust.trust_of(options)
    openings = [small(name) for name in options.opening]
    told = []
    codes = set()
    for number, name in enumerate(options.files):
        report = _report(name, trusted, openings)
        codes.add(report.exit_code)
        told.append({"file": name, **report.to_json()})
        if not options.json:
            show([*([""] if number else []), f"{name} ({report.kind})", *report.lines()])
    code = worst(codes)
    if options.json:
        show_json({"format": VERIFY_JSON, "files": told, "exit_code": code})
    return code


def _report(name: str, trusted: Trust, openings: list[bytes]) -> Report:
    try:
        return verify_stream(lines(name), trusted, openings)
    except OSError as error:
        return cant_check("unknown", unreadable(name, error))
