"""A suggestion that the holder keeps is sealed from guardians from the first moment, where they say so with their yes.

Protects a child who would keep to themself what an assistant suggests from a moment in which it stands in their file.
"""

from typing import Any
from uuid import UUID

import psycopg
import pytest

from apps.access import services as access
from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.ids import typed, untyped
from apps.policy.roles import Barred
from apps.policy.text import TextProblem
from apps.policy.types import Caller, Holder, Proposal
from apps.policy.vocabulary import Category, Directive, ProposalStatus, Role, State
from apps.turns import services as turns
from tests.cast import admin  # noqa: F401  (a fixture)
from tests.drivers import Http, No
from tests.fixtures import Household
from tests.holders.people import acting, newcomer
from tests.surfaces.web import browser, carded, text_of
from vault.clock import utc_now

DIARY = "Sam lives above the marmalade shop"
TICKED = "Seal it from guardians"


@pytest.fixture
def caller(home: Household) -> Caller:
    found = access.authenticate(home.key, utc_now())
    assert found is not None
    return found


@pytest.fixture
def guardian(home: Household) -> Holder:
    return acting(home.holder, newcomer("Rosa"), Role.GUARDIAN)


def kitchen_of(home: Household) -> UUID:
    found = untyped("mem", home.kitchen)
    assert found is not None
    return found


def suggested(caller: Caller, **words: Any) -> Proposal:
    sent = {"label": "Sam", "value": DIARY, "subject": "people.sam"}
    made = memories.propose(caller, now=utc_now(), **{**sent, **words})
    assert isinstance(made, Proposal), made
    return made


def corrected(caller: Caller, target: UUID) -> Proposal:
    words = {"directive": Directive.CORRECT, "target": target, "value": "A gas hob"}
    made = memories.propose(caller, now=utc_now(), known=[target], **words)
    assert isinstance(made, Proposal), made
    return made


def path(made: Proposal) -> str:
    return f"proposals/{typed('prp', made.proposal_id)}/decision"


def found_by(home: Household) -> set[str]:
    """What an assistant is offered, and what search finds."""
    asked = turns.ask(home.holder, "Where does Sam live, above the marmalade shop?", utc_now())
    offered = {each.memory for each in home.as_client().subjects()}
    return offered | {typed("mem", each.memory_id) for each in asked.items}


@pytest.mark.parametrize("words", [{}, {"value": f"{DIARY}, with his cat"}, {"category": "health"}, {"label": "S."}])
def test_it_is_sealed_from_the_first_moment_and_leaves_a_guardian_nothing(
    home: Household,
    caller: Caller,
    guardian: Holder,
    admin: psycopg.Connection[Any],  # noqa: F811
    words: dict[str, str],
) -> None:
    made, mine = suggested(caller), Http(holder=home.holder)
    rosa, seat = Http(holder=guardian), {"Muniment_Seat": typed("vlt", guardian.vault_id)}
    before = len(turns.receipts(guardian, limit=500))
    sent = {"decision": "approve", "sealed": True, **words}
    done = mine.call("POST", path(made), sent)
    assert (done["proposal"]["status"], done["memory"]["state"]) == ("approved", State.SEALED.value)
    assert mine.call("POST", path(made), sent)["memory"]["id"] == done["memory"]["id"], "the same yes again"
    assert mine.call("POST", path(made), {"decision": "approve", **words}).code == "already-decided"
    kept = done["memory"]["id"]
    shown = mine.call("POST", "memories/show", {"memories": [kept]})["values"]
    assert [each["value"] for each in shown] == [words.get("value", DIARY)]
    for there in (f"proposals/{typed('prp', made.proposal_id)}", f"memories/{kept}"):
        assert rosa.call("GET", there, **seat) == No("not-found", 404)
    assert kept not in str(rosa.call("GET", "memories?limit=100", **seat))
    assert memories.decided(guardian) == () and memories.undoable(guardian, utc_now()).found == ()
    assert len(turns.receipts(guardian, limit=500)) < before, "nor that it was ever suggested"
    assert kept not in found_by(home)
    for table in ("search_term", "search_doc", "search_candidate"):
        rows = admin.execute(f"SELECT 1 FROM sealed.{table} WHERE memory_id = %s", [made.memory_id])
        assert rows.fetchall() == []


def test_put_back_it_is_there_for_all(home: Household, caller: Caller, guardian: Holder) -> None:
    made = suggested(caller)
    done = memories.approve(home.holder, made.proposal_id, now=utc_now(), sealed=True)
    assert isinstance(done, memories.Approved) and done.memory is not None
    assert not done.proposal.edited, "its words are the assistant's"
    assert memories.memory(guardian, done.memory.memory_id) is None
    memories.put_back(home.holder, done.memory.memory_id, utc_now())
    assert memories.memory(guardian, done.memory.memory_id) is not None


def test_it_takes_no_subject_from_what_lives_there(home: Household, caller: Caller) -> None:
    living = memories.memory(home.holder, kitchen_of(home))
    assert living is not None
    made = suggested(caller, subject=living.subject)
    done = memories.approve(home.holder, made.proposal_id, now=utc_now(), sealed=True)
    assert isinstance(done, memories.Approved) and done.memory is not None
    assert (done.memory.subject, done.memory.state) == (living.subject, State.SEALED)


@pytest.mark.parametrize("role", [Role.GUARDIAN, Role.DELEGATE])
def test_who_acts_for_the_holder_may_not(home: Household, caller: Caller, role: Role) -> None:
    made, seat = suggested(caller), acting(home.holder, newcomer("Rosa"), role)
    with pytest.raises(Barred):
        memories.approve(seat, made.proposal_id, now=utc_now(), sealed=True)
    sent, header = {"decision": "approve", "sealed": True}, {"Muniment_Seat": typed("vlt", seat.vault_id)}
    assert Http(holder=seat).call("POST", path(made), sent, **header) == No("not-yours-to-decide", 403)
    waits = memories.proposal(home.holder, made.proposal_id)
    assert waits is not None and waits.status is ProposalStatus.PENDING


@pytest.mark.parametrize("replaced", [True, False])
def test_a_correction_does_not_take_it_and_says_so_by_name(home: Household, caller: Caller, replaced: bool) -> None:
    kitchen = kitchen_of(home)
    living = memories.memory(home.holder, kitchen)
    assert living is not None
    made = suggested(caller, subject=living.subject) if replaced else corrected(caller, kitchen)
    words = {"replaces": kitchen} if replaced else {}
    with pytest.raises(TextProblem) as told:
        memories.approve(home.holder, made.proposal_id, now=utc_now(), sealed=True, **words)
    assert told.value.field == "sealed"
    sent = {"decision": "approve", "sealed": True, **({"replaces": home.kitchen} if replaced else {})}
    answer = Http(holder=home.holder).send("POST", path(made), sent).json()
    assert [each["pointer"] for each in answer["errors"]] == ["/sealed"]
    assert memories.memory(home.holder, kitchen) == living


def test_nor_do_a_rejection_and_many_at_once(home: Household, caller: Caller) -> None:
    made, mine = suggested(caller), Http(holder=home.holder)
    assert mine.call("POST", path(made), {"decision": "reject", "sealed": True}).code == "validation"
    items = [{"proposal": typed("prp", made.proposal_id), "revision": 1}]
    many = {"decision": "approve", "items": items, "sealed": True}
    assert mine.call("POST", "proposals/decisions", many).code == "validation"


# ---------------------------------------------------------------- on the card
def card_of(home: Household, made: Proposal, **typed_in: str) -> dict[str, str]:
    name = typed("prp", made.proposal_id)
    given = {"label": made.label, "subject": made.subject, "value": DIARY, "category": "ordinary", **typed_in}
    return carded(name, revision="1", was=Category.ORDINARY.value, **given)


def deed(made: Proposal, what: str) -> str:
    return f"/inbox/{typed('prp', made.proposal_id)}/{what}"


def test_its_card_offers_it_to_the_holder_and_to_nobody_else(home: Household, caller: Caller, guardian: Holder) -> None:
    made, kitchen = suggested(caller), kitchen_of(home)
    shown = {"proposal": typed("prp", made.proposal_id)}
    client = browser(home.holder)
    assert TICKED in text_of(client.post("/inbox/show", shown))
    correction = {"proposal": typed("prp", corrected(caller, kitchen).proposal_id)}
    assert TICKED not in text_of(client.post("/inbox/show", correction))
    seated, own = browser(guardian), holders.holder(guardian.user_id)
    assert own is not None
    here = typed("vlt", guardian.vault_id)
    seated.post("/people/seat", {"to": here, "seat": typed("vlt", own.vault_id)})
    page = text_of(seated.post("/inbox/show", {**shown, "seat": here}))
    assert "Sam" in page and TICKED not in page
    answer = client.post(deed(made, "approve"), card_of(home, made, sealed="on"), follow=True)
    assert "Kept: Sam." in text_of(answer)
    kept = memories.memory(home.holder, made.memory_id)
    assert kept is not None and kept.state is State.SEALED


def test_it_stays_ticked_where_it_was_decided_meanwhile(home: Household, caller: Caller) -> None:
    made, client = suggested(caller), browser(home.holder)
    memories.reject(home.holder, made.proposal_id, utc_now())
    sent = card_of(home, made, sealed="on", local_only="on")
    page = text_of(client.post(deed(made, "approve"), sent))
    card = made.proposal_id.hex
    for name in ("sealed", "local_only"):
        field = page.partition(f'name="{card}_{name}"')[2].partition(">")[0]
        assert "checked" in field
    client.post(deed(made, "approve"), {**sent, "own": "1"})
    (kept,) = [each for each in memories.memories(home.holder) if each.label == "Sam"]
    assert (kept.state, kept.local_only) == (State.SEALED, True)


def test_one_that_is_ticked_is_not_kept_among_all(home: Household, caller: Caller) -> None:
    ticked, plain = suggested(caller), suggested(caller, label="Ana", subject="people.ana", value="Ana sings")
    client = browser(home.holder)
    shown = {"proposal": [typed("prp", each.proposal_id) for each in (ticked, plain)]}
    page = text_of(client.post("/inbox/show", shown))
    reviewed = page.partition('name="reviewed"')[2].partition('value="')[2].partition('"')[0]
    client.post("/inbox/approve", {"reviewed": reviewed, **card_of(home, ticked, sealed="on")})
    assert {each.label for each in memories.proposals(home.holder)} == {"Sam"}
