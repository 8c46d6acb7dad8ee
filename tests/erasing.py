"""How tests erase, and where they look for what should be gone."""

from typing import Any
from uuid import UUID

from apps.erasure import services as erasure
from apps.ledger.log import act
from apps.memories import store
from apps.memories.services.erasing import erase_within
from apps.policy.erasing import Derived, Order, Where
from tests.cast import Vault
from vault.clock import utc_now


def erase(vault: Vault, *names: str, derived: Derived | None = None) -> Order:
    """Memories by their short names, as their holder does it: by an order, which is certified."""
    where = Where(ids=frozenset(vault.ids[each] for each in names))
    done = erasure.order(vault.holder, where, utc_now(), derived=derived)
    assert isinstance(done, Order) and done.certified
    return done


def erase_within_an_act(vault: Vault, name: str) -> UUID:
    """A memory by its short name, by what every road of erasing comes to and without looking at it first: its id."""
    with act(vault.id, vault.holder.actor) as erasing:
        found = store.memory(vault.id, vault.ids[name])
        assert found is not None
        erase_within(erasing, [found], utc_now())
    return vault.ids[name]


def rows_with(admin: Any, words: dict[str, str]) -> dict[str, set[str]]:
    """In which tables each of these words stands, in any column; of a word that stands in none, nothing."""
    query = "SELECT schemaname, tablename FROM pg_tables WHERE schemaname IN ('public', 'sealed', 'gate', 'log')"
    found: dict[str, set[str]] = {}
    for schema, table in admin.execute(query).fetchall():
        rows = admin.execute(f'SELECT t::text FROM "{schema}"."{table}" t').fetchall()
        text = "\n".join(row[0] for row in rows).lower()
        for name, word in words.items():
            if word.lower() in text or word.encode().hex() in text:
                found.setdefault(name, set()).add(table)
    return found
