"""muniment.pyz is one file that anybody can make again, and that needs Python and nothing else."""

import ast
import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from apps.ledger.services import program as built
from tests.client.program import ALONE, NO_NETWORK, PLAIN_PYTHON, WATCHED, namespaces_work, run, said

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPT = Path("apps/ledger/services/program.py")


def a_checkout(folder: Path) -> Path:
    """Only the sources it is made of, copied: other times, other modes, another order on the disk."""
    for name in ("apps/ledger/format", "apps/ledger/witness", "apps/erasure/residue", "client"):
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, folder / name, symlinks=True, copy_function=shutil.copyfile)
    (folder / SCRIPT).parent.mkdir(parents=True)
    shutil.copyfile(ROOT / SCRIPT, folder / SCRIPT)
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")
    return folder


def made_now() -> bytes:
    """What this checkout makes at this moment, whatever was made of it before."""
    built.cache_clear()
    return built()


def test_another_copy_of_the_sources_makes_the_same_bytes_with_python_alone(tmp_path: Path) -> None:
    checkout = a_checkout(tmp_path / "elsewhere")
    made = tmp_path / "muniment.pyz"
    command = [*ALONE, checkout / SCRIPT, made]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={"TZ": "Asia/Tokyo"})
    assert made.read_bytes() == made_now()
    assert done.stdout == f"{hashlib.sha256(made.read_bytes()).hexdigest()}  {made}\n"


def test_one_changed_byte_of_the_sources_is_another_digest(tmp_path: Path) -> None:
    checkout = a_checkout(tmp_path / "elsewhere")
    with (checkout / "apps/ledger/format/merkle.py").open("a") as source:
        source.write("#")
    subprocess.run([*ALONE, checkout / SCRIPT, tmp_path / "made"], check=True, capture_output=True)
    assert (tmp_path / "made").read_bytes() != made_now()


def test_what_the_image_copies_is_enough_to_make_it(tmp_path: Path) -> None:
    """An instance in a container hands it out too: from what the Dockerfile copies and .dockerignore lets through."""
    let_through = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    for source, target in re.findall(r"^COPY (\S+) /app/(\S*)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE):
        if source in ("apps", "client"):
            shutil.copytree(
                ROOT / source, tmp_path / target, symlinks=True, ignore=shutil.ignore_patterns("__pycache__")
            )
        elif (ROOT / source).is_file():
            shutil.copy(ROOT / source, tmp_path / target)
        assert source in let_through
    subprocess.run([*ALONE, tmp_path / SCRIPT, tmp_path / "made"], check=True, capture_output=True)
    assert (tmp_path / "made").read_bytes() == made_now()


def test_it_imports_itself_and_the_standard_library(program: Path) -> None:
    """But for `cryptography` and `hyperscan`: taken where they are, each in the one module that can do without."""
    found: dict[str, set[str]] = {}
    with zipfile.ZipFile(program) as archive:
        for name in archive.namelist():
            for node in ast.walk(ast.parse(archive.read(name))) if name.endswith(".py") else ():
                if isinstance(node, ast.Import):
                    found.setdefault(name, set()).update(alias.name.split(".")[0] for alias in node.names)
                elif isinstance(node, ast.ImportFrom) and not node.level:
                    found.setdefault(name, set()).add((node.module or "").split(".")[0])
    others = {name: imported - sys.stdlib_module_names - {"muniment"} for name, imported in found.items()}
    assert {name: imported for name, imported in others.items() if imported} == {
        "muniment/format/ed25519.py": {"cryptography"},
        "muniment/residue/matcher.py": {"hyperscan"},
    }


def test_it_may_be_run_by_its_name(program: Path) -> None:
    program.chmod(0o755)
    environ = {"PATH": f"{Path(sys.executable).parent}:{os.defpath}"}
    done = subprocess.run([program, "--version"], env=environ, capture_output=True, text=True)
    assert done.stdout.startswith("muniment ")


def test_a_python_that_is_too_old_is_told_so(program: Path) -> None:
    """What is read first is read by any Python 3; what it says is tried with the version it would see."""
    pretend = "import sys, runpy; sys.version_info = (3, 8, 0); sys.argv = sys.argv[1:];"
    pretend += "runpy.run_path(sys.argv[0], run_name='__main__')"
    done = subprocess.run([*ALONE, "-c", pretend, program, "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("muniment: this needs Python 3.11 or newer")
    with zipfile.ZipFile(program) as archive:
        for name in ("__main__.py", "muniment/__init__.py", "muniment/__main__.py"):
            ast.parse(archive.read(name), feature_version=(3, 5))


@pytest.mark.parametrize(
    "reach",
    [
        "import socket; socket.socket()",
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1:1/')",
        "import subprocess; subprocess.run(['true'])",
        "open('/dev/null', 'w')",
    ],
)
def test_who_watches_would_see_it_reach_out(tmp_path: Path, reach: str) -> None:
    """The control of the tests that run it watched."""
    script = tmp_path / "script.py"
    script.write_text(reach)
    done = subprocess.run([*ALONE, "-c", WATCHED, script], capture_output=True, text=True)
    assert (done.returncode, done.stderr[:7]) == (99, "CAUGHT ")


@pytest.mark.skipif(not namespaces_work(), reason="this account may not make a network namespace")
def test_a_network_without_interfaces_leads_nowhere() -> None:
    """The control of the tests that run it there."""
    reach = "import socket; socket.create_connection(('127.0.0.1', 1), 1)"
    done = subprocess.run([*NO_NETWORK, *ALONE, "-c", reach], capture_output=True, text=True)
    assert "Network is unreachable" in done.stderr


def test_it_opens_no_connection_and_writes_nothing_and_uses_no_library(program: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text("{}")
    done = run(program, "verify", other, watched=True)
    assert done.returncode == 2
    assert done.stderr.decode().strip() == PLAIN_PYTHON
    assert "Can't check" in said(done)
