"""What the commands that guard the log have in common."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

NO_ROLE = "MUNIMENT_DB_LOG_URL is not set: give the URL of the role muniment_log."
_HELD = "On hold: nothing is stamped and no value leaves until "
_MORE = "docs/transparency-log.md says more."
_RESTORED = "manage.py restored --origin ANOTHER-NAME. The log then ends in public and goes on under that name; "
WAY_OUT = (
    f"{_HELD}one of two things is done.\n"
    "- Where there is a later database: stop Muniment, put it in place, start again. That is the better way.\n"
    f"- Where this one is all there is: {_RESTORED}what came after this database's day stays lost, and its "
    f"receipts stay good.\n{_MORE}"
)
# Of a proven fork: another database does not help, and a copy that goes on would fork the new name as well.
WAY_OUT_OF_A_FORK = (
    f"{_HELD}two things are done.\n"
    "- Find the copy that signed with this log's keys and stop it. It must never start with them again.\n"
    f"- Then: {_RESTORED}nothing that is here is lost.\n{_MORE}"
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
