"""What the commands that guard the log have in common."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

NO_ROLE = "MUNIMENT_DB_LOG_URL is not set: give the URL of the role muniment_log."
WAY_OUT = (
    "On hold: nothing is stamped and no value leaves until one of two things is done.\n"
    "- Where there is a later database: stop Muniment, put it in place, start again. That is the better way.\n"
    "- Where this one is all there is: manage.py restored --origin ANOTHER-NAME. The log then ends in public and goes "
    "on under that name; what came after this database's day stays lost, and its receipts stay good.\n"
    "docs/transparency-log.md says more."
)


def of_the_log() -> dict[str, Any]:
    """The log's settings as its services take them."""
    if "log" not in settings.DATABASES:
        raise CommandError(NO_ROLE)
    return {
        "key_file": Path(settings.LOG_KEY_FILE),
        "signer": settings.LOG_SIGNER,
        "policy_file": settings.LOG_POLICY,
    }
