"""Builds the wheel and the sdist (PEP 517) with Python alone: an installation asks no registry.

`muniment/format` and `muniment/witness` are links to the product's own code, so that it is written once; what is built
holds the files they lead to. The same sources give the same bytes.
"""

import ast
import base64
import gzip
import hashlib
import io
import os
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PACKAGE = HERE / "src" / "muniment"
PROJECT: dict[str, Any] = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the first moment a zip file can name
MODE = 0o100644


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    """Write the wheel into the folder and return its name."""
    name, info = f"muniment-{_version()}-py3-none-any.whl", f"muniment-{_version()}.dist-info"
    members = {f"muniment/{path}": data for path, data in _package()} | {
        f"{info}/METADATA": _metadata(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: muniment\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": _scripts(),
        f"{info}/licenses/LICENSE": (HERE / "LICENSE").read_bytes(),
    }
    members[f"{info}/RECORD"] = _record(members, f"{info}/RECORD")
    with zipfile.ZipFile(Path(wheel_directory) / name, "w") as wheel:
        for path, data in members.items():
            entry = zipfile.ZipInfo(path, LONG_AGO)
            entry.create_system, entry.external_attr = 3, MODE << 16
            wheel.writestr(entry, data)
    return name


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    """Write the source distribution into the folder and return its name."""
    stem = f"muniment-{_version()}"
    members = {name: (HERE / name).read_bytes() for name in ("LICENSE", "README.md", "backend.py", "pyproject.toml")}
    members |= {"PKG-INFO": _metadata()} | {f"src/muniment/{path}": data for path, data in _package()}
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, data in members.items():
            entry = tarfile.TarInfo(f"{stem}/{path}")
            entry.size, entry.mode = len(data), MODE & 0o777
            archive.addfile(entry, io.BytesIO(data))
    (Path(sdist_directory) / f"{stem}.tar.gz").write_bytes(gzip.compress(written.getvalue(), mtime=0))
    return f"{stem}.tar.gz"


def _package() -> Iterator[tuple[str, bytes]]:
    """The package's files by their paths below it, in order, links followed."""
    found: list[Path] = []
    for folder, _, names in os.walk(PACKAGE, followlinks=True):
        found += [Path(folder, name) for name in names if name.endswith(".py") or name == "py.typed"]
    for path in sorted(found):
        yield path.relative_to(PACKAGE).as_posix(), path.read_bytes()


def _version() -> str:
    """The version that the package itself says."""
    for node in ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__version__":
            return str(ast.literal_eval(node.value))
    raise ValueError("muniment/__init__.py says no __version__")


def _metadata() -> bytes:
    """The core metadata, version 2.4."""
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {PROJECT['name']}",
        f"Version: {_version()}",
        f"Summary: {PROJECT['description']}",
        f"Requires-Python: {PROJECT['requires-python']}",
        f"License-Expression: {PROJECT['license']}",
        *(f"License-File: {name}" for name in PROJECT["license-files"]),
        *(f"Requires-Dist: {needed}" for needed in PROJECT["dependencies"]),
    ]
    for extra, needs in PROJECT["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}", *(f"Requires-Dist: {needed}; extra == '{extra}'" for needed in needs)]
    lines += ["Description-Content-Type: text/markdown", "", (HERE / "README.md").read_text(encoding="utf-8")]
    return "\n".join(lines).encode()


def _scripts() -> bytes:
    return "".join(
        ["[console_scripts]\n", *(f"{name} = {target}\n" for name, target in PROJECT["scripts"].items())]
    ).encode()


def _record(members: Mapping[str, bytes], own: str) -> bytes:
    """Each file with its digest and size, and the list itself with neither."""
    lines = []
    for path, data in members.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(data)}\n")
    return "".join([*lines, f"{own},,\n"]).encode()
