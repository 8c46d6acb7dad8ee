"""What stands at the end when one thing took another's place, and a third took that one's."""

from collections.abc import Hashable, Mapping
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


def living(old: K, replaced: Mapping[K, K]) -> K | None:
    """`a` → `b` → `c`: of `a` and of `b` it is `c`. `replaced` leads from each retired symbol (or print) to what took
    its place. None where nothing did, and where the chain comes back on itself, for then nothing in it is alive."""
    seen = {old}
    here = old
    while here in replaced:
        here = replaced[here]
        if here in seen:
            return None
        seen.add(here)
    return here if here != old else None
