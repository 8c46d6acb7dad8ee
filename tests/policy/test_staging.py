"""What may be proposed, and what a decision may be."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.proposals import Mark
from apps.policy.staging import (
    ALWAYS,
    APPROVER_ONLY,
    TAKES,
    UNDO,
    check_fields,
    judge_decision,
    judge_undo,
    moved,
    needs_attention,
)
from apps.policy.text import TextProblem, hides
from apps.policy.types import Refused
from apps.policy.vocabulary import Category, Claim, Directive, MarkKind, ProposalStatus, Refusal, State
from tests.policy.facts import NOW, memory, proposal

FIELDS = sorted({each for takes in TAKES.values() for each in (*takes.needs, *takes.may)} | ALWAYS)


def test_every_directive_says_which_fields_it_takes() -> None:
    assert set(TAKES) == set(Directive)


def test_the_marks_that_decide_who_may_read_are_all_the_approver_s() -> None:
    assert {"category", "neutral_label", "attested", "claim", "sealed", "local_only", "state"} == set(APPROVER_ONLY)
    assert not set(APPROVER_ONLY) & set(FIELDS)


@pytest.mark.parametrize("directive", Directive)
def test_what_it_takes_passes(directive: Directive) -> None:
    takes = TAKES[directive]
    assert check_fields(directive, [*takes.needs, *takes.may, *ALWAYS]) is None
    assert check_fields(directive, takes.needs) is None


@pytest.mark.parametrize("directive", Directive)
@pytest.mark.parametrize("name", APPROVER_ONLY)
def test_an_approver_s_field_is_refused_by_its_name_whatever_else_is_wrong(directive: Directive, name: str) -> None:
    refused = Refused(Refusal.FIELD_NOT_ALLOWED, f"/{name}")
    assert check_fields(directive, [*TAKES[directive].needs, name]) == refused
    assert check_fields(directive, ["nonsense", name]) == refused


@given(st.sampled_from(Directive), st.lists(st.sampled_from(FIELDS)))
def test_a_field_that_it_does_not_take_is_refused_by_its_name(directive: Directive, more: list[str]) -> None:
    takes = TAKES[directive]
    strange = [each for each in more if each not in {*takes.needs, *takes.may, *ALWAYS}]
    if not strange:
        assert check_fields(directive, [*takes.needs, *more]) is None
        return
    with pytest.raises(TextProblem) as refused:
        check_fields(directive, [*takes.needs, *more])
    assert refused.value.field == strange[0]


@pytest.mark.parametrize(
    ("directive", "name"), [(directive, name) for directive, takes in TAKES.items() for name in takes.needs]
)
def test_what_is_missing_is_named(directive: Directive, name: str) -> None:
    with pytest.raises(TextProblem) as missing:
        check_fields(directive, [each for each in TAKES[directive].needs if each != name])
    assert missing.value.field == name


@pytest.mark.parametrize(
    "hidden", ["\u200b", "\u2028", "\x85", "\u202e", "\x07", "\u3164", "\uffa0", "\u115f", "\u2800", "\U000e0041"]
)
def test_a_character_that_nobody_sees_is_noticed_wherever_it_stands(hidden: str) -> None:
    assert hides(f"two\nli{hidden}nes")
    assert not any(map(hides, ["plain", "two\nlines", "a\r\nb", "a\tb", "👩‍🌾", "مـرحبا"]))


# ---------------------------------------------------------------- decisions
@pytest.mark.parametrize("status", [each for each in ProposalStatus if each is not ProposalStatus.PENDING])
def test_what_was_decided_is_decided(status: ProposalStatus) -> None:
    decided = replace(proposal(), status=status)
    assert judge_decision(decided, decided.revision, NOW) == Refused(Refusal.ALREADY_DECIDED)


def test_one_that_nobody_decided_in_time_is_over_before_the_clock_says_so() -> None:
    waits = replace(proposal(), expires_at=NOW + timedelta(seconds=1))
    assert judge_decision(waits, None, NOW) is None
    assert judge_decision(waits, None, NOW + timedelta(seconds=1)) == Refused(Refusal.ALREADY_DECIDED)


def test_another_revision_than_was_looked_at_is_stale() -> None:
    waits = replace(proposal(), revision=2)
    assert judge_decision(waits, 2, NOW) is None
    assert judge_decision(waits, None, NOW) is None
    assert judge_decision(waits, 1, NOW) == Refused(Refusal.STALE)


def test_a_target_that_changed_went_away_or_was_put_away_has_moved() -> None:
    kept = memory()
    about = replace(proposal(), directive=Directive.CORRECT, target_id=kept.memory_id, target_version=kept.version)
    assert not moved(about, kept)
    assert moved(about, replace(kept, version=kept.version + 1))
    assert moved(about, None)
    assert moved(about, replace(kept, state=State.WITHDRAWN))
    assert not moved(proposal(), None), "what adds is about no memory"


def test_among_many_only_what_was_not_noticed_is_approved() -> None:
    kept = memory()
    plain = proposal()
    assert needs_attention(plain, None) is None
    for kind in MarkKind:
        assert needs_attention(replace(plain, marks=(Mark(kind),)), None) == kind.value
    about = replace(plain, directive=Directive.CORRECT, target_id=kept.memory_id, target_version=kept.version)
    assert needs_attention(about, kept) is None
    assert needs_attention(about, replace(kept, version=9)) == "stale"
    special = replace(kept, category=Category.HEALTH)
    assert needs_attention(about, special) == "special-category-alone"
    attested = replace(kept, attested=True, claim=Claim.BUDGET)
    assert needs_attention(about, attested) == "say-claim", "whoever approves confirms it"


@pytest.mark.parametrize("directive", [each for each in Directive if each not in (Directive.ADD, Directive.CORRECT)])
def test_what_neither_adds_nor_corrects_is_looked_at_by_itself(directive: Directive) -> None:
    assert needs_attention(replace(proposal(), directive=directive), None) == "by-itself"


@pytest.mark.parametrize("subject", ["health.pills", "allergy.nuts", "belief", "notes.genetic"])
def test_a_subject_or_a_label_that_tells_of_a_special_category_is_looked_at_by_itself(subject: str) -> None:
    assert needs_attention(replace(proposal(), subject=subject), None) == "needs-a-look-alone"
    assert needs_attention(replace(proposal(), label=subject.capitalize()), None) == "needs-a-look-alone"


def test_an_approval_is_undone_within_seven_days_and_once() -> None:
    done = replace(proposal(), status=ProposalStatus.APPROVED, decided_at=NOW, outcome_id=uuid4())
    assert judge_undo(done, NOW) is None
    assert judge_undo(done, NOW + UNDO - timedelta(seconds=1)) is None
    assert judge_undo(done, NOW + UNDO) == Refused(Refusal.UNDO_OVER)
    assert judge_undo(replace(done, undone_at=NOW), NOW) == Refused(Refusal.ALREADY_DECIDED)
    assert judge_undo(proposal(), NOW) == Refused(Refusal.ALREADY_DECIDED)
    assert judge_undo(replace(done, directive=Directive.ERASE), NOW) == Refused(Refusal.UNDO_OVER)
