"""The same text written otherwise has the same tokens; another text has others; each token is where it says."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apps.policy.looks import plainly
from apps.policy.prints import Span, is_code, located, negated, numbers, sought, spans, tokens, told, whole

ANY = st.text(st.characters(codec="utf-8"), max_size=60)


# ---------------------------------------------------------------- the same, written otherwise
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Lives in Porto", "  lives in\n\tPORTO. "),
        ("Café", "Cafe\u0301"),
        ("Straße 5", "STRASSE 5"),
        ("İstanbul", "istanbul"),
        ("ısparta", "ISPARTA"),
        ("ΣΑΣ", "σας"),
        ("Por\u200bto", "Porto"),
        ("\u202ePorto\u202c", "Porto"),
        ("Por\u00adto", "Porto"),
        ("Por\x08to", "Porto"),
        ("Por\u3164to", "Porto"),
        ("Por\u2800to", "Por to"),
        ("ｄｂ－３", "db-3"),
        ("ｶﾞ", "ガ"),
        ("\u1112\u1161\u11ab", "한"),
        ("محـــمد", "محمد"),
        ("٢٤ cm", "24 cm"),
        ("don’t", "don't"),
        ("9–5", "9-5"),
        ("−5 °C", "-5 °C"),
        ("❤️", "❤"),
        ('"Porto" (Portugal)', "Porto, Portugal"),
        ("`foo.bar_baz()`", "foo.bar_baz"),
        ("患者 对青霉素过敏。", "患者对青霉素过敏"),
    ],
)
def test_the_same_text_is_recognised_however_it_is_written(one: str, other: str) -> None:
    assert whole(one) == whole(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A+", "A-"),
        ("A-", "A"),
        ("5", "-5"),
        ("5 %", "5"),
        ("$5", "€5"),
        ("< 5", "> 5"),
        ("C#", "C++"),
        ("3.11", "3.1 1"),
        ("foo.bar", "foo bar"),
        ("foo_bar", "foo bar"),
        ("café", "cafe"),
        ("hindi हिन्दी", "hindi हिन्द"),
        ("🏥", "🏠"),
        ("…", "?"),
        ("Porto", "Рorto"),  # a Cyrillic letter: alike to the eye only
        ("", "Porto"),
    ],
)
def test_another_text_is_another(one: str, other: str) -> None:
    assert whole(one) != whole(other)


@given(ANY)
@example("e\u0323\u0307")
@example("\u1112\u1161\u11ab")
@example("ﾊﾟ")
def test_composed_or_decomposed_makes_no_difference(text: str) -> None:
    assert tokens(unicodedata.normalize("NFC", text)) == tokens(unicodedata.normalize("NFD", text))


@given(st.lists(st.sampled_from(["Porto", "24", "cm", "A+", "東京", "foo.bar", "no", "חיפה", "it's"]), max_size=8))
def test_blanks_and_hidden_characters_make_no_difference(words: list[str]) -> None:
    assert tokens("\u200f \n".join(words)) == tokens(" ".join(words))


@given(ANY.filter(lambda text: text.strip() != ""))
def test_no_text_is_taken_for_an_empty_one(text: str) -> None:
    assert whole(text) != ""


@given(ANY)
@example("no 24\n3,5 isn't …")
def test_what_is_told_of_a_text_at_once_is_what_each_tells(text: str) -> None:
    assert told(text) == (whole(text), numbers(text), negated(text))
    assert tokens(text) == [token.text for token in located(text)]


@given(ANY)
def test_a_token_holds_no_blank(text: str) -> None:
    assert all(token and not any(c.isspace() for c in token) for token in tokens(text))


# ---------------------------------------------------------------- where they stand
@given(st.lists(st.sampled_from(["old_api", "Porto", "24", "é", "İ", "\u200b", "東", " ", "\t", "\n", "\r\n", "('"])))
def test_each_token_stands_where_it_says(pieces: list[str]) -> None:
    text = "".join(pieces)
    lines = text.replace("\r\n", "\n").split("\n")
    for token in located(text):
        rest = lines[token.line - 1][token.column - 1 :]
        assert tokens(rest)[0] == token.text


def test_columns_count_characters_of_the_text_as_written() -> None:
    assert [(each.line, each.column) for each in located("x\r\n\u200bé = old()\rz")] == [
        (1, 1),
        (2, 2),
        (2, 4),
        (2, 6),
        (3, 1),
    ]


def test_spans_are_all_runs_up_to_the_longest_over_line_ends_too() -> None:
    assert [(each.line, each.column, each.text) for each in spans("24 cm\npan", 2)] == [
        (1, 1, "24"),
        (1, 1, "24 cm"),
        (1, 4, "cm"),
        (1, 4, "cm pan"),
        (2, 1, "pan"),
    ]


@given(st.text("ab ._", max_size=40), st.integers(1, 5))
def test_a_value_that_stands_in_a_text_is_among_its_spans(value: str, more: int) -> None:
    size = len(tokens(value))
    found = {span.text for span in spans(f"before, {value} , after", size + more)}
    assert size == 0 or whole(plainly(value)[0]) in found
    assert {span.text for span in spans(f"before, {value} , after", size + more, {size}) if not span.part} <= found


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("x = lib.old_api(1)", {"lib", "old_api"}),
        ("self.a.b", {"self", "self.a", "a", "a.b", "b"}),
        ("std::old", {"std", "old"}),
        ("3.11.4 anna@example.org a/b well-known", set()),
        ("old_api-1 lib/old_api it's-old_api a_b@example.org", {"old_api"}),
        ("src/lib.old_api", {"lib", "old_api", "lib.old_api"}),
        ("src/oldApi.js and/or Leeds/NASA oldApi@example.org", {"oldapi", "js", "oldapi.js"}),
    ],
)
def test_a_symbol_is_found_inside_a_dotted_name(text: str, parts: set[str]) -> None:
    assert {span.text for span in spans(text, 1) if span.part} == parts


def test_a_part_tells_whether_it_is_written_as_code_is() -> None:
    found = {span.text: span.coded for span in spans("lib.Leeds.oldApi ＬＩＢ.ｏｌｄ＿api", 1) if span.part}
    assert found == {
        "lib": False,
        "leeds": False,
        "oldapi": True,
        "lib.leeds": True,
        "leeds.oldapi": True,
        "old_api": True,
    }


def test_a_part_stands_where_it_begins() -> None:
    assert Span(1, 9, "old_api", part=True) in list(spans("x = lib.old_api(1)", 1))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        *[(name, True) for name in ("old_api", "_old", "oldApi", "HTTPServer", "lib.old", "lib::old", "OLD_API")],
        *[(name, False) for name in ("get", "Leeds", "NASA", "3", "old api", "old-api", "./old", "oldApi()", "")],
    ],
)
def test_what_only_code_is_written_as_has_a_sign_or_a_capital_inside(name: str, code: bool) -> None:
    assert is_code(name) is code


def test_no_text_has_no_spans() -> None:
    assert list(spans("", 5)) == list(spans("word", 0)) == []


@pytest.mark.parametrize(
    ("value", "may"),
    [
        *[(value, False) for value in ("5", "yes", "A+", "強", "1 2 3", "…", "")],
        *[(value, True) for value in ("db-3", "Leeds", "24 cm", "青霉素过敏")],
    ],
)
def test_what_stands_everywhere_is_not_looked_for(value: str, may: bool) -> None:
    assert sought(value) is may


# ---------------------------------------------------------------- what tells them apart
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("24 cm pan, 24 cm lid", ["24"]),
        ("3,5 kg", ["3.5"]),
        ("1,000", ["1,000"]),
        ("from 2026-10-02 at 14:30", ["2026-10-02", "14:30"]),
        ("+351 912 345 678", ["…2345678"]),
        ("912-345-678", ["…2345678"]),
        ("db-3", []),
        ("two dogs", []),
        ("٣", ["3"]),
    ],
)
def test_numbers_are_read_as_they_are_meant(text: str, found: list[str]) -> None:
    assert numbers(text) == found


@pytest.mark.parametrize(
    ("text", "denies"),
    [
        ("Not allergic to nuts", True),
        ("isn’t vegetarian", True),
        ("no longer in Leeds", True),
        ("nicht vegetarisch", True),
        ("não come carne", True),
        ("不吃肉", True),
        ("не ест мясо", True),
        ("Notable knots", False),
        ("eats meat", False),
    ],
)
def test_a_denial_is_noticed(text: str, denies: bool) -> None:
    assert negated(text) is denies
