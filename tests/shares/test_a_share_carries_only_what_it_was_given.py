"""A share is live and never widens: what is corrected, erased, put away, sealed, made special or kept at home goes from
it; what is new never joins.
"""

from collections.abc import Callable
from datetime import timedelta

import pytest

from apps.erasure import services as erasure
from apps.memories import services as memories
from apps.policy.erasing import Where
from apps.policy.text import TextProblem
from apps.policy.types import Refused
from apps.policy.vocabulary import Category, Refusal
from apps.shares import services as shares
from tests.cast import Vault, canary
from tests.holders.people import settle
from tests.shares.links import GONE, HOUR, one, opened, seen, shared, told
from vault.clock import utc_now


def corrected(alice: Vault) -> None:
    memories.correct(alice.holder, alice.ids["time"], value=canary(), now=utc_now())


def made_special(alice: Vault) -> None:
    memories.correct(
        alice.holder, alice.ids["time"], value=alice.values["time"], category=Category.HEALTH, now=utc_now()
    )


def kept_at_home(alice: Vault) -> None:
    memories.mark(alice.holder, alice.ids["time"], now=utc_now(), local_only=True)


def erased(alice: Vault) -> None:
    erasure.order(alice.holder, Where(ids=frozenset({alice.ids["time"]})), utc_now())


WAYS: dict[str, Callable[[Vault], object]] = {
    "corrected": corrected,
    "put away": lambda alice: memories.put_away(alice.holder, alice.ids["time"], utc_now()),
    "sealed": lambda alice: memories.seal_from_guardians(alice.holder, alice.ids["time"], utc_now()),
    "made special": made_special,
    "kept at home": kept_at_home,
    "erased": erased,
}


@pytest.mark.parametrize("way", WAYS)
def test_what_is_not_so_any_more_disappears_from_it(alice: Vault, way: str) -> None:
    share, token = one(alice, "time", "kitchen")
    assert seen(token) == [alice.values["time"], alice.values["kitchen"]]
    WAYS[way](alice)
    assert seen(token) == [alice.values["kitchen"]]
    assert [each.now for each in told(alice, share).lines] in ([False, True], [True]), "erased, it is not even a line"


@pytest.mark.parametrize("way", WAYS)
def test_with_nothing_left_it_opens_for_nobody_and_counts_nothing(alice: Vault, way: str) -> None:
    share, token = one(alice, "time")
    done = opened(token)
    WAYS[way](alice)
    assert shares.open_(token, utc_now()) == GONE
    assert shares.view(token, done.opening.opening_id, utc_now()) == GONE
    assert told(alice, share).share.opens_left == 2


def test_what_is_new_never_joins(alice: Vault) -> None:
    _, token = one(alice, "time")
    alice.keep("more", subject="cooking.time.more")
    assert seen(token) == [alice.values["time"]]


def test_what_was_put_back_as_it_was_is_there_again(alice: Vault) -> None:
    _, token = one(alice, "time")
    memories.put_away(alice.holder, alice.ids["time"], utc_now())
    memories.put_back(alice.holder, alice.ids["time"], utc_now())
    assert seen(token) == [alice.values["time"]]


# ---------------------------------------------------------------- what may be in one
def test_special_categories_and_what_is_put_away_are_not_offered(alice: Vault) -> None:
    names = {each.memory_id for each in shares.offered(alice.holder)}
    assert names == {alice.ids[each] for each in ("kitchen", "time", "dislikes", "budget")}


@pytest.mark.parametrize(
    ("name", "reason"),
    [("pills", Refusal.NEVER_SHARED), ("friday", Refusal.NEVER_SHARED), ("diary", Refusal.NOT_FOUND)],
)
def test_what_is_not_offered_is_refused_by_its_place(alice: Vault, name: str, reason: Refusal) -> None:
    ids = [alice.ids["time"], alice.ids[name]]
    assert shares.make(alice.holder, ids, utc_now()) == Refused(reason, "/memories/1")
    assert shares.preview(alice.holder, ids) == Refused(reason, "/memories/1")
    assert shares.shares(alice.holder, utc_now()) == ()


def test_what_stays_at_home_and_what_is_another_s_is_refused(alice: Vault, mallory: Vault) -> None:
    kept_at_home(alice)
    assert shares.make(alice.holder, [alice.ids["time"]], utc_now()) == Refused(Refusal.LOCAL_ONLY, "/memories/0")
    assert shares.make(mallory.holder, [alice.ids["kitchen"]], utc_now()) == Refused(Refusal.NOT_FOUND, "/memories/0")


def test_a_preview_looks_at_no_value(alice: Vault) -> None:
    before = len(alice.receipts())
    found = shares.preview(alice.holder, [alice.ids["budget"], alice.ids["time"]])
    assert isinstance(found, shares.Preview)
    assert [(each.memory.label, each.form.value) for each in found.lines] == [
        ("Grocery budget", "attested"),
        ("Weeknight time", "value"),
    ]
    assert (found.bounds.hours_most, found.bounds.opens_most) == (720, 50)
    assert len(alice.receipts()) == before


# ---------------------------------------------------------------- what a space settles
def test_a_space_settles_how_long_and_how_often(alice: Vault) -> None:
    settle(alice.holder, share_hours_most=2, share_opens_most=4)
    shared(alice, "time", lasts=2 * HOUR, opens=4)
    for field, more in (("lasts", {"lasts": 2 * HOUR + timedelta(seconds=1)}), ("opens", {"opens": 5})):
        with pytest.raises(TextProblem) as problem:
            shared(alice, "time", **more)
        assert problem.value.field == field


def test_where_no_hours_are_settled_nobody_shares(alice: Vault) -> None:
    _, token = one(alice, "time")
    settle(alice.holder, share_hours_most=0)
    assert shares.make(alice.holder, [alice.ids["time"]], utc_now()) == Refused(Refusal.NO_SHARES)
    assert seen(token) == [alice.values["time"]], "what was shared before ends by its own time"


@pytest.mark.parametrize(
    ("field", "more"),
    [
        ("lasts", {"lasts": timedelta(seconds=59)}),
        ("lasts", {"lasts": timedelta(0)}),
        ("opens", {"opens": 0}),
        ("note", {"note": "x" * 301}),
        ("note", {"note": "a\x00b"}),
        ("pin", {"pin": "123456"}),
    ],
)
def test_what_cannot_be_is_said_and_makes_nothing(alice: Vault, field: str, more: dict[str, object]) -> None:
    with pytest.raises(TextProblem) as problem:
        shared(alice, "time", **more)
    assert problem.value.field == field
    assert shares.shares(alice.holder, utc_now()) == ()


def test_nothing_is_no_share(alice: Vault) -> None:
    with pytest.raises(TextProblem, match="memories"):
        shared(alice)
