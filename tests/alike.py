"""Two looks at a vault, held beside each other: are they the same bytes, ids and times aside?"""

import re
from collections.abc import Mapping
from itertools import zip_longest

Look = dict[str, tuple[int, dict[str, str], bytes]]


def alike(one: Mapping[str, object], other: Mapping[str, object]) -> None:
    """The same bytes, page by page; named by the first that differs."""
    assert sorted(one) == sorted(other)
    for path in one:
        left, right = repr(one[path]).split("\\n"), repr(other[path]).split("\\n")
        assert left == right, f"{path}: {[each for each in zip_longest(left, right) if each[0] != each[1]][:5]}"


def bare(seen: Look) -> dict[str, list[object]]:
    """What was seen in a vault, with ids, times and what follows from them (ETags) taken out: two vaults compared."""
    found: dict[str, list[object]] = {}
    for path, (status, headers, body) in seen.items():
        found.setdefault(_bare(path), []).append((status, _headers(headers), _bare(body.decode())))
    return {path: sorted(each, key=repr) for path, each in found.items()}


def _headers(headers: dict[str, str]) -> dict[str, str]:
    return {name: "" if name in ("ETag", "Content-Disposition") else _bare(value) for name, value in headers.items()}


def _bare(text: str) -> str:
    text = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "<id>", text)
    text = re.sub(r"\b([a-z]{3})_[0-9a-f]{32}\b", r"\1_<id>", text)
    text = re.sub(r"\bmnk_[\w-]{8}", "mnk_<key>", text)
    text = re.sub(r"[0-9a-f]{12,64}", "<hex>", text)
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z?(\+00:00)?", "<time>", text)
    return re.sub(r"\d\d?:\d\d(:\d\d)?( UTC)?", "<clock>", text)
