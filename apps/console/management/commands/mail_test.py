"""Sends one mail to an address, now, and says who took it, or what failed and which setting to look at."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.mail import services as mail
from vault.providers import hook_url


class Command(BaseCommand):
    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", metavar="ADDRESS", help="where the mail is to go")

    def handle(self, *args: object, **options: Any) -> None:
        """One conversation, as any letter has it. One sentence and exit 1 where nobody takes the mail."""
        address = options["address"]
        try:
            where = mail.try_out(address)
        except mail.Unsent as unsent:
            raise CommandError(str(unsent)) from None
        self.stdout.write(
            f"{where} took it, from {settings.MAIL_FROM}, for {address}. Whether it arrives, you see there."
        )
        if hook_url():
            self.stdout.write(f"What becomes of letters is told to {hook_url()}: enter that address at {where}.")
