"""Rebuilds the log from its leaves and every chain from its receipts; exit 1 names the first difference."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.ledger import services as ledger


class Command(BaseCommand):
    help = __doc__ or ""
    requires_system_checks = []

    def handle(self, *args: object, **options: Any) -> None:
        """Read everything in one snapshot; change nothing."""
        if "log" not in settings.DATABASES:
            raise CommandError("MUNIMENT_DB_LOG_URL is not set: give the URL of the role muniment_log.")
        found = ledger.check_ledger()
        if not found:
            raise CommandError(f"The ledger is not what it should be: {found.difference}.")
        self.stdout.write(
            f"{found.leaves} leaves, {found.checkpoints} checkpoints, {found.vaults} vaults, {found.receipts} receipts:"
            f" everything agrees. {found.cosignatures} cosignatures hold. Root {found.root.hex()}."
        )
