"""A suggestion that two are one: a yes makes them one, and is given to the two as they were looked at."""

from apps.memories import services as memories
from apps.memories.services import merging, naming
from apps.policy.links import EntityKind, What
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Directive, Refusal, State
from tests.cast import Assistant, Vault
from tests.memories.proposing import made
from vault.clock import utc_now


def approve(alice: Vault, suggested: Proposal) -> memories.Approved | Refused:
    return memories.approve(alice.holder, suggested.proposal_id, now=utc_now())


def state(of: Vault, name: str) -> State:
    found = memories.memory(of.holder, of.ids[name])
    assert found is not None
    return found.state


def test_two_entities_become_one_by_a_yes(alice: Vault, cook: Assistant) -> None:
    one, other = (naming.name(alice.holder, EntityKind.PERSON, each, utc_now()) for each in ("Anna", "Ana"))
    suggested = made(cook, directive=Directive.MERGE, target=one.entity_id, other=other.entity_id)
    assert approve(alice, suggested)
    assert [each.what for each in merging.merges(alice.holder)] == [What.ENTITY]


def test_a_merge_of_what_changed_meanwhile_is_stale_until_it_is_rebased(alice: Vault, cook: Assistant) -> None:
    suggested = made(cook, directive=Directive.MERGE, target=alice.ids["time"], other=alice.ids["dislikes"])
    memories.correct(alice.holder, alice.ids["dislikes"], value="Nothing at all", now=utc_now())
    (card,) = memories.beside(alice.holder, [suggested])
    assert card.stale
    assert approve(alice, suggested) == Refused(Refusal.STALE) and state(alice, "dislikes") is State.APPROVED
    rebased = memories.rebase(alice.holder, suggested.proposal_id, utc_now())
    assert isinstance(rebased, Proposal) and not memories.beside(alice.holder, [rebased])[0].stale
    assert approve(alice, suggested)
    assert state(alice, "dislikes") is State.MERGED
