"""(Of restore.) Looks which root keys open a database that was restored beside the one in use, and erases again in it
what was erased since. Asked and answered in JSON, on standard input and output.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections  # noqa: TID251  (a deployment step, run as the owner)

from apps.erasure.services.again import end_again, erase_again
from apps.memories.services.again import shut_keys
from vault.clock import utc_now

BESIDE = "_restoring"  # what the name of such a database ends in


class Command(BaseCommand):
    help = __doc__ or ""
    requires_system_checks = []

    def handle(self, *args: object, **options: Any) -> None:
        """Given `root_keys` (paths), `vaults` and `gone` (vault, memory or `*`, order or `-`). Answers with the first
        of the paths whose keys open all, and how many `vaults`, memories (`erased`) and suggestions (`ended`) were
        there again; or with `shut`, what stays shut by the last of the paths: (vault, root epoch).
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
                self.stdout.write(json.dumps({"root_keys": path} | _erase(asked["gone"])))
                return
        self.stdout.write(json.dumps({"shut": shut}))


def _erase(gone: Iterable[tuple[str, str, str]]) -> dict[str, int]:
    """Vaults first: what is gone with one needs no order of its own."""
    orders: dict[UUID, dict[UUID, list[UUID]]] = defaultdict(lambda: defaultdict(list))
    down: dict[UUID, set[UUID]] = defaultdict(set)
    vaults: dict[UUID, UUID] = {}
    for vault, memory, order in gone:
        if memory == "*":
            vaults[UUID(vault)] = UUID(order)
        elif order == "-":
            down[UUID(vault)].add(UUID(memory))
        else:
            orders[UUID(vault)][UUID(order)].append(UUID(memory))
    whole = sum(end_again(vault, order, utc_now()) for vault, order in vaults.items())
    each = [erase_again(vault, orders[vault], down[vault], utc_now()) for vault in {*orders, *down} - {*vaults}]
    return {"vaults": whole, "erased": sum(done for done, _ in each), "ended": sum(done for _, done in each)}
