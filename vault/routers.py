"""Which alias does what."""

from typing import Any


class OwnerMigrates:
    """Only the alias `owner` migrates: the web role owns no table and may change none."""

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == "owner"
