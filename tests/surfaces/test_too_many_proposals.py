"""A client that proposes more in an hour than is taken is told so, and when to go on; of reads nothing is said."""

from typing import Any

import pytest

from tests.drivers import Http
from tests.fixtures import Household

ROADS: dict[str, list[dict[str, Any]]] = {
    "proposals": [{"label": f"Tea {n}", "value": "Green", "derived_from": []} for n in range(6)],
    "proposals/route": [{"text": f"I live in {town}.", "derived_from": []} for town in ("Porto", "Faro", "Braga")],
}


@pytest.mark.parametrize("road", ROADS)
def test_the_answer_says_what_was_too_much_and_when_to_go_on(home: Household, settings: Any, road: str) -> None:
    settings.WISHES_PER_HOUR = 1
    answers = [Http(home.key).send("POST", road, body) for body in ROADS[road]]
    over = [each for each in answers if each.status_code == 429]
    assert over  # the hour may turn in between
    for each in over:
        told = each.json()
        assert told["code"] == "too-many-proposals"
        assert "proposals" in told["detail"] and "read" not in told["detail"]
        assert 1 <= int(each.headers["Retry-After"]) <= 3600
