"""Personal data of a known kind is found, by its check digit where it has one; an ordinary sentence holds none."""

import pytest

from apps.erasure.personal import Personal, kinds_in

FOUND = [
    ("Write to rosa.m+home@mail.example.org", "mail"),
    ("ring +44 20 7946 0958 after six", "phone"),
    ("call 020 7946 0958", "phone"),
    ("card 4111 1111 1111 1111, soon over", "card"),
    ("5500-0000-0000-0004", "card"),
    ("rent goes to DE89 3704 0044 0532 0130 00 each month", "iban"),
    ("GB82WEST12345698765432", "iban"),
    ("born on 3 May 1981", "birth-date"),
    ("DOB 1981-05-03", "birth-date"),
    ("geboren am 03.05.1981", "birth-date"),
    ("NHS 943 476 5919", "national-id"),
    ("codice fiscale RCCMNL83S18D969H", "national-id"),
    ("PESEL 44051401359", "national-id"),
    ("SSN 536-90-4399", "national-id"),
    ("takes insulin each evening", "health-words"),
    ("Allergic to penicillin", "health-words"),
]
NONE = [
    "Likes to cook on weeknights, half an hour at most",
    "The kitchen has 4 hobs and an oven from 2019",
    "Flight BA117 leaves at 18:35 on 3 May 2027",
    "The order number was 4111 1111 1111 1112",
    "Reads 24 books a year, 1984 among them",
    "Dates from the market, 3 May 1981 was a Sunday",
    "The door code is 4821",
    "Version 3.11.2 of Python",
    "家では週に三回料理をします",
]


@pytest.mark.parametrize(("text", "kind"), FOUND)
def test_it_is_found(text: str, kind: str) -> None:
    assert Personal(kind) in kinds_in("Note", text)


@pytest.mark.parametrize("text", NONE)
def test_an_ordinary_sentence_holds_none(text: str) -> None:
    assert kinds_in("Note", text) == frozenset()


def test_the_label_says_what_a_date_is() -> None:
    assert kinds_in("Birthday", "1981-05-03") == {Personal.BIRTH_DATE}
    assert kinds_in("Moved in", "1981-05-03") == frozenset()


def test_one_text_may_hold_several() -> None:
    text = "Rosa, born 3 May 1981, rosa@mail.example.org, +44 20 7946 0958"
    assert kinds_in("Rosa", text) == {Personal.BIRTH_DATE, Personal.MAIL, Personal.PHONE}


def test_a_long_text_of_digits_ends() -> None:
    assert kinds_in("Note", "4 " * 20_000) is not None
    assert kinds_in("Note", "a1" * 20_000) is not None
