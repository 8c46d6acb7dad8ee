"""(Of restore.) Looks which root keys open a database that was restored beside the one in use, and erases again in it
what was erased since. Asked and answered in JSON, on standard input and output.
"""

import json
import sys
from collections import defaultdict
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections  # noqa: TID251  (a deployment step, run as the owner)

from apps.erasure.services.again import Known, end_again, erase_again
from apps.holders.services.again import sign_in_by
from apps.memories.services.again import shut_keys
from apps.policy.erasing import LegalHold
from vault.clock import utc_now

STOPPED = ("client", "paused", "key", "grant", "leave", "share", "link")
BESIDE = "_restoring"  # what the name of such a database ends in


class Command(BaseCommand):
    help = __doc__ or ""
    requires_system_checks = []

    def handle(self, *args: object, **options: Any) -> None:
        """Given `root_keys` (paths), `vaults` and `gone` (vault, what, order or `-`: see ops.backups.tombstones), and
        rows of the database that is replaced: `orders`, `holds` and `people`. Answers with the first of the paths whose
        keys open all, how many `vaults`, memories (`erased`), suggestions that waited (`ended`) and other words
        (`blanked`) were there again, how many assistants, keys, grants, shares and people that act were let in again
        (`stopped`), how many `orders` and `holds` are carried over, and how many people signed in by something else
        (`people`); or with `shut`, what stays shut by the last of the paths: (vault, root epoch).
        """
        if not str(settings.DATABASES["default"]["NAME"]).endswith(BESIDE):
            raise CommandError("This is a step of manage.py restore, on the database that it has made beside.")
        with connections["owner"].cursor() as cursor:
            # A hold is for whoever serves. Nobody is served from here, and what was erased must go whatever is held;
            # install_ticket_key puts it back.
            cursor.execute("UPDATE sealed.ticket_key SET held = false")
        asked = json.loads(sys.stdin.read())
        shut: list[tuple[str, int]] = []
        for path in asked["root_keys"]:
            settings.MUNIMENT_ROOT_KEY_FILE = path
            shut = [(vault, root) for vault in asked["vaults"] for _, root in shut_keys(UUID(vault))]
            if not shut:
                self.stdout.write(json.dumps({"root_keys": path} | _erase(asked)))
                return
        self.stdout.write(json.dumps({"shut": shut}))


def _erase(asked: dict[str, Any]) -> dict[str, int]:
    """Vaults first: what is gone with one needs no order of its own."""
    found, vaults = _known(asked)
    now = utc_now()
    whole = sum(end_again(vault, order, found[vault].orders.get(order), now) for vault, order in vaults.items())
    each = [erase_again(vault, known, now) for vault, known in found.items() if vault not in vaults]
    counts = ("erased", "ended", "blanked", "stopped", "orders", "holds")
    done = {name: sum(getattr(done, name) for done in each) for name in counts}
    return {"vaults": whole, "people": sign_in_by(asked["people"])} | done


def _known(asked: dict[str, Any]) -> tuple[dict[UUID, Known], dict[UUID, UUID]]:
    """What is known of each vault, and by which order one went whole."""
    found: dict[UUID, Known] = defaultdict(Known)
    vaults: dict[UUID, UUID] = {}
    for vault, what, order in asked["gone"]:
        known, (kind, _, name) = found[UUID(vault)], what.rpartition(":")
        if what == "*":
            vaults[UUID(vault)] = UUID(order)
        elif kind in STOPPED:
            known.stopped.setdefault(kind, set()).add(UUID(name))
        elif kind:
            known.wordless.setdefault(kind, set()).add(UUID(name))
        elif order == "-":
            known.turned_down.add(UUID(name))
        else:
            known.gone.setdefault(UUID(order), set()).add(UUID(name))
    for row in asked["orders"]:
        found[UUID(row["vault_id"])].orders[UUID(row["order_id"])] = row
    for row in asked["holds"]:
        found[UUID(row["vault_id"])].holds.append(_hold(row))
    return found, vaults


def _hold(row: dict[str, Any]) -> LegalHold:
    placed_at, until = (datetime.fromisoformat(row[each]) for each in ("placed_at", "until"))
    lifted_at = datetime.fromisoformat(row["lifted_at"]) if row["lifted_at"] else None
    return LegalHold(UUID(row["hold_id"]), row["by"], row["why"], placed_at, until, lifted_at)
