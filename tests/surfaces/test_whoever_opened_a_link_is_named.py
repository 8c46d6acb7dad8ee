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


def test_a_note_that_is_kept_says_by_whom_it_was_left_and_what_they_were_shown(
    home: Household, link: shares.Link
) -> None:
    (proposal,) = memories.proposals(home.holder)
    assert not isinstance(memories.approve(home.holder, proposal.proposal_id, now=utc_now()), Refused)
    note, mine, http = typed("mem", proposal.memory_id), browser(home.holder), home.as_holder().http
    found = http.call("GET", f"memories/{note}/provenance")
    assert (found["said_by"], found["said_by_name"], found["kept_by"]) == (
        link.recipient,
        link.name,
        home.holder.actor,
    )
    (suggested,) = [each["suggested"] for each in found["history"]]
    assert (suggested["link"], suggested["client"], suggested["client_name"]) == (link.recipient, None, link.name)
    (shown,) = found["lineage"]["made_from"]
    (left,) = http.call("GET", f"memories/{home.kitchen}/provenance")["lineage"]["made_into"]
    assert (shown["other"], left["other"]) == (home.kitchen, note)
    assert shown["left_by"] == left["left_by"] == link.recipient
    who = "Dr. &lt;b&gt;Silva&lt;/b&gt;, by a link"
    page = text_of(mine.get(f"/file/{note}/provenance"))
    assert f"shown to {who}, who left this as a note" in page
    assert f"left as a note by {who}" in page and "suggested by" not in page and "made from ·" not in page
    page = text_of(mine.get(f"/file/{home.kitchen}/provenance"))
    assert f"left as a note by {who}, who was shown this" in page and "was made from it" not in page
    drawn = http.call("GET", f"edges?of={note}")["edges"]
    assert [each["left_by"] for each in drawn] == [link.recipient]


def test_of_a_note_by_a_link_that_nobody_was_named_for_no_name_is_told(home: Household) -> None:
    kitchen = untyped("mem", home.kitchen)
    assert kitchen is not None
    made = shares.make(home.holder, [kitchen], utc_now())
    assert isinstance(made, shares.Made)
    done = shares.open_(made.links[0].token, utc_now())
    assert isinstance(done, shares.Opened)
    assert shares.leave_note(made.links[0].token, done.opening.opening_id, "Without salt.", utc_now()) == 2
    (proposal,) = memories.proposals(home.holder)
    assert not isinstance(memories.approve(home.holder, proposal.proposal_id, now=utc_now()), Refused)
    note = typed("mem", proposal.memory_id)
    found = home.as_holder().http.call("GET", f"memories/{note}/provenance")
    assert found["said_by_name"] is None and found["history"][0]["suggested"]["client_name"] is None
    page = text_of(browser(home.holder).get(f"/file/{note}/provenance"))
    assert "shown to whoever has a link that was shared, who left this as a note" in page


def test_what_an_assistant_made_of_what_it_was_handed_was_made_from_it(home: Household) -> None:
    wish = home.as_client().ask([home.kitchen])
    home.as_holder().decide(wish.request, {"ordinary": [home.kitchen]})
    home.as_client().read([home.kitchen])
    made = home.as_client().propose("Pans", "Two of them", derived_from=[home.kitchen])
    kept = home.as_holder().approve(made.proposal)
    (source,) = home.as_holder().http.call("GET", f"memories/{kept}/provenance")["lineage"]["made_from"]
    assert (source["other"], source["left_by"]) == (home.kitchen, None)
    page = text_of(browser(home.holder).get(f"/file/{kept}/provenance"))
    assert "made from · version 1 · since" in page and "left as a note" not in page and "suggested by" in page
