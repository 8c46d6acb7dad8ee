"""Finds all needles in one pass over bytes: by Hyperscan where it is installed, else by Python, alike but slower."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .forms import Anchor, Needle, needles
from .streams import Readable

hyperscan: Any
try:
    import hyperscan  # the one library, and not needed: see the extra `fast`
except ImportError:
    hyperscan = None

PIECE = 1 << 20  # what is read at once
MAIL = b"content-transfer-encoding:"  # in small letters
Candidate = Callable[[int, int], None]  # the number of an anchor, and where it ends
Engine = Callable[[memoryview, Candidate], None]


@dataclass(frozen=True, slots=True)
class Hit:
    """A value by its index, in a stream, from an offset on."""

    value: int
    form: str
    offset: int
    end: int


class Matcher:
    """The needles of all values, and the anchors to find them by.

    `short` holds the indexes of values that are too short to be looked for.
    """

    def __init__(self, values: Sequence[bytes | str], *, library: bool = True) -> None:
        self.short: list[int] = []
        self._targets: list[list[tuple[Needle, Anchor]]] = []
        numbers: dict[tuple[bytes, bool], int] = {}
        reach = 1
        for index, value in enumerate(values):
            try:
                found = needles(index, value)
            except ValueError:
                self.short.append(index)
                continue
            for needle in found:
                reach = max(reach, needle.reach)
                for anchor in needle.anchors:
                    number = numbers.setdefault((anchor.literal, anchor.caseless), len(self._targets))
                    if number == len(self._targets):
                        self._targets.append([])
                    self._targets[number].append((needle, anchor))
        self.mail = False  # whether what was searched since this was unset has a part of a mail in it
        if numbers:
            numbers[MAIL, True] = len(self._targets)
            self._targets.append([])
        self.reach = reach
        self._anchors = list(numbers)
        self._engine, self.engine = _engine(self._anchors, library=library)

    def search(self, stream: Readable) -> Iterator[Hit]:
        """Every place in a stream, in order of the buffers it is read in. Raises what reading raises."""
        carry = 2 * self.reach
        buffer = bytearray(carry + PIECE)
        view = memoryview(buffer)
        base = held = done = 0  # of the buffer: the stream's offset, the bytes in it, up to where all was answered
        seen: set[tuple[int, str, int]] = set()
        while True:
            count = _fill(stream, view[held:])
            held += count
            last = held < len(buffer)
            limit = held if last else held - self.reach
            for hit in self._look(buffer, view, held, done, limit):
                whole = Hit(hit.value, hit.form, base + hit.offset, base + hit.end)
                key = (whole.value, whole.form, whole.offset)
                if key not in seen:
                    seen.add(key)
                    yield whole
            if last:
                return
            seen = {key for key in seen if key[2] >= base + held - carry}
            view[:carry] = bytes(view[held - carry : held])
            base, done, held = base + held - carry, limit - (held - carry), carry

    def inside(self, data: bytes) -> list[Hit]:
        """Every place in bytes."""
        buffer = bytearray(data)
        with memoryview(buffer) as view:
            return list(self._look(buffer, view, len(buffer), 0, len(buffer)))

    def _look(self, buffer: bytearray, view: memoryview, held: int, done: int, limit: int) -> Iterator[Hit]:
        """The hits whose anchor begins at `done` or later, and before `limit`."""
        found: list[tuple[int, int]] = []
        self._engine(view[:held], lambda number, end: found.append((number, end)))
        for number, end in found:
            at = end - len(self._anchors[number][0])
            if not done <= at < limit:
                continue
            self.mail |= not self._targets[number]
            for needle, anchor in self._targets[number]:
                match = needle.match(buffer, at, held, anchor)
                if match is not None:
                    yield Hit(needle.value, match.form, match.start, match.end)


def _fill(stream: Readable, view: memoryview) -> int:
    """Read until the buffer is full or the stream ends."""
    count = 0
    while count < len(view):
        more = stream.readinto(view[count:])
        if not more:
            break
        count += more
    return count


# ---------------------------------------------------------------- engines
def _engine(anchors: Sequence[tuple[bytes, bool]], *, library: bool) -> tuple[Engine, str]:
    """What looks for the anchors, and its name."""
    if library and hyperscan is not None:
        try:
            return _by_library(anchors), "hyperscan"
        except hyperscan.HyperscanError:  # a processor that it is not made for
            pass
    return _by_python(anchors), "python"


def _by_library(anchors: Sequence[tuple[bytes, bool]]) -> Engine:
    if not anchors:
        return lambda view, candidate: None
    database: Any = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    database.compile(
        expressions=[b"".join(b"\\x%02x" % byte for byte in literal) for literal, _ in anchors],
        ids=list(range(len(anchors))),
        elements=len(anchors),
        flags=[hyperscan.HS_FLAG_CASELESS if caseless else 0 for _, caseless in anchors],
    )

    def scan(view: memoryview, candidate: Candidate) -> None:
        def on_match(number: int, start: int, end: int, flags: int, context: object) -> None:
            candidate(number, end)

        if view:
            database.scan(view, match_event_handler=on_match)

    return scan


def _by_python(anchors: Sequence[tuple[bytes, bool]]) -> Engine:
    def scan(view: memoryview, candidate: Candidate) -> None:
        exact = bytes(view)
        folded = exact.lower()
        for number, (literal, caseless) in enumerate(anchors):
            data = folded if caseless else exact
            at = data.find(literal)
            while at >= 0:
                candidate(number, at + len(literal))
                at = data.find(literal, at + 1)

    return scan
