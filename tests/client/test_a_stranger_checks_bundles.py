"""Audit bundles, checked and compared by the one-file program with Python alone, in memory that does not grow."""

import json
from pathlib import Path

import pytest

from tests.client.bundles import entries, write_bundle
from tests.client.program import PLAIN_PYTHON, measured, run, said
from tests.ledger.files import LOG_KEY

KEY = str(LOG_KEY.verifier)
LENGTH = 300


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_bundle(tmp_path_factory.mktemp("bundle") / "bundle.jsonl", entries(LENGTH))


def finding(program: Path, bundle: Path, lines: list[bytes]) -> tuple[int, str]:
    """The exit code, and the place named, of a bundle whose lines are these."""
    bundle.write_bytes(b"".join(lines))
    done = run(program, "verify", "--json", "--key", KEY, bundle)
    (report,) = json.loads(said(done))["files"]
    return done.returncode, report["findings"][0]["where"] if report["findings"] else report["verdict"]


def place_of(lines: list[bytes], seq: int) -> int:
    """Which line holds the receipt with this number."""
    (found,) = (at for at, line in enumerate(lines) if f'"seq":{seq},"time"'.encode() in line)
    return found


def test_a_bundle_holds_under_the_key_one_had(program: Path, bundle: Path) -> None:
    done = run(program, "verify", "--key", KEY, bundle, watched=True)
    assert done.returncode == 0, said(done)
    assert done.stderr.decode().strip() == PLAIN_PYTHON
    text = said(done)
    assert f"{bundle} (bundle)" in text and "Verdict: Intact and in the ledger." in text
    assert run(program, "verify", "-", stdin=bundle.read_bytes()).returncode == 0


def test_bundles_of_a_real_instance_hold_and_are_compared(program: Path, files: Path) -> None:
    key = f"@{files / 'log.vkey'}"
    names = [files / f"{name}.bundle.jsonl" for name in ("old", "new", "part")]
    done = run(program, "verify", *names, files / "read.receipt.json", "--key", key)
    assert done.returncode == 0, said(done)
    assert said(done).count("Verdict: Intact and in the ledger.") == 4
    assert "Kanari" not in said(done), "no value and no private label is in them"
    assert run(program, "verify", names[0], "--key", f"@{files / 'other.vkey'}").returncode == 1
    for newer in names[1:]:
        done = run(program, "compare", names[0], newer, "--key", key)
        assert done.returncode == 0, said(done)
    assert "1 memory.added" in said(done)


def test_what_was_removed_moved_doubled_or_changed_is_named_by_its_number(
    program: Path, bundle: Path, tmp_path: Path
) -> None:
    """The first receipt that does not stand in its place; of a cut, the first that is missing."""
    lines = bundle.read_bytes().splitlines(keepends=True)
    at, copy = place_of(lines, 200), tmp_path / "copy.jsonl"
    assert finding(program, copy, lines) == (0, "intact-in-ledger")
    assert finding(program, copy, [*lines[:at], *lines[at + 1 :]]) == (1, "201")
    assert finding(program, copy, [*lines[: at + 1], *lines[at:]]) == (1, "200")
    assert finding(program, copy, [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]) == (1, "201")
    care = lines[at].replace(b'"purpose":"answer"', b'"purpose":"care"')
    assert care != lines[at]
    assert finding(program, copy, [*lines[:at], care, *lines[at + 1 :]]) == (1, "200")
    assert finding(program, copy, lines[:at]) == (1, "200")
    assert finding(program, copy, lines[:-1]) == (1, "end")


def test_a_hundred_thousand_receipts_take_no_more_memory_than_ten_thousand(program: Path, tmp_path: Path) -> None:
    peaks = []
    for length in (10_000, 100_000):
        bundle = write_bundle(tmp_path / "long.jsonl", entries(length))
        done, peak = measured(program, "verify", "--key", KEY, bundle)
        assert done.returncode == 0, said(done)
        peaks.append(peak)
        bundle.unlink()
    assert peaks[1] < 40, peaks
    assert peaks[1] < peaks[0] + 5, peaks


def test_two_bundles_are_compared(program: Path, bundle: Path, tmp_path: Path) -> None:
    newer = write_bundle(tmp_path / "newer.jsonl", entries(LENGTH + 7))
    done = run(program, "compare", bundle, newer, "--key", KEY, watched=True)
    assert done.returncode == 0, said(done)
    assert "Growth: The ledger grew by 7 receipts" in said(done).splitlines()[-1]
    assert run(program, "compare", bundle, newer, "--expect", "7").returncode == 0
    fewer = run(program, "compare", bundle, newer, "--expect", "5")
    assert (fewer.returncode, "You expected 5" in said(fewer)) == (1, True)
    assert run(program, "compare", newer, bundle).returncode == 1


def test_a_rewritten_history_is_named_by_its_first_other_receipt(program: Path, bundle: Path, tmp_path: Path) -> None:
    other = write_bundle(tmp_path / "other.jsonl", entries(LENGTH + 7, rewritten_from=250))
    assert run(program, "verify", other, "--key", KEY).returncode == 0, "in itself it holds"
    done = run(program, "compare", bundle, other, "--json", "--key", KEY)
    document = json.loads(said(done))
    assert (done.returncode, document["exit_code"], document["forked_at"]) == (1, 1, 250)
    members = "format old new forked_at more kinds expected says exit_code"
    assert list(document) == members.split() and document["format"] == "muniment-compare/1"
