"""One turn of an exported conversation: are its events as they were written, and do they say what its receipts say.

The events come first, then the receipts, then `settle`. What does not hold is raised as Altered, naming turn and event,
or the number of the receipt.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from .encoding import next_hash
from .members import A_TIME, a_hex, an_object, within
from .turn import (
    EVENT_VERSION,
    FIRST_TURN_VERSION,
    TURN_VERSION,
    TurnEvent,
    event_bytes,
    first_turn_commitment,
    turn_commitment,
    turn_digest,
    turn_facts,
    turn_genesis,
)
from .verdict import Altered

_NAMED = {"memory": str, "category": str}
_RECEIPT_OF = {"seq": int, "digest": str, "chain_hash": str}
_BODIES: dict[str, Any] = {
    "asked": {"question": str, "without_of": str},
    "prompt": {"step": str, "to": str, "sent": str},
    "left_out": _NAMED,
    "offered": {"by": str, "memories": [_NAMED]},
    "decided": {"elsewhere": bool, "parts": [{"category": str, "memories": [str]}]},
    "handed_over": {**_NAMED, "version": int, "form": str, "commitment": str, **_RECEIPT_OF},
    "refused": {**_NAMED, "reason": str, **_RECEIPT_OF},
    "answered": {
        "text": str,
        "model": str,
        "parameters": dict,
        "stand_in": bool,
        "interrupted": bool,
        "failed": str,
    },
}
# Each kind by a letter, a prompt by its step: in this order they happen.
_LETTERS = {"asked": "a", "left_out": "l", "offered": "o", "decided": "d", "handed_over": "h", "refused": "r"}
_ORDER = re.compile(r"as?l*o(?:d*|d*[hr]*p?A)")
_BEGUN = re.compile(r"a?s?l*o?d*[hr]*p?A?")
_OUT_OF_ORDER = "it stands where no such event can: one was taken away, added or moved"


class TurnReceipt(NamedTuple):
    """A receipt of the turn: its members, and its two hashes in hex."""

    body: Mapping[str, str | int]
    digest: str
    chain_hash: str

    @property
    def place(self) -> str:
        return str(self.body["seq"])


class TurnCheck:
    """A turn while its file is read. `key` is None where the file holds no content: then there are digests alone."""

    def __init__(self, said: Any, vault: str, content: bool, where: str) -> None:
        self.name: str = said["turn"]
        self.version: str = said["version"]
        if self.version not in (TURN_VERSION, FIRST_TURN_VERSION):
            raise Altered(within(where, "version"), f"a turn is of {TURN_VERSION} or {FIRST_TURN_VERSION}")
        first = self.version == FIRST_TURN_VERSION
        kept = first and content and "facts" in said
        members = ("turn", "version", *(("key",) if content and (kept or not first) else ()))
        an_object(said, (*members, *(("facts", "texts") if kept else ())), where)
        self.key = a_hex(said["key"], within(where, "key")) if "key" in members else None
        self.first = _FirstFacts.read(said, where) if kept else None
        self.events: list[TurnEvent] = []  # without the words, once they are bound
        self.receipts: list[TurnReceipt] = []
        self.count = 0
        self._head = turn_genesis(vault, self.name)
        self._letters = ""
        self._asking = 0
        self._commitments: dict[str, str] = {}

    @property
    def answered(self) -> bool:
        """Is there a receipt that says so."""
        return bool(self._kind("turn.answered"))

    # ------------------------------------------------------------ its events
    def add(self, found: Mapping[str, Any]) -> None:
        """The next event, as its line has it."""
        self.count += 1
        where = f"{self.name} event {self.count}"
        digest, chain_hash = (a_hex(found[name], f"{where} {name}") for name in ("digest", "chain_hash"))
        said = found["event"]
        if self.version != TURN_VERSION:
            raise Altered(where, f"a turn of {self.version} has no events")
        an_object(said, ("n", "turn") if self.key is None else ("at", "body", "kind", "n", "turn", "v"), where)
        if said["turn"] != self.name:
            raise Altered(f"{where} turn", "it is an event of another turn")
        if type(said["n"]) is not int or said["n"] != self.count:
            raise Altered(f"{where} n", "its number does not follow: an event was taken away, added or moved")
        if self.key is not None:
            self._add_content(said, digest, chain_hash, where)
        if next_hash(self._head, digest) != chain_hash:
            raise Altered(f"{where} chain_hash", "it does not follow from the event before and the digest")
        self._head = chain_hash

    def _add_content(self, said: Mapping[str, Any], digest: bytes, chain_hash: bytes, where: str) -> None:
        assert self.key is not None
        kind, at = said["kind"], said["at"]
        if type(kind) is not str or kind not in _BODIES:
            raise Altered(f"{where} kind", "there is no such kind of event")
        if said["v"] != EVENT_VERSION:
            raise Altered(f"{where} v", f"an event is of {EVENT_VERSION}")
        if not _fits(said["body"], _BODIES[kind]):
            raise Altered(f"{where} body", f"this is not what an event of the kind {kind} tells")
        if type(at) is not str or not A_TIME.fullmatch(at):
            raise Altered(f"{where} at", "this is not written as a time is")
        event = TurnEvent(self.name, self.count, kind, at, said["body"], digest, chain_hash)
        made = turn_digest(self.key, EVENT_VERSION, event_bytes(self.name, self.count, kind, at, said["body"]))
        if made != digest:
            raise Altered(where, "its digest is another under the turn's key: it, or the key, was changed")
        if self.events and at < self.events[-1].at:
            raise Altered(f"{where} at", "it is earlier than the event before")
        step = {"scope": "s", "answer": "p"}.get(event.body.get("step", ""), "?")
        self._letters += {**_LETTERS, "prompt": step, "answered": "A"}[kind]
        if not _BEGUN.fullmatch(self._letters):
            raise Altered(where, _OUT_OF_ORDER)
        self.events.append(event)

    def close(self) -> None:
        """All events have been read: what their receipts must bind is worked out, and the words are let go."""
        if self.key is None or not self.events:
            return
        if not _ORDER.fullmatch(self._letters):
            where = f"{self.name} event {self.count + 1}"
            raise Altered(where, "it is missing: the turn's log ends before its act does")
        self._asking = max(event.n for event in self.events if event.kind in ("asked", "left_out", "offered"))
        for kind, events in (("turn.asked", self.events[: self._asking]), ("turn.answered", self.events)):
            self._commitments[kind] = turn_commitment(self.key, turn_facts(self.key, events)).hex()
        kept = [event for event in self.events if event.kind not in ("asked", "prompt")]
        self.events = [
            replace(event, body={"interrupted": event.body["interrupted"]}) if event.kind == "answered" else event
            for event in kept
        ]

    # ------------------------------------------------------------ against its receipts
    def settle(self, content: bool) -> None:
        """When all has been read: do events and receipts say the same."""
        asked, answered = self._one("turn.asked"), self._one("turn.answered", missing=True)
        for receipt in self.receipts:
            if receipt.body["request"] != asked.body["request"]:
                raise Altered(receipt.place, f"it is of another request than {self.name}")
        if self.first is not None:
            self._settle_first(answered)
        elif self.version == FIRST_TURN_VERSION and (asked.body["commitment"] != "-" or (content and answered)):
            raise Altered(f"turn {self.name}", "its receipts bind what is not in the file")
        elif self.version == TURN_VERSION and self.count == 0:
            raise Altered(f"{self.name} event 1", "it is missing: its receipts are there")
        elif self.key is not None:
            self._settle_events(asked, answered)

    def _settle_first(self, answered: TurnReceipt | None) -> None:
        assert self.first is not None and self.key is not None
        self.first.check(self.key, f"turn {self.name}")
        if answered is None or first_turn_commitment(self.key, self.first.facts).hex() != answered.body["commitment"]:
            raise Altered(f"turn {self.name}", "its receipt is of other facts, or under another key")

    def _settle_events(self, asked: TurnReceipt, answered: TurnReceipt | None) -> None:
        last = self.events[-1]
        where = f"{self.name} event {last.n}"
        if (last.kind == "answered") != (answered is not None):
            raise Altered(where, "the turn's log and its receipts do not agree whether it was answered")
        if answered is not None and last.body["interrupted"] == ("p" in self._letters):
            raise Altered(where, "an answer has a prompt, and an interrupted one has none")
        if asked.body["commitment"] != "-":  # else it was asked before there were events, and told when it was answered
            self._bound(asked, f"{self.name} event {self._asking}")
        if answered is not None:
            self._bound(answered, where)
        self._hand_overs(self._choices(answered is not None), answered is not None)

    def _bound(self, receipt: TurnReceipt, where: str) -> None:
        if self._commitments[str(receipt.body["kind"])] != receipt.body["commitment"]:
            raise Altered(where, f"receipt {receipt.place} is of other events, or under another key")

    def _choices(self, answered: bool) -> dict[str, str]:
        """What was chosen of what was offered, memory to category, as the receipts of the decisions have it."""
        offered = {each["memory"]: each["category"] for each in self._told("offered")[0].body["memories"]}
        parts: dict[str, list[str]] = {}
        for event in self._told("decided"):
            for part in event.body["parts"]:
                where, category = f"{self.name} event {event.n}", part["category"]
                if category in parts or category not in offered.values():
                    raise Altered(where, f"{category} was decided before, or was not offered")
                if any(offered.get(memory) != category for memory in part["memories"]):
                    raise Altered(where, "a memory was chosen that was not offered")
                parts[category] = part["memories"]
                undecided = event.body["elsewhere"] and not part["memories"]  # perhaps its time was over
                if not undecided and not self._decided_so(category, bool(part["memories"])):
                    raise Altered(where, f"no receipt says that {category} was decided so")
        self._agree("request.made", set(offered.values()), f"{self.name} event {self._told('offered')[0].n}")
        for receipt in self._kind("request.decided"):
            category = str(receipt.body["category"])
            if (answered and category not in parts) or (
                category in parts and bool(parts[category]) == (receipt.body["reason"] == "denied")
            ):
                raise Altered(receipt.place, f"no event of {self.name} tells this decision")
        for receipt in self._kind("grant.made"):
            if not self._decided_so(str(receipt.body["category"]), True):
                raise Altered(receipt.place, f"{self.name} has no decision for this grant")
        return {memory: category for category, memories in parts.items() for memory in memories}

    def _decided_so(self, category: str, yes: bool) -> bool:
        """Is there one receipt that says so, and the grant's where it was a yes."""
        decided = [each.body["reason"] for each in self._kind("request.decided") if each.body["category"] == category]
        granted = [each for each in self._kind("grant.made") if each.body["category"] == category]
        return len(decided) == 1 and (decided[0] != "denied") is yes and len(granted) == int(yes)

    def _agree(self, kind: str, categories: set[str], where: str) -> None:
        found = [str(receipt.body["category"]) for receipt in self._kind(kind)]
        if sorted(found) != sorted(categories):
            raise Altered(where, f"the receipts of the kind {kind} are not those of what it tells")

    def _hand_overs(self, chosen: Mapping[str, str], answered: bool) -> None:
        """Each memory handed over or refused has its receipt, the same in every member, and each receipt its event."""
        receipts = {int(receipt.body["seq"]): receipt for receipt in self.receipts}
        left, stayed = self._told("handed_over"), self._told("refused")
        for event in (*left, *stayed):
            where, body = f"{self.name} event {event.n}", event.body
            if chosen.get(body["memory"]) != body["category"]:
                raise Altered(where, "the memory was not chosen for this answer")
            receipt = receipts.get(body["seq"])
            if event.kind == "refused" and receipt is None and body["seq"] == 0:
                continue  # its receipt could not name the memory: it was gone
            if receipt is None:
                raise Altered(where, f"receipt {body['seq']}, which it names, is not in the file")
            said = {**receipt.body, "digest": receipt.digest, "chain_hash": receipt.chain_hash}
            if event.kind == "refused":
                said["category"] = body["category"]  # on a refusal's receipt there is none
            kind = {"handed_over": "value.read", "refused": "value.refused"}[event.kind]
            other = next((name for name in body if body[name] != said[name]), None)
            if said["kind"] != kind or other is not None:
                raise Altered(where, f"receipt {receipt.place} is another in its {other or 'kind'}")
        named = [event.body["seq"] for event in (*left, *stayed) if event.body["seq"]]
        if len(set(named)) != len(named):
            raise Altered(f"{self.name} event {left[-1].n if left else stayed[-1].n}", "a receipt is named twice")
        gone = {event.body["memory"] for event in stayed}
        for seq, receipt in receipts.items():
            told = seq in named or receipt.body["memory"] in gone
            if answered and receipt.body["kind"] == "value.read" and not told:
                raise Altered(receipt.place, f"no event of {self.name} tells this hand-over")

    def _told(self, kind: str) -> list[TurnEvent]:
        return [event for event in self.events if event.kind == kind]

    def _kind(self, kind: str) -> list[TurnReceipt]:
        return [receipt for receipt in self.receipts if receipt.body["kind"] == kind]

    def _one(self, kind: str, missing: bool = False) -> Any:
        found = self._kind(kind)
        if len(found) > 1:
            raise Altered(found[1].place, f"{self.name} has two receipts of the kind {kind}")
        if not found and not missing:
            raise Altered(self.name, f"its receipt of the kind {kind} is not in the file")
        return found[0] if found else None


class _FirstFacts(NamedTuple):
    """What a turn of `muniment-turn/1` was bound by: five facts, of which two are digests of texts in the file."""

    facts: dict[str, str]
    texts: dict[str, str]

    @classmethod
    def read(cls, said: Mapping[str, Any], where: str) -> "_FirstFacts":
        facts = an_object(said["facts"], ("model", "prompt", "question", "receipts", "response"), f"{where}.facts")
        texts = an_object(said["texts"], ("question", "response"), f"{where}.texts")
        if any(type(each) is not str for each in (*facts.values(), *texts.values())):
            raise Altered(where, "facts and texts are strings")
        return cls(facts, texts)

    def check(self, key: bytes, where: str) -> None:
        """Are the two texts those of the facts. Raises Altered."""
        for name, text in self.texts.items():
            if turn_digest(key, name, text.encode()).hex() != self.facts[name]:
                raise Altered(f"{where} texts.{name}", "its digest is another under the turn's key")


def _fits(found: Any, shape: Any) -> bool:
    """Has the JSON these members and types, no more and no fewer."""
    if isinstance(shape, dict):
        return (
            type(found) is dict and set(found) == set(shape) and all(_fits(found[name], shape[name]) for name in shape)
        )
    if isinstance(shape, list):
        return type(found) is list and all(_fits(each, shape[0]) for each in found)
    return type(found) is shape
