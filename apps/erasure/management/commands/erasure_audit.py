"""Says of vaults whether anything is left of what was erased: coverage first, then what was found, by ids alone.

manage.py erasure_audit [--vault vlt_… …] [--json]

Without --vault it looks at every vault there is or was. Ends with 0 where it is clean, 1 where something is left, 2
where it could not be told, which is no pass.
"""

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from apps.erasure import services
from apps.ledger import services as ledger
from apps.policy.ids import typed
from vault.clock import utc_now
from vault.commands import HelpInLines, vault_named

AUDIT_JSON = "muniment-erasure-audit/1"
_WORST_FIRST = (services.Found.FINDINGS, services.Found.UNAUDITED, services.Found.CLEAN)


class Command(HelpInLines):
    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--vault", action="append", help="vlt_…; may be repeated; without it every vault")
        parser.add_argument("--json", action="store_true", help="the answers as one JSON document")

    def handle(self, *args: object, **options: Any) -> None:
        now, told = utc_now(), []
        for name in options["vault"] or _every_vault():
            audit = services.audit_vault(vault_named(name, returncode=2), now)
            if audit is None:
                raise CommandError(f"There is no ledger of {name} here, and never was.", returncode=2)
            told.append((name, audit))
        verdicts = Counter(audit.verdict for _, audit in told)
        worst = next((each for each in _WORST_FIRST if verdicts[each]), services.Found.CLEAN)
        if options["json"]:
            vaults = [{"vault": name, **audit.to_json()} for name, audit in told]
            document = {"format": AUDIT_JSON, "vaults": vaults, "exit_code": worst.exit_code}
            self.stdout.write(json.dumps(document, indent=2))
        else:
            for name, audit in told:
                self.stdout.write("\n".join([name, *(f"  {line}" for line in audit.lines())]))
            came_to = ", ".join(f"{verdicts[each]} {each.value}" for each in services.Found)
            self.stdout.write(f"Vaults: {len(told)}; {came_to}.")
        if worst.exit_code:
            raise SystemExit(worst.exit_code)


def _every_vault() -> Iterator[str]:
    if "log" not in settings.DATABASES:
        raise CommandError(
            "MUNIMENT_DB_LOG_URL is not set: give the URL of the role muniment_log, or name vaults by --vault.",
            returncode=2,
        )
    return (typed("vlt", vault_id) for vault_id in ledger.every_vault())
