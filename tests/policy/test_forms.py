"""What else a number may be written as: read of numbers in groups, and not of a word that ends in digits with a number
behind it, which brings nothing back that was corrected."""

import pytest

from apps.policy.forms import forms


@pytest.mark.parametrize("text", ["68 102", "EUR1,000", "€4 102", "over 12 000 000 people", "room4 102 000"])
def test_thousands_in_groups_are_also_written_together(text: str) -> None:
    assert any(each.isdigit() and len(each) >= 4 for each in forms(text).split())


@pytest.mark.parametrize("text", ["room68 102", "ko2 500", "page12 104 b"])
def test_the_end_of_a_word_is_no_group_of_the_number_behind_it(text: str) -> None:
    assert not any(each.isdigit() and len(each) >= 4 for each in forms(text).split())
