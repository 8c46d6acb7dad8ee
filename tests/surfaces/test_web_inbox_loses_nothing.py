"""The inbox over the web: what was typed stays on the page until it is kept, and every no names what to do."""

import html
import re
from typing import Any
from uuid import UUID

import pytest

from apps.ledger.log import act
from apps.memories import services as memories
from apps.memories.services import linking, naming
from apps.memories.services.erasing import erase_within
from apps.policy.ids import typed, untyped
from apps.policy.links import Edge, EdgeKind, Entity, EntityKind
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Claim, Directive, ProposalStatus
from tests.drivers import Http
from tests.fixtures import Household
from tests.surfaces.web import Scene, browser, carded, furnish, text_of
from vault.clock import utc_now


@pytest.fixture
def scene(home: Household) -> Scene:
    return furnish(home)


def kitchen_of(scene: Scene) -> UUID:
    found = untyped("mem", scene.home.kitchen)
    assert found is not None
    return found


def corrected(scene: Scene, value: str = "An induction hob", **words: Any) -> Proposal:
    """A client's correction of the kitchen."""
    kitchen = kitchen_of(scene)
    made = memories.propose(
        scene.caller, now=utc_now(), known=[kitchen], directive=Directive.CORRECT, target=kitchen, value=value, **words
    )
    assert isinstance(made, Proposal), made
    return made


def rival(scene: Scene) -> Proposal:
    """What a client would add under the kitchen's subject."""
    kitchen = memories.memory(scene.holder, kitchen_of(scene))
    assert kitchen is not None
    made = memories.propose(
        scene.caller, now=utc_now(), label="Stove", value="A camp stove", subject=kitchen.subject, known=[]
    )
    assert isinstance(made, Proposal), made
    return made


def path(made: Proposal, deed: str) -> str:
    return f"/inbox/{typed('prp', made.proposal_id)}/{deed}"


def form(page: str, **typed_in: str) -> dict[str, str]:
    """The card of a page with one suggestion, as a browser would send it, with what was typed into it."""
    (card,) = re.findall(r'name="([0-9a-f]{32})_revision"', page)
    return fields_of(page, card, **typed_in)


def fields_of(page: str, card: str, **typed_in: str) -> dict[str, str]:
    """One card of a page."""
    sent = {"category": "ordinary"}
    for name in ("label", "subject", "shown", "was", "revision"):
        found = re.search(rf'name="{card}_{name}"[^>]*?value="([^"]*)"|value="([^"]*)"[^>]*?name="{card}_{name}"', page)
        if found:
            sent[name] = html.unescape(found[1] or found[2] or "")
    area = re.search(rf'<textarea name="{card}_value"[^>]*>\r?\n?(.*?)</textarea>', page, re.DOTALL)
    if area:
        sent["value"] = html.unescape(area[1])
    return carded(f"prp_{card}", **{**sent, "reason": "", **typed_in})


def looked(scene: Scene, client: Any, made: Proposal) -> str:
    return text_of(client.post("/inbox/show", {"proposal": typed("prp", made.proposal_id)}))


def says(scene: Scene, memory_id: UUID) -> str | None:
    return memories.show(scene.holder, [memory_id]).values[0].value


def test_an_edited_value_survives_a_file_that_changed_meanwhile(scene: Scene) -> None:
    client, made, kitchen = browser(scene.holder), corrected(scene), kitchen_of(scene)
    sent = form(looked(scene, client, made), value="Two induction hobs")
    memories.correct(scene.holder, kitchen, value="A gas hob", now=utc_now())
    answer = client.post(path(made, "approve"), sent)
    page = text_of(answer)
    assert answer.status_code == 409
    assert "Two induction hobs" in page and "A gas hob" in page
    assert "Put it to today’s file" in page
    page = text_of(client.post(path(made, "rebase"), form(page, value="Two induction hobs")))
    assert "Two induction hobs" in page and "Make it so" in page
    client.post(path(made, "approve"), form(page, value="Two induction hobs"))
    assert says(scene, kitchen) == "Two induction hobs"


def test_an_edited_value_survives_a_no_in_another_tab(scene: Scene) -> None:
    client, made = browser(scene.holder), corrected(scene)
    sent = form(looked(scene, client, made), value="Two induction hobs")
    memories.reject(scene.holder, made.proposal_id, utc_now())
    page = text_of(client.post(path(made, "approve"), sent))
    assert "Two induction hobs" in page and "decided before" in page


def test_approving_what_is_stale_names_both_ways_on(scene: Scene) -> None:
    client, made, kitchen = browser(scene.holder), corrected(scene), kitchen_of(scene)
    sent = form(looked(scene, client, made), value="An induction hob")
    memories.correct(scene.holder, kitchen, value="A gas hob", now=utc_now())
    page = text_of(client.post(path(made, "approve"), sent, follow=True))
    assert "Put it to today’s file to go on with it, or reject it." in page
    body = Http(holder=scene.holder).send(
        "POST", f"proposals/{typed('prp', made.proposal_id)}/decision", {"decision": "approve"}
    )
    told = body.json()
    assert (body.status_code, told["code"], told["next"]["action"]) == (409, "stale", "rebase")
    assert "Rebase it" in told["detail"] and "reject it" in told["detail"]


def test_undoing_what_was_changed_again_names_where_to_go(scene: Scene) -> None:
    client, made, kitchen = browser(scene.holder), corrected(scene), kitchen_of(scene)
    client.post(path(made, "approve"), form(looked(scene, client, made), value="An induction hob"))
    memories.correct(scene.holder, kitchen, value="A gas hob", now=utc_now())
    page = text_of(client.post(path(made, "undo"), follow=True))
    assert "its history takes back the version you mean" in page
    told = Http(holder=scene.holder).send("POST", "proposals/undo", {"proposal": typed("prp", made.proposal_id)}).json()
    assert (told["code"], told["next"]["action"]) == ("stale", "reaffirm")
    assert "Take back the version you mean" in told["detail"]


def test_a_reason_that_is_too_long_comes_back_with_all_else_that_was_typed(scene: Scene) -> None:
    client, made = browser(scene.holder), corrected(scene)
    reason = "because " * 70
    sent = form(looked(scene, client, made), value="Two induction hobs", reason=reason)
    answer = client.post(path(made, "reject"), sent)
    page = text_of(answer)
    assert answer.status_code == 400
    assert reason in page and "Two induction hobs" in page and "500" in page
    client.post(path(made, "reject"), {**sent, **carded(typed("prp", made.proposal_id), reason="It is gas")})
    found = memories.proposal(scene.holder, made.proposal_id)
    assert found is not None and (found.status, found.reason) == (ProposalStatus.REJECTED, "It is gas")


def test_both_are_kept_under_a_subject_typed_anew(scene: Scene) -> None:
    client, made, kitchen = browser(scene.holder), rival(scene), kitchen_of(scene)
    before = says(scene, kitchen)
    page = looked(scene, client, made)
    assert "Keep both, under another subject" in page
    client.post(path(made, "approve"), form(page, value="A camp stove", subject="camp.stove"))
    assert says(scene, kitchen) == before
    assert says(scene, made.memory_id) == "A camp stove"


def test_to_correct_under_another_subject_is_refused_beside_the_subject(scene: Scene) -> None:
    client, made, kitchen = browser(scene.holder), rival(scene), kitchen_of(scene)
    before = says(scene, kitchen)
    sent = form(looked(scene, client, made), value="A camp stove", subject="camp.stove")
    answer = client.post(path(made, "approve"), {**sent, "replaces": typed("mem", kitchen)})
    assert answer.status_code == 400
    assert "to keep both" in text_of(answer) and "camp.stove" in text_of(answer)
    assert says(scene, kitchen) == before


@pytest.mark.parametrize("claim", ["", next(iter(Claim)).value])
def test_local_and_confirm_only_on_a_correction_are_done_or_refused(scene: Scene, claim: str) -> None:
    client, made, kitchen = browser(scene.holder), corrected(scene, label="The hob"), kitchen_of(scene)
    sent = form(looked(scene, client, made), value="An induction hob", local_only="on")
    answer = client.post(path(made, "approve"), {**sent, **carded(typed("prp", made.proposal_id), claim=claim)})
    found = memories.memory(scene.holder, kitchen)
    assert found is not None
    assert found.local_only is not bool(claim)
    assert (found.label == "The hob") is not bool(claim)
    assert ("a correction can’t make it so" in text_of(answer)) is bool(claim)


def test_two_that_would_be_one_and_a_link_are_told_by_their_names(scene: Scene) -> None:
    holder, kitchen, budget = scene.holder, kitchen_of(scene), untyped("mem", scene.home.budget)
    assert budget is not None
    drawn = linking.draw(holder, EdgeKind.RELATES_TO, kitchen, budget, utc_now())
    assert not isinstance(drawn, Refused)
    for sent in (
        {"directive": Directive.MERGE, "target": kitchen, "other": budget},
        {"directive": Directive.RETRACT_EDGE, "target": drawn.edge_id},
    ):
        known = [kitchen, budget, drawn.edge_id]
        assert isinstance(memories.propose(scene.caller, now=utc_now(), known=known, **sent), Proposal)
    page = text_of(browser(holder).get("/inbox"))
    kept = {each.memory_id: each.label for each in memories.memories(holder)}
    assert f"{kept[kitchen]} would stay, {kept[budget]} would be part of it." in page
    assert f"{kept[kitchen]} → {kept[budget]}" in page or f"{kept[budget]} → {kept[kitchen]}" in page


def test_what_has_no_label_is_called_by_what_it_is_about(scene: Scene) -> None:
    holder, kitchen, client = scene.holder, kitchen_of(scene), browser(scene.holder)
    names = [naming.name(holder, EntityKind.PERSON, each, utc_now()) for each in ("Anna", "Ana")]
    anna, ana = (each.entity_id for each in names if isinstance(each, Entity))
    drawn = linking.draw(holder, EdgeKind.ABOUT, kitchen, ana, utc_now())
    assert isinstance(drawn, Edge)
    made = [
        memories.propose(scene.caller, now=utc_now(), known=[anna, ana, drawn.edge_id], **sent)
        for sent in (
            {"directive": Directive.MERGE, "target": anna, "other": ana},
            {"directive": Directive.RETRACT_EDGE, "target": drawn.edge_id},
        )
    ]
    ids = [typed("prp", each.proposal_id) for each in made if isinstance(each, Proposal)]
    for page in (text_of(client.get("/inbox")), text_of(client.post("/inbox/show", {"proposal": ids}))):
        assert page.count("<h2>Whom or what memories are about</h2>") == 2
        assert 'class="unseen">: </span>' not in page
    for each in ids:
        client.post(f"/inbox/{each}/reject")
    assert text_of(client.get("/inbox/decided")).count("<b>Whom or what memories are about</b>") == 2


@pytest.mark.parametrize("deed", ["rebase", "approve"])
def test_what_was_typed_survives_that_its_memory_is_kept_no_more(scene: Scene, deed: str) -> None:
    """Put away meanwhile, or erased: it can be kept as a memory of its own."""
    client, made, kitchen = browser(scene.holder), corrected(scene), kitchen_of(scene)
    sent = form(looked(scene, client, made), label="My hobs", value="Two induction hobs")
    if deed == "rebase":
        memories.put_away(scene.holder, kitchen, utc_now())
    else:
        with act(scene.holder.vault_id, scene.holder.actor) as erasing:
            erase_within(erasing, memories.facts_within(erasing, [kitchen], ()), utc_now())
    answer = client.post(path(made, deed), sent)
    page = text_of(answer)
    assert answer.status_code == 409
    assert "Two induction hobs" in page and "Keep it as a memory of its own" in page
    own = form(page, label="My hobs", value="Two induction hobs", subject="my.hobs")
    assert "Kept: My hobs." in text_of(client.post(path(made, "approve"), {**own, "own": "1"}, follow=True))
    (kept,) = [each for each in memories.memories(scene.holder) if each.subject == "my.hobs"]
    assert says(scene, kept.memory_id) == "Two induction hobs"
    told = Http(holder=scene.holder).send("POST", f"proposals/{typed('prp', made.proposal_id)}/rebase").json()
    assert (told["code"], told["status"]) == ("target-gone", 409)
    assert "POST /api/v1/memories" in told["detail"]


def test_what_would_change_something_gone_offers_no_way_that_is_closed(scene: Scene) -> None:
    client, made = browser(scene.holder), corrected(scene)
    memories.put_away(scene.holder, kitchen_of(scene), utc_now())
    listed = text_of(client.get("/inbox"))
    assert "What this would change is not in the file any more." in listed and "Discard it" in listed
    for page in (listed, looked(scene, client, made)):
        assert "Put it to today’s file" not in page and "Make it so" not in page


@pytest.mark.parametrize(
    ("day", "said"), [("2023-05-01", "Added to its history."), ("2099-01-01", "Kept for its day.")]
)
def test_what_joins_the_history_alone_is_said_to(scene: Scene, day: str, said: str) -> None:
    kitchen, now = kitchen_of(scene), utc_now()
    assert memories.correct(scene.holder, kitchen, value="A gas hob", now=now, changed=True, valid_from="2024-01-01")
    made = corrected(scene, changed=True, valid_from=day)
    client = browser(scene.holder)
    page = looked(scene, client, made)
    assert said in text_of(client.post(path(made, "approve"), form(page), follow=True))
    assert says(scene, kitchen) == "A gas hob"


def test_what_is_corrected_keeps_its_own_name_and_the_page_says_so(scene: Scene) -> None:
    client, made, kitchen = browser(scene.holder), rival(scene), kitchen_of(scene)
    before = memories.memory(scene.holder, kitchen)
    page = looked(scene, client, made)
    assert before is not None and f"what is kept stays “{before.label}”" in page
    sent = {**form(page, value="A camp stove"), "replaces": typed("mem", kitchen)}
    assert f"Kept: {before.label}." in text_of(client.post(path(made, "approve"), sent, follow=True))
    after = memories.memory(scene.holder, kitchen)
    assert after is not None and after.label == before.label and says(scene, kitchen) == "A camp stove"
