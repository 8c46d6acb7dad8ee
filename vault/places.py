"""Where this instance keeps files on this machine, and what it keeps elsewhere: for whoever looks through all."""

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings


@dataclass(frozen=True, slots=True)
class Places:
    """Folders of this machine; and what is on others, each with why, which nobody here can look into."""

    roots: tuple[Path, ...]
    elsewhere: tuple[tuple[str, str], ...]


def places() -> Places:
    """The state folder, uploads and logs; with the embedded servers their data and logs as well."""
    state = Path(settings.STATE_DIR)
    host = str(settings.DATABASES["default"]["HOST"])
    embedded = Path(host) == state.parent / "sock"
    roots = [state.parent if embedded else state]
    if embedded:
        roots.append(Path(settings.BASE_DIR) / ".run" / "log")
    if settings.MEDIA_ROOT:
        roots.append(Path(settings.MEDIA_ROOT))
    if hasattr(settings, "EMAIL_FILE_PATH"):
        roots.append(Path(settings.EMAIL_FILE_PATH))
    why = "its files are not this instance's: run `muniment residue` where they are"
    elsewhere = () if embedded else (("the database server", why), ("the broker", why))
    return Places(_outermost(roots), elsewhere)


def _outermost(roots: list[Path]) -> tuple[Path, ...]:
    """Those that are there, and within no other."""
    found = list(dict.fromkeys(root.resolve() for root in roots if root.exists()))
    return tuple(root for root in found if not any(other in root.parents for other in found))
