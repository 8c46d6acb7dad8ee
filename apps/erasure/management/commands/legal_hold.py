"""Bars erasing in a vault until a day, lifts that, or lists every time it was barred.

manage.py legal_hold place --vault vlt_… --by 'The district court' --why 'Case 12' --until 2027-03-01
manage.py legal_hold lift --vault vlt_… --hold lho_…
manage.py legal_hold list --vault vlt_…

The holder is shown who and why. A day is over at its end in UTC; a moment may be given instead (2027-03-01T12:00Z).
"""

from argparse import ArgumentParser
from datetime import UTC, date, datetime, time
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from apps.erasure import services
from apps.holders import services as holders
from apps.policy.ids import instant, typed, untyped
from apps.policy.text import TextProblem
from vault.clock import utc_now
from vault.commands import HelpInLines, vault_named


class Command(HelpInLines):
    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=["place", "lift", "list"])
        parser.add_argument("--vault", required=True, help="vlt_…")
        parser.add_argument("--by", help="place: who bars it, in words for the holder")
        parser.add_argument("--why", help="place: why, in words for the holder")
        parser.add_argument("--until", help="place: the last day, or a moment with its zone")
        parser.add_argument("--hold", help="lift: lho_…, as `list` says it")

    def handle(self, *args: object, **options: Any) -> None:
        vault_id = vault_named(options["vault"])
        if holders.holder_of_vault(vault_id) is None:
            raise CommandError("There is no such vault here.")
        getattr(self, f"_{options['what']}")(vault_id, options)

    def _place(self, vault_id: UUID, options: dict[str, Any]) -> None:
        missing = [f"--{name}" for name in ("by", "why", "until") if not options[name]]
        if missing:
            raise CommandError(f"Placing a hold needs {', '.join(missing)}.")
        try:
            made = services.place(vault_id, options["by"], options["why"], _until(options["until"]), utc_now())
        except TextProblem as problem:
            raise CommandError(f"--{problem.field}: {problem.detail}") from None
        self.stdout.write(f"{typed('lho', made.hold_id)} is placed: nothing is erased there until {_day(made.until)}.")

    def _lift(self, vault_id: UUID, options: dict[str, Any]) -> None:
        hold_id = untyped("lho", options["hold"])
        if hold_id is None:
            raise CommandError("Say which: --hold lho_…, as `legal_hold list` says it.")
        if services.lift(vault_id, hold_id, utc_now()) is not None:
            raise CommandError("This hold does not stand at that vault: it was lifted before, or never placed there.")
        self.stdout.write(f"{options['hold']} is lifted.")

    def _list(self, vault_id: UUID, options: dict[str, Any]) -> None:
        now = utc_now()
        found = services.holds_at(vault_id)
        for each in found:
            over = f"lifted {_day(each.lifted_at)}" if each.lifted_at else "over"
            stands = "stands" if each.standing(now) else over
            told = f"{_day(each.placed_at)} to {_day(each.until)}, {stands}: {each.by}: {each.why}"
            self.stdout.write(f"{typed('lho', each.hold_id)}  {told}")
        if not found:
            self.stdout.write("There never was one.")


def _until(text: str) -> datetime:
    """Raises CommandError."""
    try:
        if len(text) == 10:
            return datetime.combine(date.fromisoformat(text), time.max, UTC)
        at = datetime.fromisoformat(text)
    except ValueError:
        raise CommandError(f"--until: {text!r} is no day: write it as 2027-03-01.") from None
    if at.tzinfo is None:
        raise CommandError("--until: a moment needs its zone: write 2027-03-01T12:00Z, or the day alone.")
    return at


def _day(at: datetime) -> str:
    return instant(at)[:16].replace("T", " ") + " UTC"
