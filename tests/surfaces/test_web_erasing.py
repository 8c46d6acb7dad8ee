"""Erasing on the pages: what would go is shown first; then it is gone, and its certificate can be printed and kept."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils.html import escape

from apps.erasure import services as erasure
from apps.erasure.places import COUNTED
from apps.holders import services as holders
from apps.memories import services as memories
from apps.memories.services import linking, naming
from apps.policy.erasing import Order, Where
from apps.policy.ids import typed, untyped
from apps.policy.links import EdgeKind, EntityKind
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Category, Level, Refusal, Role
from tests.fixtures import Household
from tests.holders.people import acting, newcomer
from tests.surfaces.emergencies import PASSWORD, signed_in
from tests.surfaces.web import HOSTILE, browser, last_seq, text_of, without_tokens
from vault.clock import utc_now

NOWHERE = "mem_" + "0" * 32


def keep(home: Household, label: str, value: str, **more: Any) -> str:
    """A memory of the holder's: its typed id."""
    made = memories.add(home.holder, label=label, value=value, now=utc_now(), **more)
    assert not isinstance(made, Refused), made
    return typed("mem", made.memory_id)


def is_there(home: Household, memory: str) -> bool:
    found = untyped("mem", memory)
    assert found is not None
    return memories.memory(home.holder, found) is not None


def the(kind: str, text: str) -> Any:
    found = untyped(kind, text)
    assert found is not None
    return found


def carried(page: str) -> dict[str, Any]:
    """What the form that erases sends, as a browser would, before anything is chosen in it."""
    form = page.partition('id="order"')[2].partition("</form>")[0]
    fields: dict[str, Any] = {}
    for tag in re.findall(r'<input type="hidden"[^>]*>', form):
        name, value = (re.search(rf'{each}="([^"]*)"', tag) for each in ("name", "value"))
        assert name is not None
        fields.setdefault(name[1], []).append(value[1] if value else "")
    return {"basis": "wish", "request": "", **fields}


def shown(client: Client, /, **where: Any) -> str:
    answer = client.post("/erase", where)
    assert answer.status_code == 200, text_of(answer)
    return text_of(answer)


def erased(client: Client, page: str, **more: Any) -> Any:
    return client.post("/erase/order", carried(page) | more)


def order_of(answer: Any) -> str:
    assert answer.status_code == 302, text_of(answer)
    return str(answer.headers["Location"]).rpartition("/")[2]


# ---------------------------------------------------------------- choosing, and seeing it first
def test_a_memory_s_page_leads_to_what_would_go(home: Household) -> None:
    client = browser(home.holder)
    assert f'href="/erase?memory={home.time}"' in text_of(client.get(f"/file/{home.time}"))
    page = text_of(client.get(f"/erase?memory={home.time}"))
    assert "1 memory would be erased" in page
    assert "Erase 1 memory</button>" in page
    assert "Every answer in the chat that used it" in page
    assert is_there(home, home.time)


@pytest.mark.parametrize("given", [NOWHERE, "mem_x", "", "ent_" + "0" * 32])
def test_an_id_that_is_none_leads_nowhere(home: Household, given: str) -> None:
    assert browser(home.holder).get(f"/erase?memory={given}").status_code == 404


def test_what_is_chosen_by_kind_is_listed_by_its_label(home: Household) -> None:
    page = shown(browser(home.holder), category="health")
    label = next(each.label for each in memories.memories(home.holder) if each.category is Category.HEALTH)
    assert label in page
    assert 'class="tag special">Health' in page
    assert "Kitchen equipment" not in page


def test_each_way_of_choosing_finds_its_own(home: Household) -> None:
    client, anna = browser(home.holder), naming.name(home.holder, EntityKind.PERSON, "Anna", utc_now())
    dog = keep(home, "Her dog", "Rex", subject="friends.anna.dog", source="an old diary")
    linking.draw(home.holder, EdgeKind.ABOUT, the("mem", dog), anna.entity_id, utc_now())
    today = utc_now().date()
    for where in (
        {"subject": "friends", "below": "on"},
        {"subject": "friends.anna.dog"},
        {"source": "an old diary"},
        {"entity": typed("ent", anna.entity_id)},
        {"memories": dog},
        {"source": "an old diary", "made_after": today - timedelta(days=2), "made_before": today + timedelta(days=2)},
    ):
        page = shown(client, **where)
        assert "1 memory would be erased" in page, where
        assert "Her dog" in page, where
    for nothing in ({"subject": "friends"}, {"source": "an old diary", "made_before": today - timedelta(days=2)}):
        answer = client.post("/erase", nothing)
        assert answer.status_code == 400
        assert "Nothing in the file is all of this." in text_of(answer)


def test_what_an_assistant_suggested_is_found_by_its_name(home: Household) -> None:
    made = home.as_client().propose("Spices", "Cumin and salt", derived_from=[])
    approved = memories.approve(home.holder, the("prp", made.proposal), now=utc_now())
    assert not isinstance(approved, Refused)
    assert "Spices" in shown(browser(home.holder), client=typed("cli", home.client.client_id))


def test_nothing_said_erases_nothing(home: Household) -> None:
    answer = browser(home.holder).post("/erase", {"below": "on"})
    assert answer.status_code == 400
    assert "Say what is to be erased: at least one of these." in text_of(answer)


@pytest.mark.parametrize(
    "wrong", [{"category": "nonsense"}, {"made_before": "soon"}, {"memories": "mem_x"}, {"entity": NOWHERE}]
)
def test_what_cannot_be_read_is_said_and_nothing_else_is_lost(home: Household, wrong: dict[str, str]) -> None:
    answer = browser(home.holder).post("/erase", {"subject": "cooking.time", **wrong})
    assert answer.status_code == 400
    assert "Nothing was erased." in text_of(answer)
    assert 'value="cooking.time"' in text_of(answer)


def test_no_label_stands_in_an_address(home: Household) -> None:
    client = browser(home.holder)
    keep(home, "Pots", "Two", subject="cooking.pots")
    assert client.get("/erase?subject=cooking").status_code == 200
    assert "would be erased" not in text_of(client.get("/erase?subject=cooking"))
    answer = erased(client, shown(client, subject="cooking", below="on"))
    assert re.fullmatch(r"/erasures/ord_[0-9a-f]{32}", answer.headers["Location"])


# ---------------------------------------------------------------- erasing it
def test_what_was_shown_is_gone_and_the_rest_stays(home: Household) -> None:
    client = browser(home.holder)
    answer = erased(client, shown(client, memories=home.time))
    assert (is_there(home, home.time), is_there(home, home.kitchen)) == (False, True)
    page = text_of(client.get(answer.headers["Location"]))
    assert "Certificate of erasure" in page
    assert "Erased. It is out of reach now." in page


def test_the_page_of_what_was_erased_answers_as_for_an_unknown_one(home: Household) -> None:
    client = browser(home.holder)
    erased(client, shown(client, memories=home.time))
    client.get("/file")  # what the deed had to say is said there
    for path in ("/file/{}", "/file/{}/provenance", "/file/{}/same", "/erase?memory={}"):
        gone, never = (client.get(path.format(each)) for each in (home.time, NOWHERE))
        assert (gone.status_code, never.status_code) == (404, 404), path
        assert without_tokens(text_of(gone)).replace(home.time, NOWHERE) == without_tokens(text_of(never)), path


def test_what_was_made_from_it_waits_for_a_word(home: Household) -> None:
    client, plan = browser(home.holder), keep(home, "Dinner plan", "Pasta, quickly")
    linking.draw(home.holder, EdgeKind.DERIVED_FROM, the("mem", plan), the("mem", home.time), utc_now())
    page = shown(client, memories=home.time)
    assert "What was made from it" in page
    assert "Dinner plan" in page
    said = {"basis": "objection", "request": "Case 7 / 2026"}
    answer = erased(client, page, **said)
    assert answer.status_code == 400
    assert "Say whether they are erased too, or kept." in text_of(answer)
    assert 'value="Case 7 / 2026"' in text_of(answer)
    assert '<option value="objection" selected>' in text_of(answer)
    assert is_there(home, home.time)
    kept = order_of(erased(client, text_of(answer), derived="keep", **said))
    assert (is_there(home, home.time), is_there(home, plan)) == (False, True)
    assert "made from it, kept" in text_of(client.get(f"/erasures/{kept}"))


def test_what_was_made_from_it_goes_too_where_that_is_chosen(home: Household) -> None:
    client, plan = browser(home.holder), keep(home, "Dinner plan", "Pasta, quickly")
    linking.draw(home.holder, EdgeKind.DERIVED_FROM, the("mem", plan), the("mem", home.time), utc_now())
    made = order_of(erased(client, shown(client, memories=home.time), derived="erase"))
    assert not is_there(home, plan)
    assert "2 memories" in text_of(client.get(f"/erasures/{made}"))


def test_suggestions_made_from_it_are_said_to_go_or_stay(home: Household) -> None:
    client = home.as_client()
    asked = client.ask([home.time])
    home.as_holder().decide(asked.request, {"ordinary": [home.time]}, reads=None)
    client.read([home.time])
    client.propose("Quick meals", "Ten minutes each", derived_from=[home.time])
    page = shown(browser(home.holder), memories=home.time)
    assert "1 suggestion an assistant made from it, with its words." in page
    assert "Erase these too" in page


def test_another_memory_that_says_the_same_is_named(home: Household) -> None:
    client = browser(home.holder)
    first, second = (keep(home, label, "The key is under the pot") for label in ("Shed", "Garden door"))
    page = shown(client, memories=first)
    assert "Still held elsewhere in the file" in page
    assert "Garden door" in page
    both = shown(client, memories=[first, second])
    assert "2 memories would be erased" in both
    assert "Still held elsewhere" not in both
    made = order_of(erased(client, page))
    assert "others that say the same" in text_of(client.get(f"/erasures/{made}"))


def test_what_changed_meanwhile_is_shown_again_and_nothing_typed_is_lost(home: Household) -> None:
    client, pots = browser(home.holder), keep(home, "Pots", "Two", subject="cooking.pots")
    page = shown(client, subject="cooking", below="on")
    keep(home, "Oven", "It burns at the back", subject="cooking.oven")
    answer = erased(client, page, basis="not-needed", request="No. 12")
    assert answer.status_code == 409
    again = text_of(answer)
    assert "Something changed since you looked." in again
    assert "Oven" in again
    assert 'value="No. 12"' in again
    assert '<option value="not-needed" selected>' in again
    assert is_there(home, pots)
    order_of(erased(client, again))
    assert not is_there(home, pots)


def test_sent_twice_it_erases_once(home: Household) -> None:
    client = browser(home.holder)
    page = shown(client, memories=home.time)
    order_of(erased(client, page))
    again = erased(client, page)
    assert again.status_code == 400
    assert "Nothing in the file is all of this." in text_of(again)
    assert len(erasure.orders(home.holder)) == 1


def test_a_legal_hold_says_who_and_until_when_and_offers_no_button(home: Household) -> None:
    client, until = browser(home.holder), utc_now() + timedelta(days=40)
    page = shown(client, memories=home.time)
    erasure.place(home.holder.vault_id, "The district court", "Case 12", until, utc_now())
    for looked in (text_of(client.get("/erase")), shown(client, memories=home.time)):
        assert "The district court" in looked
        assert "Case 12" in looked
        assert until.strftime("%-d %b %Y") in looked
        assert "Erase 1 memory" not in looked
    answer = erased(client, page)
    assert answer.status_code == 400
    assert "There is a legal hold on this." in text_of(answer)
    assert is_there(home, home.time)


def test_the_number_of_a_request_is_one_line(home: Household) -> None:
    client = browser(home.holder)
    answer = erased(client, shown(client, memories=home.time), request="one\ntwo")
    assert answer.status_code == 400
    assert is_there(home, home.time)


def test_labels_and_words_of_strangers_are_shown_as_what_they_are(home: Household) -> None:
    client, named = browser(home.holder), keep(home, HOSTILE, "Nothing much")
    erasure.place(home.holder.vault_id, HOSTILE[:60], HOSTILE[:60], utc_now() + timedelta(days=2), utc_now())
    page = shown(client, memories=named)
    assert "<script>alert(1)" not in page
    assert "{{ 7|add:7 }}" in page


# ---------------------------------------------------------------- its certificate
def test_a_certificate_says_what_was_looked_after_first_and_holds_no_word(home: Household) -> None:
    client = browser(home.holder)
    label = next(each.label for each in memories.memories(home.holder) if typed("mem", each.memory_id) == home.time)
    made = order_of(erased(client, shown(client, memories=home.time), basis="objection", request="Case 7"))
    client.get("/file")
    page = text_of(client.get(f"/erasures/{made}"))
    order = page.index("What was looked after"), page.index("What was cleared"), page.index("Residue")
    assert list(order) == sorted(order)
    for each in (
        "There was an objection to keeping it",
        "every version&#x27;s ciphertext: its row is deleted",
        "Nobody looked through the files for its words.",
        f"{erasure.horizon_days()} days",
        "Case 7",
        made,
        *(escape(limit) for limit in erasure.CERTIFICATE_LIMITS),
    ):
        assert each in page, each
    assert label not in page
    for number in re.findall(r'href="(/receipts/rcp_\d+)"', page):
        assert client.get(number).status_code == 200
    assert len(re.findall(r'href="/receipts/rcp_\d+"', page)) == 2


def test_the_certificate_is_taken_away_as_a_file(home: Household) -> None:
    client = browser(home.holder)
    made = order_of(erased(client, shown(client, memories=home.time)))
    answer = client.get(f"/erasures/{made}.certificate.json")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{made}.certificate.json"'
    assert json.loads(answer.content) == erasure.certificate_file(home.holder, the("ord", made))


def test_the_number_of_a_request_is_erased_by_itself(home: Household) -> None:
    client = browser(home.holder)
    made = order_of(erased(client, shown(client, memories=home.time), request="Case 7"))
    page = text_of(client.post(f"/erasures/{made}/forget-words", follow=True))
    assert "Erased. The order stays without them." in page
    assert "Case 7" not in page
    assert "Erase the number" not in page
    assert client.post(f"/erasures/{made}/forget-words").status_code == 404


def test_of_a_large_order_the_page_says_how_far_it_is(home: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.erasure.services.ordering.AT_ONCE", 0)
    client = browser(home.holder)
    made = order_of(erased(client, shown(client, memories=home.time)))
    page = text_of(client.get(f"/erasures/{made}"))
    assert "0 of 1 receipts are written." in page
    assert f'href="/erasures/{made}">Look again</a>' in page
    assert client.get(f"/erasures/{made}.certificate.json").status_code == 404
    assert "receipts follow" in text_of(client.get("/erase"))
    monkeypatch.undo()
    erasure.carry_out(home.holder.vault_id, the("ord", made), utc_now())
    assert "Download the certificate" in text_of(client.get(f"/erasures/{made}"))


def test_its_words_are_looked_for_where_that_is_ticked(home: Household) -> None:
    client = browser(home.holder)
    made = order_of(erased(client, shown(client, memories=home.time), search="on"))
    done = erasure.erasure(home.holder, the("ord", made))
    assert done is not None and done.residue is not None
    page = text_of(client.get(f"/erasures/{made}"))
    assert f"{done.residue.files} files, {done.residue.live} live" in page
    assert f"{done.residue.unopened} not opened" in page


def test_an_order_of_another_vault_is_not_there(home: Household) -> None:
    client = browser(home.holder)
    made = order_of(erased(client, shown(client, memories=home.time)))
    other = browser(newcomer("Rosa"))
    for path in (f"/erasures/{made}", f"/erasures/{made}.certificate.json"):
        assert other.get(path).status_code == 404


def test_what_was_erased_before_is_listed_a_page_at_a_time(home: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.web.views.erasing.MOST_ORDERS", 1)
    client = browser(home.holder)
    first, second = (order_of(erased(client, shown(client, memories=each))) for each in (home.time, home.kitchen))
    page = text_of(client.get("/erase"))
    assert second in page
    assert f'href="/erasures/{first}"' not in page
    assert first in text_of(client.get(f"/erase?before={second}"))


# ---------------------------------------------------------------- personal data
def test_personal_data_is_listed_first_and_erased_by_choice(home: Household) -> None:
    client = browser(home.holder)
    mail = keep(home, "Her address", "Write to anna@example.org")
    card = keep(home, "Card", "4111 1111 1111 1111")
    assert "nothing is erased by looking" in text_of(client.get("/erase/personal"))
    page = text_of(client.post("/erase/personal", {"kinds": ["mail", "card"], "country": "gb"}))
    assert "2 memories look like it" in page
    for each in (mail, card, "Mail address", "Payment card"):
        assert each in page
    assert "checked" not in page.partition('class="memories"')[2]
    order_of(erased(client, shown(client, memories=[card])))
    assert (is_there(home, mail), is_there(home, card)) == (True, False)


@pytest.mark.parametrize(
    "wrong", [{"kinds": []}, {"kinds": ["nonsense"]}, {"country": "Britain"}, {"country": "ﬀ"}, {"country": ""}]
)
def test_what_cannot_be_looked_for_looks_at_nothing(home: Household, wrong: dict[str, Any]) -> None:
    before = last_seq(home.holder)
    answer = browser(home.holder).post("/erase/personal", {"kinds": ["mail"], "country": "GB", **wrong})
    assert answer.status_code == 400
    assert "Nothing was looked at." in text_of(answer)
    assert last_seq(home.holder) == before


# ---------------------------------------------------------------- who acts for the holder
def seated(home: Household, who: Holder) -> Client:
    """A browser of somebody who went over to the household's vault."""
    client = browser(who)
    client.post("/people/seat", {"to": typed("vlt", home.holder.vault_id), "seat": typed("vlt", who.vault_id)})
    return client


@pytest.mark.parametrize(("role", "level"), [(Role.DELEGATE, Level.DECIDE), (Role.GUARDIAN, Level.VIEW)])
def test_who_may_not_erase_is_told_so_before_anything_is_filled_in(home: Household, role: Role, level: Level) -> None:
    rosa = newcomer("Rosa")
    acting(home.holder, rosa, role, level)
    client, seat = seated(home, rosa), {"seat": typed("vlt", home.holder.vault_id)}
    for path in ("/erase", "/erase/personal", "/you/erase", f"/erase?memory={home.time}"):
        assert client.get(path).status_code == 403, path
    assert client.post("/erase/order", seat | {"memories": home.time}).status_code == 403
    assert "/erase" not in text_of(client.get(f"/file/{home.time}"))
    assert is_there(home, home.time)


def test_a_guardian_who_decides_erases_and_sees_nothing_of_what_is_sealed(home: Household) -> None:
    rosa = newcomer("Rosa")
    acting(home.holder, rosa, Role.GUARDIAN)
    mine = browser(home.holder)
    own = order_of(erased(mine, shown(mine, memories=home.kitchen)))
    keep(home, "Diary", "The key is under the pot", sealed=True, subject="cooking.secret", source="a locked book")
    shed = keep(home, "Shed", "The key is under the pot", subject="cooking.shed")
    client, seat = seated(home, rosa), {"seat": typed("vlt", home.holder.vault_id)}
    looked = text_of(client.get("/erase")) + shown(client, subject="cooking", below="on", **seat)
    page = shown(client, memories=shed, **seat)
    for each in ("Diary", "a locked book", "Still held elsewhere", own):
        assert each not in looked + page, each
    made = order_of(erased(client, page, **seat))
    told = text_of(client.get(f"/erasures/{made}"))
    assert "Certificate of erasure" in told
    for each in ("others that say the same", "What was cleared", ".certificate.json"):
        assert each not in told
    for path in (f"/erasures/{own}", f"/erasures/{own}.certificate.json"):
        assert client.get(path).status_code in (403, 404), path
    assert client.get("/you/erase").status_code == 403


# ---------------------------------------------------------------- the whole vault
def proved(holder: Holder) -> Client:
    client = signed_in(holder)
    assert client.post("/accounts/reauthenticate/", {"password": PASSWORD}).status_code == 302
    return client


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
    done = erasure.end_vault(home.holder, utc_now())
    assert not isinstance(done, Refused)
    one = erasure.order(newcomer("Rosa"), Where(subjects=frozenset({"nothing"})), utc_now())
    assert isinstance(one, Refused) and one.reason is Refusal.NOT_FOUND
    assert isinstance(done.order, Order)
    assert set(done.order.counts) <= set(COUNTED)
