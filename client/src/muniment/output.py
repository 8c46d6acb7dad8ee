"""What is printed is ASCII: alike on every terminal, and what a file says can neither move the cursor nor hide.

A checked file may come from anybody. Letters outside ASCII, and controls, are printed as Python escapes them.
"""

import json
import sys
from collections.abc import Collection, Iterable

_PLAIN = str.maketrans({"—": "-", "–": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "…": "...", "×": "x"})


def plain(text: str) -> str:
    """One line of printable ASCII."""
    escaped = text.translate(_PLAIN).encode("ascii", "backslashreplace").decode()
    return "".join(letter if " " <= letter <= "~" else f"\\x{ord(letter):02x}" for letter in escaped)


def show(lines: Iterable[str]) -> None:
    """Print lines."""
    sys.stdout.write("".join(f"{plain(line)}\n" for line in lines))


def show_json(document: object) -> None:
    """Print one JSON document."""
    sys.stdout.write(json.dumps(document, indent=2) + "\n")


def worst(codes: Collection[int]) -> int:
    """The exit code for many files: one altered among some that could not be read is still an altered one."""
    return next(code for code in (1, 2, 0) if code in codes)


def complain(sentence: str) -> None:
    """One sentence on standard error."""
    sys.stderr.write(f"muniment: {plain(sentence)}\n")
