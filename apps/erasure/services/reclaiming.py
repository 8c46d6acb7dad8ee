"""Reclaiming: the bytes of deleted rows leave the tables' files; and what backups hold of it, and since when."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from apps.erasure import reclaim as tables
from apps.erasure import store
from apps.erasure.places import COUNTED
from apps.erasure.reclaim import Reclaimed

NIGHT = timedelta(days=2)  # a night may be missed
# What is not sealed: words of memories; of a whole vault those of its people and assistants too.
IN_CLEAR = (
    *("memory", "memory_version", "proposal", "entity", "edge", "access_request", "review"),
    *("client", "emergency", "invitation", "letter"),
)


def who_may() -> str | None:
    """The alias whose role may do it: the one made for it, or the tables' owner where it is known. None: neither."""
    return next((alias for alias in ("reclaim", "owner") if tables.may(alias)), None)


def reclaim(now: datetime, *, everything: bool = False) -> Iterator[Reclaimed]:
    """Write anew what changed since the last time, table by table. Nothing where nobody here may: see `who_may`."""
    alias = who_may()
    if alias is None:
        return
    yield from tables.reclaim(alias, now, everything=everything)
    tables.let_go_of_wal(alias)


def reclaimed_at() -> datetime | None:
    """When anything was reclaimed last."""
    return max(tables.at().values(), default=None)


def backed_up_at() -> tuple[datetime | None, datetime | None]:
    """When a backup was made last, and when what is erased was listed last, be it in one."""
    found = store.backed_up()
    return found.get("backup"), max(found.values(), default=None)


def not_overwritten(counts: Mapping[str, int], since: datetime) -> int:
    """Of so many rows that were blanked then, by place as an order counts them: how many whose words stood in clear
    (labels, subjects, sources, reasons) may still lie in the tables' files, because those were not written anew since.
    """
    done = tables.at()
    return sum(
        count
        for name, count in counts.items()
        if (place := COUNTED[name]) in IN_CLEAR and not (f"public.{place}" in done and done[f"public.{place}"] > since)
    )
