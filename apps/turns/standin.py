"""The stand-in: answers where no model does. Deterministic, labelled as what it is on every surface.

It is given the prompt, like a model, and knows nothing else: what was not handed over cannot be in its answer. About
cooking it puts a plan together, so that leaving a memory out changes the answer in sight; about anything else it says
what it was given.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.turns.prompts import Message

NAME = "the stand-in (no model)"
INTERRUPTED = (
    "This answer was interrupted: the memories below were handed over, and no answer came back. Ask again to get one."
)
_COOKING = re.compile(r"\b(cook|cooking|dinner|lunch|supper|eat|meal|recipe)\b", re.IGNORECASE)
_MINUTES = re.compile(r"(\d{1,3})\s*(?:min|minutes)\b", re.IGNORECASE)
_VEGETABLES = ("broccoli", "mushrooms", "peppers", "courgettes", "spinach")


@dataclass(frozen=True, slots=True)
class Note:
    """A memory as the prompt gives it."""

    label: str
    value: str


def stream(messages: Sequence[Message]) -> Iterator[str]:
    """The answer in pieces of a few words, as a model would send it."""
    yield from re.findall(r"\S+\s*", answer(messages))


def answer(messages: Sequence[Message]) -> str:
    """The whole answer to a prompt of `answer_prompt`."""
    question, notes, confirmed = _read(messages[-1]["content"])
    if _COOKING.search(question):
        return _cook(notes, confirmed)
    told = [f"You told me about {note.label.lower()}: {_ended(note.value)}" for note in notes]
    told += [f"{label} is confirmed, without its value." for label in confirmed]
    if not told:
        return "Nothing was handed over, so there is nothing of yours in this answer."
    return " ".join(told)


def _read(content: str) -> tuple[str, list[Note], list[str]]:
    question, _, data = content.rpartition("\n\n")
    memories = json.loads(data)["memories"]
    notes = [Note(each["label"], each["value"]) for each in memories if "value" in each]
    return question, notes, [each["label"] for each in memories if "value" not in each]


def _cook(notes: Sequence[Note], confirmed: Sequence[str]) -> str:
    equipment = _about(notes, "equipment", "kitchen")
    time = _about(notes, "time", "weeknight")
    dislikes = _about(notes, "dislike", "avoid").lower()
    vegetable = next((each for each in _VEGETABLES if each.rstrip("s") not in dislikes), "carrots")
    has_oven = not equipment or ("oven" in equipment.lower() and "no oven" not in equipment.lower())
    if has_oven:
        text = [f"Roast tofu with {vegetable}.", "Heat the oven to 220 °C and spread everything on a tray."]
        text.append("Turn it once while the rice steams.")
    else:
        text = [f"Pan-fried tofu with {vegetable} and rice.", f"You have: {_ended(equipment)}"]
        text.append(f"Fry the tofu in the pan until gold, then toss in the {vegetable}.")
    minutes = _MINUTES.search(time)
    text.append(f"It takes {minutes[1]} minutes." if minutes else "It takes about 40 minutes.")
    if dislikes:
        text.append(f"Nothing you dislike is in it ({_ended(dislikes, '')}).")
    if any("budget" in label.lower() for label in confirmed):
        text.append("Your budget is confirmed; I was not told the number.")
    rest = [note for note in notes if note.value not in (equipment, time) and note.value.lower() != dislikes]
    text += [f"You also told me about {note.label.lower()}: {_ended(note.value)}" for note in rest]
    return " ".join(text)


def _about(notes: Sequence[Note], *words: str) -> str:
    return next((note.value for note in notes if any(word in note.label.lower() for word in words)), "")


def _ended(text: str, end: str = ".") -> str:
    return text.strip().rstrip(".") + end
