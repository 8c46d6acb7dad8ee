"""Every service that takes a seat asks first whether its person may: none forgets, and none asks for nothing."""

import inspect
import typing
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from apps.policy.roles import Deed
from apps.policy.types import Holder

ROOT = Path(__file__).resolve().parent.parent.parent
MODULES = sorted([*ROOT.glob("apps/*/services.py"), *ROOT.glob("apps/*/services/*.py")])
ASKS_ITSELF = {"may", "ask"}  # of the seats: they are the question


def takes_a_seat(function: Callable[..., Any]) -> bool:
    hints = typing.get_type_hints(inspect.unwrap(function))
    names = [name for name, hint in hints.items() if name != "return" and Holder in (hint, *typing.get_args(hint))]
    return bool(names)


def services() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function of the services that takes a Holder, wherever in its arguments."""
    for path in MODULES:
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for each, function in vars(import_module(name)).items():
            own = inspect.isfunction(function) and function.__module__ == name and not each.startswith("_")
            if own and takes_a_seat(function) and each not in ASKS_ITSELF:
                yield f"{name}.{each}", function


@pytest.mark.parametrize(("name", "function"), list(services()), ids=lambda each: each if isinstance(each, str) else "")
def test_it_asks(name: str, function: Callable[..., Any]) -> None:
    assert isinstance(getattr(function, "deed", None), Deed), f"{name} takes a seat and asks for no deed"
    first = next(iter(inspect.signature(inspect.unwrap(function)).parameters))
    assert typing.get_type_hints(inspect.unwrap(function))[first] is Holder, f"{name} takes the seat first"


def test_every_deed_is_asked_for() -> None:
    asked = {getattr(function, "deed", None) for _, function in services()}
    assert asked == set(Deed)
