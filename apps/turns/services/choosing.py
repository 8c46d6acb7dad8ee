"""Choosing what to offer for a question: by a model that sees labels only, or by words."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

from apps.memories import services as memories
from apps.policy.roles import Deed, needs
from apps.policy.types import Holder, Label
from apps.turns import provider, scoping
from apps.turns.prompts import scope_prompt

MOST_LABELS = 200
MOST_SPECIAL = 50


@dataclass(frozen=True, slots=True)
class Scoped:
    """What a question seems to need, how it was chosen (`model`, `words`, `earlier`), and what a model was sent."""

    memory_ids: tuple[UUID, ...]
    by: str
    sent: str = ""


@needs(Deed.ASK)
def scope(holder: Holder, question: str, labels: Sequence[Label]) -> Scoped:
    """The memories a question seems to need, at most eight ordinary ones and the special categories it bears on.

    By the model if there is one (it sees labels only), else, or when its reply is no reply, by words: of labels and,
    for ordinary memories, of values, through the vault's own index.
    """
    ranked = [memory_id for memory_id, _ in memories.search(holder.vault_id, holder.actor, question, MOST_LABELS)]
    listed = _listed(labels, ranked)
    sent = ""
    if provider.configured() and listed:
        messages = scope_prompt(question, listed)
        sent = provider.as_sent(messages, stream=False)
        with suppress(provider.ModelFailed):
            chosen = scoping.chosen_by_model(provider.complete(messages), listed)
            if chosen is not None:
                return Scoped(chosen, "model", sent)
    bears_on = scoping.hinted(question)
    special = [label.memory_id for label in labels if label.category in bears_on][:MOST_SPECIAL]
    known = {label.memory_id for label in labels}
    by_words = [each for each in ranked if each in known][: scoping.MOST_OFFERED]
    return Scoped((*by_words, *special), "words", sent)


def _listed(labels: Sequence[Label], ranked: Sequence[UUID]) -> list[Label]:
    """The labels a model is shown, in the file's own order: an order by rank would tell it what the values say."""
    if len(labels) <= MOST_LABELS:
        return list(labels)
    first = set(ranked)
    kept = sorted(labels, key=lambda label: label.memory_id not in first)[:MOST_LABELS]
    return [label for label in labels if label in kept]
