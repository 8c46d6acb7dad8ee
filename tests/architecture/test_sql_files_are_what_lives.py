"""A folder of SQL holds what the database has, each function as it is; what went before stands apart."""

import re
from pathlib import Path

import pytest

from tests.cast import admin  # noqa: F401  (a fixture)
from tests.databases import ROOT
from tests.gate.cast import Connection

FOLDERS = sorted(ROOT.glob("apps/*/sql"))
CREATED = re.compile(r"CREATE (?:OR REPLACE )?FUNCTION (\w+\.\w+)\(")
HERE = """
SELECT pronamespace::regnamespace || '.' || proname, prosrc FROM pg_proc WHERE pronamespace = ANY (%s::regnamespace[])
"""


def created(path: Path) -> set[str]:
    """The functions that a file makes."""
    return set(CREATED.findall(path.read_text()))


def edition(path: Path) -> int:
    found = re.search(r"_(\d+)$", path.stem)
    return int(found[1]) if found else 1


@pytest.fixture
def bodies(admin: Connection) -> dict[str, str]:  # noqa: F811
    return dict(admin.execute(HERE, [["gate", "sealed", "log"]]).fetchall())


def test_each_function_that_is_there_stands_in_it_as_it_is(bodies: dict[str, str]) -> None:
    last: dict[str, str] = {}
    for path in sorted((each for folder in FOLDERS for each in folder.glob("*.sql")), key=edition):
        last |= dict.fromkeys(created(path), path.read_text())
    assert last.keys() == bodies.keys()
    assert [name for name, text in last.items() if bodies[name] not in text] == []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda each: each.parent.name)
def test_nothing_stands_in_it_that_is_no_more(folder: Path) -> None:
    living = list(folder.glob("*.sql"))
    for path in living:
        later = set().union(*(created(each) for each in living if edition(each) > edition(path)))
        assert not created(path) or created(path) - later, f"{path.name} belongs to earlier/"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda each: each.parent.name)
def test_what_went_before_makes_nothing_but_functions(folder: Path) -> None:
    for path in folder.glob("earlier/*.sql"):
        made = set(re.findall(r"^CREATE (?:OR REPLACE )?(\w+)", path.read_text(), re.MULTILINE))
        assert made == {"FUNCTION"}, f"{path.name} made a {made}, which may be there still"
