"""A value is bound to the earliest receipt that carries its commitment, and to none where anything about it differs."""

import hmac
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.ledger.format.encoding import canonical
from apps.ledger.format.opening import MOST_OPENING_BYTES, Binder, Opening, OrderOpening, bind_content, parse_opening
from apps.ledger.format.verdict import CONTENT_NOT_CHECKED, Altered, Verdict
from apps.ledger.format.verifying import verify
from tests.ledger.files import ALICE, BOB, READS, TRUSTED, VALUE, receipt_file, receipts, written

VECTOR = Path(__file__).parents[2] / "docs" / "vectors" / "receipts.json"


def test_it_opens_the_commitment_of_the_published_vector() -> None:
    said = json.loads(VECTOR.read_text())
    read = next(receipt for each in said["chain"] if (receipt := json.loads(each["canonical"]))["kind"] == "value.read")
    key = hmac.digest(bytes.fromhex(said["value"]["key"]), b"muniment-commitment/1", "sha256")
    opening = Opening(read["vault"], read["memory"], 1, "ordinary", False, key, said["value"]["text"])
    assert opening.commitment == said["value"]["commitment"] == read["commitment"]
    assert opening.opens(read)


def test_the_earliest_receipt_binds_it_in_whatever_order_they_come() -> None:
    order = list(receipts(ALICE))
    for seed in range(20):
        random.Random(seed).shuffle(order)
        bound = bind_content(VALUE, order)
        assert bound and (bound.seq, bound.time) == (READS[0], "2026-01-01T00:00:03.000000Z")


def test_a_receipt_of_a_later_read_binds_it_no_earlier_than_it_can_show() -> None:
    report = verify(written(receipt_file(seq=READS[1])), TRUSTED, [VALUE.to_bytes()])
    assert report.verdict is Verdict.IN_LEDGER
    assert f"at the latest by receipt {READS[1]}" in report.content


CHANGES: list[dict[str, Any]] = [
    {"vault": BOB},
    {"memory": "mem_" + "0" * 32},
    {"version": 2},
    {"category": "health"},
    {"attested": True},
    {"key": b"k" * 32},
    {"value": VALUE.value[:-1]},
    {"value": VALUE.value + "\n"},
]


@pytest.mark.parametrize("change", CHANGES)
def test_another_anything_binds_nothing_and_the_receipt_does_not_pass_with_it(change: dict[str, Any]) -> None:
    other = replace(VALUE, **change)
    assert bind_content(other, receipts(ALICE)) is None
    report = verify(written(receipt_file()), TRUSTED, [other.to_bytes()])
    assert (report.verdict, report.content) == (Verdict.OTHER_VALUE, CONTENT_NOT_CHECKED)
    assert report.says == "The receipt holds; the value you added is not the one it is about." and report.exit_code == 1
    assert [each.where for each in report.findings] == ["opening[0]"]


def test_a_commitment_under_another_memorys_name_is_not_this_memorys() -> None:
    read = receipts(ALICE)[READS[0] - 1]
    assert VALUE.opens(read) and not VALUE.opens({**read, "memory": "mem_" + "0" * 32})


def test_without_an_opening_the_content_is_not_checked_and_the_report_says_so() -> None:
    report = verify(written(receipt_file()), TRUSTED)
    assert report.content == "content NOT checked" and "content NOT checked" in "\n".join(report.lines())


def test_it_shows_neither_key_nor_value_in_a_report_or_in_its_text_form() -> None:
    shown = repr(VALUE) + json.dumps(verify(written(receipt_file()), TRUSTED, [VALUE.to_bytes()]).to_json())
    assert VALUE.key.hex() not in shown and "frying pan" not in shown


@settings(max_examples=50, deadline=None)
@given(st.text().filter(lambda text: text.isprintable()), st.binary(min_size=32, max_size=32), st.booleans())
def test_it_reads_back_as_it_was_written(value: str, key: bytes, attested: bool) -> None:
    made = replace(VALUE, value=value, key=key, attested=attested)
    assert Opening.parse(made.to_bytes()) == made
    assert bind_content(made, [{**receipts(ALICE)[READS[0] - 1], "commitment": made.commitment}])


@pytest.mark.parametrize(
    ("member", "other"),
    [
        ("format", "muniment-opening/2"), ("vault", "018f6a5e-2c00-7000-8000-000000000001"), ("memory", "-"),
        ("version", -1), ("version", "1"), ("version", True), ("category", "health\n"), ("category", 1),
        ("attested", 1), ("attested", "true"), ("key", "00"), ("key", "K" * 64), ("value", None), ("value", 1),
    ],
)  # fmt: skip
def test_anything_else_is_no_opening_and_the_member_is_named(member: str, other: Any) -> None:
    said = {**json.loads(VALUE.to_bytes()), member: other}
    with pytest.raises(Altered) as raised:
        Opening.parse(json.dumps(said).encode())
    assert raised.value.finding.where == member
    binder = Binder([json.dumps(said).encode()])
    assert [each.where for each in binder.findings] == [f"opening[0].{member}"]


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\xff", b"x" * (MOST_OPENING_BYTES + 1), b"[" * 100_000])
def test_hostile_openings_are_findings(data: bytes) -> None:
    binder = Binder([data, VALUE.to_bytes()])
    binder.see(receipts(ALICE)[READS[0] - 1])
    assert len(binder.findings) == 1 and binder.findings[0].where.startswith("opening[0]")
    assert binder.content == CONTENT_NOT_CHECKED


def test_what_is_no_opening_is_neither_a_pass_nor_a_fail_and_one_is_no_file_to_check() -> None:
    report = verify(written(receipt_file()), TRUSTED, [b"the frying pan"])
    assert (report.verdict, report.exit_code) == (Verdict.CANT_CHECK, 2) and "is no opening" in report.says
    alone = verify(VALUE.to_bytes(), TRUSTED)
    assert (alone.verdict, alone.exit_code) == (Verdict.CANT_CHECK, 2) and "--opening" in alone.says


def test_lines_are_looked_at_by_their_bytes_as_by_their_members() -> None:
    by_bytes, by_members = Binder([VALUE.to_bytes()]), Binder([VALUE.to_bytes()])
    for receipt in receipts(ALICE):
        by_bytes.look(canonical(receipt))
        by_members.see(receipt)
    assert by_bytes.content == by_members.content
    assert by_bytes.content.startswith("content checked: ") and "receipt 3," in by_bytes.content


# ---------------------------------------------------------------- the words of an order
WORDS = OrderOpening(ALICE, "ord_" + "1" * 32, "wish", "Case 7", bytes(range(32)))
ORDER_RECEIPT = {"kind": "erasure.ordered", "vault": ALICE, "object": WORDS.order, "commitment": WORDS.commitment}


def test_the_words_of_an_order_are_bound_by_its_receipt_alone() -> None:
    assert WORDS.opens(ORDER_RECEIPT) and parse_opening(json.dumps(WORDS.to_json()).encode()) == WORDS
    for name, other in {
        "kind": "erasure.certified",
        "vault": BOB,
        "object": "ord_" + "2" * 32,
        "commitment": "-",
    }.items():
        assert not WORDS.opens(ORDER_RECEIPT | {name: other}), name
    for name, other in {"vault": BOB, "order": "ord_" + "2" * 32, "basis": "objection", "words": "Case 8"}.items():
        assert not replace(WORDS, **{name: other}).opens(ORDER_RECEIPT), name
    assert not replace(WORDS, salt=bytes(32)).opens(ORDER_RECEIPT)
    assert "Case 7" not in repr(WORDS) and WORDS.salt.hex() not in repr(WORDS)


@pytest.mark.parametrize("name", ["vault", "order", "basis", "words", "salt"])
@pytest.mark.parametrize("wrong", [None, 7, "", "x\n"])
def test_what_is_no_such_opening_is_named(name: str, wrong: Any) -> None:
    if name == "words" and wrong in ("", "x\n"):
        return  # any text is
    with pytest.raises(Altered) as no:
        parse_opening(json.dumps(WORDS.to_json() | {name: wrong}).encode())
    assert no.value.finding.where == name


def test_words_that_are_of_no_receipt_here_are_another_value() -> None:
    data = json.dumps(WORDS.to_json()).encode()
    report = verify(written(receipt_file()), TRUSTED, [data])
    assert (report.verdict, [each.where for each in report.findings]) == (Verdict.OTHER_VALUE, ["opening[0]"])
    assert "Case 7" not in str(report.lines())
    assert verify(data, TRUSTED).verdict is Verdict.CANT_CHECK
