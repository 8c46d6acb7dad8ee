"""The inbox over REST goes on behind any number: page by page, newest first, each once."""

from apps.access import services as access
from apps.policy.ids import typed
from apps.policy.types import Proposal
from tests.cast import Assistant, Vault
from tests.drivers import Http
from vault.clock import utc_now

MANY = 7


def test_page_by_page_each_is_there_once(alice: Vault, cook: Assistant) -> None:
    made = []
    for number in range(MANY):
        one = access.propose(
            cook.caller, derived_from=[], label=f"Plate {number}", value=f"Plate number {number}", now=utc_now()
        )
        assert isinstance(one, Proposal)
        made.append(typed("prp", one.proposal_id))
    holder, seen, cursor = Http(holder=alice.holder), [], ""
    for _ in range(MANY):
        body = holder.call("GET", f"proposals?limit=3{cursor}")
        seen += [each["id"] for each in body["items"]]
        if body["next_cursor"] is None:
            break
        cursor = f"&cursor={body['next_cursor']}"
    assert seen == made[::-1]


def test_a_cursor_that_leads_nowhere_is_said_to(alice: Vault) -> None:
    holder = Http(holder=alice.holder)
    for cursor in ("prp_" + "0" * 32, "nonsense"):
        assert holder.call("GET", f"proposals?cursor={cursor}").code == "validation"
