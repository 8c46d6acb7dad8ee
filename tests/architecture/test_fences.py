"""The fences hold: each thing they are there to catch is caught, and what is allowed passes."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connections

from apps.access.models import ClientRow
from apps.policy.types import Label
from apps.policy.vocabulary import Category
from tests.cast import Vault, alice, give, register  # noqa: F401  (a fixture among them)
from tests.fences import (  # noqa: F401  (fixtures)
    Fenced,
    _statements_stay_in_their_place,
    _stores_return_facts,
    fenced,
    rows_in,
)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT ciphertext FROM sealed.value",
        'SELECT * FROM "sealed"."key"',
        "select * from SEALED . handle",
        "SELECT count(*) FROM search_term",
        "UPDATE chain_head SET seq = 0",
    ],
)
def test_a_sealed_table_named_on_the_web_role_s_connection_is_caught(live: None, statement: str) -> None:
    with connections["default"].cursor() as cursor, pytest.raises(Fenced):
        cursor.execute(statement)


@pytest.mark.parametrize("statement", ["SELECT 1", "SELECT * FROM receipt", "SELECT gate.put()", "TABLE memory"])
def test_anything_but_a_hand_over_on_the_gate_s_connection_is_caught(live: None, statement: str) -> None:
    with connections["gate"].cursor() as cursor, pytest.raises(Fenced):
        cursor.execute(statement)


def test_a_day_s_work_passes(alice: Vault) -> None:  # noqa: F811
    cook = register(alice, "Cook")
    give(cook, "kitchen")
    assert cook.read("kitchen").released


@pytest.mark.parametrize(
    "answer",
    [
        ClientRow(),
        ClientRow.objects,
        ClientRow.objects.all(),
        (1, ClientRow()),
        {"a": [ClientRow()]},
        frozenset({ClientRow.objects}),
    ],
    ids=range(6),
)
def test_a_row_that_leaves_its_store_is_caught_however_it_is_wrapped(answer: Any) -> None:
    def store() -> Any:
        return answer

    assert rows_in(answer)
    with pytest.raises(Fenced):
        fenced(store)()


def test_a_fact_passes() -> None:
    fact = Label(SimpleNamespace(), "a", "b", Category.ORDINARY, False)  # type: ignore[arg-type]
    for answer in (None, 1, "x", (fact, fact), {"a": fact}, [b"bytes"]):
        assert not rows_in(answer)
        assert fenced(lambda answer=answer: answer)() == answer
