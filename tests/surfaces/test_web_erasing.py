"""Erasing on the pages: what would go is shown first, by whatever it was chosen, and then it is gone."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest

from apps.erasure import services as erasure
from apps.memories import services as memories
from apps.memories.services import linking, naming
from apps.policy.ids import typed
from apps.policy.links import EdgeKind, EntityKind
from apps.policy.types import Refused
from apps.policy.vocabulary import Category
from apps.turns import services as turns
from tests.fixtures import KITCHEN, Household
from tests.surfaces.erasing import NOWHERE, erased, is_there, keep, order_of, shown, the
from tests.surfaces.web import HOSTILE, QUESTION, browser, furnish, last_seq, text_of, without_tokens
from vault.clock import utc_now


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
    assert '<a href="#id_derived">' in text_of(answer)
    assert 'id="id_derived"' in text_of(answer)
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


# ---------------------------------------------------------------- the chat
def test_every_answer_that_used_it_goes_too(home: Household) -> None:
    scene, client = furnish(home), browser(home.holder)
    path = f"/chat/{scene.answered}"
    before = text_of(client.get(path))
    assert QUESTION in unescape(before)
    assert KITCHEN in unescape(before)
    erased(client, shown(client, memories=home.kitchen))
    client.get("/file")
    after = client.get(path)
    assert after.status_code == 404
    for each in (path, f"{path}.conversation.jsonl", "/", "/ledger", "/inbox", f"/requests/{scene.wish}"):
        answer = client.get(each)
        assert answer.status_code in (200, 404), each
        assert KITCHEN not in unescape(text_of(answer)), each


def test_a_question_answered_without_it_stays(home: Household) -> None:
    """A limit: the words were typed before there was such a memory. Every certificate says so, and the turn can be
    erased by itself.
    """
    said = "The code of my locker is 7711"
    asked = turns.ask(home.holder, said, utc_now())
    assert not isinstance(asked, Refused)
    locker, client = keep(home, "My locker", said, subject="home.locker"), browser(home.holder)
    erased(client, shown(client, memories=locker))
    assert said in unescape(text_of(client.get(f"/chat/{typed('trn', asked.turn_id)}")))
