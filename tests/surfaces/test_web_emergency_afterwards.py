"""After an emergency, on the pages: the person sees it, and somebody else looks at it without seeing what was shown."""

from datetime import timedelta

from apps.holders.services import emergency
from apps.policy.ids import typed
from tests.holders.emergencies import NOTE, Ward
from tests.holders.emergencies import ward as ward  # a fixture
from tests.holders.people import newcomer
from tests.surfaces.emergencies import entered, in_the_file
from tests.surfaces.web import browser, text_of
from vault.clock import utc_now


def test_the_person_sees_who_and_why_and_how_much(ward: Ward) -> None:
    client = entered(ward)
    client.post("/file/show", in_the_file(ward, memory=[ward.leo.mem(each) for each in ("pills", "sleep", "kitchen")]))
    client.post("/file/show", in_the_file(ward, memory=[ward.leo.mem("pills")]))
    leo = browser(ward.leo.holder)
    assert "Nora of Casa M. opened your file in an emergency" in text_of(leo.get("/file"))
    page = text_of(leo.get("/people"))
    assert "A life is at risk" in page
    assert "3 values were shown: 2 health, 1 ordinary." in page
    assert "Somebody else of Casa M. looks at it by" in page
    assert NOTE not in page
    ledger = text_of(leo.get("/ledger"))
    assert "opened in an emergency" in ledger
    assert "Nora, emergency access" in ledger
    assert "Opened in an emergency" not in text_of(browser(newcomer("Stranger")).get("/people"))


def test_somebody_else_looks_at_it_and_sees_no_label_and_no_value(ward: Ward) -> None:
    client = entered(ward)
    client.post("/file/show", in_the_file(ward, memory=[ward.leo.mem("pills")]))
    one = typed("del", ward.opened().emergency_id)
    paula = browser(ward.paula)
    assert "still open" in text_of(paula.get("/emergency/reviews"))
    assert "It isn’t over yet" in text_of(paula.get(f"/emergency/reviews/{one}"))
    given = {"finding": "justified", "words": "He was unconscious.", "seat": typed("vlt", ward.paula.vault_id)}
    assert paula.post(f"/emergency/reviews/{one}", given).status_code == 404
    client.post("/emergency/leave", in_the_file(ward))
    pages = text_of(paula.get("/emergency/reviews")) + text_of(paula.get(f"/emergency/reviews/{one}"))
    assert NOTE in pages
    assert "1 value was shown: 1 health." in pages
    assert not [each for each in (*ward.leo.values.values(), *ward.leo.labels.values()) if each in pages]
    assert paula.post(f"/emergency/reviews/{one}", {**given, "words": ""}).status_code == 400
    done = paula.post(f"/emergency/reviews/{one}", given, follow=True)
    assert "Kept. The person sees it." in text_of(done)
    assert "decided before" in text_of(paula.post(f"/emergency/reviews/{one}", given, follow=True))
    (receipt,) = ward.leo.receipts(kind="emergency.reviewed")
    assert (receipt.reason, receipt.object, receipt.actor) == ("justified", one, f"rev_{ward.paula.user_id.hex}")
    told = text_of(browser(ward.leo.holder).get("/people"))
    assert "Looked at since: justified." in told
    assert "He was unconscious." in told


def test_who_did_it_does_not_look_at_it_nor_does_anybody_else(ward: Ward) -> None:
    ward.enter()
    one = typed("del", ward.opened().emergency_id)
    emergency.leave(ward.nora.user_id, utc_now())
    for other in (ward.nora, ward.leo.holder, ward.clinic.rita, ward.clinic.admin, newcomer("Stranger")):
        given = {"finding": "justified", "words": "Fine.", "seat": typed("vlt", other.vault_id)}
        assert browser(other).get(f"/emergency/reviews/{one}").status_code == 404
        assert browser(other).post(f"/emergency/reviews/{one}", given).status_code == 404
    assert ward.leo.receipts(kind="emergency.reviewed") == ()


def test_what_nobody_looked_at_in_time_is_marked(ward: Ward) -> None:
    ward.enter_long_ago(timedelta(hours=73))
    emergency.end_due(utc_now())
    page = text_of(browser(ward.paula).get("/emergency/reviews"))
    assert "overdue" in page
    assert "nobody has" in text_of(browser(ward.leo.holder).get("/people"))
