"""The certificate of an erasure as a page: to print, to take away, and as whoever acts for the holder sees it."""

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from apps.erasure import services as erasure
from apps.ledger import services as ledger
from apps.ledger.format.verdict import NOTHING_KNOWN, Verdict
from apps.ledger.format.verifying import verify
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.types import Holder
from apps.policy.vocabulary import Level, Role
from apps.web.views.ending import LINK_LASTS_DAYS
from tests.cast import admin as admin  # a fixture
from tests.fixtures import Household
from tests.holders.people import acting, newcomer
from tests.surfaces.erasing import erased, is_there, keep, order_of, shown, the
from tests.surfaces.web import browser, text_of
from vault.clock import utc_now


# ---------------------------------------------------------------- the holder's own
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


def test_the_words_of_an_order_are_shown_to_be_those_its_receipt_is_bound_to(home: Household) -> None:
    """Whoever is given the file checks them against the order's receipt; erased, there is no such file."""
    client = browser(home.holder)
    made = order_of(erased(client, shown(client, memories=home.time), basis="objection", request="Case 7"))
    path = f"/erasures/{made}.opening.json"
    assert path in text_of(client.get(f"/erasures/{made}"))
    given = client.get(path).content
    (ordered,) = ledger.acts_on(home.holder.vault_id, home.holder.actor, [made])[:1]
    receipt = json.dumps(ledger.proof(home.holder.vault_id, home.holder.actor, ordered.seq)).encode()
    report = verify(receipt, NOTHING_KNOWN, [given])
    assert report.verdict is Verdict.NOT_CHECKED and report.content.startswith(
        f"content checked: {made}, with the basis"
    )
    forged = json.dumps(json.loads(given) | {"words": "Case 8"}).encode()
    assert verify(receipt, NOTHING_KNOWN, [forged]).verdict is Verdict.OTHER_VALUE
    assert browser(newcomer("Rosa")).get(path).status_code == 404
    client.post(f"/erasures/{made}/forget-words")
    assert client.get(path).status_code == 404
    assert ".opening.json" not in text_of(client.get(f"/erasures/{made}"))


def test_the_address_of_a_certificate_opens_for_as_long_as_the_page_says(home: Household, admin: Any) -> None:
    """The rule stands in the database, and a number in the page's code: they are the same."""
    done = erasure.end_vault(home.holder, utc_now())
    assert isinstance(done, erasure.Ended)
    for days, status in ((LINK_LASTS_DAYS - 1, 200), (2, 404)):
        move = "UPDATE erasure_order SET made_at = made_at - make_interval(days => %s) WHERE order_id = %s"
        admin.execute(move, [days, done.order.order_id])
        assert browser(newcomer("Rosa")).get(f"/erased/{done.link}").status_code == status


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


def test_rows_that_are_not_yet_overwritten_are_told_until_the_night(home: Household, admin: Any) -> None:
    client = browser(home.holder)
    path = f"/erasures/{order_of(erased(client, shown(client, memories=home.time)))}"
    said = r"(\d+) rows that held words in clear, such as labels, are not yet overwritten"
    told = re.search(said, text_of(client.get(path)))
    assert told is not None and int(told[1]) >= 2, "the memory and its version"
    assert json.loads(client.get(f"{path}.certificate.json").content)["certificate"]["not_overwritten"] == int(told[1])
    night = (
        "INSERT INTO reclaimed (relation, changes, at) SELECT 'public.' || t, 0, now() FROM unnest(%s::text[]) t"
        " ON CONFLICT (relation) DO UPDATE SET at = excluded.at"
    )
    admin.execute(night, [["memory", "memory_version"]])
    try:
        assert re.search(said, text_of(client.get(path))) is None
    finally:  # it is no night for other tests
        admin.execute("DELETE FROM reclaimed WHERE relation IN ('public.memory', 'public.memory_version')")


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
    assert 'href="/erasures/audit"' in page
    assert f'href="/erasures/{first}"' not in page
    assert first in text_of(client.get(f"/erase?before={second}"))


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
