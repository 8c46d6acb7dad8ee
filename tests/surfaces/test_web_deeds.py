"""Deeds on the pages, without script: ask, decide, leave out, keep, correct, show, allow, stop."""

import csv
import hashlib
import io
import json
import re

import pytest

from apps.access import services as access
from apps.ledger import services as ledger
from apps.memories import services as memories
from apps.policy.ids import typed, untyped
from apps.policy.types import Receipt
from apps.policy.vocabulary import Category, ProposalStatus, State
from tests.fixtures import BUDGET, INSULIN, KITCHEN, TIME, Household
from tests.surfaces.web import HOSTILE, QUESTION, Scene, browser, carded, furnish, last_seq, text_of
from vault.clock import utc_now


@pytest.fixture
def scene(home: Household) -> Scene:
    return furnish(home)


def newest(scene: Scene, kind: str) -> Receipt:
    return ledger.receipts(scene.holder.vault_id, scene.holder.actor, limit=1, kind=kind)[0]


def test_ask_decide_answer_leave_out(scene: Scene) -> None:
    client = browser(scene.holder)
    asked = client.post("/chat", {"question": QUESTION})
    card = text_of(client.get(asked.headers["Location"]))
    assert "Asked for 2 memories" in card
    assert KITCHEN not in card
    before = last_seq(scene.holder)
    chosen = {"part": "ordinary", "do": "give", scene.home.kitchen: "give", scene.home.time: "give"}
    answered = client.post(f"{asked.headers['Location']}/decide", chosen, follow=True)
    page = text_of(answered)
    assert KITCHEN in page
    assert "Handed over · 2 stamps" in page
    assert page.count(">Leave out<") == 2
    assert re.findall(r'href="/receipts/rcp_(\d+)">No\.', page) == [str(seq) for seq in _reads(scene, before)]
    again = client.post(f"{asked.headers['Location']}/without", {"memory": scene.home.kitchen}, follow=True)
    page = text_of(again)
    assert "without Kitchen equipment" in page
    assert "<sup>changed</sup>" in page
    new, _, old = page.partition('aria-label="Earlier answer"')
    assert KITCHEN not in new
    assert KITCHEN in old
    assert "left out of this answer" in page
    assert again.request["PATH_INFO"] != asked.headers["Location"]
    assert asked.headers["Location"] in page  # the earlier version can be reached


def _reads(scene: Scene, after: int) -> list[int]:
    found = ledger.receipts(scene.holder.vault_id, scene.holder.actor, limit=9, after=after, kind="value.read")
    turn = [each.seq for each in found]
    return sorted(turn)


def test_a_scripted_decision_is_answered_by_the_page_not_by_the_press(scene: Scene) -> None:
    client = browser(scene.holder)
    sent = {"part": "ordinary", "do": "give", scene.home.kitchen: "give", "script": "1"}
    page = text_of(client.post(f"/chat/{scene.offered}/decide", sent, follow=True))
    assert 'id="answering"' in page
    assert KITCHEN not in page
    assert not ledger.receipts(
        scene.holder.vault_id, scene.holder.actor, limit=1, kind="value.read", turn=scene.offered
    )
    assert KITCHEN in text_of(client.post(f"/chat/{scene.offered}/answer", follow=True))


def test_a_second_press_changes_nothing(scene: Scene) -> None:
    client = browser(scene.holder)
    client.post(f"/chat/{scene.offered}/decide", {"part": "ordinary", "do": "none"})
    before = last_seq(scene.holder)
    page = client.post(f"/chat/{scene.offered}/decide", {"part": "ordinary", "do": "give"}, follow=True)
    client.post(f"/chat/{scene.offered}/answer")
    assert "decided before" in text_of(page)
    assert last_seq(scene.holder) == before


def test_a_question_that_cannot_be_asked_comes_back_with_a_reason(scene: Scene) -> None:
    response = browser(scene.holder).post("/chat", {"question": "   "})
    assert response.status_code == 400
    assert "It is empty. Write your question." in text_of(response)
    response = browser(scene.holder).post("/chat", {"question": "why? " * 20_000})
    assert "can be asked at once" in text_of(response)


def test_a_request_is_decided_part_by_part_with_nothing_special_chosen(scene: Scene) -> None:
    client = browser(scene.holder)
    page = text_of(client.get(f"/requests/{scene.wish}"))
    ordinary, _, special = page.partition("card protected")
    assert ordinary.count(" checked") == 2
    assert " checked" not in special
    assert "Nothing has been handed over to it before" in page
    sent = {"part": "ordinary", "do": "allow", "give": [scene.home.kitchen], "until": "week", "reads": "5"}
    page = text_of(client.post(f"/requests/{scene.wish}/decide", sent, follow=True))
    assert "partly allowed" in page
    assert "You can close this" not in page
    page = text_of(client.post(f"/requests/{scene.wish}/decide", {"part": "health", "do": "deny"}, follow=True))
    assert "Done. You can close this." in page
    grant = access.grants(scene.holder)[0]
    assert (grant.reads_left, [typed("mem", each) for each in grant.memory_ids]) == (5, [scene.home.kitchen])
    assert "Kitchen equipment" in text_of(client.get("/grants"))
    stopped = client.post(f"/grants/{typed('gra', grant.grant_id)}/stop", follow=True)
    assert "No further reads" in text_of(stopped)
    assert access.grants(scene.holder)[0].revoked_at is not None


def test_once_is_one_read(scene: Scene) -> None:
    client = browser(scene.holder)
    client.post(f"/requests/{scene.wish}/decide", {"part": "health", "do": "allow", "give": [scene.home.insulin]})
    assert access.grants(scene.holder)[0].reads_left == 1


def test_showing_is_a_press_and_is_stamped(scene: Scene) -> None:
    client, before = browser(scene.holder), last_seq(scene.holder)
    page = text_of(client.post("/file/show", {"memory": [scene.home.budget, scene.home.insulin]}))
    assert BUDGET in page
    assert INSULIN in page
    assert last_seq(scene.holder) == before + 2
    assert newest(scene, "value.shown").seq == before + 2


def test_a_file_is_added_to_corrected_put_away_and_put_back(scene: Scene) -> None:
    client = browser(scene.holder)
    new = {"label": "City", "value": "Porto\r\nand Faro", "category": "ordinary"}
    assert "Kept: City." in text_of(client.post("/file/add", new, follow=True))
    city = next(each for each in memories.memories(scene.holder) if each.label == "City")
    path = f"/file/{typed('mem', city.memory_id)}"
    assert memories.show(scene.holder, [city.memory_id]).values[0].value == "Porto\nand Faro"
    correction = {**new, "value": "Faro", "if_version": "1"}
    assert "Corrected." in text_of(client.post(f"{path}/correct", correction, follow=True))
    stale = client.post(f"{path}/correct", {**correction, "value": "Lisbon"})
    assert stale.status_code == 409
    assert "changed while you were looking" in text_of(stale)
    assert "Lisbon" in text_of(stale)  # what was typed is not lost
    client.post(f"{path}/put-away")
    assert memories.memory(scene.holder, city.memory_id).state is State.WITHDRAWN  # type: ignore[union-attr]
    assert "put away" in text_of(client.get("/file"))
    client.post(f"{path}/put-back")
    assert memories.memory(scene.holder, city.memory_id).state is State.APPROVED  # type: ignore[union-attr]


def test_what_cannot_be_kept_comes_back_beside_its_field(scene: Scene) -> None:
    client, before = browser(scene.holder), last_seq(scene.holder)
    response = client.post("/file/add", {"label": "a", "value": " ", "category": "ordinary", "subject": "No Good"})
    assert response.status_code == 400
    assert "dotted path" in text_of(response)
    assert 'aria-invalid="true"' in text_of(response)
    assert last_seq(scene.holder) == before


def test_a_value_saved_unchanged_stays_byte_for_byte(scene: Scene) -> None:
    """REST keeps line breaks as they were sent; a browser sends them all as CR LF and asks nobody."""
    given, client = "one\r\ntwo\nthree\r\n\u2028four\rfive\n", browser(scene.holder)
    kept = memories.add(scene.holder, label="Lines", value=given, now=utc_now())
    path = f"/file/{typed('mem', kept.memory_id)}/correct"
    sent = {"label": "Lines, renamed", "category": "ordinary"}
    for version, value, expected in ((1, given, given), (2, given + "!", "one\ntwo\nthree\n\u2028four\nfive\n!")):
        page = text_of(client.post("/file/show", {"memory": typed("mem", kept.memory_id)}))
        shown = re.search(r'name="shown" value="([\w+/=]+)"', page)
        assert shown
        posted = value.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")
        moved = client.post(path, {**sent, "value": posted, "if_version": str(version), "shown": shown[1]})
        assert moved.status_code == 302
        assert memories.show(scene.holder, [kept.memory_id]).values[0].value == expected


@pytest.mark.parametrize("field", ["label", "value", "subject", "neutral_label"])
def test_a_character_that_cannot_be_stored_is_named_as_over_rest(scene: Scene, field: str) -> None:
    sent = {"label": "City", "value": "Porto", "category": "health", "subject": "city", field: "a\0b"}
    page = text_of(browser(scene.holder).post("/file/add", sent))
    assert "Null characters" not in page
    assert "U+0000" in page or (field == "subject" and "dotted path" in page)


def test_a_proposal_is_kept_as_it_is_or_in_the_holders_words(scene: Scene) -> None:
    client = browser(scene.holder)
    proposal = memories.proposal(scene.holder, untyped("prp", scene.proposal))  # type: ignore[arg-type]
    assert proposal is not None
    shown = text_of(client.post("/inbox/show", {"proposal": scene.proposal}))
    mark = re.search(r'name="[0-9a-f]{32}_shown" value="([\w+/=]+)"', shown)
    assert mark
    sent = {"label": "Spices", "subject": "spices", "value": HOSTILE, "category": "ordinary", "shown": mark[1]}
    client.post(f"/inbox/{scene.proposal}/approve", carded(scene.proposal, **sent))
    kept = memories.memory(scene.holder, proposal.memory_id)
    assert kept is not None
    assert (kept.label, kept.version) == ("Spices", 1)
    assert "decided before" in text_of(client.post(f"/inbox/{scene.proposal}/reject", follow=True))
    other = memories.propose(scene.caller, label="Bedtime", value="Eleven", now=utc_now())
    named = typed("prp", other.proposal_id)  # type: ignore[union-attr]
    words = {**sent, "label": "Bedtime", "subject": "bedtime", "value": "Ten", "category": "health"}
    client.post(f"/inbox/{named}/approve", carded(named, **words))
    edited = memories.memory(scene.holder, other.memory_id)  # type: ignore[union-attr]
    assert edited is not None
    assert edited.category is Category.HEALTH
    assert memories.show(scene.holder, [edited.memory_id]).values[0].value == "Ten"


def test_a_proposal_is_rejected(scene: Scene) -> None:
    browser(scene.holder).post(f"/inbox/{scene.proposal}/reject")
    found = memories.proposal(scene.holder, untyped("prp", scene.proposal))  # type: ignore[arg-type]
    assert found is not None
    assert found.status is ProposalStatus.REJECTED


def test_a_key_is_shown_once(scene: Scene) -> None:
    client = browser(scene.holder)
    page = text_of(client.post("/grants/register", {"name": "Planner", "domain": "planner.example"}, follow=True))
    key = re.search(r"mnk_[\w-]{20,}", page)
    assert key
    assert access.authenticate(key[0], utc_now()) is not None
    listed = text_of(client.get("/grants"))
    assert key[0] not in listed
    assert key[0][:12] in listed
    planner = next(each for each in access.clients(scene.holder) if each.name == "Planner")
    path = f"/grants/{typed('cli', planner.client_id)}"
    assert "paused" in text_of(client.post(f"{path}/pause", {"do": "pause"}, follow=True))
    client.post(f"{path}/pause", {"do": "resume"})
    second = re.search(r"mnk_[\w-]{20,}", text_of(client.post(f"{path}/key", follow=True)))
    assert second
    first_id = next(each.key_id for each in access.keys(scene.holder) if each.prefix == key[0][:12])
    client.post(f"/grants/keys/{typed('key', first_id)}/end")
    assert access.authenticate(key[0], utc_now()) is None
    client.post(f"{path}/stop")
    assert access.authenticate(second[0], utc_now()) is None


def test_loading_the_key_s_page_anew_makes_nothing_and_shows_nothing(scene: Scene) -> None:
    client = browser(scene.holder)
    made = client.post("/grants/register", {"name": "Planner"})
    assert (made.status_code, made.headers["Location"]) == (302, "/grants/key")
    shown = client.get("/grants/key")
    key = re.search(r"mnk_[\w-]{20,}", text_of(shown))
    assert key
    assert shown.headers["Cache-Control"] == "no-store"
    again = client.get("/grants/key", follow=True)
    assert again.request["PATH_INFO"] == "/grants"
    assert key[0] not in text_of(again)
    assert "shown once" in text_of(again)
    assert key[0] not in str(dict(client.session))
    assert [each.name for each in access.clients(scene.holder)].count("Planner") == 1


def test_the_ledger_is_filtered_and_taken_away_with_no_live_formula(scene: Scene) -> None:
    client = browser(scene.holder)
    memories.add(scene.holder, label="=HYPERLINK(1)", value="x", now=utc_now())
    rows = list(csv.DictReader(io.StringIO(text_of(client.get("/ledger.csv")))))
    assert len(rows) == last_seq(scene.holder)
    assert rows[0]["what"] == "'=HYPERLINK(1)"
    assert TIME not in str(rows)
    actor = typed("cli", scene.home.client.client_id)
    kinds = {row["kind"] for row in csv.DictReader(io.StringIO(text_of(client.get(f"/ledger.csv?assistant={actor}"))))}
    assert kinds == {"request.made", "proposal.made"}
    page = text_of(client.get("/ledger?kind=memory.added&category=health"))
    assert "A health memory" in page
    assert "Insulin" not in page
    assert len(re.findall(r'class="no">', page)) == 1
    assert "No line fits" in text_of(client.get("/ledger?start=2001-01-01&end=2001-01-02"))
    assert "valid date" in text_of(client.get("/ledger?start=tomorrow"))
    page = text_of(client.get("/ledger?kind=memory.eaten"))
    assert "Choose from what is offered" in page and "available choices" not in page


def test_a_receipt_can_be_checked_from_its_page_and_from_its_file(scene: Scene) -> None:
    client, seq = browser(scene.holder), newest(scene, "value.read").seq
    parts = json.loads(text_of(client.get(f"/receipts/rcp_{seq}.receipt.json")))
    assert parts["format"] == "muniment-receipt-file/1"
    canonical = json.dumps(parts["receipt"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(canonical.encode()).hexdigest() == parts["digest"]
    page = text_of(client.get(f"/receipts/rcp_{seq}"))
    assert canonical.replace('"', "&quot;") in page
    assert parts["digest"] in page
    assert parts["chain_hash"] in page


def test_the_ledger_says_who_asked(scene: Scene) -> None:
    """The holder asked a question; the chat then asked for memories. An assistant's request is its own."""
    rows = list(csv.DictReader(io.StringIO(text_of(browser(scene.holder).get("/ledger.csv?kind=request.made")))))
    assert {row["who"] for row in rows} == {"by the chat", "by Cookbot"}
    questions = csv.DictReader(io.StringIO(text_of(browser(scene.holder).get("/ledger.csv?kind=turn.asked"))))
    assert {row["who"] for row in questions} == {"by you"}
