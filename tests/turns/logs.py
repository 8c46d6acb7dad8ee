"""A turn's log and its key, as whoever has the root key and the database gets them."""

from apps.ledger.format.turn import TurnEvent
from apps.ledger.log import reading
from apps.policy.types import Turn
from apps.turns import store
from tests.cast import Vault


def conversation_of(vault: Vault, turn: Turn) -> store.Conversation:
    """The turn as it is kept: its events in clear, and the key their digests are checked with."""
    with reading(vault.id, vault.holder.actor):
        return store.conversation(vault.id, turn.turn_id)


def events_of(vault: Vault, turn: Turn) -> tuple[TurnEvent, ...]:
    return conversation_of(vault, turn).events
