"""While somebody holds a vault for long, a deed there is told to try again, and nothing is done or lost."""

from collections.abc import Iterator
from uuid import UUID

import pytest
from django.db import connections

from tests import databases
from tests.drivers import Http
from tests.fixtures import Household
from tests.surfaces.web import browser


@pytest.fixture
def held(home: Household) -> Iterator[UUID]:
    """Somebody holds the vault's chain, as a long erasure does; whoever waits for it gives up soon."""
    with connections["default"].cursor() as cursor:
        cursor.execute("SET lock_timeout = '100ms'")
    with databases.connect("postgres") as other:
        other.execute("SELECT 1 FROM sealed.chain_head WHERE vault_id = %s FOR UPDATE", [home.holder.vault_id])
        yield home.holder.vault_id
        other.rollback()
    connections["default"].close()


def test_rest_says_that_it_is_busy_and_that_trying_again_helps(home: Household, held: UUID) -> None:
    holder, client = Http(holder=home.holder), Http(home.key)
    for answer in (
        holder.send("POST", "memories", {"label": "Plates", "value": "Twelve"}),
        client.send("POST", "proposals", {"label": "Plates", "value": "Twelve", "derived_from": []}),
    ):
        problem = answer.json()
        assert (answer.status_code, problem["code"], problem["retryable"]) == (503, "busy", True), problem
        assert answer.headers["Retry-After"] == "5"


def test_a_page_says_it_and_shows_what_was_typed(home: Household, held: UUID) -> None:
    sent = {"value": "Words that somebody wrote", "label": "Plates", "category": "ordinary"}
    answer = browser(home.holder).post("/file/add", sent)
    page = answer.content.decode()
    assert (answer.status_code, answer.headers.get("Retry-After")) == (503, "5"), page
    assert "Busy just now" in page and "Words that somebody wrote" in page
