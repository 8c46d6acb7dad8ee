"""A roll-up loses no disclosure and joins none that differ in anything but their time."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from apps.policy.disclosure import Disclosure, rolled_up
from tests.policy.facts import NOW

ONES = st.builds(
    lambda name, purpose, category: (name, purpose, category),
    st.sampled_from(["Cook", "Clinic"]),
    st.sampled_from(["answer", "care"]),
    st.sampled_from(["ordinary", "health"]),
)


def disclosure(seq: int, of: tuple[str, str, str]) -> Disclosure:
    name, purpose, category = of
    at = NOW + timedelta(seconds=seq)
    return Disclosure(at, name, "-", "A memory", purpose, "consent", "cli_x", "-", category, seq, "n")


@given(st.lists(ONES, max_size=30))
def test_each_is_counted_once_in_the_line_of_its_like(drawn: list[tuple[str, str, str]]) -> None:
    every = [disclosure(seq, of) for seq, of in enumerate(drawn, 1)]
    few = rolled_up(every)
    assert len(few) == len(set(drawn))
    for each in few:
        like = [seq for seq, of in enumerate(drawn, 1) if of == (each.recipient_name, each.purpose, each.category)]
        assert (each.number, each.seq, each.last_seq) == (len(like), like[0], like[-1])
        assert each.last_at == NOW + timedelta(seconds=like[-1])
    assert [each.seq for each in few] == sorted(each.seq for each in few)


def test_one_alone_is_told_as_if_it_had_not_been_rolled_up() -> None:
    one = disclosure(1, ("Cook", "answer", "ordinary"))
    assert rolled_up([one])[0].cells() == one.cells()
