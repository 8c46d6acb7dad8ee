"""How long an erasure takes in backups, at most."""

from django.conf import settings


def horizon_days() -> int:
    """In so many days no backup opens what is erased now: until the next epoch of the keys, and for as long after that
    as a backup of the keys is kept.
    """
    return int(settings.KEY_EPOCH_DAYS + settings.BACKUP_KEYS_DAYS)
