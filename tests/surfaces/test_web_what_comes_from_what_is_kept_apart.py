"""A suggestion that comes from what is kept apart or at home stays so on the page, unless the holder says no; and what
was written meanwhile is shown before it is kept.
"""

import re

import pytest

from apps.memories import services as memories
from apps.policy.ids import typed
from apps.policy.types import Memory, Proposal
from apps.policy.vocabulary import Category, Claim, Directive
from tests.fixtures import Household
from tests.surfaces.test_web_inbox_loses_nothing import form, looked, path
from tests.surfaces.web import Scene, browser, carded, furnish, text_of
from vault.clock import utc_now

SAID, OTHERWISE = "The flat rent is 900 euros", "The flat rent is 950 euros"


@pytest.fixture
def scene(home: Household) -> Scene:
    return furnish(home)


def kept(scene: Scene, **words: object) -> Memory:
    made = memories.add(scene.holder, **{"label": "Kept", "value": SAID, "now": utc_now(), **words})  # type: ignore[arg-type]
    assert isinstance(made, Memory), made
    return made


def suggested(scene: Scene, value: str = SAID, **words: object) -> Proposal:
    given = {"label": "A note", "value": value, "subject": "notes.one", "now": utc_now(), **words}
    made = memories.propose(scene.caller, **given)  # type: ignore[arg-type]
    assert isinstance(made, Proposal), made
    return made


def filled(page: str, made: Proposal) -> dict[str, str]:
    """What the card was filled with, as a browser sends it along."""
    card = made.proposal_id.hex
    chosen = re.search(rf'<select name="{card}_category".*?<option value="([^"]*)" selected', page, re.DOTALL)
    hidden = re.search(rf'<input[^>]*name="{card}_close"[^>]*>', page)
    tick = re.search(rf'<input[^>]*name="{card}_local_only"[^>]*>', page)
    assert chosen and hidden and tick, page
    return {
        "category": chosen[1],
        "close": "on" if 'value="on"' in hidden[0] else "",
        "local_only": "on" if "checked" in tick[0] else "",
    }


def became(scene: Scene, made: Proposal) -> Memory:
    found = memories.memory(scene.holder, made.memory_id)
    assert found is not None
    return found


def test_as_it_stands_on_the_page_it_is_of_the_category_that_it_comes_from(scene: Scene) -> None:
    kept(scene, category=Category.HEALTH)
    client, made = browser(scene.holder), suggested(scene)
    page = looked(scene, client, made)
    assert "What says the same, and is kept apart" in page
    client.post(path(made, "approve"), form(page, value=SAID, **filled(page, made)))
    assert became(scene, made).category is Category.HEALTH


def test_who_chooses_otherwise_means_it(scene: Scene) -> None:
    kept(scene, category=Category.HEALTH, local_only=True)
    client, made = browser(scene.holder), suggested(scene)
    page = looked(scene, client, made)
    chosen = {**filled(page, made), "category": "ordinary", "local_only": ""}
    client.post(path(made, "approve"), form(page, value=SAID, **chosen))
    found = became(scene, made)
    assert (found.category, found.local_only) == (Category.ORDINARY, False)


def test_as_it_stands_on_the_page_it_stays_at_home(scene: Scene) -> None:
    kept(scene, local_only=True)
    client, made = browser(scene.holder), suggested(scene)
    page = looked(scene, client, made)
    client.post(path(made, "approve"), form(page, value=SAID, **filled(page, made)))
    assert became(scene, made).local_only


def test_what_was_written_meanwhile_is_shown_first_and_nothing_slips_through(scene: Scene) -> None:
    client, made = browser(scene.holder), suggested(scene)
    page = looked(scene, client, made)
    kept(scene, category=Category.HEALTH, local_only=True)
    answer = client.post(path(made, "approve"), form(page, value=SAID))
    assert answer.status_code == 409 and "Look at both" in text_of(answer)
    again = answer.content.decode()
    client.post(path(made, "approve"), form(again, value=SAID, **filled(again, made)))
    found = became(scene, made)
    assert (found.category, found.local_only) == (Category.HEALTH, True)


def test_a_correction_of_what_is_attested_asks_to_be_confirmed(scene: Scene) -> None:
    budget = kept(scene, claim=Claim.BUDGET).memory_id
    client = browser(scene.holder)
    words = {"directive": Directive.CORRECT, "target": budget, "known": [budget], "label": "", "subject": ""}
    made = suggested(scene, OTHERWISE, **words)
    page = looked(scene, client, made)
    answer = client.post(path(made, "approve"), form(page, value=OTHERWISE))
    assert answer.status_code == 400 and "you confirm the new value" in text_of(answer)
    sent = {**form(page, value=OTHERWISE), **carded(typed("prp", made.proposal_id), claim="budget")}
    client.post(path(made, "approve"), sent)
    found = memories.memory(scene.holder, budget)
    assert found is not None and (found.version, found.claim) == (2, Claim.BUDGET)
