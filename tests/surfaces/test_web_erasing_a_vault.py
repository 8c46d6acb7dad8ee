"""A whole vault goes on its page: who one is first, then a word; its certificate is at an address shown once."""

import json
import re
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from apps.erasure import services as erasure
from apps.erasure.places import COUNTED, PLACES
from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.erasing import Order, Where
from tests.fixtures import Household
from tests.holders.people import acting, newcomer
from tests.surfaces.emergencies import proved, signed_in
from tests.surfaces.erasing import is_there, the
from tests.surfaces.web import text_of
from vault.clock import utc_now


def test_whoever_erases_a_vault_shows_first_who_they_are(home: Household) -> None:
    client = signed_in(home.holder)
    for answer in (client.get("/you/erase"), client.post("/you/erase", {"word": "erase", "basis": "wish"})):
        assert answer.status_code == 302
        assert "/accounts/reauthenticate/" in answer.headers["Location"]
    assert holders.holder(home.holder.user_id) is not None


@pytest.mark.parametrize("word", ["", "eras", "erase it", "delete"])
def test_another_word_erases_nothing_and_loses_nothing(home: Household, word: str) -> None:
    answer = proved(home.holder).post("/you/erase", {"word": word, "basis": "objection", "request": "Case 7"})
    assert answer.status_code == 400
    assert 'value="Case 7"' in text_of(answer)
    assert is_there(home, home.time)


def test_the_whole_vault_goes_and_its_certificate_is_shown_once(home: Household) -> None:
    client = proved(home.holder)
    page = text_of(client.get("/you/erase"))
    assert f"{len(memories.memories(home.holder))} memories, in every version" in page
    assert "It goes with the vault: in the ledger stays a trace of it" in page
    assert "kept with the order" not in page
    answer = client.post("/you/erase", {"word": " Erase", "basis": "wish", "request": ""})
    assert (answer.status_code, answer.headers["Referrer-Policy"]) == (302, "no-referrer")
    there = answer.headers["Location"]
    assert re.fullmatch(r"/erased/[\w-]{32}", there)
    assert holders.holder(home.holder.user_id) is None
    assert "sessionid" not in client.cookies or not client.cookies["sessionid"].value
    assert client.get("/file").status_code == 302
    stranger = Client()
    looked = stranger.get(there)
    assert "The vault is erased" in text_of(looked)
    assert "A whole vault, with" in text_of(looked)
    file = stranger.get(f"{there}/certificate.json")
    assert json.loads(file.content)["certificate"]["whole_vault"] is True
    for each in (looked, file):
        assert each.headers["Cache-Control"] == "no-store"
        assert each.headers["X-Robots-Tag"] == "noindex"
        assert each.headers["Referrer-Policy"] == "no-referrer"
    assert home.holder.name not in text_of(looked)


def test_an_address_that_opens_nothing_says_so_alike(home: Household) -> None:
    answers = [Client().get(f"/erased/{each}{tail}") for each in ("x", "A" * 32) for tail in ("", "/certificate.json")]
    assert {each.status_code for each in answers} == {404}
    assert len({each.content for each in answers}) == 1
    assert {each.headers["Referrer-Policy"] for each in answers} == {"no-referrer"}


def test_a_legal_hold_keeps_the_whole_vault(home: Household) -> None:
    client = proved(home.holder)
    erasure.place(home.holder.vault_id, "The district court", "Case 12", utc_now() + timedelta(days=4), utc_now())
    assert "Erase everything</button>" not in text_of(client.get("/you/erase"))
    answer = client.post("/you/erase", {"word": "erase", "basis": "wish"})
    assert answer.status_code == 400
    assert "There is a legal hold on this." in text_of(answer)
    assert is_there(home, home.time)


def test_whoever_has_another_place_stays_signed_in_at_a_new_and_empty_vault(home: Household) -> None:
    acting(newcomer("Rosa"), home.holder)
    client = proved(home.holder)
    answer = client.post("/you/erase", {"word": "erase", "basis": "wish"}, follow=True)
    assert "The vault is erased" in text_of(answer)
    assert "Your file is empty." in text_of(client.get("/file"))
    again = holders.holder(home.holder.user_id)
    assert again is not None and again.vault_id != home.holder.vault_id


def test_signing_up_again_with_the_same_address_makes_a_new_and_empty_vault(home: Household) -> None:
    address = get_user_model().objects.get(pk=home.holder.user_id).email.lower()
    proved(home.holder).post("/you/erase", {"word": "erase", "basis": "wish"})
    client = Client(REMOTE_ADDR="10.9.8.7")
    given = {"email": address, "password1": "unlike my own address 71"}
    assert client.post("/accounts/signup/", given).status_code == 302
    assert "Your file is empty." in text_of(client.get("/file"))
    again = holders.holder_named(address)
    assert again is not None
    assert (again.user_id == home.holder.user_id, again.vault_id == home.holder.vault_id) == (False, False)
    assert erasure.orders(again) == ()


def test_every_place_that_an_erasure_counts_is_named(home: Household) -> None:
    one = erasure.order(home.holder, Where(ids=frozenset({the("mem", home.time)})), utc_now())
    done = erasure.end_vault(home.holder, utc_now())
    assert isinstance(one, Order) and isinstance(done, erasure.Ended)
    assert set(one.counts) | set(done.order.counts) <= set(COUNTED)
    assert set(COUNTED.values()) <= set(PLACES)
