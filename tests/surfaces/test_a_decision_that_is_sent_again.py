"""A decision that is sent again, as after an answer that was lost, is answered again: whichever revision it names."""

from typing import Any

import pytest

from tests.drivers import Http
from tests.fixtures import Household

YES, NO = {"decision": "approve"}, {"decision": "reject", "reason": "Not mine"}


@pytest.fixture
def holder(home: Household) -> Http:
    return Http(holder=home.holder)


@pytest.fixture
def suggested(home: Household) -> str:
    body = {"label": "Pet", "value": "A cat called Rex", "derived_from": []}
    return str(Http(home.key).send("POST", "proposals", body).json()["id"])


def tag(holder: Http, proposal: str) -> str:
    return str(holder.send("GET", f"proposals/{proposal}").headers["ETag"])


def decide(holder: Http, proposal: str, decision: dict[str, str], seen: str) -> Any:
    return holder.send("POST", f"proposals/{proposal}/decision", decision, If_Match=seen)


@pytest.mark.parametrize("decision", [YES, NO], ids=["yes", "no"])
def test_the_same_one_gives_the_same_answer(holder: Http, suggested: str, decision: dict[str, str]) -> None:
    seen = tag(holder, suggested)
    first, again = (decide(holder, suggested, decision, seen) for _ in range(2))
    assert first.status_code == 200 and again.status_code == 200
    assert first.json() == again.json() and first.headers["ETag"] == again.headers["ETag"]


@pytest.mark.parametrize(("first", "then"), [(YES, NO), (NO, YES)], ids=["a no to a yes", "a yes to a no"])
def test_another_one_is_told_that_it_was_decided(
    holder: Http, suggested: str, first: dict[str, str], then: dict[str, str]
) -> None:
    seen = tag(holder, suggested)
    assert decide(holder, suggested, first, seen).status_code == 200
    refused = decide(holder, suggested, then, seen)
    assert (refused.status_code, refused.json()["code"]) == (409, "already-decided")


def test_what_waits_is_decided_only_as_it_was_looked_at(holder: Http, suggested: str) -> None:
    refused = decide(holder, suggested, YES, '"99"')
    assert (refused.status_code, refused.json()["code"]) == (412, "precondition-failed")
    assert decide(holder, suggested, YES, tag(holder, suggested)).status_code == 200
