"""What was handed over is told by schedule: which assistants read, how often, how often of a protected category, how
often they were refused; each thing once, by whole days, weeks or months of the reader's, and never what it was."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings as ours

from apps.access import services as access
from apps.access import tasks as access_tasks
from apps.mail import services as mail
from apps.mail import tasks
from apps.mail.models import DigestRow, LetterRow
from apps.memories import services as memories
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Level
from apps.policy.wishes import Every, Switch, next_digest
from apps.shares import services as shares
from tests.cast import Assistant, Vault, give, register
from tests.holders.people import acting, address_of, newcomer
from tests.mail.conftest import Postman, Read, read
from tests.mail.test_digests import live_in
from tests.mail.wishing import wish
from tests.shares.links import one, opened
from tests.threads import at_once
from vault.clock import utc_now

pytestmark = pytest.mark.usefixtures("empty")


@pytest.fixture
def alice(alice: Vault) -> Vault:
    """Alice is told every day what was handed over."""
    wish(alice.holder, receipts=Every.DAILY)
    return alice


def beat(now: datetime, *people: Holder) -> int:
    """What the task does at another time than now, for these people."""
    ids = {each.user_id for each in people}
    found = [each for each in mail.digests_due(now, 5000) if each.user_id in ids]
    return sum(mail.hand_in(each, access.tellings(each, now), now) for each in found)


def morning(days: int) -> datetime:
    """The eight o'clock, of UTC, so many days after the next."""
    return next_digest(utc_now(), UTC, 8) + timedelta(days=days)


def pass_by(person: Holder, days: int = 2) -> None:
    """The next mornings come, so many."""
    beat(utc_now(), person)
    for day in range(days):
        beat(morning(day), person)


def told(person: Holder) -> list[str]:
    """The keys of the letters to a person about what was handed over, oldest first."""
    rows = LetterRow.objects.filter(to_id=person.user_id, letter="receipts").order_by("made_at")
    return list(rows.values_list("key", flat=True))


def the_letter(person: Holder, postman: Postman) -> Read:
    tasks.sweep()
    (found,) = [each for each in map(read, postman.to(address_of(person))) if each.subject.startswith("What was")]
    return found


# ---------------------------------------------------------------- what it says
def test_it_names_each_assistant_with_its_reads_and_refusals_and_nothing_that_was_read(
    alice: Vault, cook: Assistant, postman: Postman
) -> None:
    bob = register(alice, "Bob <b>.example")
    give(cook, "kitchen", "time", reads=5)
    give(cook, "pills", reads=5)
    for _ in range(2):
        assert cook.read("kitchen", "time").released
    assert cook.read("pills").released
    assert not bob.read("kitchen").released
    pass_by(alice.holder)
    letter = the_letter(alice.holder, postman)
    assert letter.subject == f"What was handed over, {utc_now().day} {utc_now():%b}"
    assert "- Cook: 3 reads, 1 of them of a protected category" in letter.text
    assert "- Bob <b>[.]example: no read; refused once" in letter.text
    assert letter.text.index("Cook") < letter.text.index("Bob"), "who read most stands first"
    assert letter.link == f"{ours.PUBLIC_URL}/ledger"
    said = (letter.subject + letter.text + letter.html).lower()
    assert not [each for each in [*alice.labels.values(), *alice.secrets, "health"] if each.lower() in said]


@pytest.mark.parametrize("many", [20, 21, 23])
def test_of_very_many_assistants_it_says_how_many_more_there_were(alice: Vault, many: int, postman: Postman) -> None:
    first = None
    for number in range(many):
        bot = register(alice, f"Bot {number}")
        first = first or bot
        assert not bot.read("kitchen").released
    assert first is not None
    give(first, "kitchen")
    assert first.read("kitchen").released
    pass_by(alice.holder)
    letter = the_letter(alice.holder, postman)
    assert letter.text.count("- Bot ") == 20 and "- Bot 0: one read; refused once" in letter.text
    assert ("assistants more read" in letter.text, "One assistant more" in letter.text) == (many > 21, many == 21)


def test_who_holds_one_vault_and_acts_at_another_is_told_of_their_own_and_which_it_is(
    alice: Vault, cook: Assistant, postman: Postman
) -> None:
    rosa = newcomer("Rosa")
    acting(rosa, alice.holder, level=Level.DECIDE)
    wish(rosa, receipts=Every.DAILY)
    give(cook, "kitchen")
    assert cook.read("kitchen").released
    pass_by(alice.holder)
    letter = the_letter(alice.holder, postman)
    assert f"your own vault in {alice.holder.space_name.replace('@', ' at ')}" in letter.text
    assert letter.link == f"{ours.PUBLIC_URL}/people"
    assert told(rosa) == []


def test_a_person_s_own_look_is_nothing_that_was_handed_over(alice: Vault) -> None:
    memories.show(alice.holder, [alice.ids["kitchen"]])
    pass_by(alice.holder)
    assert told(alice.holder) == []


@pytest.mark.parametrize("times", [1, 2])
def test_openings_of_links_are_counted_and_looks_within_them_are_not(
    alice: Vault, postman: Postman, times: int
) -> None:
    share, token = one(alice, "kitchen", opens=3)
    for _ in range(times):
        opening = opened(token).opening.opening_id
        assert not isinstance(shares.view(token, opening, utc_now()), Refused)
    pass_by(alice.holder)
    letter = the_letter(alice.holder, postman)
    assert f"Links that you shared were opened {'once' if times == 1 else '2 times'}." in letter.text
    assert "These assistants" not in letter.text and share.share_id.hex not in letter.text


# ---------------------------------------------------------------- when
def test_where_nothing_was_handed_over_none_comes(alice: Vault, cook: Assistant) -> None:
    pass_by(alice.holder, 4)
    assert told(alice.holder) == []


@pytest.mark.parametrize(("often", "within"), [(Every.DAILY, 1), (Every.WEEKLY, 7), (Every.MONTHLY, 31)])
def test_it_comes_once_when_its_day_week_or_month_is_over(
    alice: Vault, cook: Assistant, often: Every, within: int
) -> None:
    wish(alice.holder, receipts=often)
    give(cook, "kitchen")
    assert cook.read("kitchen").released
    beat(utc_now(), alice.holder)
    came: list[datetime] = []
    for day in range(within + 2):
        beat(morning(day), alice.holder)
        came += [morning(day)] * (len(told(alice.holder)) - len(came))
    (at,) = came
    assert at.date() > utc_now().date()
    assert often is Every.DAILY or (at.weekday() == 0 if often is Every.WEEKLY else at.day == 1)


def test_two_beats_and_a_task_that_is_delivered_twice_write_one(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen")
    assert cook.read("kitchen").released
    beat(utc_now(), alice.holder)
    wrote: list[object] = []
    for day in range(2):
        at = morning(day)
        wrote += at_once([lambda at=at: beat(at, alice.holder)] * 4)
        wrote.append(beat(at + timedelta(minutes=5), alice.holder))
    assert sorted(map(str, wrote)) == ["0"] * 9 + ["1"] and len(told(alice.holder)) == 1
    assert len(told(alice.holder)) == 1


def test_a_read_of_today_is_told_tomorrow_and_no_read_twice(alice: Vault, cook: Assistant, postman: Postman) -> None:
    give(cook, "kitchen", reads=9)
    assert cook.read("kitchen").released
    pass_by(alice.holder)
    assert len(told(alice.holder)) == 1
    DigestRow.objects.filter(to_id=alice.holder.user_id).update(due_at=morning(1))
    LetterRow.objects.filter(letter="receipts").delete()  # as when its line is long forgotten
    beat(morning(1) + timedelta(hours=1), alice.holder)
    assert told(alice.holder) == []


def test_who_turns_it_off_and_on_again_is_not_told_of_the_time_between(alice: Vault, cook: Assistant) -> None:
    wish(alice.holder, receipts=Every.OFF)
    give(cook, "kitchen")
    assert cook.read("kitchen").released
    pass_by(alice.holder)
    wish(alice.holder, receipts=Every.DAILY)
    for day in (2, 3):
        beat(morning(day), alice.holder)
    assert told(alice.holder) == []


def test_a_span_that_could_not_be_looked_at_is_told_the_next_time(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen")
    assert cook.read("kitchen").released
    beat(utc_now(), alice.holder)
    for day in range(3):
        for due in mail.digests_due(morning(day), 5000):
            if due.user_id == alice.holder.user_id:
                assert mail.hand_in(due, None, morning(day)) == 0
    assert told(alice.holder) == []
    beat(morning(3), alice.holder)
    assert len(told(alice.holder)) == 1


def test_both_digests_come_at_the_hour_that_was_chosen(alice: Vault, cook: Assistant) -> None:
    live_in(alice.holder, "Asia/Kolkata")
    wish(alice.holder, hour=21)
    memories.propose(cook.caller, label="Oven", value="none", now=utc_now())
    give(cook, "kitchen")
    assert cook.read("kitchen").released
    beat(utc_now(), alice.holder)
    at = next_digest(utc_now(), ZoneInfo("Asia/Kolkata"), 21)
    beat(at - timedelta(minutes=1), alice.holder)
    assert not LetterRow.objects.filter(to_id=alice.holder.user_id, letter__in=["digest", "receipts"]).exists()
    for days in range(2):
        beat(at + timedelta(days=days), alice.holder)
    found = LetterRow.objects.filter(to_id=alice.holder.user_id, letter__in=["digest", "receipts"])
    assert sorted(set(found.values_list("letter", flat=True))) == ["digest", "receipts"]
    assert at.astimezone(ZoneInfo("Asia/Kolkata")).hour == 21


def test_who_chooses_another_hour_is_looked_up_at_it_from_then_on(alice: Vault) -> None:
    beat(utc_now(), alice.holder)
    wish(alice.holder, hour=21)
    assert DigestRow.objects.get(to_id=alice.holder.user_id).due_at == next_digest(utc_now(), UTC, 21)


def test_each_of_the_two_is_done_without_by_itself(alice: Vault, cook: Assistant) -> None:
    memories.propose(cook.caller, label="Oven", value="none", now=utc_now())
    give(cook, "kitchen")
    assert cook.read("kitchen").released
    wish(alice.holder, off=frozenset({Switch.WAITING}))
    pass_by(alice.holder)
    assert len(told(alice.holder)) == 1
    assert not LetterRow.objects.filter(to_id=alice.holder.user_id, letter="digest").exists()


def test_very_many_people_are_told_in_one_beat(alice: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access_tasks, "DIGESTS", 2)
    people = [newcomer(f"Person {number}") for number in range(5)]
    past = utc_now() - timedelta(minutes=1)
    DigestRow.objects.bulk_create([DigestRow(to_id=each.user_id, due_at=past) for each in people])
    access_tasks.digests()
    assert not DigestRow.objects.filter(due_at__lte=utc_now()).exists()
    assert DigestRow.objects.filter(to_id=alice.holder.user_id).exists(), "who is new is looked up from then on"


def test_a_vault_that_is_erased_takes_its_letter_along(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen")
    assert cook.read("kitchen").released
    pass_by(alice.holder)
    assert LetterRow.objects.get(to_id=alice.holder.user_id, letter="receipts").vault_id == alice.id
