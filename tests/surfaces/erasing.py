"""What a browser sends around erasing, filled in as somebody would."""

import re
from typing import Any

from django.test import Client

from apps.memories import services as memories
from apps.policy.ids import typed, untyped
from apps.policy.types import Refused
from tests.fixtures import Household
from tests.surfaces.web import text_of
from vault.clock import utc_now

NOWHERE = "mem_" + "0" * 32


def keep(home: Household, label: str, value: str, **more: Any) -> str:
    """A memory of the holder's: its typed id."""
    made = memories.add(home.holder, label=label, value=value, now=utc_now(), **more)
    assert not isinstance(made, Refused), made
    return typed("mem", made.memory_id)


def is_there(home: Household, memory: str) -> bool:
    return memories.memory(home.holder, the("mem", memory)) is not None


def the(kind: str, text: str) -> Any:
    found = untyped(kind, text)
    assert found is not None
    return found


def carried(page: str) -> dict[str, Any]:
    """What the form that erases sends, as a browser would, before anything is chosen in it."""
    form = page.partition('id="order"')[2].partition("</form>")[0]
    fields: dict[str, Any] = {}
    for tag in re.findall(r'<input type="hidden"[^>]*>', form):
        name, value = (re.search(rf'{each}="([^"]*)"', tag) for each in ("name", "value"))
        assert name is not None
        fields.setdefault(name[1], []).append(value[1] if value else "")
    return {"basis": "wish", "request": "", **fields}


def shown(client: Client, /, **where: Any) -> str:
    answer = client.post("/erase", where)
    assert answer.status_code == 200, text_of(answer)
    return text_of(answer)


def erased(client: Client, page: str, **more: Any) -> Any:
    return client.post("/erase/order", carried(page) | more)


def order_of(answer: Any) -> str:
    assert answer.status_code == 302, text_of(answer)
    return str(answer.headers["Location"]).rpartition("/")[2]
