"""A letter carries the facts of a closed table and nothing else; a burst makes one; a server that is not there is asked
again, at longer and longer distances."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.policy.letters import (
    FACTS,
    LONGEST_WAIT,
    MOST_ATTEMPTS,
    MOST_LINES,
    MOST_WORDS,
    Days,
    Kind,
    Letter,
    Reads,
    inert,
    next_try,
    pack,
    quoted,
    reachable,
    series_of,
    unpack,
)

MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2037, 1, 1), timezones=st.just(UTC))
DATES = st.dates(date(1990, 1, 1), date(2050, 1, 1))
COUNTS = st.integers(0, 10**6)
OF_KIND = {
    Kind.NAME: st.text(max_size=120),
    Kind.COUNT: COUNTS,
    Kind.FLAG: st.booleans(),
    Kind.TIME: st.none() | MOMENTS,
    Kind.DAY: DATES,
    Kind.DAYS: st.tuples(DATES, DATES).map(lambda two: Days(min(two), max(two))),
    Kind.READS: st.lists(st.builds(Reads, st.text(max_size=120), COUNTS, COUNTS, COUNTS), max_size=3).map(tuple),
    Kind.ID: st.uuids().map(lambda each: f"req_{each.hex}"),
    Kind.SALT: st.binary(min_size=16, max_size=16).map(bytes.hex),
    Kind.WORDS: st.text(max_size=MOST_WORDS),
}


def of(letter: Letter) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            name: st.sampled_from(sorted(fact.words)) if fact.kind is Kind.CODE else OF_KIND[fact.kind]
            for name, fact in FACTS[letter].items()
        }
    )


@given(st.sampled_from(Letter).flatmap(lambda letter: st.tuples(st.just(letter), of(letter))))
def test_what_is_packed_is_unpacked(of_letter: tuple[Letter, dict[str, Any]]) -> None:
    letter, facts = of_letter
    assert unpack(letter, pack(letter, facts)) == facts


def test_every_letter_has_its_facts_and_one_alone_brings_somebody_s_words() -> None:
    assert set(FACTS) == set(Letter)
    assert [letter for letter, facts in FACTS.items() if Kind.WORDS in {each.kind for each in facts.values()}] == [
        Letter.SHARE
    ]
    names = {name for facts in FACTS.values() for name, fact in facts.items() if fact.kind is Kind.NAME}
    assert names == set("about assistant client domain home name place space who".split()), "each is a name"


@given(st.sampled_from(Letter).flatmap(lambda letter: st.tuples(st.just(letter), of(letter))), st.data())
def test_what_is_not_of_its_kind_is_refused_and_not_quoted(
    of_letter: tuple[Letter, dict[str, Any]], data: st.DataObject
) -> None:
    letter, facts = of_letter
    name = data.draw(st.sampled_from(sorted(facts)))
    wrong = data.draw(st.sampled_from(["Twelve units of insulin" * 6, -1, 1.5, [], {}, datetime(2026, 1, 1), b"x"]))
    with pytest.raises(ValueError) as refused:
        pack(letter, {**facts, name: wrong})
    assert "insulin" not in str(refused.value)
    with pytest.raises(ValueError):
        pack(letter, {**facts, "label": "Insulin"})
    if FACTS[letter][name].needed:
        with pytest.raises(ValueError):
            pack(letter, {each: fact for each, fact in facts.items() if each != name})


def test_facts_of_an_older_table_are_dropped() -> None:
    assert "once" not in unpack(Letter.DIGEST, {"waiting": 1, "once": "x"})


# ---------------------------------------------------------------- to whom, and how often
@pytest.mark.parametrize(
    ("email", "goes"),
    [
        ("ines@home.example", True),
        ("0f@no-address.invalid", False),
        ("0f@NO-ADDRESS.INVALID.", False),
        ("ines@invalid.example", True),
        ("", False),
        ("ines@home.example\nBcc: all@home.example", False),
        ("ines @home.example", False),
        (f"{'i' * 250}@home.example", False),
    ],
)
def test_who_has_an_address(email: str, goes: bool) -> None:
    assert reachable(email) is goes


def test_bursts_are_of_requests_and_of_ends() -> None:
    assert series_of(Letter.REQUEST, "cli_1/req_2") == "cli_1/"
    assert series_of(Letter.STOPPED, "cli_1/2") is None


def test_tries_come_at_longer_distances_and_end_after_five_days() -> None:
    waits = [next_try(number) for number in range(1, MOST_ATTEMPTS + 1)]
    times = [each for each in waits if each is not None]
    assert waits[-1] is None and len(times) == MOST_ATTEMPTS - 1
    assert times == sorted(times) and times[0] == timedelta(minutes=1) and times[-1] == LONGEST_WAIT
    assert timedelta(days=4.9) < sum(times, timedelta()) < timedelta(days=5.1)
    assert next_try(1, for_good=True) is None


# ---------------------------------------------------------------- what strangers write
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("For the dinner on Friday", ("For the dinner on Friday",)),
        ("At 18.30, on 29.11.2026.", ("At 18.30, on 29.11.2026.",)),
        ("O'Brien & Söhne <b>", ("O'Brien & Söhne <b>",)),
        ("See https://evil.example/a", ("See https: //evil[.]example/a",)),
        ("1.2.3.4 or 3.cn or a。b", ("1[.]2[.]3[.]4 or 3[.]cn or a[.]b",)),
        ("me@evil.example", ("me at evil[.]example",)),
        ("one\r\n\n\n two ", ("one", "two")),
        ("a\u202eb", ("a[U+202E]b",)),
        ("", ()),
        (" \n", ()),
    ],
)
def test_somebody_s_words_are_quoted_line_by_line_and_lead_nowhere(words: str, said: tuple[str, ...]) -> None:
    assert quoted(words) == said


@given(st.text(max_size=MOST_WORDS), st.sampled_from(["", "\n", "\r", "."]))
def test_nobody_s_words_break_a_line_or_push_ours_away(words: str, between: str) -> None:
    said = quoted(between.join(words))
    assert len(said) <= MOST_LINES
    for each in (*said, inert(words)):
        assert each.isprintable() or "\t" in each or not each.isascii()
        assert not {"\n", "\r", "\x1e", "\x1f", "\x85", "\u2028", "@"} & set(each) and "://" not in each
