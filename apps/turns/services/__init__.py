"""Deeds of the chat: ask, decide, answer, leave out."""

from apps.turns.comparing import Sentence, compare
from apps.turns.provider import configured as model_configured
from apps.turns.provider import name as model_name
from apps.turns.services.answering import Delta, Event, Finished, answer, without
from apps.turns.services.asking import Card, SpecialCard, answered_again, ask, card, decide, recent, turn
from apps.turns.services.exporting import ConversationFile, conversation_file
from apps.turns.services.following import (
    disclosures,
    last_number,
    names,
    numbered,
    numbers,
    provenance,
    provenance_checked,
    receipt,
    receipts,
    shown,
)
from apps.turns.services.forgetting import end_within, forget_again_within, forget_older_within

__all__ = [
    "Card",
    "ConversationFile",
    "Delta",
    "Event",
    "Finished",
    "Sentence",
    "SpecialCard",
    "answer",
    "answered_again",
    "ask",
    "card",
    "compare",
    "conversation_file",
    "decide",
    "disclosures",
    "end_within",
    "forget_again_within",
    "forget_older_within",
    "last_number",
    "model_configured",
    "model_name",
    "names",
    "numbered",
    "numbers",
    "provenance",
    "provenance_checked",
    "receipt",
    "receipts",
    "recent",
    "shown",
    "turn",
    "without",
]
