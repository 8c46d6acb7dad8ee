"""A clinic's review: the person's yes waits for a second one, and the second can only be as much or less."""

from datetime import timedelta
from typing import Any

import pytest

from apps.access import services as access
from apps.access.services import NO, Decision
from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.policy.review import Check
from apps.policy.text import TextProblem
from apps.policy.types import AccessRequest, Asked, Refused
from apps.policy.vocabulary import Category, PartStatus, Refusal, ReviewOutcome, Role
from tests.cast import Assistant, Vault, register
from tests.clinics import Clinic, allow, as_asked, settle
from tests.holders.people import acting, newcomer
from tests.threads import at_once
from vault.clock import utc_now


def waiting(casa: Clinic) -> Any:
    """The one row that waits."""
    (found,) = access.queue(casa.desk(casa.rita))
    return found.row


def test_the_person_s_yes_waits_and_the_assistant_is_told_nothing_of_it(
    casa: Clinic, leo: Vault, bot: Assistant
) -> None:
    before = bot.ask(categories=(Category.HEALTH,))
    done = access.decide(
        leo.holder,
        before.request_id,
        {Category.HEALTH: Decision(frozenset({leo.ids["pills"]}), utc_now() + timedelta(days=1), 3)},
        utc_now(),
    )
    assert isinstance(done, AccessRequest)
    assert done.status is PartStatus.IN_REVIEW
    assert as_asked(bot, before.request_id) == before
    assert access.granted(bot.caller, done) == ()
    assert bot.ask(categories=(Category.HEALTH,)) == before, "asking again finds the same, as while a person decides"
    result = bot.read("pills")
    assert [each.reason for each in result.withheld] == [Refusal.NOT_FOUND]
    (receipt,) = leo.receipts(kind="request.decided")
    assert (receipt.actor, receipt.reason) == (leo.holder.actor, "in_review")
    assert leo.receipts(kind="grant.made") == ()


def test_ordinary_memories_and_the_person_s_own_chat_wait_for_nobody(leo: Vault, bot: Assistant) -> None:
    wish = bot.ask("kitchen")
    done = access.decide(
        leo.holder, wish.request_id, {Category.ORDINARY: Decision(frozenset({leo.ids["kitchen"]}))}, utc_now()
    )
    assert isinstance(done, AccessRequest)
    assert done.status is PartStatus.GRANTED


def test_an_approval_makes_the_grant_under_the_reviewer_s_name(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    wish = allow(bot, "pills", "sleep")
    row = waiting(casa)
    done = access.approve(casa.desk(casa.rita), row.review_id, utc_now())
    assert not isinstance(done, Refused)
    assert done.outcome is ReviewOutcome.APPROVED
    seen = as_asked(bot, wish.request_id)
    assert seen.status is PartStatus.GRANTED
    (grant,) = access.granted(bot.caller, seen)
    assert grant.memory_ids == {leo.ids["pills"], leo.ids["sleep"]}
    assert (grant.expires_at, grant.reads_left) == (row.until, 5)
    assert [each.handed.value for each in bot.read("pills").released] == [leo.values["pills"]]
    kinds = [(each.kind, each.actor, each.on_behalf_of) for each in leo.receipts()][-3:-1]
    reviewer = f"rev_{casa.rita.user_id.hex}"
    assert kinds == [("review.approved", reviewer, "-"), ("grant.made", reviewer, "-")]


def test_a_narrower_one_is_given_for_less(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    wish, soon = allow(bot, "pills"), utc_now() + timedelta(hours=1)
    done = access.approve(casa.desk(casa.rita), waiting(casa).review_id, utc_now(), until=soon, reads=1)
    assert not isinstance(done, Refused)
    assert done.outcome is ReviewOutcome.NARROWED
    (grant,) = access.granted(bot.caller, as_asked(bot, wish.request_id))
    assert (grant.expires_at, grant.reads_left) == (soon, 1)
    assert len(leo.receipts(kind="review.narrowed")) == 1


def test_sent_back_it_is_the_person_s_again_with_the_reason(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    wish = allow(bot, "pills")
    asked = as_asked(bot, wish.request_id)
    done = access.send_back(casa.desk(casa.rita), waiting(casa).review_id, "Only the dose, please", utc_now())
    assert not isinstance(done, Refused)
    again = access.request(leo.holder, wish.request_id)
    assert again is not None
    assert again.status is PartStatus.PENDING
    assert [each.sent_back for each in access.choices(leo.holder, again)] == ["Only the dose, please"]
    assert as_asked(bot, wish.request_id) == asked
    assert wish.request_id in {each.request_id for each in access.waiting(leo.holder, utc_now())}
    assert access.queue(casa.desk(casa.rita)) == ()
    decided = access.decide(
        leo.holder, wish.request_id, {Category.HEALTH: Decision(frozenset({leo.ids["sleep"]}))}, utc_now()
    )
    assert isinstance(decided, AccessRequest)
    assert decided.status is PartStatus.IN_REVIEW
    assert waiting(casa).returned_before == 1


def test_declined_is_to_the_assistant_a_no_like_the_person_s(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    other = register(leo, "Other")
    allow(bot, "pills")
    done = access.decline(casa.desk(casa.rita), waiting(casa).review_id, utc_now(), "Not for this purpose")
    assert not isinstance(done, Refused)
    wish = other.ask(categories=(Category.HEALTH,))
    access.decide(leo.holder, wish.request_id, {Category.HEALTH: NO}, utc_now())
    answers = []
    for each in (bot, other):
        refused = access.ask(each.caller, [Asked(category=Category.HEALTH)], purpose=wish.purpose, now=utc_now())
        assert isinstance(refused, Refused)
        answers.append((refused.reason, refused.until is not None))
    assert answers == [(Refusal.COOL_DOWN, True)] * 2
    seen = access.request(leo.holder, done.request_id)
    assert seen is not None
    assert [each.sent_back for each in access.choices(leo.holder, seen)] == ["Not for this purpose"]


@pytest.mark.parametrize(
    "wider",
    [{"until": timedelta(seconds=1)}, {"until": timedelta(days=-9)}, {"reads": 6}, {"reads": 0}, {"reads": -1}],
    ids=str,
)
def test_more_is_refused_and_nothing_is_decided(
    casa: Clinic, leo: Vault, bot: Assistant, wider: dict[str, Any]
) -> None:
    allow(bot, "pills")
    row = waiting(casa)
    sent = {name: row.until + value if name == "until" else value for name, value in wider.items()}
    refused = access.approve(casa.desk(casa.rita), row.review_id, utc_now(), **sent)
    assert isinstance(refused, Refused)
    assert (refused.reason, refused.pointer) == (Refusal.WIDER, f"/{next(iter(wider))}")
    assert waiting(casa) == row
    assert leo.receipts(kind="grant.made") == ()


def test_of_two_reviewers_at_once_exactly_one_wins(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    allow(bot, "pills")
    review = waiting(casa).review_id
    desks = [casa.desk(casa.rita), casa.desk(casa.rolf)]
    done = at_once(
        [
            lambda: access.approve(desks[0], review, utc_now()),
            lambda: access.decline(desks[1], review, utc_now()),
        ]
    )
    lost = [each for each in done if isinstance(each, Refused)]
    assert [each.reason for each in lost] == [Refusal.ALREADY_DECIDED], done
    assert len(leo.receipts(kind="review.approved") + leo.receipts(kind="review.declined")) == 1
    assert len(leo.receipts(kind="grant.made")) == len(leo.receipts(kind="review.approved"))
    again = access.approve(desks[0], review, utc_now())
    assert again == Refused(Refusal.ALREADY_DECIDED)


def test_nobody_reviews_their_own(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    casa.joined(leo.holder, Role.REVIEWER)
    allow(bot, "pills")
    row = next(each.row for each in access.queue(casa.desk(leo.holder)))
    assert row.own
    refused = access.approve(casa.desk(leo.holder), row.review_id, utc_now())
    assert refused == Refused(Refusal.NOT_YOURS)


def test_nor_what_they_decided_for_the_person_or_might_have(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    seat = acting(leo.holder, casa.rita, Role.GUARDIAN)
    allow(bot, "pills", who=seat)
    row = waiting(casa)
    assert (row.own, row.decided_by) == (True, Role.GUARDIAN)
    assert access.approve(casa.desk(casa.rita), row.review_id, utc_now()) == Refused(Refusal.NOT_YOURS)
    mine = next(each for each in holders.delegations(leo.holder) if each.user_id == casa.rita.user_id)
    holders.end_delegation(leo.holder, mine.delegation_id, utc_now())
    assert access.approve(casa.desk(casa.rita), row.review_id, utc_now()) == Refused(Refusal.NOT_YOURS)
    assert not isinstance(access.approve(casa.desk(casa.rolf), row.review_id, utc_now()), Refused)


def test_a_person_s_no_never_comes_to_the_desk(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    wish = bot.ask(categories=(Category.HEALTH,))
    access.decide(leo.holder, wish.request_id, {Category.HEALTH: NO}, utc_now())
    assert access.queue(casa.desk(casa.rita)) == ()
    assert as_asked(bot, wish.request_id).status is PartStatus.DENIED


def test_the_person_may_still_say_no_while_a_reviewer_looks(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    wish = allow(bot, "pills")
    review, yes = waiting(casa).review_id, Decision(frozenset({leo.ids["sleep"]}))
    again = access.decide(leo.holder, wish.request_id, {Category.HEALTH: yes}, utc_now())
    assert again == Refused(Refusal.ALREADY_DECIDED), "a second yes is none"
    no = access.decide(leo.holder, wish.request_id, {Category.HEALTH: NO}, utc_now())
    assert isinstance(no, AccessRequest)
    assert no.status is PartStatus.DENIED
    assert access.queue(casa.desk(casa.rita)) == ()
    assert access.approve(casa.desk(casa.rita), review, utc_now()) == Refused(Refusal.ALREADY_DECIDED)
    assert [each.reason for each in leo.receipts(kind="request.decided")] == ["in_review", "denied"]
    once_more = access.decide(leo.holder, wish.request_id, {Category.HEALTH: NO}, utc_now())
    assert once_more == Refused(Refusal.ALREADY_DECIDED)


def test_of_a_no_and_an_approval_at_once_exactly_one_is(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    wish = allow(bot, "pills")
    review, desk = waiting(casa).review_id, casa.desk(casa.rita)
    no = {Category.HEALTH: NO}
    done: list[Any] = at_once(
        [
            lambda: access.approve(desk, review, utc_now()),
            lambda: access.decide(leo.holder, wish.request_id, no, utc_now()),
        ]
    )
    assert [isinstance(each, Refused) for each in done].count(True) == 1, done
    assert len(access.grants(leo.holder)) == (0 if isinstance(done[0], Refused) else 1)


def test_another_space_s_reviewer_and_one_who_left_find_nothing(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    allow(bot, "pills")
    row, desk = waiting(casa), casa.desk(casa.rita)
    elsewhere, founder = newcomer("Sam"), newcomer("Olga")
    space = holders.found_space("clinic", "Elsewhere", founder.user_id)
    other = Clinic(space, founder, elsewhere, elsewhere)
    other.joined(elsewhere, Role.REVIEWER)
    assert access.queue(other.desk(elsewhere)) == ()
    assert access.waiting_at(other.desk(elsewhere), row.review_id) is None
    assert access.approve(other.desk(elsewhere), row.review_id, utc_now()) == Refused(Refusal.NOT_FOUND)
    assert not isinstance(holders.leave(casa.rita.user_id, casa.space_id, utc_now()), Refused)
    assert access.desk(casa.rita.user_id, casa.space_id) is None
    assert access.queue(desk) == ()
    assert access.approve(desk, row.review_id, utc_now()) == Refused(Refusal.NOT_FOUND)


@pytest.mark.parametrize("end", ["cancelled", "revoked", "expired"])
def test_what_ends_meanwhile_waits_no_more(casa: Clinic, leo: Vault, bot: Assistant, admin: Any, end: str) -> None:
    wish = allow(bot, "pills")
    review, caller = waiting(casa).review_id, bot.caller
    if end == "cancelled":
        assert isinstance(access.cancel(caller, wish.request_id, utc_now()), AccessRequest)
    elif end == "revoked":
        access.revoke(leo.holder, bot.client.client_id, utc_now())
    else:
        admin.execute("UPDATE access_request SET expires_at = now() WHERE request_id = %s", [wish.request_id])
        assert (leo.id, wish.request_id) in access.due_to_expire(10_000)
        assert access.expire(leo.id, wish.request_id, utc_now())
    assert access.queue(casa.desk(casa.rita)) == ()
    assert access.approve(casa.desk(casa.rita), review, utc_now()) == Refused(Refusal.ALREADY_DECIDED)
    found = access.request(leo.holder, wish.request_id)
    assert found is not None
    assert found.status is (PartStatus.DENIED if end == "expired" else PartStatus.CANCELLED)
    assert leo.receipts(kind="grant.made") == ()


def test_a_paused_client_s_grant_is_made_as_inert_as_its_others(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    allow(bot, "pills")
    access.pause(leo.holder, bot.client.client_id, True)
    assert not isinstance(access.approve(casa.desk(casa.rita), waiting(casa).review_id, utc_now()), Refused)
    (grant,) = access.grants(leo.holder)
    assert grant.paused


def test_the_space_caps_every_decision(casa: Clinic, leo: Vault, bot: Assistant, admin: Any) -> None:
    settle(admin, casa, most_ttl_seconds=7200, most_reads=10)
    wish = bot.ask("kitchen")
    chosen = frozenset({leo.ids["kitchen"]})
    for wrong in (
        Decision(chosen, utc_now() + timedelta(hours=3), 1),
        Decision(chosen, utc_now() + timedelta(hours=1), 11),
        Decision(chosen, utc_now() + timedelta(hours=1), None),
    ):
        with pytest.raises(TextProblem) as problem:
            access.decide(leo.holder, wish.request_id, {Category.ORDINARY: wrong}, utc_now())
        assert problem.value.detail.rstrip(".").split()[-1] in ("end", "most", "here"), problem.value.detail
    done = access.decide(leo.holder, wish.request_id, {Category.ORDINARY: Decision(chosen)}, utc_now())
    assert isinstance(done, AccessRequest)
    (grant,) = access.granted(bot.caller, done)
    assert grant.expires_at - grant.made_at == timedelta(hours=2), "once is within what the space allows"


def test_what_the_space_allows_no_more_has_to_be_narrowed(casa: Clinic, leo: Vault, bot: Assistant, admin: Any) -> None:
    allow(bot, "pills", days=7, reads=5)
    settle(admin, casa, most_ttl_seconds=86400, most_reads=2)
    (found,) = access.queue(casa.desk(casa.rita))
    assert dict(found.checks) == {
        Check.PERSON_FIRST: True,
        Check.OTHER_EYES: True,
        Check.TIME: False,
        Check.READS: False,
    }
    desk, review = casa.desk(casa.rita), found.row.review_id
    assert access.approve(desk, review, utc_now()) == Refused(Refusal.WIDER, "/until")
    soon = utc_now() + timedelta(hours=20)
    assert access.approve(desk, review, utc_now(), until=soon) == Refused(Refusal.WIDER, "/reads")
    assert not isinstance(access.approve(desk, review, utc_now(), until=soon, reads=2), Refused)


def test_sitting_down_and_getting_up_stand_in_the_space_s_chain(casa: Clinic) -> None:
    desk = casa.desk(casa.rita)
    came = access.enter(desk)
    assert access.leave(desk) == came + 1
    reviewer = f"rev_{casa.rita.user_id.hex}"
    found = ledger.receipts(casa.space_id, reviewer, limit=2)
    assert [(each.kind, each.actor) for each in reversed(found)] == [
        ("desk.entered", reviewer),
        ("desk.left", reviewer),
    ]
    assert ledger.verify(casa.space_id, reviewer)
