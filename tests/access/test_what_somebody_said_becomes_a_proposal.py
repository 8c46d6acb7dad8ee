"""What somebody said to a client becomes the proposal that it asks for, of what the client was shown; and waits."""

import pytest

from apps.access import services as access
from apps.access.services import RoutedProposal
from apps.memories import services as memories
from apps.policy.types import Proposal
from apps.policy.vocabulary import Directive
from tests.cast import Assistant, Vault
from vault.clock import utc_now


def said(by: Assistant, text: str) -> RoutedProposal:
    done = access.route_text(by.caller, text, now=utc_now(), derived_from=[])
    assert isinstance(done, RoutedProposal)
    return done


@pytest.fixture
def dentist(alice: Vault) -> str:
    """Who it is now; it was somebody else."""
    alice.keep("dentist", "Dr. Rui", label="Dentist", subject="dentist")
    memories.correct(alice.holder, alice.ids["dentist"], value="Dr. Silva", changed=True, now=utc_now())
    return "Dr. Silva"


@pytest.mark.parametrize(
    ("text", "directive"),
    [
        ("The user's dentist is now Dr. Costa", Directive.CORRECT),
        ("My dentist isn't Dr. Silva, it's Dr. Costa", Directive.CORRECT),
        ("My old dentist was better. Go back to my old dentist", None),
        ("Go back to my old dentist", Directive.REVERT),
        ("Can you forget my dentist?", Directive.ERASE),
        ("User wants you to forget their dentist", Directive.ERASE),
        ("What if I said forget my dentist?", None),
    ],
)
def test_it_is_the_right_one_about_the_right_memory_and_changes_nothing(
    alice: Vault, cook: Assistant, dentist: str, text: str, directive: Directive | None
) -> None:
    made = said(cook, text).proposal
    assert (made.directive if made is not None else None) is directive
    if made is not None:
        assert made.target_id == alice.ids["dentist"]
        assert [each.proposal_id for each in memories.proposals(alice.holder)] == [made.proposal_id]
    assert memories.show(alice.holder, [alice.ids["dentist"]]).values[0].value == dentist


def test_what_nothing_is_kept_about_is_proposed_under_a_subject_of_its_own(alice: Vault, cook: Assistant) -> None:
    made = said(cook, "My wife's name is Anna").proposal
    assert isinstance(made, Proposal)
    assert (made.directive, made.subject, made.label) == (Directive.ADD, "wife.name", "Wife's name")


def test_where_no_rule_is_sure_nothing_is_proposed_and_it_says_so(alice: Vault, cook: Assistant) -> None:
    for text in ("We live in Braga", "Actually it's Porto", "forget that", "My guess is Porto"):
        told = said(cook, text)
        assert told.proposal is None
        assert told.routed.why.startswith("Not keyed: ")
    assert list(memories.proposals(alice.holder)) == []
