"""Says of vaults whether anything is left of what was erased: coverage first, then what was found, by ids alone.

manage.py erasure_audit --vault vlt_… [--vault vlt_…] [--json]

Ends with 0 where it is clean, 1 where something is left, 2 where it could not be told, which is no pass.
"""

import json
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.erasure import services
from apps.policy.ids import untyped
from vault.clock import utc_now

AUDIT_JSON = "muniment-erasure-audit/1"
_WORST_FIRST = (services.Found.FINDINGS, services.Found.UNAUDITED, services.Found.CLEAN)


class Command(BaseCommand):
    help = __doc__ or ""

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        """The help keeps its lines."""
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--vault", action="append", required=True, help="vlt_…; may be repeated")
        parser.add_argument("--json", action="store_true", help="the answers as one JSON document")

    def handle(self, *args: object, **options: Any) -> None:
        now, told = utc_now(), []
        for name in options["vault"]:
            vault_id = untyped("vlt", name)
            if vault_id is None:
                raise CommandError(f"{name!r} is no vault's id: write vlt_ and 32 hex digits.", returncode=2)
            audit = services.audit_vault(vault_id, now)
            if audit is None:
                raise CommandError(f"There is no ledger of {name} here, and never was.", returncode=2)
            told.append((name, audit))
        worst = next(each for each in _WORST_FIRST if any(audit.verdict is each for _, audit in told))
        if options["json"]:
            vaults = [{"vault": name, **audit.to_json()} for name, audit in told]
            document = {"format": AUDIT_JSON, "vaults": vaults, "exit_code": worst.exit_code}
            self.stdout.write(json.dumps(document, indent=2))
        else:
            for name, audit in told:
                self.stdout.write("\n".join([name, *(f"  {line}" for line in audit.lines())]))
        if worst.exit_code:
            raise SystemExit(worst.exit_code)
