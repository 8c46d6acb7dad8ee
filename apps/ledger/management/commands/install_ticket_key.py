"""Copies the ticket key's HMAC pads into the database, so that it knows our tickets from forged ones.

The row says also whether the instance is on hold; a backup leaves it out, so that comes from the record of holds."""

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections  # noqa: TID251  (a deployment step, run as the owner)

from apps.ledger.tickets import pads

FLUSHES = 170000  # the first version with a call that flushes, which `take` needs where stamps are asynchronous


class Command(BaseCommand):
    help = "Install MUNIMENT_TICKET_KEY and MUNIMENT_ASYNC_STAMP into the database (needs MUNIMENT_DB_OWNER_URL)."

    def handle(self, *args: object, **options: object) -> None:
        """Install both. Refuses asynchronous stamps where the server cannot have them; then nothing is changed."""
        ipad, opad = pads(bytes.fromhex(settings.MUNIMENT_TICKET_KEY))
        with connections["owner"].cursor() as cursor:
            server = cursor.connection.info.server_version
            if settings.ASYNC_STAMP and server < FLUSHES:
                raise CommandError(
                    f"MUNIMENT_ASYNC_STAMP needs PostgreSQL {FLUSHES // 10000} or newer, and this server is"
                    f" {server // 10000}: nothing could be handed over. Set it to false. Nothing was changed."
                )
            cursor.execute(
                "INSERT INTO sealed.ticket_key (id, ipad, opad, async, held) VALUES (1, %s, %s, %s,"
                " coalesce((SELECT h.held FROM log.hold h ORDER BY h.id DESC LIMIT 1), false))"
                " ON CONFLICT (id) DO UPDATE SET ipad = excluded.ipad, opad = excluded.opad, async = excluded.async,"
                " held = excluded.held",
                [ipad, opad, settings.ASYNC_STAMP],
            )
        self.stdout.write("The ticket key is installed.")
