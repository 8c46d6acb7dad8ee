"""What a space settles is asked for at each decision from the next one on, and takes nothing back that was given."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from apps.access import services as access
from apps.access.services import NO, Below, Decision, Shown, Surface
from apps.holders import services as holders
from apps.policy.ids import typed
from apps.policy.text import TextProblem
from apps.policy.tiers import tiers_until
from apps.policy.types import AccessRequest, Asked, Holder, Refused
from apps.policy.vocabulary import Category, Level, PartStatus, Refusal, Role
from tests.cast import PURPOSE, Assistant, Vault, give
from tests.clinics import Clinic, allow
from tests.holders.children import born, child_of
from tests.holders.people import newcomer, settle
from vault.clock import utc_now

WEEK = timedelta(days=7)


def decide(
    by: Assistant, name: str, lasts: timedelta = timedelta(days=1), reads: int | None = 3, shown: Shown | None = None
) -> AccessRequest:
    """The holder says yes to an ordinary memory on these terms."""
    wish = by.ask(name)
    decision = Decision(frozenset({by.vault.ids[name]}), utc_now() + lasts, reads)
    below = shown or access.NOT_SHOWN
    done = access.decide(by.vault.holder, wish.request_id, {Category.ORDINARY: decision}, utc_now(), shown=below)
    assert isinstance(done, AccessRequest), done
    return done


def test_a_category_waits_for_a_reviewer_from_the_next_decision_on(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    settle(casa.admin, casa.space_id, review_categories=frozenset())
    assert allow(bot, "pills").status is PartStatus.GRANTED
    settle(casa.admin, casa.space_id, review_categories=frozenset({Category.HEALTH}))
    assert allow(bot, "sleep").status is PartStatus.IN_REVIEW
    assert [each.handed.value for each in bot.read("pills").released] == [leo.values["pills"]], (
        "given before, it stands"
    )
    settle(casa.admin, casa.space_id, review_categories=frozenset())
    (waits,) = access.queue(casa.desk(casa.rita))
    done = access.approve(casa.desk(casa.rita), waits.row.review_id, utc_now())
    assert not isinstance(done, Refused), "what waits already is still a reviewer's to decide"


def test_an_ordinary_memory_waits_too_where_the_space_says_so(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    settle(casa.admin, casa.space_id, review_categories=frozenset({Category.ORDINARY}))
    assert decide(bot, "kitchen").status is PartStatus.IN_REVIEW


def test_longer_or_more_than_the_most_is_refused_by_its_field(alice: Vault, cook: Assistant) -> None:
    given = decide(cook, "kitchen", lasts=2 * WEEK, reads=None)
    settle(alice.holder, most_ttl_seconds=int(WEEK.total_seconds()), most_reads=5)
    for lasts, reads, field in ((WEEK * 1.1, 5, "until"), (WEEK * 0.9, 6, "reads"), (WEEK * 0.9, None, "reads")):
        with pytest.raises(TextProblem) as problem:
            decide(cook, "time", lasts, reads)
        assert problem.value.field == field
    assert decide(cook, "time", WEEK * 0.9, 5).status is PartStatus.GRANTED
    (grant,) = access.granted(cook.caller, given)
    assert (grant.reads_left, access.state_of(grant, utc_now() + 1.5 * WEEK)) == (
        None,
        access.state_of(grant, utc_now()),
    )


def test_a_grant_lapses_by_the_days_that_held_when_it_was_given(alice: Vault, cook: Assistant) -> None:
    before = give(cook, "kitchen", until=utc_now() + timedelta(days=300))
    settle(alice.holder, lapse_days=7)
    after = give(cook, "time", until=utc_now() + timedelta(days=300))
    assert (before.lapse_days, after.lapse_days) == (90, 7)


def test_an_assistant_may_ask_again_after_the_hours_that_held_at_the_no(alice: Vault, cook: Assistant) -> None:
    settle(alice.holder, cool_down_hours=1)
    now, health = utc_now(), [Asked(category=Category.HEALTH)]

    def ask_at(at: timedelta) -> AccessRequest | Refused:
        return access.ask(cook.caller, health, purpose=PURPOSE, now=now + at)

    wish = ask_at(timedelta())
    assert isinstance(wish, AccessRequest)
    access.decide(alice.holder, wish.request_id, {Category.HEALTH: NO}, now)
    settle(alice.holder, cool_down_hours=720)
    assert ask_at(timedelta(minutes=59)) == Refused(Refusal.COOL_DOWN, until=now + timedelta(hours=1))
    assert isinstance(ask_at(timedelta(minutes=61)), AccessRequest)


def test_a_table_of_ages_counts_at_the_guardian_s_next_request(live: None) -> None:
    rosa = newcomer("Rosa")
    leo = child_of(rosa, born_on=born(9, days=10))

    def level() -> Level | None:
        found = holders.seat(rosa.user_id, leo.vault_id)
        return found.level if found else None

    assert level() is Level.DECIDE
    settle(rosa, tiers=tiers_until(9, 18))
    assert level() is Level.VIEW
    settle(rosa, tiers=tiers_until(0, 9))
    assert level() is None
    settle(rosa, tiers=tiers_until(10, 18))
    assert level() is None, "what has ended with childhood no table brings back"


# ---------------------------------------------------------------- the notice
def above(vault: Vault) -> Shown:
    """What stands above the buttons now, as a form of the page names it."""
    found = access.notice_above(vault.holder, access.REQUEST_NOTICE)
    shown = access.stood(vault.holder, Surface.WEB, found.number, found.below, "0123456789abcdef")
    assert shown is not None
    return shown


def bound_to(vault: Vault, done: AccessRequest, by: Assistant) -> tuple[str, str]:
    """The digest that the grant's record names, and the address of the text."""
    (grant,) = access.granted(by.caller, done)
    record = access.consent_record(vault.holder, grant.grant_id, utc_now())
    assert record is not None
    return record["ext"]["notice_digest"], record["pii_processing"]["privacy_notice"].partition("/notices/")[2]


def test_another_notice_is_bound_to_the_next_grant_and_the_older_one_is_led_to_its_own(
    alice: Vault, cook: Assistant
) -> None:
    ours = access.notice(access.REQUEST_NOTICE)
    assert ours is not None
    found = [bound_to(alice, decide(cook, "kitchen", shown=above(alice)), cook)]
    first = settle(alice.holder, notice="We ask our doctor, too.")
    found.append(bound_to(alice, decide(cook, "time", shown=above(alice)), cook))
    read_before = above(alice)
    settle(alice.holder, notice="We ask nobody.")
    found.append(bound_to(alice, decide(cook, "dislikes", shown=read_before), cook))
    found.append(bound_to(alice, decide(cook, "kitchen", reads=2, shown=above(alice)), cook))
    assert found[0][1] == "1"
    assert len({digest for digest, _ in found}) == 3
    assert found[1] == found[2], "what was read is what is kept, though another stands by then"
    home = holders.memberships(alice.holder.user_id)[0].space_id
    below = Below(home, first.version)
    text = access.notice(access.REQUEST_NOTICE, below)
    assert text is not None
    assert text.text == ours.text + "Your household or clinic adds:\nWe ask our doctor, too.\n"
    assert found[1] == (f"sha256:{text.digest.hex()}", f"1/{typed('spc', home)}/{first.version}")


def test_another_space_s_notice_or_one_that_never_stood_is_claimed_by_nobody(alice: Vault, mallory: Vault) -> None:
    theirs = settle(mallory.holder, notice="Mallory's own words.")
    settle(alice.holder, lapse_days=30)
    (home,), (foreign,) = (holders.memberships(each.holder.user_id) for each in (alice, mallory))
    for below in (Below(foreign.space_id, theirs.version), Below(home.space_id, 1), Below(home.space_id, 2)):
        assert access.stood(alice.holder, Surface.WEB, 1, below) is None
    assert access.stood(alice.holder, Surface.WEB, 99) is None
    assert access.stood(alice.holder, Surface.REST, None) == Shown(Surface.REST)


def test_a_review_keeps_the_notice_that_the_person_read(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    settle(casa.admin, casa.space_id, notice="First.", review_categories=frozenset({Category.ORDINARY}))
    shown = above(leo)
    done = decide(bot, "kitchen", shown=shown)
    settle(casa.admin, casa.space_id, notice="Second.")
    (waits,) = access.queue(casa.desk(casa.rita))
    assert not isinstance(access.approve(casa.desk(casa.rita), waits.row.review_id, utc_now()), Refused)
    decided = access.request(leo.holder, done.request_id)
    assert decided is not None
    text = access.notice(1, shown.below)
    assert text is not None and text.text.endswith("First.\n")
    assert bound_to(leo, decided, bot)[0] == f"sha256:{text.digest.hex()}"


# ---------------------------------------------------------------- two spaces
def test_a_person_in_two_spaces_is_in_each_what_they_are_there(casa: Clinic, alice: Vault, cook: Assistant) -> None:
    """A vault in a household whose holder reviews in a clinic: each vault goes by where it stands."""
    casa.joined(alice.holder, Role.REVIEWER)
    casa.joined(alice.holder, Role.HOLDER)
    home, there = holders.seats(alice.holder.user_id)
    assert (home.space_name, there.space_name) == ("Alice's house", "Casa M.")
    assert holders.policy(home.vault_id).review_categories == frozenset()
    assert Category.HEALTH in holders.policy(there.vault_id).review_categories
    wish = holders.space_policy(casa.space_id)
    refused = holders.settle(alice.holder.user_id, casa.space_id, replace(wish, lapse_days=30), utc_now())
    assert refused == Refused(Refusal.NOT_FOUND), "an admin at home is none in the clinic"
    assert settle(alice.holder, _home(alice.holder), lapse_days=30).lapse_days == 30
    assert holders.policy(there.vault_id).lapse_days == 90
    assert access.desk(alice.holder.user_id, _home(alice.holder)) is None
    assert access.desk(alice.holder.user_id, casa.space_id) is not None


def _home(person: Holder) -> UUID:
    (found,) = [each.space_id for each in holders.memberships(person.user_id) if each.kind == "household"]
    return found
