"""Roles, databases and extensions: right the first time, and the same after the second."""

import os
import secrets
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest

from ops.bootstrap import LOGINS, bootstrap, create_database, drop_database, with_database
from ops.trouble import Trouble

ADMIN = os.environ["DATABASE_URL"]


@pytest.fixture
def name() -> Iterator[str]:
    made = f"muniment_boot_{secrets.token_hex(4)}"
    yield made
    drop_database(ADMIN, made)
    drop_database(ADMIN, f"{made}_copy")


def rows(url: str, query: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute(query).fetchall()


def picture(database: str) -> object:
    """All that a bootstrap decides about a database."""
    here = with_database(ADMIN, database)
    return [
        rows(here, query)
        for query in (
            "SELECT datacl::text, datdba::regrole::text FROM pg_database WHERE datname = current_database()",
            "SELECT nspowner::regrole::text, nspacl::text FROM pg_namespace WHERE nspname = 'public'",
            "SELECT extname FROM pg_extension ORDER BY 1",
            "SELECT rolname, rolsuper, rolbypassrls, rolcanlogin, rolcreatedb, rolcreaterole, rolconfig"
            " FROM pg_roles WHERE rolname LIKE 'muniment\\_%' ORDER BY 1",
            "SELECT roleid::regrole::text, member::regrole::text, inherit_option, set_option"
            " FROM pg_auth_members WHERE roleid::regrole::text LIKE 'muniment%'",
        )
    ]


def test_a_second_bootstrap_changes_nothing(name: str) -> None:
    bootstrap(ADMIN, name, {})
    first = picture(name)
    bootstrap(ADMIN, name, {})
    assert picture(name) == first


def test_only_the_logins_connect_and_only_the_owner_creates(name: str) -> None:
    bootstrap(ADMIN, name, {})
    create_database(ADMIN, f"{name}_copy", name)  # a copy does not inherit its template's rights
    for database in (name, f"{name}_copy"):
        here = with_database(ADMIN, database)
        assert rows(here, "SELECT has_database_privilege('public', current_database(), 'CONNECT')") == [(False,)]
        for role in LOGINS:
            assert rows(here, f"SELECT has_database_privilege('{role}', current_database(), 'CONNECT')") == [(True,)]
        temporary = "SELECT has_database_privilege('muniment_app', current_database(), 'TEMP')"
        assert rows(here, temporary) == [(False,)]
        for role in ("muniment_app", "muniment_gate", "muniment_log", "muniment_admin", "muniment_reclaim"):
            assert rows(here, f"SELECT has_schema_privilege('{role}', 'public', 'CREATE')") == [(False,)]
        assert {row[0] for row in rows(here, "SELECT extname FROM pg_extension")} >= {"vector", "pg_trgm", "unaccent"}


def test_roles_have_the_rights_they_need_and_no_other(name: str) -> None:
    bootstrap(ADMIN, name, {})
    found = {
        row[0]: row[1:]
        for row in rows(
            ADMIN,
            "SELECT rolname, rolcanlogin, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb FROM pg_roles"
            " WHERE rolname LIKE 'muniment\\_%'",
        )
    }
    assert found == {
        "muniment_owner": (True, False, False, False, False),
        "muniment_gate_owner": (False, False, False, False, False),
        "muniment_app": (True, False, False, False, False),
        "muniment_gate": (True, False, False, False, False),
        "muniment_log": (True, False, False, False, False),
        "muniment_admin": (True, False, True, False, False),
        "muniment_reclaim": (True, False, False, False, False),
    }
    # The owner steps into the gate's owner on purpose only; nobody else steps anywhere.
    members = rows(
        ADMIN,
        "SELECT roleid::regrole::text, member::regrole::text, inherit_option, set_option, admin_option"
        " FROM pg_auth_members WHERE roleid::regrole::text LIKE 'muniment%'",
    )
    assert members == [("muniment_gate_owner", "muniment_owner", False, True, False)]


def test_the_gate_signs_in_with_its_settings(name: str) -> None:
    wanted = {"synchronous_commit": "on", "plan_cache_mode": "force_generic_plan", "lock_timeout": "5s"}
    for setting, value in {**wanted, "statement_timeout": "30s"}.items():
        assert rows(os.environ["MUNIMENT_DB_GATE_URL"], f"SELECT current_setting('{setting}')") == [(value,)]


def test_a_role_without_the_rights_is_told_so() -> None:
    role, word = f"weak_{secrets.token_hex(4)}", secrets.token_hex(8)
    with psycopg.connect(ADMIN, autocommit=True) as admin:
        admin.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{word}'")
        admin.execute(f"GRANT CONNECT ON DATABASE postgres TO {role}")
        try:
            parts = urlsplit(ADMIN)
            url = parts._replace(netloc=f"{role}:{word}@{parts.netloc.rpartition('@')[2]}").geturl()
            with pytest.raises(Trouble, match=f"The role {role} of DATABASE_URL may not create roles and databases"):
                bootstrap(url, "muniment_never", {})
        finally:
            admin.execute(f"REVOKE ALL ON DATABASE postgres FROM {role}")
            admin.execute(f"DROP ROLE {role}")
    assert rows(ADMIN, "SELECT 1 FROM pg_database WHERE datname = 'muniment_never'") == []
