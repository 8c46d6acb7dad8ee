"""What is recognised again of a text that nobody may read again: its tokens, and the places where runs of them stand.

Two texts that differ in case, blanks, hidden characters, composed or decomposed letters (NFC, NFD), full or half width,
the digits of another script, quotation marks and brackets have the same tokens. Signs that change a meaning stay: `A+`
is not `A-`, `5 %` is not `5`. Letters of two scripts that look alike stay apart, and so do `e` and `é`: how a
text looks is told by `apps.policy.looks` beforehand.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import accumulate

from apps.policy.forms import rewritten
from apps.policy.looks import BLANK_PICTURE, UNSPACED, plainly, unseen
from apps.policy.text import lines


@dataclass(frozen=True, slots=True)
class Print:
    """A version's value as the vault can recognise it: keyed digests, nothing that can be read.

    `whole` is of `whole(text)`, `words` of the text's distinct stemmed words, `length` how many tokens it has;
    `numbers` is of `numbers(text)`, and `negated` is `negated(text)`: what tells two texts of the same words apart.
    `also` are the prints of what the same text may be read as besides, and have none of their own. `long` are those of
    its numbers that are long ones, where the text is at hand; None: nobody knows which are.
    """

    whole: bytes
    words: frozenset[int]
    length: int
    numbers: frozenset[int] = frozenset()
    negated: bool = False
    also: tuple["Print", ...] = ()
    long: frozenset[int] | None = field(default=None, compare=False)

    @property
    def read(self) -> tuple["Print", ...]:
        """All that it may be read as, what it says first of all."""
        return (self, *self.also)

    def with_forms(self, words: frozenset[int], numbers: frozenset[int]) -> "Print":
        """This one, which may be read with more words and numbers: other forms of those that it has."""
        if words <= self.words and numbers <= self.numbers:
            return self
        wide = replace(self, words=self.words | words, numbers=self.numbers | numbers, also=())
        return replace(self, also=(*self.also, wide))


@dataclass(frozen=True, slots=True)
class Token:
    """A token and where it begins: line and column count from 1, columns in characters of the text as written."""

    line: int
    column: int
    text: str
    other: bool = False  # the text says it in another form
    written: str = field(default="", compare=False)  # as the text has it: its capitals stay


@dataclass(frozen=True, slots=True)
class Span:
    """A run of tokens joined by blanks, as `whole` writes a value. `part`: a piece of a dotted name, such as `old_api`
    of `lib.old_api`, which is a find for a symbol, or where it is `coded` (see `is_code`), and for nothing else."""

    line: int
    column: int
    text: str
    part: bool = False
    coded: bool = field(default=False, compare=False)


# Second halves that are no marks: conjoining jamo, and the half-width signs of voiced kana.
_SECOND = re.compile("[\u1160-\u11ff\ud7b0-\ud7ff\uff9e\uff9f]")
_ALIKE = str.maketrans({"’": "'", "ʼ": "'", "‘": "'", "‐": "-", "‑": "-", "–": "-", "−": "-", "ı": "i", "İ": "i"})
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_SEGMENT = re.compile(r"\w+(?:(?:\.|::)\w+)*")
_LONG_NUMBER = 7
MOST_OTHERWISE = 2000


@cache
def _grammar() -> re.Pattern[str]:
    marks = _ranges("M")
    signs = _ranges("S", without="`|")
    letter = rf"(?:[^\W{UNSPACED}]|[{marks}])"
    inner = r"(?:::|://|[.'@/-]|(?<=\d)[,:](?=\d))"
    return re.compile(
        rf"[{UNSPACED}][{marks}]*"
        rf"|{letter}+(?:{inner}{letter}+)*"
        rf"|[{signs}%‰&]"
        r"|(?<![\w\s-])#(?=\w)|(?<=\w)[#-](?![\w#-])|(?<![\w-])[#-](?=\w)"
    )


def _ranges(family: str, without: str = "") -> str:
    """The characters of a family of general categories, as they stand in a character class."""
    found: list[tuple[int, int]] = []
    for code in range(0x20, 0x20000):
        if unicodedata.category(chr(code))[0] != family or chr(code) in without:
            continue
        if found and found[-1][1] == code - 1:
            found[-1] = (found[-1][0], code)
        else:
            found.append((code, code))
    return "".join(f"{re.escape(chr(first))}-{re.escape(chr(last))}" for first, last in found)


def tokens(text: str) -> list[str]:
    """The text's tokens in their order: words, names with their inner `.` `-` `'` `@` `/` `::`, numbers with theirs,
    signs, and each character of a script that writes no blanks."""
    return [token for line in lines(text) for token in _grammar().findall(_folded(line)[0])]


def whole(text: str) -> str:
    """The text as it is compared: its tokens joined by blanks. A text without any (`…`) stands for itself."""
    return _whole(text, tokens(text))


def _whole(text: str, found: list[str]) -> str:
    return " ".join(found) or "".join(text.split())


def told(text: str) -> tuple[str, list[str], bool]:
    """`whole`, `numbers` and `negated` of a text that is read once."""
    found = tokens(text)
    return _whole(text, found), _numbers(" ".join(found)), _negated(found)


def located(text: str, *, as_seen: bool = False) -> Iterator[Token]:
    """The text's tokens and where each begins. Lines end at LF, CR or both, as editors count them. With `as_seen` they
    are those of what each line says to the eye."""
    for number, line in enumerate(lines(text), 1):
        said, origins = plainly(line) if as_seen else (line, [])
        for start, end, token in _standing(said):
            yield Token(number, (origins[start] if origins else start) + 1, token, written=said[start:end])


def _standing(said: str) -> Iterator[tuple[int, int, str]]:
    """The tokens of a line: where each begins and ends in it, and the token."""
    folded, places = _folded(said)
    for match in _grammar().finditer(folded):
        first, last = match.start(), match.end() - 1
        start, end = (places[first], places[last]) if places else (first, last)
        yield start, end + 1, match.group()


def otherwise(text: str) -> Iterator[list[Token]]:
    """The text's tokens once more for each way in which something in it may be written otherwise (`28cm` as `28 cm`, a
    date, a time, a number in words, plain letters): what is written so is marked as `other`, and stands where it did.
    After the lines in which the first 2,000 of it stand, a text is read as it is written.
    """
    told: dict[int, list[list[Token]]] = {}
    left = MOST_OTHERWISE
    for number, line in enumerate(lines(text), 1):
        if left <= 0:
            break
        said, origins = plainly(line)
        for way in rewritten(said):
            tokens = []
            for start, end, token in _standing(way.text):
                at = way.places[start]
                tokens.append(Token(number, (origins[at] if origins else at) + 1, token, any(way.other[start:end])))
            told.setdefault(number, []).append(tokens)
        left -= max((sum(each.other for each in way) for way in told.get(number, ())), default=0)
    if not told:
        return
    plain: dict[int, list[Token]] = {}
    for each in located(text, as_seen=True):
        plain.setdefault(each.line, []).append(each)
    for way_of in range(max(map(len, told.values()))):
        found = {number: ways[way_of] for number, ways in told.items() if way_of < len(ways)}
        yield [token for number in sorted({*plain, *found}) for token in found.get(number, plain.get(number, []))]


def spans_otherwise(ways: Iterable[Sequence[Token]], lengths: Collection[int]) -> Iterator[Span]:
    """`spans`, of these lengths, of what `otherwise` told: those in which something is written otherwise."""
    sizes = sorted(lengths)
    for tokens in ways:
        before = list(accumulate((each.other for each in tokens), initial=0))
        back = range(max(sizes, default=0))
        near = {at - each for at, token in enumerate(tokens) if token.other for each in back if at >= each}
        for index in sorted(near):
            for size in sizes:
                if index + size <= len(tokens) and before[index + size] > before[index]:
                    run = " ".join(each.text for each in tokens[index : index + size])
                    yield Span(tokens[index].line, tokens[index].column, run)


def spans(text: str, longest: int, lengths: Collection[int] | None = None) -> Iterator[Span]:
    """Every run of 1 to `longest` tokens, and the pieces of dotted names. Who knows how many tokens the sought values
    have gives `lengths` and is spared the other runs. A run may go on over line ends. Read is what the text says to the
    eye, and told is where that stands in it."""
    found = list(located(text, as_seen=True))
    sizes = [size for size in range(1, longest + 1) if lengths is None or size in lengths]
    for index, token in enumerate(found):
        for size in sizes:
            if index + size <= len(found):
                run = " ".join(each.text for each in found[index : index + size])
                yield Span(token.line, token.column, run)
        if 1 in sizes:
            yield from _parts(token)


def _parts(token: Token) -> Iterator[Span]:
    """The shorter names in `a.b.c`: `a`, `a.b`, `b`, `b.c`, `c`; and in a path or beside an operator what is written as
    only code is: `old_api` in `lib/old_api` and `old_api-1`. Not of `3.11`, `well-known` or `anna@example.org`.
    """
    for segment in _SEGMENT.finditer(token.text):
        names = [match.span() for match in _IDENTIFIER.finditer(token.text, segment.start(), segment.end())]
        entire = len(segment.group()) == len(token.text)
        if not entire and ("@" in token.text or not any(_coded(token, *name) for name in names)):
            continue
        for first in range(len(names)):
            for last in range(first, len(names)):
                start, end = names[first][0], names[last][1]
                if end - start < len(token.text):
                    said, coded = token.text[start:end], _coded(token, start, end)
                    yield Span(token.line, token.column + start, said, part=True, coded=coded)


def _coded(token: Token, start: int, end: int) -> bool:
    """Is this piece of it code, by its capitals or by its signs, whatever width these have? Where folding has changed
    how long the token is, nobody knows which capitals are the piece's."""
    alike = len(token.written) == len(token.text)
    return is_code(token.text[start:end]) or (alike and is_code(token.written[start:end]))


def is_code(name: str) -> bool:
    """Has it the shape of a name in a program, as it is written: with `_`, a capital inside, or `.` or `::` between its
    parts? `old_api`, `oldApi` and `lib.old` have; `get`, `Leeds` and `NASA` have not.
    """
    inner = any(map(str.isupper, name[1:])) and not name.isupper()
    return _SEGMENT.fullmatch(name) is not None and (inner or any(sign in name for sign in ("_", ".", "::")))


def sought(text: str) -> bool:
    """May this value be looked for in any text? One short word or number alone (`5`, `yes`, `tea`) stands everywhere
    and means nothing: it takes two tokens with a letter or digit, or four characters in one."""
    said = [token for token in tokens(text) if any(c.isalnum() for c in token)]
    return len("".join(said)) >= 4 or (len(said) >= 2 and not all(len(token) == 1 for token in said))


def numbers(text: str) -> list[str]:
    """The numbers of a text, distinct, in their order: `24`, `3.5` (also from `3,5`), `2026-10-02`, `14:30`.

    Groups that make one long number (a phone, a card) are given once as `…` and the last seven digits, so that
    `+351 912 345 678` and `912345678` share it. Numbers in words (`two`) are not read.
    """
    return _numbers(" ".join(tokens(text)))


def _numbers(folded: str) -> list[str]:
    found: dict[str, None] = {}
    for match in _RUN.finditer(folded):
        run = match.group()
        long = _long(run)
        if long:
            found[long] = None
            continue
        for each in re.findall(r"\d+(?:[.,:/-]\d+)*", run):
            found[_decimal(each)] = None
    return list(found)


_RUN = re.compile(r"(?<![\w.,:/-])\d[\d.,:/-]*(?:[ -]+\d[\d.,:/-]*)*(?!\w)")


def _long(run: str) -> str:
    """What one long number in groups is known by; "" where it is none."""
    digits = re.sub(r"\D", "", run)
    one = len(digits) >= _LONG_NUMBER and not re.search(r"\d{4}-\d\d-\d\d|[:]|/\d", run)
    return "…" + digits[-_LONG_NUMBER:] if one else ""


def is_long(number: str) -> bool:
    """Is it a long number, as `numbers` gives it?"""
    return number.startswith("…")


def long_numbers(text: str) -> Iterator[tuple[Span, str]]:
    """The long numbers of a text where they stand in it, as the eye reads it, each as `numbers` gives it."""
    for number, line in enumerate(lines(text), 1):
        said, origins = plainly(line)
        for match in _RUN.finditer(said):
            long = _long(match.group())
            if long:
                start = match.start()
                yield Span(number, (origins[start] if origins else start) + 1, match.group().rstrip(" .,:/-")), long


def numbers_of_each(forms: str) -> list[str]:
    """The numbers of several forms of texts, written one behind the other: each for itself, and those of all."""
    found = [_long(each) or _decimal(each) for each in re.findall(r"\d+(?:[.,:/-]\d+)*", forms)]
    return list(dict.fromkeys([*numbers(forms), *found]))


def _decimal(number: str) -> str:
    """`3,5` is `3.5`; `1,000` and `1.000` stay as they are, for nobody knows which is meant."""
    return number.replace(",", ".") if re.fullmatch(r"\d+,\d{1,2}", number) else number


_NEGATORS = frozenset(
    "not no never none neither nor nobody nothing cannot without longer nicht kein keine keinen"
    " keiner keinem nie niemals ohne pas jamais aucun aucune sans não nunca nenhum nenhuma sem jamás"
    " ningún ninguna sin non mai nessun senza niet geen nooit zonder inte aldrig ikke aldri ei не нет"
    " никогда без değil yok لا ليس لم לא אין 不 没 沒 無 非".split()
)


def negated(text: str) -> bool:
    """Does the text deny something, in one of the languages whose small words are known here? `isn't` counts, and so
    does `no longer`; whether two denials make a yes is not worked out."""
    return _negated(tokens(text))


def _negated(found: list[str]) -> bool:
    return not _NEGATORS.isdisjoint(found) or any(token.endswith("n't") for token in found)


def _folded(line: str) -> tuple[str, list[int]]:
    """The line folded, and of each of its characters which one of the line it came from (empty: the same one)."""
    line = line.replace("\t", " ")
    if line.isascii() and line.isprintable():
        return line.lower(), []
    folded: list[str] = []
    places: list[int] = []
    for start, cluster in _clusters(line):
        piece = unicodedata.normalize("NFKC", cluster.translate(_ALIKE)).casefold()
        piece = unicodedata.normalize("NFKC", piece).translate(_ALIKE)
        piece = "".join(str(unicodedata.decimal(c)) if unicodedata.category(c) == "Nd" else c for c in piece)
        folded.append(piece)
        places += [start] * len(piece)
    return "".join(folded), places


def _clusters(line: str) -> Iterator[tuple[int, str]]:
    """Each letter with the marks that belong to it, and where it begins; what is not seen is left out."""
    start, cluster = 0, ""
    for index, c in enumerate(line):
        if unseen(c):
            continue
        if cluster and (unicodedata.category(c)[0] == "M" or _SECOND.match(c)):
            cluster += c
            continue
        if cluster:
            yield start, cluster
        start, cluster = index, " " if c == BLANK_PICTURE else c
    if cluster:
        yield start, cluster
