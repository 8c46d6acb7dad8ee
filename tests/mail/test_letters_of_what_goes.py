"""What goes by its time is told before and once it is gone; what goes by a yes to a suggestion, like any order."""

from datetime import datetime, timedelta

import pytest
from django.conf import settings as ours
from django.utils.dateformat import format as written

from apps.erasure import services as erasure
from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.erasing import Order
from apps.policy.ids import typed
from apps.policy.retention import Keeping, Kept
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Category, Directive, Role
from tests.cast import Assistant, Vault
from tests.erasure.test_what_is_kept_for_a_time_goes import settle
from tests.holders.people import acting, newcomer
from tests.mail.conftest import Postman
from tests.mail.test_letters import mails
from tests.mail.test_letters_of_guarding import only
from vault.clock import utc_now

DAY = timedelta(days=1)

pytestmark = pytest.mark.usefixtures("empty")


@pytest.fixture
def start() -> datetime:
    return utc_now()


def approved(vault: Vault, by: Assistant, name: str, seat: object = None) -> Order:
    """An assistant suggests to erase it, and the holder, or whoever sits there, says yes."""
    target = vault.ids[name]
    made = memories.propose(by.caller, directive=Directive.ERASE, target=target, known=[target], now=utc_now())
    assert isinstance(made, Proposal)
    done = memories.approve(seat or vault.holder, made.proposal_id, now=utc_now())  # type: ignore[arg-type]
    assert not isinstance(done, Refused)
    return erasure.orders(vault.holder)[0]


def says_none_of(vault: Vault, *told: str) -> bool:
    words = (*vault.values.values(), *vault.labels.values())
    return bool(words) and not [each for each in words if each in "".join(told)]


# ---------------------------------------------------------------- suggestions
def test_a_yes_that_erases_is_told_with_its_order(alice: Vault, cook: Assistant, postman: Postman) -> None:
    order = approved(alice, cook, "kitchen")
    letter = only(mails(postman, alice.holder), "Erased")
    assert "A memory was erased from your file on" in letter.text
    assert f"The order: {typed('ord', order.order_id)}" in letter.text
    assert "set a new password and look where you are signed in" in letter.text
    assert "time was over" not in letter.text
    assert says_none_of(alice, letter.text, letter.html)


def test_a_yes_that_somebody_else_says_is_told_to_both(alice: Vault, cook: Assistant, postman: Postman) -> None:
    rosa = newcomer("Rosa")
    approved(alice, cook, "kitchen", acting(alice.holder, rosa, Role.GUARDIAN))
    own, hers = only(mails(postman, alice.holder), "Erased"), only(mails(postman, rosa), "Erased")
    assert "Rosa ordered it" in own.text and "talk with Rosa" in own.text
    assert "from the file of Alice" in hers.text and "you ordered it for Alice" in hers.text


# ---------------------------------------------------------------- what is kept for a time only
def test_that_the_time_of_memories_is_nearly_over_is_told_with_the_day(
    alice: Vault, postman: Postman, start: datetime
) -> None:
    settle(alice, memories=(Kept(Category.HEALTH, 100), Kept(Category.BELIEF, 100)))
    told = start + 75 * DAY
    erasure.retain(alice.id, told)
    many = len(erasure.going_soon(alice.holder, told))
    letter = only(mails(postman, alice.holder), f"The time of {many} memories is nearly over")
    assert many > 1 and f"{many} memories in your file were said last so long ago" in letter.text
    day = written((told + 30 * DAY).date(), "j F Y")
    assert f"that they go for good, from {day} on" in letter.text
    assert "whoever looks after the household or clinic has settled" in letter.text
    assert "say there that it holds. If you do nothing, it goes." in letter.text
    assert "it is about your vault" in letter.text and letter.link.startswith(f"{ours.PUBLIC_URL}/")
    assert says_none_of(alice, letter.text, letter.html)


def test_of_one_it_is_told_as_of_one_and_to_who_decides_whose_it_is(
    alice: Vault, postman: Postman, start: datetime
) -> None:
    rosa = newcomer("Rosa")
    acting(alice.holder, rosa, Role.GUARDIAN)
    settle(alice, memories=(Kept(Category.BELIEF, 100),))
    erasure.retain(alice.id, start + 75 * DAY)
    own = only(mails(postman, alice.holder), "The time of a memory is nearly over")
    hers = only(mails(postman, rosa), "The time of a memory is nearly over")
    assert "A memory in your file was said last so long ago that it goes for good" in own.text
    assert "A memory in the file of Alice was said last so long ago" in hers.text
    assert "once you have chosen that file" in hers.text and "you decide for Alice" in hers.text


def test_once_it_is_gone_whoever_decides_is_told_in_one_letter_of_the_night(
    alice: Vault, postman: Postman, start: datetime
) -> None:
    rosa = newcomer("Rosa")
    acting(alice.holder, rosa, Role.GUARDIAN)
    settle(alice, memories=(Kept(Category.HEALTH, 100), Kept(Category.BELIEF, 100)))
    erasure.retain(alice.id, start + 75 * DAY)
    order = erasure.retain(alice.id, start + 110 * DAY)
    assert isinstance(order, Order) and order.memories > 1
    own, hers = only(mails(postman, alice.holder), "Erased"), only(mails(postman, rosa), "Erased")
    assert f"{order.memories} memories were erased from your file on" in own.text
    assert "Their time was over, by what whoever looks after the household or clinic has settled" in own.text
    assert "You were told thirty days before" in own.text and "set a new password" not in own.text
    assert f"The order: {typed('ord', order.order_id)}" in own.text
    assert "from the file of Alice" in hers.text and "you decide for Alice" in hers.text
    assert says_none_of(alice, own.text, own.html, hers.text, hers.html)


def test_what_is_sealed_from_somebody_is_not_counted_to_them(alice: Vault, postman: Postman, start: datetime) -> None:
    rosa = newcomer("Rosa")
    acting(alice.holder, rosa, Role.GUARDIAN)
    (mine,) = [each for each in memories.memories(alice.holder) if each.memory_id == alice.ids["friday"]]
    assert mine.category is Category.BELIEF
    alice.keep("hidden", category=Category.BELIEF, sealed=True)
    settle(alice, memories=(Kept(Category.BELIEF, 100),))
    erasure.retain(alice.id, start + 75 * DAY)
    order = erasure.retain(alice.id, start + 110 * DAY)
    assert isinstance(order, Order) and order.memories == 2
    assert "2 memories were erased from your file" in only(mails(postman, alice.holder), "Erased").text
    assert "A memory was erased from the file of Alice" in only(mails(postman, rosa), "Erased").text


def test_where_only_words_of_old_suggestions_go_nobody_is_written_to(
    alice: Vault, cook: Assistant, postman: Postman, start: datetime
) -> None:
    made = memories.propose(cook.caller, label="City", value="Porto", now=start)
    assert isinstance(made, Proposal)
    memories.reject(alice.holder, made.proposal_id, start)
    place, *_ = holders.memberships(alice.holder.user_id)
    assert holders.space_policy(place.space_id).keeping == Keeping()
    order = erasure.retain(alice.id, start + 400 * DAY)
    assert isinstance(order, Order) and order.memories == 0
    assert not [each for each in mails(postman, alice.holder) if each.subject == "Erased"]
