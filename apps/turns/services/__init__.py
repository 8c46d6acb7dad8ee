"""Deeds of the chat: ask, decide, answer, leave out."""

from apps.turns.comparing import Sentence, compare
from apps.turns.provider import configured as model_configured
from apps.turns.provider import name as model_name
from apps.turns.services.answering import Delta, Event, Finished, answer, without
from apps.turns.services.asking import Card, SpecialCard, answered_again, ask, card, decide, recent, turn
from apps.turns.services.exporting import ConversationFile, conversation_file
from apps.turns.services.following import last_number, numbered, numbers, provenance, receipt, receipts, shown
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
    "end_within",
    "forget_again_within",
    "forget_older_within",
    "last_number",
    "model_configured",
    "model_name",
    "numbered",
    "numbers",
    "provenance",
    "receipt",
    "receipts",
    "recent",
    "shown",
    "turn",
    "without",
]
