"""Search finds what is written, in any script and however it is spelled, and says ids and ranks only."""

from uuid import UUID

import pytest

from apps.memories import services as memories
from tests.cast import Vault, canary
from vault.clock import utc_now


def found(vault: Vault, question: str) -> list[UUID]:
    """What search finds, best first."""
    return [each for each, _ in memories.search(vault.id, vault.holder.actor, question, 50)]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("患者对青霉素过敏", "青霉素"),
        ("今日は成語しりとりをした", "しりとり"),
        ("오늘 끝말잇기 게임을 했다", "끝말잇기"),
        ("用 docker 部署服务", "docker 部署"),
        ("Аллергия на арахис", "аллергия"),
        ("Живёт в Брно", "брно"),
        ("יש לו אלרגיה לבוטנים", "לבוטנים"),
        ("حساسية من الفول السوداني", "الفول"),
        ("แพ้ถั่วลิสง", "ถั่วลิสง"),
        ("ແພ້ຖົ່ວດິນ", "ຖົ່ວດິນ"),
        ("ខ្ញុំមានប្រតិកម្មសណ្តែកដី", "សណ្តែកដី"),
        ("မြေပဲမတည့်ဘူး", "မြေပဲ"),
        ("今日は、雨。傘を持つ", "雨"),
        ("Bydlí v Brně", "brne"),
    ],
)
def test_a_word_of_any_script_finds_it_and_so_does_the_whole_text(alice: Vault, text: str, question: str) -> None:
    alice.keep("note", text, label="Merkzettel")
    assert alice.ids["note"] in found(alice, question)
    assert alice.ids["note"] in found(alice, text)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Café", "cafe"),
        ("caffè", "CAFFE"),
        ("caf\u00e9", "cafe\u0301"),
        ("cafe\u0301", "caf\u00e9"),
        ("Straße", "strasse"),
        ("STRASSE", "straße"),
        ("château", "Chateau"),
        ("München", "Munchen"),
        ("İstanbul", "istanbul"),
        ("ﬁsh", "fish"),
        ("Ｔｏｋｙｏ", "tokyo"),
        ("near the 🏥", "🏥"),
    ],
)
def test_case_accents_and_forms_are_folded_to_find_and_kept_to_show(alice: Vault, text: str, question: str) -> None:
    alice.keep("note", text, label="Merkzettel")
    assert found(alice, question) == [alice.ids["note"]]
    assert [each.value for each in memories.show(alice.holder, [alice.ids["note"]]).values] == [text]


@pytest.mark.parametrize(
    ("text", "question"), [("He is allergic to peanuts", "peanut allergic"), ("visited two clinics", "clinic visit")]
)
def test_english_words_are_found_by_their_stem(alice: Vault, text: str, question: str) -> None:
    alice.keep("note", text, label="Merkzettel")
    assert found(alice, question) == [alice.ids["note"]]


@pytest.mark.parametrize("question", ["", " ", "?!…", "the", "\u200b", "qqqqq", "🦄"])
def test_nothing_finds_nothing_and_is_no_error(alice: Vault, question: str) -> None:
    assert found(alice, question) == []


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_of_none_is_none(alice: Vault, limit: int) -> None:
    word = alice.values["kitchen"].split()[-1]
    assert memories.search(alice.id, alice.holder.actor, word, limit) == ()
    assert memories.search(alice.id, alice.holder.actor, word, 10**6)


def test_the_last_word_of_a_long_value_is_found(alice: Vault) -> None:
    last = canary()
    alice.keep("long", "word " * 12_000 + last, label="Long")
    assert found(alice, last) == [alice.ids["long"]]


def test_a_label_s_and_a_subject_s_words_are_found_too(alice: Vault) -> None:
    alice.keep("pet", "Rex", label="Haustier", subject="household.animals")
    for question in ("haustier", "animals", "rex"):
        assert found(alice, question) == [alice.ids["pet"]]


def test_reading_changes_nothing(alice: Vault) -> None:
    """Ten searches, the same order, and no receipt of a value: ids and ranks are not a value."""
    before = alice.receipts()
    answers = [memories.search(alice.id, alice.holder.actor, "cooking equipment time", 50) for _ in range(10)]
    assert answers.count(answers[0]) == 10 and answers[0]
    assert alice.receipts() == before


def test_what_is_put_away_is_not_found_until_it_is_indexed_again(alice: Vault) -> None:
    word = alice.values["kitchen"].split()[-1]
    memories.put_away(alice.holder, alice.ids["kitchen"], utc_now())
    assert found(alice, word) == []
    memories.put_back(alice.holder, alice.ids["kitchen"], utc_now())
    memories.rebuild_index(alice.id, [alice.ids["kitchen"]], utc_now())
    assert found(alice, word) == [alice.ids["kitchen"]]


def test_the_one_that_says_it_more_is_first(alice: Vault) -> None:
    word = canary()
    alice.keep("once", f"{word} and much else that is said here", label="Eins")
    alice.keep("often", f"{word} {word} {word}", label="Zwei")
    assert found(alice, word) == [alice.ids["often"], alice.ids["once"]]
