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
from apps.policy.ids import untyped
from apps.policy.types import Holder

HERE = Path(__file__).parent
FIELD = "notice"
_SENT = re.compile(r"([1-9][0-9]{0,3})(?:/(spc_[0-9a-f]{32})/([1-9][0-9]{0,8}))?\.([0-9a-f]{16})", re.ASCII)


@cache
def ui_version() -> str:
    """Which form the pages have: the first 16 hex digits of a SHA-256 over every template, style and script of ours."""
    whole = sha256()
    for path in sorted(each for each in HERE.rglob("*") if each.suffix in (".html", ".css", ".js")):
        whole.update(f"{path.relative_to(HERE).as_posix()}\n".encode() + path.read_bytes())
    return whole.hexdigest()[:16]


def named(found: access.Notice) -> str:
    """What a form carries of the notice above it."""
    return f"{found.address.removeprefix('/notices/')}.{ui_version()}"


def shown(http_request: HttpRequest, holder: Holder) -> access.Shown:
    """What the form says stood above its button. One that names no text of this vault's is taken to have had none."""
    sent = _SENT.fullmatch(http_request.POST.get(FIELD, ""))
    found = access.stood(holder, access.Surface.WEB, int(sent[1]), _below(sent), sent[4]) if sent else None
    return found or access.Shown(access.Surface.WEB, None, ui_version())


def _below(sent: re.Match[str]) -> access.Below | None:
    space_id = untyped("spc", sent[2])
    return access.Below(space_id, int(sent[3])) if space_id else None
