"""While somebody holds a vault for long, a deed there is told to try again, and nothing is done or lost."""

from collections.abc import Iterator
from time import monotonic
from uuid import UUID

import pytest
from django.db import connections

from apps.shares import services as shares
from tests import databases
from tests.drivers import Http
from tests.fixtures import Household
from tests.mail.outside import somebody
from tests.surfaces.visitors import NOWHERE, Visitor, headers_of, share, token_of
from tests.surfaces.web import browser
from vault.clock import utc_now


@pytest.fixture
def links(home: Household) -> list[str]:
    """The tokens of two living links: one opens at once, for the other a code is mailed first."""
    named = [shares.Recipient("Rosa", somebody())]
    return [token_of(share(home.holder, home.kitchen, recipients=each)) for each in ([], named)]


@pytest.fixture
def held(home: Household) -> Iterator[UUID]:
    """Somebody holds the vault's chain, as a long erasure does; whoever waits for it gives up soon."""
    for alias in ("default", "gate"):
        connections[alias].ensure_connection()
        connections[alias].connection.execute("SET lock_timeout = '100ms'")
    with databases.connect("postgres") as other:
        other.execute("SELECT 1 FROM sealed.chain_head WHERE vault_id = %s FOR UPDATE", [home.holder.vault_id])
        yield home.holder.vault_id
        other.rollback()
    for alias in ("default", "gate"):
        connections[alias].connection.execute("RESET lock_timeout")
        connections[alias].close()


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


def test_a_link_there_answers_as_one_that_leads_nowhere(home: Household, links: list[str], held: UUID) -> None:
    """Nobody learns by a press that is not counted whether a link leads somewhere."""
    nowhere = Visitor().press(NOWHERE)
    for token in links:
        answer = Visitor().press(token)
        assert (answer.status_code, answer.content) == (404, nowhere.content)
        assert headers_of(answer) == headers_of(nowhere)
    assert all(not each.share.opens for each in shares.shares(home.holder, utc_now()))


def test_a_link_there_keeps_whoever_presses_waiting(links: list[str], held: UUID) -> None:
    """A limit: the page is the same, and comes later than that of a link that leads nowhere."""
    began = monotonic()
    Visitor().press(links[0])
    assert monotonic() - began > 0.1, "as long as a vault is waited for"
