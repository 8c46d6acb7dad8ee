"""Before anything is stamped: does this database continue what its log has signed.

Run it with DJANGO_SETTINGS_MODULE=vault.log_settings after the migrations and before the web process. Exit 0: nothing
is held against it by whoever could be asked; 3: the instance is on hold, and may be started for people to read.
"""

import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from apps.ledger import services as ledger
from apps.ledger.management.guarding import WAY_OUT, of_the_log

ON_HOLD = 3


class Command(BaseCommand):
    help = __doc__ or ""
    requires_system_checks = []

    def handle(self, *args: object, **options: Any) -> None:
        """Ask everything once; put the hold where something stands; say what to do."""
        found = ledger.guard(origin=settings.LOG_ORIGIN, **of_the_log())
        for warning in found.warnings:
            self.stderr.write(f"warning: {warning}")
        for reason in found.reasons:
            self.stdout.write(reason)
        if found.reasons:
            self.stdout.write(WAY_OUT)
            sys.exit(ON_HOLD)
        self.stdout.write("Nothing is held against this database: it may stamp.")
