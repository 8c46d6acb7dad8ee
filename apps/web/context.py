"""What every page's frame shows."""

from dataclasses import dataclass
from functools import cache
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest

from apps.access import services as access
from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.memories import services as memories
from apps.policy.roles import Deed
from apps.policy.types import Holder
from apps.web.doors import holder_of
from apps.web.emergencies import Emergencies
from vault.clock import utc_now

NAV = (  # address, word, whether it stands in the bar at a phone's thumb, and what one must be allowed to be led there
    ("/", "Ask", True, Deed.ASK),
    ("/inbox", "Inbox", True, Deed.FOLLOW),
    ("/ledger", "Ledger", True, Deed.FOLLOW),
    ("/file", "File", True, Deed.LOOK),
    ("/grants", "Assistants", False, Deed.FOLLOW),
    ("/shares", "Shares", True, Deed.SHARE),
    ("/people", "People", False, Deed.SELF),
)
OPEN = {"/verify", "/accounts"}  # what a stranger is told of a hold on: their file is checked, and nobody signs up
REVIEW = "/review/"  # the reviewers' desk: who has a place at one is led there from every page
UNDER = {
    REVIEW.rstrip("/"): REVIEW,
    "/chat": "/",
    "/requests": "/inbox",
    "/receipts": "/ledger",
    "/check": "/file",
    "/erase": "/file",
    "/erasures": "/file",
    "/invited": "/people",
    "/emergency": "/people",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One word of the menu; `count` is how much waits there."""

    address: str
    word: str
    thumb: bool
    count: int


def frame(request: HttpRequest) -> dict[str, object]:
    """The person and their seats, their time zone, what waits for them, where they are, and whether nothing is stamped.
    Looked up only where a page shows it.
    """

    def holder() -> Holder | None:
        return holder_of(request) if hasattr(request, "user") else None

    def signed_in() -> UUID | None:
        return request.user.pk if hasattr(request, "user") and request.user.is_authenticated else None

    @cache
    def seats() -> tuple[Holder, ...]:
        found = holder()
        return holders.seats(found.user_id) if found else ()

    def may() -> dict[str, bool]:
        found = holder()
        return {each.name: holders.may(found, each) for each in Deed} if found else {}

    @cache
    def nav() -> list[Entry]:
        allowed, counts = may(), {"/inbox": inbox_count}
        found = [
            Entry(address, word, thumb, counts.get(address, lambda: 0)())
            for address, word, thumb, deed in NAV
            if allowed.get(deed.name)
        ]
        waits = access.waits_for(user_id) if (user_id := signed_in()) else None
        return found if waits is None else [*found, Entry(REVIEW, "Review", False, waits)]

    def inbox_count() -> int:
        found = holder()
        if not found or not holders.may(found, Deed.FOLLOW):
            return 0
        return len(access.waiting(found, utc_now())) + memories.count_pending(found)

    def birthdays() -> tuple[holders.Notice, ...]:
        found = holder()
        return holders.notices(found.user_id, utc_now()) if found else ()

    def emergencies() -> Emergencies | None:
        found = holder()
        return Emergencies(found, utc_now()) if found else None

    def zone() -> str:
        found = holder()
        return found.time_zone if found else "UTC"

    top = "/" + request.path.split("/")[1]

    @cache
    def on_hold() -> bool:
        concerned = top in OPEN or signed_in() is not None
        return concerned and ledger.on_hold() is not None

    return {
        "holder": holder,
        "seats": seats,
        "may": may,
        "birthdays": birthdays,
        "emergencies": cache(emergencies),
        "zone": zone,
        "nav": nav,
        "on_hold": on_hold,
        "guests": settings.GUESTS,
        "signup_open": settings.SIGNUP_OPEN,
        "here": UNDER.get(top, top),
        "mail_is_filed": settings.EMAIL_BACKEND.endswith(".filebased.EmailBackend"),
    }
