"""Seeds the demo household, once."""

from django.core.management.base import BaseCommand

from apps.access import services as access
from apps.turns.management import casa_m
from vault.clock import utc_now


class Command(BaseCommand):
    help = "Make Casa M., Ines, her eight memories and Cookbot, if they are not there. Prints the demo sign-in."

    def handle(self, *args: object, **options: object) -> None:
        password = casa_m.password()
        holder = casa_m.person(casa_m.ADDRESS, password, utc_now())
        if not access.clients(holder):
            casa_m.cookbot(holder, utc_now())
        # The line begins like this for whoever looks for it, and never shows a password that signs nobody in.
        known = casa_m.opens(holder, password)
        said = f"password: {password}" if known else "its vault was there already; the password is the one set before"
        self.stdout.write(f"Demo sign-in: {casa_m.ADDRESS}  {said}")
