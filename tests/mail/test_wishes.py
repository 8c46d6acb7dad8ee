"""What a person wishes of mail is kept and honoured: a letter that they do without is not written, what comes in their
quiet hours waits until these end, and the words by which they know a letter stand in each to them and in no other."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core import mail as outgoing
from django.db.models.functions import Now

from apps.access import services as access
from apps.erasure import services as erasure
from apps.mail import services as mail
from apps.mail import tasks
from apps.mail.models import DigestRow, LetterRow, WishesRow
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Refusal
from apps.policy.wishes import Every, Quiet, Switch, Wishes
from apps.shares import services as shares
from tests.cast import Assistant, Vault
from tests.holders.people import acting, address_of, newcomer
from tests.mail.conftest import Postman, read
from tests.mail.outside import shared, somebody
from tests.mail.wishing import wish
from tests.shares.links import one
from tests.surfaces.web import browser
from tests.threads import at_once
from vault.clock import utc_now

pytestmark = pytest.mark.usefixtures("empty")
PHRASE = "The blue teapot"


def around(now: datetime, minutes: int) -> Quiet:
    """Quiet hours that begin so long before this moment and end so long after it, in UTC."""
    away = timedelta(minutes=minutes)
    return Quiet((now - away).time().replace(second=0, microsecond=0), (now + away).time())


def letters(person: Holder) -> list[str]:
    """Which letters to a person wait or went."""
    return sorted(LetterRow.objects.filter(to_id=person.user_id).values_list("letter", flat=True))


# ---------------------------------------------------------------- kept
def test_who_said_nothing_wishes_what_everybody_does(alice: Vault) -> None:
    assert mail.wishes(alice.holder.user_id) == Wishes() == Wishes(receipts=Every.WEEKLY, hour=8)


def test_what_is_wished_is_kept_as_it_was_said(alice: Vault) -> None:
    said = Wishes(frozenset(Switch), Every.MONTHLY, 0, Quiet(time(22), time(0)), PHRASE)
    assert mail.set_wishes(alice.holder.user_id, said, utc_now()) == replace(said, version=1)
    assert mail.wishes(alice.holder.user_id) == replace(said, version=1)
    assert wish(alice.holder, quiet=None, off=frozenset()).version == 2


def test_of_two_who_wish_at_once_one_is_told_that_it_moved(alice: Vault) -> None:
    for version in (0, 1):
        tries = [Wishes(hour=hour, version=version) for hour in (5, 6, 7)]
        done = at_once([lambda each=each: mail.set_wishes(alice.holder.user_id, each, utc_now()) for each in tries])
        kept = [each for each in done if isinstance(each, Wishes)]
        assert kept == [mail.wishes(alice.holder.user_id)] and kept[0].version == version + 1
        assert [each for each in done if not isinstance(each, Wishes)] == [Refused(Refusal.STALE)] * 2


def test_what_cannot_be_kept_is_refused_and_nothing_is(alice: Vault) -> None:
    with pytest.raises(TextProblem):
        mail.set_wishes(alice.holder.user_id, Wishes(hour=24), utc_now())
    assert not WishesRow.objects.filter(to_id=alice.holder.user_id).exists()


# ---------------------------------------------------------------- done without
def test_a_request_that_is_not_written_of_waits_in_the_inbox(alice: Vault, cook: Assistant) -> None:
    wish(alice.holder, off=frozenset({Switch.REQUESTS}))
    asked = cook.ask("kitchen")
    assert letters(alice.holder) == []
    assert [each.request_id for each in access.waiting(alice.holder, utc_now())] == [asked.request_id]


def test_what_one_does_without_another_gets(alice: Vault, cook: Assistant) -> None:
    rosa = newcomer("Rosa")
    acting(alice.holder, rosa)
    wish(alice.holder, off=frozenset({Switch.REQUESTS}))
    cook.ask("kitchen")
    assert (letters(alice.holder), letters(rosa)) == ([], ["request"])


def test_who_does_without_everything_is_still_told_what_protects_them(alice: Vault, cook: Assistant) -> None:
    wish(alice.holder, off=frozenset(Switch), receipts=Every.OFF)
    access.revoke(alice.holder, cook.client.client_id, utc_now())
    assert letters(alice.holder) == ["stopped"]


def test_what_waits_already_goes_nowhere_once_it_is_done_without(
    alice: Vault, cook: Assistant, postman: Postman
) -> None:
    cook.ask("kitchen")
    access.revoke(alice.holder, cook.client.client_id, utc_now())
    wish(alice.holder, off=frozenset({Switch.REQUESTS}))
    tasks.sweep()
    assert [read(each).subject for each in postman.to(address_of(alice.holder))] == ["You stopped an assistant"]


# ---------------------------------------------------------------- quiet hours
def test_in_quiet_hours_a_letter_waits_until_they_end(alice: Vault, cook: Assistant, postman: Postman) -> None:
    quiet = around(utc_now(), 90)
    wish(alice.holder, quiet=quiet)
    cook.ask("kitchen")
    for _ in range(3):
        tasks.sweep()
    held = LetterRow.objects.get(to_id=alice.holder.user_id)
    assert postman.kept == [] and held.attempts == 0 and held.trouble == ""
    assert held.due_at.astimezone(UTC).time() == quiet.ends and held.due_at > utc_now()
    assert held.due_at - utc_now() < timedelta(minutes=91)
    ago = [(utc_now() - timedelta(hours=hours)).time() for hours in (3, 1)]
    WishesRow.objects.update(quiet_from=ago[0], quiet_until=ago[1])
    LetterRow.objects.update(due_at=Now())  # as it is then
    tasks.sweep()
    assert len(postman.to(address_of(alice.holder))) == 1


def test_what_may_need_somebody_at_once_goes_within(alice: Vault, cook: Assistant, postman: Postman) -> None:
    wish(alice.holder, quiet=around(utc_now(), 90))
    access.revoke(alice.holder, cook.client.client_id, utc_now())
    tasks.sweep()
    assert read(postman.one_to(address_of(alice.holder))).subject == "You stopped an assistant"


def test_that_a_share_is_over_by_itself_waits_and_that_it_was_stopped_does_not(alice: Vault, postman: Postman) -> None:
    wish(alice.holder, quiet=around(utc_now(), 90))
    (over, _), (stopped, _) = one(alice, "time"), one(alice, "kitchen")
    assert shares.expire(alice.id, over.share_id, over.expires_at)
    shares.stop(alice.holder, stopped.share_id, utc_now())
    tasks.sweep()
    assert "you stopped it" in read(postman.one_to(address_of(alice.holder))).text
    wish(alice.holder, quiet=None)
    tasks.sweep()
    _, late = postman.to(address_of(alice.holder))
    assert "its time is over" in read(late).text


def test_who_ends_their_quiet_hours_gets_at_once_what_was_held(alice: Vault, cook: Assistant, postman: Postman) -> None:
    wish(alice.holder, quiet=around(utc_now(), 90))
    cook.ask("kitchen")
    tasks.sweep()
    assert postman.kept == []
    wish(alice.holder, quiet=None)
    tasks.sweep()
    assert len(postman.to(address_of(alice.holder))) == 1


def test_a_letter_that_a_server_refused_is_not_tried_again_in_quiet_hours(
    alice: Vault, cook: Assistant, postman: Postman
) -> None:
    cook.ask("kitchen")
    postman.answer = "451 later"
    tasks.sweep()
    wish(alice.holder, quiet=around(utc_now(), 90))
    postman.answer = "250 kept"
    LetterRow.objects.update(due_at=Now())
    tasks.sweep()
    held = LetterRow.objects.get(to_id=alice.holder.user_id)
    assert postman.kept == [] and held.attempts == 1 and held.sent_at is None


def test_quiet_hours_are_those_of_the_reader_s_zone(alice: Vault, cook: Assistant, postman: Postman) -> None:
    now = utc_now()
    get_user_model().objects.filter(pk=alice.holder.user_id).update(time_zone="Pacific/Kiritimati")
    wish(alice.holder, quiet=around(now, 90))  # these are of UTC, fourteen hours behind
    cook.ask("kitchen")
    tasks.sweep()
    assert len(postman.to(address_of(alice.holder))) == 1


# ---------------------------------------------------------------- the words by which a letter is known
def test_the_words_stand_in_every_letter_to_the_person_and_in_none_to_another(
    alice: Vault, cook: Assistant, postman: Postman
) -> None:
    rosa = newcomer("Rosa")
    acting(alice.holder, rosa)
    wish(alice.holder, phrase=PHRASE)
    cook.ask("kitchen")
    access.revoke(alice.holder, cook.client.client_id, utc_now())
    tasks.sweep()
    mine, hers = ([read(each) for each in postman.to(address_of(person))] for person in (alice.holder, rosa))
    assert len(mine) == 2 and len(hers) == 1
    assert all(PHRASE in each.text and PHRASE in each.html and PHRASE not in each.subject for each in mine)
    assert not any(PHRASE in each.text or PHRASE in each.html for each in hers)
    assert all(each.settings for each in (*mine, *hers)), "each leads to where letters are chosen"


def test_a_letter_to_who_has_no_account_bears_no_words_and_leads_to_no_settings(alice: Vault, postman: Postman) -> None:
    wish(alice.holder, phrase=PHRASE)
    to = somebody()
    assert shared(alice.holder, to)
    tasks.sweep()
    letter = read(postman.one_to(to))
    assert PHRASE not in letter.text + letter.html and not letter.settings


def test_the_words_stand_in_mail_that_is_sent_at_once_and_is_no_letter(alice: Vault, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    rosa = newcomer("Rosa")
    wish(rosa, phrase=PHRASE)
    for address in (address_of(rosa), somebody()):
        fields = {"email": address, "role": "delegate", "level": "view", "days": "30"}
        assert browser(alice.holder).post("/people/invite", fields).status_code == 302
    hers, nobody_s = (str(each.message()) for each in outgoing.outbox)
    assert hers.count(PHRASE) == 2 and PHRASE not in nobody_s


def test_words_that_read_as_an_address_lead_nowhere(alice: Vault, cook: Assistant, postman: Postman) -> None:
    wish(alice.holder, phrase=PHRASE)
    WishesRow.objects.update(phrase="https://evil.example/a")  # none such is kept any more
    cook.ask("kitchen")
    tasks.sweep()
    letter = read(postman.one_to(address_of(alice.holder)))
    assert "https: //evil[.]example/a" in letter.text


# ---------------------------------------------------------------- gone with the person
def test_what_was_wished_goes_with_the_account(alice: Vault) -> None:
    wish(alice.holder, phrase=PHRASE)
    DigestRow.objects.create(to_id=alice.holder.user_id, due_at=utc_now())
    done = erasure.end_vault(alice.holder, utc_now())
    assert not isinstance(done, Refused)
    assert not WishesRow.objects.filter(to_id=alice.holder.user_id).exists()
    assert not DigestRow.objects.filter(to_id=alice.holder.user_id).exists()
    assert mail.wishes(alice.holder.user_id) == Wishes()
    assert mail.set_wishes(alice.holder.user_id, Wishes(hour=9), utc_now()) == Refused(Refusal.STALE)
