"""What other servers than the tests' pack with LZ4 and LZF is unpacked too, and zstd is said to be closed.

LZ4's bytes are those of its reference library.
"""

import io
import struct
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.erasure import residue
from apps.erasure.residue import packed
from tests.client.pages import LZ4_BLOCK, LZ4_FRAME, LZ4_FRAME_CHECKED, PAGE, TEXT, VALUE, page, segment


def test_a_value_that_a_table_packs_with_lz4_is_live(tmp_path: Path) -> None:
    datum = struct.pack("<II", (8 + len(LZ4_BLOCK)) << 2 | 2, len(TEXT) | 1 << 30) + LZ4_BLOCK
    (tmp_path / "16384").write_bytes(page(datum))
    findings = residue.search([tmp_path], [VALUE]).findings
    assert ("LIVE", "page 0, a row, packed") in {(each.verdict, each.place) for each in findings}


def test_page_images_packed_with_lz4_are_unpacked_and_zstd_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "000000010000000000000001"
    path.write_bytes(segment(0x08, LZ4_BLOCK))
    findings = residue.search([tmp_path], [VALUE]).findings
    assert {each.verdict for each in findings} == {"UNRECLAIMED"}
    assert "the write-ahead log, a packed page image" in {each.place for each in findings}
    path.write_bytes(segment(0x10, LZ4_BLOCK[:40]))
    report = residue.search([tmp_path], [VALUE])
    assert (report.exit_code, ["zstd" in each.why for each in report.unopened]) == (2, [True])


def test_of_a_long_segment_only_a_piece_is_held_at_once(tmp_path: Path) -> None:
    """A server may be made with segments of a gigabyte. The image is found at the end of it too."""
    pages, one = (64 << 20) // PAGE, segment(0x08, LZ4_BLOCK)
    header = struct.pack("<HHIQI4x", 0xD118, 0, 1, 0, 0)
    empty, last = header.ljust(PAGE, b"\0"), (header + one[40:])[:PAGE]
    with (tmp_path / "000000010000000000000001").open("wb") as file:
        file.write(segment(0, b"")[:PAGE])
        file.writelines([empty] * (pages - 2))
        file.write(last)
    tracemalloc.start()
    try:
        findings = residue.search([tmp_path], [VALUE]).findings
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    packed_images = [each for each in findings if each.place == "the write-ahead log, a packed page image"]
    assert {each.verdict for each in packed_images} == {"UNRECLAIMED"}
    assert {each.offset for each in packed_images} == {(pages - 1) * PAGE + 24 + 24 + 25}
    assert most < 8 << 20


def test_a_log_of_an_older_server_is_said_to_be_read_in_part(tmp_path: Path) -> None:
    (tmp_path / "000000010000000000000001").write_bytes(b"\x06\xd1" + segment(0, b"")[2:])
    report = residue.search([tmp_path], [VALUE])
    assert (report.exit_code, ["before PostgreSQL 15" in each.why for each in report.unopened]) == (2, [True])


@pytest.mark.parametrize("frame", [LZ4_FRAME, LZ4_FRAME_CHECKED, LZ4_FRAME * 3], ids=["linked", "checked", "three"])
def test_lz4_files_are_unpacked(tmp_path: Path, frame: bytes) -> None:
    (tmp_path / "x.lz4").write_bytes(frame)
    report = residue.search([tmp_path], [VALUE])
    assert (report.counts()["PLAIN"], report.unopened) == (len(frame) // len(LZ4_FRAME_CHECKED) or 1, [])


def test_a_cut_lz4_file_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    (tmp_path / "x.lz4").write_bytes(LZ4_FRAME + LZ4_FRAME[:-20])
    report = residue.search([tmp_path], [VALUE])
    assert (report.counts()["PLAIN"], len(report.unopened)) == (1, 1)


def test_strings_that_a_broker_s_dump_packs_are_unpacked(tmp_path: Path) -> None:
    text = (b"a letter for " + VALUE.encode()) + b"." * 40
    # By LZF's rules: literals in runs of at most 32, then a run of one letter as a reference one byte back.
    literals = text[: len(text) - 39]
    data = b"".join(
        bytes([len(literals[at : at + 32]) - 1]) + literals[at : at + 32] for at in range(0, len(literals), 32)
    )
    data += bytes([7 << 5, 39 - 2 - 7, 0])
    assert packed.lzf(data, len(text)) == text
    dump = b"REDIS0011\xfa\x09redis-ver\x057.2.0\x00\x01k\xc3" + bytes([0x40, len(data), 0x40, len(text)]) + data
    (tmp_path / "dump.rdb").write_bytes(dump + b"\xff" + bytes(8))
    report = residue.search([tmp_path], [VALUE])
    assert any(finding.place.startswith("a packed string") for finding in report.findings)


def test_lz4_gives_the_reference_s_bytes() -> None:
    assert packed.lz4(LZ4_BLOCK, len(TEXT)) == TEXT
    assert b"".join(packed.lz4_frames(io.BytesIO(LZ4_FRAME))) == TEXT


@given(data=st.binary(max_size=400), most=st.integers(0, 2_000))
def test_rubbish_is_unpacked_to_no_more_than_was_asked(data: bytes, most: int) -> None:
    for unpack in (packed.pglz, packed.lz4, packed.lzf):
        assert len(unpack(data, most)) <= most
