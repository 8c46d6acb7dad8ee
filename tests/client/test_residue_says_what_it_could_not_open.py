"""What could not be looked into is said, ends with 2, and is never counted as clean."""

import gzip
import io
import os
import random
import sqlite3
import stat
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from apps.erasure import residue
from apps.erasure.residue.limits import Limits
from tests.client.looks import CONTAINERS, VALUE
from tests.client.pages import LZ4_BLOCK, LZ4_FRAME, TEXT, page, segment


def whys(report: residue.Report) -> list[str]:
    return [each.why for each in report.unopened]


def zipped(data: bytes, name: str = "member") -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return made.getvalue()


def marked(data: bytes, *, flag: int = 0, method: int | None = None) -> bytes:
    """A zip archive whose members say another thing of themselves."""
    made = bytearray(data)
    for magic, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = made.find(magic) + at
        made[place] |= flag
        if method is not None:
            made[place + 2 : place + 4] = struct.pack("<H", method)
    return bytes(made)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\x28\xb5\x2f\xfd" + b"\0" * 50, "zstd"),
        (b"7z\xbc\xaf\x27\x1c" + b"\0" * 50, "7z"),
        (b"Rar!\x1a\x07\x01\0" + b"\0" * 50, "RAR"),
        (b"age-encryption.org/v1\n-> X25519 x\n", "encrypted"),
        (b"-----BEGIN PGP MESSAGE-----\n\nwcB\n", "encrypted"),
        (b"Salted__" + b"\1" * 50, "encrypted"),
        (b"LUKS\xba\xbe\0\2" + b"\0" * 600, "encrypted"),
        (b"%PDF-1.7\n", "PDF"),
        (marked(zipped(VALUE.encode()), flag=1), "encrypted"),
        (marked(zipped(VALUE.encode()), method=93), "not known here"),
        (gzip.compress(b"x" * 100_000)[:-20], "cut off"),
        (gzip.compress(b"words, more words. " * 9_000)[:-8] + bytes(8), "damaged"),
        (b"\x1f\x8b\x08" + b"\xff" * 50, "damaged"),
        (b"PGDMP\x01\x0b\0\x04\x08\x01" + b"\0" * 50, "not known here"),
        (b"PGDMP\x01\x10\0\x04\x08\x01\x01" + b"\0" * 50, "cut off"),
    ],
)
def test_a_closed_or_broken_file_is_said(tmp_path: Path, data: bytes, why: str) -> None:
    (tmp_path / "file").write_bytes(data)
    (tmp_path / "fine.log").write_text("nothing")
    report = residue.search([tmp_path], [VALUE])
    assert any(why in each for each in whys(report)), whys(report)
    assert (report.found, report.exit_code, report.clean) == ({}, 2, False)
    assert "Not everything could be looked into" in report.verdict


def test_what_was_found_stands_beside_what_was_not_opened(tmp_path: Path) -> None:
    data = gzip.compress(VALUE.encode() + os.urandom(100_000))
    (tmp_path / "cut.gz").write_bytes(data[:-5_000])
    report = residue.search([tmp_path], [VALUE])
    assert (report.counts()["PLAIN"], len(report.unopened), report.exit_code) == (1, 1, 1)


def test_archives_in_archives_are_opened_so_deep_and_no_deeper(tmp_path: Path) -> None:
    data = VALUE.encode()
    for _ in range(6):
        data = gzip.compress(data)
    (tmp_path / "deep").write_bytes(data)
    assert residue.search([tmp_path], [VALUE]).exit_code == 1
    report = residue.search([tmp_path], [VALUE], limits=Limits(depth=5))
    assert (report.exit_code, ["deeply" in why for why in whys(report)]) == (2, [True])


@pytest.mark.parametrize("make", [gzip.compress, zipped, lambda data: zipped(gzip.compress(data))])
def test_a_bomb_is_unpacked_to_the_limit_and_said(tmp_path: Path, make: Callable[[bytes], bytes]) -> None:
    (tmp_path / "bomb").write_bytes(make(bytes(64 << 20)))
    report = residue.search([tmp_path], [VALUE], limits=Limits(unpacked=1 << 20))
    assert report.exit_code == 2
    assert any("more than the limit" in why for why in whys(report))
    assert report.coverage.bytes_unpacked < 8 << 20


def test_too_many_members_are_said(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "many.tar", "w") as archive:
        for number in range(50):
            archive.addfile(tarfile.TarInfo(str(number)))
    report = residue.search([tmp_path], [VALUE], limits=Limits(members=20))
    assert (report.exit_code, ["more members" in why for why in whys(report)]) == (2, [True])


def test_what_needs_more_memory_than_allowed_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.gz").write_bytes(gzip.compress(zipped(os.urandom(200_000))))
    report = residue.search([tmp_path], [VALUE], limits=Limits(memory=100_000))
    assert (report.exit_code, ["in memory" in why for why in whys(report)]) == (2, [True])


def test_a_root_that_is_not_there_is_said(tmp_path: Path) -> None:
    report = residue.search([tmp_path / "nowhere"], [VALUE])
    assert (report.exit_code, whys(report)) == (2, ["it cannot be read: No such file or directory"])


def test_a_file_that_may_not_be_read_is_said(tmp_path: Path) -> None:
    """By whoever may read everything it is read."""
    path = tmp_path / "secret.log"
    path.write_text(VALUE)
    path.chmod(0)
    report = residue.search([tmp_path], [VALUE])
    assert report.exit_code == (2 if whys(report) == ["it cannot be read: Permission denied"] else 1)
    assert (os.geteuid() == 0) == (report.exit_code == 1)


def test_a_link_is_not_followed_and_what_it_leads_to_outside_is_said(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.write_text(VALUE)
    (inside / "a").write_text("nothing")
    (inside / "b").symlink_to("a")
    (inside / "dangling").symlink_to("nowhere")
    assert residue.search([inside], [VALUE]).exit_code == 0
    (inside / "c").symlink_to("../outside")
    report = residue.search([inside], [VALUE])
    assert (report.exit_code, ["link" in why for why in whys(report)]) == (2, [True])
    assert residue.search([inside, outside], [VALUE]).counts()["PLAIN"] == 1


def test_pipes_and_sockets_keep_nothing_and_do_not_hold_it_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert residue.search([tmp_path], [VALUE]).exit_code == 0


def test_a_device_is_said(tmp_path: Path) -> None:
    try:
        os.mknod(tmp_path / "device", 0o600 | stat.S_IFCHR, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("this account may make no device")
    assert whys(residue.search([tmp_path], [VALUE])) == ["it is a device"]


def test_a_value_that_is_everywhere_is_said_and_not_looked_for(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("O+ and so on")
    report = residue.search([tmp_path], ["O+", VALUE])
    assert (report.unsearched, report.exit_code) == ([0], 2)
    assert any("too short" in line for line in report.lines())


def test_a_file_with_two_names_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(VALUE)
    os.link(tmp_path / "a", tmp_path / "b")
    report = residue.search([tmp_path, tmp_path / "b"], [VALUE])
    assert (report.counts()["PLAIN"], report.coverage.files) == (1, 1)


def test_all_are_counted_and_the_first_are_told(tmp_path: Path) -> None:
    (tmp_path / "x.log").write_text(f"{VALUE}\n" * 500)
    report = residue.search([tmp_path], [VALUE], limits=Limits(findings=7))
    assert (report.counts()["PLAIN"], len(report.findings)) == (500, 7)


def stores(folder: Path) -> list[bytes]:
    """Bytes of a database and of its log, as SQLite writes them."""
    connection = sqlite3.connect(folder / "store.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = wal")
    connection.execute("CREATE TABLE t (v TEXT)")
    connection.executemany("INSERT INTO t VALUES (?)", [(VALUE + "." * 5_000,), (VALUE,)])
    made = [(folder / name).read_bytes() for name in ("store.db", "store.db-wal")]
    connection.close()
    return made


def test_no_damage_stops_it(tmp_path: Path) -> None:
    """Bytes changed and ends cut off anywhere: it says something of each file, and goes on."""
    noise = random.Random(3)
    folder = tmp_path / "data"
    folder.mkdir()
    datum = struct.pack("<II", (8 + len(LZ4_BLOCK)) << 2 | 2, len(TEXT) | 1 << 30) + LZ4_BLOCK
    whole = [make(VALUE.encode()) for make in CONTAINERS.values()]
    whole += [*stores(tmp_path), page(datum), segment(8, LZ4_BLOCK), LZ4_FRAME]
    whole += [b"PGDMP\x01\x10\0\x04\x08\x01\x01" + noise.randbytes(400), b"REDIS0011" + noise.randbytes(4_000)]
    for number in range(600):
        data = bytearray(noise.choice(whole))
        for _ in range(noise.choice((0, 1, 3, 30))):
            data[noise.randrange(min(len(data), noise.choice((40, 400, 1 << 30))))] = noise.choice((0, 1, 255, 128))
        name = noise.choice(("x", "x-wal", "x-journal"))
        (folder / f"{number}{name}").write_bytes(data[: noise.choice((len(data), noise.randrange(len(data)) + 1))])
    report = residue.search([folder], [VALUE])
    assert report.coverage.files == 600
    assert report.counts()["PLAIN"] > 100 and len(report.unopened) > 20
    (folder / "last").write_text(VALUE)
    assert residue.search([folder], [VALUE]).counts()["PLAIN"] == report.counts()["PLAIN"] + 1
