"""A space's admins settle what holds in it: whole, from the version they saw, with a receipt that is bound to it."""

import json
from dataclasses import fields, replace
from hashlib import sha256

import pytest
from django.db import connections
from django.test.utils import CaptureQueriesContext

from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.policy.ids import typed
from apps.policy.people import SpacePolicy, actor
from apps.policy.text import TextProblem
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Category, Refusal, Role
from tests.clinics import Clinic
from tests.holders.people import newcomer, settle, space_of
from tests.threads import at_once
from vault.clock import utc_now


@pytest.fixture
def rosa(live: None) -> Holder:
    return newcomer("Rosa")


def written(person: Holder) -> list[tuple[str, str | None]]:
    """The acts of settling in a person's household, oldest first, with what each is bound to."""
    found = ledger.receipts(space_of(person), "sys_clock", kind="space.settled")
    return [(each.actor, each.commitment.hex() if each.commitment else None) for each in reversed(found)]


def test_each_policy_that_stood_is_kept_as_the_bytes_that_its_receipt_is_bound_to(rosa: Holder) -> None:
    for days in (30, 60):
        settle(rosa, lapse_days=days)
    stood = holders.policies(rosa.user_id, space_of(rosa))
    assert [each.version for each in stood] == [3, 2]
    assert [json.loads(each.text)["lapse_days"] for each in stood] == [60, 30]
    by = actor(Role.ADMIN, rosa.user_id)
    assert written(rosa) == [(by, sha256(each.text.encode()).hexdigest()) for each in reversed(stood)]
    assert [each.digest.hex() for each in reversed(stood)] == [each for _, each in written(rosa)]
    assert holders.space_policy(space_of(rosa)) == holders.policy(rosa.vault_id)
    assert ledger.verify(space_of(rosa), "sys_clock")


def test_its_bytes_are_one_form_that_says_every_field(casa: Clinic) -> None:
    lead = casa.rita.user_id
    settle(casa.admin, casa.space_id, notice="Größe\nzwei", privacy_lead=lead)
    (stood,) = holders.policies(casa.admin.user_id, casa.space_id)
    read = json.loads(stood.text)
    assert stood.text == json.dumps(read, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert read["v"] == "muniment-policy/1"
    assert {each.name for each in fields(SpacePolicy)} == set(read) - {"v", "space"}
    assert (read["space"], read["privacy_lead"]) == (typed("spc", casa.space_id), typed("usr", lead))
    assert read["review_categories"] == [each.value for each in Category if each.special]
    assert read["tiers"][1] == {"from_years": 13, "guardian": "view"}


def test_what_changes_nothing_and_what_may_not_be_settled_is_no_act(rosa: Holder) -> None:
    settle(rosa)
    with pytest.raises(TextProblem):
        settle(rosa, lapse_days=1)
    assert written(rosa) == []
    assert holders.space_policy(space_of(rosa)).version == 1


def test_of_two_who_settle_at_once_one_is_told_that_it_moved(rosa: Holder) -> None:
    space = space_of(rosa)
    seen = holders.space_policy(space)
    wishes = [replace(seen, lapse_days=days) for days in (30, 40, 50)]
    done = at_once([lambda wish=each: holders.settle(rosa.user_id, space, wish, utc_now()) for each in wishes])  # type: ignore[misc]
    assert [each for each in done if isinstance(each, Refused)] == [Refused(Refusal.STALE)] * 2
    assert len(written(rosa)) == 1
    assert holders.space_policy(space) in done


def test_nobody_but_an_admin_settles_or_looks(casa: Clinic, rosa: Holder) -> None:
    seen = holders.space_policy(casa.space_id)
    wish = replace(seen, lapse_days=30)
    casa.joined(rosa, Role.HOLDER)
    for person in (rosa, casa.rita, newcomer("Otto")):
        assert holders.settle(person.user_id, casa.space_id, wish, utc_now()) == Refused(Refusal.NOT_FOUND)
        assert holders.policies(person.user_id, casa.space_id) == ()
        assert holders.space_ledger(person.user_id, casa.space_id, limit=9) == Refused(Refusal.NOT_FOUND)
        assert holders.managed(person.user_id, casa.space_id) is None
    assert holders.space_policy(casa.space_id) == seen


def test_whoever_was_an_admin_until_just_now_settles_nothing(casa: Clinic, rosa: Holder) -> None:
    casa.joined(rosa, Role.ADMIN)
    ended = holders.end_place(casa.admin.user_id, casa.space_id, rosa.user_id, utc_now())
    assert not isinstance(ended, Refused)
    wish = replace(holders.space_policy(casa.space_id), lapse_days=30)
    assert holders.settle(rosa.user_id, casa.space_id, wish, utc_now()) == Refused(Refusal.NOT_FOUND)


def test_the_space_s_ledger_says_who_did_what_about_whom_and_nothing_of_a_vault(casa: Clinic, rosa: Holder) -> None:
    casa.joined(rosa, Role.REVIEWER)
    settle(casa.admin, casa.space_id, notice="We look after your file.")
    holders.end_place(casa.admin.user_id, casa.space_id, rosa.user_id, utc_now())
    lines = holders.space_ledger(casa.admin.user_id, casa.space_id, limit=4)
    assert not isinstance(lines, Refused)
    told = [(each.receipt.kind, each.receipt.reason, each.who, each.whom) for each in lines]
    assert told == [
        ("member.left", "reviewer", "Olga", "Rosa"),
        ("space.settled", "-", "Olga", ""),
        ("member.joined", "reviewer", "Rosa", ""),
        ("invitation.made", "reviewer", "Olga", ""),
    ]
    older = holders.space_ledger(casa.admin.user_id, casa.space_id, limit=99, before=lines[-1].receipt.seq)
    assert not isinstance(older, Refused)
    assert older[-1].receipt.kind == "space.founded"
    assert {each.receipt.kind.partition(".")[0] for each in (*lines, *older)} == {"space", "member", "invitation"}


def test_to_look_at_one_s_places_costs_the_same_for_many(casa: Clinic) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connections["default"]) as spent:
            assert holders.places(casa.admin.user_id, utc_now())
        return len(spent)

    before = cost()
    for name in ("Casa N.", "Casa O."):
        more = holders.found_space("clinic", name, casa.admin.user_id)
        asked = holders.invite_to_space(casa.admin.user_id, more, "x@home.example", Role.REVIEWER, utc_now())
        assert not isinstance(asked, Refused)
    assert cost() == before == 4
    assert [len(each.invitations) for each in holders.places(casa.admin.user_id, utc_now())] == [0, 0, 1, 1]


def test_what_a_new_space_begins_with_was_settled_by_nobody(casa: Clinic) -> None:
    assert holders.policies(casa.admin.user_id, casa.space_id) == ()
    assert holders.settled_notice(casa.space_id, 1) == ""
