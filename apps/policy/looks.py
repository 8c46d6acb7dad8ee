"""What a text says to the eye: the letters that are seen, whichever script each was taken from.

After UTS #39 (Unicode Security Mechanisms). A word that mixes scripts, and that in one of them would look the same, is
read in that one: `Lееds` with two Cyrillic letters is `Leeds`. A word of one script stays as it is, and so do Japanese
beside Latin and a script's signs among letters (`TGFβ`, `kΩ`). Letters set apart (`L e e d s`) are read together; bold,
wide and other forms are the letters that they are forms of; strokes through letters, and what is not seen, are left
out. Digits for letters (`L33ds`) are not read, nor `rn` as `m`.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from apps.policy.twins import LIKE_CAPITALS, TWINS

# Scripts that write no blanks between words, or set them freely: every character is a token.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
# Shown by nobody, though not all of them are of a hidden category: fillers, joiners, selectors, the Arabic stretch.
UNSEEN = frozenset("\u034f\u0640\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
BLANK_PICTURE = "\u2800"  # of Braille, without a dot: nobody sees it, and it holds words apart as a blank does
# Code points that show as nothing wherever they stand (Unicode's Default_Ignorable_Code_Point), assigned or not.
_IGNORED = "\u2065\ufe00-\ufe0f\ufff0-\ufff8\U000e0000-\U000e0fff"
_MAY_BE_UNSEEN = re.compile(f"[{''.join(sorted(UNSEEN))}{_IGNORED}]")
_MARKS = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
# The one twin of a script without blanks: an o, by itself where no other letter of its script is beside it.
_WA = "\u101d"
_WORD = re.compile(rf"(?:[^\W{UNSPACED}]|[{_MARKS}]|(?<![{UNSPACED}]){_WA}(?![{UNSPACED}]))+")
_APART = re.compile(
    rf"(?<!\w)(?P<all>(?:[^\W\d_{UNSPACED}][{_MARKS}]*(?:[^\S\n\r]{{1,3}}|[^\S\n\r]?[._·•*|/~,‐‑–-][^\S\n\r]?)){{2,}}"
    rf"[^\W\d_{UNSPACED}][{_MARKS}]*)(?!\w)"
)
_LETTER = re.compile(rf"[^\W_]|[{_MARKS}]")
_ODD = re.compile(r"[^\t-\r -~]")
_LATIN_TWINS = TWINS | LIKE_CAPITALS
_LATIN, _GREEK, _CYRILLIC = "LATIN", "GREEK", "CYRILLIC"
_OF_SCRIPT = {_GREEK: re.compile("[\u0370-\u03ff\u1f00-\u1fff]"), _CYRILLIC: re.compile("[\u0400-\u052f]")}
_ALPHABETS = {_GREEK: ("\u0386", "\u03ce"), _CYRILLIC: ("\u0400", "\u045f")}  # what is written today
_ALL_TWINS = re.compile(r"(?:[ABCEHIJKMOPSTXYaceijopsxy]|[^A-Za-z])*", re.ASCII)
_SIGNS = frozenset("αγκστ")  # of mathematics and chemistry, beside a Latin word and told from its letters
_ENDING = re.compile("[A-Z]{2,}[а-яё]+[0-9]*")  # what Russian adds to a Latin abbreviation
_LEAST_WHOLE = 3  # letters of a word of one script that is read in another: shorter ones are words of most languages


def plainly(text: str) -> tuple[str, list[int]]:
    """What the text says to the eye; and of each of its characters which one of the text it stands for (empty: the same
    one, or there is none)."""
    seen, places = _cleared(text)
    if seen.isascii():
        return seen, places
    told = _read(seen)
    places = places or list(range(len(seen)))
    return "".join(told), [place for place, said in zip(places, told, strict=True) for _ in said]


def readings(text: str) -> tuple[str, ...]:
    """All that a text may be read as: first what it says to the eye, then as it is written, then with those words that
    look the same in another script (Latin, Greek, Cyrillic) written in that. Nearly always it is one."""
    seen, _ = _cleared(text)
    found = ["".join(_read(seen)), text]
    if not seen.isascii():
        found.append(_whole_words(seen, _LATIN))
    alike = _ALL_TWINS.fullmatch(seen) is not None
    found += [_whole_words(seen, script) for script, of in _OF_SCRIPT.items() if alike or of.search(seen) is not None]
    return tuple(dict.fromkeys(found))


def mixed(text: str) -> bool:
    """Has any word of it a letter that only looks as though it belonged there?"""
    return any(True for _ in posing(text))


def posing(text: str) -> Iterator[int]:
    """The places of letters that look like letters of another script, in words which are of that one otherwise."""
    for start, word in _foreign(text):
        read = _resolved(word)
        if read is None:
            continue
        changed = [index for index, (c, said) in enumerate(zip(word, read, strict=True)) if c != said]
        edges = (0, len(word.rstrip("0123456789")) - 1)
        sign = len(changed) == 1 and changed[0] in edges and word[changed[0]] in _SIGNS
        if not sign and _ENDING.fullmatch(word) is None:
            yield from (start + index for index in changed)


def unseen(c: str) -> bool:
    """Is it a character that nobody sees?"""
    if " " <= c <= "~" or c.isspace():
        return False
    return _MAY_BE_UNSEEN.match(c) is not None or unicodedata.category(c) in ("Cf", "Cc")


def all_seen(text: str) -> bool:
    """Is every character of it seen, at a glance? So it is of nearly every text; of what is not plain, look at each."""
    return text.isprintable() and (text.isascii() or _MAY_BE_UNSEEN.search(text) is None)


@cache
def _left_out(c: str) -> bool:
    """Nobody sees it; or it is a stroke through a letter, or a ring around one."""
    return unseen(c) or (c > "~" and (unicodedata.combining(c) == 1 or unicodedata.category(c) == "Me"))


def _read(seen: str) -> list[str]:
    """A text's characters, those of words of several scripts in the one in which they look the same."""
    told = list(seen)
    for start, word in _foreign(seen):
        told[start : start + len(word)] = _resolved(word) or word
    return told


@cache
def _unadorned(c: str) -> str:
    """The letter or digit that this one is a form of: a wide or bold one, one in a circle, a Latin small capital."""
    if c in _LATIN_TWINS and _script(c) == _LATIN:
        return _LATIN_TWINS[c]
    plain = unicodedata.normalize("NFKC", c)
    return plain if len(plain) == 1 and plain.isalnum() else c


def _cleared(text: str) -> tuple[str, list[int]]:
    """The text without what is not seen, its letters together and in no fancy form (wide, bold, in a circle); and where
    each character stood, as in `plainly`.
    """
    if _ODD.search(text) is None and _APART.search(text) is None:
        return text, []
    places = [index for index, c in enumerate(text) if not _left_out(c)]
    seen = "".join(_unadorned(text[index]) for index in places)
    between: set[int] = set()
    for found in _APART.finditer(seen):
        letters = {found.start() + each.start() for each in _LETTER.finditer(found["all"])}
        between |= {*range(found.start(), found.end())} - letters
    kept = [at for at in range(len(places)) if at not in between]
    return "".join(seen[at] for at in kept), [places[at] for at in kept]


# ---------------------------------------------------------------- scripts
def _foreign(text: str) -> Iterator[tuple[int, str]]:
    """The words that are not plain ASCII, and where they begin."""
    if text.isascii():
        return
    for found in _WORD.finditer(text):
        if not found.group().isascii():
            yield found.start(), found.group()


@cache
def _script(c: str) -> str:
    """The script of a letter, by its Unicode name; "" for what is none."""
    base = unicodedata.normalize("NFKD", c)[0]
    return unicodedata.name(base, "").partition(" ")[0] if base.isalpha() else ""


def _scripts(word: str) -> set[str]:
    return {*map(_script, word)} - {""}


def _resolved(word: str) -> list[str] | None:
    """A word of several scripts, letter by letter, in the one of them in which it looks the same: the one that most of
    it is of. None where there is none, or it is of one script."""
    if len(_scripts(word)) < 2:
        return None
    of_each = [_script(c) for c in word]
    wanted = [script for script in (_LATIN, *_OF_SCRIPT) if script == _LATIN or of_each.count(script) > 1]
    for script in sorted(wanted, key=of_each.count, reverse=True):
        read = _in(script, word, _LATIN_TWINS if script == _LATIN else TWINS, ell=False)
        if read is not None:
            return read
    return None


def _whole_words(text: str, script: str) -> str:
    """The text with every word in this script that looks the same in it, in the way that `_resolved` does not take."""
    told = list(text)
    for found in _WORD.finditer(text):
        word = found.group()
        if len(_scripts(word)) > 1:
            twins = _LATIN_TWINS if script == _LATIN else TWINS
            told[found.start() : found.end()] = _in(script, word, twins) or _resolved(word) or word
        elif len(word) >= _LEAST_WHOLE:
            told[found.start() : found.end()] = _in(script, word, TWINS) or word
    return "".join(told)


def _in(script: str, word: str, twins: dict[str, str], *, ell: bool = True) -> list[str] | None:
    """The word in a script, letter by letter; None where one of its letters has no twin there. What may be `I` as well
    as `l` is an `l`; without `ell`, only behind a small letter.
    """
    read: list[str] = []
    for c in word:
        if _script(c) in (script, ""):
            read.append(c)
            continue
        apart = unicodedata.normalize("NFKD", c)
        base, marks = apart[0], apart[1:]
        letter = base if base.isascii() else twins.get(base)
        if letter == "l" and base != base.lower() and not ell and not (read and read[-1].islower()):
            letter = "I"
        twin = letter if script == _LATIN else _writes(script).get(letter or "")
        if twin is None:
            return None
        read.append(unicodedata.normalize("NFC", twin + marks))
    return read


@cache
def _writes(script: str) -> dict[str, str]:
    """How this script's alphabet writes what looks like a basic Latin letter."""
    first, last = _ALPHABETS[script]
    found = {letter: twin for twin, letter in sorted(TWINS.items(), reverse=True) if first <= twin <= last}
    return found | ({"I": found["l"]} if "l" in found else {})
