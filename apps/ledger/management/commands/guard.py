"""Before anything is stamped: does this database continue what its log has signed.

Run it with DJANGO_SETTINGS_MODULE=vault.log_settings after the migrations and before the web process. Exit 0: nothing
is held against it by whoever could be asked; 3: the instance is on hold, and may be started for people to read.
"""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.ledger import services as ledger
from apps.ledger.management.guarding import WAY_OUT, WAY_OUT_OF_A_FORK, of_the_log

ON_HOLD = 3


class Command(BaseCommand):
    help = __doc__ or ""
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--evidence",
            type=Path,
            metavar="FOLDER",
            help="ask nothing: write what every hold stood on into this folder",
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Ask everything once; put the hold where something stands; say what to do."""
        settings_of_it = of_the_log()
        if options["evidence"] is not None:
            return self._write(options["evidence"])
        found = ledger.guard(origin=settings.LOG_ORIGIN, **settings_of_it)
        for warning in found.warnings:
            self.stderr.write(f"warning: {warning}")
        for reason in found.reasons:
            self.stdout.write(reason)
        if found.reasons:
            self.stdout.write(WAY_OUT_OF_A_FORK if found.proven else WAY_OUT)
            sys.exit(ON_HOLD)
        asked = ", as far as anybody could be asked" if found.warnings else ""
        self.stdout.write(f"Nothing is held against this database{asked}: it may stamp.")
        return None

    def _write(self, folder: Path) -> None:
        written = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name, evidence in ledger.evidence_of_holds():
                (folder / name).write_bytes(evidence)
                self.stdout.write(str(folder / name))
                written += 1
        except OSError as error:
            raise CommandError(f"{folder} cannot be written: {error.strerror}.") from None
        if not written:
            self.stdout.write("No hold was ever put that stands on evidence.")
