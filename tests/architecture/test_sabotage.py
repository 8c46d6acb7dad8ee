"""Every promise can fail: each property file has a break of its own, and the test it names is there."""

import ast
from pathlib import Path

import pytest

from tests.breaks import SABOTAGES, Sabotage

ROOT = Path(__file__).resolve().parent.parent.parent
FILES = sorted((ROOT / "tests/properties").glob("test_*.py"))


def test_every_property_file_is_broken() -> None:
    assert sorted({each.property for each in SABOTAGES}) == [path.stem.removeprefix("test_") for path in FILES]


@pytest.mark.parametrize("sabotage", SABOTAGES, ids=lambda each: each.property)
def test_the_test_that_must_turn_red_is_in_that_file(sabotage: Sabotage) -> None:
    tree = ast.parse((ROOT / sabotage.path).read_text())
    assert sabotage.red in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert sabotage.how and not sabotage.how.endswith(".")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_property_file_begins_with_its_promise_and_whom_it_protects(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text())) or ""
    promise, _, protects = docstring.partition("\n\n")
    assert promise.endswith(".")
    assert protects.startswith("Protects ")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_property_mocks_our_own_code(path: Path) -> None:
    text = path.read_text()
    assert "mock" not in text.lower().replace("no mock", "")
    assert "monkeypatch" not in text.lower()
