"""How far one search goes, and the words for what it could not look into."""

from dataclasses import dataclass

CUT_OFF = "it is cut off; what came before was looked into"
DAMAGED = "it is damaged; what came before was looked into"


@dataclass(frozen=True, slots=True)
class Limits:
    """What keeps a hostile file from taking the machine: whatever is beyond one of these is told, never skipped."""

    depth: int = 6  # archives in archives
    unpacked: int = 4 << 30  # bytes out of one file of the disk
    memory: int = 256 << 20  # bytes of a member that has to be held to be read
    members: int = 1_000_000  # of one file of the disk
    findings: int = 100  # of one file of the disk that are told one by one; all are counted
    read: int | None = None  # bytes of all files of the disk together
    seconds: float | None = None  # after so long no further file is begun


class Unreadable(Exception):
    """Something cannot be looked into; its words go into the report."""


def no_access(error: OSError) -> str:
    """Why a file cannot be read, in the system's words and without its name."""
    return f"it cannot be read: {error.strerror or type(error).__name__}"
