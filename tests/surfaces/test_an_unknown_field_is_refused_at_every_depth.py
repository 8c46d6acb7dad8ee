"""A field that a shape does not know is refused where it stands, in every body that is taken, however deep."""

import inspect
from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework.serializers import DictField, Field, ListField, Serializer

from apps.api import inputs, proposing
from apps.api.views.base import unknown
from tests.drivers import Http
from tests.fixtures import Household

SHAPES = {
    name: shape
    for module in (inputs, proposing)
    for name, shape in vars(module).items()
    if inspect.isclass(shape) and issubclass(shape, Serializer) and name.endswith("In")
}


def objects(reader: Field[Any, Any, Any, Any], pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Every place in a shape where an object stands, with a body that has a stranger just there."""
    if isinstance(reader, Serializer):
        yield pointer, {"stranger": 1}
        for name, field in reader.fields.items():
            for at, body in objects(field, f"{pointer}/{name}"):
                yield at, {name: body}
    elif isinstance(reader, ListField):
        for at, body in objects(reader.child, f"{pointer}/0"):
            yield at, [body]
    elif isinstance(reader, DictField):
        for at, body in objects(reader.child, f"{pointer}/x"):
            yield at, {"x": body}


@pytest.mark.parametrize("name", SHAPES)
def test_a_stranger_is_found_wherever_an_object_stands(name: str) -> None:
    reader = SHAPES[name]()
    for pointer, body in objects(reader):
        assert [at for at, _ in unknown(reader, body)] == [pointer]


def test_there_are_shapes_with_objects_inside() -> None:
    deep = {name for name, shape in SHAPES.items() if len(list(objects(shape()))) > 1}
    assert {"AskIn", "DecisionIn", "PolicyIn", "ShowIn"} <= deep


def test_a_wish_in_a_part_does_not_go_unmet_in_silence(home: Household) -> None:
    body = {"items": [{"memory": home.kitchen, "until": "tomorrow"}], "purpose": "care"}
    answer = Http(home.key).send("POST", "access-requests", body)
    assert (answer.status_code, answer.json()["code"]) == (422, "validation")
    (error,) = answer.json()["errors"]
    assert error["pointer"] == "/items/0"
    assert "Known are: memory, category." in error["detail"]
