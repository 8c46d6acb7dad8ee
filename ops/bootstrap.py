"""Roles, databases and extensions. Run as often as you like: it only adds and corrects.

Everything here needs an administrator's URL (a superuser, or a role with CREATEDB and CREATEROLE);
nothing that serves a request ever holds one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from ops.trouble import Trouble

Connection = psycopg.Connection[tuple[Any, ...]]

OWNER = "muniment_owner"
GATE_OWNER = "muniment_gate_owner"
LOGINS = (OWNER, "muniment_app", "muniment_gate", "muniment_log", "muniment_admin", "muniment_reclaim")
ATTRIBUTES = {
    OWNER: "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS",
    GATE_OWNER: "NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS",
    "muniment_app": "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS",
    "muniment_gate": "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS",
    "muniment_log": "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS",
    "muniment_admin": "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE BYPASSRLS",
    "muniment_reclaim": "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS",
}
ROLE_SETTINGS = {
    "muniment_app": {"lock_timeout": "5s", "idle_in_transaction_session_timeout": "60s"},
    "muniment_gate": {
        "synchronous_commit": "on",
        # Its queries are planned once per connection and not anew at each call.
        "plan_cache_mode": "force_generic_plan",
        "lock_timeout": "5s",
        "statement_timeout": "30s",
        "idle_in_transaction_session_timeout": "60s",
    },
    # What it has committed it signs: a crash must not take back what a signature says.
    "muniment_log": {"synchronous_commit": "on", "lock_timeout": "5s", "idle_in_transaction_session_timeout": "60s"},
    # Whoever reads waits behind it while it waits for its lock: not for long, then.
    "muniment_reclaim": {"lock_timeout": "300ms", "statement_timeout": "15min"},
}
EXTENSIONS = ("vector", "pg_trgm", "unaccent")
_ONE_AT_A_TIME = 5_764_215  # an advisory lock: two bootstraps at once would trip over pg_authid


def with_database(url: str, database: str) -> str:
    """The same URL for another database."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{database}"))


def connect(url: str) -> Connection:
    """An autocommit connection; Trouble when the server cannot be reached or refuses the sign-in."""
    try:
        return psycopg.connect(url, autocommit=True, connect_timeout=10)
    except psycopg.Error as error:
        reason = str(error).strip().splitlines()[-1] if str(error).strip() else type(error).__name__
        raise Trouble(f"DATABASE_URL does not lead to a PostgreSQL server that lets us in: {reason}") from None


@contextmanager
def _administering(admin_url: str) -> Iterator[Connection]:
    with connect(admin_url) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [_ONE_AT_A_TIME])
        yield connection


def bootstrap(
    admin_url: str,
    database: str,
    passwords: Mapping[str, str],
    *,
    own_cluster: bool = False,
) -> None:
    """Make the roles, the database and its extensions, or correct what is there.

    ``passwords`` maps role names to passwords; a role that is not in it keeps the one it has.
    ``own_cluster`` puts the extensions into ``template1`` too, which only a cluster of ours may get.
    Raises Trouble when the administrator lacks a right or the server an extension.
    """
    try:
        with _administering(admin_url) as connection:
            _check_rights(connection)
            _roles(connection, passwords)
            if not _exists(connection, database):
                _make(connection, database, None)
            _close_database(connection, database)
        if own_cluster:
            _extensions(admin_url, "template1")
        _extensions(admin_url, database)
        with connect(with_database(admin_url, database)) as connection:
            connection.execute("REVOKE ALL ON SCHEMA public FROM PUBLIC")
            connection.execute(sql.SQL("ALTER SCHEMA public OWNER TO {}").format(sql.Identifier(OWNER)))
            _let_go_of_wal(connection)
    except psycopg.errors.InsufficientPrivilege as error:
        reason = error.diag.message_detail or error.diag.message_primary
        raise Trouble(
            f"The role of DATABASE_URL may not do what a first start needs ({reason}): "
            "give it SUPERUSER, or let an administrator run 'python -m ops bootstrap' once."
        ) from error


def _let_go_of_wal(connection: Connection) -> None:
    """Who reclaims may also begin a new segment of the server's log and write pages out: a superuser's to give."""
    row = connection.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user").fetchone()
    if row and row[0]:
        connection.execute("GRANT EXECUTE ON FUNCTION pg_catalog.pg_switch_wal() TO muniment_reclaim")
        connection.execute("GRANT pg_checkpoint TO muniment_reclaim")


def database_exists(admin_url: str, name: str) -> bool:
    """Whether the server has a database of that name."""
    with connect(admin_url) as connection:
        return _exists(connection, name)


def create_database(admin_url: str, name: str, template: str | None = None) -> None:
    """Make a database of the owner role, empty or a copy of ``template`` (nobody may be connected to that)."""
    with _administering(admin_url) as connection:
        _make(connection, name, template)
        _close_database(connection, name)


def drop_database(admin_url: str, name: str) -> None:
    """Drop a database, and whoever is connected to it, if it is there."""
    with _administering(admin_url) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def _check_rights(connection: Connection) -> None:
    version = connection.info.server_version // 10000
    if version < 16:
        raise Trouble(f"DATABASE_URL is PostgreSQL {version}: Muniment needs version 16 or newer.")
    row = connection.execute(
        "SELECT rolname, rolsuper, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = current_user"
    ).fetchone()
    assert row is not None
    if not row[1] and not (row[2] and row[3]):
        raise Trouble(
            f"The role {row[0]} of DATABASE_URL may not create roles and databases: "
            "use a superuser, or grant it CREATEROLE and CREATEDB."
        )


def _roles(connection: Connection, passwords: Mapping[str, str]) -> None:
    known = {row[0]: row for row in connection.execute("SELECT rolname, rolbypassrls FROM pg_roles")}
    row = connection.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user").fetchone()
    superuser = bool(row and row[0])
    for role, attributes in ATTRIBUTES.items():
        name = sql.Identifier(role)
        if role not in known:
            connection.execute(sql.SQL("CREATE ROLE {} " + _grantable(attributes, superuser)).format(name))
        elif superuser:
            connection.execute(sql.SQL("ALTER ROLE {} " + attributes).format(name))
        if role in passwords:
            word = sql.Literal(passwords[role])
            connection.execute(sql.SQL("ALTER ROLE {} PASSWORD {}").format(name, word))
        for setting, value in ROLE_SETTINGS.get(role, {}).items():
            connection.execute(
                sql.SQL("ALTER ROLE {} SET {} = {}").format(name, sql.Identifier(setting), sql.Literal(value))
            )
        if not superuser:  # to give it a database, the administrator must be able to become it
            connection.execute(sql.SQL("GRANT {} TO CURRENT_USER WITH INHERIT TRUE, SET TRUE").format(name))
    # Migrations step into the gate's owner by SET ROLE; its rights never come by themselves.
    connection.execute(
        sql.SQL("GRANT {} TO {} WITH INHERIT FALSE, SET TRUE").format(sql.Identifier(GATE_OWNER), sql.Identifier(OWNER))
    )


def _grantable(attributes: str, superuser: bool) -> Any:
    """An administrator who is no superuser may not even name SUPERUSER; a new role lacks it anyway."""
    return attributes if superuser else attributes.replace("NOSUPERUSER ", "").replace("NOBYPASSRLS", "")


def _exists(connection: Connection, database: str) -> bool:
    return connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database]).fetchone() is not None


def _make(connection: Connection, database: str, template: str | None) -> None:
    parts: list[sql.Composable] = [
        sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(database), sql.Identifier(OWNER))
    ]
    parts.append(sql.SQL("TEMPLATE {}").format(sql.Identifier(template or "template0")))
    if template is None:
        parts.append(sql.SQL("ENCODING 'UTF8'"))  # receipts' canonical bytes assume it
        if connection.info.server_version >= 170000:
            parts.append(sql.SQL("LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'"))
    connection.execute(sql.SQL(" ").join(parts))


def _close_database(connection: Connection, database: str) -> None:
    """Nobody connects but the logins. A copy does not inherit its template's rights: say it again."""
    name = sql.Identifier(database)
    connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(name))
    who = sql.SQL(", ").join(sql.Identifier(role) for role in LOGINS)
    connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(name, who))


def _extensions(admin_url: str, database: str) -> None:
    with connect(with_database(admin_url, database)) as connection:
        here = {row[0] for row in connection.execute("SELECT extname FROM pg_extension")}
        for extension in EXTENSIONS:
            if extension in here:
                continue
            try:
                connection.execute(sql.SQL("CREATE EXTENSION IF NOT EXISTS {}").format(sql.Identifier(extension)))
            except psycopg.errors.InsufficientPrivilege as error:
                raise Trouble(
                    f"The role of DATABASE_URL may not create the extension '{extension}': use a superuser, or let "
                    f"one run CREATE EXTENSION {extension} in the database {database}; then start again."
                ) from error
            except (psycopg.errors.FeatureNotSupported, psycopg.errors.UndefinedFile) as error:
                raise Trouble(
                    f"The PostgreSQL server has no extension '{extension}': install it there "
                    "(pgvector and the contrib package), then start again."
                ) from error
