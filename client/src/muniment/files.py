"""Files as they come: `-` is standard input, a big one is read in pieces, and one that cannot be read is a sentence."""

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

STDIN = "-"
PIECE_BYTES = 1 << 20  # of a line that is longer; pieces are put together again by whoever checks it
MOST_SMALL_BYTES = 1 << 20  # a key, a policy, an opening


class Trouble(Exception):
    """What stops a command, as one sentence that says what to do."""


def check_names(names: list[str]) -> None:
    """Standard input is there to be read once. Raises Trouble."""
    if names.count(STDIN) > 1:
        raise Trouble("Standard input can be read once: give - once.")


def lines(name: str) -> Iterator[bytes]:
    """The lines of a file with their newlines, a long one in pieces. The first raises OSError if it cannot be read."""
    with nullcontext(sys.stdin.buffer) if name == STDIN else Path(name).open("rb") as stream:
        while line := stream.readline(PIECE_BYTES):
            yield line


def small(name: str) -> bytes:
    """A whole file of at most 1 MiB. Raises Trouble."""
    try:
        with Path(name).open("rb") as stream:
            data = stream.read(MOST_SMALL_BYTES + 1)
    except OSError as error:
        raise Trouble(unreadable(name, error)) from None
    if len(data) > MOST_SMALL_BYTES:
        raise Trouble(f"{name} is larger than any key, policy or opening: give the right file.")
    return data


def unreadable(name: str, error: OSError) -> str:
    """That a file cannot be read, and why."""
    return f"{name} cannot be read: {error.strerror or error}. Give the path of a file."
