"""Founds a clinic or a household, with its first admin, who invites everybody else on /people."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.holders import services as holders
from apps.policy.ids import typed
from apps.policy.text import TextProblem


class Command(BaseCommand):
    help = "Found a space: manage.py found_space clinic 'Casa M.' rosa@casa-m.example (who has signed up before)"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("kind", choices=["clinic", "household"])
        parser.add_argument("name")
        parser.add_argument("admin", help="the address that its first admin signs in with")

    def handle(self, *args: Any, **options: Any) -> None:
        admin = holders.holder_named(options["admin"])
        if admin is None:
            raise CommandError(f"Nobody signs in with {options['admin']}. Let them sign up first, then run this again.")
        try:
            space_id = holders.found_space(options["kind"], options["name"], admin.user_id)
        except TextProblem as problem:
            raise CommandError(f"{problem.field}: {problem.detail}") from None
        self.stdout.write(
            f"{typed('spc', space_id)} is founded. {options['admin']} signs in again and invites on /people."
        )
