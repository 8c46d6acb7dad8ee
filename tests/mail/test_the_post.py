"""A letter is written in an act and goes once that stands: never for an act that did not, once however many send."""

import secrets
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings as ours
from django.contrib.auth import get_user_model
from django.db.models.functions import Now

from apps.ledger.log import act
from apps.mail import services as mail
from apps.mail import tasks
from apps.mail.models import LetterRow
from apps.policy.ids import typed
from apps.policy.letters import MOST_ATTEMPTS, Given, Letter
from apps.policy.types import Holder
from apps.policy.vocabulary import ReceiptKind
from tests.holders.people import address_of, newcomer
from tests.mail.conftest import Postman, read
from tests.threads import at_once
from vault.clock import utc_now

FACTS: dict[str, Given] = {"assistant": "Cookbot", "how": "lapsed", "days": 90, "reads": 2}


@pytest.fixture
def ines(empty: None) -> Holder:
    return newcomer("Ines")


def told(
    ines: Holder, key: str = "", *, to: UUID | None = None, cancelled: bool = False, facts: dict[str, Given] = FACTS
) -> bool:
    """An act at Ines' vault that tells her of itself."""
    with act(ines.vault_id, ines.actor) as acting:
        acting.record(ReceiptKind.CLIENT_PAUSED, object=typed("vlt", ines.vault_id))
        written = mail.post(
            acting, Letter.ENDED, to or ines.user_id, facts, key=key or f"{secrets.token_hex(4)}/{secrets.token_hex(4)}"
        )
        if cancelled:
            acting.cancel()
    return written


def letter_of(ines: Holder) -> LetterRow:
    return LetterRow.objects.get(to_id=ines.user_id)


def let_time_pass() -> None:
    """What waits for its next try is due."""
    LetterRow.objects.filter(sent_at=None).update(due_at=Now())


def test_it_goes_when_its_act_stands(ines: Holder, postman: Postman) -> None:
    assert told(ines)
    assert tasks.sweep() == 1
    mail = postman.one_to(address_of(ines))
    assert mail["From"] == ours.MAIL_FROM and mail["To"] == address_of(ines)
    assert read(mail).subject == "An assistant’s access has ended"
    assert tasks.sweep() == 0


def test_nothing_goes_for_an_act_that_did_not_happen(ines: Holder, postman: Postman) -> None:
    told(ines, cancelled=True)
    with pytest.raises(RuntimeError), act(ines.vault_id, ines.actor) as broken:
        mail.post(broken, Letter.ENDED, ines.user_id, FACTS, key="a/b")
        raise RuntimeError
    assert tasks.sweep() == 0
    assert postman.kept == [] and not LetterRow.objects.exists()


def test_it_is_handed_to_the_worker_after_the_commit_and_not_before(
    ines: Holder, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[tuple[str, bool]] = []

    def hear(name: str, args: list[str], **more: Any) -> None:
        heard.append((name, LetterRow.objects.filter(letter_id=UUID(args[0])).exists()))

    monkeypatch.setattr(mail.app, "send_task", hear)
    with act(ines.vault_id, ines.actor) as acting:
        acting.record(ReceiptKind.CLIENT_PAUSED, object=typed("vlt", ines.vault_id))
        mail.post(acting, Letter.ENDED, ines.user_id, FACTS, key="a/b")
        assert heard == []
    assert heard == [("mail.send", True)]
    told(ines, cancelled=True)
    assert len(heard) == 1


def test_a_broker_that_is_down_undoes_nothing(ines: Holder, postman: Postman, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **more: Any) -> None:
        raise ConnectionError

    monkeypatch.setattr(mail.app, "send_task", refuse)
    assert told(ines)
    assert tasks.sweep() == 1


def test_once_for_each_thing_it_is_about(ines: Holder, postman: Postman) -> None:
    assert [told(ines, "cli_1/gra_1"), told(ines, "cli_1/gra_1"), told(ines, "cli_2/gra_2")] == [True, False, True]
    assert tasks.sweep() == 2


def test_a_burst_makes_one_letter_and_an_hour_later_another(ines: Holder, postman: Postman) -> None:
    assert [told(ines, f"cli_1/gra_{each}") for each in range(3)] == [True, False, False]
    LetterRow.objects.update(made_at=Now() - timedelta(minutes=61))
    assert told(ines, "cli_1/gra_4")
    assert told(ines, "cli_12/gra_4"), "another series, though its name begins the same"


def test_two_workers_two_sweeps_and_a_message_that_comes_again_send_one_mail(ines: Holder, postman: Postman) -> None:
    told(ines)
    one = letter_of(ines).letter_id.hex
    done = at_once([lambda: tasks.send(one), lambda: tasks.send(one), tasks.sweep, tasks.sweep])
    assert sorted(done, key=bool) == [0, 0, 0, 1]
    assert tasks.send(one) is False
    assert len(postman.to(address_of(ines))) == 1


def test_who_fell_after_the_server_s_yes_sends_it_again_as_the_same_mail(ines: Holder, postman: Postman) -> None:
    told(ines)
    row = letter_of(ines)
    kept = dict(row.facts)
    tasks.sweep()
    LetterRow.objects.update(sent_at=None, facts=kept, due_at=Now() + timedelta(minutes=9))  # the note never came
    assert tasks.sweep() == 0, "whoever has it in hand is given time"
    let_time_pass()
    assert tasks.sweep() == 1
    first, second = postman.to(address_of(ines))
    assert first["Message-ID"] == second["Message-ID"] == f"<{row.letter_id.hex}@localhost>"
    assert first["Date"] == second["Date"]


def test_a_mail_server_that_is_down_loses_nothing(ines: Holder, settings: Any, postman: Postman) -> None:
    up = settings.EMAIL_PORT
    settings.EMAIL_PORT = 1
    told(ines)
    assert tasks.sweep() == 0
    row = letter_of(ines)
    assert (row.attempts, row.trouble, row.failed) == (1, "ConnectionRefusedError", False)
    assert mail.standing().waiting == 1 and mail.standing().trouble == "ConnectionRefusedError"
    assert tasks.sweep() == 0 and letter_of(ines).attempts == 1, "it waits before the next try"
    let_time_pass()
    tasks.sweep()
    assert letter_of(ines).attempts == 2
    settings.EMAIL_PORT = up
    let_time_pass()
    assert tasks.sweep() == 1
    assert postman.one_to(address_of(ines))
    assert (letter_of(ines).trouble, mail.standing().waiting) == ("", 0)


def test_a_mail_server_that_is_down_is_asked_once_a_sweep(ines: Holder, settings: Any, postman: Postman) -> None:
    """Else a worker would wait for it once a letter, and do nothing else."""
    settings.EMAIL_PORT = 1
    for _ in range(3):
        told(ines)
    tasks.sweep()
    assert sorted(LetterRow.objects.values_list("attempts", flat=True)) == [0, 0, 1]


def test_one_letter_s_no_holds_up_no_other(ines: Holder, postman: Postman) -> None:
    postman.answer = "554 never"
    for _ in range(3):
        told(ines)
    tasks.sweep()
    assert sorted(LetterRow.objects.values_list("attempts", flat=True)) == [1, 1, 1]


@pytest.mark.parametrize(("answer", "given_up"), [("451 later", False), ("554 never", True)])
def test_a_no_for_now_is_tried_again_and_a_no_for_good_is_not(
    ines: Holder, postman: Postman, answer: str, given_up: bool
) -> None:
    postman.answer = answer
    told(ines)
    assert tasks.sweep() == 0
    assert letter_of(ines).failed is given_up
    assert mail.standing().failed == int(given_up)


def test_after_five_days_it_is_given_up_and_the_operator_sees_it(ines: Holder, settings: Any) -> None:
    settings.EMAIL_BACKEND, settings.EMAIL_HOST = "django.core.mail.backends.smtp.EmailBackend", "127.0.0.1"
    settings.EMAIL_PORT = 1
    told(ines)
    LetterRow.objects.update(attempts=MOST_ATTEMPTS - 1)
    tasks.sweep()
    assert letter_of(ines).failed and mail.standing().failed == 1
    let_time_pass()
    assert tasks.sweep() == 0


def test_one_that_cannot_be_written_holds_up_no_other(ines: Holder, postman: Postman) -> None:
    told(ines)
    LetterRow.objects.update(letter="ended", facts={"how": "lapsed", "reads": "many", "days": 1, "assistant": 3})
    rosa = newcomer("Rosa")
    told(rosa)
    LetterRow.objects.filter(to_id=ines.user_id).update(facts=[])
    assert tasks.sweep() == 1
    assert postman.one_to(address_of(rosa))


def test_what_a_letter_said_is_not_kept_once_it_has_gone(ines: Holder, postman: Postman) -> None:
    told(ines)
    assert letter_of(ines).facts["assistant"] == "Cookbot"
    tasks.sweep()
    assert letter_of(ines).facts == {}
    assert tasks.forget() == 0
    LetterRow.objects.update(made_at=utc_now() - timedelta(days=91))
    assert tasks.forget() == 1


def test_who_has_no_address_or_may_not_sign_in_gets_none(ines: Holder, postman: Postman) -> None:
    people = get_user_model().objects
    nobody = people.create_user("0f@no-address.invalid", None, name="Leo")
    off = people.create_user(f"{secrets.token_hex(4)}@home.example", None, is_active=False)
    assert [told(ines, to=nobody.pk), told(ines, to=off.pk)] == [False, False]
    told(ines)
    people.filter(pk=ines.user_id).update(is_active=False)
    assert tasks.sweep() == 0 and letter_of(ines).failed
    assert postman.kept == []


def test_it_goes_to_the_address_that_the_person_has_by_then(ines: Holder, postman: Postman) -> None:
    told(ines)
    later = f"{secrets.token_hex(4)}@home.example"
    get_user_model().objects.filter(pk=ines.user_id).update(email=later)
    tasks.sweep()
    assert postman.one_to(later)


def test_facts_that_no_letter_carries_are_refused_and_the_act_with_them(ines: Holder) -> None:
    wrong: tuple[dict[str, Given], ...] = (
        {"label": "Insulin"},
        FACTS | {"note": "x"},
        FACTS | {"reads": "Twelve units"},
        FACTS | {"how": "so"},
    )
    for facts in wrong:
        with pytest.raises(ValueError):
            told(ines, facts=facts)
    assert not LetterRow.objects.exists()
