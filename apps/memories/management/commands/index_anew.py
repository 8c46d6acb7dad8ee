"""Lets the clock read anew what search holds, and make its words and prints once more; search goes on meanwhile.

For a new way to make words, after a release that says so; a migration does it by itself. Each memory that is read has a
receipt (`value.indexed`), so that it is not for every day. What is retired, attested or of a special category is read
by nobody for it, and keeps the prints of its day. `--vault vlt_…`: this vault alone. Twice does no harm.
"""

from argparse import ArgumentParser

from django.core.management.base import CommandError

from apps.ledger import services as ledger
from apps.memories import services as memories
from vault.commands import HelpInLines, vault_named


class Command(HelpInLines):
    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--vault", help="this vault alone: vlt_…")

    def handle(self, *args: object, **options: object) -> None:
        """Do it and say how many memories wait for it."""
        if ledger.on_hold():
            raise CommandError("The instance is on hold: nothing is read until that is lifted (manage.py doctor).")
        vault_id = vault_named(str(options["vault"])) if options["vault"] else None
        count = memories.read_anew(vault_id)
        self.stdout.write(f"{count} memories are read anew: a thousand each half minute, by the worker.")
