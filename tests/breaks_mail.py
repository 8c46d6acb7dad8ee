"""Breaks of shares and mail: see tests/breaks.py, which knows of them by importing this."""

from typing import Any

import pytest

from tests.breaks import STAMP, edit, sabotage


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
    "mail_names_nothing",
    how="a letter's subject names the assistant that asks",
    red="test_no_header_names_an_assistant_or_quotes_the_sender_of_a_share",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.mail import services

    honest = services.write

    def write(envelope: Any) -> Any:
        mail = honest(envelope)
        mail.subject = f"{mail.subject} ({envelope.facts.get('assistant', '')})"
        return mail

    patch.setattr(services, "write", write)


@sabotage(
    "mail_names_nothing",
    how="what a share holds is named to whom its link goes",
    red="test_no_value_no_label_and_no_purpose",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.mail import services

    honest = services.write

    def write(envelope: Any) -> Any:
        mail = honest(envelope)
        held = "SELECT label FROM memory JOIN share_item USING (vault_id, memory_id) ORDER BY made_at DESC LIMIT 4"
        mail.body += "".join(f"Shared: {label}\n" for (label,) in admin.execute(held))
        return mail

    patch.setattr(services, "write", write)
