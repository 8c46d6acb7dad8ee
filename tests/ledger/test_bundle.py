"""A bundle by its bytes alone: made of receipts of every kind, checked without a database or a log."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

from apps.ledger.format.bundle import MOST_LINE_BYTES, verify_bundle
from apps.ledger.format.bundle_parts import Entry, Manifest, bundle_lines, json_line, limits_of_bundle
from apps.ledger.format.encoding import FIELDS, VERSION, canonical, genesis, next_hash
from apps.ledger.format.leaf import hyphenated
from apps.ledger.format.opening import Opening
from apps.ledger.format.verdict import Trust, Verdict

VAULT = "vlt_" + "0" * 31 + "1"
TEA = Opening(VAULT, "mem_" + "a" * 32, 1, "ordinary", False, bytes(range(32)), "Tea, no sugar")


def made(*receipts: dict[str, Any]) -> list[bytes]:
    """The lines of a bundle of a chain of such receipts."""
    previous, entries = genesis(hyphenated(VAULT)), []
    for seq, told in enumerate(receipts, 1):
        body = dict.fromkeys(FIELDS, "-") | {"v": VERSION, "vault": VAULT, "seq": seq, "version": 0, "salt": "0" * 32}
        text = canonical(body | {"time": f"2026-01-01T00:00:00.{seq:06d}Z", "kind": "value.read"} | told)
        previous = next_hash(previous, hashlib.sha256(text).digest())
        entries.append(Entry(seq, told.get("kind", "value.read"), text, previous))
    last, limits = len(entries), limits_of_bundle(len(entries), None, False)
    head = (last, previous)
    manifest = Manifest(VAULT, 1, last, genesis(hyphenated(VAULT)), head, "2026-01-02T00:00:00.000000Z", limits)
    batches = (entries[at : at + 100] for at in range(0, last, 100))
    return b"".join(bundle_lines(manifest, None, (), batches, ())).splitlines(keepends=True)


def test_receipts_of_every_shape_and_text_hold() -> None:
    texts = ["-", "é", "漢字", "😀", '"', "\\", "\n", "\x7f", "\u2028", '","kind":"', "}\n{", "a" * 3000]
    lines = made(*({"purpose": texts[n % 12], "actor": texts[n % 7], "version": n % 3} for n in range(1000)))
    report = verify_bundle(lines)
    assert report.verdict is Verdict.NOT_CHECKED, report.lines()
    assert report.coverage[0] == "1000 receipts, from 2026-01-01T00:00:00.000001Z to 2026-01-01T00:00:00.001000Z."


def test_erasures_are_listed_and_counted() -> None:
    lines = made({}, {"kind": "erasure.ordered"}, {}, {"kind": "erasure.done"}, {"kind": "erasures"})
    assert json.loads(lines[-2]) == {"erasures": [2, 4]}
    report = verify_bundle(lines)
    assert report.verdict is Verdict.NOT_CHECKED
    assert report.coverage[-1] == "2 of them say that something was erased."
    for other in ([2], [2, 4, 5], [4, 2], [2, 4.0], ["2", "4"]):
        altered = verify_bundle([*lines[:-2], json_line({"erasures": other}), lines[-1]])
        assert altered.verdict is Verdict.ALTERED, other


def test_content_is_bound_to_the_earliest_receipt_of_a_value() -> None:
    of_tea = {"memory": TEA.memory, "version": 1, "category": "ordinary", "commitment": TEA.commitment}
    lines = made({}, *[{}] * 200, of_tea, {}, of_tea)
    assert verify_bundle(lines).content == "content NOT checked"
    report = verify_bundle(lines, openings=[TEA.to_bytes()])
    assert report.verdict is Verdict.NOT_CHECKED
    assert "was committed to at the latest by receipt 202, at 2026-01-01T00:00:00.000202Z" in report.content


def test_a_value_that_no_receipt_is_of_is_a_finding() -> None:
    report = verify_bundle(made({}, {}), openings=[TEA.to_bytes()])
    assert (report.verdict, report.content) == (Verdict.OTHER_VALUE, "content NOT checked")
    assert report.findings[0].where == "opening[0]"
    assert verify_bundle(made({}), openings=[b"none"]).verdict is Verdict.CANT_CHECK


def test_it_is_not_asked_for_more_than_a_line_of_memory() -> None:
    """A line without an end is not waited for."""
    taken = 0

    def endless() -> Iterator[bytes]:
        nonlocal taken
        yield made({})[0]
        while True:
            taken += 1
            yield b" " * (1 << 20)

    (finding,) = verify_bundle(endless()).findings
    assert finding.where == "file"
    assert taken <= (MOST_LINE_BYTES >> 20) + 1


@pytest.mark.parametrize(
    "lines", [[], [b""], [b"\n"], [b"{}\n"], [b"[]\n"], [b"\xff\n"], [b"null\n"], [b"{" * 100_000]]
)
def test_whatever_comes_there_is_an_answer(lines: list[bytes]) -> None:
    assert verify_bundle(lines).verdict is Verdict.ALTERED


def test_a_bundle_of_another_vault_than_the_one_named_is_not_theirs() -> None:
    report = verify_bundle(made({}), Trust(vault="vlt_" + "2" * 32))
    assert report.verdict is Verdict.UNKNOWN_KEY
    assert report.says == f"This is a bundle of {VAULT}, not of vlt_{'2' * 32}."


KINDS = ("value.read", "value.shown", "value.refused", "memory.added", "grant.made")
PURPOSES = ("answer", "travel", "care", "shopping", "é", 'a"b', "-")


@pytest.mark.parametrize("which", [1, 2, 128, 129, 300, 700])
@pytest.mark.parametrize("mixed", [False, True])
def test_among_receipts_alike_or_mixed_a_changed_one_is_named(which: int, mixed: bool) -> None:
    """Receipts are looked at in three ways, the fastest that fits; what does not hold is the same in each."""
    told = [{"kind": KINDS[n % 5], "purpose": PURPOSES[n % 7 if n > 400 else n % 3]} for n in range(700)]
    lines = made(*(told if mixed else [{} for _ in told]))
    assert verify_bundle(lines).verdict is Verdict.NOT_CHECKED
    row = lines[2 + which]
    for was, other in (
        (b'"form":"-"', b'"form":"x"'),
        (b'"version":0', b'"version":1'),
        (b'"version":0', b'"version":00'),
        (b'"version":0', b'"version":1' + b"0" * 5000),
        (b'"request":"-"', b'"request":"\\u002d"'),
        (b'"request":"-"', b'"request":"a","request":"b"'),
        (b'"request":"-"', b'"request":"\x7f"'),
        (b'"request":"-"', b'"request":"\xff"'),
        (b'"time":"2026', b'"time":"2025'),
        (b'"vault":"vlt_0', b'"vault":"vlt_1'),
        (b'{"chain_hash":"', b'{"chain_hash":"0'),
        (b"}}\n", b"}} \n"),
    ):
        assert was in row
        changed = [*lines[: 2 + which], row.replace(was, other), *lines[3 + which :]]
        report = verify_bundle(changed)
        assert report.verdict is Verdict.ALTERED, other
        assert report.findings[0].where == str(which), (other, report.findings)
