"""Writes tables anew in which something was deleted, so that its bytes leave their files.

The beat does it each night with the role of MUNIMENT_DB_RECLAIM_URL, on PostgreSQL 17 or newer. On 16 only the owner of
the tables may: run this where MUNIMENT_DB_OWNER_URL is set. `--everything`: also tables that did not change.
"""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from apps.erasure import services
from vault.clock import utc_now


class Command(BaseCommand):
    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--everything", action="store_true", help="also tables that did not change")

    def handle(self, *args: object, **options: object) -> None:
        """Do it and say what each table came to."""
        if services.who_may() is None:
            raise CommandError(
                "No role here may write tables anew: set MUNIMENT_DB_RECLAIM_URL (PostgreSQL 17 or newer) or"
                " MUNIMENT_DB_OWNER_URL."
            )
        for each in services.reclaim(utc_now(), everything=bool(options["everything"])):
            kb = f"{each.before // 1024} to {each.after // 1024} kB"
            self.stdout.write(f"{each.relation}: {each.how.value}, {kb} in {each.seconds:.2f} s")
