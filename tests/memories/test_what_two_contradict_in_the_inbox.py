"""What two assistants contradicted, in the inbox: what is said of it is true also once they were turned down."""

from apps.memories import services as memories
from apps.policy.ids import typed
from tests.cast import Assistant, Vault
from tests.memories.test_proposals_decided import correct
from tests.surfaces.web import browser, text_of
from vault.clock import utc_now

STILL, NONE = "What says otherwise waits below.", "Nothing that says otherwise waits any more."


def test_it_is_settled_in_a_press_when_nothing_that_says_otherwise_waits_any_more(
    alice: Vault, cook: Assistant, clinic: Assistant
) -> None:
    kitchen, client = alice.ids["kitchen"], browser(alice.holder)
    made = [correct(each, kitchen, "A wood stove") for each in (cook, clinic)]
    page = text_of(client.get("/inbox"))
    assert STILL in page and NONE not in page
    for each in made:
        client.post(f"/inbox/{typed('prp', each.proposal_id)}/reject")
    page = text_of(client.get("/inbox"))
    assert NONE in page and STILL not in page
    resolve = f"/file/{typed('mem', kitchen)}/resolve"
    assert f'action="{resolve}"' in page
    client.post(resolve)
    assert memories.reopened(alice.holder) == ()
    assert NONE not in text_of(client.get("/inbox"))


def test_and_what_waits_for_its_decision_is_said_to(alice: Vault, cook: Assistant, clinic: Assistant) -> None:
    kitchen, client = alice.ids["kitchen"], browser(alice.holder)
    first, second = (correct(each, kitchen, "A wood stove") for each in (cook, clinic))
    memories.reject(alice.holder, first.proposal_id, utc_now())
    assert STILL in text_of(client.get("/inbox"))
    memories.reject(alice.holder, second.proposal_id, utc_now())
    assert NONE in text_of(client.get("/inbox"))
