"""One search: what is being looked for, what was found so far, and how much may still be unpacked."""

import io
import time
from collections.abc import Iterable
from typing import Any

from .limits import DAMAGED, Limits, Unreadable
from .matcher import Hit, Matcher
from .report import Finding, Report, Unopened, Verdict
from .streams import Readable, Stream

_SPENT = "it unpacks to more than the limit allows; the rest was not looked into"


class Search:
    """What the readers of formats share."""

    def __init__(self, matcher: Matcher, report: Report, limits: Limits) -> None:
        self.matcher, self.report, self.limits = matcher, report, limits
        self.held_nothing: set[bytes] = set()  # digests of what was unpacked in vain: databases hold much of it twice
        self._told = self._unpacked = self._members = 0
        self._ends = None if limits.seconds is None else time.monotonic() + limits.seconds

    def beyond(self, size: int) -> str:
        """Why no file of so many bytes is begun any more; "" where it is."""
        if self._ends is not None and time.monotonic() >= self._ends:
            return "the time for this search was over"
        if self.limits.read is not None and self.report.bytes_read + size > self.limits.read:
            return "it is more than may be read in this search"
        return ""

    def begin_file(self) -> None:
        """The limits of one file of the disk begin anew."""
        self._told = self._unpacked = self._members = 0

    # ------------------------------------------------------------ what is told
    def found(self, hit: Hit, path: str, verdict: Verdict, place: str, offset: int | None = None) -> None:
        """A copy, at the offset of the hit or another."""
        key = (path, verdict, hit.form, hit.value)
        self.report.found[key] += 1
        if self.report.found[key] == 1 or self._told < self.limits.findings:
            self._told += 1
            at = hit.offset if offset is None else offset
            print_ = self.report.fingerprints[hit.value]
            self.report.findings.append(Finding(hit.value, print_, verdict, hit.form, path, place, at))

    def unopened(self, path: str, why: str) -> None:
        """Something that was not looked into, or not whole."""
        each = Unopened(path, why)
        if each not in self.report.unopened[-50:]:
            self.report.unopened.append(each)

    def kind(self, name: str) -> None:
        """What a file or member was read as."""
        self.report.coverage.kinds[name] += 1

    def shown(self, name: str) -> str:
        """A name as it may be printed: where it holds a value, that it does; in ASCII without controls."""
        if self._veiled(name) != name:
            name = self._veiled("/".join(map(self._veiled, name.split("/"))))
        return printable(name)

    def _veiled(self, text: str) -> str:
        hits = self.matcher.inside(text.encode("utf-8", "surrogateescape"))
        return f"[a name that holds value {hits[0].value + 1}]" if hits else text

    def name(self, name: str, path: str) -> None:
        """A name is looked at as any other text."""
        for hit in self.matcher.inside(name.encode("utf-8", "surrogateescape")):
            self.found(hit, path, "PLAIN", "in the name")

    # ------------------------------------------------------------ what is read
    def plain(self, stream: Readable, path: str, place: str = "as it is", verdict: Verdict = "PLAIN") -> None:
        """A stream whose bytes are what they are."""
        for hit in self.matcher.search(stream):
            self.found(hit, path, verdict, place)

    def bytes(self, data: bytes, path: str, place: str, verdict: Verdict, offset: int) -> None:
        """Bytes put together from a file's, which begin at an offset in it."""
        for hit in self.matcher.inside(data):
            self.found(hit, path, verdict, place, offset)

    def spend(self, count: int) -> None:
        """That so much was unpacked. Raises Unreadable where it is too much."""
        self._unpacked += count
        self.report.coverage.bytes_unpacked += count
        if self._unpacked > self.limits.unpacked:
            raise Unreadable(_SPENT)

    def member(self) -> None:
        """That a member or stream is opened. Raises Unreadable where there are too many."""
        self._members += 1
        self.report.coverage.members += 1
        if self._members > self.limits.members:
            raise Unreadable("it has more members than the limit allows; the rest was not looked into")

    def held(self, stream: Stream) -> Stream:
        """The stream as one that can be read at any place. Raises Unreadable where it is too large for memory."""
        if stream.seekable():
            return stream
        data = stream.read(self.limits.memory + 1)
        if len(data) > self.limits.memory:
            raise Unreadable("it is too large to be unpacked in memory, which its format needs")
        return io.BytesIO(data)


class Unpacked(io.RawIOBase):
    """Bytes that are made on the way, as a stream; each is counted.

    Where they cannot be made it ends, so that what came before is looked into, and says why in the report.
    """

    def __init__(self, search: Search, pieces: Iterable[bytes], path: str) -> None:
        self._search, self._pieces, self._path, self._rest = search, iter(pieces), path, b""
        self.broken = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self._rest:
            try:
                piece = b"" if self.broken else next(self._pieces, b"")
                self._search.spend(len(piece))
            except Exception as trouble:  # of a dozen libraries, on bytes from anywhere
                self.broken = True
                why = str(trouble) if isinstance(trouble, Unreadable) else DAMAGED
                self._search.unopened(self._path, why)
                return 0
            if not piece:
                return 0
            self._rest = piece
        count = min(len(buffer), len(self._rest))
        buffer[:count], self._rest = self._rest[:count], self._rest[count:]
        return count


def printable(text: str) -> str:
    """One line of ASCII, whatever a name is made of."""
    if text.isascii() and text.isprintable():
        return text
    escaped = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    plain = escaped.encode("ascii", "backslashreplace").decode()
    return "".join(letter if " " <= letter <= "~" else f"\\x{ord(letter):02x}" for letter in plain)
