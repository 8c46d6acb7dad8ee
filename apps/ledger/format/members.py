"""JSON read strictly: one object, each member once, whole numbers alone. What differs is named by its place."""

import json
import re
from collections.abc import Collection
from typing import Any

from .strict import Malformed, bounded
from .verdict import Altered

# How times and ids stand in a receipt, and in whatever names them.
A_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
A_VAULT_ID = re.compile(r"vlt_[0-9a-f]{32}", re.ASCII)
A_MEMORY_ID = re.compile(r"mem_[0-9a-f]{32}", re.ASCII)
_HEX_BYTES = re.compile(r"(?:[0-9a-f]{2})*", re.ASCII)
_LONGEST_NUMBER = 20  # characters: more than any of the formats writes


def strict_json(data: bytes) -> Any:
    """The JSON (RFC 8259) of UTF-8 bytes. Raises Malformed for anything that two readers could take for two things.

    That is: a member twice, a fraction, NaN, a number out of range, a lone surrogate, nesting beyond Python's stack.
    """
    try:
        text = data.decode()
        found = json.loads(
            text, object_pairs_hook=_once, parse_int=_whole, parse_float=_no_number, parse_constant=_no_number
        )
        if "\\ud" in text or "\\uD" in text:  # only an escape can write half a letter
            json.dumps(found, ensure_ascii=False).encode()
    except Malformed:
        raise
    except (ValueError, RecursionError):
        raise Malformed("this is no JSON, or is cut off within it") from None
    return found


def an_object(found: Any, names: Collection[str], where: str, optional: Collection[str] = ()) -> dict[str, Any]:
    """The JSON object, if it has exactly these members, and of the optional ones any. Raises Altered."""
    if type(found) is not dict:
        raise Altered(where, "this must be a JSON object")
    for name in names:
        if name not in found:
            raise Altered(within(where, name), "this member is missing")
    for name in found:
        if name not in names and name not in optional:
            raise Altered(within(where, name[:40]), "no such member belongs here")
    return found


def a_text(found: Any, where: str) -> str:
    """The string. Raises Altered."""
    if type(found) is not str:
        raise Altered(where, "this must be a string")
    return found


def a_number(found: Any, where: str, most: int) -> int:
    """The whole number, 0 to `most`. Raises Altered."""
    try:
        return bounded(found, "this", most)
    except Malformed as problem:
        raise Altered(where, str(problem)) from None


def a_list(found: Any, where: str) -> list[Any]:
    """The JSON array. Raises Altered."""
    if type(found) is not list:
        raise Altered(where, "this must be a list")
    return found


def a_hex(found: Any, where: str, size: int = 32) -> bytes:
    """The bytes of lower-case hex digits, `size` of them. Raises Altered."""
    if type(found) is not str or len(found) != 2 * size or not _HEX_BYTES.fullmatch(found):
        raise Altered(where, f"this must be {2 * size} lower-case hex digits")
    return bytes.fromhex(found)


def within(where: str, name: str) -> str:
    """A member's place: `leaf.tag`; of the whole file, whose place is empty, the member's name."""
    return f"{where}.{name}" if where else name


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Malformed("a member stands twice in one object")
    return found


def _whole(written: str) -> int:
    if len(written) > _LONGEST_NUMBER:
        raise Malformed("a number is longer than any that belongs here")
    if written == "-0":
        raise Malformed("nought has one spelling")
    return int(written)


def _no_number(written: str) -> Any:
    raise Malformed("a number must be a whole one")
