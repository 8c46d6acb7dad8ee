"""A field that a shape does not know is refused where it stands, in every body that is taken, however deep."""

import inspect
from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework.serializers import DictField, Field, ListField, Serializer

from apps.api import inputs, proposing
from apps.api.views.base import unknown
from apps.policy.vocabulary import Purpose
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
    assert error["detail"] == "Of its 2 fields number 2 is not known here. Known are: memory, category."


def test_each_stranger_is_told_by_its_place_and_not_quoted(home: Household) -> None:
    told = Http(home.key).send("POST", "access-requests", {"until": 1, "purpose": "care", "secretword": 2}).json()
    assert [each["detail"].partition(" is ")[0] for each in told["errors"]] == [
        "Of its 3 fields number 1",
        "Of its 3 fields number 3",
    ]
    assert "secretword" not in str(told)
    told = Http(home.key).send("GET", "subjects?limit=1&limit=2&secretword=3").json()
    known = "Known parameters are: "
    assert [(each["pointer"], each["detail"].partition(known)[0]) for each in told["errors"]] == [
        ("/limit", "It is sent more than once. "),
        ("", "Number 2 is not known here. "),
    ]
    assert "secretword" not in str(told)


def test_a_word_that_is_not_in_the_list_is_answered_with_the_list(home: Household) -> None:
    told = Http(home.key).send("POST", "access-requests", {"purpose": "gossip", "items": []}).json()
    (error,) = [each for each in told["errors"] if each["pointer"] == "/purpose"]
    assert error["detail"] == f"Choose one of: {', '.join(Purpose)}."
    assert "gossip" not in str(told)
