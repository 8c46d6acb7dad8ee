"""Breaks of mail: see tests/breaks.py, which knows of them by importing this."""

from typing import Any

import pytest

from tests.breaks import sabotage


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


@sabotage(
    "a_letter_that_is_switched_off_is_not_sent",
    how="nobody asks what its reader wishes as a letter is written",
    red="test_it_is_not_sent_and_to_another_it_is",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.mail import store

    patch.setattr(store, "wants", lambda *_: True)


@sabotage(
    "a_letter_that_is_switched_off_is_not_sent",
    how="what waits already goes all the same",
    red="test_nor_where_it_waited_already",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.mail import wished

    patch.setattr(wished, "wants", lambda *_: True)


@sabotage(
    "a_letter_that_is_switched_off_is_not_sent",
    how="everything can be switched off",
    red="test_what_protects_is_sent_whatever_is_switched_off",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.mail import store
    from apps.policy.wishes import Every

    patch.setattr(store, "wants", lambda wishes, _: wishes.receipts is not Every.OFF)


@sabotage(
    "a_letter_that_is_switched_off_is_not_sent",
    how="whoever follows the link unsubscribes its reader",
    red="test_one_press_switches_it_off_and_following_the_link_does_not",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.mail import services
    from vault.clock import utc_now

    patch.setattr(services, "unsubscribing", lambda token: services.unsubscribe(token, utc_now()))


@sabotage(
    "a_letter_that_is_switched_off_is_not_sent",
    how="the press of a mail program is answered, and nothing is done",
    red="test_one_press_switches_it_off_and_following_the_link_does_not",
)
def _(admin: Any, patch: pytest.MonkeyPatch) -> None:
    from apps.mail import services

    patch.setattr(services, "unsubscribe", lambda token, _: services.unsubscribing(token))
