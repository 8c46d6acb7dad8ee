"""What is built from client/ is whole: links have become files, nothing is needed, and no registry is asked."""

import subprocess
import sys
import tarfile
import zipfile
from email.parser import BytesParser
from pathlib import Path

import pytest

from apps.erasure import residue
from apps.ledger import format as formats
from apps.ledger import witness

CLIENT = Path(__file__).resolve().parent.parent.parent / "client"
LINKED = {
    name: Path(str(each.__file__)).parent
    for name, each in (("format", formats), ("witness", witness), ("residue", residue))
}


def pip(*words: str | Path) -> None:
    """pip with its own isolated builds, and no index to fetch anything from."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", "--isolated", *words],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def sdist(folder: Path) -> Path:
    build = f"import backend, sys; sys.stdout.write(backend.build_sdist({str(folder)!r}))"
    made = subprocess.run([sys.executable, "-B", "-c", build], cwd=CLIENT, capture_output=True, text=True, check=True)
    return folder / made.stdout


@pytest.fixture(scope="module", params=["checkout", "sdist"])
def wheel(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that pip builds, from the checkout and from the sdist."""
    folder = tmp_path_factory.mktemp("wheel")
    source = CLIENT if request.param == "checkout" else sdist(tmp_path_factory.mktemp("sdist"))
    pip("wheel", "--quiet", "--no-index", "--no-deps", "--no-cache-dir", "--wheel-dir", folder, source)
    (found,) = folder.iterdir()
    return found


def test_the_wheel_holds_the_formats_and_the_witness_as_files(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
        assert all((entry.external_attr >> 28) == 0o10 for entry in archive.infolist()), "regular files, no links"
    for name, folder in LINKED.items():
        assert {path for path in held if path.startswith(f"muniment/{name}/")} == {
            f"muniment/{name}/{path.name}" for path in folder.glob("*.py")
        }
        assert all(held[f"muniment/{name}/{path.name}"] == path.read_bytes() for path in folder.glob("*.py"))
    assert not [name for name in held if "__pycache__" in name or name.endswith(".pyc")]
    assert "muniment/py.typed" in held


def test_the_sdist_holds_them_too(tmp_path: Path) -> None:
    with tarfile.open(sdist(tmp_path)) as archive:
        members = archive.getmembers()
        assert all(member.isreg() for member in members)
        names = {member.name.partition("/")[2] for member in members}
    assert {
        "PKG-INFO",
        "LICENSE",
        "pyproject.toml",
        "src/muniment/format/strict.py",
        "src/muniment/witness/state.py",
        "src/muniment/residue/matcher.py",
    } <= names


def test_it_needs_python_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        said = BytesParser().parsebytes(archive.read(name))
    assert said["Requires-Python"] == ">=3.11"
    assert said.get_all("Requires-Dist") == ["cryptography; extra == 'fast'", "hyperscan; extra == 'fast'"]


def test_what_is_installed_runs(wheel: Path, tmp_path: Path) -> None:
    pip("install", "--quiet", "--no-index", "--no-deps", "--target", tmp_path, wheel)
    module = [sys.executable, "-m", "muniment"]
    for command in ([*module], [sys.executable, tmp_path / "bin" / "muniment"]):
        done = subprocess.run(
            [*command, "--version"], env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=True
        )
        assert done.stdout == f"muniment {wheel.name.split('-')[1]}\n"


def test_the_same_sources_give_the_same_bytes(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
    one, two = (sdist(folder) for folder in folders)
    assert one.read_bytes() == two.read_bytes()
