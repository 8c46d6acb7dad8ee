"""A yes to a suggestion to erase certifies what is so; where something was made from it, the erasure is ordered."""

import json

import pytest

from apps.erasure import services as erasure
from apps.memories import services as memories
from apps.memories.services import linking
from apps.policy.erasing import Basis, Derived, Order, Where
from apps.policy.links import EdgeKind
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Directive, Refusal, Role
from tests.cast import Assistant, Vault
from tests.holders.people import acting, newcomer
from vault.clock import utc_now


def suggested(by: Assistant, vault: Vault, name: str) -> Proposal:
    """A suggestion to erase this memory."""
    target = vault.ids[name]
    made = memories.propose(by.caller, directive=Directive.ERASE, target=target, known=[target], now=utc_now())
    assert isinstance(made, Proposal), made
    return made


def certified(vault: Vault) -> dict[str, object]:
    """What the certificate of the vault's newest order says."""
    newest, *_ = erasure.orders(vault.holder)
    said: dict[str, object] = json.loads(newest.certificate)
    return said


def test_its_certificate_counts_what_says_the_same(alice: Vault, cook: Assistant) -> None:
    alice.keep("again", alice.values["time"])
    assert not isinstance(
        memories.approve(alice.holder, suggested(cook, alice, "time").proposal_id, now=utc_now()), Refused
    )
    said = certified(alice)
    assert (said["basis"], said["derived"], said["kept"], said["still_held"]) == (Basis.PROPOSAL.value, "keep", 0, 1)


@pytest.mark.parametrize("made", ["derived", "suggested"])
def test_where_something_was_made_from_it_nothing_goes_until_it_is_said_what_becomes_of_that(
    alice: Vault, cook: Assistant, made: str
) -> None:
    source, other = alice.ids["kitchen"], alice.ids["dislikes"]
    wish = suggested(cook, alice, "kitchen")
    if made == "derived":
        linking.draw(alice.holder, EdgeKind.DERIVED_FROM, other, source, utc_now())
    else:
        correction = memories.propose(
            cook.caller,
            directive=Directive.CORRECT,
            target=other,
            value="Other words",
            lineage=[source],
            known=[other, source],
            now=utc_now(),
        )
        assert isinstance(correction, Proposal)
    no = memories.approve(alice.holder, wish.proposal_id, now=utc_now())
    assert no == Refused(Refusal.LINEAGE_CHOICE)
    assert memories.memory(alice.holder, source) is not None
    done = erasure.order(alice.holder, Where(ids=frozenset({source})), utc_now(), derived=Derived.KEEP)
    assert isinstance(done, Order) and certified(alice)["kept"] == (1 if made == "derived" else 0)
    waiting = memories.proposal(alice.holder, wish.proposal_id)
    assert waiting is None or waiting.status.value == "withdrawn"


def test_a_guardian_is_not_told_of_what_is_sealed_from_them_and_the_certificate_counts_it(
    alice: Vault, cook: Assistant
) -> None:
    seat = acting(alice.holder, newcomer("Rosa"), Role.GUARDIAN)
    hidden = alice.keep("hidden", alice.values["time"], sealed=True)
    linking.draw(alice.holder, EdgeKind.DERIVED_FROM, hidden, alice.ids["time"], utc_now())
    done = memories.approve(seat, suggested(cook, alice, "time").proposal_id, now=utc_now())
    assert not isinstance(done, Refused)
    assert certified(alice)["kept"] == 1
