"""Breaks of what people do for each other: see tests/breaks.py, which knows of them by importing this."""

from typing import Any

import pytest

from tests.breaks import STAMP, edit, sabotage


@sabotage(
    "a_guardian_acts_under_their_own_name",
    how="a guardian is written down as a holder, whom everything knows how to show",
    red="test_every_receipt_says_who_acted_in_which_role_and_for_whom",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.policy import people
    from apps.policy.vocabulary import Role

    patch.setitem(people._ACTORS, Role.GUARDIAN, "hld")


@sabotage(
    "what_a_minor_seals_leaves_no_trace",
    how="a guardian's ledger shows the chain's own numbers, which have gaps",
    red="test_a_guardian_sees_the_same_bytes_before_and_after",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.policy.veil import Veil

    patch.setattr(Veil, "place", lambda veil, seq: seq)


@sabotage(
    "nobody_opens_a_file_in_an_emergency_unseen",
    how="the gate shows values to whoever once came in, without asking whether that is over",
    red="test_once_it_is_over_nothing_is_shown_to_a_seat_from_before",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    edit(admin, STAMP, ("e.left_at IS NULL AND e.ends_at > ts AND gate.in_emergency(e.delegation_id)", "true"))


@sabotage(
    "a_consent_record_leads_to_the_notice_that_was_read",
    how="a record leads to the notice that its space has now, whatever was read",
    red="test_every_record_leads_to_what_stood_above_its_button",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.holders import settled

    patch.setattr(settled, "notice", lambda space_id, version: getattr(settled.policy_of(space_id), "notice", ""))
