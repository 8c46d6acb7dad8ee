"""Typed ids: a prefix that says what it is, and 32 hex digits; anything else is nothing."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.ids import typed, untyped

SAMPLE = UUID("0198c1e7-6d2f-7a11-8a39-0c5be1f0a5d2")
TEXT = "mem_0198c1e76d2f7a118a390c5be1f0a5d2"


def test_there_and_back() -> None:
    assert typed("mem", SAMPLE) == TEXT
    assert untyped("mem", TEXT) == SAMPLE


@pytest.mark.parametrize(
    "text",
    [
        "",
        TEXT.replace("mem", "gra"),
        TEXT.upper(),
        TEXT.replace("mem_", ""),
        TEXT.replace("_", "-"),
        TEXT + "\n",
        " " + TEXT,
        TEXT[:-1],
        TEXT + "0",
        "mem_" + str(SAMPLE),
        "mem_" + "٣" * 32,
        "mem_" + "g" * 32,
        None,
        7,
        [TEXT],
        {"id": TEXT},
    ],
)
def test_anything_else_is_nothing(text: object) -> None:
    assert untyped("mem", text) is None


@given(st.uuids(), st.sampled_from(["vlt", "mem", "cli", "req", "gra", "rcp", "trn", "prp"]))
def test_every_id_comes_back_under_its_own_prefix_alone(value: UUID, prefix: str) -> None:
    assert untyped(prefix, typed(prefix, value)) == value
    assert untyped("xyz", typed(prefix, value)) is None


@given(st.text())
def test_no_text_is_an_error(text: str) -> None:
    found = untyped("mem", text)
    assert found is None or typed("mem", found) == text
