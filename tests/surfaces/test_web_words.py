"""Every member of a closed list has its words, and the words are ours."""

import re
from collections.abc import Mapping
from enum import Enum
from pathlib import Path

import pytest

from apps.policy import vocabulary
from apps.web import deeds, words

TABLES: tuple[tuple[type[Enum], Mapping[Enum, object]], ...] = (
    (vocabulary.Refusal, words.REFUSALS),
    (vocabulary.ReceiptKind, deeds.KINDS),
    (vocabulary.Category, words.CATEGORIES),
    (vocabulary.Purpose, words.PURPOSES),
    (vocabulary.Claim, words.CLAIMS),
    (vocabulary.State, words.STATES),
    (vocabulary.PartStatus, words.PARTS),
    (vocabulary.ProposalStatus, words.PROPOSALS),
    (vocabulary.ItemState, words.ITEMS),
)
TEMPLATES = sorted((Path(words.__file__).parent / "templates").rglob("*.html"))
NOT_OURS = re.compile(r"\b(accessed|securely|immutable|blockchain|oops|successfully|please)\b", re.IGNORECASE)


@pytest.mark.parametrize(("kind", "table"), TABLES, ids=lambda each: getattr(each, "__name__", ""))
def test_a_table_is_complete(kind: type[Enum], table: Mapping[Enum, object]) -> None:
    assert set(table) == set(kind)


def test_a_refusal_says_what_and_what_now() -> None:
    for reason, no in words.REFUSALS.items():
        assert no.sentence.endswith("."), reason
        assert not no.short.endswith("."), reason


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_pages_speak_plainly(path: Path) -> None:
    text = re.sub(r"<!doctype|<!--|!=|{%.*?%}|{{.*?}}", "", path.read_text(), flags=re.IGNORECASE)
    assert "!" not in text
    assert not NOT_OURS.search(text)
