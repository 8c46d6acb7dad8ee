"""Breaks of shares: see tests/breaks.py, which knows of them by importing this."""

from typing import Any

import pytest

from tests.breaks import STAMP, TAKE, edit, sabotage

LIVING = "AND s.locked_at IS NULL AND s.expires_at > ts"
UNSTOPPED = ("AND s.terms_version = x.terms\n        AND s.stopped_at IS NULL AND s.locked_at IS NULL", "")


@sabotage(
    "a_scanner_opens_nothing",
    how="the page of a link opens it as it is looked at",
    red="test_it_opens_nothing_and_the_person_opens_all_of_it",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.shares import services as shares
    from apps.web.views import visiting
    from vault.clock import utc_now

    honest = visiting.shown

    def shown(template: str, status: int = 200, *, token: str = "", **told: Any) -> Any:
        if template == "landing":
            shares.open_(token, utc_now())
        return honest(template, status, token=token, **told)

    patch.setattr(visiting, "shown", shown)


@sabotage(
    "a_scanner_opens_nothing",
    how="a form is taken that no page was shown for",
    red="test_it_opens_nothing_and_the_person_opens_all_of_it",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.web import visitors

    patch.setattr(visitors, "was_shown", lambda *_: True)


@sabotage(
    "a_scanner_opens_nothing",
    how="the page before the press says who shares",
    red="test_it_is_told_nothing",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.shares.services import opening
    from apps.web.views import visiting

    honest = visiting.shown

    def shown(template: str, status: int = 200, *, token: str = "", **told: Any) -> Any:
        _, found = opening.found_by(token)
        return honest(template, status, token=token, why=found.share.sender if found else "", **told)

    patch.setattr(visiting, "shown", shown)


@sabotage(
    "an_ended_share_opens_for_nobody",
    how="who opened it before may look again, whatever became of it",
    red="test_no_road_leads_in",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.shares.services import noting, opening

    for module in (noting, opening):
        patch.setattr(module, "admit_view", lambda *_: None)
    edit(admin, STAMP, (f"AND s.stopped_at IS NULL\n            {LIVING} AND (kind_", "AND (kind_"))
    edit(admin, TAKE, UNSTOPPED)


@sabotage(
    "an_ended_share_opens_for_nobody",
    how="whoever comes by the link is told that it was stopped",
    red="test_no_road_leads_in",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.shares.services import opening
    from apps.web.views import visiting

    honest = visiting._told

    def told(token: str, found: Any) -> Any:
        response = honest(token, found)
        _, known = opening.found_by(token)
        if known is not None and known.share.stopped_at:
            response.content = response.content.replace(b"nothing to open here", b"nothing to open any more")
        return response

    patch.setattr(visiting, "_told", told)


@sabotage(
    "an_ended_share_opens_for_nobody",
    how="the gate goes by the clock of the web server",
    red="test_the_database_s_clock_has_the_last_word",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    edit(admin, STAMP, (LIVING, "AND s.locked_at IS NULL"))


@sabotage(
    "an_ended_share_opens_for_nobody",
    how="what was stamped is released, though it was stopped meanwhile",
    red="test_what_is_under_way_is_not_handed_over_after_a_stop",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    edit(admin, TAKE, UNSTOPPED)
