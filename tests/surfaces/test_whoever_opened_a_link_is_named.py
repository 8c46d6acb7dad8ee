"""What was opened by a link, and a note that was left by one, bear the recipient's name wherever the holder looks."""

import pytest

from apps.ledger import services as ledger
from apps.memories import services as memories
from apps.policy.ids import typed, untyped
from apps.policy.shares import Recipient
from apps.policy.types import Refused
from apps.shares import services as shares
from tests.fixtures import Household
from tests.surfaces.web import browser, text_of
from vault.clock import utc_now


@pytest.fixture
def link(home: Household) -> shares.Link:
    """A link that Dr. Silva opened, and left a note by; and the memory is in the file by now."""
    kitchen = untyped("mem", home.kitchen)
    assert kitchen is not None
    made = shares.make(home.holder, [kitchen], utc_now(), recipients=[Recipient("Dr. <b>Silva</b>")])
    assert isinstance(made, shares.Made)
    (link,) = made.links
    done = shares.open_(link.token, utc_now())
    assert isinstance(done, shares.Opened)
    assert shares.leave_note(link.token, done.opening.opening_id, "Without salt, for a week.", utc_now()) == 2
    return link.link


def test_on_the_pages(home: Household, link: shares.Link) -> None:
    mine = browser(home.holder)
    for path in ("/inbox", "/ledger", f"/file/{home.kitchen}/provenance"):
        page = text_of(mine.get(path))
        assert "Dr. &lt;b&gt;Silva&lt;/b&gt;" in page and "<b>Silva</b>" not in page, path
    ledger_page = text_of(mine.get("/ledger"))
    assert "opened by a link you shared" in ledger_page and "left by whoever opened a link" in ledger_page
    (proposal,) = memories.proposals(home.holder)
    kept = memories.approve(home.holder, proposal.proposal_id, now=utc_now())
    assert not isinstance(kept, Refused)
    page = text_of(mine.get(f"/file/{typed('mem', proposal.memory_id)}/provenance"))
    assert "Dr. &lt;b&gt;Silva&lt;/b&gt;, by a link" in page
    for path in ("/inbox/decided", f"/file/{typed('mem', proposal.memory_id)}"):
        assert "Silva" in text_of(mine.get(path)), path


def test_over_rest(home: Household, link: shares.Link) -> None:
    http = home.as_holder().http
    (proposal,) = http.call("GET", "proposals?status=pending")["items"]
    assert (proposal["client"], proposal["link"]) == (None, link.recipient)
    found = http.call("GET", f"memories/{home.kitchen}/provenance")
    assert [(each["recipient"], each["name"]) for each in found["recipients"]] == [(link.recipient, link.name)]
    (told,) = http.call("GET", "ledger/disclosures")["items"]
    assert (told["recipient_name"], told["basis"]) == (link.name, "shared")


def test_one_that_nobody_was_named_for_is_a_link(home: Household) -> None:
    kitchen = untyped("mem", home.kitchen)
    assert kitchen is not None
    made = shares.make(home.holder, [kitchen], utc_now())
    assert isinstance(made, shares.Made)
    assert isinstance(shares.open_(made.links[0].token, utc_now()), shares.Opened)
    assert "whoever has a link that was shared" in text_of(browser(home.holder).get("/ledger"))
    (told,) = home.as_holder().http.call("GET", "ledger/disclosures")["items"]
    assert told["recipient_name"] == "Whoever had a link that was shared"
    assert ledger.verify(home.holder.vault_id, home.holder.actor).problems == ()
