"""The page that checks a text: where it says what was corrected, what is so instead, stamped; and no text is kept."""

import re
from typing import Any

import psycopg
import pytest

from apps.memories import services as memories
from apps.policy.types import Memory
from apps.policy.vocabulary import Level
from tests.cast import admin as admin
from tests.drivers import Http
from tests.fixtures import Household
from tests.holders.people import acting, newcomer
from tests.surfaces.test_web_people import at
from tests.surfaces.web import browser, last_seq, text_of
from vault.clock import utc_now


@pytest.fixture
def moved(home: Household) -> Memory:
    """A memory that said Leeds and says Porto; and a symbol that took another's place."""
    http = Http(holder=home.holder)
    for subject, old, new in (("symbol.old_api", "old_api", "new_api"), ("home.town", "Leeds", "Porto")):
        made = http.call("POST", "memories", {"label": subject, "subject": subject, "value": old})["id"]
        http.call("PATCH", f"memories/{made}", {"value": new}, If_Match="*")
    return next(each for each in memories.memories(home.holder) if each.subject == "home.town")


def test_it_says_where_and_what_is_so_now_and_is_stamped(home: Household, moved: Memory) -> None:
    client = browser(home.holder)
    assert 'href="/check"' in text_of(client.get("/file"))
    before = last_seq(home.holder)
    text = "# Ana <b>\r\n\r\nShe lives in Leeds.\r\nlib.old_api()\r\n"
    page = text_of(client.post("/check", {"text": text}))
    assert re.findall(r"Line (\d+), column (\d+)", page) == [("3", "14"), ("4", "5")]
    for words in ("2 places", "She lives in Leeds.", "<strong>Porto</strong>", "<strong>new_api</strong>", "home.town"):
        assert words in page
    assert last_seq(home.holder) == before + 2
    assert f"/receipts/rcp_{before + 1}" in page
    assert "# Ana &lt;b&gt;" in page, "the text is there still, to be put right"


def test_a_text_that_brings_nothing_back_is_said_to_and_leaves_no_receipt(home: Household, moved: Memory) -> None:
    before = last_seq(home.holder)
    page = text_of(browser(home.holder).post("/check", {"text": "She lives in Porto."}))
    assert "It brings back nothing that was corrected here." in page
    assert last_seq(home.holder) == before


def test_what_was_ended_has_nothing_in_its_place(home: Household, moved: Memory) -> None:
    memories.put_away(home.holder, moved.memory_id, utc_now())
    page = text_of(browser(home.holder).post("/check", {"text": "She lives in Leeds, not in Porto."}))
    assert page.count("Nothing took its place.") == 2


def test_no_text_is_kept(home: Household, moved: Memory, admin: psycopg.Connection[Any]) -> None:
    marker = "zanzibarine"
    browser(home.holder).post("/check", {"text": f"Leeds, and {marker}"})
    tables = admin.execute(
        "SELECT format('%I.%I', table_schema, table_name) FROM information_schema.tables"
        " WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'"
    ).fetchall()
    assert len(tables) > 20
    for (table,) in tables:
        found = admin.execute(f"SELECT count(*) FROM {table} t WHERE t::text LIKE '%{marker}%'").fetchone()  # type: ignore[call-overload]
        assert found == (0,), table


def test_one_that_is_too_long_or_empty_is_said_beside_it_and_stays(home: Household) -> None:
    client = browser(home.holder)
    long = "many words " * 25_000
    refused = client.post("/check", {"text": long})
    assert refused.status_code == 400 and "at most 262144 are checked at once" in text_of(refused)
    assert long.strip() in text_of(refused)
    assert client.post("/check", {"text": ""}).status_code == 400


def test_who_may_not_keep_may_not_check_and_who_acts_is_told_of_nothing_sealed(home: Household, moved: Memory) -> None:
    assert at(acting(home.holder, newcomer("Otto"), level=Level.VIEW)).get("/check").status_code == 403
    memories.seal_from_guardians(home.holder, moved.memory_id, utc_now())
    guardian = at(acting(home.holder, newcomer("Rosa")))
    seat = re.search(r'name="seat" value="([^"]+)"', text_of(guardian.get("/check")))
    assert seat is not None
    page = text_of(guardian.post("/check", {"text": "She lives in Leeds.", "seat": seat[1]}))
    assert "It brings back nothing that was corrected here." in page
