"""Fences around the values while tests run: every statement and every store's answer is looked at.

What no import rule can see fails here: a reverse accessor, raw SQL, a lazy field in a template, a model instance that
leaves its store.
"""

import functools
import importlib
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from typing import Any

import pytest
from django.db import connections
from django.db.models import Manager, Model, QuerySet

SEALED = re.compile(r"\bsealed\s*\.|\"sealed\"|\b(chain_head|search_doc|search_term|ticket_key)\b", re.IGNORECASE)
# The doctor also asks the connection who it is and how it is set.
THROUGH_THE_GATE = re.compile(
    r"\bgate\.(stamp|take|search|alike)\s*\(|\ASELECT (current_setting\(|rolname)", re.IGNORECASE
)
STORES = ("ledger", "mail", "holders", "memories", "access", "shares", "turns", "erasure")


class Fenced(AssertionError):
    """A statement or an answer that has no business there."""


def refuse_on_default(execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
    """The web role's connection names no sealed table: it has no right there, and no code may try."""
    if SEALED.search(str(sql)):
        raise Fenced(f"a sealed table is named outside the gate: {str(sql)[:200]}")
    return execute(sql, params, many, context)


def refuse_on_gate(execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
    """The gate's connection does four things and nothing else."""
    if not THROUGH_THE_GATE.search(str(sql)):
        raise Fenced(f"the gate's connection is used for something else: {str(sql)[:200]}")
    return execute(sql, params, many, context)


def rows_in(answer: Any, depth: int = 4) -> bool:
    """Is a model instance, a queryset or a manager anywhere in what a store returned?"""
    if isinstance(answer, (Model, QuerySet, Manager)):
        return True
    if depth and isinstance(answer, (tuple, list, set, frozenset)):
        return any(rows_in(each, depth - 1) for each in answer)
    if depth and isinstance(answer, Mapping):
        return any(rows_in(each, depth - 1) for pair in answer.items() for each in pair)
    if depth and hasattr(answer, "__dataclass_fields__"):
        return any(rows_in(getattr(answer, name), depth - 1) for name in answer.__dataclass_fields__)
    return False


def fenced(function: Callable[..., Any]) -> Callable[..., Any]:
    """A store's function whose answer is looked at."""

    @functools.wraps(function)
    def look(*args: Any, **more: Any) -> Any:
        answer = function(*args, **more)
        if rows_in(answer):
            raise Fenced(f"{function.__module__}.{function.__qualname__} returned a row, not a fact")
        return answer

    return look


def public_functions(module: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    """What a store offers the floor above it."""
    for name, function in vars(module).items():
        if inspect.isfunction(function) and not name.startswith("_") and function.__module__ == module.__name__:
            yield name, function


@pytest.fixture(scope="session", autouse=True)
def _stores_return_facts() -> Iterator[None]:
    """Every store's public function is fenced, wherever it was imported to."""
    with pytest.MonkeyPatch.context() as patch:
        for room in STORES:
            for _, function in list(public_functions(importlib.import_module(f"apps.{room}.store"))):
                around = fenced(function)
                for module in [each for name, each in sys.modules.items() if name.startswith("apps.")]:
                    for name, value in list(vars(module).items()):
                        if value is function:
                            patch.setattr(module, name, around)
        yield


@pytest.fixture(autouse=True)
def _statements_stay_in_their_place() -> Iterator[None]:
    """Every statement of this thread's connections is looked at."""
    with ExitStack() as fences:
        fences.enter_context(connections["default"].execute_wrapper(refuse_on_default))
        fences.enter_context(connections["gate"].execute_wrapper(refuse_on_gate))
        yield
