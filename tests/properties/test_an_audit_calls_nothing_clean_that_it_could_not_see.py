"""An erasure audit calls nothing clean that it could not see: it says what is left of what was erased, and how far it
reaches before that.

Protects the holder from being told that nothing is left where nobody could have known.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from apps.access import services as access
from apps.erasure import services as erasure
from apps.ledger import services as ledger
from apps.ledger.format.audit import Audit, Found, audit_bundle
from apps.memories import services as memories
from apps.policy.erasing import Derived
from apps.policy.roles import Barred
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Directive, Refusal, Role
from tests.cast import Assistant, Vault, canary, give
from tests.erasing import erase
from tests.holders.people import acting, newcomer
from vault.clock import utc_now


def audited(vault: Vault) -> Audit:
    return erasure.audit(vault.holder, utc_now())


def bundle(vault: Vault) -> Audit:
    return audit_bundle(b"".join(ledger.bundle(vault.id, vault.holder.actor, utc_now()).parts).splitlines(True))


def suggested(cook: Assistant, name: str, made_from: Sequence[UUID] = ()) -> UUID:
    """Something that the client suggested, having been handed others, and the holder kept."""
    made = access.propose(cook.caller, label=name, value=canary(), derived_from=list(made_from), now=utc_now())
    assert isinstance(made, Proposal), made
    done = memories.approve(cook.vault.holder, made.proposal_id, now=utc_now())
    assert not isinstance(done, Refused) and done.memory is not None
    cook.vault.ids[name] = done.memory.memory_id
    return done.memory.memory_id


def says(audit: Audit) -> list[tuple[str, str]]:
    return [(each.where, each.what) for each in audit.findings]


@pytest.fixture
def read(alice: Vault, cook: Assistant) -> Assistant:
    give(cook, "time", "kitchen")
    assert cook.read("time", "kitchen").released
    return cook


def test_of_what_was_erased_as_it_should_be_nothing_is_left(alice: Vault) -> None:
    erase(alice, "time", "pills")
    for found in (audited(alice), bundle(alice)):
        assert (found.verdict, found.findings, found.unaudited) == (Found.CLEAN, (), ()), found
    assert audited(alice).coverage[0] == "2 memories were erased, by 1 order."


def test_a_vault_of_which_nothing_was_erased_is_clean(alice: Vault, read: Assistant) -> None:
    suggested(read, "summary")
    assert audited(alice).verdict is Found.CLEAN and bundle(alice).verdict is Found.CLEAN


def test_what_may_have_been_made_from_it_and_does_not_say_is_never_a_pass(alice: Vault, read: Assistant) -> None:
    suggested(read, "summary")
    erase(alice, "time")
    found = audited(alice)
    assert found.verdict is Found.UNAUDITED and found.verdict.exit_code == 2
    assert found.unaudited[0].startswith("1 memory may have been made from 1 memory erased since")
    assert (
        "Of these, 0 name what they were made from, 1 name nothing; of the latter, 1 came of assistants"
        in found.coverage[2]
    )
    told = bundle(alice)
    assert told.verdict is Found.UNAUDITED and "1 memory that is kept was suggested" in told.unaudited[0]


def test_suggested_before_it_was_handed_over_it_was_not_made_from_it(alice: Vault, cook: Assistant) -> None:
    suggested(cook, "summary")
    give(cook, "time")
    assert cook.read("time").released
    erase(alice, "time")
    assert audited(alice).verdict is Found.CLEAN and bundle(alice).verdict is Found.CLEAN


def test_lineage_that_was_declared_is_followed_or_stays_by_choice(alice: Vault, read: Assistant) -> None:
    suggested(read, "summary", [alice.ids["time"]])
    suggested(read, "plan", [alice.ids["kitchen"]])
    erase(alice, "time", derived=Derived.ERASE)
    erase(alice, "kitchen", derived=Derived.KEEP)
    found = audited(alice)
    assert found.verdict is Found.CLEAN, found
    assert found.coverage[-1] == "1 thing made from what was erased stays: the order says so."


def test_what_an_assistant_suggested_to_erase_leaves_what_was_made_from_it_to_be_found(
    alice: Vault, read: Assistant
) -> None:
    """A guardian's yes says nothing of what was made from it and is sealed from them: so the holder is shown it."""
    made = suggested(read, "summary", [alice.ids["time"]])
    wish = access.propose(read.caller, directive=Directive.ERASE, target=alice.ids["time"], now=utc_now())
    assert isinstance(wish, Proposal), wish
    assert memories.approve(alice.holder, wish.proposal_id, now=utc_now()) == Refused(Refusal.LINEAGE_CHOICE)
    memories.seal_from_guardians(alice.holder, made, utc_now())
    seat = acting(alice.holder, newcomer("Rosa"), Role.GUARDIAN)
    assert not isinstance(memories.approve(seat, wish.proposal_id, now=utc_now()), Refused)
    assert [where for where, _ in says(audited(alice))] == [f"mem_{made.hex}"]


def test_what_is_made_from_something_erased_and_nobody_chose_that_it_stays_is_found(
    alice: Vault, read: Assistant, admin: Any
) -> None:
    made = suggested(read, "summary", [alice.ids["time"]])
    done = erase(alice, "time", derived=Derived.KEEP)
    admin.execute("UPDATE erasure_order SET choice = 'erase' WHERE order_id = %s", [done.order_id])
    found = audited(alice)
    assert found.verdict is Found.FINDINGS and found.verdict.exit_code == 1
    assert says(found) == [(f"mem_{made.hex}", f"it was made from {alice.mem('time')}, which was erased")]


def test_a_suggestion_made_from_it_that_waits_still_is_found(alice: Vault, read: Assistant, admin: Any) -> None:
    waiting = access.propose(
        read.caller, label="Summary", value=canary(), derived_from=[alice.ids["time"]], now=utc_now()
    )
    assert isinstance(waiting, Proposal)
    done = erase(alice, "time", derived=Derived.KEEP)
    assert audited(alice).verdict is Found.CLEAN
    admin.execute("UPDATE erasure_order SET choice = 'erase' WHERE order_id = %s", [done.order_id])
    assert [where for where, _ in says(audited(alice))] == [f"prp_{waiting.proposal_id.hex}"]


def test_made_from_something_that_was_never_here_is_found(alice: Vault, admin: Any) -> None:
    nowhere = uuid4()
    edge = (
        "INSERT INTO edge (vault_id, edge_id, kind, from_id, to_id, made_at, made_by)"
        " VALUES (%s, gen_random_uuid(), 'derived_from', %s, %s, now(), 'sys_test')"
    )
    admin.execute(edge, [alice.id, alice.ids["time"], nowhere])
    ((where, what),) = says(audited(alice))
    assert where == alice.mem("time") and f"mem_{nowhere.hex}, which was never here" in what


LEFT = {
    "a key": (
        "INSERT INTO sealed.key SELECT %(vault)s, %(memory)s, 1, 1, sha256('x')",
        "it was erased, and its key is still there",
    ),
    "a value": (
        "INSERT INTO sealed.value SELECT %(vault)s, %(memory)s, 1, 'ordinary', false, '\\x00', sha256('x'), '\\x00'",
        "it was erased, and its value is still there",
    ),
    "a word of the index": (
        "INSERT INTO sealed.search_term SELECT %(vault)s, 7, %(memory)s, 1",
        "it was erased, and its index is still there",
    ),
    "a label": (
        "UPDATE memory SET label = 'Left' WHERE vault_id = %(vault)s AND memory_id = %(memory)s",
        "its row still has words, and it was erased",
    ),
    "a reason of its history": (
        "UPDATE memory_version SET why = 'Left' WHERE vault_id = %(vault)s AND memory_id = %(memory)s",
        "an earlier version of it still has words, and it was erased",
    ),
    "a print": (
        "INSERT INTO value_print SELECT %(vault)s, %(memory)s, 1, 'x', '{}', 1, '{}', false, 1, ''",
        "by what its words are recognised is still kept, and it was erased",
    ),
}


@pytest.mark.parametrize("what", LEFT)
def test_whatever_is_left_of_it_is_found(alice: Vault, admin: Any, what: str) -> None:
    statement, sentence = LEFT[what]
    erase(alice, "time")
    assert audited(alice).verdict is Found.CLEAN
    admin.execute(statement, {"vault": alice.id, "memory": alice.ids["time"]})
    assert says(audited(alice)) == [(alice.mem("time"), sentence)]


def test_a_conversation_that_still_opens_is_found(alice: Vault, admin: Any) -> None:
    turn = uuid4()
    admin.execute(
        "INSERT INTO turn (vault_id, turn_id, status, model, stand_in, epoch, wrapped, facts, asked_at)"
        " VALUES (%s, %s, 'offered', '', false, 1, '', '{}', now())",
        [alice.id, turn],
    )
    admin.execute(
        "INSERT INTO turn_item (vault_id, turn_id, memory_id, position, category, state)"
        " VALUES (%s, %s, %s, 0, 'ordinary', 'offered')",
        [alice.id, turn, alice.ids["diary"]],
    )
    erase(alice, "diary")
    assert audited(alice).verdict is Found.CLEAN
    admin.execute("UPDATE turn SET erased_at = NULL WHERE turn_id = %s", [turn])
    assert [where for where, _ in says(audited(alice))] == [f"trn_{turn.hex}"]


def test_an_order_that_was_left_is_found_and_one_in_hand_is_not_audited(alice: Vault, admin: Any) -> None:
    done = erase(alice, "time")
    undone = "UPDATE erasure_order SET done_at = NULL, certificate = NULL, touched_at = %s WHERE order_id = %s"
    admin.execute(undone, [utc_now(), done.order_id])
    found = audited(alice)
    assert found.verdict is Found.UNAUDITED
    assert found.unaudited == (f"ord_{done.order_id.hex} is being carried out: 1 of 1.",)
    admin.execute(undone, [utc_now() - timedelta(hours=1), done.order_id])
    assert says(audited(alice)) == [(f"ord_{done.order_id.hex}", "it was left at 1 of 1, and is not certified")]


def test_tombstones_and_receipts_belong_together(alice: Vault, admin: Any) -> None:
    done = erase(alice, "time")
    admin.execute("DELETE FROM tombstone WHERE vault_id = %s", [alice.id])
    ((where, what),) = says(audited(alice))
    assert where == alice.mem("time") and what.endswith("says that it was erased, and it has no tombstone")
    stone = "INSERT INTO tombstone (vault_id, memory_id, order_id, at) VALUES (%s, %s, %s, now())"
    admin.execute(stone, [alice.id, alice.ids["time"], done.order_id])
    assert audited(alice).verdict is Found.CLEAN
    never = uuid4()
    admin.execute(stone, [alice.id, never, uuid4()])
    assert says(audited(alice)) == [
        (f"mem_{never.hex}", "it has a tombstone of an order that is nowhere"),
        (f"mem_{never.hex}", "it has a tombstone, and no receipt says that it was erased"),
    ]


def test_a_vault_that_was_erased_is_audited_by_its_operator(alice: Vault) -> None:
    erasure.end_vault(alice.holder, utc_now())
    found = erasure.audit_vault(alice.id, utc_now())
    assert found is not None and found.verdict is Found.CLEAN, found
    assert found.coverage[0].endswith("The whole vault was.")


def test_it_is_for_the_holder_alone_and_tells_no_word(alice: Vault, mallory: Vault, read: Assistant) -> None:
    guardian = acting(alice.holder, mallory.holder, Role.GUARDIAN)
    with pytest.raises(Barred):
        erasure.audit(guardian, utc_now())
    suggested(read, "summary", [alice.ids["time"]])
    erase(alice, "time", derived=Derived.KEEP)
    told = str(audited(alice).lines()) + str(audited(alice).to_json())
    assert not [each for each in (*alice.values.values(), *alice.labels.values()) if each in told]
