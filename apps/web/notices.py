"""The notice above the buttons of a decision, and what a form says of it when it comes back.

A form carries which text stood above it, and which form the page had: the answer may come after the next text, or the
next version of the page, is there.
"""

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.http import HttpRequest

from apps.access import services as access

HERE = Path(__file__).parent
FIELD = "notice"
_SENT = re.compile(r"([1-9][0-9]{0,3})\.([0-9a-f]{16})", re.ASCII)


@cache
def ui_version() -> str:
    """Which form the pages have: the first 16 hex digits of a SHA-256 over every template, style and script of ours."""
    whole = sha256()
    for path in sorted(each for each in HERE.rglob("*") if each.suffix in (".html", ".css", ".js")):
        whole.update(f"{path.relative_to(HERE).as_posix()}\n".encode() + path.read_bytes())
    return whole.hexdigest()[:16]


def named(number: int) -> str:
    """What a form carries of the notice above it."""
    return f"{number}.{ui_version()}"


def shown(http_request: HttpRequest) -> access.Shown:
    """What the form says stood above its button. One that names no text of ours is taken to have had none."""
    sent = _SENT.fullmatch(http_request.POST.get(FIELD, ""))
    if sent is None or access.notice(int(sent[1])) is None:
        return access.Shown(access.Surface.WEB, None, ui_version())
    return access.Shown(access.Surface.WEB, int(sent[1]), sent[2])
