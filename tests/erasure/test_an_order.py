"""An order is shown first, then gone in one act, and certified; what it names is as if it had never been."""

import json
from datetime import timedelta
from hashlib import sha256
from uuid import uuid4

from apps.erasure import services as erasure
from apps.ledger.log import act
from apps.memories import services as memories
from apps.memories import store
from apps.memories.services import linking
from apps.policy.erasing import Basis, Derived, Order, Plan, Where
from apps.policy.links import EdgeKind
from apps.policy.types import Refused
from apps.policy.vocabulary import Category, Refusal
from tests.cast import Vault
from vault.clock import utc_now


def named(vault: Vault, *names: str) -> Where:
    """These memories, by their short names."""
    return Where(ids=frozenset(vault.ids[each] for each in names))


def ordered(vault: Vault, where: Where, derived: Derived | None = None) -> Order:
    """An order that was shown before."""
    plan = erasure.preview(vault.holder, where)
    assert isinstance(plan, Plan)
    done = erasure.order(vault.holder, where, utc_now(), derived=derived, plan=plan.digest)
    assert isinstance(done, Order)
    return done


def test_what_it_names_is_gone_and_the_rest_stays(alice: Vault) -> None:
    before = {each.memory_id for each in memories.memories(alice.holder)}
    done = ordered(alice, named(alice, "time", "pills"))
    after = {each.memory_id for each in memories.memories(alice.holder)}
    assert before - after == {alice.ids["time"], alice.ids["pills"]}
    assert (done.certified, done.memories) == (True, 2)
    assert memories.show(alice.holder, [alice.ids["time"]]).values == ()


def test_its_receipts_name_the_order(alice: Vault) -> None:
    done = ordered(alice, named(alice, "time", "kitchen"))
    mine = [each for each in alice.receipts() if each.object == f"ord_{done.order_id.hex}"]
    kinds = [each.kind for each in mine]
    assert kinds == ["erasure.ordered", "memory.erased", "memory.erased", "erasure.certified"]


def test_the_certificate_says_what_went_and_is_bound_to_its_receipt(alice: Vault) -> None:
    done = erasure.erasure(alice.holder, ordered(alice, named(alice, "time")).order_id)
    assert done is not None
    said = json.loads(done.certificate)
    assert (said["memories"], said["counts"]["keys"], said["counts"]["memories"]) == (1, 1, 1)
    assert said["residue"]["result"] == "not-searched"
    (bound,) = alice.receipts(kind="erasure.certified")
    assert bound.commitment == sha256(done.certificate).digest()
    assert alice.labels["time"] not in done.certificate.decode()


def test_a_preview_does_nothing(alice: Vault) -> None:
    receipts = len(alice.receipts())
    plan = erasure.preview(alice.holder, Where(categories=frozenset({Category.HEALTH})))
    assert isinstance(plan, Plan)
    assert {each.category for each in plan.named} == {Category.HEALTH}
    assert memories.memory(alice.holder, alice.ids["pills"]) is not None
    assert len(alice.receipts()) == receipts


def test_what_is_not_named_one_by_one_has_to_be_previewed(alice: Vault) -> None:
    where = Where(categories=frozenset({Category.HEALTH}))
    assert erasure.order(alice.holder, where, utc_now()) == Refused(Refusal.STALE, "/plan")
    plan = erasure.preview(alice.holder, where)
    assert isinstance(plan, Plan)
    memories.correct(alice.holder, alice.ids["pills"], value="Something else by now", now=utc_now())
    stale = erasure.order(alice.holder, where, utc_now(), plan=plan.digest)
    assert stale == Refused(Refusal.STALE, "/plan")
    assert memories.memory(alice.holder, alice.ids["pills"]) is not None


def test_an_unknown_id_is_an_error_and_nothing_goes(alice: Vault) -> None:
    where = Where(ids=frozenset({alice.ids["time"], uuid4()}))
    assert erasure.order(alice.holder, where, utc_now()) == Refused(Refusal.NOT_FOUND, "/memories")
    assert memories.memory(alice.holder, alice.ids["time"]) is not None


def test_nothing_named_erases_nothing(alice: Vault) -> None:
    assert erasure.order(alice.holder, Where(), utc_now()) == Refused(Refusal.NOT_FOUND)
    assert erasure.preview(alice.holder, Where(subjects=frozenset({"nobody.here"}))) == Refused(
        Refusal.NOT_FOUND, "/subjects"
    )


def test_what_was_made_from_it_waits_for_a_word(alice: Vault) -> None:
    linking.draw(alice.holder, EdgeKind.DERIVED_FROM, alice.ids["dislikes"], alice.ids["kitchen"], utc_now())
    where = named(alice, "kitchen")
    plan = erasure.preview(alice.holder, where)
    assert isinstance(plan, Plan)
    assert [each.memory_id for each in plan.derived] == [alice.ids["dislikes"]]
    no = erasure.order(alice.holder, where, utc_now())
    assert no == Refused(Refusal.LINEAGE_CHOICE, "/derived")
    kept = ordered(alice, where, Derived.KEEP)
    assert (kept.memories, kept.kept) == (1, 1)
    assert memories.memory(alice.holder, alice.ids["dislikes"]) is not None


def test_what_was_made_from_it_goes_too_where_that_is_said(alice: Vault) -> None:
    linking.draw(alice.holder, EdgeKind.DERIVED_FROM, alice.ids["dislikes"], alice.ids["kitchen"], utc_now())
    linking.draw(alice.holder, EdgeKind.DERIVED_FROM, alice.ids["time"], alice.ids["dislikes"], utc_now())
    done = ordered(alice, named(alice, "kitchen"), Derived.ERASE)
    assert (done.memories, done.kept) == (3, 0)
    for name in ("kitchen", "dislikes", "time"):
        assert memories.memory(alice.holder, alice.ids[name]) is None


def test_a_legal_hold_bars_it_until_its_day(alice: Vault) -> None:
    until = utc_now() + timedelta(days=3)
    hold = erasure.place(alice.id, "The district court", "Case 12", until, utc_now())
    no = erasure.order(alice.holder, named(alice, "time"), utc_now())
    assert no == Refused(Refusal.LEGAL_HOLD, until=until)
    assert memories.memory(alice.holder, alice.ids["time"]) is not None
    assert [each.by for each in erasure.holds(alice.holder, utc_now())] == ["The district court"]
    assert erasure.lift(alice.id, hold.hold_id, utc_now()) is None
    assert isinstance(erasure.order(alice.holder, named(alice, "time"), utc_now()), Order)


def test_an_order_of_many_tells_of_each_and_is_certified_at_the_end(alice: Vault, monkeypatch: object) -> None:
    first = [memories.add(alice.holder, label=f"Plate {n}", value=f"Plate {n}", now=utc_now()) for n in range(7)]
    where = Where(subjects=frozenset({each.subject for each in first if not isinstance(each, Refused)}))
    plan = erasure.preview(alice.holder, where)
    assert isinstance(plan, Plan) and len(plan.going) == 7
    done = ordered(alice, where)
    assert erasure.carry_out(alice.id, done.order_id, utc_now()) is not None
    assert len(alice.receipts(kind="memory.erased")) == 7
    assert len(alice.receipts(kind="erasure.certified")) == 1


def test_what_an_assistant_suggested_and_was_approved_has_a_certificate(alice: Vault) -> None:
    with act(alice.id, alice.holder.actor) as erasing:
        found = store.memory(alice.id, alice.ids["time"])
        assert found is not None
        memories.erase_within(erasing, [found], utc_now())
    (done,) = erasure.orders(alice.holder)
    assert (done.basis, done.certified, done.memories) == (Basis.PROPOSAL, True, 1)
