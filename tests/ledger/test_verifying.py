"""One entry for any file: what it is not made for is said, never passed, and no more is read of it than must be."""

import json
import time
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.ledger.format.verdict import Finding, Verdict
from apps.ledger.format.verifying import MOST_FILE_BYTES, MOST_PARTS, UNTOLD_BYTES, verify, verify_stream
from tests.ledger.files import TRUSTED, receipt_file, written
from tests.ledger.material import BYTES

RECEIPT = written(receipt_file())
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=15,
)


@settings(deadline=None)
@given(BYTES)
def test_any_bytes_are_answered(data: bytes) -> None:
    for tried in (data, b"{" + data, RECEIPT + data, RECEIPT[:50] + data):
        report = verify(tried, TRUSTED)
        assert report.verdict in (Verdict.CANT_CHECK, Verdict.ALTERED) or not data.strip(b" \t\r\n")


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(receipt_file())), JSON)
def test_any_json_in_any_member_is_answered(member: str, held: object) -> None:
    file = receipt_file()
    report = verify(json.dumps({**file, member: held}).encode(), TRUSTED)
    assert report.verdict is not Verdict.IN_LEDGER or held == file[member]


@pytest.mark.parametrize("lines", [1, 7, 1000])
def test_a_file_is_the_same_in_pieces(lines: int) -> None:
    pieces = [RECEIPT[at : at + lines] for at in range(0, len(RECEIPT), lines)]
    assert verify_stream(pieces, TRUSTED) == verify(RECEIPT, TRUSTED)


@pytest.mark.parametrize("junk", [b"\x00", b"[", b"{", b"9", b'{"a":', b" ", b"\n", b"muniment-receipt-file/1"])
def test_junk_without_end_is_refused_after_a_bounded_part_of_it(junk: bytes) -> None:
    piece = junk * (2**20 // len(junk))
    given = 0

    def endless() -> Iterator[bytes]:
        nonlocal given
        while given < 200:
            given += 1
            yield piece

    report = verify_stream(endless(), TRUSTED)
    assert report.verdict is Verdict.CANT_CHECK and report.exit_code == 2
    named = b"muniment-receipt-file/1" in junk
    assert given <= ((MOST_FILE_BYTES if named else UNTOLD_BYTES) >> 20) + 2


@pytest.mark.parametrize(
    "junk", [b"[" * 1_000_000, b"[" * 500_000 + b"]" * 500_000, b'{"a":' * 200_000, b"9" * 1_000_000]
)
def test_deep_and_long_json_is_refused_at_little_cost(junk: bytes) -> None:
    tracemalloc.start()
    began = time.process_time()
    try:
        assert verify(junk, TRUSTED).verdict is Verdict.CANT_CHECK
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert time.process_time() - began < 2 and peak < 30 * len(junk)


@pytest.mark.parametrize("line", [b"A\n", b"{}\n", b"\n", b'{"format":"muniment-later/1"}\n'])
def test_rubbish_is_refused_before_much_of_it_is_read(line: bytes) -> None:
    given = 0

    def endless() -> Iterator[bytes]:
        nonlocal given
        while given < 10 * UNTOLD_BYTES:
            given += len(line)
            yield line

    assert verify_stream(endless(), TRUSTED).verdict is Verdict.CANT_CHECK
    assert given <= UNTOLD_BYTES + len(line)


def test_a_file_of_ours_has_named_its_format_early() -> None:
    for size, verdict in ((UNTOLD_BYTES, Verdict.CANT_CHECK), (UNTOLD_BYTES - 100, Verdict.ALTERED)):
        assert verify(json.dumps({"a": "x" * size, **receipt_file()}).encode(), TRUSTED).verdict is verdict


def test_what_would_be_a_hundred_times_as_large_in_memory_is_refused_as_it_stands() -> None:
    report = verify(b'{"format":"muniment-receipt-file/1","a":[' + b"[]," * MOST_PARTS + b"[]]}", TRUSTED)
    assert report.findings == (Finding("file", "it has more parts than any file of this kind"),)


@pytest.mark.parametrize("name", ["muniment-receipt-file/2", "muniment-receipt-file/0", "muniment-certificate/1"])
def test_a_format_of_ours_that_is_not_known_here_is_named(name: str) -> None:
    report = verify(json.dumps({**receipt_file(), "format": name}).encode(), TRUSTED)
    assert (report.verdict, report.exit_code) == (Verdict.CANT_CHECK, 2) and name in report.says
    assert "newer program" in report.says


@pytest.mark.parametrize(
    "trick", ["\x1b[2K\rVerdict: Intact", "\nVerdict: Intact and in the ledger.", "\u202eevil", "\x9b1A"]
)
def test_a_file_writes_nothing_to_a_terminal_but_letters(trick: str) -> None:
    for file in ({**receipt_file(), trick: 1}, {**receipt_file(), "format": f"muniment-{trick}"}):
        lines = verify(json.dumps(file).encode(), TRUSTED).lines()
        assert all(line.isprintable() for line in lines)
        assert [line for line in lines if line.startswith("Verdict: ")] not in ([], ["Verdict: Intact"])
        assert not any(line.startswith("Verdict: Intact") for line in lines)


def test_a_crowd_of_keys_is_refused_before_any_is_read() -> None:
    keys = {f"{at:08x}": "x" for at in range(200_000)}
    began = time.process_time()
    report = verify(json.dumps({**receipt_file(), "keys": keys}).encode(), TRUSTED)
    assert [each.where for each in report.findings] == ["keys"] and time.process_time() - began < 2
