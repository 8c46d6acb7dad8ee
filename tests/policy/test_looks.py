"""What a text says to the eye is told whichever script its letters were taken from; honest text stays as it is."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.looks import mixed, plainly, posing, readings
from apps.policy.prints import spans, whole
from apps.policy.twins import LIKE_CAPITALS, TWINS

ANY = st.text(st.characters(codec="utf-8"), max_size=60)
POSING = [
    ("L\u0435\u0435ds", "Leeds"),  # Cyrillic
    ("P\u03bfrto", "Porto"),  # Greek
    ("\u13deee\u0501s", "Leeds"),  # Cherokee, and a Cyrillic letter that Russian has not
    ("F\u0561ro", "Fwro"),  # Armenian
    ("York\u0455", "Yorks"),
    ("Yor\u043a", "York"),  # a small letter that has the form of a capital
    ("Pau\u04c0", "Paul"),
    ("\u0406stanbul", "Istanbul"),
    ("мoсква", "москва"),  # a Latin letter in a Russian word
    ("M\u043eсква", "Москва"),
    ("\u0451lka", "\u00eblka"),
    ("L\U0001d6c2eds", "Laeds"),
]
HONEST = [
    "Lives in Porto, with a cat.",
    "Москва",
    "Anna Каренина",
    "В Лидсе (Leeds) с 2019 года",
    "Сара",  # all of it looks like Latin letters, and is a name
    "the Greek word λόγος means much",
    "Θεσσαλονίκη",
    "Linuxサーバー",
    "東京タワー Tokyo",
    "café, Łódź, İstanbul, Straße",
    "한국어 Korean",
    "עברית and Hebrew",
    "هاتف iPhone",
    "می‌خواهم",
    "TGFβ, TNFα, NF-κB, IFNγ1, σx",
    "5 µm, 5 μg, kΩ, MΩ, ΔT, πr²",
    "iPhone'ом, USB-кабель, SMSка",
    "ｆｕｌｌ　ｗｉｄｔｈ",
    "𝓯𝓪𝓷𝓬𝔂",
    "❤️ 👩‍💻",
    "Հայերեն",
]


# ---------------------------------------------------------------- letters of another script
@pytest.mark.parametrize(("written", "seen"), POSING)
def test_a_word_of_two_scripts_is_read_in_the_one_that_it_looks_like(written: str, seen: str) -> None:
    assert plainly(f"It is {written} now.")[0] == f"It is {seen} now."
    assert mixed(f"It is {written} now.")
    assert all(written[place] != seen[place] for place in posing(written))


@pytest.mark.parametrize("text", HONEST)
def test_honest_text_in_any_language_is_not_said_to_pose(text: str) -> None:
    assert not mixed(text)
    assert whole(text) in {whole(each) for each in readings(text)}


@pytest.mark.parametrize("text", [each for each in HONEST if "α" not in each and "SMS" not in each])
def test_honest_text_keeps_the_tokens_that_it_was_always_known_by(text: str) -> None:
    assert whole(plainly(text)[0]) == whole(text)


@pytest.mark.parametrize(
    ("text", "also"),
    [
        ("Сара", "Capa"),
        ("Capa", "Сара"),
        ("Y\u043e\u0433\u043a", "York"),
        ("lives in \u0420\u0435\u0441\u043e", "lives in Peco"),
        ("\u039a\u03bf\u03c1\u03b9", "Kopi"),
    ],
)
def test_a_word_that_looks_the_same_in_another_script_may_be_read_so_too(text: str, also: str) -> None:
    assert also in readings(text)


def test_nearly_every_text_has_one_reading() -> None:
    for text in ("Lives in Porto.", "Живёт в Москве с 2019 года", "Ζει στο Πόρτο", "café", "患者对青霉素过敏", "A+"):
        assert readings(text) == (text,)


# ---------------------------------------------------------------- letters apart, and what is not seen
@pytest.mark.parametrize(
    "written",
    [
        "L e e d s",
        "L  e  e  d  s",
        "L.e.e.d.s",
        "L-e-e-d-s",
        "L_e_e_d_s",
        "L\u2009e\u00a0e\u3000d\u2009s",
        "L · e · e · d · s",
        "L\u200b e\u200b e\u200b d\u200b s",
        "Le\u200beds",
        "L\u00ade\u2060eds",
        "L\u0336e\u0336e\u0336d\u0336s\u0336",
        "L\u20dde\u20ddeds",
        "L \u0435 \u0435 d s",
    ],
)
def test_letters_that_are_set_apart_or_struck_through_are_read_together(written: str) -> None:
    assert plainly(f"Lives in {written} now")[0] == "Lives in Leeds now"
    assert readings(written) == ("Leeds", written)


@pytest.mark.parametrize("text", ["a b", "plan B", "I a", "1 2 3 4", "東 京 都", "one t wo", "x = y"])
def test_words_of_one_letter_and_numbers_stay_apart(text: str) -> None:
    assert plainly(text)[0] == text


@given(ANY)
def test_every_character_that_is_read_stands_for_one_of_the_text_in_their_order(text: str) -> None:
    said, places = plainly(text)
    assert len(said) == len(places) if places else said in (text, "")
    assert places == sorted(places)
    assert all(0 <= place < len(text) for place in places)


def test_a_find_in_a_text_stands_where_it_was_written() -> None:
    found = [each for each in spans("so: L e e d s, or\n P\u03bfr\u200bto", 1) if each.text in ("leeds", "porto")]
    assert [(each.line, each.column, each.text) for each in found] == [(1, 5, "leeds"), (2, 2, "porto")]


# ---------------------------------------------------------------- what is not read (docs/threat-model.md)
@pytest.mark.parametrize("written", ["L33ds", "Leed5", "Le eds", "Lėeds", "Paui", "Leecls"])
def test_digits_for_letters_groups_of_letters_accents_and_pairs_are_not_seen_through(written: str) -> None:
    assert "Leeds" not in " ".join(readings(written)).split()
    assert not mixed(written)


# ---------------------------------------------------------------- the data
def test_each_twin_is_one_letter_of_another_alphabet_and_stands_for_one_basic_latin_letter() -> None:
    for letter, twin in (TWINS | LIKE_CAPITALS).items():
        assert not letter.isascii() and letter.isalpha() and unicodedata.normalize("NFKC", letter) == letter
        assert twin.isascii() and twin.isalpha() and len(twin) == 1
    assert not TWINS.keys() & LIKE_CAPITALS.keys()
    assert (TWINS["\u0430"], TWINS["\u03bf"], TWINS["\u0585"], LIKE_CAPITALS["\u043a"]) == ("a", "o", "o", "k")
