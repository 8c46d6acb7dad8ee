"""Grants: what stands, and ending it."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from apps.access import store
from apps.ledger.log import act, reading
from apps.policy.ids import typed
from apps.policy.types import Caller, Grant, Holder, Refused
from apps.policy.vocabulary import ReceiptKind, Refusal


def grants(holder: Holder) -> tuple[Grant, ...]:
    """Every grant to an assistant, newest first, ended ones included; the chat's one-read grants left out."""
    with reading(holder.vault_id, holder.actor):
        return tuple(each for each in store.grants(holder.vault_id) if each.turn_id is None)


def grant(holder: Holder, grant_id: UUID) -> Grant | None:
    """One grant; None for an unknown id."""
    with reading(holder.vault_id, holder.actor):
        return store.grant(holder.vault_id, grant_id)


def own_grants(caller: Caller) -> tuple[Grant, ...]:
    """What this client was granted."""
    with reading(caller.vault_id, caller.actor):
        return store.grants(caller.vault_id, caller.client.client_id)


def revoke_grant(holder: Holder, grant_id: UUID, now: datetime) -> Grant | Refused:
    """Stop a grant: the very next request is refused, a stamp in flight is not released."""
    with act(holder.vault_id, holder.actor) as revoking:
        found = store.grant(holder.vault_id, grant_id)
        if found is None or found.revoked_at:
            revoking.cancel()
            return found or Refused(Refusal.NOT_FOUND)
        store.revoke_grant(revoking, grant_id, found.terms_version, now)
        revoking.record(
            ReceiptKind.GRANT_REVOKED,
            object=typed("gra", grant_id),
            category=found.category.value,
            purpose=found.purpose,
        )
    return replace(found, revoked_at=now)
