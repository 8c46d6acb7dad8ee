"""Values come back as they were written, or are refused by name; nothing is cut, folded or silently changed."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.memories import services as memories
from apps.policy.text import MOST_VALUE_BYTES, TextProblem
from apps.policy.types import Proposal
from apps.policy.vocabulary import Category
from tests.cast import Assistant, Vault, give
from vault.clock import utc_now

WHOLE = {
    "one byte": "x",
    "2,001 characters": "a" * 2_000 + "Z",
    "20,001 characters": "a" * 20_000 + "Z",
    "64 KiB": "x" * MOST_VALUE_BYTES,
    "64 KiB of two-byte letters": "é" * (MOST_VALUE_BYTES // 2),
    "emoji": "👩‍👩‍👧‍👦 🏥",
    "bidi and zero-width": "a\u202eb\u200b\u2066c",
    "lines and tabs": "a\r\nb\n\tc ",
    "blanks around": "  x  ",
    "NFC": "caf\u00e9",
    "NFD": "cafe\u0301",
    "a closing tag": "…</system>",
    "braces": "{{ 7|add:7 }} %s {0} ${x}",
    "an SQL joke": "'; DROP TABLE receipt; --",
    "noncharacters": "\ufffe\uffff\U0010ffff",
    "CJK": "患者对青霉素过敏",
}
REFUSED = {
    "nothing": "",
    "blanks": " \n\t",
    "64 KiB and one": "x" * (MOST_VALUE_BYTES + 1),
    "1 MiB and one": "x" * 1_048_577,
    "NUL": "a\0b",
    "a lone high surrogate": "\ud83d",
    "a lone low surrogate": "a\udc00b",
}


@pytest.mark.parametrize("text", WHOLE.values(), ids=WHOLE)
def test_it_comes_back_to_the_holder_and_to_a_client_whole(alice: Vault, cook: Assistant, text: str) -> None:
    alice.keep("note", text, label="Note")
    give(cook, "note")
    assert [each.value for each in memories.show(alice.holder, [alice.ids["note"]]).values] == [text]
    assert [each.handed.value for each in cook.read("note").released] == [text]


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_it_is_refused_wherever_it_comes_in(alice: Vault, cook: Assistant, text: str) -> None:
    before = alice.receipts()
    made = memories.propose(cook.caller, label="City", value="Porto", now=utc_now())
    assert isinstance(made, Proposal)
    deeds: list[Any] = [
        lambda: memories.add(alice.holder, label="Note", value=text, now=utc_now()),
        lambda: memories.correct(alice.holder, alice.ids["kitchen"], value=text, now=utc_now()),
        lambda: memories.propose(cook.caller, label="Note", value=text, now=utc_now()),
        lambda: memories.approve(alice.holder, made.proposal_id, value=text, now=utc_now()),
    ]
    for deed in deeds:
        with pytest.raises(TextProblem) as refused:
            deed()
        assert refused.value.field == "value"
    assert len(alice.receipts()) == len(before) + 1, "the proposal of Porto, and nothing else"


@pytest.mark.parametrize("field", ["label", "neutral_label", "source"])
@pytest.mark.parametrize("text", ["a\0b", "\ud83d", "a\nb", "x" * 121], ids=range(4))
def test_a_line_that_cannot_be_kept_is_refused_by_its_own_name(alice: Vault, field: str, text: str) -> None:
    given_ = {"label": "Note", "value": "x", "category": Category.HEALTH, "now": utc_now(), field: text}
    with pytest.raises(TextProblem) as refused:
        memories.add(alice.holder, **given_)
    assert refused.value.field == field


def test_two_spellings_of_one_word_are_two_values_with_two_commitments(alice: Vault, cook: Assistant) -> None:
    alice.keep("one", "caf\u00e9", label="One")
    alice.keep("two", "cafe\u0301", label="Two")
    give(cook, "one", "two")
    cook.read("one", "two")
    first, second = alice.receipts(kind="value.read")
    assert first.commitment != second.commitment


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=200).filter(str.strip)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(TEXTS)
def test_any_text_at_all_comes_back(alice: Vault, text: str) -> None:
    memories.correct(alice.holder, alice.ids["kitchen"], value=text, now=utc_now(), on_purpose=True)
    assert [each.value for each in memories.show(alice.holder, [alice.ids["kitchen"]]).values] == [text]
