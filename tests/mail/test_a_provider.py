"""Mail over a provider's own interface: what it is given and told, what it refuses, and what it tells of a letter."""

import base64
import json
from collections.abc import Iterator
from datetime import timedelta
from email.header import decode_header, make_header
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.test import Client as Browser

from apps.console.management.commands.doctor import letters
from apps.ledger.log import act
from apps.mail import services as mail
from apps.mail import tasks
from apps.mail.models import LetterRow
from apps.policy.arriving import Course
from apps.policy.ids import typed
from apps.policy.types import Holder
from apps.policy.vocabulary import ReceiptKind
from tests.holders.people import newcomer
from tests.mail.outside import share_facts, shared, somebody
from tests.mail.provider import SIGNED_WITH, House, told
from vault import providers, urls
from vault.clock import utc_now
from vault.env import WrongSetting


@pytest.fixture
def ines(empty: None) -> Holder:
    return newcomer("Ines")


def use(settings: Any, name: str, house: House, secret: str) -> None:
    """Have mail go over this provider, at this house, as the settings file does it."""
    for key, value in providers.chosen(name, "key-1", url=house.url, secret=secret).items():
        setattr(settings, key, value)
    settings.MAIL_PROVIDER, settings.MAIL_PROVIDER_SECRET = name, secret
    settings.ROOT_URLCONF = (*urls.urlpatterns, *providers.hooks(name, secret))


@pytest.fixture
def house(settings: Any) -> Iterator[House]:
    house = House()
    server = house.open()
    use(settings, "mailgun", house, SIGNED_WITH)
    yield house
    server.shutdown()
    server.server_close()


def hook(body: bytes, **headers: str) -> int:
    return (
        Browser(enforce_csrf_checks=True)
        .post(urlsplit(providers.hook_url()).path, body, content_type="application/json", headers=headers)
        .status_code
    )


def row() -> LetterRow:
    return LetterRow.objects.get()


def test_a_letter_goes_over_it_with_both_parts_and_is_watched_by_nobody(ines: Holder, house: House) -> None:
    to = somebody()
    shared(ines, to, share_facts(home="O'Brien & Söhne"))
    assert tasks.sweep() == 1
    (given,) = house.taken
    assert given["path"] == "/v3/localhost/messages" and given["to"] == to
    assert given["subject"] == "Ines M. shared notes with you"
    assert str(make_header(decode_header(given["from"]))) == "O'Brien & Söhne <muniment@localhost>"
    assert "/s/" in given["text"] and "/s/" in given["html"]
    assert given["o:tracking-clicks"] == given["o:tracking-opens"] == "no"
    assert given["v:letter"] == row().letter_id.hex


@pytest.mark.parametrize("status", [401, 429, 500, 400])
def test_what_it_refuses_is_tried_again(ines: Holder, house: House, status: int) -> None:
    house.status, house.answer = status, {"message": "no"}
    for key in "ab":
        shared(ines, somebody(), key=key)
    assert tasks.sweep() == 0
    tried = sorted(LetterRow.objects.values_list("attempts", flat=True))
    assert tried == ([1, 1] if status == 400 else [0, 1]), "its trouble with us is met once, with one letter by each"
    assert {each.course for each in mail.letters_of(ines.vault_id, "")} == {Course.WAITING}


@pytest.mark.parametrize(
    ("event", "severity", "course"),
    [
        ("delivered", "", Course.GONE),
        ("failed", "temporary", Course.DELAYED),
        ("failed", "permanent", Course.UNDELIVERED),
        ("rejected", "", Course.UNDELIVERED),
        ("opened", "", Course.GONE),
    ],
)
def test_what_it_tells_stands_at_the_letter(
    ines: Holder, house: House, event: str, severity: str, course: Course
) -> None:
    shared(ines, somebody(), key="lnk_1/made")
    tasks.sweep()
    assert hook(told(row().letter_id.hex, event, severity)) == 200
    (letter,) = mail.letters_of(ines.vault_id, "lnk_1/")
    assert (letter.key, letter.course) == ("lnk_1/made", course)
    assert mail.letters_of(ines.vault_id, "lnk_2/") == () == mail.letters_of(uuid4(), "lnk_1/")


def test_one_that_was_late_arrives_and_one_that_came_back_stays_so(ines: Holder, house: House) -> None:
    shared(ines, somebody(), key="a")
    tasks.sweep()
    name = row().letter_id.hex
    for event, severity, course in (
        ("failed", "temporary", Course.DELAYED),
        ("delivered", "", Course.GONE),
        ("failed", "permanent", Course.UNDELIVERED),
        ("delivered", "", Course.UNDELIVERED),
    ):
        assert hook(told(name, event, severity)) == 200
        assert [each.course for each in mail.letters_of(ines.vault_id, "a")] == [course]
    (found,) = letters()
    assert found.level == "warn" and found.says == "came back: 1, and late at mailgun: 0"


@pytest.mark.parametrize("body", [told("0" * 32, "failed", "permanent", key="another"), b"{}", b"nonsense"])
def test_what_is_not_signed_changes_nothing(ines: Holder, house: House, body: bytes) -> None:
    shared(ines, somebody())
    tasks.sweep()
    forged = body.replace(b"0" * 32, row().letter_id.hex.encode())
    assert hook(forged) == 400
    assert row().bounced == ""


@pytest.mark.parametrize("letter", ["", "nonsense", "0" * 32])
def test_what_is_no_letter_of_ours_is_answered_and_left_alone(empty: None, house: House, letter: str) -> None:
    assert hook(told(letter, "failed", "permanent")) == 200


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (401, "refuses the key (HTTP 401). Look at MUNIMENT_MAIL_PROVIDER_KEY"),
        (400, "refuses the mail (HTTP 400). Look at MUNIMENT_MAIL_FROM"),
        (429, "takes no mail at this moment (HTTP 429). Try again later"),
        (503, "takes no mail at this moment (HTTP 503). Try again later"),
    ],
)
def test_trying_it_out_says_what_to_look_at(house: House, status: int, says: str) -> None:
    house.status, house.answer = status, {"message": "no"}
    with pytest.raises(CommandError) as refused:
        call_command("mail_test", somebody())
    assert str(refused.value).startswith(f"mailgun {says}") and "key-1" not in str(refused.value)


# ---------------------------------------------------------------- another one
def test_postmark_signs_in_and_tells_of_a_letter(ines: Holder, house: House, settings: Any) -> None:
    use(settings, "postmark", house, "us:hush-hush")
    house.answer = {"ErrorCode": 0, "Message": "OK", "MessageID": str(uuid4())}
    to = somebody()
    house.answer["To"] = to
    shared(ines, to)
    assert tasks.sweep() == 1
    (given,) = house.taken
    assert json.loads(given["To"]) == to and json.loads(given["TrackOpens"]) is False
    assert json.loads(given["TrackLinks"]) == "None"
    body = {"RecordType": "Bounce", "Type": "HardBounce", "Email": to, "Metadata": {"letter": row().letter_id.hex}}
    assert hook(json.dumps(body).encode()) == 400
    entry = base64.b64encode(b"us:hush-hush").decode()
    assert hook(json.dumps(body).encode(), authorization=f"Basic {entry}") == 200
    assert row().bounced == "hard"


def test_a_recipient_that_it_refuses_for_good_is_given_up(ines: Holder, house: House, settings: Any) -> None:
    use(settings, "postmark", house, "us:hush-hush")
    house.status = 422
    to = somebody()
    house.answer = {
        "ErrorCode": 406,
        "Message": "You tried to send to a recipient that has been marked as inactive.\n"
        f"Found inactive addresses: {to}.\n Inactive recipients are ones that have generated a hard bounce.",
    }
    shared(ines, to, key="a")
    tasks.sweep()
    assert [each.course for each in mail.letters_of(ines.vault_id, "a")] == [Course.UNDELIVERED]


# ---------------------------------------------------------------- settings
def test_without_a_secret_there_is_no_address_to_tell_it_at() -> None:
    assert providers.hooks("mailgun", "") == [] == providers.hooks("", "x")
    assert not any(getattr(each, "name", "") == "mail-told" for each in urls.urlpatterns)
    (hook,) = providers.hooks("mailgun", "x")
    assert hook.resolve(providers.HOOK) is not None


@pytest.mark.parametrize(
    ("name", "key", "secret", "says"),
    [
        ("carrier-pigeon", "k", "", "Write one of: mailgun, postmark"),
        ("mailgun", "", "", "MUNIMENT_MAIL_PROVIDER_KEY is not set"),
        ("postmark", "k", "hush", "must be user:password"),
    ],
)
def test_a_wrong_setting_stops_the_start(name: str, key: str, secret: str, says: str) -> None:
    with pytest.raises(WrongSetting, match=says):
        providers.chosen(name, key, secret=secret)


# ---------------------------------------------------------------- letters that are pointless
def test_one_whose_time_is_over_is_not_sent(ines: Holder, house: House) -> None:
    shared(ines, somebody(), share_facts(until=utc_now() - timedelta(seconds=1)), key="a")
    assert tasks.sweep() == 0 and house.taken == []
    assert [each.course for each in mail.letters_of(ines.vault_id, "a")] == [Course.UNDELIVERED]
    assert (row().trouble, row().address, row().facts) == ("too late", "", {})


def test_what_is_taken_back_is_not_sent(ines: Holder, house: House) -> None:
    for key in ("lnk_1/made", "lnk_1/code", "lnk_2/made"):
        shared(ines, somebody(), key=key)
    with act(ines.vault_id, ines.actor) as acting:
        acting.record(ReceiptKind.CLIENT_PAUSED, object=typed("vlt", ines.vault_id))
        assert mail.take_back(acting, "lnk_1/") == 2
    assert tasks.sweep() == 1
