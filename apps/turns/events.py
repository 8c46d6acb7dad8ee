"""What a turn's log tells, event by event: the bodies, in one place (docs/receipt-format.md §8)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from apps.policy.ids import typed
from apps.policy.types import Receipt, TurnItem
from apps.policy.vocabulary import Category


@dataclass(frozen=True, slots=True)
class Told:
    """Something that happened in a turn, before it has a number, a time and a digest."""

    kind: str
    body: Mapping[str, Any]


def asked(question: str, without_of: UUID | None) -> Told:
    """The question, word for word, and the turn it is asked again of."""
    return Told("asked", {"question": question, "without_of": typed("trn", without_of) if without_of else "-"})


def prompt(step: str, to: str, sent: str) -> Told:
    """A request to a model exactly as it was sent, at the step `scope` or `answer`."""
    return Told("prompt", {"step": step, "to": to, "sent": sent})


def left_out(item: TurnItem) -> Told:
    """A memory that an earlier answer had and this one goes without."""
    return Told("left_out", _named(item))


def offered(items: Sequence[TurnItem], by: str) -> Told:
    """What the holder is asked to hand over, and how it was chosen: by a `model`, by `words`, or as `earlier`."""
    return Told("offered", {"by": by, "memories": [_named(item) for item in items]})


def decided(chosen: Mapping[Category, frozenset[UUID]], *, elsewhere: bool = False) -> Told:
    """The holder's decision on some parts; no memory: no. `elsewhere`: not on the turn's card, and told afterwards."""
    parts = [
        {"category": category.value, "memories": sorted(typed("mem", each) for each in ids)}
        for category, ids in chosen.items()
    ]
    return Told("decided", {"elsewhere": elsewhere, "parts": sorted(parts, key=lambda part: str(part["category"]))})


def handed_over(receipt: Receipt) -> Told:
    """A memory that left, as its receipt says."""
    assert receipt.memory_id and receipt.commitment
    return Told(
        "handed_over",
        {
            "memory": typed("mem", receipt.memory_id),
            "version": receipt.version,
            "category": receipt.category,
            "form": receipt.form,
            "commitment": receipt.commitment.hex(),
            **_receipt(receipt),
        },
    )


def refused(item: TurnItem, receipt: Receipt | None) -> Told:
    """A memory that was chosen and stayed, with the refusal's receipt where there is one."""
    about = _receipt(receipt) if receipt else {"seq": 0, "digest": "-", "chain_hash": "-"}
    return Told("refused", {**_named(item), "reason": receipt.reason if receipt else "-", **about})


def answered(
    text: str, *, model: str, parameters: Mapping[str, Any], stand_in: bool, interrupted: bool, failed: str
) -> Told:
    """The answer as stored. `failed`: why the model that was asked gave none, and the stand-in did; else `-`."""
    return Told(
        "answered",
        {
            "text": text,
            "model": model,
            "parameters": dict(parameters),
            "stand_in": stand_in,
            "interrupted": interrupted,
            "failed": failed,
        },
    )


def _named(item: TurnItem) -> dict[str, str]:
    return {"memory": typed("mem", item.memory_id), "category": item.category.value}


def _receipt(receipt: Receipt) -> dict[str, str | int]:
    return {"seq": receipt.seq, "digest": receipt.digest.hex(), "chain_hash": receipt.chain_hash.hex()}
