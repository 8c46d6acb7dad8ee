"""What may grow has a limit: every anchor's worst file is its biggest."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
CODE = sorted(path for top in ("apps", "vault", "ops", "tests") for path in (ROOT / top).rglob("*.py"))
SURFACES = sorted(
    [*(ROOT / "apps/web/views").rglob("*.py"), *(ROOT / "apps/api/views").rglob("*.py"), ROOT / "apps/mcp/tools.py"]
)


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("path", CODE, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_file_has_at_most_400_lines(path: Path) -> None:
    assert lines(path) <= 400 or "migrations" in path.parts


def test_the_rules_are_read_in_five_minutes() -> None:
    assert lines(ROOT / "apps/policy/rules.py") <= 250


@pytest.mark.parametrize(
    "path",
    sorted([*ROOT.glob("apps/*/services.py"), *ROOT.glob("apps/*/services/*.py")]),
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_a_services_module_has_at_most_250_lines(path: Path) -> None:
    assert lines(path) <= 250


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """A file's functions and methods, not those inside others."""
    for node in ast.parse(path.read_text()).body:
        for each in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield each


@pytest.mark.parametrize("path", SURFACES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_view_or_a_tool_has_at_most_25_lines(path: Path) -> None:
    """Counted from its first statement, the docstring left out."""
    for function in functions(path):
        body = function.body[1:] if ast.get_docstring(function) else function.body
        if body:
            assert (body[-1].end_lineno or 0) - body[0].lineno + 1 <= 25, f"{path.name}: {function.name}"
