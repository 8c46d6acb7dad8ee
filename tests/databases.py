"""A real PostgreSQL for every test process: one migrated template, one copy a worker, nothing ever flushed.

Tests that cross aliases commit for real; each opens a new vault, so that nothing needs cleaning.
"""

import hashlib
import os
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connections

from ops.bootstrap import bootstrap, create_database, drop_database

ROOT = Path(__file__).resolve().parent.parent


def admin_url(database: str | None = None) -> str:
    """The administrator's URL of the test servers, for `database`."""
    url = os.environ["DATABASE_URL"]
    return url if database is None else urlsplit(url)._replace(path=f"/{database}").geturl()


def source_digest() -> str:
    """Changes when a migration or an SQL file does: names the template to build or to reuse."""
    found = hashlib.sha256()
    for path in sorted(
        [*ROOT.glob("apps/*/migrations/*.py"), *ROOT.glob("apps/*/sql/**/*"), *ROOT.glob("apps/*/models.py")]
    ):
        if path.is_file():
            found.update(path.read_bytes())
    found.update(settings.MUNIMENT_TICKET_KEY.encode())
    return found.hexdigest()[:12]


def point_at(name: str) -> None:
    """Make every alias use the database `name`."""
    for alias in connections:
        connections[alias].close()
        connections[alias].settings_dict["NAME"] = name
        settings.DATABASES[alias]["NAME"] = name


@cache
def template() -> str:
    """The name of a migrated template database, made if it is not there. Looked for once a process."""
    name = f"muniment_template_{source_digest()}"
    with psycopg.connect(admin_url("postgres"), autocommit=True) as admin:
        admin.execute("SELECT pg_advisory_lock(7210)")
        if admin.execute("SELECT 1 FROM pg_database WHERE datname = %s AND datistemplate", [name]).fetchone():
            return name
        drop_database(admin_url("postgres"), name)
        bootstrap(admin_url("postgres"), name, {})
        point_at(name)
        call_command("migrate", database="owner", verbosity=0)
        call_command("install_ticket_key", verbosity=0)
        for alias in connections:
            connections[alias].close()
        admin.execute(f'ALTER DATABASE "{name}" WITH IS_TEMPLATE true')
    return name


def fresh(name: str) -> None:
    """A new copy of the template named `name`, and every alias pointed at it."""
    source = template()
    drop_database(admin_url("postgres"), name)
    with psycopg.connect(admin_url("postgres"), autocommit=True) as admin:
        admin.execute("SELECT pg_advisory_lock(7210)")  # nobody may be connected to the template while it is copied
        create_database(admin_url("postgres"), name, source)
    point_at(name)


def drop(name: str) -> None:
    """Take a copy away again."""
    for alias in connections:
        connections[alias].close()
    drop_database(admin_url("postgres"), name)


def connect(role: str, **options: Any) -> psycopg.Connection[Any]:
    """A plain connection to this test process's database as `postgres`, `app`, `gate` or `owner`."""
    name = str(settings.DATABASES["default"]["NAME"])
    if role == "postgres":
        return psycopg.connect(admin_url(name), **options)
    url = os.environ[f"MUNIMENT_DB_{role.upper()}_URL"]
    return psycopg.connect(urlsplit(url)._replace(path=f"/{name}").geturl(), **options)
