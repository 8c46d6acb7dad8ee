"""What a plain proposal and its approval cost on the wire to PostgreSQL: pinned, so that it does not creep up."""

from pathlib import Path

import pytest

from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.types import Proposal
from tests.cast import Assistant, Vault, canary, register
from tests.surfaces.test_a_read_costs_few_round_trips import counted
from vault.clock import utc_now

# the act: opened with the key; what is written with whether it was said before, its receipt and its end
PROPOSE = 2
# what was not compared; what shares words with it; what was noticed
NOTICE = 3
# the act: opened with whether it stands alone, what is written with its receipt and its end; compared before or not
APPROVE = 2


def test_they_are_as_few_as_they_may_be(alice: Vault, cook: Assistant, tmp_path: Path) -> None:
    caller = cook.caller
    memories.propose(caller, label="First", value="It makes the vault's key known", now=utc_now())
    memories.catch_up(caller.vault_id)
    with counted(tmp_path) as trips:
        made = memories.propose(caller, label="City", value="Porto, by the river", now=utc_now())
    assert isinstance(made, Proposal)
    assert trips == [PROPOSE]
    with counted(tmp_path) as trips:
        assert memories.catch_up(caller.vault_id) == 1
    assert trips == [NOTICE]
    shown = len(alice.receipts(kind="value.shown"))
    with counted(tmp_path) as trips:
        assert memories.approve(alice.holder, made.proposal_id, now=utc_now())
    assert trips == [APPROVE]
    at_once = memories.propose(caller, label="Boat", value="Sails on Sundays", now=utc_now())
    assert isinstance(at_once, Proposal)
    with counted(tmp_path) as trips:
        assert memories.approve(alice.holder, at_once.proposal_id, now=utc_now())
    assert trips == [APPROVE]
    assert len(alice.receipts(kind="value.shown")) == shown


@pytest.mark.parametrize("guest", [False, True], ids=["an account's", "a guest's"])
def test_many_cost_as_few_as_one(alice: Vault, tmp_path: Path, guest: bool) -> None:
    tried = holders.open_guest(10_000, utc_now()) if guest else alice.holder
    assert tried is not None
    vault = Vault(tried)
    cook = register(vault, "Cook")
    costs = []
    for count in (2, 12):
        made = [
            memories.propose(cook.caller, label=f"Thing {count} {n}", value=canary(), now=utc_now())
            for n in range(count)
        ]
        memories.catch_up(vault.id)
        reviewed = [(each.proposal_id, 1) for each in made if isinstance(each, Proposal)]
        with counted(tmp_path) as trips:
            done = memories.approve_many(vault.holder, reviewed, utc_now())
        assert done.count(memories.Done.APPLIED) == count
        costs += trips
    assert costs[0] == costs[1]
