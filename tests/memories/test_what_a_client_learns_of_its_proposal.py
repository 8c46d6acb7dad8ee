"""Of what it suggested a client learns its status, and nothing of what the holder did with it besides."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from apps.memories import services as memories
from apps.policy.types import Proposal
from apps.policy.vocabulary import Directive
from tests.cast import Assistant, Vault
from tests.drivers import Http
from vault.clock import utc_now


def suggested(cook: Assistant, **words: Any) -> Proposal:
    named = [words["target"]] if "target" in words else []
    made = memories.propose(cook.caller, now=utc_now(), known=named, **words)
    assert isinstance(made, Proposal), made
    return made


def seen(cook: Assistant, proposal: Proposal) -> tuple[str, dict[str, Any]]:
    """What its client is answered: the ETag, and the body as it lists it too."""
    http = Http(key=cook.key)
    one = http.send("GET", f"proposals/prp_{proposal.proposal_id.hex}")
    listed = http.send("GET", "proposals").json()["items"]
    assert one.status_code == 200 and one.json() in listed
    return one.headers["ETag"], one.json()


def rebased(alice: Vault, proposal: Proposal) -> None:
    memories.correct(alice.holder, alice.ids["time"], value="An hour", now=utc_now())
    assert isinstance(memories.rebase(alice.holder, proposal.proposal_id, utc_now()), Proposal)


def undone(alice: Vault, proposal: Proposal) -> None:
    assert memories.undo(alice.holder, proposal.proposal_id, utc_now())


def lifted(alice: Vault, proposal: Proposal) -> None:
    assert isinstance(memories.lift(alice.holder, proposal.proposal_id, utc_now()), Proposal)


def nothing(alice: Vault, proposal: Proposal) -> None:
    """It waits."""


def approved(alice: Vault, proposal: Proposal) -> None:
    assert memories.approve(alice.holder, proposal.proposal_id, now=utc_now())


def rejected(alice: Vault, proposal: Proposal) -> None:
    assert memories.reject(alice.holder, proposal.proposal_id, utc_now())


Deed = Callable[[Vault, Proposal], None]


@pytest.mark.parametrize(("before", "deed"), [(nothing, rebased), (approved, undone), (rejected, lifted)])
def test_what_the_holder_does_without_deciding_leaves_no_trace(
    alice: Vault, cook: Assistant, before: Deed, deed: Deed
) -> None:
    made = suggested(cook, directive=Directive.CORRECT, target=alice.ids["time"], value="Forty minutes")
    before(alice, made)
    then = seen(cook, made)
    deed(alice, made)
    assert seen(cook, made) == then
    held = memories.proposal(alice.holder, made.proposal_id)
    assert held is not None and held.revision > made.revision, "the control: it moved for the holder"


def test_a_decision_is_a_new_revision_and_another_tag(alice: Vault, cook: Assistant) -> None:
    made = suggested(cook, label="City", value="Porto")
    tag, waits = seen(cook, made)
    approved(alice, made)
    after, done = seen(cook, made)
    assert (waits["revision"], done["revision"], done["status"]) == (1, 2, "approved")
    http = Http(key=cook.key)
    path = f"proposals/prp_{made.proposal_id.hex}"
    assert [http.send("GET", path, If_None_Match=each).status_code for each in (tag, after)] == [200, 304]


def test_approved_in_other_words_it_looks_as_approved_as_it_was(alice: Vault, cook: Assistant) -> None:
    plain, edited = suggested(cook, label="City", value="Porto"), suggested(cook, label="Town", value="Braga")
    memories.approve(alice.holder, plain.proposal_id, now=utc_now())
    memories.approve(alice.holder, edited.proposal_id, now=utc_now(), value="Evora")
    told = [seen(cook, each)[1] for each in (plain, edited)]
    own = {"id", "subject", "label", "made_at", "decided_at", "expires_at"}
    assert len({json.dumps({name: each[name] for name in set(each) - own}, sort_keys=True) for each in told}) == 1
