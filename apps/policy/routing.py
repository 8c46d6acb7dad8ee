"""What a client's text asks for, so that it becomes the right proposal; never a write.

English, and by fixed rules: the whole text has to be one plain statement that a rule knows, or it is `assert` and not
keyed. So a question, a quotation, code, a condition, a second statement, or a character that nobody sees make it
neither an erasure nor a correction: *what if I said forget that?* asks for nothing. But *can you forget my number?* is
a request, and of two statements, or halves of one, the second may say what is so instead of what the first denies.
Reaching too little is right here, for a client can always name directive and subject itself. Irony and jokes are out of
reach, and what *that* points to.
"""

import re
from collections.abc import Collection

from apps.policy.demanding import demand
from apps.policy.extracting import Extract, extract, symbol
from apps.policy.intents import Intent, Routed, as_known, named
from apps.policy.looks import UNSEEN, mixed
from apps.policy.owning import noun
from apps.policy.prints import negated
from apps.policy.saying import after, quotes, saying
from apps.policy.shapes import DAYS, FLAGS, VERDICTS, WHERE, plain, proper, spelled, sure, words_of
from apps.policy.text import MOST_EVIDENCE_LINE, hides

__all__ = ["LONGEST", "Intent", "Routed", "as_said", "route"]
LONGEST = 500  # characters; a longer text is an account, not an instruction


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
        instead = _instead(*said.two, known) if said.two is not None and not said.asks else None
        return instead if instead is not None else _nothing("it says more than one thing, or nothing")
    wanted = demand(said.statement, known, asks=said.asks)
    if wanted is not None:
        return wanted
    return _nothing("it is a question") if said.asks else _stated(said.statement, said.marked, known)


def as_said(text: str, routed: Routed, most: int = MOST_EVIDENCE_LINE) -> str:
    """What was said, on a line of at most `most` characters, with `…` for each value that was read off it; what is too
    long ends at a word. Empty where nothing else was said.
    """
    values = (routed.value, routed.old, *routed.more)
    for each in sorted({each for each in values if each}, key=len, reverse=True):
        whole = re.compile(rf"(?<!\w){re.escape(each)}(?!\w)")
        text = whole.sub("…", text) if whole.search(text) else text.replace(each, "…")
    line = " ".join(text.split())
    if len(line) > most:
        line = (line[:most].rpartition(" ")[0] or line[: most - 1]) + "…"
    return line if any(c.isalnum() for c in line) else ""


def _nothing(because: str) -> Routed:
    return Routed(Intent.ASSERT, None, None, None, f"Not keyed: {because}.")


def _replaced(found: Extract) -> Routed:
    why = (
        "One symbol takes the place of another." if found.subject else "Not keyed: the symbol's name makes no subject."
    )
    return Routed(Intent.CORRECT, found.subject, found.value, found.label, why, found.old)


# ---------------------------------------------------------------- what it says
_REMEMBER = re.compile(
    r"(?:(?:(?:please )?(?:remember|note)|keep in mind)(?: that|:)?|(?:do?n'?t|do not|never) forget(?: that|:)?) ",
    FLAGS,
)
_SAY = r"(?:said|mentioned|told you|stated|wrote)"
_AGAIN = re.compile(
    rf"(?:(?:as|like) (?:i(?:'ve)?(?: already)? {_SAY}|mentioned|stated)(?: before| earlier| already)?"
    r"|i(?:'ve| have)?(?: already)? (?:told you|said)(?: before| already| earlier| once)?(?: that)?"
    r"|i keep (?:telling you|saying)(?: that)?|i repeat(?: that)?)(?:[,:] | )"
    r"|(?:(?:just )?to repeat|(?:once )?(?:again|more)(?: before| earlier)?)[,:] ",
    FLAGS,
)
_CONTRAST = re.compile(r"(?P<said>.+?),(?: and)? not (?:(?:in|at|for) )?(?P<old>.+)", FLAGS)
_IT_IS = re.compile(
    r"(?:it(?:'?s| is| should be| should say)(?: now)?|i meant) (?P<value>.+?)"
    r"(?:(?:,? (?:and )?not|,? rather than|,? instead of) (?P<old>.+))?",
    FLAGS,
)
_WRONG = re.compile(
    r"(?:(?P<old>.+?) is wrong\s*[,;:-]+\s*it(?:'?s| is| should be) "
    r"|it(?:'?s (?:no longer|not)| is(?: no longer| not|n'?t)) (?P<gone>.+?)(?: any ?more)?[,;] (?:but )?"
    r"(?:it(?:'?s| is) )?(?:now )?"
    r"|not (?P<no>.+?)(?:,| but) )(?P<value>.+)",
    FLAGS,
)
_BUT = re.compile(r"(?P<value>.+?), not (?P<old>.+)", FLAGS)
_BY_ITSELF = tuple(
    re.compile(each, FLAGS) for each in (r"it(?:'?s| is) (?P<value>.+?) now", r"make (?:that|it) (?P<value>.+)")
)


def _stated(statement: str, marked: bool, known: Collection[str]) -> Routed:
    """A statement that demands nothing: something new, something put right, or something said before."""
    again = after(_AGAIN, statement)
    rest = statement[again:]
    rest = rest[after(_REMEMBER, rest) :]
    contrast = _CONTRAST.fullmatch(spelled(rest))
    old = rest[slice(*contrast.span("old"))] if contrast is not None and plain(contrast["old"]) else None
    said = rest[: contrast.end("said")] if contrast is not None and old is not None else rest
    found = as_known(extract(said), known) or _put(said, marked or old is not None, known)
    if old is not None and found is not None and found.value == said:
        found = None  # of what one says of many things, one is not in another's place
    if found is None:
        pointed = (_halves(rest, known) or _it_is(rest, marked)) if not again else None
        denies = "it denies something, and says nothing in its place" if negated(rest) else "no rule knows its subject"
        return pointed if pointed is not None else _nothing(denies)
    if found.symbol:
        return _replaced(found)
    more = (old or "", found.old or "")
    if (again or found.again) and found.subject in known:
        why = "It says that it was said before."
        return Routed(Intent.ECHO, found.subject, found.value, found.label or None, why, more=more)
    old = old or found.old
    if not marked and not found.changed and old is None:
        return Routed(Intent.ASSERT, found.subject, found.value, found.label, "It states this subject.")
    if found.subject in known:
        right = "It puts this subject right."
        return Routed(Intent.CORRECT, found.subject, found.value, found.label or None, right, old, more)
    why = "It puts something right, but nothing is kept under this subject."
    return Routed(Intent.ASSERT, found.subject, found.value, found.label, why, more=more)


_PUT = re.compile(
    r"(?:(?:my|(?:the )?user's) (?P<what>.+?)(?: is|:| are|(?P<should> should be))"
    r"|(?P<right>(?:the |my )?(?:correct|right|new) (?P<too>.+?)(?: is|:)))"
    r"(?P<now> now)? (?P<value>.+?)"
    r"|(?:my|(?:the )?user's) (?P<which>.+?) (?:(?:has |was |got )?changed to|became) (?P<new>.+)",
    FLAGS,
)


def _put(statement: str, marked: bool, known: Collection[str]) -> Extract | None:
    """A known subject, whatever it is, that is put right with what is surely a value: `my knife is now a 20 cm one`."""
    found = _PUT.fullmatch(spelled(statement))
    if found is None or not (marked or found["now"] or found["right"] or found["should"] or found["new"]):
        return None
    phrase = found["what"] or found["too"] or found["which"]
    value = statement[slice(*found.span("new" if found["new"] else "value"))]
    before = statement[: found.start("too")].split()[-1] if found["too"] else ""
    subject = named(phrase, known, before) if _is_one(phrase, value) else None
    return Extract(subject, "", value, changed=True) if subject is not None else None


def _is_one(phrase: str, value: str) -> bool:
    """Does the value look like one of what the phrase calls so; or, where no rule knows it, like one of anything?"""
    about = noun(phrase, mine=True)
    return about.fits(value) if about is not None else _a_value(value) and sure(value)


# ---------------------------------------------------------------- what is so instead of what is not
_DENIED = re.compile(
    r"(?P<before>.*?)(?:\b(?:no longer |(?:do|does) ?n[o']?t )|(?P<verb> is| am|'s|'m) ?(?:no longer|not) "
    r"|(?P<nt> is)n'?t |(?P<was> used to be ))(?P<rest>.+?)(?: any ?more)?",
    FLAGS,
)
_COMPLAINS = re.compile(
    r"(?:my|the) (?P<what>.+?)(?: you have)?"
    r" (?:(?:has |is |was )?changed|is (?:wrong|incorrect|outdated|out of date|not right))"
    r"|you(?:'ve)? (?:got|have|spelled|wrote) (?:my (?P<got>.+?) wrong|the wrong (?P<wrong>.+))",
    FLAGS,
)
_SO = re.compile(
    r"(?:but |and |now )*(?:(?:it(?:'?s| is| should be)|that's)(?: now)? )?(?P<value>.+?)(?:,? now)?", FLAGS
)
_HALVES = re.compile(r"(?P<one>.+?)(?:[,;]| -|(?= but ))\s+(?P<other>.+)", FLAGS)


def _halves(statement: str, known: Collection[str]) -> Routed | None:
    found = _HALVES.fullmatch(spelled(statement))
    if found is None:
        return None
    one, other = (statement[slice(*found.span(name))] for name in ("one", "other"))
    return _instead(one, other, known)


def _instead(one: str, other: str, known: Collection[str]) -> Routed | None:
    """*I don't live in Leeds any more; I live in Porto*, *my number changed, it's now 912 345 678*: one half says what
    is not so, the other what is so in its place, of one known subject.
    """
    complaint, so = _COMPLAINS.fullmatch(spelled(one)), _SO.fullmatch(spelled(other))
    if so is None:
        return None
    value = other[slice(*so.span("value"))]
    if complaint is not None:
        phrase = complaint[complaint.lastgroup or 0]
        subject = named(phrase, known) if _is_one(phrase, value) else None
        return Routed(Intent.CORRECT, subject, value, None, "It puts this subject right.") if subject else None
    was = _denied(one)
    now = as_known(_so(one, other, value, was), known) if was is not None else None
    was = as_known(was, known)
    if was is None or now is None or now.subject != was.subject or now.subject not in known or was.value == one:
        return None
    right, more = "It puts this subject right.", (was.old or "", now.old or "")
    return Routed(Intent.CORRECT, now.subject, now.value, now.label, right, was.value, more)


def _denied(statement: str) -> Extract | None:
    """What a denial denies, or what once was, as if it were said."""
    said = _as_said(statement)
    return extract(said) if said is not None else None


def _as_said(statement: str) -> str | None:
    found = _DENIED.fullmatch(spelled(statement))
    if found is None:
        return None
    verb = found["verb"] or found["nt"] or found["was"]
    before, rest = (statement[slice(*found.span(name))] for name in ("before", "rest"))
    return f"{before}{_FULL.get(verb.casefold(), verb)} {rest}" if verb else f"{before}{rest}"


_FULL = {"'s": " is", "'m": " am", " used to be ": " is"}


def _so(one: str, other: str, value: str, was: Extract) -> Extract | None:
    """What the other half says, alone or with the words of the first: `now lives in Porto`, `it's Dr. Costa`."""
    told = extract(value) or extract(other)
    who = re.match(r"(?:the )?user\b|i\b", spelled(one), FLAGS)
    if told is None and who is not None:
        told = extract(f"{who.group()} {value}")
    said = _as_said(one)
    if told is not None or value == other or said is None or not said.endswith(was.value):
        return told  # alone, a name may be that of whoever is spoken to
    return extract(said.removesuffix(was.value) + value)


def _it_is(statement: str, marked: bool) -> Routed | None:
    """*Actually it's Porto*, *it's Porto, not Leeds*: a correction of what only whoever was there can tell."""
    for pattern in (_WRONG, *_BY_ITSELF, _IT_IS, _BUT):
        found = pattern.fullmatch(spelled(statement))
        if found is None:
            continue
        value = statement[slice(*found.span("value"))]
        told = next((name for name in ("old", "gone", "no") if found.groupdict().get(name)), None)
        old = statement[slice(*found.span(told))] if told is not None else None
        both = (value, old or value)
        certain = all((proper(each) and not _a_time(each)) or any(c.isdigit() for c in each) for each in both)
        says_so = certain and (old is not None or pattern in _BY_ITSELF)
        if (marked or says_so) and all(_a_value(each) for each in both):
            why = "Not keyed: it puts something right, but does not say of what."
            return Routed(Intent.CORRECT, None, value, None, why, old)
    return None


def _a_value(text: str) -> bool:
    """`Porto`, `28 cm`, `the blue one`; not `raining`, `fine`, `on the table`."""
    if not plain(text):
        return False
    words = [word.casefold() for word in words_of(text)]
    happens = len(words) == 1 and words[0].endswith("ing") and text.islower()
    lies_somewhere = words[0] in WHERE and text.islower()
    return not happens and not lies_somewhere and words[-1] not in VERDICTS


def _a_time(text: str) -> bool:
    """`Monday`: what it is now, whatever one puts right."""
    return words_of(text)[-1].casefold() in DAYS
