"""What to do next, as this caller can do it from where they are: where an address is named, they may go to it."""

from collections.abc import Mapping
from typing import Any

from django.urls import Resolver404, resolve

Next = Mapping[str, str]


def followable(then: Next | None, party: object, path: str) -> Next | None:
    """`then`, for whoever was let in (None for nobody) and called `path`: nothing where its address is not for them,
    and with the address of what is to be fetched again, where they may fetch it.
    """
    if then is None or party is None:
        return then
    if "href" in then:
        return then if _open(party, then["method"], then["href"]) else None
    found = next((each for each in (path, path.rpartition("/")[0]) if _open(party, "GET", each)), None)
    return {**then, "method": "GET", "href": found} if then["action"] == "refetch" and found else then


def _open(party: object, method: str, href: str) -> bool:
    """May they call this address so?"""
    try:
        view: Any = resolve(href.partition("?")[0]).func
    except Resolver404:
        return False
    who = getattr(getattr(view, "cls", None), "allow", {}).get(method)
    return who is not None and isinstance(party, who)
