"""The limits of a search for residue, each shown: what is here is not found, and docs/residue.md says so."""

import base64
import codecs
import gzip
import textwrap
from pathlib import Path

import pytest

from apps.erasure import residue

VALUE = "Ann Lee is allergic to penicillin"


@pytest.mark.parametrize(
    "copy",
    [
        b"the patient cannot have penicillins; her name is Lee",
        VALUE.replace("to ", "to\n    ").encode(),
        VALUE.encode("utf-32-le"),
        VALUE.encode("cp037"),
        codecs.encode(VALUE, "rot13").encode(),
        bytes(byte ^ 0x5A for byte in VALUE.encode()),
        VALUE[::-1].encode(),
        base64.b32encode(VALUE.encode()),
        base64.b64encode(gzip.compress(VALUE.encode())),
        base64.b64encode(base64.b64encode(VALUE.encode())),
        textwrap.fill(base64.b64encode(b"." * 40 + VALUE.encode()).decode(), 64).encode(),
    ],
    ids=(
        "in other words, on two lines, UTF-32, EBCDIC, turned by 13, enciphered, backwards, base32, packed and then"
        " base64, base64 twice, base64 in lines that is in no mail"
    ).split(", "),
)
def test_these_copies_are_not_found(tmp_path: Path, copy: bytes) -> None:
    (tmp_path / "x").write_bytes(copy)
    assert residue.search([tmp_path], [VALUE]).findings == []
    (tmp_path / "control").write_text(VALUE)
    assert residue.search([tmp_path], [VALUE]).exit_code == 1


def test_a_part_that_is_shorter_than_what_is_looked_for_is_not_found(tmp_path: Path) -> None:
    (tmp_path / "x").write_text(VALUE[:-1])
    assert residue.search([tmp_path], [VALUE]).findings == []
