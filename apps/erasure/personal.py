"""What of a text is personal data of a known kind. Pure; by check digits wherever a kind has them.

It decides nothing: a list is made, and the holder says what of it is erased. A number that only looks like one of a
kind may be on it; a kind that is written otherwise than here is not found, and a name never is.
"""

import re
from collections.abc import Callable
from enum import StrEnum
from functools import cache
from importlib import import_module
from itertools import groupby, islice
from typing import Any

from phonenumbers import Leniency, PhoneNumberMatcher
from stdnum import iban, luhn

from apps.policy.special import suggests
from apps.policy.vocabulary import Category


class Personal(StrEnum):
    """Kinds of personal data that are looked for."""

    MAIL = "mail"
    PHONE = "phone"
    CARD = "card"
    IBAN = "iban"
    BIRTH_DATE = "birth-date"
    NATIONAL_ID = "national-id"
    HEALTH = "health-words"


# Numbers that a state gives a person, with check digits: modules of python-stdnum.
_NATIONAL = """
    at.vnr be.nn bg.egn br.cpf ch.ssn cn.ric cz.rc de.idnr dk.cpr ee.ik es.dni es.nie fi.hetu fr.nir gb.nhs gr.amka
    hr.oib ie.pps in_.aadhaar it.codicefiscale lt.asmens nl.bsn no.fodselsnummer pl.pesel pt.cc ro.cnp se.personnummer
    si.emso tr.tckimlik us.ssn za.idnr
"""
_MAIL = re.compile(r"[\w.+-]{1,64}@(?:[\w-]{1,63}\.)+[a-zA-Z]{2,24}")
_DIGITS = re.compile(r"(?<![\w.])\d(?:[ -]?\d){12,18}(?!\w)")
_ACCOUNT = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,4}){3,8}(?!\w)")
_NUMBERED = re.compile(r"(?=(?:\D*\d){5})[\w .+/-]+")
_MOST_RUN = 2  # words with digits that may be two numbers
_DATE = re.compile(
    r"(?<!\d)(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}\.? (?:of )?[A-Za-zÀ-ž]{3,10}\.?,? \d{4}"
    r"|[A-Za-z]{3,10} \d{1,2}(?:st|nd|rd|th)?,? \d{4})(?!\d)"
)
_BORN = re.compile(
    r"\b(?:born|birth|birthday|birthdate|date of birth|d\.?o\.?b|geboren|geburtstag|geburtsdatum|né|née|naissance"
    r"|anniversaire|nacid[oa]|nacimiento|cumpleaños|nat[oa]|nascita|geboortedatum|född|født|urodzony|urodziny)\b",
    re.IGNORECASE,
)
MOST_PIECES = 200  # of a text that are held against a kind: more is no memory


def kinds_in(label: str, text: str, country: str = "GB") -> frozenset[Personal]:
    """The kinds that a memory holds. `country` (ISO 3166-1, two letters) says how a phone number without a prefix is
    read. A birth date is one where the label or the text says that somebody was born.
    """
    both = f"{label}\n{text}"
    return frozenset(kind for kind, found in _FOUND.items() if found(both, country))


def _mail(text: str, country: str) -> bool:
    return _MAIL.search(text) is not None


def _phone(text: str, country: str) -> bool:
    found = PhoneNumberMatcher(text, country, leniency=Leniency.VALID, max_tries=MOST_PIECES)
    return any(not luhn_card(each.raw_string) for each in found)


def luhn_card(number: str) -> bool:
    """Has it the length and the check digit of a payment card?"""
    digits = re.sub(r"[ -]", "", number)
    return digits.isascii() and digits.isdigit() and 13 <= len(digits) <= 19 and luhn.is_valid(digits)


def _card(text: str, country: str) -> bool:
    return any(luhn_card(each) for each in _DIGITS.findall(text)[:MOST_PIECES])


def _account(text: str, country: str) -> bool:
    return any(_shortened(each) for each in _ACCOUNT.findall(text.upper())[:MOST_PIECES])


def _shortened(account: str) -> bool:
    """An account's number may run on into the next word: it is one where some beginning of it is."""
    words = account.split()
    return any(iban.is_valid("".join(words[:end])) for end in range(1, len(words) + 1))


def _birth(text: str, country: str) -> bool:
    return _BORN.search(text) is not None and _DATE.search(text) is not None


def _national(text: str, country: str) -> bool:
    words = (each.strip(".,;:()") for each in text.split()[: 10 * MOST_PIECES])
    # A number that is set apart by blanks is read whole, not in pieces; one after a + is a telephone's.
    runs = [list(run) for digits, run in groupby(words, lambda word: any(map(str.isdigit, word))) if digits]
    told = (run for run in runs if not run[0].startswith("+"))
    pieces = (piece for run in told for piece in {" ".join(run), *(run if len(run) <= _MOST_RUN else ())})
    likely = islice((each for each in pieces if 8 <= len(each) <= 20 and _NUMBERED.fullmatch(each)), MOST_PIECES)
    return any(check.is_valid(each) for each in likely for check in _checks())


@cache
def _checks() -> tuple[Any, ...]:
    return tuple(import_module(f"stdnum.{each}") for each in _NATIONAL.split())


def _health(text: str, country: str) -> bool:
    return suggests(Category.HEALTH, text)


_FOUND: dict[Personal, Callable[[str, str], bool]] = {
    Personal.MAIL: _mail,
    Personal.PHONE: _phone,
    Personal.CARD: _card,
    Personal.IBAN: _account,
    Personal.BIRTH_DATE: _birth,
    Personal.NATIONAL_ID: _national,
    Personal.HEALTH: _health,
}
