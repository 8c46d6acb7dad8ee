"""A job of the operator's that runs by itself and fails is told of by mail: once when that begins, once a day while it
does, and once when it works again.

What was told stands in a file of the state folder and not in the database, which may be what fails. Where it cannot be
kept, each failure is told of.
"""

from contextlib import suppress
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path

from django.conf import settings

from apps.mail import services as mail
from ops.backups.files import put_private

A_DAY = timedelta(days=1) - timedelta(minutes=30)  # what runs at the same time each day is some minutes early at times


class Job(Enum):
    """What runs by itself."""

    BACKUP = "backup"
    LIST = "list of what is erased"


def failed(job: Job, why: str, now: datetime) -> None:
    """Tell who runs the instance, where that is due, in the sentence that the job ended with. Raises mail.Unsent; then
    it is told of the next time.
    """
    since, told = _told(job) or (now, None)
    if told is not None and timedelta(0) <= now - told < A_DAY:
        return
    if _tell("backup-failed", job, now, why=why, since=_when(since) if told else ""):
        with suppress(OSError):
            put_private(_file(job), f"{since.isoformat()} {now.isoformat()}\n".encode())


def works(job: Job, now: datetime) -> None:
    """Tell who runs the instance where it was told that this job fails. Raises mail.Unsent; then it is told the next
    time.
    """
    if known := _told(job):
        _tell("backup-works", job, now, since=_when(known[0]))
        with suppress(OSError):
            _file(job).unlink(missing_ok=True)


def _tell(template: str, job: Job, now: datetime, **around: str) -> bool:
    return mail.tell_operator(template, {"at": _when(now), "listing": job is Job.LIST, **around})


def _when(at: datetime) -> str:
    return f"{at:%a %-d %b %Y, %H:%M} (UTC)"


def _file(job: Job) -> Path:
    return Path(settings.STATE_DIR) / f"{job.name.lower()}-fails"


def _told(job: Job) -> tuple[datetime, datetime] | None:
    """Since when it was told that this fails, and when last; None where it was not."""
    try:
        since, at = _file(job).read_text().split()
        return datetime.fromisoformat(since), datetime.fromisoformat(at)
    except (OSError, ValueError):
        return None
