"""What the desk calls things."""

from datetime import timedelta
from functools import cache

from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from apps.policy.review import Check, DeskRow
from apps.policy.vocabulary import Refusal, ReviewOutcome, Role

CHECKS: dict[tuple[Check, bool], str] = {
    (Check.PERSON_FIRST, True): "the person said yes first",
    (Check.OTHER_EYES, True): "yours to review",
    (Check.OTHER_EYES, False): "not yours: you are that person, act for them, or decided for them",
    (Check.TIME, True): "time within what the space allows",
    (Check.TIME, False): "longer than the space allows: narrow it",
    (Check.READS, True): "reads within what the space allows",
    (Check.READS, False): "more reads than the space allows: narrow it",
}

OUTCOMES: dict[ReviewOutcome, str] = {
    ReviewOutcome.APPROVED: "approved",
    ReviewOutcome.NARROWED: "approved for less",
    ReviewOutcome.RETURNED: "sent back",
    ReviewOutcome.DECLINED: "declined",
}

SHORTER: dict[str, tuple[str, timedelta]] = {
    "hour": ("an hour from now", timedelta(hours=1)),
    "day": ("a day from now", timedelta(days=1)),
    "week": ("7 days from now", timedelta(days=7)),
    "month": ("30 days from now", timedelta(days=30)),
}

NOES: dict[Refusal, tuple[int, str]] = {
    Refusal.NOT_YOURS: (403, "You can’t review this: you are that person, act for them, or made their decision."),
    Refusal.ALREADY_DECIDED: (409, "This was decided before, or its time is over. Nothing has changed."),
    Refusal.WIDER: (
        422,
        "What the person allowed can only become less: an earlier end, fewer reads, within what the space allows.",
    ),
}

DONE: dict[ReviewOutcome, str] = {
    ReviewOutcome.APPROVED: "Approved. The assistant may read it now.",
    ReviewOutcome.NARROWED: "Approved for less. The assistant may read it now.",
    ReviewOutcome.RETURNED: "Sent back. The person sees your reason.",
    ReviewOutcome.DECLINED: "Declined. The assistant is told no, and not by whom.",
}


def decided(row: DeskRow) -> str:
    """Who said yes, and by which tier: `self`, `self, aged 13 to 18`, `guardian, who decides until 13`, `delegate`."""
    ages = row.band
    if row.decided_by is Role.HOLDER:
        return f"self, aged {ages.from_years} to {ages.until_years}" if ages else "self"
    until = f", who decides until {ages.until_years}" if ages and row.decided_by is Role.GUARDIAN else ""
    return f"{row.decided_by.value}{until}"


@cache
def checked(checks: tuple[tuple[Check, bool], ...]) -> SafeString:
    """What the policy asks, in words, and whether it holds. There are few such lists, and many rows have each."""
    return format_html_join(
        "; ", '<span class="{}">{}</span>', (("holds" if each[1] else "fails", CHECKS[each]) for each in checks)
    )


def how_long(length: timedelta) -> str:
    """A length of time in its two largest units: `2 days 3 h`, `5 h 12 min`, `40 min`."""
    minutes = max(int(length.total_seconds()) // 60, 0)
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    if days:
        return f"{days} day{'s' if days != 1 else ''}" + (f" {hours} h" if hours else "")
    return f"{hours} h {rest} min" if hours else f"{rest} min"
