"""Looks for values that should be gone, in every file that this instance keeps. `--help` says how, and how it ends.

The same search as `muniment residue`; where no `--root` is given it looks through the state folder, the embedded
servers' data, logs, uploads and written mail, and says what this instance keeps elsewhere.
"""

import json
import sys
from collections.abc import Iterable, Sequence

from django.core.management.base import BaseCommand

from apps.erasure.residue import Unopened, command
from vault.places import places


class Command(BaseCommand):
    help = __doc__ or ""
    requires_system_checks = []

    def run_from_argv(self, argv: list[str]) -> None:
        """The words go to the search as they are: Django's parser repeats what it does not understand."""
        self.handle(*argv[2:])

    def print_help(self, prog_name: str, subcommand: str) -> None:
        self.handle("--help")

    def handle(self, *words: str, **options: object) -> None:
        """Search, print the report, and end with its exit code."""
        sys.exit(self._search(words))

    def _search(self, words: Sequence[str]) -> int:
        kept = places()
        elsewhere = [Unopened(name, why) for name, why in kept.elsewhere]
        try:
            return command.run(
                words,
                prog="manage.py residue",
                show=self._show,
                show_json=self._show_json,
                roots=kept.roots,
                elsewhere=elsewhere,
            )
        except command.Wrong as wrong:
            self.stderr.write(str(wrong))
        except Exception as fault:  # what it says may hold a value
            self.stderr.write(f"The search failed: {type(fault).__name__}. Please report that.")
        return 2

    def _show(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.stdout.write(line)

    def _show_json(self, document: object) -> None:
        self.stdout.write(json.dumps(document, indent=2))
