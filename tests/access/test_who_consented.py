"""A consent record names who decided: the person, who acts for them under their own name, and after them a reviewer."""

from datetime import timedelta
from typing import Any

from apps.access import services as access
from apps.policy.types import Holder, Refused
from apps.policy.vocabulary import Category, Level, Role
from tests.cast import Assistant, Vault, register
from tests.clinics import Clinic, allow
from tests.holders.people import acting, newcomer
from vault.clock import utc_now


def record_of(vault: Vault) -> Any:
    (grant,) = access.grants(vault.holder)
    found = access.consent_record(vault.holder, grant.grant_id, utc_now())
    assert found
    return found


def test_a_guardian_consents_under_their_own_name_for_the_holder(alice: Vault) -> None:
    cook = register(alice, "Cook")
    rosa = acting(alice.holder, newcomer("Rosa"), Role.GUARDIAN, Level.DECIDE)
    decision = access.Decision(frozenset({alice.ids["kitchen"]}))
    done = access.decide(rosa, cook.ask("kitchen").request_id, {Category.ORDINARY: decision}, utc_now())
    assert not isinstance(done, Refused)
    record = record_of(alice)
    assert record["record"]["pii_principal_id"] == alice.holder.actor
    assert (record["ext"]["acted_by"], record["ext"]["on_behalf_of"]) == (rosa.actor, alice.holder.actor)
    (given,) = record["event"]
    assert (given["entity_id"], given["ext"]["on_behalf_of"]) == (rosa.actor, alice.holder.actor)
    roles = {each["party_id"]: each["party_role"] for each in record["party_identification"]}
    assert roles[rosa.actor] == "representative"
    assert "Rosa" not in str(record)


def reviewed(casa: Clinic, leo: Vault, bot: Assistant, by: Holder, **less: Any) -> Any:
    allow(bot, "pills", reads=5)
    (row,) = access.queue(casa.desk(by))
    done = access.approve(casa.desk(by), row.row.review_id, utc_now(), **less)
    assert not isinstance(done, Refused), done
    return record_of(leo)


def test_the_person_gives_and_a_reviewer_approves(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    record = reviewed(casa, leo, bot, casa.rita)
    given, approved = record["event"]
    assert (given["state"], given["entity_id"], given["duration"]) == ("given", leo.holder.actor, "-")
    assert (approved["state"], approved["entity_id"]) == ("approved", f"rev_{casa.rita.user_id.hex}")
    assert int(approved["duration"]) > 600_000
    assert record["ext"]["acted_by"] == leo.holder.actor
    assert record["ext"]["reviewer_decision"] == "approved"
    kinds = [each["kind"] for each in record["ext"]["receipts"]]
    assert kinds == ["request.decided", "review.approved", "grant.made"]


def test_what_a_reviewer_narrowed_is_told_as_theirs(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    record = reviewed(casa, leo, bot, casa.rita, until=utc_now() + timedelta(days=1), reads=1)
    assert [each["state"] for each in record["event"]] == ["given", "narrowed"]
    assert record["ext"]["reviewer_decision"] == "narrowed"
    assert 86_300 < int(record["event"][1]["duration"]) <= 86_400


def test_the_yes_that_was_passed_is_the_one_that_is_told(casa: Clinic, leo: Vault, bot: Assistant) -> None:
    """Not the one before it, which was sent back."""
    wish = allow(bot, "pills", "sleep")
    (row,) = access.queue(casa.desk(casa.rita))
    access.send_back(casa.desk(casa.rita), row.row.review_id, "Only one of them.", utc_now())
    decision = access.Decision(frozenset({leo.ids["pills"]}))
    access.decide(leo.holder, wish.request_id, {Category.HEALTH: decision}, utc_now())
    (row,) = access.queue(casa.desk(casa.rolf))
    access.approve(casa.desk(casa.rolf), row.row.review_id, utc_now())
    record = record_of(leo)
    yes = leo.receipts(kind="request.decided")[-1]
    assert record["event"][0]["ext"]["receipt"] == f"rcp_{yes.seq}"
    assert "Only one" not in str(record)
