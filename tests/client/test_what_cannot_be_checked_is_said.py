"""`muniment check` passes nothing that it did not read: each file is checked, or named with why not, and the exit code
tells.
"""

import json
import os
import shlex
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.client.program import ALONE, check, run, said
from tests.drivers import Http
from tests.fixtures import Household

DOCS = Path(__file__).parents[2] / "docs"
MOST = 16 << 20


def binary(path: Path) -> None:
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0Leeds")


def squeezed(path: Path) -> None:
    path.write_bytes(b"\x1f\x8b\x08\x08\xc3\x28Leeds\x81\x8d")  # no NUL in it, and no text all the same


def directory(path: Path) -> None:
    path.mkdir()
    (path / "in.txt").write_text("Leeds")


def dangling(path: Path) -> None:
    path.symlink_to(path.with_name("nowhere"))


def loop(path: Path) -> None:
    path.symlink_to(path)


def huge(path: Path) -> None:
    path.touch()
    os.truncate(path, MOST + 1)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def half(path: Path) -> None:
    path.write_bytes("Leeds".encode("utf-16") + b"\x00")


UNREAD: list[tuple[Callable[[Path], None], str]] = [
    (binary, "is no text"),
    (squeezed, "is no text"),
    (directory, "is a directory: name the files in it"),
    (dangling, "cannot be read: No such file or directory"),
    (loop, "cannot be read: "),
    (huge, "is longer than 16 MiB"),
    (device, "is no file"),
    (half, "begins as UTF-16 and goes on as something else"),
]


@pytest.mark.parametrize(("make", "why"), UNREAD, ids=[make.__name__ for make, _ in UNREAD])
def test_what_cannot_be_read_is_named_and_ends_with_2(
    program: Path, server: str, key: Path, tmp_path: Path, make: Callable[[Path], None], why: str
) -> None:
    path, clean = tmp_path / "it", tmp_path / "clean.txt"
    make(path)
    clean.write_text("She lives in Porto.")
    done = check(program, server, key, path, clean)
    assert (done.returncode, said(done)) == (2, "")
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith(f"muniment: {path} {why}") and line.endswith(", and was not checked.")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_may_not_be_read_is_named(program: Path, server: str, key: Path, tmp_path: Path) -> None:
    path = tmp_path / "closed.txt"
    path.write_text("Leeds")
    path.chmod(0)
    done = check(program, server, key, path)
    assert done.returncode == 2 and b"Permission denied" in done.stderr


def test_one_that_cannot_be_read_keeps_no_other_from_being_checked(
    program: Path, server: str, key: Path, tmp_path: Path
) -> None:
    picture, gone, found = tmp_path / "p.png", tmp_path / "gone.txt", tmp_path / "f.txt"
    binary(picture)
    found.write_text("She lives in Leeds.")
    done = check(program, server, key, picture, gone, found)
    assert done.returncode == 1
    assert said(done).startswith(f"{found}:1:14: 'leeds'")
    assert done.stderr.decode().count(", and was not checked.\n") == 2
    told = json.loads(said(check(program, server, key, picture, gone, "--json")))
    assert [each["file"] for each in told["not_checked"]] == [str(picture), str(gone)]
    assert (told["finds"], told["exit_code"]) == ([], 2)


ENCODED = [
    ("Olá, Leeds".encode(), 6),
    (b"\xef\xbb\xbf" + "Olá, Leeds".encode(), 6),
    ("Olá, Leeds".encode("latin-1"), 6),
    ("Olá – Leeds".encode("windows-1252"), 7),
    ("Olá, Leeds".encode("utf-16"), 6),
    (b"\xfe\xff" + "Olá, Leeds".encode("utf-16-be"), 6),
    ("Olá, Leeds".encode("utf-32"), 6),
]


@pytest.mark.parametrize(("data", "column"), ENCODED)
def test_text_is_read_in_whatever_encoding_it_is(
    program: Path, server: str, key: Path, tmp_path: Path, data: bytes, column: int
) -> None:
    path = tmp_path / "text"
    path.write_bytes(data)
    done = check(program, server, key, path)
    assert done.returncode == 1 and said(done).startswith(f"{path}:1:{column}: 'leeds'")


def test_an_accented_value_is_found_in_an_old_encoding(
    granted: Household,
    program: Path,
    server: str,
    tmp_path: Path,
) -> None:
    http = Http(holder=granted.holder)
    made = http.call("POST", "memories", {"label": "Where from", "subject": "home.from", "value": "Évora"})["id"]
    http.call("PATCH", f"memories/{made}", {"value": "Porto, since May"}, If_Match="*")
    wish = granted.as_client().ask([made], purpose="answer")
    granted.as_holder().decide(wish.request, {"ordinary": [made]}, reads=3)
    key_file, path = tmp_path / "k", tmp_path / "old.txt"
    key_file.write_text(granted.key)
    path.write_bytes("From Évora.".encode("latin-1"))
    assert check(program, server, key_file, path).returncode == 1


def test_a_link_and_a_pipe_are_read_as_what_they_lead_to(program: Path, server: str, key: Path, tmp_path: Path) -> None:
    path, link = tmp_path / "text", tmp_path / "link"
    path.write_text("She lives in Leeds.")
    link.symlink_to(path)
    assert said(check(program, server, key, link)).startswith(f"{link}:1:14:")
    words = [*ALONE, str(program), "check", "--url", server, "--key-file", str(key)]
    done = subprocess.run(["bash", "-c", f"{shlex.join(words)} <(printf 'In Leeds')"], capture_output=True, check=False)
    assert done.returncode == 1 and b":1:4: 'leeds'" in done.stdout


def test_standard_input_that_is_too_long_is_said(program: Path, server: str, key: Path) -> None:
    done = check(program, server, key, "-", stdin=b"x" * (MOST + 1))
    assert (done.returncode, done.stderr) == (
        2,
        b"muniment: <stdin> is longer than 16 MiB, and was not checked.\n",
    )


def test_the_exit_codes_are_in_its_help(program: Path) -> None:
    told = " ".join(said(run(program, "check", "--help")).split())
    assert "exit codes: 0 nothing found, and all was checked; 1 something found; 2 nothing found, and not all" in told


def hook() -> dict[str, Any]:
    """The hook as docs/api.md gives it."""
    text = (DOCS / "api.md").read_text()
    (block,) = (each.partition("```")[0] for each in text.split("```yaml\n")[1:] if "muniment-check" in each)
    (found,) = yaml.safe_load(block)["repos"][0]["hooks"]
    return dict(found)


def test_the_documented_hook_keeps_what_was_corrected_out_of_a_commit(
    program: Path, server: str, key: Path, tmp_path: Path
) -> None:
    """Run by git, with the staged files behind its entry, as pre-commit runs it."""
    assert (hook()["language"], hook()["types"], hook()["require_serial"]) == ("system", ["text"], True)
    entry = shlex.split(hook()["entry"])
    entry[entry.index("--url") + 1], entry[entry.index("--key-file") + 1] = server, str(key)
    bin_, tree = tmp_path / "bin", tmp_path / "tree"
    bin_.mkdir()
    tree.mkdir()
    _script(bin_ / "muniment", f'exec {shlex.join([*ALONE, str(program)])} "$@"')
    who = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b.example", "GIT_CONFIG_GLOBAL": "/dev/null"}
    who |= {"GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@b.example", "PATH": f"{bin_}:{os.environ['PATH']}"}

    def git(*words: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(["git", *words], cwd=tree, env=who, capture_output=True, check=False)

    assert git("init", "-q").returncode == 0
    names = "git diff --cached --name-only --diff-filter=ACMR -z"
    _script(tree / ".git/hooks/pre-commit", f"{names} | xargs -0 -r {shlex.join(entry)}")
    (tree / "notes.md").write_text("She lives in Leeds.\n")
    git("add", "notes.md")
    refused = git("commit", "-m", "notes")
    assert refused.returncode != 0 and b"notes.md:1:14: 'leeds' was corrected" in refused.stderr + refused.stdout
    (tree / "notes.md").write_text("She lives in Porto.\n")
    git("add", "notes.md")
    done = git("commit", "-m", "notes")
    assert done.returncode == 0, done.stderr


def _script(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
