"""What every page's frame shows."""

from functools import cache

from django.conf import settings
from django.http import HttpRequest

from apps.access import services as access
from apps.memories import services as memories
from apps.web.doors import holder_of
from vault.clock import utc_now

NAV = (  # address, word, whether it stands in the bar at a phone's thumb
    ("/", "Ask", True),
    ("/inbox", "Inbox", True),
    ("/ledger", "Ledger", True),
    ("/file", "File", True),
    ("/grants", "Assistants", False),
)
UNDER = {"/chat": "/", "/requests": "/inbox", "/receipts": "/ledger"}


def frame(request: HttpRequest) -> dict[str, object]:
    """The holder, their time zone, what waits for them, and where they are. Looked up only where a page shows it."""

    @cache
    def holder() -> object:
        return holder_of(request) if hasattr(request, "user") else None

    @cache
    def inbox_count() -> int:
        found = holder_of(request)
        return len(access.waiting(found, utc_now())) + memories.count_pending(found) if found else 0

    def zone() -> str:
        found = holder_of(request) if hasattr(request, "user") else None
        return found.time_zone if found else "UTC"

    top = "/" + request.path.split("/")[1]
    return {
        "holder": holder,
        "inbox_count": inbox_count,
        "zone": zone,
        "nav": NAV,
        "here": UNDER.get(top, top),
        "mail_is_filed": settings.EMAIL_BACKEND.endswith(".filebased.EmailBackend"),
    }
