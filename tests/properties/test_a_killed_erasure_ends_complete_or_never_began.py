"""An erasure that is killed ends complete or never began; what it names is out of reach from its first act on.

Protects the holder from an order that stops half-way, and says that it is done or forgets that it was begun. What is
killed here are the product's own processes; ERASURE_ROUNDS sets how many orders are tried.
"""

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from apps.erasure import services as erasure
from apps.ledger import services as ledger
from apps.memories import services as memories
from apps.policy.erasing import Order, Plan, Where
from tests import databases
from tests.cast import Vault, new_vault
from tests.erasure.workers import PATIENCE_SECONDS, Processes
from tests.threads import at_once
from vault.clock import utc_now

ROUNDS = int(os.environ.get("ERASURE_ROUNDS", "1"))
AN_ACT = 1_000  # so many receipts are written in one act
MANY = 4 * AN_ACT  # memories of an order
FIRST_ACT_SECONDS = 1.5  # about
KILLED_WHILE_ORDERING, KILLED_WHILE_CARRYING = 3, 4
FILL = """
WITH made AS (
  INSERT INTO memory (vault_id, memory_id, subject, label, neutral_label, category, attested, version, state, source,
      made_at, updated_at)
    SELECT %(vault)s, gen_random_uuid(), 'measured.' || g, 'Measured', '', 'ordinary', false, 1, 'approved', 'holder',
           now(), now() FROM generate_series(1, %(count)s) g RETURNING memory_id
)
INSERT INTO memory_version (vault_id, memory_id, version, made_at, made_by, source)
  SELECT %(vault)s, memory_id, 1, now(), 'sys_test', 'holder' FROM made
"""
TAKE_A_PLACE = """
INSERT INTO receipt SELECT (jsonb_populate_record(last, jsonb_build_object('seq', last.seq + %(ahead)s))).*
  FROM receipt last WHERE vault_id = %(vault)s ORDER BY last.seq DESC LIMIT 1
"""


@pytest.fixture
def processes(live: None, tmp_path: Path) -> Iterator[Processes]:
    made = Processes(tmp_path)
    made.broker.control.purge()
    yield made
    made.end()


def filled(admin: Any) -> Vault:
    """A vault of thousands of memories, of which three can be read."""
    vault = new_vault("Alice")
    for name in ("one", "two", "three"):
        vault.keep(name, subject=f"measured.{name}")
    admin.execute(FILL, {"vault": vault.id, "count": MANY - 3})
    return vault


def left(vault: Vault, admin: Any) -> int:
    """How many of them there are. Waits for whatever a process that was killed had begun."""
    admin.execute("BEGIN")
    admin.execute("SELECT FROM sealed.chain_head WHERE vault_id = %s FOR UPDATE", [vault.id])
    admin.execute("COMMIT")
    query = "SELECT count(*) FROM memory WHERE vault_id = %s AND subject LIKE 'measured.%%'"
    return int(admin.execute(query, [vault.id]).fetchone()[0])


def readable(vault: Vault) -> set[str]:
    """The values of these memories that somebody still gets to see."""
    shown = memories.show(vault.holder, [vault.ids[each] for each in ("one", "two", "three")])
    return {each.value for each in shown.values if each.value}


def ordered(vault: Vault, processes: Processes, admin: Any, chance: random.Random, number: int) -> Order:
    """Ordered by a process that is killed in the middle of it, until one gets it done."""
    for attempt in range(KILLED_WHILE_ORDERING + 1):
        name = f"order-{number}-{attempt}"
        somebody = processes.order(vault.holder.user_id, name)
        begun = time.monotonic()
        if attempt < KILLED_WHILE_ORDERING:
            time.sleep(chance.uniform(0, FIRST_ACT_SECONDS))
            processes.kill(somebody)
        else:
            assert somebody.wait(PATIENCE_SECONDS) == 0, processes.said(name)
        orders = erasure.orders(vault.holder) if left(vault, admin) in (0, MANY) else ()
        there = left(vault, admin)
        print(f"order {number}: killed after {time.monotonic() - begun:.2f} s, {there} left, {len(orders)} orders")
        assert there == (0 if orders else MANY), "begun, and not done"
        assert len(readable(vault)) == (0 if orders else 3)
        assert bool(orders) == bool(vault.receipts(kind="erasure.ordered"))
        if orders:
            return orders[0]
    raise AssertionError("it was not ordered")


def as_if_a_minute_went_by(admin: Any, order: Order) -> None:
    """The clock's sweep leaves an order alone for that long, because somebody may be at it."""
    touched = "UPDATE erasure_order SET touched_at = touched_at - interval '2 minutes' WHERE order_id = %s"
    admin.execute(touched, [order.order_id])


def told(vault: Vault, order: Order) -> int:
    found = erasure.erasure(vault.holder, order.order_id)
    assert found is not None
    return MANY + 1 if found.certified else found.told


END_WHO_WAITS = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE %s = ANY (pg_blocking_pids(pid))"


def until_it_waits_for(somebody: Any, admin: Any) -> None:
    waits = "SELECT FROM pg_stat_activity WHERE %s = ANY (pg_blocking_pids(pid))"
    until = time.monotonic() + PATIENCE_SECONDS
    while admin.execute(waits, [somebody.info.backend_pid]).fetchone() is None:
        assert time.monotonic() < until, "nobody came to it"
        time.sleep(0.02)


def killed_while_carrying(
    vault: Vault, order: Order, processes: Processes, admin: Any, chance: random.Random
) -> list[int]:
    """A worker goes on with it and is killed, several times over. Returns how far it was each time.

    The first time it is killed in its second act, its connection with it, which cannot end: the place of a receipt that
    it is about to write is taken by somebody who does not say whether they keep it. Afterwards it is killed at any
    moment.
    """
    seen = []
    for number in range(KILLED_WHILE_CARRYING):
        before = told(vault, order)
        with databases.connect("postgres") as somebody:
            if not number:
                ahead = AN_ACT + chance.randint(1, AN_ACT)
                somebody.execute(TAKE_A_PLACE, {"vault": vault.id, "ahead": ahead})
            worker = processes.worker(f"worker-{number}")
            as_if_a_minute_went_by(admin, order)
            processes.sweep(vault.id, order.order_id)
            if number:
                until = time.monotonic() + PATIENCE_SECONDS
                while told(vault, order) == before <= MANY and time.monotonic() < until and number > 1:
                    time.sleep(0.005)
                time.sleep(chance.uniform(0, 0.15))
            else:
                until_it_waits_for(somebody, admin)
            processes.kill(worker)
            # What the worker had sent, the end of its act with it, would be done once the place is free.
            admin.execute(END_WHO_WAITS, [somebody.info.backend_pid])
            somebody.rollback()
        left(vault, admin)
        after = told(vault, order)
        print(f"killed while carrying out: {before} to {after} of {MANY}")
        assert before <= after, "it went back"
        assert counts(vault, order, admin)["memory.erased"] == min(after, MANY), "the receipts are those that it tells"
        assert readable(vault) == set()
        seen.append(after)
    return seen


def counts(vault: Vault, order: Order, admin: Any) -> dict[str, int]:
    """How many receipts of each kind name the order."""
    query = "SELECT kind, count(*) FROM receipt WHERE vault_id = %s AND object = %s GROUP BY kind"
    found = dict(admin.execute(query, [vault.id, f"ord_{order.order_id.hex}"]).fetchall())
    return {"memory.erased": 0, "erasure.certified": 0, **found}


def finished(vault: Vault, order: Order, processes: Processes, admin: Any) -> None:
    """Two workers and two beats at once, until it is certified."""
    for name in ("one", "two"):
        processes.worker(f"last-{name}")
    as_if_a_minute_went_by(admin, order)
    until = time.monotonic() + PATIENCE_SECONDS
    while told(vault, order) <= MANY:
        assert time.monotonic() < until, processes.said("last-one")
        processes.sweep(vault.id, order.order_id)
        time.sleep(0.3)


def erased_each_once(vault: Vault, order: Order, admin: Any) -> bool:
    """Each of its memories has one receipt that it was erased, by this order; and nothing else has."""
    query = "SELECT memory_id, object FROM receipt WHERE vault_id = %s AND kind = 'memory.erased'"
    rows: list[tuple[UUID, str]] = admin.execute(query, [vault.id]).fetchall()
    mine = admin.execute(
        "SELECT memory_id FROM tombstone WHERE vault_id = %s AND order_id = %s", [vault.id, order.order_id]
    )
    assert {each for _, each in rows} == {f"ord_{order.order_id.hex}"}
    return sorted(each for each, _ in rows) == sorted(each for (each,) in mine.fetchall())


def test_killed_at_any_point_it_ends_complete_or_never_began(processes: Processes, admin: Any) -> None:
    chance = random.Random(20)
    for number in range(ROUNDS):
        vault = filled(admin)
        order = ordered(vault, processes, admin, chance, number)
        seen = killed_while_carrying(vault, order, processes, admin, chance)
        assert seen[0] == AN_ACT, "it was never seen between its beginning and its end"
        finished(vault, order, processes, admin)
        assert counts(vault, order, admin) == {"erasure.ordered": 1, "memory.erased": MANY, "erasure.certified": 1}
        assert erased_each_once(vault, order, admin)
        verdict = ledger.verify(vault.id, vault.holder.actor)
        assert not verdict.problems and readable(vault) == set()
        for each in processes.running:
            if each.poll() is None:
                processes.kill(each)


def test_the_receipts_of_a_whole_vault_are_told_once_by_whoever_goes_on(live: None, admin: Any) -> None:
    vault = filled(admin)
    there = admin.execute("SELECT count(*) FROM memory WHERE vault_id = %s", [vault.id]).fetchone()[0]
    done = erasure.end_vault(vault.holder, utc_now())
    assert isinstance(done, erasure.Ended) and not done.order.certified
    ends = at_once([lambda: erasure.carry_out(vault.id, done.order.order_id, utc_now())] * 4)
    assert [each.certified for each in ends if isinstance(each, Order)] == [True] * 4, ends
    assert counts(vault, done.order, admin)["memory.erased"] == there
    assert counts(vault, done.order, admin)["erasure.certified"] == 1
    assert erased_each_once(vault, done.order, admin)


def test_carried_out_by_many_at_once_nothing_is_told_twice(live: None, admin: Any) -> None:
    """In threads of one process, which meet more often than workers do."""
    vault = filled(admin)
    where = Where(subjects=frozenset({"measured"}), below=True)
    plan = erasure.preview(vault.holder, where)
    assert isinstance(plan, Plan)
    done = erasure.order(vault.holder, where, utc_now(), plan=plan.digest)
    assert isinstance(done, Order) and not done.certified
    ends = at_once([lambda: erasure.carry_out(vault.id, done.order_id, utc_now())] * 4)
    assert [each.certified for each in ends if isinstance(each, Order)] == [True] * 4, ends
    assert counts(vault, done, admin)["memory.erased"] == MANY
    assert counts(vault, done, admin)["erasure.certified"] == 1
    assert erased_each_once(vault, done, admin)
