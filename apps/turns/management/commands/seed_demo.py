"""Seeds the demo household, once."""

from django.core.management.base import BaseCommand

from apps.access import services as access
from apps.turns.management import casa_m
from vault.clock import utc_now


class Command(BaseCommand):
    help = "Make Casa M., Ines, her eight memories and Cookbot, if they are not there. Prints the demo sign-in."

    def handle(self, *args: object, **options: object) -> None:
        address, password = casa_m.sign_in()
        holder = casa_m.person(address, password, utc_now())
        if not access.clients(holder):
            casa_m.cookbot(holder, utc_now())
        self.stdout.write(f"Demo sign-in: {address}  password: {password}")
