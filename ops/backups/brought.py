"""What a file of keys brings beside rows: what is to be erased again, and the files of keys, put back on demand."""

from __future__ import annotations

from dataclasses import dataclass, field

from ops.backups import contents
from ops.backups.files import put_private
from ops.backups.place import Place
from ops.backups.tombstones import Tombstone


@dataclass(slots=True)
class Loaded:
    """What the file of keys brought beside its rows."""

    gone: set[Tombstone]
    files: dict[str, bytes] = field(default_factory=dict)

    def install_root_keys(self, place: Place) -> list[str]:
        """Put the backup's root keys where the settings say, and those that are there aside. What was done."""
        said, path = [], place.root_keys
        if path.exists():
            aside = path.with_name(f"{path.name}.replaced")
            put_private(aside, path.read_bytes())
            said.append(f"{aside} is what {path} was: it opens nothing that is here now. Remove it.")
        put_private(path, self.files[contents.ROOT_KEYS])
        return [*said, f"{path} is put back from the backup."]

    def install_log_keys(self, place: Place) -> list[str]:
        """Put the log's keys where the settings say, and leave one that is there. What was done, in sentences."""
        if place.log_keys is None or contents.LOG_KEYS not in self.files:
            return ["The log's keys were not put back: MUNIMENT_LOG_KEY_FILE is not set, or the backup has none."]
        names = {contents.LOG_KEYS: place.log_keys.name, contents.LOG_SIGNED: f"{place.log_keys.name}.signed"}
        said = []
        for member, name in names.items():
            path = place.log_keys.with_name(name)
            if member in self.files and not path.exists():
                put_private(path, self.files[member])
                said.append(f"{path} is put back.")
        return said or [f"{place.log_keys} was there already and is left as it is."]
