"""Backs this instance up while it runs: one instant of it, in two encrypted files.

DEST gets a file `….data.age`, which opens no value by itself, and `….keys.age`, with what opens them. Keep the second
elsewhere and for a few days: whatever an old file of keys still opens has not quite been erased. docs/backup.md.
"""

from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.console.management import failing
from apps.console.management.failing import Job
from apps.mail import services as mail
from ops.backups.opening import lock, new_identity
from ops.backups.place import from_environment
from ops.backups.taking import take
from ops.backups.tombstones import write
from ops.trouble import Trouble
from vault.clock import utc_now
from vault.version import VERSION


class Command(BaseCommand):
    help = __doc__ or ""
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dest", type=Path, nargs="?", metavar="DEST", help="the folder for the file of data")
        parser.add_argument("--keys", type=Path, metavar="FOLDER", help="the folder for the file of keys (DEST)")
        parser.add_argument("--tombstones", type=Path, metavar="FILE", help="write a list of what is erased, no more")
        parser.add_argument("--new-identity", type=Path, metavar="FILE", help="make a key pair, print its public half")

    def handle(self, *args: object, **options: Any) -> None:
        """Make the pair of files, or the pair of keys. One sentence and exit 1 where that cannot be."""
        dest, keys, identity = options["dest"], options["keys"], options["new_identity"]
        now = utc_now()
        try:
            if identity is not None:
                self.stdout.write(f"MUNIMENT_BACKUP_RECIPIENT={new_identity(identity)}")
                return
            if options["tombstones"] is not None:
                self.stdout.write(f"{write(from_environment(), options['tombstones'])} tombstones.")
                self._tell(lambda: failing.works(Job.LIST, now))
                return
            if dest is None:
                raise CommandError("Name the folder to put the backup into: manage.py backup DEST")
            days = settings.BACKUP_KEYS_DAYS
            taken = take(from_environment(), dest, keys or dest, lock(), product=VERSION, now=now, keep=days)
        except Trouble as trouble:
            why, job = str(trouble), Job.LIST if options["tombstones"] is not None else Job.BACKUP
            if dest is not None or job is Job.LIST:
                self._tell(lambda: failing.failed(job, why, now))
            raise CommandError(why) from None
        self.stdout.write(f"{taken.data}: {taken.rows} rows, a log of {taken.log_size} entries.")
        self.stdout.write(f"{taken.keys}: {taken.key_rows} keys and prints, {taken.tombstones} tombstones.")
        for path in taken.removed:
            self.stdout.write(f"{path} was older than {days} days and is removed.")
        if keys is None:
            self.stdout.write("Both lie in one folder: who has it and the key of your backups has everything.")
        self._tell(lambda: failing.works(Job.BACKUP, now))

    def _tell(self, tell: Callable[[], None]) -> None:
        """Tell who runs the instance: nobody reads what a job says that runs by itself."""
        try:
            tell()
        except mail.Unsent as unsent:
            self.stderr.write(f"Nor could it be told by mail: {unsent}")
