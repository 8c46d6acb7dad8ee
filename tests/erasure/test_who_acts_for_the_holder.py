"""Whoever acts for the holder erases only where their role says so, and is told nothing of what is sealed from them."""

import json
from datetime import timedelta

import pytest

from apps.erasure import services as erasure
from apps.memories import services as memories
from apps.memories.services import linking
from apps.policy.erasing import Derived, Order, Plan, Where
from apps.policy.links import EdgeKind
from apps.policy.roles import Barred
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Directive, Refusal, Role
from tests.cast import Assistant, Vault
from tests.holders.people import acting, newcomer
from vault.clock import utc_now


def suggested(by: Assistant, vault: Vault, name: str) -> Proposal:
    """A suggestion to erase this memory."""
    target = vault.ids[name]
    made = memories.propose(by.caller, directive=Directive.ERASE, target=target, known=[target], now=utc_now())
    assert isinstance(made, Proposal), made
    return made


def test_a_delegate_erases_nothing_by_saying_yes_to_a_suggestion(alice: Vault, cook: Assistant) -> None:
    seat, made = acting(alice.holder, newcomer("Rosa")), suggested(cook, alice, "time")
    assert memories.approve(seat, made.proposal_id, now=utc_now()) == Refused(Refusal.NOT_YOURS)
    assert memories.memory(alice.holder, alice.ids["time"]) is not None
    assert not isinstance(memories.approve(alice.holder, made.proposal_id, now=utc_now()), Refused)
    assert memories.memory(alice.holder, alice.ids["time"]) is None


def test_a_guardian_who_decides_may_say_yes_to_it(alice: Vault, cook: Assistant) -> None:
    seat, made = acting(alice.holder, newcomer("Rosa"), Role.GUARDIAN), suggested(cook, alice, "time")
    assert not isinstance(memories.approve(seat, made.proposal_id, now=utc_now()), Refused)


def test_a_legal_hold_bars_a_yes_to_a_suggestion_too(alice: Vault, cook: Assistant) -> None:
    made, until = suggested(cook, alice, "time"), utc_now() + timedelta(days=3)
    erasure.place(alice.id, "The district court", "Case 12", until, utc_now())
    no = memories.approve(alice.holder, made.proposal_id, now=utc_now())
    assert no == Refused(Refusal.LEGAL_HOLD, until=until)
    assert memories.memory(alice.holder, alice.ids["time"]) is not None
    waiting = memories.proposal(alice.holder, made.proposal_id)
    assert waiting is not None and waiting.status.value == "pending"


def told(alice: Vault, *, sealed: bool) -> tuple[object, ...]:
    """What a guardian is told of erasing a memory from which one was made, and a suggestion about that one; with both
    sealed from them, or with neither there.
    """
    seat = acting(alice.holder, newcomer("Rosa"), Role.GUARDIAN)
    kept = alice.keep("shed", "The key is under the pot")
    if sealed:
        other = alice.keep("diary", "The key is under the pot", sealed=True)
        linking.draw(alice.holder, EdgeKind.DERIVED_FROM, other, kept, utc_now())
    where = Where(ids=frozenset({kept}))
    plan = erasure.preview(seat, where)
    assert isinstance(plan, Plan)
    done = erasure.order(seat, where, utc_now(), plan=plan.digest)
    assert isinstance(done, Order)
    seen = erasure.erasure(seat, done.order_id)
    assert seen is not None
    listed = erasure.orders(seat)
    facts = [(each.memories, each.kept, each.still_held, dict(each.counts), each.certificate) for each in listed]
    return (
        len(plan.named),
        plan.made_from,
        plan.still_held,
        dict(plan.counts),
        [(done.memories, done.kept, done.still_held, dict(done.counts))],
        facts,
        (seen.memories, dict(seen.counts), seen.certificate),
    )


def test_what_is_sealed_from_a_guardian_leaves_no_trace_in_a_preview_or_an_order(alice: Vault, mallory: Vault) -> None:
    assert told(alice, sealed=True) == told(mallory, sealed=False)


def test_what_a_guardian_ordered_is_certified_as_it_is_for_the_whole_vault(alice: Vault) -> None:
    seat = acting(alice.holder, newcomer("Rosa"), Role.GUARDIAN)
    kept = alice.keep("shed", "The key is under the pot")
    made = alice.keep("diary", "It is under the pot", sealed=True)
    alice.keep("drawer", "The key is under the pot", sealed=True)
    linking.draw(alice.holder, EdgeKind.DERIVED_FROM, made, kept, utc_now())
    done = erasure.order(seat, Where(ids=frozenset({kept})), utc_now())
    assert isinstance(done, Order) and (done.kept, done.still_held) == (0, 0)
    row = erasure.erasure(alice.holder, done.order_id)
    assert row is not None and (row.kept, row.still_held) == (1, 1)
    said = json.loads(row.certificate)
    assert (said["kept"], said["still_held"]) == (1, 1)


def test_a_guardian_is_told_of_no_suggestion_about_what_is_sealed(alice: Vault, cook: Assistant) -> None:
    seat = acting(alice.holder, newcomer("Rosa"), Role.GUARDIAN)
    hidden = alice.keep("diary", sealed=True)
    source = alice.ids["kitchen"]
    made = memories.propose(
        cook.caller,
        directive=Directive.CORRECT,
        target=hidden,
        value="Other words",
        lineage=[source],
        known=[hidden, source],
        now=utc_now(),
    )
    assert isinstance(made, Proposal), made
    where = Where(ids=frozenset({source}))
    for each, many in ((alice.holder, 1), (seat, 0)):
        plan = erasure.preview(each, where)
        assert isinstance(plan, Plan) and len(plan.suggested) == many


def test_a_guardian_takes_no_certificate_away_as_it_stands_in_the_chain(alice: Vault) -> None:
    seat = acting(alice.holder, newcomer("Rosa"), Role.GUARDIAN)
    done = erasure.order(seat, Where(ids=frozenset({alice.ids["time"]})), utc_now(), derived=Derived.KEEP)
    assert isinstance(done, Order)
    with pytest.raises(Barred):
        erasure.certificate_file(seat, done.order_id)
    assert erasure.certificate_file(alice.holder, done.order_id) is not None
