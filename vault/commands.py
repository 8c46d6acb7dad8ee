"""What management commands of several apps have in common."""

from argparse import RawDescriptionHelpFormatter
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from apps.policy.ids import untyped


class HelpInLines(BaseCommand):
    """A command whose help keeps its lines."""

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)


def vault_named(name: str, *, returncode: int = 1) -> UUID:
    """The vault whose id is written so. Raises CommandError, which exits with `returncode`."""
    vault_id = untyped("vlt", name)
    if vault_id is None:
        raise CommandError(f"{name!r} is no vault's id: write vlt_ and 32 hex digits.", returncode=returncode)
    return vault_id
