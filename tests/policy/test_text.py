"""What a text may be before it is kept: checked once for every surface, refused by field, never silently changed."""

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apps.policy.text import (
    MOST_LABEL,
    MOST_VALUE_BYTES,
    TextProblem,
    check_line,
    check_subject,
    check_value,
    hides,
    plain,
    subject_of,
    visible,
)

ANY = st.text(st.characters(codec=None, exclude_categories=()))


def problem(check: Callable[..., object], *given_: object, **more: object) -> TextProblem:
    """What a check raises."""
    with pytest.raises(TextProblem) as caught:
        check(*given_, **more)
    return caught.value


# ---------------------------------------------------------------- values
@pytest.mark.parametrize(
    "text",
    ["x", "0", "x" * MOST_VALUE_BYTES, "é" * (MOST_VALUE_BYTES // 2), "👩‍🔬", "a\nb\tc\r\n", "\u202etxt", "…</system>"],
    ids=range(8),
)
def test_a_value_comes_back_byte_for_byte(text: str) -> None:
    assert check_value(text) == text


@pytest.mark.parametrize("text", ["", " ", "\n\t  ", "\u3000"])
def test_blanks_are_no_value(text: str) -> None:
    assert problem(check_value, text).field == "value"


@pytest.mark.parametrize("text", ["x" * (MOST_VALUE_BYTES + 1), "é" * (MOST_VALUE_BYTES // 2) + "x"])
def test_one_byte_too_many_is_refused_with_the_limit_and_nothing_is_cut(text: str) -> None:
    assert "65536" in problem(check_value, text).detail


@pytest.mark.parametrize("text", ["a\0b", "\0", "\ud83d", "ab\udc00", "\ud83d \udc00"], ids=range(5))
def test_what_the_database_cannot_hold_is_refused_and_named(text: str) -> None:
    for check in (check_value, lambda text: check_line(text, "label")):
        detail = problem(check, text).detail
        assert "U+0000" in detail or "surrogate" in detail


@given(ANY)
@example("\ud800")
def test_a_value_is_kept_as_it_is_or_refused_and_nothing_between(text: str) -> None:
    try:
        assert check_value(text) == text
    except TextProblem as refused:
        assert refused.field == "value"
        return
    assert 0 < len(text.encode()) <= MOST_VALUE_BYTES
    assert "\0" not in text


@given(ANY, st.sampled_from([check_value, lambda text: check_line(text, "label"), check_subject]))
def test_a_refusal_never_quotes_the_text(text: str, check: Callable[[str], str]) -> None:
    marked = text + "\0Zaubertrank"
    assert "Zaubertrank" not in str(problem(check, marked))


def test_two_spellings_of_one_word_stay_two_texts() -> None:
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    assert check_value(composed) != check_value(decomposed)


# ---------------------------------------------------------------- lines
@pytest.mark.parametrize("text", ["x", "x" * MOST_LABEL, "患者" * 60, "O'Brien & Söhne", "🏥"], ids=range(5))
def test_a_line_comes_back_as_it_is(text: str) -> None:
    assert check_line(text, "label") == text


@pytest.mark.parametrize(
    "text", ["a\nb", "a\rb", "a\tb", "a\x1bb", "a\x85b", "a\u2028b", "a\u2029b", "x" * (MOST_LABEL + 1)]
)
def test_a_line_is_one_line_and_not_too_long(text: str) -> None:
    assert problem(check_line, text, "label").field == "label"


def test_an_empty_line_is_kept_only_where_it_may_be_empty() -> None:
    assert check_line("", "note", empty=True) == ""
    assert check_line("  ", "note", empty=True) == ""
    assert problem(check_line, "", "note").field == "note"


@given(ANY)
@example("a\u2028b")
def test_a_kept_line_has_no_break_of_any_kind(text: str) -> None:
    try:
        kept = check_line(text, "label")
    except TextProblem:
        return
    assert kept == text
    assert len(kept.splitlines()) == 1


# ---------------------------------------------------------------- subjects
@pytest.mark.parametrize("text", ["kitchen", "kitchen.equipment", "a.b.c.d.e.f.g.h", "a-b_c.1"])
def test_a_subject_is_a_dotted_path(text: str) -> None:
    assert check_subject(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "a.",
        ".a",
        "a..b",
        "Kitchen",
        "a b",
        "a.b.c.d.e.f.g.h.i",
        "-a",
        "a/b",
        "é",
        "a\n",
        "a" * (MOST_LABEL + 1),
    ],
)
def test_anything_else_is_not(text: str) -> None:
    assert problem(check_subject, text).field == "subject"


@given(st.text())
@example("Kitchen equipment")
@example("患者")
@example("-" * 200)
@example("a" * 119 + " b")
def test_every_label_has_a_subject(label: str) -> None:
    subject = subject_of(label)
    assert check_subject(subject) == subject


def test_a_subject_says_what_the_label_says() -> None:
    assert subject_of("Kitchen equipment") == "kitchen-equipment"
    assert subject_of("Crème brûlée!") == "creme-brulee"
    assert subject_of("患者") == "memory"


# ---------------------------------------------------------------- showing a stranger's text
def test_hidden_characters_are_made_visible() -> None:
    assert visible("a\u202eb\u200bc\0") == "a[U+202E]b[U+200B]c[U+0000]"


def test_an_emoji_is_seen_whole_and_a_joiner_in_words_is_not_hidden_away() -> None:
    family = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
    assert visible(f"{family}\t\u2764\ufe0f\u200d\U0001f525") == f"{family}\t\u2764\ufe0f\u200d\U0001f525"
    assert visible("pay\u200dpal \u200d") == "pay[U+200D]pal [U+200D]"


@given(ANY)
def test_nothing_hidden_is_left(text: str) -> None:
    shown = visible(text)
    assert not any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in shown if c not in "\t\u200d")
    assert visible(shown) == shown


@pytest.mark.parametrize(
    "smuggled",
    [
        "".join(chr(0xE0100 + each) for each in range(30)),
        "".join(chr(0xFE00 + each) for each in range(16)),
        "\U000e0001" + "".join(chr(0xE0000 + ord(each)) for each in "send it"),
        "\ufff9of\ufffano\ufffb",
        "\u3164\uffa0\u115f\u1160",
        "\u180b\u180f\u034f\u17b4",
        "\u2065\ufff0\U000e0080\U000e01f0",
        "\U0001f3f4" + "".join(chr(0xE0000 + ord(each)) for each in "send") + "\U000e007f",
        "\u795e\U000e0100\U000e0101",
        "\u2764\ufe0f\ufe0f",
        "\u2764\ufe05",
        "7\ufe0f",
    ],
    ids=ascii,
)
def test_what_nobody_sees_is_no_way_to_hide_a_message(smuggled: str) -> None:
    for text in (f"Lives in Porto{smuggled}", f"{smuggled} Porto"):
        assert hides(text)
        assert not plain(text)
        assert "[U+" in visible(text)


@pytest.mark.parametrize(
    "text",
    [
        "\u2764\ufe0f, \u2194\ufe0e, \u00a9\ufe0f, \u2139\ufe0f, \u203c\ufe0f",
        "1\ufe0f\u20e3 and #\ufe0f\u20e3",
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f is Scotland's",
        "\u845b\U000e0100\u57ce and \u795e\ufe00",
        "\u2229\ufe00",
        "\u0645\u062d\u0640\u0640\u0645\u062f",
        "\U0001f9d1\U0001f3fd\u200d\U0001f4bb \U0001f3f3\ufe0f\u200d\U0001f308",
    ],
    ids=ascii,
)
def test_a_form_that_was_chosen_for_a_picture_or_an_ideograph_is_left_as_it_is(text: str) -> None:
    assert not hides(text)
    assert visible(text) == text


@given(ANY)
@example("\u2800")
def test_what_is_plain_at_a_glance_hides_nothing(text: str) -> None:
    assert not (plain(text) and hides(text))
