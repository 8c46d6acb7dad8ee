"""A vault's key is changed slice by slice: whoever falls between two of them leaves a vault that works as before, and
whoever comes next goes on from there.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest

from apps.ledger import log
from apps.memories import epochs as keyed
from apps.memories import services as memories
from apps.memories import store
from apps.memories.services import rotating
from apps.policy.proposals import Proposal
from apps.policy.vocabulary import Directive
from apps.turns import services as turns
from tests.cast import QUESTION, Assistant, Vault, canary, give
from tests.gate.cast import check_chain
from tests.keys.looks import copy_of, erase, plain, shown, talk
from vault.clock import utc_now

SLICE = 2


class Fallen(BaseException):
    """The process is gone: nobody catches it."""


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rotating, "PAGE", SLICE)


@contextmanager
def falling(at: int) -> Iterator[list[int]]:
    """Whoever changes keys falls before the transaction of this number is sent. Gives how many were."""
    honest, sent = log.fetch, [0]

    def fetch(*given: Any) -> Any:
        if sent[0] == at:
            raise Fallen
        sent[0] += 1
        return honest(*given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log, "fetch", fetch)
        yield sent


def steps(vault: Vault) -> int:
    """How many transactions of their own it takes, beside the act that makes an end of it."""
    with falling(-1) as sent:
        assert memories.rotate(vault.id, utc_now()) is not None
    return sent[0]


def fell(vault: Vault, at: int) -> None:
    with falling(at), pytest.raises(Fallen):
        memories.rotate(vault.id, utc_now())


def epochs(admin: Any, vault: Vault) -> list[int]:
    rows = admin.execute("SELECT epoch FROM vault_key WHERE vault_id = %s ORDER BY epoch", [vault.id]).fetchall()
    return [epoch for (epoch,) in rows]


def under(admin: Any, vault: Vault) -> dict[str, dict[int, int]]:
    """How many of each are kept under which epoch."""
    found = {}
    for table in ("sealed.key", "value_print", "turn"):
        query = f"SELECT epoch, count(*) FROM {table} WHERE vault_id = %s GROUP BY 1"
        found[table] = dict(admin.execute(query, [vault.id]).fetchall())
    return found


@pytest.fixture(params=["sealed.key", "value_print"])
def half(request: pytest.FixtureRequest) -> str:
    """What is there under both keys when somebody falls."""
    return str(request.param)


def half_changed(vault: Vault, admin: Any, half: str) -> None:
    """Whoever changed the key fell when some of this was there under the new one."""
    assert any(begins(vault, admin, after) for after in range(1, 100))
    while len(under(admin, vault)[half]) != 2:
        fell(vault, 4)  # after one slice more: what the keys are, which are left, which prints, and some put back
    assert epochs(admin, vault) == [1, 2]


def begins(vault: Vault, admin: Any, after: int) -> bool:
    fell(vault, after)
    return len(epochs(admin, vault)) == 2


def works(vault: Vault, cook: Assistant) -> None:
    """Whatever anybody does in it comes to what it would."""
    assert shown(vault) == plain(vault)
    assert [each.handed.value for each in cook.read("kitchen").released] == [vault.values["kitchen"]]
    value = f"Porto {canary()}"
    made = memories.propose(cook.caller, label="City", value=value, now=utc_now())
    assert isinstance(made, Proposal)
    again = memories.propose(cook.caller, label="City", value=value, now=utc_now())
    assert again == made
    memories.approve(vault.holder, made.proposal_id, now=utc_now())
    texts = [f"It is {vault.values['pills']}, they say.", f"They live in {value}."]
    memories.correct(vault.holder, vault.ids["pills"], value=(new := f"none {canary()}"), now=utc_now())
    assert [each.memory.memory_id for each in memories.check_texts(vault.holder, texts).finds] == [vault.ids["pills"]]
    echo = memories.correct(vault.holder, vault.ids["pills"], value=vault.values["pills"], now=utc_now())
    assert getattr(echo, "reason", None) == "echo"
    vault.values["pills"] = new


def test_wherever_somebody_falls_it_is_gone_on_with(alice: Vault, cook: Assistant, admin: Any) -> None:
    give(cook, "kitchen")
    asked = talk(alice)
    fallen = 0
    while True:
        with falling(fallen) as sent:
            try:
                done = memories.rotate(alice.id, utc_now())
            except Fallen:
                done = None
        assert shown(alice) == plain(alice)
        assert turns.turn(alice.holder, asked).question == QUESTION  # type: ignore[union-attr]
        if done is not None:
            break
        fallen = sent[0] + 1
    assert fallen > 10, "it was not in slices"
    newest = epochs(admin, alice)
    assert len(newest) == 1
    assert {epoch for table in under(admin, alice).values() for epoch in table} == set(newest)
    assert not check_chain(admin, alice.id)[1]


def test_in_the_middle_of_it_everything_works_as_before(alice: Vault, cook: Assistant, admin: Any, half: str) -> None:
    give(cook, "kitchen")
    talk(alice)
    half_changed(alice, admin, half)
    works(alice, cook)
    assert memories.rotate(alice.id, utc_now()) == 3, "the one that fell is ended, then one is made as was asked"
    works(alice, cook)
    assert {epoch for table in under(admin, alice).values() for epoch in table} == {3}


def test_what_somebody_fell_over_is_ended_by_itself_though_nothing_was_erased(
    alice: Vault, cook: Assistant, admin: Any, half: str
) -> None:
    give(cook, "kitchen")
    half_changed(alice, admin, half)
    now = utc_now()
    assert memories.turn(now).vaults == 0, "whoever began it may be at it still"
    assert epochs(admin, alice) == [1, 2]
    done = memories.turn(now + timedelta(hours=1))
    assert (done.vaults, done.stuck) == (1, ())
    assert epochs(admin, alice) == [2], "it is ended, and no other is begun"
    assert memories.turn(now + timedelta(hours=2)).vaults == 0
    works(alice, cook)


def test_who_changes_everything_by_hand_goes_on_with_it_at_once(alice: Vault, admin: Any, half: str) -> None:
    half_changed(alice, admin, half)
    assert memories.turn(utc_now(), anew=True).vaults == 1
    assert epochs(admin, alice) == [2]


def test_what_was_recognised_before_it_fell_is_after_it_is_over(alice: Vault, admin: Any, half: str) -> None:
    """Prints that were made while both keys were there are keyed anew with the others."""
    half_changed(alice, admin, half)
    memories.correct(alice.holder, alice.ids["kitchen"], value=f"no oven {canary()}", now=utc_now())
    memories.rotate(alice.id, utc_now())
    echo = memories.correct(alice.holder, alice.ids["kitchen"], value=alice.values["kitchen"], now=utc_now())
    assert getattr(echo, "reason", None) == "echo"


def test_what_is_erased_in_the_middle_is_erased_under_both_keys(alice: Vault, admin: Any, half: str) -> None:
    half_changed(alice, admin, half)
    before, gone, memory_id = copy_of(admin, alice), alice.values["diary"], alice.ids["diary"]
    erase(alice, "diary")
    for table in ("sealed.key", "value_print"):
        query = f"SELECT count(*) FROM {table} WHERE vault_id = %s AND memory_id = %s"
        assert admin.execute(query, [alice.id, memory_id]).fetchone() == (0,)
    memories.turn(utc_now(), anew=True)
    memories.turn(utc_now(), anew=True, grace=utc_now() - utc_now())
    assert gone not in before.opened()
    assert shown(alice) == plain(alice)


def test_a_print_that_is_made_anew_in_the_middle_is_so_under_both_keys(alice: Vault, admin: Any, half: str) -> None:
    half_changed(alice, admin, half)
    kitchen = alice.ids["kitchen"]
    admin.execute("UPDATE value_print SET words = '{1,2}' WHERE memory_id = %s", [kitchen])
    memories.rebuild_index(alice.id, [kitchen], utc_now())
    wrong = "SELECT count(*) FROM value_print WHERE memory_id = %s AND words = '{1,2}'"
    assert admin.execute(wrong, [kitchen]).fetchone() == (0,)
    memories.rotate(alice.id, utc_now())
    assert admin.execute(wrong, [kitchen]).fetchone() == (0,)


def test_a_key_that_was_read_while_there_were_two_seals_nothing_when_one_is_gone(
    alice: Vault, cook: Assistant, admin: Any, half: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client's correction reads the key before its act: here the change ends just then."""
    half_changed(alice, admin, half)
    honest, keys = keyed.key_at_once, []

    def key_then_changed(vault_id: Any, actor: str) -> Any:
        key = honest(vault_id, actor)
        if actor == cook.caller.actor:
            keys.append(key)
            assert memories.rotate(alice.id, utc_now()) == 3
        return key

    monkeypatch.setattr(keyed, "key_at_once", key_then_changed)
    given: dict[str, Any] = {"directive": Directive.CORRECT, "target": alice.ids["time"], "known": [alice.ids["time"]]}
    made = memories.propose(cook.caller, value=f"Porto {canary()}", now=utc_now(), **given)
    assert isinstance(made, Proposal)
    assert [(each.epoch, each.before.epoch) for each in keys] == [(2, 1)]
    rows = admin.execute("SELECT epoch FROM value_print WHERE memory_id = %s", [made.memory_id]).fetchall()
    assert rows == [(3,)]


def test_a_print_by_a_key_that_is_gone_is_not_kept(alice: Vault, admin: Any, half: str) -> None:
    from dataclasses import replace

    from django.db import DatabaseError

    from apps.ledger.ids import new_id
    from apps.ledger.log import act
    from apps.policy.vocabulary import ReceiptKind

    half_changed(alice, admin, half)
    with act(alice.id, alice.holder.actor) as reading:
        both = store.vault_key(alice.id)
        known = store.memory(alice.id, alice.ids["kitchen"])
        reading.cancel()
    assert both is not None and both.before is not None and known is not None
    with falling(-1):
        assert rotating._end(alice.id, both.before, both) == 2
    with pytest.raises(DatabaseError, match="key that was changed"), act(alice.id, alice.holder.actor) as writing:
        store.put(writing, both, replace(known, memory_id=new_id()), "late")
        writing.record(ReceiptKind.MEMORY_ADDED)


def test_nobody_waits_for_more_than_a_slice_and_the_end(alice: Vault, admin: Any) -> None:
    """How many transactions it takes grows with the vault; what one of them puts back does not."""
    few = steps(alice)
    for number in range(4 * SLICE):
        alice.keep(f"more {number}")
    assert steps(alice) >= few + 3 * 4  # read, put back, for keys and prints, and once before it begins


def test_two_at_once_change_it_once_or_twice(alice: Vault, admin: Any) -> None:
    from django.db import connections

    from tests.threads import at_once

    done = at_once([lambda: memories.rotate(alice.id, utc_now())] * 2)
    connections.close_all()
    assert not [each for each in done if isinstance(each, Exception)], done
    (newest,) = epochs(admin, alice)
    assert newest == max(each for each in done if each is not None)
    assert shown(alice) == plain(alice)
