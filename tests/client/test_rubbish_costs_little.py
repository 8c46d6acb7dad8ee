"""What is no file of ours is put down after its beginning, and what only pretends to be one costs what it weighs."""

from pathlib import Path

import pytest

from tests.client.program import measured, said

SIZE = 30_000_000


@pytest.mark.parametrize("line", [b"A\n", b"{}\n", b"\n", b"[", b'{"a":'])
def test_rubbish_of_any_length_takes_no_memory_to_speak_of(program: Path, tmp_path: Path, line: bytes) -> None:
    file = tmp_path / "rubbish"
    file.write_bytes(line * (SIZE // len(line)))
    done, peak = measured(program, "verify", file)
    assert done.returncode == 2 and "no file of Muniment" in said(done)
    assert peak < 60, peak


@pytest.mark.parametrize("part", [b"[],", b"[],\n", b"0,", b"{}\n"])
def test_rubbish_that_begins_like_a_receipt_takes_a_few_times_its_size(
    program: Path, tmp_path: Path, part: bytes
) -> None:
    file = tmp_path / "rubbish"
    file.write_bytes(b'{"format":"muniment-receipt-file/1","a":[\n' + part * (SIZE // len(part)) + b"0]}")
    done, peak = measured(program, "verify", file)
    assert done.returncode == 1 and "Verdict: Altered." in said(done)
    assert peak < 40 + 3 * SIZE / 2**20, peak
