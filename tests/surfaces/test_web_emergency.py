"""An emergency on the pages: who is let in and how, what is shown there and what isn't, and how it ends."""

import re
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model

from apps.holders import services as holders
from apps.holders.services import emergency
from apps.memories import services as memories
from apps.policy.emergency import MISSES_PER_HOUR
from apps.policy.ids import typed
from apps.policy.vocabulary import Claim, Role
from tests.cast import admin as admin  # a fixture
from tests.cast import register
from tests.drivers import Http
from tests.holders.emergencies import NOTE, Ward
from tests.holders.emergencies import ward as ward  # a fixture
from tests.holders.people import acting, address_of, newcomer
from tests.surfaces.emergencies import PASSWORD, entered, in_the_file, proved, sent, signed_in
from tests.surfaces.web import browser, text_of, without_tokens
from vault.clock import utc_now

BANNER = "Emergency: the file of Leo Maria Brandt."
FORMS = ("/emergency", "/emergency/enter", "/emergency/back", "/emergency/leave")
ADDRESSES = (*FORMS, "/emergency/reviews", f"/emergency/reviews/{typed('del', uuid4())}")


# ---------------------------------------------------------------- who is let in
@pytest.mark.parametrize("why", ["switched off", "no such role", "a superuser"])
def test_for_everybody_else_every_address_is_the_404_of_any(ward: Ward, why: str) -> None:
    who = {"switched off": ward.nora, "no such role": ward.clinic.rita, "a superuser": ward.clinic.admin}[why]
    if why == "switched off":
        ward.settle(break_glass=False, privacy_lead=None)
    get_user_model().objects.filter(pk=ward.clinic.admin.user_id).update(is_superuser=True, is_staff=True)
    client = proved(who)
    seat = {"seat": typed("vlt", who.vault_id)}
    for path in ADDRESSES:
        for answer, nowhere in (
            (client.get(path), client.get(path.replace("emergency", "nowhere"))),
            (client.post(path, sent(ward, **seat)), client.post("/file/mem_" + "0" * 32 + "/put-away", seat)),
        ):
            if "reviews" in path and answer.status_code == 405:  # the list is looked at, nothing else
                continue
            assert (answer.status_code, nowhere.status_code) == (404, 404), path
            assert _bare(answer) == _bare(nowhere), path
    assert ward.leo.receipts(kind="emergency.entered") == ()


def _bare(answer: Any) -> str:
    return re.sub(r' aria-current="page"', "", without_tokens(text_of(answer)))


def test_who_may_shows_first_who_they_are_and_what_was_typed_is_kept(ward: Ward) -> None:
    client = signed_in(ward.nora)
    for path in ("/emergency", "/emergency/enter"):
        asked = client.post(path, sent(ward))
        assert urlsplit(asked.headers["Location"]).path == "/accounts/reauthenticate/"
    assert client.get("/emergency").status_code == 302
    assert ward.leo.receipts(kind="emergency.entered") == ()
    asked = client.post("/emergency", sent(ward))
    page = text_of(client.post(asked.headers["Location"], {"password": PASSWORD, "next": "/emergency"}))
    assert "Is it Leo Maria Brandt?" in page
    assert NOTE in page


def test_what_was_shown_five_minutes_ago_is_shown_again(ward: Ward) -> None:
    client = proved(ward.nora)
    session = client.session
    for each in session["account_authentication_methods"]:
        each["at"] -= 300
    session.save()
    assert client.get("/emergency").status_code == 302
    assert client.post("/emergency/enter", sent(ward)).status_code == 302
    assert emergency.open_of(ward.nora.user_id, utc_now()) is None


def test_whose_file_it_is_is_said_by_name_before_it_is_opened(ward: Ward) -> None:
    client = proved(ward.nora)
    assert "Nothing is opened yet" in text_of(client.get("/emergency"))
    page = text_of(client.post("/emergency", sent(ward)))
    assert "Is it Leo Maria Brandt?" in page
    assert "60 minutes" in page
    assert ward.leo.receipts(kind="emergency.entered") == ()
    again = text_of(client.post("/emergency", sent(ward, again="1")))
    assert NOTE in again
    assert "See whose file it is" in again


def test_another_person_than_was_shown_is_not_opened(ward: Ward) -> None:
    """A number typed over, or an address that moved to somebody else meanwhile."""
    other = ward.clinic.patient("Mia Sol")
    page = text_of(proved(ward.nora).post("/emergency/enter", sent(ward, whom=ward.number(other))))
    assert "Is it Mia Sol?" in page
    assert (ward.leo.receipts(kind="emergency.entered"), other.receipts(kind="emergency.entered")) == ((), ())


def test_a_number_nobody_has_and_one_of_elsewhere_are_answered_alike(ward: Ward) -> None:
    client = proved(ward.nora)
    elsewhere = address_of(newcomer("Stranger"))
    answers = []
    for whom in ("999999999", "nobody@nowhere.example", elsewhere, address_of(ward.paula)):
        answer = client.post("/emergency", sent(ward, whom=whom))
        assert answer.status_code == 400
        answers.append(without_tokens(text_of(answer)).replace(whom, "…"))
    assert len(set(answers)) == 1
    assert "Nobody in this clinic has this number or address." in answers[0]
    assert NOTE in answers[0]


def test_looking_for_somebody_by_trying_comes_to_an_end(ward: Ward) -> None:
    client = proved(ward.nora)
    for _ in range(MISSES_PER_HOUR):
        client.post("/emergency", sent(ward, whom="999999999"))
    for whom in ("999999999", ward.number()):
        page = text_of(client.post("/emergency", sent(ward, whom=whom)))
        assert "were tried this hour" in page
        assert "Leo" not in page


def test_a_note_is_shown_with_what_is_hidden_in_it(ward: Ward) -> None:
    note = "</dd><script>alert(1)</script>\u202egnorw all\u200b {{ 7|add:7 }}"
    page = text_of(proved(ward.nora).post("/emergency", sent(ward, note=note)))
    shown = page.partition("<dt>What happened</dt>")[2].partition("</dd>")[0]
    assert "&lt;script&gt;" in shown
    assert "U+202E" in shown
    assert "U+200B" in shown
    assert "{{ 7|add:7 }}" in shown


@pytest.mark.parametrize(
    ("field", "typed_in"), [("note", "short"), ("note", "\u200b" * 40), ("reason", "boredom"), ("space", "spc_x")]
)
def test_what_cannot_be_used_opens_nothing_and_loses_nothing(ward: Ward, field: str, typed_in: str) -> None:
    client = proved(ward.nora)
    for path in ("/emergency", "/emergency/enter"):
        answer = client.post(path, sent(ward, **{field: typed_in}))
        assert answer.status_code in (200, 400)
        assert f'value="{ward.number()}"' in text_of(answer)
    assert ward.leo.receipts(kind="emergency.entered") == ()


def test_only_the_admins_of_a_clinic_are_offered_to_invite_for_it(ward: Ward) -> None:
    olga = browser(ward.clinic.admin)
    household = next(each for each in holders.memberships(ward.clinic.admin.user_id) if each.kind == "household")
    offered = [
        "Emergency access" in text_of(olga.get(f"/people/spaces/{typed('spc', space)}/invite"))
        for space in (ward.space_id, household.space_id)
    ]
    assert offered == [True, False]


# ---------------------------------------------------------------- being there
def test_every_page_says_so_with_how_long_it_lasts_and_the_way_out(ward: Ward) -> None:
    client = entered(ward)
    for path in ("/file", f"/file/{ward.leo.mem('pills')}", "/people", "/you", "/nowhere", "/emergency"):
        page = text_of(client.get(path, follow=True))
        assert BANNER in page, path
        assert "Nora, 60 minutes left." in page
        assert 'action="/emergency/leave"' in page
        assert "You are acting for" not in page


def test_everything_but_what_is_sealed_from_guardians_is_there_to_be_looked_at(ward: Ward) -> None:
    leo = ward.leo
    leo.keep("secret", label="Sealed thing", sealed=True)
    leo.keep("budget", label="A budget", claim=Claim.BUDGET)
    client = entered(ward)
    page = text_of(client.get("/file"))
    assert {each for each in leo.labels if leo.labels[each] in page} == {*leo.labels} - {"secret"}
    assert client.get(f"/file/{leo.mem('secret')}").status_code == 404
    wanted = [leo.mem(each) for each in ("pills", "kitchen", "budget", "secret")]
    shown = text_of(client.post("/file/show", in_the_file(ward, memory=wanted)))
    assert {each for each in leo.values if leo.values[each] in shown} == {"pills", "kitchen"}
    assert "Correct" not in shown
    assert "Opening" not in shown
    written = {(each.memory_id, each.form) for each in leo.receipts(kind="value.shown") if each.actor[:4] == "emg_"}
    assert written == {(leo.ids["pills"], "value"), (leo.ids["kitchen"], "value"), (leo.ids["budget"], "attested")}


def test_looking_is_all_there_is(ward: Ward) -> None:
    client = entered(ward)
    bot = register(ward.leo, "Bot")
    wish = bot.ask("kitchen")
    before = len(ward.leo.receipts())
    for path in ("/inbox", "/ledger", "/ledger.csv", "/ledger.bundle.jsonl", "/ledger/disclosures.csv", "/grants"):
        assert client.get(path).status_code == 403, path
    assert client.get("/ledger/live", headers={"Accept": "text/event-stream"}).status_code == 403
    fields = {"label": "a", "value": "b", "category": "ordinary", "question": "d", "if_version": "1", "name": "c"}
    for path in (
        "/file/add",
        f"/file/{ward.leo.mem('kitchen')}/correct",
        f"/file/{ward.leo.mem('kitchen')}/put-away",
        f"/file/{ward.leo.mem('kitchen')}/seal",
        f"/file/{ward.leo.mem('kitchen')}/opening",
        "/chat",
        "/grants/register",
        f"/grants/cli_{bot.client.client_id.hex}/stop",
        f"/requests/req_{wish.request_id.hex}/decide",
        "/people/invite",
    ):
        assert client.post(path, in_the_file(ward, **fields)).status_code == 403, path
    assert len(ward.leo.receipts()) == before
    assert "Add a memory" not in text_of(client.get("/file"))


def test_no_other_road_knows_of_it(ward: Ward) -> None:
    """Not REST, for any method; not another browser in which nobody showed who they are."""
    entered(ward)
    rest = Http(holder=ward.nora)
    seats = {"own": ward.nora.vault_id, "foreign": newcomer("Stranger").vault_id, "opened": ward.leo.id}
    for method, path, body in (
        ("GET", "memories", None),
        ("POST", "memories/show", {"memories": [ward.leo.mem("pills")]}),
        ("GET", "receipts", None),
        ("GET", "me", None),
    ):
        foreign, opened = (
            rest.send(method, path, body, **{"Muniment-Seat": typed("vlt", seats[each])})
            for each in ("foreign", "opened")
        )
        assert (opened.status_code, opened.content) == (foreign.status_code, foreign.content)
        assert opened.status_code == 404
    for path in ("seats", "delegations"):
        assert typed("vlt", ward.leo.id) not in text_of(rest.send("GET", path, None))
    other = browser(ward.nora)
    to = {"to": typed("vlt", ward.leo.id), "seat": typed("vlt", ward.nora.vault_id)}
    assert other.post("/people/seat", to).status_code == 404
    assert urlsplit(other.post("/emergency/back", to).headers["Location"]).path.startswith("/accounts/")
    assert BANNER not in text_of(other.get("/people"))


def test_a_session_that_once_sat_there_is_not_let_in_by_what_another_opened(ward: Ward) -> None:
    seat = acting(ward.leo.holder, ward.nora)
    old = browser(ward.nora)
    old.post("/people/seat", {"to": typed("vlt", ward.leo.id), "seat": typed("vlt", ward.nora.vault_id)})
    (leave,) = holders.delegations(seat)
    belongs = get_user_model().objects.get(pk=ward.nora.user_id).belongs
    holders.end_delegation(ward.leo.holder, leave.delegation_id, utc_now())
    get_user_model().objects.filter(pk=ward.nora.user_id).update(belongs=belongs)  # as though it had not signed out
    ward.enter()
    page = text_of(old.get("/file"))
    assert BANNER not in page
    assert not [each for each in ward.leo.labels.values() if each in page]


def test_one_goes_back_to_it_from_ones_own_vault(ward: Ward) -> None:
    client = entered(ward)
    own = {"to": typed("vlt", ward.nora.vault_id), "seat": typed("vlt", ward.leo.id)}
    client.post("/people/seat", own)
    page = text_of(client.get("/emergency"))
    assert BANNER not in page
    assert "You have the file of Leo Maria Brandt open" in page
    client.post("/emergency/back", {"seat": typed("vlt", ward.nora.vault_id)})
    assert BANNER in text_of(client.get("/file"))


# ---------------------------------------------------------------- going out
def test_leaving_is_one_press_and_a_page_from_before_does_nothing(ward: Ward) -> None:
    client = entered(ward)
    before = text_of(client.get("/file"))
    assert ward.leo.mem("pills") in before
    page = text_of(client.post("/emergency/leave", in_the_file(ward), follow=True))
    assert "You left the file." in page
    assert BANNER not in page
    answer = client.post("/file/show", in_the_file(ward, memory=[ward.leo.mem("pills")]))
    assert answer.status_code == 409
    assert ward.leo.values["pills"] not in text_of(answer)
    assert [each.kind for each in ward.leo.receipts()[-2:]] == ["emergency.entered", "emergency.left"]


@pytest.mark.parametrize("how", ["the hour", "the role", "the switch"])
def test_at_the_next_press_nothing_is_there_any_more(ward: Ward, how: str, admin: Any) -> None:
    client = entered(ward)
    if how == "the hour":
        admin.execute(
            "UPDATE emergency SET entered_at = entered_at - interval '1 hour', ends_at = ends_at - interval '1 hour'"
            " WHERE user_id = %s",
            [ward.nora.user_id],
        )
    elif how == "the role":
        admin.execute(
            "UPDATE member SET left_at = now() WHERE user_id = %s AND role = 'emergency'", [ward.nora.user_id]
        )
    else:
        ward.settle(break_glass=False, privacy_lead=None)
    answer = client.post("/file/show", in_the_file(ward, memory=[ward.leo.mem("pills")]))
    assert answer.status_code == 409
    assert ward.leo.values["pills"] not in text_of(answer)
    assert ward.leo.receipts(kind="value.shown") == ()
    page = text_of(client.get("/file"))
    assert BANNER not in page
    assert "Your file" in page


def test_a_request_that_was_let_in_in_time_is_shown_nothing_once_it_is_over(ward: Ward) -> None:
    """The seat was looked up before, the value would be stamped after: the gate looks again."""
    seat = ward.enter()
    emergency.leave(ward.nora.user_id, utc_now())
    assert memories.show(seat, [ward.leo.ids["pills"]]).values == ()
    forged = replace(seat, user_id=ward.paula.user_id)
    assert memories.show(forged, [ward.leo.ids["pills"]]).values == ()
    assert ward.leo.receipts(kind="value.shown") == ()


# ---------------------------------------------------------------- a child
def test_a_minor_is_opened_with_what_they_sealed_left_out_and_guardians_see_that_it_was(ward: Ward) -> None:
    leo = ward.leo
    leo.keep("secret", label="Sealed thing", sealed=True)
    rosa = newcomer("Rosa")
    guardian = acting(leo.holder, rosa, Role.GUARDIAN)
    client = entered(ward)
    page = text_of(client.post("/file/show", in_the_file(ward, memory=[leo.mem("secret"), leo.mem("pills")])))
    assert leo.values["secret"] not in page
    hers = browser(guardian)
    hers.post("/people/seat", {"to": typed("vlt", leo.id), "seat": typed("vlt", rosa.vault_id)})
    told = text_of(hers.get("/people"))
    assert "Opened in an emergency" in told
    assert "Nora, Casa M." in told
    assert "shown:" not in told
