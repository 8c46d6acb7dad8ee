"""Seats on the pages: a banner while acting for somebody, forms that hold for the seat they were shown at, invitations
by mail, and what a role may not do."""

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.types import Holder
from apps.policy.vocabulary import Level, Role
from tests import databases
from tests.architecture.test_sizes import ROOT
from tests.cast import Vault, new_vault, register
from tests.holders.people import acting, address_of, leave_of, newcomer, space_of
from tests.surfaces.web import browser, text_of
from vault.clock import utc_now

BANNER = "You are acting for Leo."


@pytest.fixture
def leo(live: None) -> Vault:
    return new_vault("Leo")


@pytest.fixture
def rosa(live: None) -> Holder:
    return newcomer("Rosa")


def at(seat: Holder) -> Client:
    """The person's browser, seated there."""
    client = browser(seat)
    own = holders.holder(seat.user_id)
    assert own is not None
    answer = client.post("/people/seat", {"to": typed("vlt", seat.vault_id), "seat": typed("vlt", own.vault_id)})
    assert answer.status_code == 302
    return client


def post(client: Client, path: str, seat: Holder, **fields: Any) -> Any:
    """A form as it stands on a page shown at `seat`."""
    return client.post(path, {"seat": typed("vlt", seat.vault_id), **fields}, follow=True)


PAGES = ("/", "/inbox", "/ledger", "/file", "/file/add", "/grants", "/grants/register", "/people", "/you", "/verify")


def test_every_page_says_for_whom_one_acts(leo: Vault, rosa: Holder) -> None:
    client = at(acting(leo.holder, rosa, Role.GUARDIAN))
    seat = f'name="seat" value="{typed("vlt", leo.id)}"'
    for path in (*PAGES, f"/file/{leo.mem('kitchen')}", "/nowhere", "/accounts/email/"):
        page = text_of(client.get(path, follow=True))
        assert BANNER in page, path
        if path.startswith("/accounts"):
            continue
        forms = re.findall(r'<form[^>]*method="post".*?</form>', page, re.S)
        assert [each for each in forms if seat not in each and 'action="/verify' not in each] == [], path
    assert BANNER not in text_of(browser(rosa).get("/file"))


def test_every_form_in_the_templates_carries_the_seat() -> None:
    for path in (ROOT / "apps/web/templates/web").rglob("*.html"):
        text = path.read_text()
        assert text.count("{% csrf_token %}") == text.count("{% csrf_token %}{% seat %}"), path.name


def test_a_form_of_another_seat_does_nothing(leo: Vault, rosa: Holder) -> None:
    seat = acting(leo.holder, rosa)
    client = at(seat)
    before = len(memories.memories(leo.holder)), len(memories.memories(rosa))
    for fields in ({"seat": typed("vlt", rosa.vault_id)}, {"seat": "vlt_x"}, {"seat": ""}, {}):
        answer = client.post("/file/add", {"label": "Note", "value": "words", "category": "ordinary", **fields})
        assert answer.status_code == 409
        assert "Nothing was done" in text_of(answer)
        assert BANNER in text_of(answer)
    answer = browser(rosa).post("/file/add", {"label": "a", "value": "b", "seat": typed("vlt", leo.id)})
    assert answer.status_code == 409
    assert before == (len(memories.memories(leo.holder)), len(memories.memories(rosa)))
    done = post(client, "/file/add", seat, label="Note", value="words", category="ordinary")
    assert "Kept: Note." in text_of(done)
    (receipt,) = leo.receipts(kind="memory.added")[-1:]
    assert (receipt.actor, receipt.on_behalf_of) == (f"dlg_{rosa.user_id.hex}", leo.holder.actor)


def test_who_acts_is_shown_values_under_their_own_name_and_no_attested_one(leo: Vault, rosa: Holder) -> None:
    seat = acting(leo.holder, rosa, Role.GUARDIAN)
    page = text_of(post(at(seat), "/file/show", seat, memory=[leo.mem("kitchen"), leo.mem("budget"), leo.mem("pills")]))
    assert leo.values["kitchen"] in page
    assert leo.values["pills"] in page
    assert leo.values["budget"] not in page
    shown = {each.memory_id: each for each in leo.receipts(kind="value.shown")}
    assert {each.form for each in shown.values()} == {"value", "attested"}
    assert {(each.actor, each.recipient, each.on_behalf_of) for each in shown.values()} == {
        (seat.actor, seat.actor, leo.holder.actor)
    }
    assert seat.actor.startswith("gdn_")


def test_who_may_view_sees_ordinary_labels_and_nothing_more(leo: Vault, rosa: Holder) -> None:
    seat = acting(leo.holder, rosa, Role.GUARDIAN, Level.VIEW)
    client = at(seat)
    page = text_of(client.get("/file"))
    assert "Kitchen equipment" in page
    assert leo.labels["pills"] not in page
    assert "A health memory" not in page
    assert client.get(f"/file/{leo.mem('pills')}").status_code == 404
    assert client.get("/").headers["Location"] == "/file"
    for path in ("/inbox", "/ledger", "/ledger.csv", "/ledger.bundle.jsonl", "/ledger/live", "/grants"):
        answer = client.get(path)
        assert answer.status_code == 403, path
        assert "This isn’t yours to do" in text_of(answer)
    before = len(leo.receipts())
    for path in ("/file/add", "/file/show", f"/file/{leo.mem('kitchen')}/put-away", "/grants/register", "/chat"):
        fields = {"label": "a", "value": "b", "category": "ordinary", "name": "c", "question": "d"}
        assert post(client, path, seat, memory=leo.mem("kitchen"), **fields).status_code == 403, path
    assert len(leo.receipts()) == before


def test_an_ended_leave_bites_at_the_next_request(leo: Vault, rosa: Holder) -> None:
    seat = acting(leo.holder, rosa)
    client = at(seat)
    assert BANNER in text_of(client.get("/file"))
    post(browser(leo.holder), f"/people/acting/del_{leave_of(leo.holder, rosa).delegation_id.hex}/end", leo.holder)
    answer = client.get("/file")
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/accounts/login/"), "ending signs out"


def test_over_by_its_day_one_is_back_at_one_s_own_vault(leo: Vault, rosa: Holder) -> None:
    seat = acting(leo.holder, rosa)
    client = at(seat)
    with databases.connect("postgres", autocommit=True) as admin:
        admin.execute("UPDATE delegation SET expires_at = now() WHERE vault_id = %s", [leo.id])
    page = text_of(client.get("/file"))
    assert "You don’t act there any more" in page
    assert BANNER not in page
    assert client.post("/file/show", {"seat": typed("vlt", leo.id), "memory": leo.mem("kitchen")}).status_code == 409


def test_a_foreign_vault_is_no_seat(leo: Vault, rosa: Holder) -> None:
    client = browser(rosa)
    for wanted in (typed("vlt", leo.id), "vlt_" + "0" * 32, "nonsense", ""):
        answer = client.post("/people/seat", {"to": wanted, "seat": typed("vlt", rosa.vault_id)})
        assert answer.status_code == 404


def test_an_invitation_by_mail_is_accepted_by_a_press(leo: Vault, rosa: Holder, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    mail.outbox = []
    fields = {"email": address_of(rosa), "role": "delegate", "level": "decide", "days": "30"}
    page = text_of(post(browser(leo.holder), "/people/invite", leo.holder, **fields))
    assert f"Invited {address_of(rosa)}" in page
    (sent,) = mail.outbox
    assert sent.to == [address_of(rosa)]
    html = sent.alternatives[0][0]  # type: ignore[attr-defined]
    (link,) = re.findall(r"^http\S+/invited/\S+$", str(sent.body), re.M)
    assert len(link) < 76
    assert link in html
    assert not [word for word in leo.labels.values() if word in sent.subject + str(sent.body) + html]
    path = link.partition("/invited/")[2]
    stranger, other, client = Client(), browser(newcomer("Otto")), browser(rosa)
    assert "Sign in with the address" in text_of(stranger.get(f"/invited/{path}"))
    assert stranger.post(f"/invited/{path}").status_code == 200
    assert other.get(f"/invited/{path}").status_code == 403
    assert "for another address" in text_of(other.post(f"/invited/{path}"))
    looked = client.get(f"/invited/{path}")
    assert (looked.status_code, looked.headers["X-Robots-Tag"]) == (200, "noindex")
    # The token stays within this site; under a stricter policy a browser posts the form as from nowhere.
    assert looked.headers["Referrer-Policy"] == "same-origin"
    assert holders.seat(rosa.user_id, leo.id) is None, "looking changed nothing"
    done = client.post(f"/invited/{path}", {"seat": typed("vlt", rosa.vault_id)})
    assert done.headers["Location"] == "/accounts/login/?next=/people"
    assert client.get("/people").status_code == 302, "joining signs out"
    seat = holders.seat(rosa.user_id, leo.id)
    assert seat is not None
    assert client.get(f"/invited/{path}").status_code == 410
    assert Client().get("/invited/nothing-of-the-kind").status_code == 404
    assert "Act for Leo, as delegate" in text_of(browser(rosa).get("/people"))


def test_the_page_of_people_ends_renews_takes_back_and_leaves(leo: Vault, rosa: Holder) -> None:
    client, mine = browser(leo.holder), space_of(leo.holder)
    acting(leo.holder, rosa)
    sent = {"email": "x@home.example", "role": "reviewer"}
    page = text_of(post(client, f"/people/spaces/{typed('spc', mine)}/invite", leo.holder, **sent))
    assert "x@home.example" in page
    (invitation,) = [each for place in holders.places(leo.holder.user_id, utc_now()) for each in place.invitations]
    page = text_of(post(client, f"/people/invitations/{typed('inv', invitation.invitation_id)}/withdraw", leo.holder))
    assert "Taken back" in page
    leave = leave_of(leo.holder, rosa)
    page = text_of(post(client, f"/people/acting/{typed('del', leave.delegation_id)}/renew", leo.holder))
    assert "Renewed" in page
    page = text_of(post(client, f"/people/spaces/{typed('spc', mine)}/leave", leo.holder))
    assert "A space needs an admin" in page
    wrong = post(client, "/people/invite", leo.holder, email="nobody", role="delegate", level="view", days="30")
    assert wrong.status_code == 400
    foreign = post(client, f"/people/spaces/{typed('spc', space_of(rosa))}/leave", leo.holder)
    assert foreign.status_code == 404


def test_the_rest_of_the_api_is_asked_for_a_seat_by_its_header(leo: Vault, rosa: Holder) -> None:
    seat = acting(leo.holder, rosa, Role.GUARDIAN, Level.VIEW)
    client = browser(rosa)
    there = {"Muniment-Seat": typed("vlt", leo.id)}
    assert client.get("/api/v1/me").json()["vault"] == typed("vlt", rosa.vault_id)
    assert client.get("/api/v1/me", headers=there).json()["vault"] == typed("vlt", leo.id)
    labels = [each["label"] for each in client.get("/api/v1/memories", headers=there).json()["items"]]
    assert "Kitchen equipment" in labels
    assert leo.labels["pills"] not in labels
    refused = client.get("/api/v1/receipts", headers=there)
    assert (refused.status_code, refused.json()["code"]) == (403, "not-yours-to-decide")
    leave = leave_of(leo.holder, rosa)
    holders.end_delegation(seat, leave.delegation_id, utc_now())
    client = browser(rosa)
    never = client.get("/api/v1/me", headers={"Muniment-Seat": "vlt_" + "1" * 32})
    ended = client.get("/api/v1/me", headers=there)
    assert (ended.status_code, ended.json()) == (404, never.json())


def test_the_ledger_names_who_acted_and_for_whom(leo: Vault, rosa: Holder) -> None:
    seat = acting(leo.holder, rosa, Role.GUARDIAN)
    post(at(seat), "/file/show", seat, memory=[leo.mem("kitchen")])
    assert "to Rosa, guardian" in text_of(browser(leo.holder).get("/ledger"))
    theirs = text_of(at(seat).get("/ledger"))
    assert "to you" in theirs
    assert "by Leo" in theirs


def test_who_may_not_connect_an_assistant_is_not_led_to_it(leo: Vault, rosa: Holder) -> None:
    register(leo, "Carebot")
    offered = ("Connect an assistant", "Make another key")
    own, acted = text_of(browser(leo.holder).get("/grants")), text_of(at(acting(leo.holder, rosa)).get("/grants"))
    assert "Carebot" in own and "Carebot" in acted and "Stop for good" in acted
    assert all(each in own for each in offered) and not [each for each in offered if each in acted]
