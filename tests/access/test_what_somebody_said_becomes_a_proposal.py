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


# ---------------------------------------------------------------- how it is called
@pytest.fixture
def towns(alice: Vault) -> None:
    """Two that a home town may be, each of which was put right once."""
    for subject, label, was, so in (
        ("home.city", "City", "Leeds", "Porto"),
        ("home.town", "Home town", "York", "Faro"),
    ):
        alice.keep(subject, was, label=label, subject=subject)
        memories.correct(alice.holder, alice.ids[subject], value=so, changed=True, now=utc_now())


@pytest.mark.usefixtures("towns")
@pytest.mark.parametrize(
    ("text", "directive"),
    [
        ("forget my home town", Directive.ERASE),
        ("Please erase my HOME TOWN from your memory", Directive.ERASE),
        ("Can you forget my home-town?", Directive.ERASE),
        ("revert the change to my home town", Directive.REVERT),
        ("undo the change to my home town", Directive.REVERT),
        ("go back to my old home town", Directive.REVERT),
        ("my home town is now Linz", Directive.CORRECT),
        ("My home town changed, it's now Linz", Directive.CORRECT),
        ("Change my home town to Linz", Directive.CORRECT),
    ],
)
def test_a_label_that_was_shown_is_meant_before_another_name_for_something_else(
    alice: Vault, cook: Assistant, text: str, directive: Directive
) -> None:
    made = said(cook, text).proposal
    assert made is not None and (made.directive, made.target_id) == (directive, alice.ids["home.town"])


@pytest.mark.parametrize(
    ("labels", "text", "intent"),
    [
        ({"a": "Home town", "b": "home town"}, "forget my home town", "erase"),
        ({"a": "Home town", "home.town": "Where mother lives"}, "undo the change to my home town", "revert"),
        ({"contact.phone": "Phone number", "phone.work": "Mobile number"}, "forget my cell", "erase"),
        ({"home.address": "Address", "b": "Old address"}, "go back to my old address", "revert"),
        ({"home.address": "Address", "b": "Old address"}, "My old address was right", "revert"),
        ({"home.address": "Address", "b": "New address"}, "My new address is Rua Nova 5, Porto", "assert"),
        ({"contact.phone": "Phone number", "b": "Mobile"}, "My cell number is now 912 345 678", "assert"),
        ({"a.cat": "Cat of A", "b.cat": "Cat of B"}, "forget my cat", "erase"),
    ],
)
def test_where_two_could_be_meant_nothing_is_proposed(
    alice: Vault, cook: Assistant, labels: dict[str, str], text: str, intent: str
) -> None:
    for subject, label in labels.items():
        alice.keep(subject, "x", label=label, subject=subject)
    told = said(cook, text)
    assert (told.proposal, told.routed.subject, told.routed.intent) == (None, None, intent)


@pytest.mark.parametrize("label", ["Shoe size", "My shoe size", "my  SHOE size"])
def test_what_is_named_by_its_label_is_meant_whatever_its_subject(alice: Vault, cook: Assistant, label: str) -> None:
    alice.keep("size", "43", label=label, subject="clothes.feet")
    memories.correct(alice.holder, alice.ids["size"], value="44", changed=True, now=utc_now())
    for text, directive in (
        ("forget my shoe size", Directive.ERASE),
        ("go back to my old shoe size", Directive.REVERT),
        ("Actually my shoe size is 45, not 44", Directive.CORRECT),
    ):
        made = said(cook, text).proposal
        assert made is not None and (made.directive, made.target_id) == (directive, alice.ids["size"])


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("forget my phone number", "erase"),
        ("forget what you know about my blood type, please", "erase"),
        ("go back to my old shoe size", "revert"),
        ("undo the change to my phone number", "revert"),
        ("forget my keys", "assert"),
        ("forget my wife", "assert"),
        ("use my old phone", "assert"),
        ("go back to my old school", "assert"),
    ],
)
def test_what_it_asks_for_is_told_though_nothing_is_kept(alice: Vault, cook: Assistant, text: str, intent: str) -> None:
    told = said(cook, text)
    assert (told.proposal, told.routed.intent) == (None, intent)


# ---------------------------------------------------------------- what was said
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Can you forget my dentist?", ("Can you forget my dentist?",)),
        ("Go back to my old dentist.\nThanks!", ("Go back to my old dentist. Thanks!",)),
        ("forget that my dentist is Dr. Silva", ("forget that my dentist is …",)),
        ("The user's dentist is now Dr. Costa", ("The user's dentist is now …",)),
        ("My dentist isn't Dr. Silva, it's Dr. Costa", ("My dentist isn't …, it's …",)),
        ("As I said, my dentist is Dr. Costa, not Dr. Silva", ("As I said, my dentist is …, not …",)),
        ("Actually my shoe size is 45, not 44", ("Actually my shoe size is …, not …",)),
        ("My shirt size is M", ("My shirt size is …",)),
        ("I moved from Leeds to Porto", ("I moved from … to …",)),
        ("I like tea", ()),
    ],
)
def test_the_holder_is_shown_what_was_said_and_no_value_stands_in_clear(
    alice: Vault, cook: Assistant, dentist: str, text: str, kept: tuple[str, ...]
) -> None:
    said(cook, text)
    assert tuple(line for each in memories.proposals(alice.holder) for line in each.evidence) == kept


def test_said_again_in_other_words_it_is_the_same_proposal(alice: Vault, cook: Assistant, dentist: str) -> None:
    first, second = (said(cook, text).proposal for text in ("forget my dentist", "Can you forget my dentist?"))
    assert first is not None and second is not None and second.again
    assert [each.evidence for each in memories.proposals(alice.holder)] == [("forget my dentist",)]
