"""However many versions one yes writes (the holder's words, the client's, an old name), each has its own number."""

from datetime import timedelta

import pytest

from apps.memories import services as memories
from apps.policy.types import Memory, Refused
from apps.policy.vocabulary import Category, Directive, Ended
from tests.access.test_a_deprecation_that_was_routed import found, routed
from tests.cast import Assistant, Vault, give
from vault.clock import utc_now


def kept(alice: Vault, subject: str, value: str) -> Memory:
    made = memories.add(alice.holder, label="Kept", subject=subject, value=value, now=utc_now() - timedelta(days=1))
    assert isinstance(made, Memory)
    return made


def told(alice: Vault, memory: Memory) -> list[tuple[int, Ended | None]]:
    return [(each.version, each.ended_as) for each in memories.history(alice.holder, memory.memory_id)]


def test_a_correction_in_other_words_keeps_the_old_name_too(alice: Vault, cook: Assistant) -> None:
    symbol = kept(alice, "symbol.lib.old_api", "lib.mid_api")
    alice.ids["symbol"] = symbol.memory_id
    give(cook, "symbol")
    made = routed(cook)
    assert made.directive is Directive.CORRECT
    memories.approve(alice.holder, made.proposal_id, now=utc_now(), value="lib.newest_api")
    assert found(alice) == [("lib.old_api", "lib.newest_api")]
    assert told(alice, symbol) == [(4, Ended.CHANGED), (3, Ended.PROPOSED), (2, None), (1, Ended.WRONG)]


@pytest.mark.parametrize("value", [None, "lib.newest_api"])
def test_a_symbol_that_is_kept_as_special_does_as_well(alice: Vault, cook: Assistant, value: str | None) -> None:
    made = routed(cook)
    done = memories.approve(alice.holder, made.proposal_id, now=utc_now(), value=value, category=Category.HEALTH)
    assert not isinstance(done, Refused) and done.memory is not None
    old, theirs, mine = (3, Ended.CHANGED), (3, Ended.PROPOSED), (2, None)
    assert told(alice, done.memory) == ([old, mine] if value is None else [(4, Ended.CHANGED), theirs, mine])


def test_so_does_what_only_joins_the_history(alice: Vault, cook: Assistant) -> None:
    city = kept(alice, "home.city", "Lisbon")
    made = memories.propose(
        cook.caller,
        now=utc_now(),
        known=[city.memory_id],
        directive=Directive.CORRECT,
        target=city.memory_id,
        value="Porto",
        changed=True,
        valid_from="2019-01-01",
        valid_to="2020-01-01",
    )
    assert not isinstance(made, Refused)
    memories.approve(alice.holder, made.proposal_id, now=utc_now(), value="Coimbra")
    assert told(alice, city) == [(3, Ended.PROPOSED), (2, Ended.LATE), (1, None)]
