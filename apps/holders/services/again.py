"""After a backup was restored: who may act no more, and by what people sign in by now."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.holders import again, store
from apps.holders.services.acting import end
from apps.ledger.log import Act


def end_leave_within(within: Act, delegations: Collection[UUID], now: datetime) -> int:
    """End again what leave to act stands of these. Returns how many did."""
    found = [store.delegation(within.vault_id, each) for each in delegations]
    standing = [each for each in found if each is not None and each.ended_at is None]
    for each in standing:
        end(within, each, now)
    return len(standing)


def sign_in_by(people: Sequence[Mapping[str, Any]]) -> int:
    """Of people as the database that was replaced knew them (`id`, `password`, a hash, and `factors`, the rows of their
    second factors): what they sign in by is what it was there. Returns for how many that was something else.
    """
    return sum(again.sign_in_by(UUID(each["id"]), each["password"], each["factors"]) for each in people)
