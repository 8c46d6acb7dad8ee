"""Of a deprecation that was routed the old name is kept as what was said before: a text that has it is found."""

import pytest

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.types import Memory, Proposal, Refused
from apps.policy.vocabulary import Directive, ReceiptKind
from tests.cast import Assistant, Vault, give
from vault.clock import utc_now

SAID = "`lib.old_api` is deprecated, use `lib.new_api` instead"
PROGRAM = "x = lib.old_api(1)\n"


def routed(by: Assistant, text: str = SAID) -> Proposal:
    done = access.route_text(by.caller, text, now=utc_now(), derived_from=[])
    assert not isinstance(done, Refused) and done.proposal is not None, done
    return done.proposal


def found(vault: Vault) -> list[tuple[str, str | None]]:
    """What the program brings back, and what is so instead."""
    done = memories.check_texts(vault.holder, [PROGRAM])
    instead = {each.memory_id: each.value for each in done.shown.values}
    return [(each.words, instead[each.instead] if each.instead else None) for each in done.finds]


@pytest.mark.parametrize("way", ["as proposed", "in bulk", "under another label"])
def test_the_old_name_is_found_once_it_is_approved(alice: Vault, cook: Assistant, way: str) -> None:
    made = routed(cook)
    assert made.directive is Directive.ADD and found(alice) == []
    if way == "in bulk":
        memories.approve_many(alice.holder, [(made.proposal_id, made.revision)], utc_now())
    else:
        words = {"label": "The old call"} if way == "under another label" else {}
        memories.approve(alice.holder, made.proposal_id, now=utc_now(), **words)  # type: ignore[arg-type]
    assert found(alice) == [("lib.old_api", "lib.new_api")]
    kept = memories.memory(alice.holder, made.memory_id)
    assert kept is not None and kept.subject == "symbol.lib.old_api"
    kinds = {each.kind for each in alice.receipts() if each.memory_id == made.memory_id}
    assert {ReceiptKind.MEMORY_BACKDATED, ReceiptKind.PROPOSAL_APPROVED} <= kinds
    assert len(memories.history(alice.holder, made.memory_id)) == 2


def test_in_the_holder_s_words_the_old_name_is_found_as_well(alice: Vault, cook: Assistant) -> None:
    memories.approve(alice.holder, routed(cook).proposal_id, now=utc_now(), value="lib.newest_api")
    assert found(alice) == [("lib.old_api", "lib.newest_api")]


def test_undone_it_is_put_away(alice: Vault, cook: Assistant) -> None:
    made = routed(cook)
    memories.approve(alice.holder, made.proposal_id, now=utc_now())
    assert not isinstance(memories.undo(alice.holder, made.proposal_id, utc_now()), Refused)
    assert [each for each in found(alice) if each[1] is not None] == []


@pytest.mark.parametrize("said", ["lib.old_api", "lib.mid_api"])
def test_where_the_symbol_lives_already_it_is_a_correction(alice: Vault, cook: Assistant, said: str) -> None:
    new = memories.add(alice.holder, label="lib.old_api", subject="symbol.lib.old_api", value=said, now=utc_now())
    assert isinstance(new, Memory)
    alice.ids["symbol"] = new.memory_id
    give(cook, "symbol")
    made = routed(cook)
    assert (made.directive, made.target_id) == (Directive.CORRECT, new.memory_id)
    memories.approve(alice.holder, made.proposal_id, now=utc_now())
    assert found(alice) == [("lib.old_api", "lib.new_api")]
    assert len(memories.history(alice.holder, new.memory_id)) == (2 if said == "lib.old_api" else 3)
