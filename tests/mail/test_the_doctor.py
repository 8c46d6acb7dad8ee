"""The operator sees how the post stands, by numbers: what waits too long, and why; what was given up."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from apps.console.management.commands.doctor import letters
from apps.ledger.log import act
from apps.mail import services as mail
from apps.mail.models import LetterRow
from apps.policy.ids import typed
from apps.policy.letters import Letter
from apps.policy.vocabulary import ReceiptKind
from tests.holders.people import newcomer


@pytest.fixture(autouse=True)
def _one_letter(empty: None) -> None:
    ines = newcomer("Ines")
    with act(ines.vault_id, ines.actor) as acting:
        acting.record(ReceiptKind.CLIENT_PAUSED, object=typed("vlt", ines.vault_id))
        facts = {"assistant": "Cookbot", "how": "lapsed", "days": 90, "reads": 2}
        mail.post(acting, Letter.ENDED, ines.user_id, facts, key="a/b")


def test_one_that_was_just_written_is_no_trouble() -> None:
    assert [(each.level, each.says) for each in letters()] == [("ok", "waiting to be sent: 1")]
    LetterRow.objects.update(sent_at=Now(), facts={})
    assert [(each.level, each.says) for each in letters()] == [("ok", "waiting to be sent: none")]


def test_one_that_waits_too_long_is_and_the_last_trouble_is_named() -> None:
    LetterRow.objects.update(made_at=Now() - timedelta(hours=1), trouble="ConnectionRefusedError")
    (found,) = letters()
    assert found.level == "warn" and found.says.startswith("waiting to be sent: 1, the oldest since 20")
    assert "ConnectionRefusedError" in found.says and "MUNIMENT_SMTP_URL" in found.fix
    assert "Ines" not in found.says and "Cookbot" not in found.says


def test_one_that_is_held_for_quiet_hours_waits_and_is_no_trouble() -> None:
    LetterRow.objects.update(made_at=Now() - timedelta(hours=5), due_at=Now() + timedelta(hours=3))
    assert [(each.level, each.says) for each in letters()] == [("ok", "waiting to be sent: 1")]


def test_those_given_up_are_counted() -> None:
    LetterRow.objects.update(failed=True, facts={})
    (found,) = letters()
    assert found.level == "warn" and found.says.startswith("given up: 1")
