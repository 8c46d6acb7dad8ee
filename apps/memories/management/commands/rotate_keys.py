"""Changes keys: of vaults in which something was erased, and the root key over all of them.

Without arguments what is due, as the beat does each hour, and the end of a change that was begun an hour ago and is not
over. `--root`: now, whether it is due or not; the old root key goes 15 minutes after nothing needs it (run this again,
or let the beat), with `--at-once` immediately, which a read that is just under way may notice. `--vault vlt_…`: this
vault's key alone. It may be killed anywhere.
"""

from argparse import ArgumentParser
from datetime import timedelta

from django.core.management.base import BaseCommand, CommandError

from apps.ledger import services as ledger
from apps.memories import services as memories
from apps.policy.ids import typed
from vault.clock import utc_now
from vault.commands import vault_named


class Command(BaseCommand):
    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--vault", help="this vault alone: vlt_…")
        what.add_argument("--root", action="store_true", help="everything now, with a new root key")
        parser.add_argument("--at-once", action="store_true", help="with --root: destroy the old root key immediately")
        parser.add_argument("--dry-run", action="store_true", help="say what would be done")

    def handle(self, *args: object, **options: object) -> None:
        """Do it and say what was done. Exits 1 where some key could not be changed."""
        now = utc_now()
        if options["at_once"] and not options["root"]:
            raise CommandError("--at-once goes with --root.")
        vault_id = vault_named(str(options["vault"])) if options["vault"] else None
        if options["dry_run"]:
            self._say_what_waits()
            return
        if ledger.on_hold():
            raise CommandError("The instance is on hold: nothing is changed until that is lifted (manage.py doctor).")
        if vault_id is not None:
            epoch = memories.rotate(vault_id, now)
            self.stdout.write(f"The key of this vault is of epoch {epoch}." if epoch else "Nothing was changed.")
            return
        grace = {"grace": timedelta(0)} if options["at_once"] else {}
        done = memories.turn(now, anew=bool(options["root"]), **grace)
        self.stdout.write(
            f"{done.vaults} vaults have a new key; {done.wrapped} keys are wrapped under another root key."
        )
        if done.made:
            self.stdout.write(f"The root key of epoch {done.made} is the newest.")
        for epoch in done.destroyed:
            self.stdout.write(f"The root key of epoch {epoch} is destroyed.")
        for sentence in done.says:
            self.stdout.write(sentence)
        if done.stuck:
            raise CommandError(f"Not changed: {', '.join(typed('vlt', each) for each in done.stuck)}. See the log.")

    def _say_what_waits(self) -> None:
        found = memories.standing(utc_now())
        waiting = found.waiting
        self.stdout.write(f"{waiting.vaults} vaults in which something was erased wait for another key.")
        self.stdout.write(
            f"{waiting.unwrapped} vaults' keys are not under the newest root key, of epoch {found.root.epoch}."
        )
        if found.begun:
            self.stdout.write(f"A vault's key began to be changed at {found.begun:%Y-%m-%d %H:%M} UTC: not over yet.")
        self.stdout.write(
            "A new root key is due." if found.due else f"It was made {found.root.made_at:%Y-%m-%d %H:%M} UTC."
        )
        for epoch in found.older:
            self.stdout.write(f"The root key of epoch {epoch} is still in the file.")
        if found.fixed:
            self.stdout.write(found.fixed)
