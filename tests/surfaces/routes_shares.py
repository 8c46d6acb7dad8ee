"""The rows of the table of routes that are about shares: see routes.py."""

from tests.surfaces.calls import BODY, HOLDER, MATCH, QUERY, Call, key
from tests.surfaces.calls import route as R  # noqa: N812  (a row is a line)

NOT_THESE = {"not-found", "no-shares", "never-shared", "local-only"}

SHARES = (
    R(
        "POST",
        "shares/preview",
        HOLDER,
        "shares.preview",
        BODY | NOT_THESE,
        lambda s: Call({"memories": [s.home.kitchen]}),
    ),
    R("GET", "shares", HOLDER, "shares.shares", QUERY, foreign=200),
    R(
        "POST",
        "shares",
        HOLDER,
        "shares.make",
        BODY | NOT_THESE | {"rate-limited", "idempotency-key-required", "idempotency-reuse"},
        lambda s: Call({"memories": [s.home.kitchen]}, key(), status=201),
    ),
    R("GET", "shares/<str:share>", HOLDER, "shares.share", QUERY),
    R("POST", "shares/<str:share>/revoke", HOLDER, "shares.stop", MATCH, lambda _: Call(headers={"If-Match": "*"})),
    R("GET", "shares/<str:share>/opens", HOLDER, "shares.openings", QUERY),
)
