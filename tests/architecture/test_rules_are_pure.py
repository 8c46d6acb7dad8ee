"""The rules are pure: what they import is named here, they read no clock, and they can be read in five minutes."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
POLICY = sorted((ROOT / "apps/policy").glob("*.py"))
ALLOWED = {"bisect", "collections.abc", "dataclasses", "datetime", "enum", "functools", "itertools", "re", "typing"} | {
    "unicodedata",
    "uuid",
}
CLOCKS = {"now", "utcnow", "today", "time", "monotonic", "perf_counter", "fromtimestamp"}
FIRST_TEN = {
    "labels_for_scope",
    "validate_request",
    "split_by_category",
    "project",
    "stamps",
    "find_grant",
    "judge_proposal",
}


def imports(tree: ast.Module) -> Iterator[str]:
    """The modules a file imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module or ""


@pytest.mark.parametrize("path", POLICY, ids=lambda path: path.name)
def test_they_import_what_is_allowed_and_each_other(path: Path) -> None:
    found = set(imports(ast.parse(path.read_text())))
    assert {name for name in found if name not in ALLOWED and not name.startswith("apps.policy.")} == set()


@pytest.mark.parametrize("path", POLICY, ids=lambda path: path.name)
def test_they_read_no_clock_and_roll_no_dice(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            assert called not in CLOCKS | {"uuid1", "uuid4", "open", "print", "input", "eval", "exec", "getenv"}, called


@pytest.mark.parametrize("path", POLICY, ids=lambda path: path.name)
def test_they_keep_no_state(path: Path) -> None:
    """Nothing global is assigned in a function, and what stands in a module is a constant."""
    for node in ast.walk(ast.parse(path.read_text())):
        assert not isinstance(node, (ast.Global, ast.Nonlocal, ast.AsyncFunctionDef, ast.Await))


def test_the_names_are_the_ones_the_work_grew_from() -> None:
    tree = ast.parse((ROOT / "apps/policy/rules.py").read_text())
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert functions >= FIRST_TEN


def test_every_rule_says_what_it_asks_and_has_its_own_test() -> None:
    for name in ("rules", "plans"):
        for node in ast.parse((ROOT / f"apps/policy/{name}.py").read_text()).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                assert ast.get_docstring(node), node.name
                assert (ROOT / f"tests/policy/test_{node.name}.py").exists(), node.name


def test_now_is_an_argument_wherever_time_matters() -> None:
    for node in ast.parse((ROOT / "apps/policy/rules.py").read_text()).body:
        if isinstance(node, ast.FunctionDef):
            named = {each.arg for each in (*node.args.args, *node.args.kwonlyargs)}
            used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
            assert "now" not in used or "now" in named, node.name
