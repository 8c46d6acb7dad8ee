"""The rooms stay apart: the import contracts hold, every room is in them, and a new one cannot be forgotten."""

import configparser
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
ROOMS = sorted(path.parent.name for path in ROOT.glob("apps/*/__init__.py"))
WITH_ROWS = sorted(path.parent.name for path in ROOT.glob("apps/*/models.py"))


def contracts() -> configparser.ConfigParser:
    """What .importlinter says."""
    found = configparser.ConfigParser()
    found.read(ROOT / ".importlinter")
    return found


def names(text: str) -> set[str]:
    """The words of a contract's list."""
    return set(text.replace("|", " ").replace("(", " ").replace(")", " ").split())


def test_they_hold() -> None:
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([program, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]


def test_every_room_has_its_place_in_the_one_direction() -> None:
    layers = contracts()["importlinter:contract:one-way"]
    assert layers["exhaustive"] == "True"
    assert names(layers["layers"]) == set(ROOMS)


def test_the_direction_is_the_one_that_was_decided() -> None:
    lines = contracts()["importlinter:contract:one-way"]["layers"].split("\n")
    order = [sorted(names(line)) for line in lines if line.strip()]
    assert order[-5:] == [["memories"], ["holders"], ["mail"], ["ledger"], ["policy"]]
    assert order[0] == ["api", "console", "mcp", "web"], "surfaces stand on top"


@pytest.mark.parametrize("room", WITH_ROWS)
def test_every_room_with_rows_keeps_them_to_itself(room: str) -> None:
    rows = contracts()[f"importlinter:contract:rows-of-{room}"]
    assert rows["type"] == "protected"
    assert names(rows["protected_modules"]) == {f"apps.{room}.store", f"apps.{room}.models"}
    assert names(rows["allowed_importers"]) == {f"apps.{room}"}


@pytest.mark.parametrize("room", WITH_ROWS)
def test_every_room_with_rows_has_the_same_floors(room: str) -> None:
    assert f"apps.{room}" in names(contracts()["importlinter:contract:one-shape"]["containers"])
    assert (ROOT / "apps" / room / "store.py").exists(), "rows are spoken to in store.py alone"


def test_a_value_has_one_door() -> None:
    door = contracts()["importlinter:contract:value-door"]
    assert names(door["protected_modules"]) == {"apps.memories.gate"}
    assert names(door["allowed_importers"]) == {
        "apps.memories.services",
        "apps.access.services",
        "apps.shares.services",
    }


def test_only_two_files_speak_for_the_connections_of_the_doors() -> None:
    """`gate` and `default` are named where the doors are; a store's own SQL names `default`."""
    speaking = [
        path.relative_to(ROOT).as_posix()
        for path in ROOT.glob("apps/**/*.py")
        if 'connections["gate"]' in path.read_text() or 'using("gate")' in path.read_text()
    ]
    assert speaking == []
    gate = (ROOT / "apps/memories/gate.py").read_text()
    assert 'ALIAS = "gate"' in gate
