"""Erasing one vault leaves every other byte-identical: of another's rows not one is written, moved or missing.

Protects everybody else from somebody's `delete all`.
"""

from typing import Any
from uuid import UUID

import pytest

from apps.erasure import services as erasure
from apps.ledger import services as ledger
from apps.memories import services as memories
from apps.policy.erasing import Order, Plan, Where
from apps.policy.types import Refused
from tests.cast import Assistant, Vault, give, register
from vault.clock import utc_now

TABLES = (
    "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'vault_id' AND NOT a.attisdropped"
    " WHERE c.relkind = 'r' AND n.nspname IN ('public', 'sealed')"
)


def rows(admin: Any, vault_id: UUID) -> dict[str, list[str]]:
    """Every row of a vault in every table, with the transaction that wrote it last and where it lies."""
    found = {}
    for schema, table in admin.execute(TABLES).fetchall():
        query = f'SELECT xmin::text || ctid::text || t::text FROM "{schema}"."{table}" t WHERE vault_id = %s ORDER BY 1'
        found[table] = [row[0] for row in admin.execute(query, [vault_id]).fetchall()]
    return found


@pytest.fixture
def other(mallory: Vault) -> Vault:
    """Somebody else, whose assistant has read something, under the same subjects and labels."""
    bot = register(mallory, "Bot")
    give(bot, "time", "kitchen")
    assert bot.read("time").released
    return mallory


def test_a_whole_vault(alice: Vault, cook: Assistant, other: Vault, admin: Any) -> None:
    before = rows(admin, other.id)
    assert sum(map(len, before.values())) > 40, "the control"
    assert not isinstance(erasure.end_vault(alice.holder, utc_now()), Refused)
    assert rows(admin, other.id) == before
    assert not ledger.verify(other.id, other.holder.actor).problems


def test_everything_of_a_kind(alice: Vault, other: Vault, admin: Any) -> None:
    before = rows(admin, other.id)
    where = Where(subjects=frozenset({"cooking"}), below=True)
    plan = erasure.preview(alice.holder, where)
    assert isinstance(plan, Plan) and len(plan.going) == 4
    assert isinstance(erasure.order(alice.holder, where, utc_now(), plan=plan.digest), Order)
    assert rows(admin, other.id) == before


def test_another_vault_s_memory_is_unknown_here(alice: Vault, other: Vault, admin: Any) -> None:
    before = rows(admin, other.id)
    for ids in ({other.ids["time"]}, {alice.ids["time"], other.ids["time"]}):
        assert not erasure.order(alice.holder, Where(ids=frozenset(ids)), utc_now())
    assert rows(admin, other.id) == before
    assert memories.memory(alice.holder, alice.ids["time"]) is not None
