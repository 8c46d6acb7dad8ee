"""The command says in one sentence what it does or why not, and is the same with and without Django."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from apps.ledger.format.keys import COSIGNATURE, VerifierKey
from apps.ledger.witness.command import NOT_NAMED, main, read_logs
from apps.ledger.witness.key import WitnessProblem
from apps.ledger.witness.state import open_state
from tests.ledger.material import LOG, WITNESS
from tests.witness.logs import OTHER, RIGHT, request, signed
from tests.witness.running import NAME, ROOT, command, process, serving


def test_the_key_is_made_once_and_printed(tmp_path: Path) -> None:
    made = command("vkey", "--state", str(tmp_path / "w"), "--name", NAME)
    assert (made.returncode, made.stderr) == (0, "")
    key = VerifierKey.parse(made.stdout.strip())
    assert (key.name, key.type) == (NAME, COSIGNATURE)
    assert command("vkey", "--state", str(tmp_path / "w")).stdout == made.stdout


def test_it_serves_and_prints_its_key_and_where(tmp_path: Path) -> None:
    with process(tmp_path / "w", "--prefix", "/witness/") as (witness, _):
        assert witness.url.endswith("/witness")
        assert witness.cosigned(request(0, 9))
        assert witness.seen().status == 200


def test_it_follows_what_the_file_lists_too(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "logs").write_text(f"# another\n\n{OTHER.verifier}\n{LOG.verifier} some other origin\n")
    with process(tmp_path / "w") as (witness, _):
        assert witness.cosigned(request(0, 3))
        assert witness.cosigned(request(0, 3, by=OTHER))
        assert witness.cosigned(request(0, 3, origin="some other origin"))


def test_where_each_log_stands(tmp_path: Path) -> None:
    with serving(tmp_path / "w") as witness:
        assert witness.cosigned(request(0, 9))
        witness.ask(request(9, 9, RIGHT))
    listed = command("logs", "--state", str(tmp_path / "w"), "--log", str(OTHER.verifier))
    when = time.strftime("%Y-%m-%dT%H:")
    assert listed.returncode == 0
    assert f"{LOG.name} {NOT_NAMED}\n  cosigned 9 leaves, root " in listed.stdout
    assert f", {when}" in listed.stdout
    assert "no longer followed" not in listed.stdout, "it is, by the --log of the one that runs"
    assert listed.stdout.endswith("  refused  1 times\n")
    assert f"{OTHER.name}\n  key      {OTHER.verifier}\n  cosigned nothing yet\n  refused  0 times\n" in listed.stdout


def test_what_was_refused(tmp_path: Path) -> None:
    with serving(tmp_path / "w") as witness:
        assert witness.cosigned(request(0, 9))
        for _ in range(2):
            witness.ask(request(9, 9, RIGHT))
    listed = command("refused", "--state", str(tmp_path / "w"))
    (proof,) = (tmp_path / "w").glob("fork-*.json")
    lines = listed.stdout.splitlines()
    assert f" 422 {LOG.name}: 9 leaves, root " in lines[0] and lines[0].endswith(", 2 times")
    assert lines[1:] == [
        "  two trees of one size have different roots",
        f"{LOG.name}: refused 2 times in all.",
        f"Proof of a fork: {proof}",
    ]
    whole = command("refused", "--state", str(tmp_path / "w"), "--notes")
    assert signed(9, RIGHT).decode() in whole.stdout


def test_a_log_that_is_no_longer_followed_is_not_forgotten(tmp_path: Path) -> None:
    with process(tmp_path / "w") as (witness, _):
        assert witness.cosigned(request(0, 9))
    with serving(tmp_path / "w", {OTHER.name: (OTHER.verifier,)}) as witness:
        assert witness.ask(request(9, 12)).status == 404
    with process(tmp_path / "w") as (witness, _):
        assert witness.ask(request(0, 12, RIGHT)).body == b"9\n"


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        (["--state", "w"], "No witness is in w yet: give it a name with --name, as in example.com/w1.", 2),
        (["--state", "w", "--name", "a b"], "--name: a key name is text without spaces", 2),
        (["--state", "w", "--name", "a"], "No log to follow: give its vkey with --log", 2),
        (["--state", "w", "--name", "a", "--log", "x"], "--log, line 1: a vkey is a name, a key id and a key", 2),
        (["--state", "w", "--name", "a", "--log", str(WITNESS.verifier)], "this is a witness's key", 2),
        (["--state", "w", "--listen", "8098"], "--listen is HOST:PORT", 2),
        (["--state", "w", "--listen", "a:b"], "--listen is HOST:PORT", 2),
        (["--state", "w", "--prefix", "w"], "--prefix is a path that begins with /", 2),
        (["--state", "file", "--name", "a"], "cannot be used", 1),
        (["refused", "--state", "w"], "No witness is in w yet", 2),
        (
            ["--state", "w", "--name", "a", "--log", str(LOG.verifier), "--listen", "192.0.2.1:1"],
            "--listen 192.0.2.1:1 cannot be had",
            2,
        ),
        (["logs", "--state", "bad"], "logs, line 1: a vkey is a name", 1),
        (["vkey", "--state", "bad", "--name", "another.example/w"], f"has the name {NAME}", 2),
    ],
)
def test_what_it_cannot_do_it_says_in_one_sentence(
    tmp_path: Path,
    words: list[str],
    said: str,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    open_state(tmp_path / "bad", NAME)
    (tmp_path / "bad" / "logs").write_text("x\n")
    assert main(words) == code
    shown = capsys.readouterr()
    assert (said in shown.err, shown.err.count("\n"), shown.out) == (True, 1, "")


def test_a_folder_that_is_mistyped_is_not_made(tmp_path: Path) -> None:
    for words in (["logs"], ["refused"], ["vkey"], ["serve", "--log", str(LOG.verifier)]):
        assert main([*words, "--state", str(tmp_path / "w")]) == 2
    assert main(["--name", "a b", "--state", str(tmp_path / "w")]) == 2
    assert not (tmp_path / "w").exists()


def test_usage_ends_with_2_and_help_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve"]) == main([]) == main(["nothing"]) == main(["--nothing"]) == 2
    assert main(["--help"]) == main(["serve", "--help"]) == 0
    assert "a witness for transparency logs" in capsys.readouterr().out.lower()


def test_a_list_of_logs() -> None:
    lines = ["# ours", "", f"{LOG.verifier}", f"{LOG.verifier}", f"{OTHER.verifier} {LOG.name}", f"{OTHER.verifier}"]
    assert read_logs(lines, "logs") == {
        LOG.name: (LOG.verifier, OTHER.verifier),
        OTHER.name: (OTHER.verifier,),
    }
    with pytest.raises(WitnessProblem, match="logs, line 2: "):
        read_logs(["", f"{LOG.verifier}x"], "logs")


def test_manage_py_runs_the_same_command(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "witness", "vkey", "--state", str(tmp_path / "w"), "--name", NAME],
        cwd=ROOT, text=True, capture_output=True, timeout=60, check=False, env={**os.environ},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert VerifierKey.parse(done.stdout.strip()).name == NAME


def test_it_needs_nothing_but_the_standard_library_and_the_formats(tmp_path: Path) -> None:
    """As it is run from the client's package: the two folders side by side in another package, and no other code."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "__init__.py").write_text("")
    for folder in ("format", "witness"):
        (tmp_path / "elsewhere" / folder).symlink_to(ROOT / "apps/ledger" / folder)
    program = "import sys; from elsewhere.witness.command import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-S", "-c", program, "vkey", "--state", str(tmp_path / "w"), "--name", NAME],
        cwd=tmp_path, text=True, capture_output=True, timeout=60, check=False, env={"PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert VerifierKey.parse(done.stdout.strip()).name == NAME
