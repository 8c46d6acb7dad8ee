"""The instance's transparency log: a leaf for each chain that has grown, a signed checkpoint for each tree.

The only process that holds the log's keys. Run it with DJANGO_SETTINGS_MODULE=vault.log_settings, which knows no other.
"""

import logging
import signal
import threading
from argparse import ArgumentParser
from pathlib import Path
from time import monotonic
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import InterfaceError, OperationalError, connections  # noqa: TID251  (a process that outlives its server)

from apps.ledger import services as ledger

SWEEP = 60.0  # seconds between two looks at every chain; in between only at those that grew lately
log = logging.getLogger("muniment.log")


class Command(BaseCommand):
    help = __doc__ or ""
    requires_system_checks = []  # this process has few settings, and reads them itself

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="integrate and publish what waits, then end")
        parser.add_argument("--new-key", action="store_true", help="sign with a key that this log never signed with")

    def handle(self, *args: object, **options: Any) -> None:
        """Until SIGTERM, or once. One sentence and exit 1 where the log must not go on."""
        if "log" not in settings.DATABASES:
            raise CommandError("MUNIMENT_DB_LOG_URL is not set: give the URL of the role muniment_log.")
        try:
            if options["once"]:
                publisher = self._publisher(new_key=options["new_key"])
                self._say(ledger.step(publisher, everything=True, settle=True))
            else:
                self._go_on(new_key=options["new_key"])
        except (ledger.LogProblem, ledger.KeyProblem, ledger.OnHold) as problem:
            raise CommandError(str(problem)) from None
        except OperationalError as error:
            said = (str(error).strip().splitlines() or ["no answer"])[-1]
            raise CommandError(f"The database of MUNIMENT_DB_LOG_URL does not let the log in: {said}") from None

    def _publisher(self, *, new_key: bool) -> ledger.Publisher:
        """Raises OnHold before a key is looked at: an older database may not know the one that is right."""
        ledger.refuse_on_hold()
        key_file = Path(settings.LOG_KEY_FILE)
        return ledger.publisher(
            key_file,
            signer=settings.LOG_SIGNER,
            origin=settings.LOG_ORIGIN,
            new_key=new_key,
            policy_file=settings.LOG_POLICY,
        )

    def _go_on(self, *, new_key: bool) -> None:
        """Until the end. On hold it waits: whoever lifts that needs not start it again."""
        over = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: over.set())
        swept, publisher, waits = -SWEEP, None, ""
        while not over.is_set():
            began = monotonic()
            everything = began - swept >= SWEEP
            try:
                publisher = publisher or self._publisher(new_key=new_key)
                self._say(ledger.step(publisher, everything=everything))
                swept, waits = began if everything else swept, ""
            except ledger.OnHold as held:
                publisher, swept = None, -SWEEP  # the log may have another name afterwards
                if str(held) != waits:
                    log.error("On hold, nothing is stamped or signed. %s", held)
                waits = str(held)
            except (OperationalError, InterfaceError) as error:  # the server restarts: the next step looks again
                log.warning("The database does not answer (%s).", type(error).__name__)
                connections["log"].close()
                swept = -SWEEP
            over.wait(max(0.0, settings.LOG_INTERVAL_SECONDS - (monotonic() - began)))

    def _say(self, published: Any) -> None:
        if published is not None:
            log.info("Published a tree of %d leaves.", published.size)
