"""Stores return facts: no annotation of a store's public function names a row, a queryset or anything unsaid.

And no write without an act: what a store writes, it writes with the act it was given.
"""

import ast
import importlib
import inspect
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db.models import Manager, Model, QuerySet

from apps.ledger.log import Act
from tests.fences import STORES, public_functions

ROOT = Path(__file__).resolve().parent.parent.parent
# When a key was used, when a request was polled; what became of a letter: no deed, no receipt.
BOOKKEEPING = {"touch_key", "note_poll"} | {"claim", "sent", "put_off", "hold", "forget", "lay", "note"}
WRITES = {"create", "bulk_create", "update", "delete", "save", "create_user", "get_or_create", "update_or_create"}
PEOPLE = {"make_user", "set_password", "set_profile", "unlist"}  # global rows, where there is no vault to act in


def functions() -> list[Callable[..., Any]]:
    """Every public function of every store."""
    return [
        function for room in STORES for _, function in public_functions(importlib.import_module(f"apps.{room}.store"))
    ]


def named(annotation: Any) -> Iterator[Any]:
    """The types inside an annotation."""
    yield annotation
    for inside in typing.get_args(annotation):
        yield from named(inside)


def test_every_store_is_looked_at() -> None:
    assert sorted(STORES) == sorted(path.parent.name for path in ROOT.glob("apps/*/store.py"))


@pytest.mark.parametrize("function", functions(), ids=lambda each: f"{each.__module__}.{each.__name__}")
def test_its_answer_is_annotated_and_is_no_row(function: Callable[..., Any]) -> None:
    hints = typing.get_type_hints(function)
    assert "return" in hints, "a store says what it returns"
    for kind in named(hints["return"]):
        assert kind is not Any
        if isinstance(kind, type):
            assert not issubclass(kind, (Model, QuerySet, Manager))


@pytest.mark.parametrize("function", functions(), ids=lambda each: f"{each.__module__}.{each.__name__}")
def test_what_writes_takes_an_act_first(function: Callable[..., Any]) -> None:
    tree = ast.parse(inspect.getsource(function))
    calls = {
        node.func.attr for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    if not calls & WRITES or function.__name__ in BOOKKEEPING | PEOPLE:
        return
    first = next(iter(inspect.signature(function).parameters))
    assert typing.get_type_hints(function)[first] is Act, f"{function.__name__} writes without an act"


def test_no_model_decides() -> None:
    """Rows declare columns and constraints; a method on a row is a rule out of place."""
    allowed = {"User": {"get_full_name", "_get_session_auth_hash"}}  # what Django asks of a person
    for path in ROOT.glob("apps/*/models.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and node.name != "UserManager":
                methods = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
                assert methods <= allowed.get(node.name, set()), f"{path.parent.name}.{node.name}"
