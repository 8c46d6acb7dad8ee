"""`muniment erasure-audit`: what the receipts of bundles tell of what was erased. Coverage first, then a verdict."""

import argparse

from . import trust
from .files import check_names, lines, unreadable
from .format.audit import Audit, audit_bundle
from .format.verdict import Trust
from .output import show, show_json, worst

AUDIT_JSON = "muniment-erasure-audit/1"
EXIT_CODES = (
    "exit codes: 0 clean; 1 something is left of what was erased; 2 it could not be audited, or a wrong command"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `erasure-audit` understands."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a bundle of a whole ledger; - is standard input")
    trust.add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="the answers as one JSON document")


def run(options: argparse.Namespace) -> int:
    """Audit every bundle. Returns 1 if anything is found in any, else 2 if any could not be audited, else 0."""
    check_names(options.files)
    trusted = trust.trust_of(options)
    told, codes = [], set()
    for number, name in enumerate(options.files):
        audit = _audit(name, trusted)
        codes.add(audit.verdict.exit_code)
        told.append({"file": name, **audit.to_json()})
        if not options.json:
            show([*([""] if number else []), name, *audit.lines()])
    code = worst(codes)
    if options.json:
        show_json({"format": AUDIT_JSON, "files": told, "exit_code": code})
    return code


def _audit(name: str, trusted: Trust) -> Audit:
    try:
        return audit_bundle(lines(name), trusted)
    except OSError as error:
        return Audit(("Nothing.",), (), (unreadable(name, error),))
