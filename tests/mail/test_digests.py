"""What waits is told once a day, at the reader's hour in their zone, and on no day on which nothing waits; to whoever
can do something about it, by how many and since when."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth import get_user_model

from apps.access import services as access
from apps.access import tasks as access_tasks
from apps.holders.services import emergency, looking
from apps.mail import services as mail
from apps.mail import tasks
from apps.mail.models import DigestRow, LetterRow
from apps.memories import services as memories
from apps.policy.letters import Letter
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import EmergencyFinding, Level
from apps.policy.wishes import next_digest
from tests.cast import Assistant, Vault
from tests.clinics import Clinic, allow, bot, casa, leo  # noqa: F401  (fixtures)
from tests.holders.emergencies import Ward, ward  # noqa: F401  (a fixture)
from tests.holders.people import acting, newcomer
from tests.mail.conftest import Postman, read
from tests.threads import at_once
from vault.clock import utc_now

pytestmark = pytest.mark.usefixtures("empty")


def live_in(person: Holder, zone: str) -> None:
    get_user_model().objects.filter(pk=person.user_id).update(time_zone=zone)


def beat(now: datetime) -> int:
    """What the task does, at another time than now."""
    return sum(mail.hand_in(due, access.tellings(due, now), now) for due in mail.digests_due(now, 5000))


def morning(zone: str, days: int = 0) -> datetime:
    """The next eight o'clock there, or one of the following days'."""
    at = next_digest(utc_now(), ZoneInfo(zone), 8)
    for _ in range(days):
        at = next_digest(at, ZoneInfo(zone), 8)
    return at


def digests(person: Holder) -> list[str]:
    """The days whose digest a person was written."""
    rows = LetterRow.objects.filter(to_id=person.user_id, letter="digest").order_by("key")
    return list(rows.values_list("key", flat=True))


def due_at(person: Holder) -> datetime:
    return DigestRow.objects.get(to_id=person.user_id).due_at


def test_two_things_wait(alice: Vault, cook: Assistant, postman: Postman) -> None:
    live_in(alice.holder, "Europe/Lisbon")
    wish = cook.ask("kitchen")
    memories.propose(cook.caller, label="Oven", value="none", now=utc_now())
    LetterRow.objects.all().delete()
    beat(utc_now())
    assert due_at(alice.holder) == morning("Europe/Lisbon")
    assert beat(morning("Europe/Lisbon")) >= 1
    assert digests(alice.holder) == [morning("Europe/Lisbon").astimezone(ZoneInfo("Europe/Lisbon")).date().isoformat()]
    tasks.sweep()
    letter = read(postman.one_to(str(get_user_model().objects.get(pk=alice.holder.user_id).email)))
    assert letter.subject == "2 things are waiting for you"
    assert "2 things wait for your decision" in letter.text and "(Europe/Lisbon)" in letter.text
    assert f"{wish.made_at.astimezone(ZoneInfo('Europe/Lisbon')):%H:%M} (Europe/Lisbon)" in letter.text
    words = " ".join(letter.text.split())
    assert "at most once a day" in words and "that you chose" not in words, "they chose no hour"
    assert "Kitchen" not in letter.text and "Cook" not in letter.text and "Oven" not in letter.text


@pytest.mark.parametrize("zone", ["Europe/Lisbon", "Asia/Kolkata", "Pacific/Kiritimati"])
def test_once_a_day_however_many_beats_and_then_the_next_day(alice: Vault, cook: Assistant, zone: str) -> None:
    live_in(alice.holder, zone)
    cook.ask("kitchen", ttl_seconds=86400)
    memories.propose(cook.caller, label="Oven", value="none", now=utc_now())
    beat(utc_now())
    at = morning(zone)
    beat(at - timedelta(minutes=1))
    assert digests(alice.holder) == []
    assert all(isinstance(each, int) for each in at_once([lambda: beat(at)] * 3))
    for minutes in (5, 10, 600):
        beat(at + timedelta(minutes=minutes))
    assert len(digests(alice.holder)) == 1
    beat(morning(zone, days=1))
    days = digests(alice.holder)
    assert len(set(days)) == 2
    assert days[0] == at.astimezone(ZoneInfo(zone)).date().isoformat()


@pytest.mark.parametrize(
    ("first", "second"),
    [("2027-03-27T08:00", "2027-03-28T07:00"), ("2027-10-30T07:00", "2027-10-31T08:00")],
    ids=["forward", "back"],
)
def test_it_is_eight_o_clock_also_on_the_morning_after_the_clocks_were_changed(
    alice: Vault, cook: Assistant, first: str, second: str
) -> None:
    live_in(alice.holder, "Europe/Lisbon")
    memories.propose(cook.caller, label="Oven", value="none", now=utc_now())
    one, two = (datetime.fromisoformat(f"{each}+00:00") for each in (first, second))
    beat(one - timedelta(minutes=1))
    assert due_at(alice.holder) == one
    beat(one)
    assert due_at(alice.holder) == two
    beat(two - timedelta(minutes=1))
    assert len(digests(alice.holder)) == 1
    beat(two)
    assert len(digests(alice.holder)) == 2


def test_where_nothing_waits_nothing_comes(alice: Vault) -> None:
    beat(utc_now())
    beat(morning("UTC"))
    assert digests(alice.holder) == []
    assert due_at(alice.holder) == morning("UTC", days=1)


def test_a_clock_that_stood_still_makes_up_for_it_by_day_and_not_at_night(alice: Vault, cook: Assistant) -> None:
    memories.propose(cook.caller, label="Oven", value="none", now=utc_now())
    beat(utc_now())
    late = morning("UTC")
    beat(late + timedelta(hours=13))
    assert digests(alice.holder) == [] and due_at(alice.holder) == morning("UTC", days=1)
    beat(morning("UTC", days=1) + timedelta(hours=5))
    assert len(digests(alice.holder)) == 1


def test_who_moves_to_another_zone_has_no_two_on_one_day(alice: Vault, cook: Assistant) -> None:
    memories.propose(cook.caller, label="Oven", value="none", now=utc_now())
    live_in(alice.holder, "Pacific/Kiritimati")
    beat(utc_now())
    at = morning("Pacific/Kiritimati")
    beat(at)
    live_in(alice.holder, "Pacific/Niue")
    for hour in range(72):
        beat(at + timedelta(hours=hour))
    there = at.astimezone(ZoneInfo("Pacific/Kiritimati")).date()
    assert digests(alice.holder) == [there.isoformat(), (there + timedelta(days=1)).isoformat()]


def test_of_two_beats_whose_one_fails_nothing_is_lost(
    alice: Vault, cook: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Moving the day and writing the letter are one: who fails before the end leaves it due."""
    memories.propose(cook.caller, label="Oven", value="none", now=utc_now())
    beat(utc_now())
    at = morning("UTC")
    (due,) = [each for each in mail.digests_due(at, 5000) if each.user_id == alice.holder.user_id]
    with pytest.raises(ValueError):
        mail.hand_in(due, [mail.Telling(Letter.DIGEST, "1", {"waiting": 1})], at)
    assert due_at(alice.holder) == at
    assert mail.hand_in(due, access.tellings(due, at), at)
    assert not mail.hand_in(due, access.tellings(due, at), at)


# ---------------------------------------------------------------- to whom
def test_who_may_decide_for_somebody_counts_it_and_who_may_only_look_does_not(alice: Vault, cook: Assistant) -> None:
    rosa, otto = newcomer("Rosa"), newcomer("Otto")
    acting(alice.holder, rosa)
    acting(alice.holder, otto, level=Level.VIEW)
    cook.ask("kitchen")
    found = access.digest(rosa.user_id, utc_now())
    assert found and found["waiting"] == 1
    assert access.digest(otto.user_id, utc_now()) is None


def test_what_is_sealed_from_them_is_not_counted(alice: Vault, cook: Assistant) -> None:
    rosa = newcomer("Rosa")
    acting(alice.holder, rosa)
    cook.ask("kitchen")
    cook.ask("time")
    memories.seal_from_guardians(alice.holder, alice.ids["kitchen"], utc_now())
    mine, hers = access.digest(alice.holder.user_id, utc_now()), access.digest(rosa.user_id, utc_now())
    assert mine and hers and (mine["waiting"], hers["waiting"]) == (2, 1)


def test_a_reviewer_counts_what_waits_at_the_desk(casa: Clinic, leo: Vault, bot: Assistant) -> None:  # noqa: F811
    allow(bot, "pills")
    found = access.digest(casa.rita.user_id, utc_now())
    assert found and (found["waiting"], found["reviews"]) == (0, 1)
    (row,) = access.queue(casa.desk(casa.rita))
    assert not isinstance(access.approve(casa.desk(casa.rita), row.row.review_id, utc_now()), Refused)
    assert access.digest(casa.rita.user_id, utc_now()) is None


def test_the_privacy_lead_counts_uses_of_emergency_access_until_they_are_looked_at(ward: Ward) -> None:  # noqa: F811
    ward.enter()
    opened = ward.opened()
    found = access.digest(ward.paula.user_id, utc_now())
    assert found and (found["waiting"], found["reviews"], found["emergencies"]) == (0, 0, 1)
    assert found["oldest"] == opened.entered_at
    emergency.leave(ward.nora.user_id, utc_now())
    done = looking.review(ward.paula.user_id, opened.emergency_id, EmergencyFinding.JUSTIFIED, "Seen", utc_now())
    assert not isinstance(done, Refused), done
    assert access.digest(ward.paula.user_id, utc_now()) is None


def test_the_task_goes_by_the_clock(alice: Vault, cook: Assistant) -> None:
    cook.ask("kitchen")
    access_tasks.digests()
    for hour, written in ((7, 0), (12, 1)):
        east = (hour - utc_now().hour + 12) % 24 - 12
        live_in(alice.holder, f"Etc/GMT{-east:+d}")  # POSIX: the sign is the other way round
        DigestRow.objects.filter(to_id=alice.holder.user_id).update(due_at=utc_now() - timedelta(minutes=1))
        access_tasks.digests()
        assert len(digests(alice.holder)) == written
