"""What a text may be written as otherwise stands where it does in the text, whatever that is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.forms import rewritten
from apps.policy.looks import plainly
from apps.policy.prints import otherwise, spans_otherwise
from apps.policy.text import lines

PIECES = (
    *("28cm", "28 cm", "two", "twenty-one", "7:15 pm", "13pm", "0 am", "19:15", "17 March 1962", "1962-03-17"),
    *("06/04/1987", "99/99/9999", "30th of February, 2020", "12,500", "3,5 cm", "PT50 0002", "+351 912 345 678"),
    *("Łódź", "e-mail", "٢٨", "１２", "1٩", "ß", "İ", "L e e d s", "L\u0435\u0435ds", "日本", "\u202e", "\u200b"),
    *("\n", "\r\n", "\t", " ", ".", "-"),
)
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=12).map("".join)


@given(TEXTS)
def test_whatever_the_text_it_is_told_where_that_stands(text: str) -> None:
    there = lines(text)
    for span in spans_otherwise(otherwise(text), {1, 2, 5}):
        assert 1 <= span.line <= len(there) and 1 <= span.column <= len(there[span.line - 1])
    for line in there:
        plain, _ = plainly(line)
        for way in rewritten(plain):
            assert len(way.text) == len(way.places) == len(way.other)
            assert all(0 <= place < len(plain) for place in way.places)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("28cm", {"28 cm"}),
        ("7:15 pm", {"19:15", "7:15pm"}),
        ("two cups", {"2 cups"}),
        ("born 1962-03-17", {"born 17 march 1962", "born 17/03/1962", "born mar 17th"}),
        ("Łódź", {"lodz"}),
        ("nothing of it", set()),
    ],
)
def test_in_each_of_its_other_forms(text: str, said: set[str]) -> None:
    told = {" ".join(token.text for token in way) for way in otherwise(text)}
    assert said <= told and bool(said) == bool(told)


def test_after_so_many_a_text_is_read_as_it_is_written() -> None:
    ways = list(otherwise("28cm\n" * 3000))
    assert {token.line for way in ways for token in way if token.other} == set(range(1, 1001))
