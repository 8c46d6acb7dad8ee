"""The conversation and a commitment's opening as files: the holder's own, on REST and on the pages; nobody else's."""

import asyncio
import json
from typing import Any

import pytest

from apps.ledger.format.opening import Opening
from apps.ledger.format.verdict import Trust, Verdict
from apps.ledger.format.verifying import verify
from apps.memories import gate
from apps.memories import services as memories
from apps.policy.types import Authority, Plan, PlanItem
from apps.policy.vocabulary import Form, ReceiptKind
from tests.cast import PURPOSE, QUESTION, Assistant, Vault, alice, cook, give, mallory  # noqa: F401  (fixtures among them)
from tests.drivers import ApiHolder, Asked, Http, signed_in
from vault.clock import utc_now


def body_of(response: Any) -> bytes:
    """What was streamed, to its end."""

    async def read() -> bytes:
        return b"".join([part async for part in response.streaming_content])

    return asyncio.run(read())


@pytest.fixture
def turn(alice: Vault) -> Asked:  # noqa: F811
    holder = ApiHolder(alice.holder)
    asked = holder.ask_turn(QUESTION)
    assert asked
    answered = holder.decide_turn(asked.turn, [alice.mem("kitchen")])
    assert answered
    return answered


def test_rest_and_the_page_give_the_same_file_and_it_checks(alice: Vault, turn: Asked) -> None:  # noqa: F811
    over_rest = Http(holder=alice.holder).send("GET", f"turns/{turn.turn}/file")
    page = signed_in(alice.holder).get(f"/chat/{turn.turn}.conversation.jsonl")
    for response in (over_rest, page):
        assert response.status_code == 200
        assert response["Content-Type"] == "application/jsonl"
        assert response["Content-Disposition"] == f'attachment; filename="{turn.turn}.conversation.jsonl"'
        assert response["Cache-Control"] == "no-store"
    data = body_of(over_rest)
    assert data == body_of(page)
    report = verify(data, Trust())
    assert (report.kind, report.verdict) == ("conversation", Verdict.NOT_CHECKED), report.findings
    assert alice.values["kitchen"] in data.decode()


def test_all_of_it_and_without_its_words(alice: Vault, turn: Asked) -> None:  # noqa: F811
    http = Http(holder=alice.holder)
    for query in ("content=0", "content=false"):
        data = body_of(http.send("GET", f"turns/file?{query}"))
        assert verify(data, Trust()).verdict is Verdict.EVENTS_NOT_CHECKED
        assert not [said for said in (QUESTION, turn.answer, alice.values["kitchen"]) if said in data.decode()]
    assert QUESTION in body_of(http.send("GET", "turns/file")).decode()
    assert http.call("GET", "turns/file?content=perhaps").code == "validation"


def test_the_turn_s_page_leads_to_it_and_says_what_it_holds(alice: Vault, turn: Asked) -> None:  # noqa: F811
    page = signed_in(alice.holder).get(f"/chat/{turn.turn}").content.decode()
    assert f'href="/chat/{turn.turn}.conversation.jsonl"' in page and "Download this conversation" in page
    assert "whoever has it can read it and check it" in page


@pytest.mark.parametrize("path", ["turns/{}/file", "turns/file"])
def test_nobody_else_gets_it(
    alice: Vault,  # noqa: F811
    mallory: Vault,  # noqa: F811
    cook: Assistant,  # noqa: F811
    turn: Asked,
    path: str,
) -> None:
    give(cook, "kitchen")
    assert Http(cook.key).call("GET", path.format(turn.turn)).status == 403
    assert Http(holder=mallory.holder).call("GET", path.format(turn.turn)).status == 404
    assert Http().call("GET", path.format(turn.turn)).status == 401
    assert signed_in(mallory.holder).get(f"/chat/{turn.turn}.conversation.jsonl").status_code == 404


# ---------------------------------------------------------------- openings
def test_an_opening_opens_the_receipt_that_came_with_it_and_every_other_of_that_value(
    alice: Vault,  # noqa: F811
    cook: Assistant,  # noqa: F811
) -> None:
    give(cook, "kitchen")
    cook.read("kitchen")
    (read,) = alice.receipts(kind="value.read")
    sent = {"memories": [alice.mem("kitchen")], "openings": True}
    shown = Http(holder=alice.holder).call("POST", "memories/show", sent)
    (opening,) = shown["openings"]
    (receipt,) = alice.receipts(kind="value.shown")
    assert shown["first_seq"] == receipt.seq, "it is stamped as any look is"
    parsed = Opening.parse(json.dumps(opening).encode())
    assert parsed.commitment == (receipt.commitment or b"").hex() == (read.commitment or b"").hex()
    assert parsed.value == alice.values["kitchen"]


def test_of_another_version_it_opens_nothing(alice: Vault) -> None:  # noqa: F811
    (before,) = memories.show(alice.holder, [alice.ids["kitchen"]], openings=True).openings
    same = alice.values["kitchen"]
    assert memories.correct(alice.holder, alice.ids["kitchen"], value=same, label="In the kitchen", now=utc_now())
    (after,) = memories.show(alice.holder, [alice.ids["kitchen"]], openings=True).openings
    assert before["key"] != after["key"]
    commitments = [Opening.parse(json.dumps(each).encode()).commitment for each in (before, after)]
    assert commitments[0] != commitments[1], "of the same words"


def test_none_is_given_unasked(alice: Vault) -> None:  # noqa: F811
    shown = Http(holder=alice.holder).call("POST", "memories/show", {"memories": [alice.mem("kitchen")]})
    assert shown["openings"] == []
    assert all(each.opening is None for each in memories.show(alice.holder, [alice.ids["kitchen"]]).values)


def test_the_page_gives_it_as_a_file_and_by_a_press_alone(alice: Vault, mallory: Vault) -> None:  # noqa: F811
    path = f"/file/{alice.mem('pills')}/opening"
    browser = signed_in(alice.holder)
    assert browser.get(path).status_code == 405
    response = browser.post(path)
    assert response["Content-Disposition"] == f'attachment; filename="{alice.mem("pills")}.opening.json"'
    opening = Opening.parse(response.content)
    (receipt,) = alice.receipts(kind="value.shown")
    assert opening.commitment == (receipt.commitment or b"").hex()
    assert signed_in(mallory.holder).post(path).status_code == 404
    assert mallory.receipts(kind="value.shown") == ()


def test_an_attested_one_is_the_holder_s_to_open(alice: Vault) -> None:  # noqa: F811
    (opening,) = memories.show(alice.holder, [alice.ids["budget"]], openings=True).openings
    (receipt,) = alice.receipts(kind="value.shown")
    assert opening["attested"] is True
    assert Opening.parse(json.dumps(opening).encode()).commitment == (receipt.commitment or b"").hex()


def test_the_gate_opens_none_for_a_client(alice: Vault, cook: Assistant) -> None:  # noqa: F811
    """Not even where a value was stamped for it."""
    grant = give(cook, "kitchen")
    memory = memories.memory(alice.holder, alice.ids["kitchen"])
    assert memory
    plan = Plan(
        ReceiptKind.VALUE_READ,
        Authority("gra", grant.grant_id, grant.terms_version),
        (PlanItem(memory.memory_id, Form.VALUE, memory.version, memory.category, memory.state, memory.attested),),
        purpose=PURPOSE.value,
    )
    handle = gate.handle_for("test", cook.actor)
    assert gate.stamp(alice.id, cook.actor, cook.actor, handle, plan, "x").outcome == "stamped"
    with pytest.raises(gate.NotReleased, match="holder alone"):
        gate.take(alice.id, cook.actor, cook.actor, handle, openings=True)
    (taken,) = gate.take(alice.id, cook.actor, cook.actor, handle)
    assert taken.value == alice.values["kitchen"] and taken.opening is None
