"""How a case of the corpus is written down, and the ways in which a file is changed for one."""

import copy
from typing import Any

from tests.ledger.files import LOG_KEY, OTHER_LOG_KEY, written

INTACT, UNCHECKED, ALTERED, UNKNOWN, CANT, FORK, OTHER = (
    "intact-in-ledger",
    "intact-ledger-not-checked",
    "altered",
    "unknown-key",
    "cant-check",
    "forked",
    "other-value",
)
KEY = str(LOG_KEY.verifier)
OTHERS = (str(OTHER_LOG_KEY.verifier),)
Json = dict[str, Any]


def case(
    name: str,
    file: Json | str,
    verdict: str,
    *where: str,
    keys: tuple[str, ...] = (KEY,),
    policy: str | None = None,
    vault: str | None = None,
    openings: tuple[str, ...] = (),
) -> Json:
    text = file if isinstance(file, str) else written(file).decode()
    return {
        "name": name,
        "file": text,
        "keys": list(keys),
        "policy": policy,
        "vault": vault,
        "openings": list(openings),
        "verdict": verdict,
        "where": list(where),
    }


def with_(file: Json, place: str, value: Any) -> Json:
    """The file with another value in one place: `leaf.tag`, `segment.0`."""
    made = copy.deepcopy(file)
    *path, last = place.split(".")
    found: Any = made
    for step in path:
        found = found[int(step) if isinstance(found, list) else step]
    found[int(last) if isinstance(found, list) else last] = value
    return made


def without(file: Json, name: str) -> Json:
    return {member: held for member, held in file.items() if member != name}


def turned(written: str) -> str:
    """Hex digits with the last one changed."""
    return written[:-1] + ("0" if written[-1] != "0" else "1")
