"""Whoever puts a memory where its text was put away is asked, and means it by one more press or one more word."""

import pytest

from apps.memories import services as memories
from apps.policy.types import Memory, Refused
from tests.fixtures import Household
from tests.surfaces.web import browser, text_of
from vault.clock import utc_now


@pytest.fixture
def moving(home: Household) -> Memory:
    """A memory that says what another one was put away for saying."""
    old = memories.add(home.holder, label="a", subject="born.in", value="Braga in the hills", now=utc_now())
    assert isinstance(old, Memory)
    memories.put_away(home.holder, old.memory_id, utc_now())
    new = memories.add(
        home.holder, label="b", subject="trip.to", value="Braga in the hills", now=utc_now(), on_purpose=True
    )
    assert not isinstance(new, Refused)
    return new


def subject(home: Household, memory: Memory) -> str:
    found = memories.memory(home.holder, memory.memory_id)
    assert found is not None
    return found.subject


def test_on_the_page_one_press_more_means_it(home: Household, moving: Memory) -> None:
    client, path = browser(home.holder), f"/file/mem_{moving.memory_id.hex}/rescope"
    asked = client.post(path, {"subject": "born.in"})
    assert (asked.status_code, "I mean it" in text_of(asked), subject(home, moving)) == (409, True, "trip.to")
    client.post(path, {"subject": "born.in", "on_purpose": "on"})
    assert subject(home, moving) == "born.in"


def test_over_the_api_on_purpose_means_it(home: Household, moving: Memory) -> None:
    client, path = browser(home.holder), f"/api/v1/memories/mem_{moving.memory_id.hex}"
    tag = client.get(path).headers["ETag"]
    sent = {"content_type": "application/json", "headers": {"If-Match": tag}}
    asked = client.patch(path, {"subject": "born.in"}, **sent)
    assert (asked.status_code, asked.json()["code"]) == (409, "echo")
    done = client.patch(path, {"subject": "born.in", "on_purpose": True}, **sent)
    assert (done.status_code, subject(home, moving)) == (200, "born.in")
    bare = client.patch(path, {"on_purpose": True}, **{**sent, "headers": {"If-Match": done.headers["ETag"]}})
    assert bare.status_code == 422
