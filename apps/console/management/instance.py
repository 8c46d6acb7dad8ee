"""What the doctor asks the database: reachable, with the right roles and rights, extensions, schema and logs."""

import hmac
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import psycopg
from django.conf import settings
from django.db import DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor

from apps.ledger.tickets import pads
from vault.env import env_url

EXTENSIONS = ("vector", "pg_trgm", "unaccent")
GATE_SETTINGS = {"synchronous_commit": "on", "plan_cache_mode": "force_generic_plan"}
# So that no statement, with the values in it, is ever written to the server's log.
QUIET_LOGS = {
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}
URLS = {
    "default": "MUNIMENT_DB_APP_URL",
    "gate": "MUNIMENT_DB_GATE_URL",
    "owner": "MUNIMENT_DB_OWNER_URL",
    "reclaim": "MUNIMENT_DB_RECLAIM_URL",
}
MOST_SKEW = 5.0
NO_OWNER = "not asked: this process has no owner's URL"


class Finding(NamedTuple):
    """One answer: level `ok`, `warn` or `FAIL`; what it is about; what was found; what to change."""

    level: str
    name: str
    says: str
    fix: str = ""


def rows(alias: str, query: str, *values: str) -> list[tuple[object, ...]]:
    """The rows of a query on an alias."""
    with connections[alias].cursor() as cursor:
        cursor.execute(query, values)
        return list(cursor.fetchall())


def roles() -> Iterator[Finding]:
    """Whether each alias signs in, and as a role that row security binds."""
    for alias, url in URLS.items():
        if alias not in settings.DATABASES:
            continue
        try:
            name, superuser, bypass = rows(
                alias, "SELECT rolname, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user"
            )[0]
        except DatabaseError as error:
            said = (str(error).strip().splitlines() or ["no answer"])[-1]
            yield Finding("FAIL", f"database ({alias})", said, f"{url}, or start it with: make run")
            continue
        if superuser or bypass:
            yield Finding("FAIL", f"database ({alias})", f"{name} is not bound by row security", url)
        else:
            yield Finding("ok", f"database ({alias})", f"signed in as {name}")
    yield from _reach_of_web_role()
    yield from _gate_settings()


def _reach_of_web_role() -> Iterator[Finding]:
    """The web role must have no way to a value but the gate."""
    sealed = rows("default", "SELECT has_schema_privilege(oid, 'USAGE') FROM pg_namespace WHERE nspname = 'sealed'")
    if not sealed:
        yield Finding("FAIL", "web role", "there is no schema for sealed values yet", "run the migrations")
    elif sealed[0][0]:
        yield Finding("FAIL", "web role", "it can reach the sealed values", "REVOKE USAGE ON SCHEMA sealed from it")
    else:
        yield Finding("ok", "web role", "cannot reach the sealed values")


def _gate_settings() -> Iterator[Finding]:
    for name, wanted in GATE_SETTINGS.items():
        value = rows("gate", "SELECT current_setting(%s)", name)[0][0]
        if value != wanted:
            fix = "run: python -m ops bootstrap (on Citus leave plan_cache_mode alone)"
            yield Finding("warn", "gate role", f"{name} is {value}, not {wanted}", fix)


def server() -> Iterator[Finding]:
    """The server's version and its clock: tickets are signed by our clock and checked by its."""
    version, encoding, skew = rows(
        "default",
        "SELECT current_setting('server_version_num')::int / 10000, current_setting('server_encoding'),"
        " extract(epoch FROM clock_timestamp())::float8",
    )[0]
    if not isinstance(version, int) or version < 16:
        yield Finding("FAIL", "postgres", f"version {version} is too old", "use PostgreSQL 16 or newer")
    elif encoding != "UTF8":
        yield Finding("FAIL", "postgres", f"the database is {encoding}", "make it with ENCODING 'UTF8'")
    else:
        yield Finding("ok", "postgres", f"version {version}, UTF8")
    from time import time  # the surface's clock

    apart = abs(time() - float(str(skew)))
    if apart > MOST_SKEW:
        yield Finding("FAIL", "clock", f"the database's clock is {apart:.0f} s off ours", "synchronise both (NTP)")


def extensions() -> Iterator[Finding]:
    """The extensions the search needs."""
    here = {row[0] for row in rows("default", "SELECT extname FROM pg_extension")}
    missing = [name for name in EXTENSIONS if name not in here]
    if missing:
        fix = "run: python -m ops bootstrap with an administrator's DATABASE_URL"
        yield Finding("FAIL", "extensions", f"missing: {', '.join(missing)}", fix)
    else:
        yield Finding("ok", "extensions", ", ".join(EXTENSIONS))


def migrations() -> Iterator[Finding]:
    """Whether the schema is the code's."""
    if "owner" not in settings.DATABASES:
        yield Finding("warn", "migrations", NO_OWNER, "set MUNIMENT_DB_OWNER_URL to have it asked")
        return
    executor = MigrationExecutor(connections["owner"])
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        fix = "run: manage.py migrate --database owner"
        yield Finding("FAIL", "migrations", f"{len(missing)} not applied", fix)
    else:
        yield Finding("ok", "migrations", "all applied")


def gate_functions() -> Iterator[Finding]:
    """Whether the gate in the database is the one in the code: a body differs where a migration was forgotten."""
    query = "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'gate'::regnamespace"
    installed = set(rows("default", query))
    files = sorted(settings.BASE_DIR.glob("apps/*/sql/*.sql"), key=_edition)
    written = dict(found for path in files for found in _functions(path))  # of a function's editions the last one holds
    other = sorted(name for name, body in written.items() if (name, body) not in installed)
    if other:
        fix = "the code is newer or older than the database: run its migrations, or restore the version that made it"
        yield Finding("FAIL", "gate", f"{len(other)} functions are not this version's: {', '.join(other)}", fix)
    else:
        yield Finding("ok", "gate", f"{len(written)} functions, as in the code")


def _edition(path: Path) -> int:
    """The number at the end of an SQL file's name, `stamp_2.sql`: what has landed is not edited but written anew."""
    found = re.search(r"_(\d+)$", path.stem)
    return int(found[1]) if found else 1


def _functions(path: Path) -> list[tuple[str, str]]:
    """The gate's functions in an SQL file that have a body between `$$`: name and body."""
    text = path.read_text(encoding="utf-8")
    return re.findall(r"FUNCTION gate\.(\w+)\((?:(?!CREATE).)*?AS \$\$(.*?)\$\$", text, re.DOTALL)


def ticket_key() -> Iterator[Finding]:
    """Whether the database knows our tickets from forged ones, by the key that we sign with."""
    if "owner" not in settings.DATABASES:
        yield Finding("warn", "ticket key", NO_OWNER, "set MUNIMENT_DB_OWNER_URL to have it asked")
        return
    fix = "run: manage.py install_ticket_key"
    found = rows("owner", "SELECT ipad, opad, async FROM sealed.ticket_key WHERE id = 1")
    if not found:
        yield Finding("FAIL", "ticket key", "is not installed in the database", fix)
        return
    ours = b"".join(pads(bytes.fromhex(settings.MUNIMENT_TICKET_KEY)))
    theirs = b"".join(bytes(part) for part in found[0][:2] if isinstance(part, bytes | memoryview))
    if not hmac.compare_digest(ours, theirs):
        yield Finding("FAIL", "ticket key", "the database has another than MUNIMENT_TICKET_KEY", fix)
    elif found[0][2] != settings.ASYNC_STAMP:
        yield Finding("FAIL", "ticket key", "the database has another MUNIMENT_ASYNC_STAMP", fix)
    else:
        yield Finding("ok", "ticket key", "is installed and is ours")


def logs() -> Iterator[Finding]:
    """Whether the server's log can hold a value."""
    loud = []
    for name, wanted in QUIET_LOGS.items():
        value = rows("default", "SELECT current_setting(%s)", name)[0][0]
        if value != wanted:
            loud.append(f"{name} = {wanted}")
    if loud:
        yield Finding("FAIL", "server log", "it can hold values", "postgresql.conf: " + ", ".join(loud))
    else:
        yield Finding("ok", "server log", "holds no statement and no parameter")
    explains = rows("default", "SELECT current_setting('auto_explain.log_min_duration', true)")[0][0]
    if explains not in (None, "", "-1"):
        yield Finding("FAIL", "server log", "auto_explain writes values", "set auto_explain.log_min_duration = -1")
    yield from _log_folder()


def _log_folder() -> Iterator[Finding]:
    """A base backup copies what lies in the data folder: the log must not. Only an administrator may ask."""
    admin_url = env_url("DATABASE_URL", "", schemes=("postgresql", "postgres"), host=False).geturl()
    if not admin_url:
        return
    with psycopg.connect(admin_url, connect_timeout=5) as connection:
        query = "SELECT current_setting('logging_collector'), current_setting('log_directory')"
        try:
            collects, folder = connection.execute(query).fetchone() or ("off", "")
        except psycopg.errors.InsufficientPrivilege:
            yield Finding("warn", "server log", "its place cannot be asked", "keep it outside the data folder")
            return
    if collects == "on" and not str(folder).startswith("/"):
        yield Finding("FAIL", "server log", "it lies in the data folder", "postgresql.conf: log_directory = /…")
