"""On every surface: allowing nothing, or what isn't there any more, is said to be that; only a no is a no."""

from typing import Any

import pytest

from apps.access import services as access
from apps.memories import services as memories
from apps.policy.ids import typed, untyped
from apps.policy.vocabulary import PartStatus, TurnStatus
from apps.turns import services as turns
from tests.drivers import Http
from tests.fixtures import Household
from tests.surfaces.web import Scene, browser, furnish, text_of
from vault.clock import utc_now


@pytest.fixture
def scene(home: Household) -> Scene:
    return furnish(home)


def status_of(scene: Scene) -> set[PartStatus]:
    found = access.request(scene.holder, untyped("req", scene.wish))  # type: ignore[arg-type]
    assert found is not None
    return {each.status for each in found.parts}


# ---------------------------------------------------------------- the request's page
@pytest.mark.parametrize("part", ["ordinary", "health"])
def test_the_page_asks_for_at_least_one_and_keeps_the_terms(scene: Scene, part: str) -> None:
    form = {"part": part, "do": "allow", "until": "week", "reads": "7"}
    answer = browser(scene.holder).post(f"/requests/{scene.wish}/decide", form)
    page = text_of(answer)
    assert answer.status_code == 400
    assert "Choose at least one, or say no." in page
    assert 'value="week" selected' in page and 'value="7"' in page
    assert status_of(scene) == {PartStatus.PENDING}


def test_a_stale_tab_is_told_what_is_gone(scene: Scene) -> None:
    memories.put_away(scene.holder, untyped("mem", scene.home.insulin), utc_now())  # type: ignore[arg-type]
    form = {"part": "health", "do": "allow", "give": [scene.home.insulin]}
    answer = browser(scene.holder).post(f"/requests/{scene.wish}/decide", form)
    assert (answer.status_code, "any more" in text_of(answer)) == (400, True)
    assert status_of(scene) == {PartStatus.PENDING}


@pytest.mark.parametrize("do", ["", "zz", "no", "ALLOW"])
def test_no_other_word_is_taken_for_a_no(scene: Scene, do: str) -> None:
    form = {"part": "ordinary", "do": do, "give": [scene.home.kitchen]}
    assert browser(scene.holder).post(f"/requests/{scene.wish}/decide", form).status_code == 400
    assert status_of(scene) == {PartStatus.PENDING}


def test_what_was_not_asked_for_comes_back_with_the_page(scene: Scene) -> None:
    form = {"part": "ordinary", "do": "allow", "give": [scene.home.kitchen, scene.home.insulin], "until": "week"}
    answer = browser(scene.holder).post(f"/requests/{scene.wish}/decide", form)
    page = text_of(answer)
    assert answer.status_code == 400
    assert f'value="{scene.home.kitchen}" checked' in page
    assert status_of(scene) == {PartStatus.PENDING}


# ---------------------------------------------------------------- the card of a turn
@pytest.mark.parametrize("do", ["give", "zz", ""])
def test_handing_over_nothing_decides_no_card(scene: Scene, do: str) -> None:
    answer = browser(scene.holder).post(f"/chat/{scene.offered}/decide", {"part": "ordinary", "do": do})
    page = text_of(answer)
    assert answer.status_code == 400
    assert 'role="alert"' in page and "Hand over what I chose" in page
    found = turns.turn(scene.holder, untyped("trn", scene.offered))  # type: ignore[arg-type]
    assert found is not None and found.status is TurnStatus.OFFERED


# ---------------------------------------------------------------- REST
@pytest.mark.parametrize(
    ("sent", "pointer"),
    [
        ({}, "/parts/0/memories"),
        ({"memories": []}, "/parts/0/memories"),
        ({"allow": True, "memories": []}, "/parts/0/memories"),
        ({"subjects": ["nowhere"]}, "/parts/0/subjects"),
        ({"until": "2026-12-24T12:00:00", "memories": ["kitchen"]}, "/parts/0/until"),
        ({"until": "2020-01-01T00:00:00Z", "memories": ["kitchen"]}, "/parts/0/until"),
        ({"allow": False, "memories": ["kitchen"]}, "/parts/0/allow"),
        ({"memories": ["kitchen"], "untill": "2999-01-01T00:00:00Z"}, "/parts/0"),
    ],
    ids=str,
)
def test_a_program_is_told_which_part_and_which_field(home: Household, sent: dict[str, Any], pointer: str) -> None:
    wish = home.as_client().ask([home.kitchen])
    part = {"part": "ordinary", **sent}
    if sent.get("memories"):
        part["memories"] = [home.kitchen]
    answer = Http(holder=home.holder).send("POST", f"access-requests/{wish.request}/decision", {"parts": [part]})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, pointer), answer.content
    assert len(access.waiting(home.holder, utc_now())) == 1


def test_a_program_that_names_another_memory_gets_not_found_and_decides_nothing(home: Household) -> None:
    wish = home.as_client().ask([home.kitchen])
    for stranger in (home.time, f"mem_{'0' * 32}"):
        body = {"parts": [{"part": "ordinary", "memories": [stranger]}]}
        answer = Http(holder=home.holder).send("POST", f"access-requests/{wish.request}/decision", body)
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
    assert len(access.waiting(home.holder, utc_now())) == 1


def test_a_program_s_card_points_to_the_part(scene: Scene) -> None:
    found = turns.turn(scene.holder, untyped("trn", scene.offered))  # type: ignore[arg-type]
    assert found is not None
    offered = [typed("mem", each.memory_id) for each in found.items]
    for memory in found.items:
        memories.put_away(scene.holder, memory.memory_id, utc_now())
    answer = Http(holder=scene.holder).send("POST", f"turns/{scene.offered}/decision", {"ordinary": offered[:1]})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/ordinary")


def test_a_program_s_no_is_said(home: Household) -> None:
    wish = home.as_client().ask([home.kitchen])
    body = {"parts": [{"part": "ordinary", "allow": False}]}
    answer = Http(holder=home.holder).send("POST", f"access-requests/{wish.request}/decision", body)
    assert (answer.status_code, answer.json()["status"]) == (200, "denied")
