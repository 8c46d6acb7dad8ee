"""Words leave the process as HMAC-SHA256 under the vault's key, as Python's own `hmac` makes it."""

import hmac

from hypothesis import given
from hypothesis import strategies as st

from apps.ledger.tickets import Keyed
from apps.memories.terms import keyed


@given(st.binary(max_size=64), st.lists(st.binary(max_size=200), max_size=3))
def test_it_is_the_same_for_every_key_and_message(key: bytes, messages: list[bytes]) -> None:
    under = Keyed(key)
    assert [under.digest(each) for each in messages] == [hmac.digest(key, each, "sha256") for each in messages]


def test_a_word_is_a_number_of_64_bits() -> None:
    key = bytes(range(32))
    whole = hmac.digest(key, b"porto", "sha256")
    assert keyed(key, ["porto"]) == [int.from_bytes(whole[:8], "big", signed=True)]
