"""A conversation as a file that is checked alone: turns, event by event, and their receipts, as JSON lines (RFC 8785).

    {"content":true,"first":9,"format":"muniment-conversation/1","last":14,"limits":[…],"previous_chain_hash":…,
     "turns":["trn_…"],"vault":"vlt_…"}
    {"turn":{"key":…,"turn":"trn_…","version":"muniment-turn/2"}}     each turn, followed by
    {"chain_hash":…,"digest":…,"event":{…}}                           its events
    {"chain_hash":…,"receipt":{…}}                                    each receipt of a turn, from `first` to `last`
    {"digests":[…]}                                                   what lies between them, by its digests alone
    {"pinned":{…}}                                                    or {"log":"not yet in the log"}

Without content there are no keys, and of the events their numbers and digests alone, which then nothing binds.
docs/conversation-file.md.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .bundle_parts import json_line, read_line, read_pinned
from .conversation_turn import TurnCheck, TurnReceipt
from .encoding import VERSION, genesis, next_hash, read
from .leaf import MOST_RECEIPTS, hyphenated
from .members import A_VAULT_ID, a_hex, a_list, a_number, a_text, an_object
from .opening import Binder
from .pinned import Judged, Pinned, Standing, judge
from .receipt_file import NO_WITNESS, NOT_YET, NOTHING_SIGNED, UNPINNED
from .strict import Malformed, counted, span
from .turn import FIRST_TURN_VERSION, TurnEvent, jcs
from .verdict import (
    CONTENT_NOT_CHECKED,
    NOTHING_KNOWN,
    Altered,
    Report,
    Trust,
    Unreadable,
    Verdict,
    altered,
    cant_check,
)

CONVERSATION = "muniment-conversation/1"
CONVERSATION_LIMITS = (
    "It shows what was recorded, and that the record was not changed after its checkpoint was signed.",
    "It does not show that the model received the prompt, or that the answer is right.",
    "What happened in a turn after its last turn receipt is bound by no receipt yet.",
    "It does not show that there are no other turns: it holds those that its first line names.",
    "Its times are the clocks of the instance.",
)
HOLDS_CONTENT = (
    "This file holds the conversation, and with it the keys of its digests: whoever has the file can read the "
    "conversation and check it. Give it only to whom you would show the conversation."
)
WITHOUT_CONTENT = (
    "This file holds no word of the conversation and no key: that its digests are of any particular words is not "
    "checked by it."
)
NOTHING_BINDS_THEM = (
    "It does not show the events of a turn: without the turn's key anybody could have left some out, or made some up."
)
DIGESTS_A_LINE = 1000
_CONVERSATION_MEMBERS = ("content", "first", "format", "last", "limits", "previous_chain_hash", "turns", "vault")
_TURN_NAME = re.compile(r"trn_[0-9a-f]{32}", re.ASCII)
_LONGEST_LINE = 64 << 20  # a prompt may hold fifty values
_CONVERSATION_ALTERED = "This conversation, or what shows it to be in the ledger, was altered."


# ---------------------------------------------------------------- writing
@dataclass(frozen=True, slots=True)
class ConversationHead:
    """The first line: whose, which turns (typed ids, oldest first), with content or not, and the span of receipts."""

    vault: str
    turns: tuple[str, ...]
    content: bool
    first: int
    last: int
    previous_chain_hash: bytes

    def line(self, pinned: Pinned | None, cosigned: bool) -> bytes:
        """The line, with the limits that belong to such a file."""
        limits = limits_of_conversation(self.content, pinned is not None, cosigned)
        return json_line(
            {
                "content": self.content,
                "first": self.first,
                "format": CONVERSATION,
                "last": self.last,
                "limits": list(limits),
                "previous_chain_hash": self.previous_chain_hash.hex(),
                "turns": list(self.turns),
                "vault": self.vault,
            }
        )


def limits_of_conversation(content: bool, pinned: bool, cosigned: bool) -> tuple[str, ...]:
    """What such a file does not show, and what it holds. There is no choice in it."""
    unproven = () if cosigned else (NO_WITNESS,) if pinned else (UNPINNED,)
    return (HOLDS_CONTENT if content else WITHOUT_CONTENT, *CONVERSATION_LIMITS, *unproven)


def turn_line(turn: str, version: str, key: bytes | None, more: dict[str, Any] | None = None) -> bytes:
    """A turn's own line; no key without content. `more`: facts and texts of an answered turn of muniment-turn/1."""
    said = {"turn": turn, "version": version} | ({"key": key.hex()} if key else {}) | (more or {})
    return json_line({"turn": said})


def event_line(event: TurnEvent, content: bool) -> bytes:
    """An event's line, with its body or without."""
    said: dict[str, Any] = read_line(event.canonical() + b"\n", "event") if content else {}
    said |= {} if content else {"n": event.n, "turn": event.turn}
    return json_line({"event": said, "digest": event.digest.hex(), "chain_hash": event.chain_hash.hex()})


def span_lines(receipts: Iterable[tuple[dict[str, str | int], bytes] | bytes]) -> Iterator[bytes]:
    """The lines of a run of receipts: (members, chain hash) of those that belong to it, the digest of the others."""
    between: list[str] = []
    for each in receipts:
        if isinstance(each, bytes):
            between.append(each.hex())
        if between and (len(between) == DIGESTS_A_LINE or not isinstance(each, bytes)):
            yield json_line({"digests": between})
            between = []
        if not isinstance(each, bytes):
            yield json_line({"chain_hash": each[1].hex(), "receipt": each[0]})
    if between:
        yield json_line({"digests": between})


def pinned_line(pinned: Pinned | None) -> bytes:
    """The last line."""
    return json_line({"pinned": pinned.to_json()} if pinned else {"log": NOT_YET})


# ---------------------------------------------------------------- checking
def verify_conversation(lines: Iterable[bytes], trust: Trust = NOTHING_KNOWN, openings: Sequence[bytes] = ()) -> Report:
    """Check a conversation, given as its lines with their newlines. Raises nothing, whatever the bytes are."""
    reading = _ConversationReading(lines, openings)
    try:
        reading.read()
    except Altered as problem:
        return altered("conversation", _CONVERSATION_ALTERED, problem.finding)
    except Unreadable as problem:
        return cant_check("conversation", str(problem))
    return reading.report(trust)


class _ConversationReading:
    """A conversation while it is read, once."""

    def __init__(self, lines: Iterable[bytes], openings: Sequence[bytes]) -> None:
        self._lines = iter(lines)
        self._number = 0
        self._binder = Binder(openings)
        self._turns: dict[str, TurnCheck] = {}
        self._pinned: Pinned | None = None
        self._standing: Standing | None = None

    def read(self) -> None:
        """Raises Altered for the first thing that does not hold, Unreadable for another format."""
        self._read_head()
        found = self._read_turns()
        found = self._read_span(found)
        for turn in self._turns.values():
            turn.settle(self._head.content)
        self._read_pinned(found)

    def _line(self) -> Any:
        """The JSON of the next line, None at the end."""
        self._number += 1
        parts: list[bytes] = []
        size = 0
        while not (parts and parts[-1].endswith(b"\n")) and (piece := next(self._lines, b"")):
            parts.append(piece)
            size += len(piece)
            if size > _LONGEST_LINE:
                raise Altered(f"line {self._number}", "no line of a conversation is as long")
        return read_line(b"".join(parts), f"line {self._number}") if parts else None

    def _next(self) -> dict[str, Any]:
        """The next line's object; there must be one."""
        found = self._line()
        if found is None:
            raise Altered(f"line {self._number}", "the file ends before this line: it is cut off")
        if type(found) is not dict:
            raise Altered(f"line {self._number}", "a line is a JSON object")
        return found

    def _read_head(self) -> None:
        said = self._next()
        if said.get("format") != CONVERSATION:
            raise Unreadable(f"This is no {CONVERSATION}: take the program that its first line asks for.")
        an_object(said, _CONVERSATION_MEMBERS, "manifest")
        if type(said["content"]) is not bool:
            raise Altered("manifest.content", "this must be true or false")
        if not A_VAULT_ID.fullmatch(a_text(said["vault"], "manifest.vault")):
            raise Altered("manifest.vault", "a vault is named vlt_ and 32 hex digits")
        names = [a_text(each, "manifest.turns") for each in a_list(said["turns"], "manifest.turns")]
        if not names or len(set(names)) != len(names) or not all(map(_TURN_NAME.fullmatch, names)):
            raise Altered("manifest.turns", "this names one turn or more, each once, trn_ and 32 hex digits")
        first, last = (a_number(said[name], f"manifest.{name}", MOST_RECEIPTS) for name in ("first", "last"))
        if not 1 <= first <= last:
            raise Altered("manifest.first", "the receipts run from number 1 at the earliest, up to the last")
        previous = a_hex(said["previous_chain_hash"], "manifest.previous_chain_hash")
        if first == 1 and previous != genesis(hyphenated(said["vault"])):
            raise Altered("manifest.previous_chain_hash", "before number 1 stands the vault's genesis")
        self._head = ConversationHead(said["vault"], tuple(names), said["content"], first, last, previous)
        self._limits = tuple(a_text(each, "manifest.limits") for each in a_list(said["limits"], "manifest.limits"))

    def _read_turns(self) -> dict[str, Any]:
        """Each turn that the first line names, in its order. Returns the first line that is none of theirs."""
        found = self._next()
        for name in self._head.turns:
            where = f"turn {name}"
            an_object(found, ("turn",), where)
            said = an_object(found["turn"], ("turn", "version"), where, ("key", "facts", "texts"))
            if said["turn"] != name:
                raise Altered(where, "the first line names this turn here, and another stands in its place")
            turn = self._turns[name] = TurnCheck(said, self._head.vault, self._head.content, where)
            while "event" in (found := self._next()):
                an_object(found, ("chain_hash", "digest", "event"), f"{name} event {turn.count + 1}")
                turn.add(found)
            turn.close()
        return found

    def _read_span(self, found: dict[str, Any]) -> dict[str, Any]:
        """The receipts, one chain from first to last. Returns the line after them."""
        seq, chain_hash = self._head.first - 1, self._head.previous_chain_hash
        while "receipt" in found or "digests" in found:
            if "digests" in found:
                said = a_list(an_object(found, ("digests",), "digests")["digests"], "digests")
                for each in said:
                    seq += 1
                    chain_hash = next_hash(chain_hash, a_hex(each, str(seq)))
            else:
                seq += 1
                chain_hash = self._receipt(found, seq, chain_hash)
            found = self._next()
        if seq != self._head.last:
            raise Altered("manifest.last", f"the receipts end with number {seq}")
        self._chain_hash = chain_hash
        return found

    def _receipt(self, found: dict[str, Any], seq: int, previous: bytes) -> bytes:
        where = str(seq)
        an_object(found, ("chain_hash", "receipt"), where)
        text = jcs(found["receipt"])
        try:
            body = read(text)
        except Malformed as problem:
            raise Altered(where, str(problem)) from None
        digest = hashlib.sha256(text).digest()
        chain_hash = next_hash(previous, digest)
        if body["seq"] != seq or body["vault"] != self._head.vault:
            name = "seq" if body["seq"] != seq else "vault"
            raise Altered(where, f"it is another in its {name}: one was taken away, added or moved")
        if chain_hash.hex() != found["chain_hash"]:
            raise Altered(where, "its bytes, or those before, are not those that its chain hash follows from")
        if body["v"] != VERSION:
            raise Unreadable(f"Receipt {seq} is of another version than {VERSION}: take a newer program.")
        turn = self._turns.get(str(body["turn"]))
        if turn is None:
            raise Altered(where, "it is of no turn that the first line names")
        turn.receipts.append(TurnReceipt(body, digest.hex(), chain_hash.hex()))
        self._binder.see(body)
        return chain_hash

    def _read_pinned(self, found: dict[str, Any]) -> None:
        self._pinned = read_pinned(found)
        if self._pinned is not None:
            self._standing = self._pinned.signed("pinned")
            vault = hyphenated(self._head.vault)
            self._pinned.hold(self._standing.checkpoint, vault, self._head.last, self._chain_hash, "pinned")
        cosigned = self._standing is not None and self._standing.cosigned
        if self._limits != limits_of_conversation(self._head.content, self._pinned is not None, cosigned):
            raise Altered("manifest.limits", "these are not the sentences that belong to such a file")
        if self._line() is not None:
            raise Altered(f"line {self._number}", "nothing belongs behind the last line")

    # ------------------------------------------------------------ what is said about it
    def report(self, trust: Trust) -> Report:
        """The report on a file in which everything holds."""
        judged = self._judged(trust)
        verdict, says, content, findings = self._binder.settle(*self._said(judged), "conversation")
        return Report(
            kind="conversation",
            checked=(*self._checked(), *judged.checked),
            coverage=self._coverage(),
            limits=self._limits if self._head.content else (*self._limits, NOTHING_BINDS_THEM),
            verdict=verdict,
            says=says,
            findings=findings,
            content=self._content(content) if judged.verdict.exit_code == 0 else CONTENT_NOT_CHECKED,
            checkpoint=self._standing.signed if self._standing else None,
        )

    @property
    def _these(self) -> str:
        events = sum(each.count for each in self._turns.values())
        return f"{counted(len(self._turns), 'turn')} with {counted(events, 'event')}"

    def _said(self, judged: Judged) -> tuple[Verdict, str]:
        """The verdict and its sentence. Without the keys they are of the receipts alone: nothing binds the events."""
        verdict, why = judged.verdict, judged.why
        if verdict.exit_code:
            return verdict, why
        if not self._head.content:
            hold = "The receipts hold" if verdict is Verdict.IN_LEDGER else "The receipts hold in themselves"
            says = f"{hold}; the events cannot be checked without the turn's key. {why}"
            return Verdict.EVENTS_NOT_CHECKED, says.rstrip()
        one = len(self._turns) == 1
        unaltered = f"{self._these} {'is' if one else 'are'} unaltered"
        if verdict is Verdict.IN_LEDGER:
            whose = "its" if one else "their"
            return verdict, f"{unaltered}, and {whose} receipts are lines of this vault's ledger."
        return verdict, f"{unaltered} in {'itself' if one else 'themselves'}. {why}"

    def _judged(self, trust: Trust) -> Judged:
        if trust.vault is not None and trust.vault != self._head.vault:
            why = f"This is a conversation of {self._head.vault}, not of {trust.vault}."
            return Judged(Verdict.UNKNOWN_KEY, why, ())
        if self._standing is not None:
            return judge(self._standing, trust)
        asked = bool(trust.logs or trust.policy)
        return Judged(Verdict.CANT_CHECK if asked else Verdict.NOT_CHECKED, NOTHING_SIGNED, ())

    def _checked(self) -> tuple[str, ...]:
        receipts = sum(len(each.receipts) for each in self._turns.values())
        found = []
        if self._head.content:
            found = [
                f"{self._these}: that each event's hash follows from the one before.",
                "That each event's digest is of its words, under the turn's key in the file.",
                "That each memory handed over has its receipt here, with the same commitment, digest and chain hash.",
                "That the turns' receipts are of these events, and of no others.",
            ]
        found.append(
            f"{counted(receipts, 'receipt')}, each one: its members, its number, and that its chain hash follows."
        )
        if self._pinned is not None:
            leaf, index = self._pinned.leaf, self._pinned.proof.index
            found.append(f"That the chain leads to receipt {leaf.seq}, whose hash is leaf {index} of the log.")
        return tuple(found)

    def _coverage(self) -> tuple[str, ...]:
        head = self._head
        found = [
            f"{span(head.first, head.last)} of {head.vault}: those of these turns in full, the others by their "
            "digests alone."
        ]
        open_ = [each.name for each in self._turns.values() if not each.answered]
        if open_:
            found.append(f"Not answered, so far as this file goes: {', '.join(open_)}.")
        if not head.content:
            found.append(
                "The events not at all: how many there were, and what they were, is bound by the receipts to the key."
            )
        old = [each.name for each in self._turns.values() if each.version == FIRST_TURN_VERSION]
        if old:
            found.append(
                f"From before there were events, so that the words of the prompt are not kept: {', '.join(old)}."
            )
        return tuple(found)

    def _content(self, added: str) -> str:
        """What was bound to words: the turns by their keys, and values by the openings that were added."""
        if not self._head.content:
            return added
        found = "content checked: the words of question, prompts and answer are those that the receipts bind"
        return found if added == CONTENT_NOT_CHECKED else f"{found}; {added.removeprefix('content checked: ')}"
