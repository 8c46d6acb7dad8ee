"""Guardians and delegates who may decide share too; of what is sealed from them they learn nothing by it."""

from dataclasses import replace

import pytest

from apps.access import services as access
from apps.erasure import services as erasure
from apps.mail.models import LetterRow
from apps.memories import services as memories
from apps.policy.erasing import Where
from apps.policy.ids import typed
from apps.policy.roles import Barred
from apps.policy.shares import Recipient
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Level, Refusal, Role
from apps.shares import services as shares
from apps.shares import tasks
from apps.turns import services as turns
from tests.cast import Vault
from tests.holders.people import acting, newcomer
from tests.shares.links import one, opened, shared
from vault.clock import utc_now


@pytest.fixture
def rosa(alice: Vault) -> Holder:
    """Who decides for Alice."""
    return acting(alice.holder, newcomer("Rosa"))


def test_who_decides_for_the_holder_shares_under_their_own_name(alice: Vault, rosa: Holder) -> None:
    made = shares.make(rosa, [alice.ids["time"]], utc_now())
    assert isinstance(made, shares.Made)
    assert opened(made.links[0].token).sender == rosa.name
    (receipt,) = alice.receipts(kind="share.made")
    assert (receipt.actor, receipt.on_behalf_of) == (rosa.actor, alice.holder.actor)
    assert [each.share.share_id for each in shares.shares(alice.holder, utc_now())] == [made.share.share_id]


def test_who_may_only_look_shares_nothing(alice: Vault) -> None:
    otto = acting(alice.holder, newcomer("Otto"), level=Level.VIEW)
    for deed in (
        lambda: shares.offered(otto),
        lambda: shares.make(otto, [alice.ids["time"]], utc_now()),
        lambda: shares.shares(otto, utc_now()),
    ):
        with pytest.raises(Barred):
            deed()


def test_what_is_sealed_from_them_is_neither_offered_nor_there(alice: Vault, rosa: Holder) -> None:
    whole, token = one(alice, "time", recipients=[Recipient("Dr. Silva")])
    mixed, both = one(alice, "time", "kitchen")
    opened(token)
    opened(both)
    memories.seal_from_guardians(alice.holder, alice.ids["time"], utc_now())
    assert alice.ids["time"] not in {each.memory_id for each in shares.offered(rosa)}
    assert shares.make(rosa, [alice.ids["time"]], utc_now()) == Refused(Refusal.NOT_FOUND, "/memories/0")
    (left,) = shares.shares(rosa, utc_now())
    assert left.share.share_id == mixed.share_id
    assert [each.memory_id for each in left.share.items] == [alice.ids["kitchen"]]
    assert [each.memory.memory_id for each in left.lines] == [alice.ids["kitchen"]]
    assert (left.share.opens, len(shares.openings(rosa, mixed.share_id))) == (1, 1), "it handed over something else too"
    assert shares.share(rosa, whole.share_id, utc_now()) is None
    assert shares.openings(rosa, whole.share_id) == ()
    assert shares.stop(rosa, whole.share_id, utc_now()) == Refused(Refusal.NOT_FOUND)
    assert len(shares.shares(alice.holder, utc_now())) == 2


def test_an_opening_that_handed_over_what_is_sealed_alone_is_not_there(alice: Vault, rosa: Holder) -> None:
    share, token = one(alice, "time", "kitchen")
    memories.put_away(alice.holder, alice.ids["kitchen"], utc_now())
    opened(token)
    memories.put_back(alice.holder, alice.ids["kitchen"], utc_now())
    memories.seal_from_guardians(alice.holder, alice.ids["time"], utc_now())
    (left,) = shares.shares(rosa, utc_now())
    assert (left.share.share_id, left.share.opens, shares.openings(rosa, share.share_id)) == (share.share_id, 0, ())


def test_no_letter_tells_them_of_it(alice: Vault, rosa: Holder) -> None:
    share, token = one(alice, "time")
    opened(token)
    memories.seal_from_guardians(alice.holder, alice.ids["time"], utc_now())
    tasks.tell.run()
    shares.stop(alice.holder, share.share_id, utc_now())
    to = set(LetterRow.objects.filter(vault_id=alice.id, letter__startswith="share").values_list("to_id", flat=True))
    assert to == {alice.holder.user_id}


def test_nor_does_their_ledger_even_when_it_is_erased_and_forgotten(alice: Vault, rosa: Holder) -> None:
    share, token = one(alice, "time")
    opened(token)
    shares.stop(alice.holder, share.share_id, utc_now())
    memories.seal_from_guardians(alice.holder, alice.ids["time"], utc_now())

    def told() -> list[str]:
        return [each.kind for each in turns.receipts(rosa, limit=200) if each.kind.startswith(("share.", "value.o"))]

    assert told() == []
    assert {each.kind for each in alice.receipts(object=typed("shr", share.share_id))} == {
        "share.made",
        "share.stopped",
        "value.opened",
    }
    erasure.order(alice.holder, Where(ids=frozenset({alice.ids["time"]})), utc_now())
    assert told() == []
    assert shares.shares(rosa, utc_now()) == ()


def test_a_note_by_a_link_to_what_is_sealed_alone_is_not_in_their_inbox(alice: Vault, rosa: Holder) -> None:
    for names in (("time",), ("time", "kitchen")):
        _, token = one(alice, *names, recipients=[Recipient("Dr. Silva")])
        opening = opened(token).opening.opening_id
        assert shares.leave_note(token, opening, f"About {' and '.join(names)}", utc_now()) == 2
    assert len(memories.proposals(rosa)) == 2
    memories.seal_from_guardians(alice.holder, alice.ids["time"], utc_now())
    (left,) = memories.proposals(rosa)
    assert left.lineage == (alice.ids["kitchen"],), "it was left by the other one, which says nothing of this"
    both = memories.proposals(alice.holder)
    assert [memories.proposal(rosa, each.proposal_id) is None for each in both] == [
        len(each.lineage) == 1 for each in both
    ]
    told = [each.kind for each in turns.receipts(rosa, limit=200)]
    assert (told.count("share.noted"), told.count("proposal.made")) == (1, 1)


def test_who_was_handed_it_says_by_which_link(alice: Vault) -> None:
    made = shared(alice, "time", "budget", recipients=[Recipient("Dr. Silva"), Recipient("Ana")])
    opened(made.links[0].token)
    found = turns.provenance(alice.holder, alice.ids["time"])
    assert found is not None
    assert [(found.clients[each.recipient], each.number) for each in found.recipients] == [("Dr. Silva", 1)]
    told = turns.disclosures(alice.holder, utc_now())
    assert [(each.recipient_name, each.basis, each.description) for each in told] == [
        ("Dr. Silva", "shared", "An ordinary memory"),
        ("Dr. Silva", "shared", "An ordinary memory, confirmed without its value"),
    ]
    assert [each.basis for each in access.disclosures(alice.holder, utc_now())] == ["shared", "shared"]


def test_a_role_that_is_not_there_to_share_does_not(alice: Vault) -> None:
    for role, level in ((Role.EMERGENCY, Level.VIEW), (Role.REVIEWER, Level.DECIDE), (Role.ADMIN, Level.DECIDE)):
        with pytest.raises(Barred):
            shares.shares(replace(alice.holder, role=role, level=level), utc_now())
