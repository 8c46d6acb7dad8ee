"""Setting up: what is missing is one sentence, and what is there is not installed again."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from ops import setup
from tests.ops.conftest import ROOT, Checkout


def test_an_old_python_is_told_so() -> None:
    with pytest.raises(setup.Refusal, match=r"Python 3\.9 is too old \(/usr/bin/python3\): install Python 3\.11"):
        setup.check_python((3, 9), "/usr/bin/python3")
    setup.check_python((3, 11), "python3")
    setup.check_python((3, 14), "python3")


def test_a_full_disk_is_told_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(setup.Refusal, match="free some space and start again"):
        setup.check_space(tmp_path, needed_mb=10**9)


def test_a_python_without_venv_names_the_package(tmp_path: Path) -> None:
    (tmp_path / "ensurepip.py").write_text("raise ImportError")
    script = f"from pathlib import Path; from ops.setup import make_venv; make_venv(Path({str(tmp_path / 'v')!r}))"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {script}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert "apt-get install python3-venv" in done.stderr
    assert not (tmp_path / "v").exists()


def test_a_second_start_installs_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "requirements").mkdir()
    for name in ("runtime", "dev"):
        (tmp_path / "requirements" / f"{name}.txt").write_text(f"# {name}\n")
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    stamp = tmp_path / ".venv" / "requirements.stamp"
    stamp.write_text(setup.digest("dev", tmp_path / "requirements"))
    setup.main("dev", tmp_path)
    setup.main("runtime", tmp_path)  # the developer's set holds the runtime
    assert capsys.readouterr().out == ""

    (tmp_path / "requirements" / "runtime.txt").write_text("# changed\n")
    assert stamp.read_text() != setup.digest("dev", tmp_path / "requirements")


@pytest.mark.parametrize(
    ("port", "sentence"),
    [("busy", "is in use: choose another MUNIMENT_PORT"), ("eighty", "write a number from 1 to 65535")],
)
def test_a_port_that_cannot_be_had_is_one_sentence(checkout: Checkout, port: str, sentence: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        wanted = str(busy.getsockname()[1]) if port == "busy" else port
        done = checkout.ops("run", MUNIMENT_PORT=wanted)
    assert done.returncode == 1
    assert sentence in done.stderr and len(done.stderr.splitlines()) == 1
    assert not (checkout.folder / ".run" / "pg" / "data").exists(), "nothing may be half done"
