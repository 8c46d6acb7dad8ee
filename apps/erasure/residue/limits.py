"""How far one search goes, and the two ways in which it says that it went no further."""

from dataclasses import dataclass


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
