"""Restores a backup in place of the database there is, or with --check everything but that.

It is loaded beside, compared with its manifest, brought up to date, and what was erased since is erased again; the
whole ledger is checked. Only then it takes the other's place. docs/backup.md.
"""

from argparse import ArgumentParser
from getpass import getpass
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.db.migrations.loader import MigrationLoader

from ops import environment
from ops.backups.age import Identity, Passphrase
from ops.backups.opening import identity_of
from ops.backups.place import from_environment
from ops.backups.restoring import Restored, Wanted, restore
from ops.trouble import Trouble
from vault.version import VERSION


class Command(BaseCommand):
    help = __doc__ or ""
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("data", type=Path, metavar="ARCHIVE", help="a file ….data.age")
        parser.add_argument("--keys", type=Path, metavar="FILE", help="the newest ….keys.age (beside ARCHIVE)")
        parser.add_argument("--identity", type=Path, metavar="FILE", help="what the backup was encrypted for")
        parser.add_argument("--check", action="store_true", help="do all of it, and then leave everything as it is")
        parser.add_argument("--over", action="store_true", help="replace a database that has gone on since")
        parser.add_argument("--keep-replaced", action="store_true", help="do not drop the database it replaces")
        parser.add_argument("--log-keys", action="store_true", help="put the log's keys back where there are none")
        parser.add_argument("--tombstones", type=Path, action="append", default=[], metavar="FILE")

    def handle(self, *args: object, **options: Any) -> None:
        """Do it, and say what was done. One sentence and exit 1 where it cannot be; then nothing was changed."""
        try:
            wanted = Wanted(
                data=options["data"],
                keys=options["keys"] or _newest_beside(options["data"]),
                by=_key(options["identity"]),
                product=VERSION,
                known=frozenset(MigrationLoader(None).disk_migrations),
                tombstones=tuple(options["tombstones"]),
                check=options["check"],
                over=options["over"],
                keep_replaced=options["keep_replaced"],
                log_keys=options["log_keys"],
            )
            connections.close_all()
            done = restore(from_environment(), wanted, self.stdout.write)
        except Trouble as trouble:
            raise CommandError(str(trouble)) from None
        self._tell(done, wanted)

    def _tell(self, done: Restored, wanted: Wanted) -> None:
        made, say = done.about.made_at, self.stdout.write
        say(f"{done.rows} rows of {made}, by Muniment {done.about.product}. {done.ledger}")
        again = f"{done.vaults} vaults, {done.erased} memories, {done.ended} suggestions that waited"
        say(f"{done.tombstones} tombstones: {again} and {done.blanked} other words were there again.")
        say(f"{done.stopped} assistants, keys, grants and people that act were let in again, and are stopped again.")
        say(f"{done.people} people sign in by what they had changed it to since.")
        say(f"Of the database that is replaced, {done.orders} orders of erasure and {done.holds} legal holds are kept.")
        if wanted.check:
            say("It can be restored. Nothing was changed.")
            return
        say("They are erased again. The database is in its place.")
        for line in (*done.said, done.guard):
            if line:
                say(line)
        if done.replaced:
            say(f"What it replaced is the database {done.replaced}. Drop it: no erasure reaches it any more.")
        say(f"A grant that was narrowed after {made} is as it was then, and so is an address: look at grants.")
        say("Where the database was lost, so are passwords that were changed since, and legal holds: place those anew.")


def _newest_beside(data: Path) -> Path:
    found = sorted(data.parent.glob("muniment-*.keys.age"))
    if not found:
        raise CommandError(f"There is no file of keys beside {data}: name it with --keys. Without it no value opens.")
    return found[-1]


def _key(identity: Path | None) -> Identity | Passphrase:
    if identity is not None:
        return identity_of(identity)
    words = environment.setting("MUNIMENT_BACKUP_PASSPHRASE")
    try:
        return Passphrase(words or getpass("Passphrase of the backup: "))
    except EOFError:
        raise CommandError(
            "Nothing says with what the backup opens, and there is nobody to ask: name its identity with --identity "
            "FILE, or set MUNIMENT_BACKUP_PASSPHRASE."
        ) from None
