"""What a suggestion's own words tell is marked when it is made, for the holder alone, and it is then not one of many.

Letters that look like others, and what may be of a special category. The mark names no category: it is in clear.
"""

from typing import Any

import pytest

from apps.memories import services as memories
from apps.memories.services import propose
from apps.policy.ids import typed
from apps.policy.types import Memory, Proposal, Refused
from apps.policy.vocabulary import Category, Directive, MarkKind, Refusal
from tests.cast import Assistant, Vault
from tests.drivers import Http
from vault.clock import utc_now


def add(client: Assistant, value: str, label: str = "A note", subject: str = "notes.one", **more: Any) -> Proposal:
    made = propose(client.caller, label=label, value=value, subject=subject, now=utc_now(), **more)
    assert isinstance(made, Proposal)
    return made


def kinds(vault: Vault, made: Proposal) -> list[MarkKind]:
    return [each.kind for each in vault.noticed(made).marks]


# ---------------------------------------------------------------- letters that look like others
@pytest.mark.parametrize("field", ["value", "label", "rationale"])
def test_a_letter_that_looks_like_another_is_marked_wherever_it_stands(
    alice: Vault, cook: Assistant, field: str
) -> None:
    given = {"value": "Lives by the sea", field: "Lives in L\u0435\u0435ds"}
    assert kinds(alice, add(cook, **given)) == [MarkKind.LOOKALIKE]


@pytest.mark.parametrize("value", ["Живёт в Лидсе (Leeds)", "the word λόγος", "Linuxサーバー", "takes 5 µg, TGFβ"])
def test_honest_text_of_several_languages_is_not(alice: Vault, cook: Assistant, value: str) -> None:
    assert kinds(alice, add(cook, value)) == []


@pytest.mark.parametrize(
    "said",
    [
        "L\u0435\u0435ds",
        "L e e d s",
        "Le\u200beds",
        "ＬＥＥＤＳ",
        "L\u0336e\u0336eds",
        "\U0001d40b\U0001d41e\U0001d41eds",
    ],
)
@pytest.mark.parametrize("subject", ["home.town", "somewhere.else"])
def test_a_corrected_value_in_such_letters_is_an_echo_under_its_subject_and_any_other(
    alice: Vault, cook: Assistant, said: str, subject: str
) -> None:
    alice.keep("town", "Leeds", subject="home.town", label="Home town", on_purpose=True)
    assert isinstance(memories.correct(alice.holder, alice.ids["town"], value="Porto", now=utc_now()), Memory)
    made = add(cook, said, subject=subject)
    assert MarkKind.ECHO in kinds(alice, made)
    done = memories.approve_many(alice.holder, [(made.proposal_id, 1)], utc_now())
    assert [each.done.value for each in done.items] == ["needs-attention"]


def test_an_all_latin_value_that_looks_like_a_corrected_cyrillic_one_is_an_echo(alice: Vault, cook: Assistant) -> None:
    alice.keep("name", "Сара", subject="her.name", label="Her name", on_purpose=True)
    assert isinstance(memories.correct(alice.holder, alice.ids["name"], value="Вера", now=utc_now()), Memory)
    assert MarkKind.ECHO in kinds(alice, add(cook, "Capa", subject="her.name"))
    assert MarkKind.ECHO in kinds(alice, add(cook, "Сара", subject="her.name"))


def test_what_was_rejected_is_known_again_in_such_letters(alice: Vault, cook: Assistant) -> None:
    memories.reject(alice.holder, add(cook, "Lives in Leeds").proposal_id, utc_now())
    for said in ("Lives in L\u0435\u0435ds", "Lives in L e e d s"):
        refused = propose(cook.caller, label="A note", value=said, subject="notes.one", now=utc_now())
        assert not isinstance(refused, Proposal)


# ---------------------------------------------------------------- what may be of a special category
@pytest.mark.parametrize(
    ("label", "subject", "value"),
    [
        ("Note", "notes.one", "Takes insulin twice a day"),
        ("Morning medication", "notes.one", "The white one"),
        ("Note", "notes.allergies", "Nuts"),
        ("Note", "notes.one", "pays her union dues in May"),
        ("Note", "notes.one", "takes ins\u057dlin"),
    ],
)
def test_what_may_be_of_a_special_category_is_marked_and_never_one_of_many(
    alice: Vault, cook: Assistant, label: str, subject: str, value: str
) -> None:
    made, plain = add(cook, value, label, subject), add(cook, "Lives by the sea", "Note", "notes.two")
    assert MarkKind.ALONE in kinds(alice, made)
    done = memories.approve_many(alice.holder, [(made.proposal_id, 1), (plain.proposal_id, 1)], utc_now())
    assert [each.done.value for each in done.items] == ["needs-attention", "applied"]


@pytest.mark.parametrize("around", [{"rationale": "because of your PTSD"}, {"evidence": ["a box of fluoxetine"]}])
def test_what_its_client_says_for_it_tells_as_much(alice: Vault, cook: Assistant, around: dict[str, Any]) -> None:
    made = add(cook, "Sleeps with a light on", **around)
    assert kinds(alice, made) == [MarkKind.ALONE]
    done = memories.approve_many(alice.holder, [(made.proposal_id, 1)], utc_now())
    assert [each.done.value for each in done.items] == ["needs-attention"]


def test_so_is_a_correction_of_an_ordinary_memory(alice: Vault, cook: Assistant) -> None:
    made = propose(
        cook.caller,
        directive=Directive.CORRECT,
        target=alice.ids["kitchen"],
        known={alice.ids["kitchen"]},
        value="No kitchen: she is in hospital",
        now=utc_now(),
    )
    assert isinstance(made, Proposal)
    assert kinds(alice, made) == [MarkKind.ALONE]
    done = memories.approve_many(alice.holder, [(made.proposal_id, 1)], utc_now())
    assert [each.why for each in done.items] == ["needs-a-look-alone"]


def test_the_holder_approves_it_by_itself_and_says_of_which_category_it_is(alice: Vault, cook: Assistant) -> None:
    made = add(cook, "Takes insulin twice a day")
    given = {"category": Category.HEALTH, "neutral_label": "Morning"}
    done = memories.approve(alice.holder, made.proposal_id, now=utc_now(), **given)
    assert isinstance(done, memories.Approved) and done.memory is not None
    assert done.memory.category is Category.HEALTH


def test_the_mark_says_of_no_category_and_the_client_is_told_of_none(alice: Vault, cook: Assistant) -> None:
    made = add(cook, "Takes insulin twice a day")
    (mark,) = alice.noticed(made).marks
    assert (mark.memory_id, mark.version, mark.how) == (None, 0, "")
    told = Http(cook.key).send("GET", f"proposals/{typed('prp', made.proposal_id)}")
    assert told.status_code == 200 and "marks" not in told.json() and MarkKind.ALONE not in told.content.decode()


# ---------------------------------------------------------------- what was corrected, in another form
REWRITTEN = [
    ("28 cm", "24 cm", "28cm"),
    ("two children", "three children", "2 children"),
    ("2026-04-06", "2026-06-04", "6 April 2026"),
    ("PT50 0002 0123", "PT50 0002 9999", "PT5000020123"),
    ("Leeds", "Porto", "\u0141eeds"),
    ("Leeds", "Porto", "Lee-ds"),
]


@pytest.mark.parametrize(("old", "current", "said"), REWRITTEN, ids=ascii)
def test_a_corrected_value_in_another_form_is_an_echo_and_needs_an_express_deed(
    alice: Vault, cook: Assistant, old: str, current: str, said: str
) -> None:
    alice.keep("fact", old, subject="a.fact", label="A fact", on_purpose=True)
    assert isinstance(memories.correct(alice.holder, alice.ids["fact"], value=current, now=utc_now()), Memory)
    assert memories.correct(alice.holder, alice.ids["fact"], value=said, now=utc_now()) == Refused(
        Refusal.ECHO, "/value"
    )
    made = add(cook, said, subject="a.fact")
    assert MarkKind.ECHO in kinds(alice, made)
    done = memories.approve_many(alice.holder, [(made.proposal_id, 1)], utc_now())
    assert [each.done.value for each in done.items] == ["needs-attention"]
    assert memories.approve(alice.holder, made.proposal_id, now=utc_now(), replaces=alice.ids["fact"]) == Refused(
        Refusal.ECHO, "/value"
    )


@pytest.mark.parametrize(("old", "said"), [("28 cm", "28cm"), ("Leeds", "\u0141eeds"), ("1962-03-17", "17 March 1962")])
def test_so_it_is_under_any_other_subject(alice: Vault, cook: Assistant, old: str, said: str) -> None:
    alice.keep("fact", old, subject="a.fact", label="A fact", on_purpose=True)
    assert isinstance(memories.correct(alice.holder, alice.ids["fact"], value="Porto", now=utc_now()), Memory)
    made = add(cook, said, subject="somewhere.else")
    assert MarkKind.ECHO in kinds(alice, made)
    assert memories.approve(alice.holder, made.proposal_id, now=utc_now()) == Refused(Refusal.ECHO, "/value")


def test_what_names_both_what_holds_and_what_was_corrected_is_looked_at_by_itself(
    alice: Vault, cook: Assistant
) -> None:
    alice.keep("town", "Leeds", subject="home.town", label="Home town", on_purpose=True)
    assert isinstance(memories.correct(alice.holder, alice.ids["town"], value="Porto", now=utc_now()), Memory)
    made = propose(
        cook.caller,
        directive=Directive.CORRECT,
        target=alice.ids["town"],
        value="Not Porto but Leeds",
        known=[alice.ids["town"]],
        now=utc_now(),
    )
    assert isinstance(made, Proposal)
    assert [each.how for each in alice.noticed(made).marked(MarkKind.ECHO)] == ["beside-what-holds"]
    done = memories.approve_many(alice.holder, [(made.proposal_id, 1)], utc_now())
    assert [each.done.value for each in done.items] == ["needs-attention"]
    assert memories.approve(alice.holder, made.proposal_id, now=utc_now()) == Refused(Refusal.ECHO, "/value")
    assert memories.approve(alice.holder, made.proposal_id, now=utc_now(), on_purpose=True), "a person says so"
