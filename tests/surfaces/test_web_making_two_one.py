"""Two memories that say the same are made one on a page: chosen, looked at side by side, and parted again."""

import re
from typing import Any

import pytest

from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.types import Memory
from apps.policy.vocabulary import Category, Level, State
from tests.fixtures import Household
from tests.holders.people import acting, newcomer
from tests.surfaces.test_web_people import at
from tests.surfaces.web import browser, last_seq, text_of
from vault.clock import utc_now


@pytest.fixture
def two(home: Household) -> tuple[Memory, Memory]:
    """Two memories that say the same."""
    return kept(home, "Home town", "Porto", "home.town"), kept(home, "Where I live", "In Porto", "home.where")


def kept(home: Household, label: str, value: str, subject: str, **more: Any) -> Memory:
    made = memories.add(home.holder, label=label, value=value, subject=subject, now=utc_now(), **more)
    assert isinstance(made, Memory), made
    return made


def mem(memory: Memory) -> str:
    return typed("mem", memory.memory_id)


def now_(home: Household, memory: Memory) -> Memory:
    found = memories.memory(home.holder, memory.memory_id)
    assert found is not None
    return found


def fields(page: str, stays: str) -> dict[str, str]:
    """The form below the memory that is to stay."""
    forms = page.split('action="/file/merge"')[1:]
    found = [dict(re.findall(r'name="(\w+)"\s+value="([^"]*)"', each.partition("</form>")[0])) for each in forms]
    (chosen,) = (each for each in found if each["kept"] == stays)
    return chosen


def test_from_the_memory_s_page_to_one_memory_and_back_to_two(home: Household, two: tuple[Memory, Memory]) -> None:
    first, second = two
    client = browser(home.holder)
    assert f'href="/file/{mem(first)}/same"' in text_of(client.get(f"/file/{mem(first)}"))
    choose = text_of(client.get(f"/file/{mem(first)}/same"))
    options = re.findall(r'<option value="(mem_\w+)"', choose)
    assert options[0] == mem(second), "what stands under the same word comes first"
    assert mem(first) not in options and "In Porto" not in choose
    before = last_seq(home.holder)
    page = text_of(client.post(f"/file/{mem(first)}/same", {"other": mem(second)}))
    assert last_seq(home.holder) == before + 2, "both were shown, and stamped"
    assert "In Porto" in page and "Porto" in page and "you can part them again" in page
    page = text_of(client.post("/file/merge", fields(page, mem(second)), follow=True))
    assert "They are one from now on." in page and "is part of" in page
    assert now_(home, first).state is State.MERGED and now_(home, second).state is State.APPROVED
    parts = re.findall(r'action="(/file/about/merges/mrg_\w+/part)"', page)
    page = text_of(client.post(parts[0], {"memory": mem(second)}, follow=True))
    assert "They are two again." in page and "Where I live" in page
    assert now_(home, first).state is State.APPROVED


def test_the_page_of_one_that_is_part_of_another_offers_to_part_them_and_no_more(
    home: Household, two: tuple[Memory, Memory]
) -> None:
    first, second = two
    client = browser(home.holder)
    page = text_of(client.post(f"/file/{mem(first)}/same", {"other": mem(second)}))
    client.post("/file/merge", fields(page, mem(second)))
    page = text_of(client.get(f"/file/{mem(first)}"))
    assert "Part of another" in page and "Part them" in page
    for offered in ("Put back", "Put away", "Correct it", "Seal from guardians", "It still holds", "Its subject"):
        assert offered not in page, offered
    guardian = at(acting(home.holder, newcomer("Rosa"), level=Level.VIEW))
    page = text_of(guardian.get(f"/file/{mem(first)}"))
    assert "Part of another" in page and "Part them</" not in page
    assert client.get(f"/file/{mem(first)}/same").status_code == 404


def test_what_was_changed_after_the_look_is_not_made_one(home: Household, two: tuple[Memory, Memory]) -> None:
    first, second = two
    client = browser(home.holder)
    sent = fields(text_of(client.post(f"/file/{mem(first)}/same", {"other": mem(second)})), mem(first))
    memories.correct(home.holder, second.memory_id, value="In Braga", now=utc_now())
    page = text_of(client.post("/file/merge", sent, follow=True))
    assert "This was changed while you were looking at it." in page
    assert now_(home, second).state is State.APPROVED


@pytest.mark.parametrize("lack", ["kept_version", "merged_version", "kept", "merged"])
def test_a_form_that_does_not_say_what_was_looked_at_does_nothing(
    home: Household, two: tuple[Memory, Memory], lack: str
) -> None:
    first, second = two
    client = browser(home.holder)
    sent = fields(text_of(client.post(f"/file/{mem(first)}/same", {"other": mem(second)})), mem(first))
    del sent[lack]
    client.post("/file/merge", sent)
    client.post("/file/merge", {**sent, "merged": mem(first), "kept": mem(first)})
    assert now_(home, first).state is now_(home, second).state is State.APPROVED


def test_nothing_that_this_seat_does_not_see_can_be_chosen(home: Household, two: tuple[Memory, Memory]) -> None:
    first, second = two
    memories.seal_from_guardians(home.holder, second.memory_id, utc_now())
    guardian = at(acting(home.holder, newcomer("Rosa")))
    page = text_of(guardian.get(f"/file/{mem(first)}/same"))
    assert "Where I live" not in page and mem(second) not in page
    seat = re.search(r'name="seat" value="([^"]+)"', page)
    assert seat is not None
    sent = {"other": mem(second), "seat": seat[1]}
    assert guardian.post(f"/file/{mem(first)}/same", sent).status_code == 400
    assert guardian.get(f"/file/{mem(second)}/same").status_code == 404


def test_side_by_side_an_attested_one_is_confirmed_to_whoever_acts(home: Household) -> None:
    first = kept(home, "Blood", "0 negative", "health.blood", category=Category.HEALTH)
    guardian = at(acting(home.holder, newcomer("Rosa")))
    page = text_of(guardian.get(f"/file/{mem(first)}/same"))
    seat = re.search(r'name="seat" value="([^"]+)"', page)
    assert seat is not None
    page = text_of(guardian.post(f"/file/{mem(first)}/same", {"other": home.budget, "seat": seat[1]}))
    assert "Confirmed, and shown to nobody but the holder." in page and "0 negative" in page
