"""The way back: a backup is loaded into a database beside the one in use, checked whole, and only then takes its place.

Whatever goes wrong before that leaves the one in use as it is. What was erased since the backup is erased again before
anybody is served: nothing of it has a key, and its labels are blanked by the deed that erased it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from ops.backups import carried, loading, steps, tombstones
from ops.backups.age import Identity, Passphrase
from ops.backups.archive import DATA, KEYS, About, Opened, reading
from ops.backups.carried import Carried
from ops.backups.place import Connection, Place, connected, one, roles_are_there
from ops.backups.swapping import swap
from ops.backups.tombstones import Tombstone
from ops.bootstrap import create_database, database_exists, drop_database
from ops.trouble import Trouble, explain

MINORS_BACK = 2
SERVING = ["muniment_app", "muniment_gate", "muniment_log"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to restore, and how: `known` are the migrations of this Muniment, by app."""

    data: Path
    keys: Path
    by: Passphrase | Identity
    product: str
    known: Collection[tuple[str, str]]
    tombstones: tuple[Path, ...] = ()
    check: bool = False
    over: bool = False
    keep_replaced: bool = False
    log_keys: bool = False


@dataclass(slots=True)
class Restored:
    """What came of it. `replaced` is the name that the database it replaced has now; "" where nothing is left of it."""

    about: About
    rows: int = 0
    tombstones: int = 0
    vaults: int = 0
    erased: int = 0
    ended: int = 0
    blanked: int = 0
    stopped: int = 0
    orders: int = 0
    holds: int = 0
    people: int = 0
    ledger: str = ""
    guard: str = ""
    replaced: str = ""
    said: list[str] = field(default_factory=list)


def restore(place: Place, wanted: Wanted, say: Callable[[str], None]) -> Restored:
    """Restore, or with `check` do all of it but take the place. Raises Trouble: then nothing was changed."""
    try:
        with reading(wanted.data, wanted.by) as data, reading(wanted.keys, wanted.by) as keys:
            _fit(wanted, data.about, keys.about)
            return _restore(place, wanted, data, keys, say)
    except OSError as error:
        raise Trouble(f"{explain(error)} Nothing was changed.") from None
    except psycopg.Error as error:
        said = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise Trouble(f"The database did not go along: {said}. Nothing was changed.") from None


def _fit(wanted: Wanted, data: About, keys: About) -> None:
    """Raises Trouble where these two files do not belong together, or not to this Muniment."""
    for path, about, kind in ((wanted.data, data, DATA), (wanted.keys, keys, KEYS)):
        if about.kind != kind:
            raise Trouble(f"{path} is a file of {about.kind}, and here the file of {kind} is asked for.")
        _check_version(path, about, wanted)
    if keys.id != data.id and keys.made_at < data.made_at:
        raise Trouble(
            f"{wanted.keys} is older than {wanted.data}: it would bring keys back that were destroyed by then. Take "
            "the file of keys of the same backup, or a later one."
        )


def _check_version(path: Path, about: About, wanted: Wanted) -> None:
    theirs, ours = _numbers(about.product), _numbers(wanted.product)
    unknown = {(app, name) for app, names in about.migrations.items() for name in names} - set(wanted.known)
    if theirs > ours or unknown:
        raise Trouble(
            f"{path} is newer than this Muniment (it was made by {about.product}, this is {wanted.product}): upgrade "
            "first, then restore it."
        )
    if theirs[0] != ours[0] or theirs[1] < ours[1] - MINORS_BACK:
        raise Trouble(
            f"{path} was made by {about.product}, and {wanted.product} restores at most {MINORS_BACK} minor versions "
            f"back: restore it with a Muniment of {theirs[0]}.{theirs[1] + MINORS_BACK}, back that up, and go on here."
        )


def _numbers(version: str) -> tuple[int, int, int]:
    try:
        major, minor, patch = (int(part) for part in version.split("."))
    except ValueError:
        raise Trouble(f"{version!r} is no version of Muniment.") from None
    return major, minor, patch


def _restore(place: Place, wanted: Wanted, data: Opened, keys: Opened, say: Callable[[str], None]) -> Restored:
    beside = place.named(f"{place.database}_restoring")
    done = Restored(data.about)
    gone, kept = _look(place, wanted, data.about)
    with _fresh(place.server, beside.database):
        say(f"Loading {wanted.data.name} beside {place.database} …")
        manifest = loading.load_data(beside, data)
        done.rows = sum(manifest.tables.values())
        later = keys.about.id != data.about.id
        loaded = loading.load_keys(beside, keys, later=later, gone=gone, here=data.about.migrations)
        done.tombstones = len(loaded.gone)
        say("Bringing it up to date, and erasing again what was erased since …")
        settled = steps.settle(beside, loaded, kept, wanted.keys)
        done.vaults, done.erased, done.ended = settled.vaults, settled.erased, settled.ended
        done.blanked, done.stopped, done.people = settled.blanked, settled.stopped, settled.people
        done.orders, done.holds = settled.orders, settled.holds
        done.ledger = settled.ledger
        loading.check_keys(beside, wanted.keys)
        if wanted.check:
            return done
        done.guard = steps.guard(beside)
        done.replaced = swap(place, beside, keep=wanted.keep_replaced)
    try:
        done.said = [
            *([] if settled.ours else loaded.install_root_keys(place)),
            *(loaded.install_log_keys(place) if wanted.log_keys else []),
        ]
    except OSError as error:
        raise Trouble(
            f"The database is in its place, and a key file could not be written: {explain(error)} Then restore once "
            "more, with --over."
        ) from None
    return done


def _look(place: Place, wanted: Wanted, about: About) -> tuple[set[Tombstone], Carried]:
    """Whether this server can take the backup and nobody is served meanwhile; what is known here to be erased, and
    what else is carried over.
    """
    gone = {each for path in wanted.tombstones for each in tombstones.of_file(path)}
    with connected(place.server) as admin:
        _check_server(admin, about)
    if not database_exists(place.server, place.database):
        return gone, carried.NOTHING
    with connected(place.administrator) as live:
        if not wanted.check:
            _check_idle(live, place)
            _check_over(live, wanted, about)
        return gone | set(tombstones.of_database(live)), carried.of_database(live)


def _check_server(admin: Connection, about: About) -> None:
    version = admin.info.server_version // 10000
    if version < about.postgres:
        raise Trouble(f"The backup is of PostgreSQL {about.postgres}, the server here is {version}: take a newer one.")
    if not one(admin, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"):
        raise Trouble("A restore needs a superuser: row security binds everybody else. Set DATABASE_URL to one's.")
    if not roles_are_there(admin):
        raise Trouble("The server lacks a role that this Muniment has: run 'python -m ops bootstrap' first.")


def _check_idle(live: Connection, place: Place) -> None:
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND usename = ANY (%s)"
    if one(live, query, place.database, SERVING):
        raise Trouble("Muniment is running on the database that would be replaced: stop it first (make stop).")


def _check_over(live: Connection, wanted: Wanted, about: About) -> None:
    if wanted.over or not one(live, "SELECT to_regclass('public.receipt') IS NOT NULL"):
        return
    query = "SELECT count(*), count(*) FILTER (WHERE at > %s::timestamptz) FROM public.receipt"
    row = live.execute(query, [about.made_at]).fetchone()
    if row and row[0]:
        raise Trouble(
            f"The database that would be replaced holds {row[0]} receipts, {row[1]} of them from after this backup, "
            "and those would be lost with what they are about. Say --over if that is what you want; --check changes "
            "nothing."
        )


@contextmanager
def _fresh(admin_url: str, database: str) -> Iterator[None]:
    """An empty database of that name, which is there no more at the end. One that a killed restore left goes first."""
    drop_database(admin_url, database)
    create_database(admin_url, database)
    try:
        yield
    except BaseException:
        with suppress(psycopg.Error, Trouble):  # what went wrong first is what is told
            drop_database(admin_url, database)
        raise
    drop_database(admin_url, database)
