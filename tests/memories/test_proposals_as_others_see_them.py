"""What whoever acts for the holder sees of proposals: as though what is sealed from them had never been there."""

from apps.memories import services as memories
from apps.policy.types import Holder, Proposal, Refused
from apps.policy.vocabulary import Directive, MarkKind, Refusal, Role
from tests.cast import Assistant, Vault
from tests.holders.people import acting, newcomer
from vault.clock import utc_now


def guardian_of(alice: Vault) -> Holder:
    return acting(alice.holder, newcomer("Rosa"), Role.GUARDIAN)


def test_no_mark_names_what_is_sealed(alice: Vault, cook: Assistant) -> None:
    guardian, dislikes = guardian_of(alice), alice.ids["dislikes"]
    memories.correct(alice.holder, dislikes, value="Nothing at all", now=utc_now())
    memories.seal_from_guardians(alice.holder, dislikes, utc_now())
    said = alice.values["dislikes"]
    made = memories.propose(cook.caller, label="Foods", value=said, subject="cooking.dislikes", now=utc_now())
    assert isinstance(made, Proposal)
    (mine,), (theirs,) = memories.proposals(alice.holder), memories.proposals(guardian)
    assert [each.kind for each in mine.marks] == [MarkKind.ECHO, MarkKind.ALONE]
    assert theirs.marks == ()
    (there,) = memories.beside(guardian, [theirs])
    assert there.sides == () and there.plain
    assert memories.approve_many(guardian, [(made.proposal_id, 1)], utc_now()).count(memories.Done.APPLIED) == 1


def test_what_is_about_something_sealed_is_not_there(alice: Vault, cook: Assistant) -> None:
    guardian, dislikes = guardian_of(alice), alice.ids["dislikes"]
    made = memories.propose(
        cook.caller, directive=Directive.CORRECT, target=dislikes, value="Olives", known=[dislikes], now=utc_now()
    )
    assert isinstance(made, Proposal)
    assert memories.count_pending(guardian) == 1
    memories.seal_from_guardians(alice.holder, dislikes, utc_now())
    assert memories.count_pending(guardian) == 0
    assert memories.proposals(guardian, None) == ()
    assert memories.proposal(guardian, made.proposal_id) is None
    assert memories.approve(guardian, made.proposal_id, now=utc_now()) == Refused(Refusal.NOT_FOUND)
    assert memories.reject(guardian, made.proposal_id, utc_now()) == Refused(Refusal.NOT_FOUND)
    many = memories.approve_many(guardian, [(made.proposal_id, 1)], utc_now())
    assert [(each.done.value, each.why) for each in many.items] == [("skipped", "not-found")]
    assert memories.count_pending(alice.holder) == 1


def test_a_reopened_memory_that_is_sealed_is_not_there(alice: Vault, cook: Assistant, clinic: Assistant) -> None:
    guardian, time = guardian_of(alice), alice.ids["time"]
    for by in (cook, clinic):
        memories.propose(
            by.caller, directive=Directive.CORRECT, target=time, value="An hour", known=[time], now=utc_now()
        )
    assert [each.memory_id for each in memories.reopened(guardian)] == [time]
    memories.seal_from_guardians(alice.holder, time, utc_now())
    assert memories.reopened(guardian) == ()
