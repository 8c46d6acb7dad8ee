"""`muniment residue`: how it is asked, how it ends, and that nothing it prints is a value or helps to guess one."""

import gzip
import io
import json
import os
import pty
import subprocess
import tarfile
from pathlib import Path

import pytest

from tests.client.looks import CONTAINERS, VALUE, looks, write
from tests.client.program import ALONE, PLAIN_PYTHON, run, said

LITERAL = "Do not write a value on the command line"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A value in files, in names of files and folders, in names of members."""
    made = tmp_path / "data"
    made.mkdir()
    for name in ("a log", "zip in tar.gz in zip", "a mail's text"):
        (made / name).mkdir()
        write(made / name, CONTAINERS[name], VALUE)
    value = VALUE.replace("/", " ")
    (made / value).mkdir()
    (made / value / f"{value.upper()}.log").write_text(VALUE)
    with tarfile.open(made / "x.tar", "w") as archive:
        entry = tarfile.TarInfo(f"a/{VALUE}.gz")
        data = gzip.compress(VALUE.encode())[:-2]
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    (made / "link").symlink_to(made.parent / value)
    (made.parent / value).write_text("outside")
    return made


def without_any_look(text: str) -> None:
    for value in (VALUE, VALUE.replace("/", " ")):
        for look, data in looks(value).items():
            shown = data.decode("utf-8", "backslashreplace")
            assert shown.casefold() not in text.casefold(), look
        assert repr(value)[1:-1] not in text
        assert value.encode("ascii", "backslashreplace").decode() not in text
    assert "Haus" not in text


@pytest.mark.parametrize("more", [[], ["--json"]], ids=["text", "JSON"])
def test_nothing_that_is_printed_holds_a_value(program: Path, folder: Path, more: list[str]) -> None:
    values = f"{VALUE}\n{VALUE.replace('/', ' ')}\n"
    done = run(program, "residue", "--root", folder, "--value", "-", *more, stdin=values.encode())
    assert done.returncode == 1
    text = said(done)
    assert "[a name that holds value" in text
    without_any_look(text)
    without_any_look(done.stderr.decode())


def test_a_print_is_another_one_in_each_run(program: Path, folder: Path) -> None:
    """So it cannot be guessed from, and reports do not add up."""
    prints = set()
    for _ in range(2):
        done = run(program, "residue", "--root", folder / "a log", "--value", "-", "--json", stdin=VALUE.encode())
        prints.add(json.loads(said(done))["fingerprints"][0])
    assert len(prints) == 2
    assert all(len(each) == 16 for each in prints)


def test_json_says_all_that_the_text_says(program: Path, tmp_path: Path) -> None:
    (tmp_path / "x.log").write_text(f"..{VALUE}")
    (tmp_path / "y.zst").write_bytes(b"\x28\xb5\x2f\xfd")
    done = run(program, "residue", "--root", tmp_path, "--value", "-", "--json", stdin=VALUE.encode())
    told = json.loads(said(done))
    assert list(told) == (
        "format coverage limits fingerprints unsearched unopened counts findings verdict exit_code".split()
    )
    assert (told["format"], told["exit_code"], done.returncode) == ("muniment-residue/1", 1, 1)
    assert told["counts"] == {"LIVE": 0, "UNRECLAIMED": 0, "PLAIN": 1}
    (finding,) = told["findings"]
    assert finding == {
        "value": 1,
        "fingerprint": told["fingerprints"][0],
        "verdict": "PLAIN",
        "form": "utf-8",
        "path": str(tmp_path / "x.log"),
        "place": "as it is",
        "offset": 2,
    }
    assert told["unopened"] == [{"path": str(tmp_path / "y.zst"), "why": "it is packed with zstd"}]


@pytest.mark.parametrize(("content", "code"), [("nothing", 0), (VALUE, 1)])
def test_it_ends_for_ci(program: Path, tmp_path: Path, content: str, code: int) -> None:
    (tmp_path / "x.log").write_text(content)
    done = run(program, "residue", "--root", tmp_path, "--value", "-", stdin=VALUE.encode(), watched=True)
    assert done.returncode == code
    assert done.stderr.decode().strip() == PLAIN_PYTHON, "no socket, nothing written, no library"
    lines = said(done).splitlines()
    assert lines[0].startswith("Looked for 1 value in")
    assert lines[-1].startswith("Verdict: " + ("Found" if code else "Nothing found"))
    assert any("Searched with Python alone" in line for line in lines)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--root", "x", "--value", VALUE], LITERAL),
        (["--root", "x", f"--value={VALUE}"], LITERAL),
        (["--root", "x", "--value", "-", VALUE], "does not belong"),
        (["--root", "x", VALUE], "does not belong"),
        ([f"--{VALUE}"], "does not belong"),
        (["--root", "x", "--depth", VALUE], "--depth is not given"),
        (["--root", "x", "--value-file", "/nowhere"], "No such file"),
        (["--root", "x"], "Say where the values are"),
        (["--value", "-"], "Give --root"),
        (["--root", "x", "--value", "-"], "There is no value"),
        (["--root", "x", "--value"], "no terminal"),
    ],
)
def test_a_wrong_command_ends_with_2_and_repeats_nothing(program: Path, words: list[str], complaint: str) -> None:
    command = [*ALONE, program, "residue", *words]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, start_new_session=True)
    assert (done.returncode, done.stdout) == (2, b"")
    assert complaint in done.stderr.decode("ascii")
    without_any_look(done.stderr.decode())


def test_help_says_how_it_ends(program: Path) -> None:
    text = " ".join(said(run(program, "residue", "--help")).split())
    for part in ("0 nothing found, and everything was looked into", "1 found", "2 not everything could be looked into"):
        assert part in text


def test_values_come_from_a_file_one_a_line(program: Path, tmp_path: Path) -> None:
    values, data = tmp_path / "values", tmp_path / "data"
    data.mkdir()
    (data / "x").write_text("somebody's second value")
    values.write_bytes(b"first value\r\nsecond value\n\nfirst value\n")
    done = run(program, "residue", "--root", data, "--value-file", values, "--json")
    told = json.loads(said(done))
    assert (told["coverage"]["values"], [each["value"] for each in told["findings"]]) == (2, [2])


def test_a_value_that_is_typed_is_not_echoed(program: Path, tmp_path: Path) -> None:
    (tmp_path / "x.log").write_text(f"..{VALUE}")
    child, terminal = pty.fork()
    if child == 0:
        os.execv(ALONE[0], [*map(str, ALONE), str(program), "residue", "--root", str(tmp_path), "--value"])
    shown = b""
    while b"Value (not shown)" not in shown:
        shown += os.read(terminal, 1024)
    os.write(terminal, VALUE.encode() + b"\n")
    while True:
        try:
            more = os.read(terminal, 1024)
        except OSError:  # the terminal of a program that has ended
            break
        if not more:
            break
        shown += more
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 1
    assert b"1 PLAIN" in shown
    without_any_look(shown.decode())


def test_a_value_has_the_same_number_in_the_text_and_as_json(program: Path, tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(VALUE)
    words = ("residue", "--root", tmp_path, "--value", "-")
    values = f"ab\n{VALUE}\n".encode()
    text = said(run(program, *words, stdin=values))
    found = json.loads(said(run(program, *words, "--json", stdin=values)))
    assert "Not looked for: value 1 (" in text and "PLAIN: value 2 (" in text
    assert (found["unsearched"], {each["value"] for each in found["findings"]}) == ([1], {2})
