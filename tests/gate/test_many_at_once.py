"""Sixteen clients on one vault and on twenty, killed and rolled back in between: no deadlock, fork, gap, wrong count
or late release, whether a stamp waits for the disk or `take` does."""

import threading
from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql

from apps.ledger.management.commands.install_ticket_key import FLUSHES
from tests import databases
from tests.gate.cast import Connection, Vault, check_chain, open_vault
from tests.gate.storm import Storm

SECONDS = 4.0


@pytest.fixture(params=[False, True], ids=["stamp flushes", "take flushes"])
def flushing(request: pytest.FixtureRequest, admin: Connection) -> Iterator[None]:
    if request.param and admin.info.server_version < FLUSHES:
        pytest.skip("this server has no call that flushes, so that install_ticket_key refuses asynchronous stamps")
    admin.execute("UPDATE sealed.ticket_key SET async = %s", [request.param])
    yield
    admin.execute("UPDATE sealed.ticket_key SET async = false")


@pytest.mark.parametrize("vaults", [1, 20])
def test_a_storm_leaves_every_chain_and_count_right(admin: Connection, flushing: None, vaults: int) -> None:
    storm = Storm(admin, [open_vault(admin) for _ in range(vaults)])

    def enough() -> bool:
        some = min(storm.seen[what] for what in ("stamped", "replay", "act", "act undone"))
        return some > 20 and storm.kills > 2 and len(storm.taken) > 50

    storm.run(SECONDS, enough)
    print(dict(storm.seen), dict(storm.errors), f"{storm.kills} kills, {len(storm.taken)} releases")
    assert enough()
    # What is left of the errors are the kills, and releases of what had been spent or ended meanwhile.
    assert storm.errors.keys() <= {"AdminShutdown", "OperationalError", "InsufficientPrivilege"}
    assert [check_chain(admin, vault.id)[1] for vault in storm.vaults] == [[]] * vaults
    assert storm.wrong_counts() == []
    assert all(storm.spent[vault.id, grant] <= 1 for vault, grant in storm.singles)
    assert storm.late() == 0


def test_rows_first_and_the_head_second_is_a_deadlock(admin: Connection, vault: Vault) -> None:
    """The control: why both roads lock the head before anything else."""
    met: list[type[psycopg.Error]] = []
    both = threading.Barrier(2)
    change = "UPDATE access_grant SET paused = paused WHERE vault_id = %s"

    def act(head_first: bool) -> None:
        with databases.connect("app") as connection:
            ticket = vault.act_ticket
            connection.execute(sql.SQL("SET LOCAL muniment.ticket = {}").format(sql.Literal(ticket)))
            steps = [("SELECT gate.open(%s, %s)", [vault.id, ticket]), (change, [vault.id])]
            first, second = steps if head_first else reversed(steps)
            try:
                connection.execute(*first)
                both.wait(60)
                connection.execute(*second)
            except psycopg.Error as error:
                met.append(type(error))
            connection.rollback()

    threads = [threading.Thread(target=act, args=[head_first]) for head_first in (True, False)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert met == [psycopg.errors.DeadlockDetected]
