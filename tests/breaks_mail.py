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
