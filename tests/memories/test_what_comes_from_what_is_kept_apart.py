"""What was made from a memory that is kept apart, or says the same, does not become ordinary among many, nor unsaid.

Protects what is special, attested, sealed or at home from coming back through a suggestion as something that anybody
may be handed.
"""

from typing import Any
from uuid import UUID

import pytest

from apps.access import services as access
from apps.memories import services as memories
from apps.memories.services import linking
from apps.policy.links import EdgeKind
from apps.policy.text import TextProblem
from apps.policy.types import Memory, Proposal, Refused
from apps.policy.vocabulary import Category, Claim, Directive, MarkKind, Refusal
from tests.cast import Assistant, Vault
from tests.memories.test_proposals_as_others_see_them import guardian_of
from vault.clock import utc_now


def add(by: Assistant, value: str, **words: Any) -> Proposal:
    given = {"label": "A note", "subject": "notes.one", **words}
    made = memories.propose(by.caller, value=value, now=utc_now(), **given)
    assert isinstance(made, Proposal), made
    return made


def correct(by: Assistant, target: UUID, value: str, **words: Any) -> Proposal:
    made = memories.propose(
        by.caller, directive=Directive.CORRECT, target=target, value=value, known=[target], now=utc_now(), **words
    )
    assert isinstance(made, Proposal), made
    return made


def among_many(vault: Vault, *made: Proposal) -> list[tuple[str, str]]:
    done = memories.approve_many(vault.holder, [(each.proposal_id, 1) for each in made], utc_now())
    return [(each.done.value, each.why) for each in done.items]


def alone(vault: Vault, made: Proposal, **words: Any) -> Memory | Refused:
    done = memories.approve(vault.holder, made.proposal_id, now=utc_now(), **words)
    if isinstance(done, Refused):
        return done
    assert done.memory is not None
    return done.memory


LEFT = [("needs-attention", MarkKind.ALONE.value)]
ASKED = Refused(Refusal.SAY_CATEGORY, "/category")
HOMELY = "Blue towels and a green door"


# ---------------------------------------------------------------- special
@pytest.mark.parametrize("directive", [Directive.ADD, Directive.CORRECT])
def test_what_was_made_from_something_special_is_looked_at_by_itself_and_its_category_said(
    alice: Vault, cook: Assistant, directive: Directive
) -> None:
    pills = [alice.ids["pills"]]
    adds = directive is Directive.ADD
    made = add(cook, HOMELY, lineage=pills) if adds else correct(cook, alice.ids["time"], HOMELY, lineage=pills)
    assert among_many(alice, made) == LEFT
    assert alone(alice, made) == ASKED
    kept = alone(alice, made, category=Category.HEALTH)
    assert isinstance(kept, Memory) and kept.category is Category.HEALTH


def test_however_far_back_it_was_made_from_it(alice: Vault, cook: Assistant) -> None:
    linking.draw(alice.holder, EdgeKind.DERIVED_FROM, alice.ids["time"], alice.ids["pills"], utc_now())
    made = add(cook, HOMELY, lineage=[alice.ids["time"]])
    assert among_many(alice, made) == LEFT and alone(alice, made) == ASKED


def test_a_copy_of_something_special_is_known_by_its_print(alice: Vault, cook: Assistant) -> None:
    made = add(cook, alice.values["pills"])
    assert among_many(alice, made) == LEFT and alone(alice, made) == ASKED


def test_a_copy_of_what_it_said_before_is_none_of_many_either(alice: Vault, cook: Assistant) -> None:
    before = alice.values["pills"]
    assert isinstance(memories.correct(alice.holder, alice.ids["pills"], value="Another", now=utc_now()), Memory)
    made = add(cook, before)
    ((done, _),) = among_many(alice, made)
    assert done == "needs-attention" and alone(alice, made, on_purpose=True) == ASKED


def test_on_purpose_it_is_kept_as_ordinary(alice: Vault, cook: Assistant) -> None:
    made = add(cook, HOMELY, lineage=[alice.ids["pills"]])
    kept = alone(alice, made, category=Category.ORDINARY)
    assert isinstance(kept, Memory) and kept.category is Category.ORDINARY
    found = memories.proposal(alice.holder, made.proposal_id)
    assert found is not None and not found.edited, "it is what was proposed"


def test_what_became_special_since_is_shown_first_and_then_asked_for(alice: Vault, cook: Assistant) -> None:
    made, time = add(cook, HOMELY, lineage=[alice.ids["time"]]), alice.ids["time"]
    assert alice.noticed(made).marks == ()
    special = memories.correct(
        alice.holder, time, value=alice.values["time"], category=Category.HEALTH, now=utc_now(), on_purpose=True
    )
    assert isinstance(special, Memory)
    assert alone(alice, made) == Refused(Refusal.NOTICED_SINCE)
    assert [each.how for each in alice.noticed(made).marks] == ["made-from"]
    assert alone(alice, made) == ASKED and among_many(alice, made) == LEFT


def test_what_is_sealed_from_guardians_is_known_again_and_a_guardian_learns_nothing(
    alice: Vault, cook: Assistant
) -> None:
    guardian, dislikes = guardian_of(alice), alice.ids["dislikes"]
    memories.seal_from_guardians(alice.holder, dislikes, utc_now())
    made = add(cook, alice.values["dislikes"], lineage=[dislikes])
    assert among_many(alice, made) == LEFT and alone(alice, made) == ASKED
    theirs = memories.proposal(guardian, made.proposal_id)
    assert theirs is not None and (theirs.marks, theirs.lineage) == ((), ())
    assert isinstance(memories.approve(guardian, made.proposal_id, now=utc_now()), memories.Approved)


# ---------------------------------------------------------------- at home
@pytest.mark.parametrize("copied", [True, False])
def test_what_comes_from_what_stays_at_home_stays_there_unless_that_is_said(
    alice: Vault, cook: Assistant, copied: bool
) -> None:
    def made(subject: str) -> Proposal:
        given = {"subject": subject} if copied else {"subject": subject, "lineage": [home]}
        return add(cook, "Keys in the blue pot" if copied else f"{HOMELY} {subject}", **given)

    home = alice.keep("keys", "Keys in the blue pot", subject="home.keys", local_only=True)
    one, two = made("notes.one"), made("quite.another")
    assert {done for done, _ in among_many(alice, one, two)} == {"needs-attention"}
    kept = alone(alice, one)
    if isinstance(kept, Refused):  # the first says the same by now
        kept = alone(alice, one)
    assert isinstance(kept, Memory) and kept.local_only
    for _ in range(2):
        goes = alone(alice, two, local_only=False)
    assert isinstance(goes, Memory) and not goes.local_only


# ---------------------------------------------------------------- attested
def test_a_copy_of_what_is_attested_is_looked_at_by_itself(alice: Vault, cook: Assistant) -> None:
    made = add(cook, alice.values["budget"])
    assert among_many(alice, made) == LEFT and alone(alice, made) == ASKED


def test_a_correction_of_what_is_attested_is_confirmed_anew_by_its_approver_or_not_made(
    alice: Vault, cook: Assistant
) -> None:
    budget = alice.ids["budget"]
    made = correct(cook, budget, "One million a week")
    assert among_many(alice, made) == [("needs-attention", Refusal.SAY_CLAIM.value)]
    assert alone(alice, made) == Refused(Refusal.SAY_CLAIM, "/claim")
    with pytest.raises(TextProblem, match="budget"):
        alone(alice, made, claim=Claim.OVER_18)
    there = memories.memory(alice.holder, budget)
    assert there is not None and there.version == 1, "nothing was changed"
    kept = alone(alice, made, claim=Claim.BUDGET)
    assert isinstance(kept, Memory) and (kept.version, kept.attested, kept.claim) == (2, True, Claim.BUDGET)


def test_it_is_attested_by_whoever_said_so_of_the_value_that_holds(alice: Vault, cook: Assistant) -> None:
    guardian, budget = guardian_of(alice), alice.ids["budget"]
    made = correct(cook, budget, "One million a week")
    done = memories.approve(guardian, made.proposal_id, now=utc_now(), claim=Claim.BUDGET)
    assert isinstance(done, memories.Approved)
    found = access.provenance(alice.holder, budget)
    assert found is not None and found.attested_by == guardian.actor
    assert [each.line.made_by for each in found.history] == [guardian.actor, alice.holder.actor]


def test_a_claim_on_what_is_not_attested_is_refused_by_its_name(alice: Vault, cook: Assistant) -> None:
    made = correct(cook, alice.ids["time"], "Forty minutes")
    with pytest.raises(TextProblem, match="confirm-only from its beginning"):
        alone(alice, made, claim=Claim.BUDGET)


def test_an_addition_in_the_place_of_what_is_attested_asks_for_the_same(alice: Vault, cook: Assistant) -> None:
    made = add(cook, "One million a week", subject="cooking.budget")
    budget = alice.ids["budget"]
    assert alone(alice, made, replaces=budget) == Refused(Refusal.SAY_CLAIM, "/claim")
    kept = alone(alice, made, replaces=budget, claim=Claim.BUDGET)
    assert isinstance(kept, Memory) and (kept.memory_id, kept.attested) == (budget, True)
