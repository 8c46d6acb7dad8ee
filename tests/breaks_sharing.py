"""Breaks of shares: see tests/breaks.py, which knows of them by importing this."""

from typing import Any

import pytest

from tests.breaks import STAMP, TAKE, edit, sabotage

LIVING = "AND s.locked_at IS NULL AND s.expires_at > ts"
UNSTOPPED = ("AND s.terms_version = x.terms\n        AND s.stopped_at IS NULL AND s.locked_at IS NULL", "")


@sabotage(
    "a_share_carries_only_what_it_was_given",
    how="what a memory says now goes out, whichever version was shared",
    red="test_whatever_is_done_in_between",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.policy import shares
    from apps.shares.services import opening

    def shown(share: Any, memories: Any) -> Any:
        chosen = {each.memory_id for each in share.items}
        return tuple(each for each in memories if each.memory_id in chosen and shares.may_be_shared(each))

    patch.setattr(opening, "shown", shown)


@sabotage(
    "a_share_carries_only_what_it_was_given",
    how="the gate does not look whether the share holds what a plan names",
    red="test_the_gate_hands_out_nothing_else_whatever_it_is_asked",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    edit(admin, STAMP, ("AND (i.m, i.v)::text = ANY (shared)", ""))


@sabotage(
    "a_share_carries_only_what_it_was_given",
    how="the gate hands out the value of what is attested",
    red="test_the_gate_hands_out_no_attested_value",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    held = "ELSE i.s = 'approved' AND i.c = 'ordinary' AND (i.f = 'attested' OR NOT i.a)"
    edit(admin, STAMP, (held, "ELSE i.s = 'approved' AND i.c = 'ordinary'"))


@sabotage(
    "two_openings_at_once_count_as_two",
    how="an opening is counted before the others are waited for",
    red="test_of_many_at_once_as_many_as_were_said",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    spending = "SET opens_left = s.opens_left - 1"
    edit(
        admin,
        STAMP,
        (spending, "SET opens_left = greatest(s.opens_left - 1, 0)"),
        ("AND (kind_ = 'value.viewed' OR s.opens_left > 0)", ""),
        ("AND s.terms_version = terms_ AND s.opens_left > 0", "AND s.terms_version = terms_"),
    )


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
    from apps.shares.services import opening

    patch.setattr(opening, "admit_view", lambda *_: None)
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
