"""What a client's text asks for, so that it becomes the right proposal; never a write.

English, and by fixed rules: the whole text has to be one plain statement that a rule knows, or it is `assert` and not
keyed. So a question, a quotation, code, a condition, a second statement, or a character that nobody sees make it
neither an erasure nor a correction: *what if I said forget that?* asks for nothing. Reaching too little is right here,
for a client can always name directive and subject itself. Irony and jokes are out of reach, and what *that* points to.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from apps.policy.extracting import Extract, extract, plain, proper, spelled, symbol, words_of
from apps.policy.looks import UNSEEN, mixed
from apps.policy.prints import negated
from apps.policy.saying import after, quotes, saying
from apps.policy.text import hides

LONGEST = 500  # characters; a longer text is an account, not an instruction
_FLAGS = re.IGNORECASE | re.ASCII


class Intent(StrEnum):
    """What a text wants of the file: keep it, put it right, take the former value back, say it again, or erase."""

    ASSERT = "assert"
    CORRECT = "correct"
    REVERT = "revert"
    ECHO = "echo"
    ERASE = "erase"


@dataclass(frozen=True, slots=True)
class Routed:
    """A text as a proposal. `subject` None: not keyed, and `why` says so. `value` and `old` (what it takes the place
    of, where the text names it) are cut from the text as written; `label` is for a subject that is not known yet.

    A subject to correct, revert or erase is a known one. A symbol's is made from its name, known or not: that it is
    deprecated is recorded as a correction from `old` to `value`.
    """

    intent: Intent
    subject: str | None
    value: str | None
    label: str | None
    why: str
    old: str | None = None


def route(text: str, known: Collection[str]) -> Routed:
    """What this text wants, among the subjects that are `known` to whoever sent it."""
    if len(text) > LONGEST:
        return _nothing("it is long")
    if any(c in UNSEEN for c in text) or hides(text):
        return _nothing("it holds characters that are not seen")
    if mixed(text):
        return _nothing("it holds letters that look like others")
    replaced = symbol(text.strip().removesuffix("."))
    if replaced is not None:
        return _replaced(replaced)
    if quotes(text):
        return _nothing("it quotes something")
    said = saying(text)
    if said.statement is None:
        return _nothing("it says more than one thing, or nothing")
    if said.asks:
        polite = _POLITE.fullmatch(spelled(said.statement))
        wanted = _demand(said.statement[slice(*polite.span("rest"))], known) if polite is not None else None
        return wanted if wanted is not None else _nothing("it is a question")
    wanted = _demand(said.statement, known)
    return wanted if wanted is not None else _stated(said.statement, said.marked, known)


def _nothing(because: str) -> Routed:
    return Routed(Intent.ASSERT, None, None, None, f"Not keyed: {because}.")


def _replaced(found: Extract) -> Routed:
    why = (
        "One symbol takes the place of another." if found.subject else "Not keyed: the symbol's name makes no subject."
    )
    return Routed(Intent.CORRECT, found.subject, found.value, found.label, why, found.old)


# ---------------------------------------------------------------- what it says
_POLITE = re.compile(r"(?:can|could|would|will) you please (?P<rest>.+)", _FLAGS)
_REMEMBER = re.compile(
    r"(?:(?:remember|note|keep in mind)(?: that|:)|(?:don't|do not|never) forget(?: that|:)) ", _FLAGS
)
_AGAIN = re.compile(
    r"(?:as i(?: already)? (?:said|mentioned|told you)|like i (?:said|told you)|again|to repeat)"
    r"(?: before| earlier)?[,:] ",
    _FLAGS,
)
_CONTRAST = re.compile(r"(?P<said>.+?), not (?P<old>.+)", _FLAGS)
_IT_IS = re.compile(r"(?:it(?:'s| is)|i meant) (?P<value>.+?)(?:,? (?:and )?not (?P<old>.+))?", _FLAGS)
_WRONG = re.compile(r"(?P<old>.+?) is wrong\s*[,;:-]+\s*it(?:'s| is) (?P<value>.+)", _FLAGS)
_VERDICTS = frozenset(
    "fine ok okay good great nice bad awful true false right wrong correct incorrect easy hard difficult complicated"
    " possible impossible funny weird strange interesting late early over done fun sad cold hot warm better worse"
    " well joke lie secret pity shame mistake question test trick matter".split()
)


def _stated(statement: str, marked: bool, known: Collection[str]) -> Routed:
    """A statement that demands nothing: something new, something put right, or something said before."""
    again = after(_AGAIN, statement)
    rest = statement[again:]
    rest = rest[after(_REMEMBER, rest) :]
    contrast = _CONTRAST.fullmatch(spelled(rest))
    old = rest[slice(*contrast.span("old"))] if contrast is not None and plain(contrast["old"]) else None
    said = rest[: contrast.end("said")] if contrast is not None and old is not None else rest
    found = extract(said)
    if old is not None and found is not None and found.value == said:
        found = None  # of what one says of many things, one is not in another's place
    if found is None:
        pointed = _it_is(rest, marked) if not again else None
        denies = "it denies something, and says nothing in its place" if negated(rest) else "no rule knows its subject"
        return pointed if pointed is not None else _nothing(denies)
    if found.old is not None:
        return _replaced(found)
    if again and found.subject in known:
        return Routed(Intent.ECHO, found.subject, found.value, found.label, "It says that it was said before.")
    if not marked and not found.changed and old is None:
        return Routed(Intent.ASSERT, found.subject, found.value, found.label, "It states this subject.")
    if found.subject in known:
        return Routed(Intent.CORRECT, found.subject, found.value, found.label, "It puts this subject right.", old)
    why = "It puts something right, but nothing is kept under this subject."
    return Routed(Intent.ASSERT, found.subject, found.value, found.label, why)


def _it_is(statement: str, marked: bool) -> Routed | None:
    """*Actually it's Porto*, *it's Porto, not Leeds*: a correction of what only whoever was there can tell."""
    typed = spelled(statement)
    found = _WRONG.fullmatch(typed) or _IT_IS.fullmatch(typed)
    if found is None:
        return None
    value = statement[slice(*found.span("value"))]
    old = statement[slice(*found.span("old"))] if found["old"] else None
    sure = all(proper(each) or any(c.isdigit() for c in each) for each in (value, old or value))
    if not (marked or (old is not None and sure)) or not all(_a_value(each) for each in (value, old or value)):
        return None
    why = "Not keyed: it puts something right, but does not say of what."
    return Routed(Intent.CORRECT, None, value, None, why, old)


_WHERE = frozenset("on in at by of under over near up down out off".split())


def _a_value(text: str) -> bool:
    """`Porto`, `28 cm`, `the blue one`; not `raining`, `fine`, `on the table`."""
    if not plain(text):
        return False
    words = [word.casefold() for word in words_of(text)]
    happens = len(words) == 1 and words[0].endswith("ing") and text.islower()
    lies_somewhere = words[0] in _WHERE and text.islower()
    return not happens and not lies_somewhere and words[-1] not in _VERDICTS


# ---------------------------------------------------------------- what it demands
_FROM_FILE = r"(?: from (?:my|your|the) (?:memory|memories|file|vault|records))"
_VERB = r"(?:forget|delete|erase|remove)"
_ERASE = re.compile(
    rf"forget (?:that|this)|{_VERB} (?:that|this|it){_FROM_FILE}|{_VERB} (?:that|this|the last) (?:memory|fact|entry)"
    r"|forget what i (?:just )?(?:said|told you)",
    _FLAGS,
)
_ERASE_ALL = re.compile(
    rf"forget (?:everything|all)(?: (?:that )?(?:you know|i (?:said|told you)))?(?: about me)?"
    rf"|{_VERB} everything{_FROM_FILE}",
    _FLAGS,
)
# Without a word about the file, `delete my email` may be about a letter; `delete my phone number` is not.
_ERASE_NAMED = re.compile(
    rf"(?:forget|forget what i (?:said|told you) about) my (?P<what>.+?){_FROM_FILE}?"
    rf"|{_VERB} my (?P<kept>.+?){_FROM_FILE}|{_VERB} my (?P<long>\S+ .+)",
    _FLAGS,
)
_ERASE_SAID = re.compile(r"forget that (?P<said>i .+|my .+)", _FLAGS)
_REVERT = re.compile(
    r"(?:go back|undo|revert)(?: to (?:(?:the|my) (?:previous|old|former|earlier) (?:one|value|version)|what it was))?"
    r"|(?:undo|revert) (?:that|this|it|the last (?:change|correction))|(?:change|put|set) (?:it|that) back",
    _FLAGS,
)
_REVERT_NAMED = re.compile(
    r"(?:go back to|restore|use) (?:my|the) (?:old|previous|former|earlier) (?P<what>.+?)(?: again)?"
    r"|revert my (?P<too>.+)",
    _FLAGS,
)
_CHANGE = re.compile(r"(?:change|update|correct) my (?P<what>.+?) to (?P<value>.+)", _FLAGS)
_CALLED = {
    **dict.fromkeys(("phone", "phone number", "mobile number"), "contact.phone"),
    **dict.fromkeys(("email", "e-mail", "email address", "e-mail address"), "contact.email"),
    **dict.fromkeys(("date of birth",), "birthday"),
    **dict.fromkeys(("home city", "home town"), "home.city"),
}


def _demand(statement: str, known: Collection[str]) -> Routed | None:
    """An instruction to erase, to take back, or to change something by its name."""
    typed = spelled(re.sub(r",? please\Z", "", statement, flags=_FLAGS))
    if _ERASE.fullmatch(typed):
        return Routed(Intent.ERASE, None, None, None, "Not keyed: it does not say what is to be forgotten.")
    if _ERASE_ALL.fullmatch(typed):
        return Routed(
            Intent.ERASE, None, None, None, "Not keyed: it means everything, and a proposal is about one thing."
        )
    if _REVERT.fullmatch(typed):
        return Routed(Intent.REVERT, None, None, None, "Not keyed: it does not say what is to be as it was.")
    named = _ERASE_NAMED.fullmatch(typed)
    if named is not None and (subject := _named(named[named.lastgroup or 0], known)) is not None:
        return Routed(Intent.ERASE, subject, None, None, "It asks for this subject to be forgotten.")
    said = _ERASE_SAID.fullmatch(typed)
    stated = extract(statement[slice(*said.span("said"))]) if said is not None else None
    if stated is not None and stated.subject in known:
        return Routed(Intent.ERASE, stated.subject, None, None, "It asks for this subject to be forgotten.")
    named = _REVERT_NAMED.fullmatch(typed)
    if named is not None and (subject := _named(named[named.lastgroup or 0], known)) is not None:
        return Routed(Intent.REVERT, subject, None, None, "It asks for this subject to be as it was.")
    named = _CHANGE.fullmatch(typed)
    if named is not None and (subject := _named(named["what"], known)) is not None:
        value = statement[slice(*named.span("value"))]
        if plain(value, 12):
            return Routed(Intent.CORRECT, subject, value, None, "It puts this subject right.")
    return None


def _named(phrase: str, known: Collection[str]) -> str | None:
    """The one known subject that a phrase names: by another name for it, all its words, or its last ones."""
    called = _CALLED.get(phrase.casefold())
    if called is not None:
        return called if called in known else None
    wanted = re.split(r"[\s_-]+", phrase.casefold())
    for depth in (0, -1):  # all words first, then the last part of the path
        found = [each for each in known if re.split(r"[._-]+", ".".join(each.split(".")[depth:])) == wanted]
        if found:
            return found[0] if len(found) == 1 else None
    return None
