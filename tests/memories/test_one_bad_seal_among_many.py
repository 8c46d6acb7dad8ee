"""Of many that are approved in one go, the one that does not open waits by itself: it keeps no other back, and is found
without opening the others again.
"""

from typing import Any
from uuid import UUID

import pytest

from apps.memories import services as memories
from apps.policy.types import Proposal
from apps.policy.vocabulary import Directive
from tests.cast import Assistant, Vault, canary
from tests.memories.test_seals import tampered
from vault.clock import utc_now


def corrections(alice: Vault, cook: Assistant, count: int) -> list[Proposal]:
    """So many corrections, each of a memory of its own."""
    made = []
    for number in range(count):
        alice.keep(f"more{number}")
        made.append(propose(alice, cook, alice.ids[f"more{number}"]))
    return made


def propose(alice: Vault, cook: Assistant, target: UUID) -> Proposal:
    made = memories.propose(
        cook.caller, directive=Directive.CORRECT, target=target, value=canary(), known={target}, now=utc_now()
    )
    assert isinstance(made, Proposal), made
    return made


@pytest.mark.parametrize("table", ["value", "key"])
def test_the_others_are_approved_and_opened_once(alice: Vault, cook: Assistant, admin: Any, table: str) -> None:
    made = corrections(alice, cook, 9)
    column = {"value": "ciphertext", "key": "wrapped"}[table]
    statement = f"UPDATE sealed.{table} SET {column} = sha256({column}) WHERE memory_id = %s"
    tampered(admin, statement, made[4].memory_id)
    done = memories.approve_many(alice.holder, [(each.proposal_id, each.revision) for each in made], utc_now())
    assert [each.proposal_id for each in done.items if each.done is memories.Done.NEEDS_ATTENTION] == [
        made[4].proposal_id
    ]
    assert done.count(memories.Done.APPLIED) == 8
    assert len(alice.receipts(kind="value.shown")) == 9, "one stamp, one line each"
