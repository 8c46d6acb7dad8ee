"""`muniment check`: files against a running vault, as a person or a commit hook runs it."""

import json
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.client.program import ALONE, check, run, said
from tests.drivers import Http
from tests.fixtures import Household


def test_it_says_file_and_line_and_ends_with_1(program: Path, server: str, key: Path, tmp_path: Path) -> None:
    first, second, clean = (tmp_path / name for name in ("a.md", "b.py", "c.txt"))
    first.write_text("# Ana\n\nShe lives in Leeds.\n")
    second.write_text("import lib\r\nlib.old_api()\r\n")
    clean.write_text("Porto, new_api\n")
    done = check(program, server, key, first, second, clean)
    lines = said(done).splitlines()
    assert done.returncode == 1
    assert [line.partition(" ")[0] for line in lines] == [f"{first}:3:14:", f"{second}:2:5:"]
    assert "'leeds' was corrected in home.town; now: Porto (rcp_" in lines[0]
    assert "'old_api' was corrected in symbol.old_api; now: new_api (rcp_" in lines[1]


def test_nothing_found_ends_with_0_and_says_nothing(program: Path, server: str, key: Path, tmp_path: Path) -> None:
    clean, empty = tmp_path / "c.txt", tmp_path / "e.txt"
    clean.write_text("She lives in Porto.\n")
    empty.write_text("")
    done = check(program, server, key, clean, empty)
    assert (done.returncode, said(done), done.stderr) == (0, "", b"")


def test_several_files_spend_one_read(
    granted: Household, program: Path, server: str, key: Path, tmp_path: Path
) -> None:
    for name in "abc":
        (tmp_path / name).write_text("Leeds\n")
    assert check(program, server, key, *(tmp_path / name for name in "abc")).returncode == 1
    assert [each["reads_left"] for each in Http(granted.key).call("GET", "grants")["items"]] == [2]


def test_standard_input_and_json(program: Path, server: str, key: Path) -> None:
    done = check(program, server, key, "-", "--json", stdin="Grüße aus Leeds".encode())
    told = json.loads(said(done))
    assert (told["format"], told["exit_code"], done.returncode) == ("muniment-check/1", 1, 1)
    (found,) = told["finds"]
    assert [found[name] for name in ("file", "line", "column", "instead")] == ["<stdin>", 1, 11, "Porto"]


def test_a_file_longer_than_one_request_keeps_its_line_numbers(
    program: Path, server: str, key: Path, tmp_path: Path
) -> None:
    long, wide = tmp_path / "long.txt", tmp_path / "wide.txt"
    long.write_text("Nothing of it stands in this line at all.\n" * 6000 + "In Leeds.\n")
    wide.write_text("x" * 250_000 + " Leeds\n")
    lines = said(check(program, server, key, long, wide)).splitlines()
    assert [line.partition(" ")[0] for line in lines] == [f"{long}:6001:4:", f"{wide}:1:250002:"]


def test_a_word_where_a_longer_line_is_cut_is_found(program: Path, server: str, key: Path, tmp_path: Path) -> None:
    wide = tmp_path / "wide.txt"
    wide.write_text("x" * 199_997 + " Leeds, and so on\n")
    (line,) = said(check(program, server, key, wide)).splitlines()
    assert line.startswith(f"{wide}:1:199999: 'leeds'")


def test_a_commit_is_held_up_by_the_file_that_brings_something_back(
    program: Path, server: str, key: Path, tmp_path: Path
) -> None:
    """As a hook of git: what is to be committed, and nothing else, is checked."""

    def git(*words: str) -> subprocess.CompletedProcess[bytes]:
        who = ("-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c", "commit.gpgsign=false")
        return subprocess.run(["git", "-C", str(tmp_path / "repository"), *who, *words], capture_output=True)

    (tmp_path / "repository").mkdir()
    assert git("init", "-q").returncode == 0
    hook = tmp_path / "repository" / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    command = shlex.join([*ALONE, str(program), "check", "--url", server, "--key-file", str(key)])
    hook.write_text(f"#!/bin/sh\ngit diff --cached --name-only --diff-filter=ACM -z | xargs -0 -r {command}\n")
    hook.chmod(0o755)
    notes, code = (tmp_path / "repository" / name for name in ("notes 1.md", "main.py"))
    notes.write_text("She lives in Porto.\n")
    code.write_text("import lib\nlib.old_api()\n")
    git("add", notes.name)
    assert git("commit", "-q", "-m", "Notes").returncode == 0
    git("add", code.name)
    stopped = git("commit", "-q", "-m", "Code")
    assert stopped.returncode != 0
    assert b"main.py:2:5: 'old_api' was corrected in symbol.old_api; now: new_api" in stopped.stdout + stopped.stderr
    code.write_text("import lib\nlib.new_api()\n")
    git("add", code.name)
    assert git("commit", "-q", "-m", "Code").returncode == 0


def test_for_another_purpose_nothing_is_told_and_nothing_passes(program: Path, server: str, key: Path) -> None:
    done = check(program, server, key, "-", "--purpose", "travel", stdin=b"Leeds")
    assert (done.returncode, said(done)) == (2, "")
    assert b"Nothing is covered by what this key was granted (for travel)" in done.stderr


def test_once_the_last_read_is_spent_the_same_file_does_not_pass(
    granted: Household, program: Path, server: str, key: Path
) -> None:
    """As a commit hook that is run again, and again."""
    left = Http(granted.key).call("GET", "grants")["items"][0]["reads_left"]
    codes = [check(program, server, key, "-", stdin=b"Leeds").returncode for _ in range(left + 2)]
    assert codes == [1] * left + [2, 2]
    told = json.loads(said(check(program, server, key, "-", "--json", stdin=b"Porto")))
    assert (told["exit_code"], told["finds"], len(told["not_checked"])) == (2, [], 1)


def test_a_key_without_a_grant_passes_nothing(home: Household, program: Path, server: str, tmp_path: Path) -> None:
    bare = tmp_path / "bare.key"
    bare.write_text(home.key)
    done = check(program, server, bare, "-", stdin=b"Leeds")
    assert (done.returncode, said(done)) == (2, "")
    assert b"Nothing is covered by what this key was granted" in done.stderr


def test_what_a_part_of_a_file_spends_does_not_let_the_rest_pass(
    granted: Household, program: Path, server: str, key: Path, tmp_path: Path
) -> None:
    left = Http(granted.key).call("GET", "grants")["items"][0]["reads_left"]
    for _ in range(left - 1):
        check(program, server, key, "-", stdin=b"Leeds")
    long = tmp_path / "long.txt"
    long.write_text("In Leeds.\n" + "x" * 250_000 + "\nIn Leeds.\n")
    done = check(program, server, key, long)
    assert done.returncode == 1
    assert b"Not all was checked. Nothing is covered" in done.stderr


def test_what_the_vault_refuses_is_said_and_ends_with_2(program: Path, server: str, key: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.key"
    wrong.write_text("mnk_" + "x" * 43)
    for words, complaint in (
        ([], b"The vault said no: Who are you? Send an API key"),
        (["--purpose", "gossip"], b"The vault said no: Not as described. Choose one of: answer, meal_planning,"),
    ):
        done = check(program, server, wrong if not words else key, "-", *words, stdin=b"Leeds")
        assert (done.returncode, said(done)) == (2, "")
        assert complaint in done.stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "--url"),
        (["--url", "ftp://x"], "no address of a vault"),
        (["--url", "https://user@x"], "no address of a vault"),
        (["--url", "http://vault.example"], "unencrypted"),
        (["--url", "http://127.0.0.1:1"], "cannot be reached"),
    ],
)
def test_a_wrong_address_is_said_before_anything_is_sent(
    program: Path, key: Path, words: list[str], complaint: str
) -> None:
    done = run(program, "check", "-", "--key-file", key, *words, stdin=b"Leeds")
    assert (done.returncode, said(done)) == (2, "")
    assert complaint in done.stderr.decode("ascii")


def test_a_key_file_and_files_that_are_none_are_said(program: Path, server: str, key: Path, tmp_path: Path) -> None:
    other = tmp_path / "notes"
    other.write_text("my key is secret")
    assert b"holds no client's key" in check(program, server, other, "-").stderr
    assert b"cannot be read" in check(program, server, key, tmp_path / "nowhere").stderr


def test_address_and_key_may_come_from_the_environment(program: Path, server: str, key: Path) -> None:
    """As a commit hook is set up once. `-I` alone hides Python's own settings, not the program's."""
    env = {"MUNIMENT_URL": server, "MUNIMENT_KEY_FILE": str(key)}
    assert run(program, "check", "-", stdin=b"Leeds", env=env).returncode == 1
