"""PostgreSQL keeps samples of a column's contents for its planner; of words, keys and hashes it keeps none.

They would outlive an erasure: they are made anew only when the table is sampled again.
"""

from typing import Any

from apps.erasure.sql import HERE
from tests.cast import Vault, canary

# What may be sampled: ids, times, numbers, and words from lists that the code closes. A new column of another kind is
# given STATISTICS 0 by its migration, or is named here with a reason to.
HARMLESS_TYPES = ["bool", "int2", "int4", "int8", "float8", "uuid", "_uuid", "timestamptz"]
NOBODYS = {"receipt", "django_migrations", "django_content_type", "auth_group", "auth_permission", "reclaimed"}
CLOSED = {
    "access_grant": "recipient purpose category memory_ids surface ui_version",  # ids, and words from lists
    "access_request": "recipient purpose",
    "backed_up": "what",
    "delegation": "role level",
    "directory": "kind",
    "edge": "kind made_by ended_by",
    "emergency": "reason how finding",
    "entity": "kind made_by",
    "erasure_order": "basis choice counts residue made_by",  # numbers, and words from lists
    "grant_memory": "purpose",
    "invitation": "role level",
    "letter": "letter zone bounced",
    "mail_wishes": "off receipts quiet_from quiet_until",  # switches, how often, times of the day
    "member": "role",
    "memory": "category claim state kind",
    "memory_version": "made_by category ended_as",
    "merge": "what",
    "mfa_authenticator": "type",
    "proposal": "directive status decided_by",
    "request_part": "category memory_ids status",
    "review": "category memory_ids decided_by surface ui_version outcome",
    "sealed.chain_head": "chain_hash",  # of receipts, which stay
    "sealed.handle": "kind object recipient",
    "sealed.value": "category",
    "share": "made_by code",
    "space": "kind",
    "space_policy": "review_categories tiers tiers_before keeping",  # names of categories, and ages
    "step_told": "day told",
    "turn": "status model",
    "turn_event": "kind",
    "turn_item": "category state",
    "user": "time_zone",
    "vault": "time_zone",
}
_COLUMNS = """
SELECT CASE n.nspname WHEN 'public' THEN '' ELSE n.nspname || '.' END || c.relname, a.attname
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_type t ON t.oid = a.atttypid
 WHERE n.nspname IN ('public', 'sealed') AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
   AND t.typname <> ALL (%s) AND coalesce(a.attstattarget, -1) <> 0
"""


def test_no_column_that_can_hold_words_is_sampled(admin: Any, live: None) -> None:
    sampled = {(table, name) for table, name in admin.execute(_COLUMNS, [HARMLESS_TYPES]) if table not in NOBODYS}
    closed = {(table, name) for table, names in CLOSED.items() for name in names.split()}
    assert sampled - closed == set(), "give them STATISTICS 0, or say why not"
    assert closed - sampled == set(), "these are not there, or not sampled"


def test_no_index_samples_what_its_table_does_not(admin: Any, live: None) -> None:
    """An index on an expression has samples of its own. The one there is holds the id of a memory."""
    rows = admin.execute(
        "SELECT DISTINCT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
        " JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname IN ('public', 'sealed') AND i.indkey[a.attnum - 1] = 0 AND coalesce(a.attstattarget, -1) <> 0"
    ).fetchall()
    assert rows == [("proposal_other",)]


def test_no_label_is_among_them_after_the_tables_were_sampled(alice: Vault, admin: Any) -> None:
    label = canary()
    for number in range(3):  # what stands there once only is seldom kept
        alice.keep(f"of {number}", label=label)
    admin.execute("ANALYZE")
    assert samples_with(admin, label) == []


def test_what_was_sampled_before_is_let_go_of(alice: Vault, admin: Any) -> None:
    """What the migration does in a database that was in use before it."""
    label = canary()
    for number in range(3):
        alice.keep(f"of {number}", label=label)
    admin.execute("ALTER TABLE memory ALTER label SET STATISTICS 100")
    admin.execute("ALTER TABLE memory_version ALTER label SET STATISTICS 100")
    admin.execute("ANALYZE")
    assert samples_with(admin, label) == ["label", "label"]
    admin.execute("SET ROLE muniment_owner")
    admin.execute((HERE / "no_samples.sql").read_text())
    admin.execute("RESET ROLE")
    assert samples_with(admin, label) == []
    assert admin.execute("SELECT count(*) FROM memory WHERE label = %s", [label]).fetchone() == (3,)


def samples_with(admin: Any, word: str) -> list[str]:
    """The columns of which a sample says this."""
    query = "SELECT attname FROM pg_stats WHERE pg_stats::text LIKE %s ORDER BY 1"
    return [name for (name,) in admin.execute(query, [f"%{word}%"])]
