"""What is local only goes to nothing but what is local; whether anybody else knows of it, a grant says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.rules import goes_there, labels_for_scope, visible_to_client
from apps.policy.types import Memory
from apps.policy.vocabulary import State
from tests.policy.facts import grant, grants, memories, memory


@pytest.mark.parametrize(("local_only", "local", "goes"), [(0, 0, 1), (0, 1, 1), (1, 0, 0), (1, 1, 1)])
def test_it_is_asked_for_where_it_would_go(local_only: int, local: int, goes: int) -> None:
    assert goes_there(memory(local_only=bool(local_only)), local=bool(local)) is bool(goes)


@pytest.mark.parametrize("neutral", [True, False])
def test_elsewhere_its_label_is_shown_to_nobody(neutral: bool) -> None:
    kept = memory(local_only=True)
    assert labels_for_scope([kept], neutral=neutral) == ()
    assert len(labels_for_scope([kept], neutral=neutral, local=True)) == 1


def test_elsewhere_it_is_known_by_a_grant_for_it_alone() -> None:
    kept = memory(local_only=True)
    assert not visible_to_client(kept, [])
    assert not visible_to_client(kept, [grant(memory())])
    assert visible_to_client(kept, [grant(kept)])
    assert visible_to_client(kept, [], local=True)


@given(memories(), st.data(), st.booleans())
def test_at_home_is_never_less(seen: Memory, data: st.DataObject, special: bool) -> None:
    held = data.draw(st.lists(grants([seen])))
    if visible_to_client(seen, held):
        assert visible_to_client(seen, held, local=True)
    assert seen.state is State.APPROVED or not visible_to_client(seen, held, local=True)
    shown = labels_for_scope([seen], neutral=special)
    assert set(shown) <= set(labels_for_scope([seen], neutral=special, local=True))
