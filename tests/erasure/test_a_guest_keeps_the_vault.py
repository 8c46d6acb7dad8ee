"""A guest who wants to stay gives an address and a password: the vault is the same one, and it is theirs."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from apps.erasure import services as erasure
from apps.holders import services as holders
from apps.holders.models import User
from apps.ledger import services as ledger
from apps.memories import services as memories
from apps.policy.types import Refused
from apps.policy.vocabulary import Level, Role
from tests.cast import Vault
from tests.erasing import rows_with
from tests.surfaces.web import browser, text_of
from tests.threads import at_once
from vault.clock import utc_now

WORDS = {"email": "rosa@home.example", "password": "a long walk by the sea"}


@pytest.fixture
def guest(live: None, settings: Any) -> Vault:
    """Somebody who tries it, and kept something."""
    settings.GUESTS = True
    found = holders.open_guest(10_000, utc_now())
    assert found is not None
    vault = Vault(found)
    vault.keep("note")
    return vault


@pytest.fixture
def words() -> dict[str, str]:
    """An address that is nobody's."""
    return WORDS | {"email": f"rosa-{utc_now():%H%M%S%f}@home.example"}


def kept(guest: Vault, words: dict[str, str]) -> Client:
    """They keep it, and go on in the same browser."""
    client = browser(guest.holder)
    answer = client.post("/guest/keep", words, follow=True)
    assert "It is yours to keep" in text_of(answer)
    return client


def test_it_is_the_same_vault_and_they_sign_in_with_it(guest: Vault, words: dict[str, str]) -> None:
    assert 'href="/guest/keep"' in text_of(browser(guest.holder).get("/file"))
    client = kept(guest, words)
    assert "A guest vault" not in text_of(client.get("/file")), "and they are signed in still"
    elsewhere = Client()
    elsewhere.post("/accounts/login/", {"login": words["email"], "password": words["password"]})
    assert guest.labels["note"] in text_of(elsewhere.get("/file"))
    holder = holders.holder(guest.holder.user_id)
    assert holder is not None and (holder.vault_id, holder.guest) == (guest.id, False)
    assert [each.value for each in memories.show(holder, [guest.ids["note"]]).values] == [guest.values["note"]]
    (given,) = guest.receipts(kind="address.given")
    assert (given.actor, given.object) == (guest.holder.actor, f"vlt_{guest.id.hex}")
    assert ledger.check_ledger()


def test_nothing_of_a_guest_holds_any_more(
    guest: Vault, alice: Vault, words: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = kept(guest, words)
    late = utc_now() + timedelta(days=2)
    assert erasure.end_guest(guest.id, late) is None
    assert guest.id not in holders.guest_vaults_over(late, 100)
    holder = holders.holder(guest.holder.user_id)
    assert holder is not None
    monkeypatch.setattr("apps.memories.services.keeping.MOST_MEMORIES", 0)
    assert not isinstance(memories.add(holder, label="More", value="of it", now=utc_now()), Refused)
    assert not isinstance(
        holders.invite_to_vault(holder, "leo@home.example", Role.DELEGATE, Level.VIEW, utc_now()), Refused
    )
    (place,) = {each.space_id for each in holders.memberships(holder.user_id)}
    sent = holders.invite_to_space(holder.user_id, place, "leo@home.example", Role.HOLDER, utc_now())
    assert not isinstance(sent, Refused), "they look after their household"
    assert client.get("/accounts/email/").status_code == 200
    assert client.get("/guest/keep").status_code == 404


def test_a_browser_that_was_copied_is_signed_out(guest: Vault, words: dict[str, str]) -> None:
    other = browser(guest.holder)
    assert other.get("/file").status_code == 200
    kept(guest, words)
    assert other.get("/file").status_code == 302


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"email": "rosa"}, "Write an address such as"),
        ({"email": ""}, "required"),
        ({"password": "12345"}, "short"),
        ({"email": "TAKEN"}, "A vault is open under this address already"),
    ],
    ids=str,
)
def test_what_cannot_be_used_is_said_and_nothing_is_lost(
    guest: Vault, alice: Vault, words: dict[str, str], wrong: dict[str, str], said: str
) -> None:
    if wrong.get("email") == "TAKEN":
        (taken,) = {each.email for each in holders.memberships(alice.holder.user_id)}
        wrong = {"email": taken.upper()}
    client = browser(guest.holder)
    answer = client.post("/guest/keep", words | wrong)
    assert answer.status_code == 400 and said in text_of(answer)
    assert guest.receipts(kind="address.given") == ()
    assert holders.guest_used_at(guest.holder.user_id) is not None
    kept(guest, words)


def test_of_two_who_take_one_address_at_once_one_has_it(guest: Vault, words: dict[str, str]) -> None:
    other = holders.open_guest(10_000, utc_now())
    assert other is not None
    done = at_once(
        [lambda seat=seat: holders.keep_guest(seat, **words, now=utc_now()) for seat in (guest.holder, other)]
    )
    assert sorted(type(each).__name__ for each in done) == ["Holder", "TextProblem"]
    assert User.objects.filter(email=words["email"]).count() == 1
    assert [holders.guest_used_at(each.user_id) is None for each in (guest.holder, other)].count(True) == 1


def test_erased_afterwards_nothing_says_whose_it_was(guest: Vault, words: dict[str, str], admin: Any) -> None:
    """But the one letter that says so, until it has gone; and who signs up again with the address has a new vault."""
    kept(guest, words)
    seat, local = holders.holder(guest.holder.user_id), words["email"].partition("@")[0]
    places = rows_with(admin, {"address": local})
    assert seat is not None and places["address"] >= {"user", "account_emailaddress", "vault", "space"}
    assert isinstance(erasure.end_vault(seat, utc_now()), erasure.Ended)
    assert rows_with(admin, {"address": local}).get("address", set()) <= {"letter"}
    client = Client(REMOTE_ADDR="10.3.3.3")
    signed = client.post("/accounts/login/", {"login": words["email"], "password": words["password"]})
    assert "No vault opens with this address" in text_of(signed)
    assert (
        client.post("/accounts/signup/", {"email": words["email"], "password1": words["password"]}).status_code == 302
    )
    again = holders.holder_named(words["email"])
    assert again is not None and again.user_id != seat.user_id and again.vault_id != guest.id


def test_addresses_are_not_tried_one_after_the_other(guest: Vault, alice: Vault, words: dict[str, str]) -> None:
    (taken,) = {each.email for each in holders.memberships(alice.holder.user_id)}
    client = browser(guest.holder)
    for _ in range(10):
        client.post("/guest/keep", words | {"email": taken})
    answer = client.post("/guest/keep", words, follow=True)
    assert "It is yours" not in text_of(answer) and guest.receipts(kind="address.given") == ()


def test_nobody_else_has_that_page(guest: Vault, alice: Vault, settings: Any) -> None:
    assert browser(alice.holder).get("/guest/keep").status_code == 404
    assert Client().get("/guest/keep").status_code == 302
    settings.SIGNUP_OPEN = False
    client = browser(guest.holder)
    assert client.get("/guest/keep").status_code == 404
    assert "/guest/keep" not in text_of(client.get("/file"))


def test_kept_in_the_moment_in_which_its_time_is_over_it_is_kept_or_gone(guest: Vault, words: dict[str, str]) -> None:
    late = utc_now() + timedelta(hours=25)
    done = at_once(
        [
            lambda: holders.keep_guest(guest.holder, words["email"], words["password"], utc_now()),
            lambda: erasure.end_guest(guest.id, late),
        ]
    )
    won = not isinstance(done[0], Refused | BaseException)
    assert won is (not isinstance(done[1], erasure.Ended))
    assert (holders.holder_of_vault(guest.id) is not None) is won
    assert User.objects.filter(email=words["email"]).exists() is won
