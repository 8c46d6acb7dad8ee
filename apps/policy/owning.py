"""What somebody says to have: `my shoe size is 43`, `my wife's name is Anna`, `Anna's birthday is 9 May`.

A noun that is known here says what its value has to look like: a size is a number, a dentist has a name. Of any other
noun nothing is read, for `my guess is Porto` has the same form. A subject is made of the words as they are said, but
for the few that go by several names.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from apps.policy.shapes import (
    CLAUSE,
    FLAGS,
    address,
    blood,
    code,
    day,
    email,
    language,
    named,
    phone,
    pronouns,
    proper,
    pursuit,
    quantity,
    role,
    slug,
    thing,
    zone,
)

Check = Callable[[str], bool]


def _all(check: Check, words: str) -> dict[str, Check]:
    return dict.fromkeys(words.split(), check)


# By whose name one knows them. `_THINGS` are theirs, and have names too.
PEOPLE = frozenset(
    "wife husband partner spouse fiance fiancee girlfriend boyfriend mother father mum mom dad stepmother stepfather"
    " sister brother son daughter stepson stepdaughter cousin aunt uncle niece nephew grandmother grandfather grandma"
    " grandpa boss manager landlord landlady neighbour neighbor flatmate roommate doctor gp dentist therapist"
    " psychologist psychiatrist physiotherapist cardiologist pharmacist accountant lawyer solicitor notary vet midwife"
    " babysitter nanny tutor godmother godfather goddaughter godson dog cat horse rabbit parrot".split()
)
_THINGS = (
    "bank insurer school kindergarten university college employer pharmacy gym airline car motorbike laptop church"
)
_HEADS: dict[str, Check] = {
    **_all(named, " ".join(PEOPLE)),
    **_all(named, _THINGS),
    **_all(proper, "name surname nickname city"),
    **_all(quantity, "size height weight age budget salary rent"),
    **_all(code, "number id plate username handle login password passcode pin code iban nif postcode"),
    **_all(day, "birthday bday anniversary birthdate"),
    **_all(language, "language tongue nationality citizenship"),
    **_all(role, "profession occupation"),
    "address": address,
    "email": email,
    "e-mail": email,
    "phone": phone,
    "mobile": phone,
    "pronouns": pronouns,
    "timezone": zone,
    "allergy": thing,
    "contact": named,
}
_PAIRS: dict[str, Check] = {
    "phone number": phone,
    "mobile number": phone,
    "cell number": phone,
    "e-mail address": email,
    "email address": email,
    "mail address": email,
    "blood type": blood,
    "blood group": blood,
    "time zone": zone,
    "job title": role,
    "due date": day,
    "of birth": day,
    "birth date": day,
    "zip code": code,
}
_LIKED: dict[str, Check] = {
    **_all(thing, "colour color food dish cuisine drink fruit vegetable season animal genre flavour flavor"),
    **_all(pursuit, "sport hobby activity pastime exercise"),
}
# A noun that says too little alone: `my size is 43` of what?
_ALONE = frozenset(
    "size number id plate handle login password passcode pin code language tongue contact allergy".split()
)
# Of those nothing is kept, or not as what is so now.
_NOT_NOW = frozenset(
    "old former previous last next first second third other next wrong whole only own ideal dream target goal"
    " temporary".split()
)

# What goes by several names stands under one subject.
CALLED: dict[str, tuple[str, str]] = {
    "name": ("name", "Name"),
    "full name": ("name", "Name"),
    **dict.fromkeys(
        (
            *("phone", "phone number", "number", "mobile", "mobile number", "cell", "cell number", "cell phone"),
            *("mobile phone", "mobile phone number", "cell phone number", "telephone", "telephone number"),
        ),
        ("contact.phone", "Phone number"),
    ),
    **dict.fromkeys(
        ("email", "e-mail", "mail address", "email address", "e-mail address"), ("contact.email", "E-mail")
    ),
    **dict.fromkeys(("birthday", "bday", "date of birth", "birth date", "birthdate"), ("birthday", "Birthday")),
    **dict.fromkeys(("city", "home city", "home town"), ("home.city", "City")),
    **dict.fromkeys(("address", "home address", "postal address"), ("home.address", "Address")),
    **dict.fromkeys(("job title", "profession", "occupation", "role"), ("work.role", "Role")),
    "employer": ("work.employer", "Employer"),
    **dict.fromkeys(("native language", "mother tongue", "first language"), ("native-language", "Native language")),
    **dict.fromkeys(("blood type", "blood group"), ("blood-type", "Blood type")),
    **dict.fromkeys(("time zone", "timezone"), ("time-zone", "Time zone")),
    **dict.fromkeys(("shoe size", "size of shoes"), ("shoe-size", "Shoe size")),
}
_NOBODY = frozenset(
    "today tomorrow yesterday it that there here what who where when how let he she everyone everybody someone somebody"
    " nobody anyone this one god".split()
)
_POSSESSED = re.compile(r"(?P<whose>.+)'s (?P<what>[^']+)", FLAGS)
_MOST_WORDS = 4


@dataclass(frozen=True, slots=True)
class Noun:
    """What a phrase is about: its subject and label, how it is called, and what its value has to look like."""

    subject: str
    label: str
    called: str
    fits: Check


def noun(phrase: str, *, mine: bool) -> Noun | None:
    """What `shoe size` or `wife's name` (`mine`), or `Anna's birthday`, is about; None for anything that is not known.
    `phrase` is spelled with typewriter apostrophes.
    """
    found = _POSSESSED.fullmatch(phrase)
    if found is None:
        return _own(phrase) if mine else None
    whose, what = found["whose"], _own(found["what"], alone=True)
    path = _person(whose) if mine else _somebody(whose)
    if path is None or what is None:
        return None
    word = slug(found["what"]) if "." in what.subject else what.subject
    return Noun(f"{path}.{word}", _capital(phrase), phrase, what.fits) if word else None


def _own(phrase: str, *, alone: bool = False) -> Noun | None:
    """`alone`: it is said whose it is, so that a noun that says little says enough."""
    words = phrase.casefold().split()
    if not 0 < len(words) <= _MOST_WORDS or not all(re.fullmatch(r"[a-z][a-z0-9-]*", each) for each in words):
        return None
    lower = " ".join(words)
    if words[0] in ("favourite", "favorite") and len(words) > 1:
        word = slug(" ".join(words[1:]))
        liked = _LIKED.get(words[-1], named)
        return Noun(f"favourite.{word}", _capital(phrase), lower, liked) if word else None
    fits = _PAIRS.get(" ".join(words[-2:])) or _HEADS.get(words[-1])
    odd = not CLAUSE.isdisjoint(words) or not _NOT_NOW.isdisjoint(words)
    if fits is None or (odd and lower not in CALLED):
        return None
    if lower in CALLED:
        subject, label = CALLED[lower]
        return Noun(subject, label, lower, phone if subject == "contact.phone" else fits)
    word = slug(lower)
    if word is None or (len(words) == 1 and words[0] in _ALONE and not alone):
        return None
    return Noun(word, _capital(phrase), lower, fits)


def of_the_file(phrase: str) -> bool:
    """Is `blood type`, of one's own, nothing but what is written down of somebody: no one whom they know, no place and
    no thing that they have?
    """
    about = noun(phrase, mine=True)
    alone = phrase.casefold() in ("phone", "mobile", "cell", "cell phone", "mobile phone", "telephone")
    return about is not None and about.fits in _WRITTEN and not alone


_WRITTEN = (quantity, code, day, email, phone, blood, zone, language, address, pronouns)


def _person(whose: str) -> str | None:
    """`wife`, `oldest daughter`: somebody of one's own, as a word of a subject."""
    words = whose.casefold().split()
    known = 0 < len(words) < _MOST_WORDS and words[-1] in PEOPLE and CLAUSE.isdisjoint(words)
    return slug(" ".join(words)) if known and _NOT_NOW.isdisjoint(words) else None


def _somebody(whose: str) -> str | None:
    """`Anna`: somebody by name."""
    one = len(whose.split()) == 1 and named(whose) and whose.casefold() not in _NOBODY
    return slug(whose) if one else None


def _capital(phrase: str) -> str:
    return phrase[0].upper() + phrase[1:]
