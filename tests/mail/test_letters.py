"""Each letter as its reader has it, from the raw bytes of a conversation with a mail server: what it says, to whom it
goes, where it leads; and that it says nothing else."""

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings as ours
from django.contrib.auth import get_user_model
from django.db.models.functions import Now
from django.test import Client as Browser

from apps.access import services as access
from apps.holders import services as holders
from apps.holders import tasks as holders_tasks
from apps.mail import services as mail
from apps.mail import tasks
from apps.mail.models import LetterRow
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.letters import MOST_SAID
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Category, Level, Role
from tests.cast import Assistant, Vault, canary, give, new_vault, register
from tests.clinics import Clinic, allow, bot, casa, leo  # noqa: F401  (fixtures)
from tests.holders.children import born, child_of, grow, themself
from tests.holders.emergencies import NOTE, Ward, ward  # noqa: F401  (a fixture)
from tests.holders.people import acting, invited, newcomer
from tests.mail.conftest import Postman, Read, parsed, read
from tests.threads import at_once
from vault.clock import utc_now

pytestmark = pytest.mark.usefixtures("empty")


@pytest.fixture
def alice(empty: None) -> Vault:
    vault = new_vault("Alice")
    get_user_model().objects.filter(pk=vault.holder.user_id).update(time_zone="Europe/Lisbon")
    return vault


@pytest.fixture
def cook(alice: Vault) -> Assistant:
    return register(alice, "Cook & Söhne’s <bot>")


def mails(postman: Postman, person: Holder) -> list[Read]:
    """What this person got, after the post went round."""
    tasks.sweep()
    return [read(each) for each in postman.to(_address(person))]


def _address(person: Holder) -> str:
    return str(get_user_model().objects.get(pk=person.user_id).email)


def in_zone(at: Any, zone: str) -> str:
    """A time as a reader in this zone is told it."""
    return f"{at.astimezone(ZoneInfo(zone)):%a} {at.astimezone(ZoneInfo(zone)).day} " + (
        f"{at.astimezone(ZoneInfo(zone)):%b %Y, %H:%M} ({zone})"
    )


# ---------------------------------------------------------------- requests
def test_a_request(alice: Vault, cook: Assistant, postman: Postman) -> None:
    wish = cook.ask("kitchen", "time", categories=(Category.HEALTH,), purpose_note=canary())
    (letter,) = mails(postman, alice.holder)
    assert letter.subject == "Someone is asking to read from your file"
    assert "Cook & Söhne’s <bot> asks to read 2 memories and what there is of one kind from your file." in letter.text
    assert "One part of it is in a protected category" in letter.text
    assert in_zone(wish.expires_at, "Europe/Lisbon") in letter.text
    assert letter.link == f"{ours.PUBLIC_URL}/requests/{typed('req', wish.request_id)}"
    browser = Browser()
    browser.force_login(get_user_model().objects.get(pk=alice.holder.user_id))
    page = browser.get(letter.link.removeprefix(ours.PUBLIC_URL))
    assert page.status_code == 200 and b"Cook &amp;" in page.content


def test_a_burst_of_one_assistant_is_told_once_an_hour_and_another_s_by_itself(
    alice: Vault, cook: Assistant, postman: Postman
) -> None:
    for name in ("kitchen", "time", "dislikes"):
        cook.ask(name)
    register(alice, "Bob").ask("kitchen")
    assert len(mails(postman, alice.holder)) == 2
    LetterRow.objects.update(made_at=Now() - timedelta(minutes=61))
    cook.ask("kitchen", "time")
    assert len(mails(postman, alice.holder)) == 3


def test_who_may_decide_for_somebody_is_told_whose_it_is_and_who_may_only_look_is_not(
    alice: Vault, cook: Assistant, postman: Postman
) -> None:
    rosa, otto = newcomer("Rosa"), newcomer("Otto")
    acting(alice.holder, rosa)
    acting(alice.holder, otto, level=Level.VIEW)
    cook.ask("kitchen")
    (letter,) = mails(postman, rosa)
    assert letter.subject == "Someone is asking to read from a file you act for"
    assert "the file of Alice" in letter.text and letter.link == f"{ours.PUBLIC_URL}/people"
    assert mails(postman, otto) == []


def test_who_sits_at_several_vaults_is_told_which_to_choose(alice: Vault, cook: Assistant, postman: Postman) -> None:
    """A page of one vault isn't found from another's seat, and nobody knows at which a reader sits."""
    acting(newcomer("Rosa"), alice.holder)
    cook.ask("kitchen")
    (letter,) = mails(postman, alice.holder)
    assert letter.link == f"{ours.PUBLIC_URL}/people"
    assert "choose your own vault in Alice's house on this page and then open the inbox" in letter.text


def test_a_child_without_a_log_in_gets_none_and_the_guardian_does(postman: Postman) -> None:
    rosa = newcomer("Rosa")
    seat = child_of(rosa, log_in=False)
    made = memories.add(seat, label="Bicycle", value="Red", now=utc_now())
    vault = Vault(seat, {"bicycle": made.memory_id})
    register(vault, "Cook").ask("bicycle")
    assert [each.subject for each in mails(postman, rosa)] == ["Someone is asking to read from a file you act for"]
    assert len(postman.kept) == 1


def test_a_guardian_by_tier(postman: Postman) -> None:
    rosa = newcomer("Rosa")
    seat = child_of(rosa)
    made = memories.add(seat, label="Bicycle", value="Red", now=utc_now())
    cook = register(Vault(seat, {"bicycle": made.memory_id}), "Cook")
    grow(seat, born(13))
    cook.ask("bicycle")
    assert mails(postman, rosa) == [] and len(mails(postman, themself(seat.vault_id))) == 1


# ---------------------------------------------------------------- sealed from guardians
@pytest.fixture
def home(empty: None) -> tuple[Holder, Holder, Vault, Assistant]:
    """A guardian's seat, the child, the child's vault, and an assistant of it."""
    seat = child_of(newcomer("Rosa"))
    vault = Vault(themself(seat.vault_id))
    vault.keep("bicycle")
    vault.keep("poems")
    return seat, vault.holder, vault, register(vault, "Cook")


def test_what_is_sealed_from_a_guardian_is_told_to_the_child_alone(
    home: tuple[Holder, Holder, Vault, Assistant], postman: Postman
) -> None:
    rosa, child, vault, cook = home
    mixed, whole = give(cook, "bicycle", "poems"), give(cook, "poems")
    assert cook.read("poems").released and cook.read("bicycle").released
    LetterRow.objects.all().delete()
    memories.seal_from_guardians(child, vault.ids["poems"], utc_now())
    later = utc_now() + timedelta(days=400)
    assert access.expire_grant(vault.id, whole.grant_id, later)
    assert [len(mails(postman, each)) for each in (rosa, child)] == [0, 1]
    LetterRow.objects.update(made_at=Now() - timedelta(hours=2))
    assert access.expire_grant(vault.id, mixed.grant_id, later)
    assert "It was read once" in mails(postman, rosa)[0].text
    assert "It was read" in mails(postman, child)[1].text


def test_a_guardian_s_confirmation_counts_what_the_guardian_sees(
    home: tuple[Holder, Holder, Vault, Assistant], postman: Postman
) -> None:
    rosa, child, vault, cook = home
    give(cook, "bicycle", "poems")
    give(cook, "poems")
    for name in ("bicycle", "poems", "poems"):
        assert cook.read(name).released
    memories.seal_from_guardians(child, vault.ids["poems"], utc_now())
    LetterRow.objects.all().delete()
    assert not isinstance(access.revoke(rosa, cook.client.client_id, utc_now()), Refused)
    (hers,), (own,) = mails(postman, rosa), mails(postman, child)
    assert hers.subject == own.subject == "An assistant was stopped"
    assert "You stopped Cook for Leo" in hers.text and "it had read once, last on" in hers.text
    assert "Rosa stopped Cook on" in own.text and "it had read 3 times, last on" in own.text


# ---------------------------------------------------------------- stopped, and ended
def test_stopping_an_assistant(alice: Vault, cook: Assistant, postman: Postman) -> None:
    give(cook, "kitchen")
    assert cook.read("kitchen").released
    LetterRow.objects.all().delete()
    now = utc_now()
    access.revoke(alice.holder, cook.client.client_id, now)
    access.revoke(alice.holder, cook.client.client_id, now)
    (letter,) = mails(postman, alice.holder)
    assert letter.subject == "You stopped an assistant"
    assert f"You stopped Cook & Söhne’s <bot> on {in_zone(now, 'Europe/Lisbon')}" in letter.text
    assert "it had read once, last on" in letter.text and "cannot be called back" in letter.text
    assert "If it was not you, set a new password" in letter.text
    assert letter.link == f"{ours.PUBLIC_URL}/grants"


def test_stopping_one_grant(alice: Vault, cook: Assistant, postman: Postman) -> None:
    grant = give(cook, "kitchen")
    LetterRow.objects.all().delete()
    access.revoke_grant(alice.holder, grant.grant_id, utc_now())
    (letter,) = mails(postman, alice.holder)
    assert "You stopped something that Cook & Söhne’s <bot> had been given" in letter.text
    assert "It had read nothing." in letter.text


def test_a_grant_that_lapsed_and_one_whose_time_is_over(alice: Vault, cook: Assistant, postman: Postman) -> None:
    lapsed = give(cook, "kitchen", until=utc_now() + timedelta(days=300))
    over, spent = give(cook, "time"), give(cook, "dislikes", reads=1)
    assert cook.read("dislikes").released
    LetterRow.objects.all().delete()
    later = utc_now() + timedelta(hours=2)
    done = at_once([lambda: access.expire_grant(alice.id, over.grant_id, later)] * 2)
    assert sorted(map(bool, done)) == [False, True]
    assert access.expire_grant(alice.id, spent.grant_id, later)
    (letter,) = mails(postman, alice.holder)
    assert letter.subject == "An assistant’s access has ended" and "its time is over" in letter.text
    LetterRow.objects.update(made_at=Now() - timedelta(hours=2))
    assert access.lapse_grant(alice.id, lapsed.grant_id, utc_now() + timedelta(days=91))
    assert "it stood unused for 90 days" in mails(postman, alice.holder)[1].text


def test_what_a_reviewer_sent_back(casa: Clinic, leo: Vault, bot: Assistant, postman: Postman) -> None:  # noqa: F811
    done = allow(bot, "pills")
    LetterRow.objects.all().delete()
    desk, why = casa.desk(casa.rita), canary()
    (row,) = access.queue(desk)
    assert not isinstance(access.send_back(desk, row.row.review_id, why, utc_now()), Refused)
    (letter,) = mails(postman, leo.holder)
    assert letter.subject == "Something was sent back to you"
    assert letter.link == f"{ours.PUBLIC_URL}/requests/{typed('req', done.request_id)}"
    assert why not in letter.text + letter.html


# ---------------------------------------------------------------- people
@pytest.mark.parametrize("zone", ["Europe/Lisbon", "Asia/Kolkata", "Pacific/Kiritimati"])
def test_leave_that_ends_soon_is_told_of_once_to_both_in_their_own_zone(
    alice: Vault, postman: Postman, zone: str
) -> None:
    rosa = newcomer("Rosa")
    get_user_model().objects.filter(pk=rosa.user_id).update(time_zone=zone)
    acting(alice.holder, rosa, at=utc_now() - timedelta(days=548 - 29))
    (leave,) = holders.delegations(alice.holder)
    assert leave.expires_at is not None
    at_once([holders_tasks.remind_of_leave] * 2)
    holders_tasks.remind_of_leave()
    (own,), (hers,) = mails(postman, alice.holder), mails(postman, rosa)
    assert own.subject == "Somebody’s leave to act for you ends soon"
    assert f"Rosa may act for you until {in_zone(leave.expires_at, 'Europe/Lisbon')}" in own.text
    assert f"You may act for Alice until {in_zone(leave.expires_at, zone)}" in hers.text
    assert own.link == hers.link == f"{ours.PUBLIC_URL}/people"


def test_leave_that_was_given_for_less_is_not_announced_to_end(alice: Vault, postman: Postman) -> None:
    rosa = newcomer("Rosa")
    _, token = invited(alice.holder, rosa, Role.DELEGATE, days=7)
    holders.accept(rosa.user_id, token, utc_now())
    holders_tasks.remind_of_leave()
    assert mails(postman, rosa) == []


def test_leave_that_ended_by_its_day_leaves_one_receipt_and_can_still_be_renewed(
    alice: Vault, postman: Postman
) -> None:
    rosa = newcomer("Rosa")
    acting(alice.holder, rosa)
    (leave,) = holders.delegations(alice.holder)
    holders.renew_delegation(alice.holder, leave.delegation_id, utc_now() - timedelta(days=3), 2)
    assert holders.seat(rosa.user_id, alice.id) is None

    def ends() -> list[str]:
        return [each.actor for each in alice.receipts(kind="delegation.ended")]

    assert all(isinstance(each, int) for each in at_once([holders_tasks.end_leave] * 3))
    assert ends() == ["sys_clock"]
    assert [each.subject for each in mails(postman, alice.holder)] == ["Somebody’s leave to act for you has ended"]
    assert [each.subject for each in mails(postman, rosa)] == ["Your leave to act for somebody has ended"]
    assert not isinstance(holders.renew_delegation(alice.holder, leave.delegation_id, utc_now(), 1), Refused)
    assert holders.seat(rosa.user_id, alice.id) is not None
    assert holders_tasks.end_leave() == 0
    holders.renew_delegation(alice.holder, leave.delegation_id, utc_now() - timedelta(days=3), 2)
    assert holders_tasks.end_leave() == 1
    assert ends() == ["sys_clock"] * 2


def test_a_birthday(postman: Postman) -> None:
    rosa = newcomer("Rosa")
    child = themself(child_of(rosa).vault_id)
    grow(child, born(13, days=-30))
    holders_tasks.tell_of_birthdays()
    (own,), (hers,) = mails(postman, child), mails(postman, rosa)
    assert own.subject == hers.subject == "A birthday changes who may act"
    assert "you turn 13. From that day on a guardian may look" in own.text and "you decide yourself" in own.text
    assert "Leo turns 13. From that day on a guardian may look" in hers.text and "Leo decides" in hers.text


def test_an_emergency(ward: Ward, postman: Postman) -> None:  # noqa: F811
    rosa, leo = newcomer("Rosa"), ward.leo.holder  # noqa: F811
    acting(leo, rosa)
    ward.enter()
    opened = ward.opened()
    said = "A space you belong to changed its rules"  # as it began to allow emergencies
    got = [mails(postman, each) for each in (leo, rosa, ward.paula, ward.nora)]
    (own,), (hers,), (the_lead_s,), none = ([each for each in one if each.subject != said] for one in got)
    assert none == []
    assert own.subject == hers.subject == the_lead_s.subject == "Emergency access was used"
    assert (
        f"Nora opened your file in an emergency, on {in_zone(opened.entered_at, 'UTC')}, as Casa M. allows" in own.text
    )
    assert in_zone(opened.ends_at, "UTC") in own.text and "a life was at risk" in own.text
    assert "Nora opened the file of Leo Maria Brandt" in hers.text
    assert "Nora opened a file in Casa M." in the_lead_s.text and "Leo" not in the_lead_s.text
    assert f"Look at it by {in_zone(opened.due_at, 'UTC')}" in the_lead_s.text
    assert the_lead_s.link == f"{ours.PUBLIC_URL}/emergency/reviews" and own.link == f"{ours.PUBLIC_URL}/people"
    assert not [each for each in (own, hers, the_lead_s) if NOTE in each.text + each.html]


# ---------------------------------------------------------------- names of strangers
@pytest.mark.parametrize(
    "name", ["O'Brien & Söhne", "<b>Bot</b>", "https://evil.example/a", "www.evil.example", "Bot\u202egnp", "x" * 120]
)
def test_a_name_is_readable_in_both_parts_and_leads_nowhere(alice: Vault, postman: Postman, name: str) -> None:
    register(alice, name).ask("kitchen")
    (letter,) = mails(postman, alice.holder)  # `read` holds: one link, nothing escaped twice, both parts alike
    assert "\u202e" not in letter.text and "evil.example" not in letter.link
    assert "evil.example" not in letter.text
    if "evil" not in name and "\u202e" not in name:
        said = name if len(name) <= MOST_SAID else name[: MOST_SAID - 1] + "…"
        assert said in letter.text and said in letter.html


# ---------------------------------------------------------------- what no letter says
def test_no_letter_holds_a_value_a_label_a_purpose_or_a_condition(
    casa: Clinic,  # noqa: F811
    leo: Vault,  # noqa: F811
    bot: Assistant,  # noqa: F811
    postman: Postman,
) -> None:
    """Every word that could tell of the file is a canary, and none comes out in any mail, whatever is done."""
    rosa = newcomer("Rosa")
    acting(leo.holder, rosa, Role.DELEGATE)
    said = [canary() for _ in range(3)]
    bot.ask("kitchen", categories=(Category.HEALTH, Category.BELIEF), purpose_note=said[0])
    allow(bot, "pills")
    desk = casa.desk(casa.rita)
    for row in access.queue(desk):
        access.send_back(desk, row.row.review_id, said[1], utc_now())
    granted = give(bot, "kitchen")
    assert bot.read("kitchen").released
    access.expire_grant(leo.id, granted.grant_id, utc_now() + timedelta(hours=2))
    memories.propose(bot.caller, label=said[2], value=canary(), now=utc_now(), rationale=canary())
    access.revoke(leo.holder, bot.client.client_id, utc_now())
    now = utc_now()
    mail.digests_due(now, 500)
    then = (now + timedelta(days=9)).replace(hour=12)
    for due in mail.digests_due(then, 500):
        mail.hand_in(due, access.tellings(due, then), then)
    assert LetterRow.objects.filter(letter="receipts").exists()
    assert tasks.sweep() >= 8
    words = [*leo.secrets, *leo.labels.values(), *said, *(each.value for each in Category if each.special)]
    words += [each.value.replace("_", " ") for each in Category if each.special] + ["health", "belief", "meal_planning"]
    for _, content in postman.kept:
        for told in (content.decode("utf-8", "replace"), str(read(parsed(content)))):
            assert not [each for each in words if each.lower() in told.lower()]
