"""Clients and their keys: registered by the holder, known by a hash, ended at once."""

import hashlib
import secrets
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache
from uuid import UUID

from apps.access import store
from apps.access.services import posting
from apps.access.services.stopping import refuse_resuming
from apps.holders import services as holders
from apps.ledger.ids import new_id
from apps.ledger.log import Act, act, reading
from apps.memories import services as memories
from apps.policy.guests import MOST_ASSISTANTS, check_room
from apps.policy.ids import typed
from apps.policy.people import DOOR
from apps.policy.roles import Deed, needs
from apps.policy.text import check_line
from apps.policy.types import ApiKey, Caller, Client, Holder, Refused
from apps.policy.vocabulary import ReceiptKind, Refusal

KEY_PREFIX = "mnk_"
TOUCH_AFTER = timedelta(minutes=1)


@needs(Deed.FOLLOW)
def clients(holder: Holder) -> tuple[Client, ...]:
    """The holder's assistants, the vault's own chat left out."""
    with reading(holder.vault_id, holder.actor):
        return tuple(each for each in store.clients(holder.vault_id) if not each.built_in)


def names(vault_id: UUID, actor: str) -> dict[str, str]:
    """What to call the parties of a vault's receipts: typed client id to name, the own chat included."""
    with reading(vault_id, actor):
        return {typed("cli", each.client_id): each.name for each in store.clients(vault_id)}


@needs(Deed.FOLLOW)
def keys(holder: Holder) -> tuple[ApiKey, ...]:
    """The holder's clients' keys: prefix and dates, never the key."""
    with reading(holder.vault_id, holder.actor):
        return store.keys(holder.vault_id)


@needs(Deed.CONNECT)
def register(holder: Holder, *, name: str, now: datetime, domain: str = "") -> tuple[Client, str]:
    """Register an assistant. Returns it and its API key, which is never shown again. Raises TextProblem."""
    new = Client(new_id(), check_line(name, "name"), check_line(domain, "domain", empty=True), False, False, None, now)
    with act(holder.vault_id, holder.actor) as registering:
        if holder.guest:
            live = [each for each in store.clients(holder.vault_id) if not each.built_in and each.revoked_at is None]
            check_room(holder, "name", len(live), MOST_ASSISTANTS, "assistants")
        store.register(registering, new)
        registering.record(ReceiptKind.CLIENT_REGISTERED, object=typed("cli", new.client_id))
        key, text = _add_key(registering, new.client_id, now)
        posting.keyed(holder, registering, new, key.key_id, now, new=True)
    return new, text


@needs(Deed.CONNECT)
def make_key(holder: Holder, client_id: UUID, now: datetime) -> tuple[ApiKey, str] | Refused:
    """Another key for a client, shown once: to change keys without a gap. See `_going`."""
    with act(holder.vault_id, holder.actor) as making:
        client = _going(holder, client_id)
        if isinstance(client, Refused):
            making.cancel()
            return client
        key, text = _add_key(making, client_id, now)
        posting.keyed(holder, making, client, key.key_id, now, new=False)
    return key, text


def _going(holder: Holder, client_id: UUID) -> Client | Refused:
    """A client that was registered and not stopped. One that was stopped stays so, refused as already-decided."""
    client = store.client(holder.vault_id, client_id)
    if client is None or client.built_in:
        return Refused(Refusal.NOT_FOUND)
    return client if client.revoked_at is None else Refused(Refusal.ALREADY_DECIDED)


def _add_key(within: Act, client_id: UUID, now: datetime) -> tuple[ApiKey, str]:
    text = KEY_PREFIX + secrets.token_urlsafe(32)
    key = ApiKey(new_id(), client_id, text[:12], now, None, None)
    store.add_key(within, key, hash_of(text))
    holders.enlist(within, hash_of(text), "api-key")
    within.record(ReceiptKind.KEY_MADE, object=typed("cli", client_id))
    return key, text


@needs(Deed.STOP)
def revoke_key(holder: Holder, key_id: UUID, now: datetime) -> ApiKey | Refused:
    """End one key; the client's others go on."""
    with act(holder.vault_id, holder.actor) as revoking:
        key = next((each for each in store.keys(holder.vault_id) if each.key_id == key_id), None)
        if key is None or key.revoked_at:
            revoking.cancel()
            return key or Refused(Refusal.NOT_FOUND)
        end_key(revoking, key, now)
    return replace(key, revoked_at=now)


def end_key(within: Act, key: ApiKey, now: datetime) -> None:
    """A key that stands opens nothing any more, within the act that ends it."""
    store.revoke_key(within, key.key_id, now)
    holders.delist(within, store.key_hash(within.vault_id, key.key_id))
    within.record(ReceiptKind.KEY_REVOKED, object=typed("cli", key.client_id))


@needs(Deed.STOP)
def revoke(holder: Holder, client_id: UUID, now: datetime) -> Client | Refused:
    """End an assistant: keys and grants die with it, at the very next request."""
    with act(holder.vault_id, holder.actor) as revoking:
        client = store.client(holder.vault_id, client_id)
        if client is None or client.revoked_at or client.built_in:
            revoking.cancel()
            return Refused(Refusal.NOT_FOUND) if client is None or client.built_in else client
        end_client(revoking, client_id, now)
        posting.stopped_client(holder, revoking, client, now)
    return replace(client, revoked_at=now)


def end_client(within: Act, client_id: UUID, now: datetime) -> None:
    """An assistant that stands is stopped, within the act that ends it."""
    for key in store.keys(within.vault_id, client_id):
        if key.revoked_at is None:
            holders.delist(within, store.key_hash(within.vault_id, key.key_id))
    store.revoke_client(within, client_id, now)
    memories.withdraw_all(within, client_id, now)
    within.record(ReceiptKind.CLIENT_REVOKED, object=typed("cli", client_id))


@needs(Deed.STOP)
def pause(holder: Holder, client_id: UUID, paused: bool) -> Client | Refused:
    """Make an assistant's grants inert, reversibly; but what the holder paused goes on by their own press alone. See
    `_going`.
    """
    with act(holder.vault_id, holder.actor) as pausing:
        client = _going(holder, client_id)
        if isinstance(client, Refused) or client.paused is paused:
            pausing.cancel()
            return client
        refused = None if paused else refuse_resuming(holder, client_id)
        if refused is not None:
            pausing.cancel()
            return refused
        store.pause_client(pausing, client_id, paused)
        kind = ReceiptKind.CLIENT_PAUSED if paused else ReceiptKind.CLIENT_RESUMED
        pausing.record(kind, object=typed("cli", client_id))
    return replace(client, paused=paused)


@needs(Deed.CONNECT)
def mark_local(holder: Holder, client_id: UUID, local: bool) -> Client | Refused:
    """Say that an assistant runs at home, so that what is local only may go to it; or that it does not any more, which
    holds for the very next release. See `_going`.
    """
    with act(holder.vault_id, holder.actor) as marking:
        client = _going(holder, client_id)
        if isinstance(client, Refused) or client.local is local:
            marking.cancel()
            return client
        store.set_local(marking, client_id, local)
        kind = ReceiptKind.CLIENT_LOCAL if local else ReceiptKind.CLIENT_HOSTED
        marking.record(kind, object=typed("cli", client_id))
    return replace(client, local=local)


def authenticate(text: str, now: datetime) -> Caller | None:
    """The client behind an API key, at the door of its vault; None for anything that is not a live key."""
    if not text.startswith(KEY_PREFIX):
        return None
    hashed = hash_of(text)
    try:
        vault_id = _vault_of(hashed)
    except LookupError:
        return None
    found = store.key_and_client(vault_id, DOOR, hashed)
    if found is None or found[0].revoked_at or found[1].revoked_at:
        return None
    key, client = found
    if key.last_used_at is None or now - key.last_used_at > TOUCH_AFTER:
        store.touch_key(vault_id, DOOR, key.key_id, now)
    return Caller(vault_id, client, key.key_id)


@lru_cache(maxsize=10_000)
def _vault_of(hashed: bytes) -> UUID:
    """Where a credential leads, remembered: it never leads elsewhere, and whether it is still good is asked there.

    Raises LookupError for an unknown one, which is not remembered.
    """
    vault_id = holders.vault_of(hashed)
    if vault_id is None:
        raise LookupError
    return vault_id


def built_in(within: Act, vault_id: UUID, now: datetime) -> Client:
    """The vault's own chat, registered at its first use."""
    found = store.built_in(vault_id)
    if found:
        return found
    new = Client(new_id(), "The chat", "", True, False, None, now)
    store.register(within, new)
    within.record(ReceiptKind.CLIENT_REGISTERED, object=typed("cli", new.client_id))
    return new


def hash_of(text: str) -> bytes:
    """SHA-256 of a credential: it has 256 random bits, so no slow hash is needed."""
    return hashlib.sha256(text.encode()).digest()
