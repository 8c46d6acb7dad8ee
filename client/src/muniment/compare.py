"""`muniment compare`: two bundles of one vault, an older and a newer. Did its ledger grow, and by what, or fork."""

import argparse

from . import trust
from .files import Trouble, check_names, lines, unreadable
from .format.growth import explain_growth
from .output import show, show_json

COMPARE_JSON = "muniment-compare/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `compare` understands."""
    parser.add_argument("old", metavar="OLD", help="the bundle that was kept; - is standard input")
    parser.add_argument("new", metavar="NEW", help="a bundle taken since")
    parser.add_argument("--expect", type=_count, metavar="N", help="how many receipts you know to have come between")
    trust.add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="the answer as one JSON document")


def run(options: argparse.Namespace) -> int:
    """Compare them. Returns 0 if the ledger grew as expected, 1 if not or one does not hold, 2 if nobody can tell."""
    check_names([options.old, options.new])
    try:
        growth = explain_growth(lines(options.old), lines(options.new), options.expect, trust.trust_of(options))
    except OSError as error:
        raise Trouble(unreadable(str(error.filename), error)) from None
    if options.json:
        show_json({"format": COMPARE_JSON, **growth.to_json()})
    else:
        show(growth.lines())
    return growth.exit_code


def _count(text: str) -> int:
    if not text.isdecimal() or len(text) > 16:
        raise argparse.ArgumentTypeError("how many receipts is a whole number, 0 or more")
    return int(text)
