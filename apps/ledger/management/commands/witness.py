"""A witness for transparency logs, ours or others': docs/witnesses.md. It needs none of this instance's settings."""

import sys

from django.core.management.base import BaseCommand

from apps.ledger.witness.command import main


class Command(BaseCommand):
    help = __doc__ or ""

    def run_from_argv(self, argv: list[str]) -> None:
        """Hand the arguments over as they are: the same command is run without Django by the client's package."""
        sys.exit(main(argv[2:]))
