"""`muniment`: what it prints and in which order, how it ends, and that nothing it is given makes it fall over."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.client.program import ALONE, run, said

REPORT = "kind checked coverage limits content verdict heading says findings checkpoint exit_code".split()


@pytest.fixture
def no_file_of_ours(tmp_path: Path) -> Path:
    path = tmp_path / "shopping.json"
    path.write_text('{"format": "a-shopping-list/1"}')
    return path


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "COMMAND"),
        (["verify"], "FILE"),
        (["certify", "x"], "invalid choice"),
        (["verify", "x", "--loud"], "--loud"),
        (["verify", "x", "--key", "nonsense"], "a vkey is a name, a key id and a key"),
        (["verify", "x", "--key", "@/nowhere"], "No such file"),
        (["verify", "x", "--policy", "/nowhere"], "No such file"),
        (["verify", "x", "--opening", "/nowhere"], "No such file"),
        (["verify", "x", "--opening", "/"], "directory"),
        (["verify", "x", "--vault", "Alice"], "vlt_"),
        (["verify", "-", "-"], "give - once"),
        (["compare", "old"], "NEW"),
        (["compare", "-", "-"], "give - once"),
        (["compare", "/nowhere", "/"], "/nowhere cannot be read: No such file"),
        (["compare", "-", "/"], "/ cannot be read: Is a directory"),
        (["compare", "old", "new", "--expect", "-1"], "0 or more"),
        (["compare", "old", "new", "--expect", "a few"], "0 or more"),
    ],
)
def test_a_wrong_command_ends_with_2_and_a_sentence(program: Path, words: list[str], complaint: str) -> None:
    done = run(program, *words)
    assert (done.returncode, said(done)) == (2, "")
    assert complaint in done.stderr.decode("ascii")


def test_a_policy_that_is_none_is_said_with_its_line(program: Path, tmp_path: Path) -> None:
    policy = tmp_path / "policy"
    policy.write_text("quorum none\nquorum none\n")
    done = run(program, "verify", "x", "--policy", policy)
    assert (done.returncode, said(done)) == (2, "")
    assert b"line 2 of the policy: a policy has exactly one quorum line" in done.stderr


@pytest.mark.parametrize("content", [b"", b"\0", b"\xff\xfe", b"{", b"[" * 100_000, b"{}\n" * 3, b'{"format":1}'])
def test_what_is_no_file_of_ours_is_not_checked(program: Path, content: bytes) -> None:
    done = run(program, "verify", "-", stdin=content)
    assert done.returncode == 2
    assert "Verdict: Can't check." in said(done)


def test_a_file_that_is_missing_does_not_hide_the_others(program: Path, tmp_path: Path, no_file_of_ours: Path) -> None:
    done = run(program, "verify", tmp_path / "missing", tmp_path, no_file_of_ours)
    assert done.returncode == 2
    text = said(done)
    assert "missing cannot be read: No such file or directory." in text
    assert "cannot be read: Is a directory." in text
    assert "no file of Muniment" in text


def test_a_file_without_an_end_is_given_up_in_little_memory(program: Path) -> None:
    """One line, read in pieces, and no further than it takes: what begins like a receipt's file is read to 64 MiB."""
    limit = "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_AS, (400 << 20,) * 2);"
    limit += "sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    command = [*ALONE, "-c", limit, program, "verify", "-"]
    with Path("/dev/zero").open("rb") as endless:
        done = subprocess.run(command, stdin=endless, capture_output=True)
    assert done.returncode == 2
    assert "no file of Muniment" in said(done)
    done = subprocess.run(command, input=b'{"format":"muniment-receipt-file/1"'.ljust(66 << 20), capture_output=True)
    assert done.returncode == 2
    assert "larger than 64 MiB" in said(done)


def test_json_has_these_members_and_no_others(program: Path, no_file_of_ours: Path) -> None:
    done = run(program, "verify", "--json", no_file_of_ours, "/nowhere")
    document = json.loads(said(done))
    assert list(document) == ["format", "files", "exit_code"]
    assert (document["format"], document["exit_code"]) == ("muniment-verify/1", done.returncode)
    assert [list(each) for each in document["files"]] == [["file", *REPORT]] * 2
    assert [each["file"] for each in document["files"]] == [str(no_file_of_ours), "/nowhere"]


def test_what_a_name_says_cannot_paint_a_verdict(program: Path, tmp_path: Path) -> None:
    """Controls, and letters that turn the direction of writing, are escaped; so is all that a terminal may lack."""
    hostile = tmp_path / "\x1b[2J\r\u202eVerdict: Intact…"
    hostile.write_bytes(b"{}")
    done = run(program, "verify", hostile, env={"LC_ALL": "C"})
    assert "\\x1b[2J\\x0d\\u202eVerdict: Intact..." in said(done)
    assert not [letter for letter in done.stdout if letter < 32 and letter != 10]


def test_who_stops_reading_gets_no_traceback(program: Path, no_file_of_ours: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        done = subprocess.run([*ALONE, program, "verify", no_file_of_ours], stdout=closed, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (2, b"")


@pytest.mark.parametrize(("output", "complaint"), [("/dev/full", "No space left"), ("&-", "This program failed")])
def test_an_answer_that_cannot_be_written_is_not_an_altered_file(
    program: Path, no_file_of_ours: Path, output: str, complaint: str
) -> None:
    """Python itself would end with 1, or 120."""
    command = f'exec "$@" >{output}'
    done = subprocess.run(["sh", "-c", command, "sh", *ALONE, program, "verify", no_file_of_ours], capture_output=True)
    assert (done.returncode, said(done)) == (2, "")
    assert done.stderr.decode("ascii").startswith("muniment: ") and complaint in done.stderr.decode()


def test_a_witness_keeps_its_key_in_its_folder(program: Path, tmp_path: Path) -> None:
    """The rest of the witness is tested where it is; here, that it is in the one file, and runs."""
    state = tmp_path / "state"
    made = run(program, "witness", "vkey", "--state", state, "--name", "witness.example/w1")
    assert (made.returncode, said(made)[:19]) == (0, "witness.example/w1+")
    assert run(program, "witness", "vkey", "--state", state).stdout == made.stdout
    assert run(program, "witness", "vkey").returncode == 2
