"""What became of a consent, whatever befell its assistant before, meanwhile and after."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.consent import ConsentState, life_of
from apps.policy.types import Receipt
from apps.policy.vocabulary import ReceiptKind
from tests.policy.facts import COOK, HOUR, NOW, grant, memory

K = ReceiptKind
OF_THE_CLIENT = st.lists(st.sampled_from([K.CLIENT_PAUSED, K.CLIENT_RESUMED, K.KEY_MADE]), max_size=6)
ENDS = st.sampled_from([None, K.GRANT_REVOKED, K.GRANT_LAPSED, K.CLIENT_REVOKED])


def receipts(kinds: Sequence[ReceiptKind]) -> list[Receipt]:
    """Receipts of these kinds, a second apart, the first an hour ago."""
    return [
        Receipt(
            UUID(int=9), seq, NOW - HOUR + timedelta(seconds=seq), kind.value, "hld_x", "-", "-", COOK, None, 0,
            "ordinary", "-", "-", "-", "-", "-", None, b"", bytes(32), bytes(32),
        )
        for seq, kind in enumerate(kinds, 1)
    ]  # fmt: skip


@given(OF_THE_CLIENT, OF_THE_CLIENT, ENDS, OF_THE_CLIENT)
def test_it_begins_with_the_giving_and_nothing_is_told_after_its_end(
    before: list[ReceiptKind], meanwhile: list[ReceiptKind], end: ReceiptKind | None, after: list[ReceiptKind]
) -> None:
    told = receipts([*before, K.GRANT_MADE, *meanwhile, *([end, *after] if end else [])])
    about = grant(memory(), revoked_at=NOW if end in (K.GRANT_REVOKED, K.CLIENT_REVOKED) else None)
    events = life_of(about, reversed(told), NOW).events
    states = [each.state for each in events]
    assert states.count(ConsentState.GIVEN) == 1
    moves = [each for each in before if each in (K.CLIENT_PAUSED, K.CLIENT_RESUMED)]
    held = moves[-1:] == [K.CLIENT_PAUSED]
    assert states.index(ConsentState.GIVEN) == int(held)
    seqs = [each.receipt.seq for each in events if each.receipt]
    assert seqs == sorted(seqs)
    assert len(states) == held + 1 + len([each for each in meanwhile if each is not K.KEY_MADE]) + bool(end)
    if end:
        assert events[-1].receipt
        assert events[-1].receipt.kind == end


def test_the_end_of_an_assistant_is_not_that_of_a_grant_it_did_not_end() -> None:
    """Its row says so: it was over by then, and was not withdrawn."""
    told = receipts([K.GRANT_MADE, K.CLIENT_REVOKED])
    over = grant(memory(), expires_at=NOW - HOUR + timedelta(seconds=1.5))
    assert [each.state for each in life_of(over, told, NOW).events] == [ConsentState.GIVEN, ConsentState.EXPIRED]


def test_one_that_was_never_made_has_none() -> None:
    with pytest.raises(ValueError, match="without the receipt"):
        life_of(grant(memory()), receipts([K.CLIENT_PAUSED]), NOW)
