"""A replaced symbol leads to the one that lives, however often it was replaced on the way."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.chains import living

CHAINS = st.dictionaries(st.integers(0, 8), st.integers(0, 8))


@pytest.mark.parametrize(
    ("old", "replaced", "found"),
    [
        ("a", {"a": "b", "b": "c"}, "c"),
        ("b", {"a": "b", "b": "c"}, "c"),
        ("c", {"a": "b", "b": "c"}, None),
        ("a", {}, None),
        ("a", {"a": "a"}, None),
        ("a", {"a": "b", "b": "a"}, None),
        ("x", {"x": "a", "a": "b", "b": "a"}, None),
    ],
)
def test_a_chain_is_followed_to_its_end_and_a_circle_has_none(
    old: str, replaced: dict[str, str], found: str | None
) -> None:
    assert living(old, replaced) == found


@given(st.integers(0, 8), CHAINS)
def test_what_is_found_was_not_replaced_itself(old: int, replaced: dict[int, int]) -> None:
    found = living(old, replaced)
    assert found is None or (found not in replaced and found != old)


@given(st.permutations(range(8)), st.integers(1, 7))
def test_a_chain_of_any_length_ends_in_its_last_one(names: list[int], length: int) -> None:
    chain = names[: length + 1]
    replaced = dict(pairwise(chain))
    assert {living(name, replaced) for name in chain[:-1]} == {chain[-1]}
