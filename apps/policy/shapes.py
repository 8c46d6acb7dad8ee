"""What a value looks like: a name or a place, a phone number, a day, a quantity; told by its letters alone.

English, as far as words go. What a value means is not known here: `Marketing` looks like a place.
"""

import re
import unicodedata
from datetime import date

FLAGS = re.IGNORECASE | re.ASCII
_MOST_WORDS = 6

# Words that a name, a thing or a plain value does not hold: what follows them is another clause.
CLAUSE = frozenset(
    "if maybe perhaps probably think guess would could might should may when while unless until because but"
    " not never no nor or and since during who which whose what where why how than then so very too quite"
    " pretty just really still already my your his its our their me you him us them this that these those it i"
    " we he she they is are was were be to with without about from for like sometimes usually always again"
    " once only except much".split()
)
WHERE = frozenset("on in at by of under over near up down out off".split())  # what begins so lies somewhere
VERDICTS = frozenset(
    "fine ok okay good great nice bad awful true false right wrong correct incorrect easy hard difficult complicated"
    " possible impossible funny weird strange interesting late early over done fun sad cold hot warm better worse"
    " well joke lie secret pity shame mistake question test trick matter ready here back gone cheap expensive delicious"
    " different new old dead broken sick tired busy closed open full empty dirty clean tight rare tall short big small"
    " important unusual ridiculous".split()
)
_PARTICLES = frozenset("of de da do dos das del della di du den der van von la le les the am an upon on el al".split())
_MONTH = r"(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber"
_DATE = re.compile(
    rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}|(?P<first>[0-9]{{1,2}})(?:st|nd|rd|th)? (?:of )?(?:{_MONTH})(?:,? [0-9]{{4}})?"
    rf"|(?:{_MONTH}) (?P<second>[0-9]{{1,2}})(?:st|nd|rd|th)?(?:,? [0-9]{{4}})?",
    FLAGS,
)
_PHONE = re.compile(r"\+?\(?[0-9][0-9 ()./-]*")
_EMAIL = re.compile(r"[^\s@<>(),;:]+@[^\s@<>(),;:]+\.[^\s@<>(),;:.]+")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_AMOUNT = re.compile(r"[€$£]?[0-9][0-9.,/]*[a-z%°€$£]*", FLAGS)
_UNIT = re.compile(r"[0-9a-z.,/%°€$£]+", FLAGS)
_SIZE = re.compile(r"X{0,3}[SL]|M")
_BLOOD = re.compile(r"(?:a|b|ab|o|0) ?(?:[+-]|(?:rh )?(?:positive|negative|pos|neg)|rh[+-])?", FLAGS)
_ZONE = re.compile(r"[A-Z]\w+/[A-Z]\w+|(?:UTC|GMT)(?: ?[+-] ?[0-9]{1,2}(?::?[0-9]{2})?)?|[A-Z]{2,4}T", re.ASCII)
_PRONOUNS = re.compile(r"[a-z]+(?: ?/ ?[a-z]+){1,2}", FLAGS)
DAYS = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august"
    " september october november december christmas easter spring summer autumn winter today tomorrow".split()
)
# Where somebody is from, or what they believe, is not who they are.
_KINDS = frozenset(
    "american argentinian australian austrian belgian brazilian british bulgarian canadian chinese croatian czech"
    " danish dutch english european finnish french german greek hungarian indian irish italian japanese korean mexican"
    " norwegian polish portuguese romanian russian scottish serbian slovak spanish swedish swiss turkish ukrainian"
    " welsh african asian arab arabic catholic christian protestant orthodox muslim jewish hindu buddhist".split()
)


_NO_ROLE = frozenset("team group unit favour favor rule result joke hobby way".split())
# What comes last in what somebody is, and not in how they are called.
_TITLES = frozenset(
    "director manager president minister professor teacher captain king queen chief officer ceo cto engineer nurse"
    " lawyer developer designer student architect".split()
)


def spelled(text: str) -> str:
    """The text with typewriter apostrophes, dashes and blanks, character for character, to match patterns against."""
    return text.translate(_TYPED)


_TYPED = str.maketrans(
    {"’": "'", "ʼ": "'", "‘": "'", "\u00a0": " ", "\u202f": " ", "‐": "-", "‑": "-", "–": "-", "—": "-"}
)


def words_of(text: str) -> list[str]:
    """The words of a short phrase, without the punctuation around them."""
    return [stripped for word in text.split() if (stripped := word.strip(".,;:!-"))]


def plain(text: str, most: int = _MOST_WORDS) -> bool:
    """Is this a short phrase, and no clause?"""
    words = words_of(text)
    clause = any(spelled(word).casefold() in CLAUSE or "n't" in spelled(word) for word in words)
    return 0 < len(words) <= most and not clause and not _breaks_off(text)


def proper(text: str) -> bool:
    """Does it look like a name or a place? `Vila Nova de Gaia`, `the Hague`, `東京`; not `fear`."""
    words = words_of(text)
    named = all(_begins_one(word) or word.casefold() in _PARTICLES for word in words)
    joined = re.search(r"[;:!()/]| - ", spelled(text)) is not None
    return 0 < len(words) <= _MOST_WORDS and named and _begins_one(words[-1]) and not joined and not _breaks_off(text)


def _breaks_off(text: str) -> bool:
    return text.endswith((",", ";", ":", "-"))


def _begins_one(word: str) -> bool:
    first = word[0]
    return first.isalpha() and (first.isupper() or first.istitle() or first.lower() == first.upper())


def named(text: str) -> bool:
    """Does it look like the name of somebody or something? Not `Monday`, not `German`, not `on Monday`."""
    words = words_of(text)
    last = words[-1].casefold() if words else ""
    begins = words[0].casefold() if words else ""
    kind = last in _TITLES or (len(words) == 1 and last in _KINDS)
    return _model(text) and last not in DAYS and not kind and begins not in WHERE


def _model(text: str) -> bool:
    """`Rita Gomes`, `a Volvo V60`, `Peugeot 208`."""
    bare = re.sub(r"\A(?:an?|the) ", "", text, flags=FLAGS)
    return proper(re.sub(r"(?<=\w) [0-9]+[a-z]?\Z", "", bare, flags=FLAGS))


def place(text: str) -> bool:
    """Does it look like a place where somebody may live?"""
    return proper(text) and words_of(text)[-1].casefold() not in DAYS and not any(c.isdigit() for c in text)


def language(text: str) -> bool:
    """One word with a capital: `Portuguese`."""
    return proper(text) and len(words_of(text)) == 1


def thing(text: str) -> bool:
    """A word or a few for a thing as such: `green`, `apple pie`; no state that it is in, and no place where it lies."""
    words = [word.casefold() for word in words_of(text)]
    return plain(text, 4) and words[0] not in WHERE and words[-1] not in VERDICTS and not words[0].endswith("ing")


def pursuit(text: str) -> bool:
    """What somebody likes to do: a thing, or one word such as `climbing`."""
    return thing(text) or (plain(text, 1) and spelled(text).casefold().endswith("ing"))


def phone(text: str) -> bool:
    """7 to 15 digits, in groups or not."""
    return _PHONE.fullmatch(text) is not None and 7 <= sum(c.isdigit() for c in text) <= 15


def email(text: str) -> bool:
    """An e-mail address."""
    return _EMAIL.fullmatch(text) is not None


def day(text: str) -> bool:
    """A day that exists, with or without its year, that can be read in one way alone."""
    found = _DATE.fullmatch(text)
    if found is None:
        return False
    number = found["first"] or found["second"]
    if number is not None:
        return 1 <= int(number) <= 31
    try:
        return date.fromisoformat(text) is not None
    except ValueError:
        return False


def year(text: str) -> bool:
    """A year in which somebody alive may have been born."""
    return _YEAR.fullmatch(text) is not None


def quantity(text: str) -> bool:
    """A number, and of what: `1.74 m`, `€ 500`; or a size in letters."""
    first, *rest = re.sub(r"\A([€$£]) ", r"\1", text).split() or [""]
    counted = _AMOUNT.fullmatch(first) is not None and all(_UNIT.fullmatch(each) for each in rest)
    return (counted and plain(text, 5)) or _SIZE.fullmatch(text) is not None


def code(text: str) -> bool:
    """A number, a name at some service, a password: one word or a few groups, with a digit or a sign in it."""
    words = text.split()
    return 0 < len(words) <= _MOST_WORDS and plain(text) and _coded(words)


def _coded(words: list[str]) -> bool:
    if len(words) == 1:
        return any(c.isdigit() or c in "@_" for c in words[0])
    return all(any(c.isdigit() for c in word) or word.isupper() for word in words)


def address(text: str) -> bool:
    """A street and its number, with what else belongs to it."""
    return plain(text, 12) and any(c.isdigit() for c in text) and any(c.isupper() for c in text)


def blood(text: str) -> bool:
    """A blood type."""
    return _BLOOD.fullmatch(text) is not None


def zone(text: str) -> bool:
    """A time zone by name or offset."""
    return _ZONE.fullmatch(text) is not None


def pronouns(text: str) -> bool:
    """`she/her`."""
    return _PRONOUNS.fullmatch(text) is not None


def role(text: str) -> bool:
    """What somebody works as."""
    return thing(text) and words_of(text)[-1].casefold() not in _NO_ROLE and not any(c.isdigit() for c in text)


def sure(text: str) -> bool:
    """Is it a value whatever it is a value of? It holds a digit, looks like a name, or counts things."""
    first = words_of(text)[0].casefold() if words_of(text) else ""
    counts = first in ("one", "two", "three", "four", "five")
    return counts or proper(text) or any(c.isdigit() or c == "@" for c in text)


def slug(text: str) -> str | None:
    """A phrase as a word of a subject; None where letters would be lost, for two phrases must not become one."""
    folded = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    found = "-".join(words_of(folded))
    return found if re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", found) else None
