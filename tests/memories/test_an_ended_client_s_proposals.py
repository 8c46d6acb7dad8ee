"""What an ended client had still proposed is taken back and destroyed in one go, with a receipt for each."""

import pytest
from django.db import connections
from django.test.utils import CaptureQueriesContext

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.vocabulary import ProposalStatus
from tests import databases
from tests.cast import Vault, new_vault, register
from vault.clock import utc_now


@pytest.fixture
def leo(live: None) -> Vault:
    return new_vault("Leo")


def test_ending_costs_as_many_statements_for_seven_proposals_as_for_one(leo: Vault) -> None:
    spent = []
    for number in (1, 7):
        bot = register(leo, "Bot")
        for each in range(number):
            memories.propose(bot.caller, label=f"Pan {each}", value="iron", now=utc_now())
        with CaptureQueriesContext(connections["default"]) as seen:
            access.revoke(leo.holder, bot.caller.client.client_id, utc_now())
        spent.append(len(seen))
    assert spent[0] == spent[1]


def test_each_has_its_receipt_and_its_keys_are_gone_and_others_stand(leo: Vault) -> None:
    bot, other = register(leo, "Bot"), register(leo, "Other")
    mine = [memories.propose(bot.caller, label=f"Pan {each}", value="iron", now=utc_now()) for each in range(3)]
    kept = memories.propose(other.caller, label="Pot", value="clay", now=utc_now())
    access.revoke(leo.holder, bot.caller.client.client_id, utc_now())
    by_id = {each.proposal_id: each for each in memories.proposals(leo.holder, None)}
    assert {by_id[each.proposal_id].status for each in mine} == {ProposalStatus.WITHDRAWN}  # type: ignore[union-attr]
    assert {by_id[each.proposal_id].decided_by for each in mine} == {leo.holder.actor}  # type: ignore[union-attr]
    assert by_id[kept.proposal_id].status is ProposalStatus.PENDING  # type: ignore[union-attr]
    named = [each.object for each in leo.receipts(kind="proposal.withdrawn")]
    assert named == [f"prp_{each.proposal_id.hex}" for each in mine]  # type: ignore[union-attr]
    with databases.connect("postgres") as admin:
        found = admin.execute("SELECT memory_id FROM sealed.key WHERE vault_id = %s", [leo.id]).fetchall()
    left = {each for (each,) in found}
    assert not left & {each.memory_id for each in mine}  # type: ignore[union-attr]
    assert kept.memory_id in left  # type: ignore[union-attr]
