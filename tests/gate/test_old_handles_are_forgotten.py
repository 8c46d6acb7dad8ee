"""What makes a repeated send harmless is kept for a day and no longer."""

import os
from datetime import timedelta

import pytest

from apps.memories.tasks import forget_handles
from tests import databases
from tests.fixtures import Household


def ages(home: Household) -> int:
    with databases.connect("postgres") as admin:
        row = admin.execute("SELECT count(*) FROM sealed.handle WHERE vault_id = %s", [home.holder.vault_id]).fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.parametrize(("age", "left"), [(timedelta(hours=25), 0), (timedelta(hours=23), 1)])
def test_a_handle_is_forgotten_after_a_day(home: Household, age: timedelta, left: int) -> None:
    home.as_client().read([home.kitchen], key=os.urandom(4).hex())
    with databases.connect("postgres") as admin:
        admin.execute("UPDATE sealed.handle SET at = at - %s WHERE vault_id = %s", [age, home.holder.vault_id])
    forget_handles()
    assert ages(home) == left
