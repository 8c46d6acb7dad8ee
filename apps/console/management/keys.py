"""What the doctor asks of keys that are to be changed, of bytes that are to be gone, and of backups."""

from collections.abc import Iterator
from datetime import timedelta

from apps.console.management.instance import Finding
from apps.erasure import services as erasure
from apps.memories import services as memories
from vault.clock import utc_now


def epochs() -> Iterator[Finding]:
    """Whether what was erased is out of reach of older copies as soon as certificates say."""
    now = utc_now()
    found = memories.standing(now)
    if late := found.late(now):
        fix = found.fixed or "run: manage.py rotate_keys; and see whether the worker and the beat run"
        yield Finding("warn", "key epochs", late, fix)
        return
    says = f"root key of epoch {found.root.epoch}, since {found.root.made_at:%Y-%m-%d}"
    yield Finding("ok", "key epochs", f"{says}; vaults that wait for another key: {found.waiting.vaults or 'none'}")
    if found.fixed:
        fix = "docs/self-hosting.md, Keys are changed, says what to do each time"
        yield Finding("warn", "key epochs", found.fixed, fix)


def reclaiming() -> Iterator[Finding]:
    """Whether the bytes of deleted rows leave the tables' files."""
    if erasure.who_may() is None:
        says = "no role here may write tables anew: bytes of what was erased stay in their files"
        yield Finding("warn", "reclaim", says, "MUNIMENT_DB_RECLAIM_URL (PostgreSQL 17), or manage.py reclaim as owner")
        return
    now, at = utc_now(), erasure.reclaimed_at()
    last = at or memories.standing(now).root.made_at
    if now - last > erasure.NIGHT:
        says = f"tables were last written anew on {last:%Y-%m-%d}"
        yield Finding("warn", "reclaim", says, "run: manage.py reclaim; and see whether the worker and the beat run")
    else:
        yield Finding("ok", "reclaim", f"tables were written anew on {at:%Y-%m-%d}" if at else "due tonight")


def backups() -> Iterator[Finding]:
    """When a backup was made last, and since when a restore would not know what was erased."""
    now, (made, listed) = utc_now(), erasure.backed_up_at()
    if made is None:
        yield Finding("warn", "backup", "none was made of this database yet", "manage.py backup; docs/backup.md")
        return
    says = f"made last {_ago(now - made)}; what is erased was listed last {_ago(now - (listed or made))}"
    if now - made > erasure.NIGHT:
        yield Finding("warn", "backup", says, "manage.py backup, each night; docs/backup.md")
    else:
        yield Finding("ok", "backup", says)


def _ago(time: timedelta) -> str:
    hours = int(time / timedelta(hours=1))
    return f"{hours // 24} days ago" if hours >= 48 else f"{hours} h ago"
