"""The folder that letters are written into where no mail server is named: each is a file there, but for those of
one second, which may share one."""

from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings

KEPT = timedelta(days=30)  # docs/erasure.md says it


def empty(now: datetime) -> int:
    """Take away what was written there longer ago than `KEPT`. Returns how many files. 0 where there is no folder."""
    before, gone = (now - KEPT).timestamp(), 0
    for path in Path(settings.EMAIL_FILE_PATH).glob("*.log") if settings.EMAIL_FILE_PATH else ():
        if path.stat().st_mtime < before:
            path.unlink(missing_ok=True)
            gone += 1
    return gone
