"""Files as they come: `-` is standard input, a big one is read in pieces, and one that cannot be read is a sentence."""

import re
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

from .format.keys import VerifierKey
from .format.policy import Policy
from .format.strict import Malformed

STDIN = "-"
PIECE_BYTES = 1 << 20  # of a line that is longer; pieces are put together again by whoever checks it
MOST_SMALL_BYTES = 1 << 20  # a key, a policy, an opening
_VAULT = re.compile("vlt_[0-9a-f]{32}")


class Trouble(Exception):
    """What stops a command, as one sentence that says what to do."""


def lines(name: str) -> Iterator[bytes]:
    """The lines of a file with their newlines, a long one in pieces; raises OSError as soon as it cannot be read."""
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


def keys(given: str) -> tuple[VerifierKey, ...]:
    """A key `<name>+<id>+<base64>`, or `@` and the file that holds such keys, a line each. Raises Trouble."""
    try:
        text = small(given[1:]).decode() if given.startswith("@") else given
        found = tuple(VerifierKey.parse(line.strip()) for line in text.splitlines() if line.strip())
    except (Malformed, UnicodeDecodeError) as problem:
        raise Trouble(
            f"--key {given}: {problem}; give <name>+<id>+<base64>, or @ and the file that holds it."
        ) from None
    if not found:
        raise Trouble(f"--key {given}: there is no key in it.")
    return found


def policy(name: str) -> Policy:
    """The policy (C2SP tlog-policy) of a file. Raises Trouble."""
    try:
        return Policy.parse(small(name))
    except Malformed as problem:
        raise Trouble(f"--policy {name}: {problem}.") from None


def vault(given: str) -> str:
    """A vault's id as it stands in its receipts. Raises Trouble."""
    if not _VAULT.fullmatch(given):
        raise Trouble(f"--vault {given}: a vault is vlt_ and 32 hex digits, as in its receipts.")
    return given


def unreadable(name: str, error: OSError) -> str:
    """That a file cannot be read, and why."""
    return f"{name} cannot be read: {error.strerror or error}. Give the path of a file."
