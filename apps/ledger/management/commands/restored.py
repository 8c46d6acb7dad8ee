"""Lifts a hold where this database is all there is: ends the log in public, and goes on under another name.

Run it with DJANGO_SETTINGS_MODULE=vault.log_settings. It cannot be undone: the first entry under the new name says for
ever what was signed under the old one and is not here.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.ledger import services as ledger
from apps.ledger.management.guarding import of_the_log


class Command(BaseCommand):
    help = __doc__ or ""
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--origin", required=True, help="the log's new name, such as vault.example.org/log/2")

    def handle(self, *args: object, **options: Any) -> None:
        """Append the entry, move the log, lift the hold, sign. One sentence and exit 1 where that may not be."""
        try:
            begun = ledger.begin_anew(origin=options["origin"], **of_the_log())
        except (ledger.LogProblem, ledger.KeyProblem) as problem:
            raise CommandError(str(problem)) from None
        self.stdout.write(
            f"The hold is lifted. The log goes on as {begun.origin}, and its entry {begun.size - 1} says so in public. "
            "Tell whoever keeps its key, have its witnesses follow the new name, and put it into the `log` line of "
            "your policy, which names the old one."
        )
