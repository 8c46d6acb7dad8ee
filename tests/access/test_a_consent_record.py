"""A grant's consent record: made from rows and receipts, it says what was agreed to and what became of it."""

from datetime import timedelta
from typing import Any

import pytest

from apps.access import services as access
from apps.access.tasks import lapse_grants
from apps.policy.ids import typed
from apps.policy.types import AccessRequest, Grant
from apps.policy.vocabulary import Category
from tests.cast import Assistant, Vault, give
from vault.clock import utc_now


def record_of(vault: Vault, grant: Grant, after: timedelta = timedelta()) -> dict[str, Any]:
    found = access.consent_record(vault.holder, grant.grant_id, utc_now() + after)
    assert found is not None
    return found


def life(record: dict[str, Any]) -> list[str]:
    return [each["state"] for each in record["event"]]


def test_what_was_given_is_told_with_its_receipt(alice: Vault, cook: Assistant) -> None:
    grant = give(cook, "kitchen", reads=3)
    record = record_of(alice, grant)
    (given,) = record["event"]
    (made,) = alice.receipts(kind="grant.made")
    assert given["ext"] == {"receipt": f"rcp_{made.seq}", "on_behalf_of": "-"}
    assert (given["entity_id"], given["duration"]) == (alice.holder.actor, "3600")
    assert record["ext"]["receipts"] == [
        {"receipt": f"rcp_{made.seq}", "kind": "grant.made", "digest": f"sha256:{made.digest.hex()}"}
    ]
    assert record["record"]["pii_principal_id"] == record["ext"]["acted_by"] == alice.holder.actor
    (purpose,) = record["pii_processing"]["purposes"]
    assert purpose["recipient_third_parties"] == [cook.actor]


def test_what_became_of_it_is_told_in_order_and_nothing_after_its_end(alice: Vault, cook: Assistant) -> None:
    grant = give(cook, "kitchen", "time", reads=9)
    client = cook.client.client_id
    access.narrow(alice.holder, grant.grant_id, access.Narrower(reads=2), utc_now())
    access.pause(alice.holder, client, True)
    access.pause(alice.holder, client, False)
    access.revoke_grant(alice.holder, grant.grant_id, utc_now())
    access.pause(alice.holder, client, True)
    access.revoke(alice.holder, client, utc_now())
    record = record_of(alice, grant)
    assert life(record) == ["given", "narrowed", "paused", "resumed", "withdrawn"]
    assert record["ext"]["state"] == "revoked"
    seqs = [int(each["ext"]["receipt"].removeprefix("rcp_")) for each in record["event"]]
    kinds = {each.seq: each.kind for each in alice.receipts()}
    assert seqs == sorted(seqs)
    assert [kinds[each] for each in seqs] == [each["kind"] for each in record["ext"]["receipts"]]


def test_the_end_of_an_assistant_withdraws_what_still_stood_and_that_alone(alice: Vault, cook: Assistant) -> None:
    over, standing = give(cook, "kitchen"), give(cook, "time")
    access.revoke_grant(alice.holder, over.grant_id, utc_now())
    access.revoke(alice.holder, cook.client.client_id, utc_now())
    kinds = [record_of(alice, each)["ext"]["receipts"][-1]["kind"] for each in (over, standing)]
    assert kinds == ["grant.revoked", "client.revoked"]


def test_a_pause_that_held_already_is_told_first(alice: Vault, cook: Assistant) -> None:
    wish = cook.ask("kitchen")
    for paused in (True, False, True):
        access.pause(alice.holder, cook.client.client_id, paused)
    decision = access.Decision(frozenset([alice.ids["kitchen"]]))
    access.decide(alice.holder, wish.request_id, {Category.ORDINARY: decision}, utc_now())
    (grant,) = access.grants(alice.holder)
    assert life(record_of(alice, grant)) == ["paused", "given"]


def test_its_time_is_over_when_it_is_over_whoever_has_written_that_down(alice: Vault, cook: Assistant) -> None:
    grant = give(cook, "kitchen")
    late = timedelta(hours=2)
    unwritten = record_of(alice, grant, late)["event"][-1]
    assert (unwritten["state"], unwritten["ext"]["receipt"], unwritten["entity_id"]) == ("expired", "-", "sys_clock")
    assert access.expire_grant(alice.id, grant.grant_id, utc_now() + late)
    written = record_of(alice, grant, late)["event"][-1]
    assert written["event_time"] == unwritten["event_time"]
    assert written["ext"]["receipt"] == f"rcp_{alice.receipts(kind='grant.expired')[0].seq}"


def test_what_lapsed_is_told_as_that(alice: Vault, cook: Assistant, admin: Any) -> None:
    now = utc_now()
    grant = give(cook, "kitchen", until=now + timedelta(days=300))
    admin.execute("UPDATE access_grant SET made_at = now() - interval '91 days' WHERE grant_id = %s", [grant.grant_id])
    lapse_grants()
    assert life(record_of(alice, grant)) == ["given", "lapsed"]


def test_a_narrowing_does_not_change_what_was_given(alice: Vault, cook: Assistant) -> None:
    now = utc_now()
    grant = give(cook, "kitchen", until=now + timedelta(days=7), now=now)
    access.narrow(alice.holder, grant.grant_id, access.Narrower(until=now + timedelta(days=1)), utc_now())
    given, narrowed = record_of(alice, grant)["event"]
    assert given["duration"] == "604800"
    assert 86300 < int(narrowed["duration"]) <= 86400


@pytest.mark.parametrize("name", ["kitchen", "pills", "friday"])
def test_it_holds_no_value_no_label_and_no_words_of_the_client(alice: Vault, cook: Assistant, name: str) -> None:
    grant = give(cook, name)
    text = str(record_of(alice, grant))
    assert grant.request_id
    wish = access.request(alice.holder, grant.request_id)
    assert wish
    assert wish.purpose_note
    for private in (*alice.secrets, *alice.labels.values(), wish.purpose_note, alice.mem(name)):
        assert private not in text
    (told,) = record_of(alice, grant)["pii_processing"]["purposes"][0]["pii_information"]
    assert told == {"pii_type": grant.category.value, "special_pii_category": name != "kitchen"}


def test_another_s_grant_has_none(alice: Vault, cook: Assistant, mallory: Vault) -> None:
    grant = give(cook, "kitchen")
    assert access.consent_record(mallory.holder, grant.grant_id, utc_now()) is None


# ---------------------------------------------------------------- the notice
def given_below(vault: Vault, to: Assistant, shown: access.Shown) -> dict[str, Any]:
    decision = {Category.ORDINARY: access.Decision(frozenset([vault.ids["kitchen"]]))}
    decided = access.decide(vault.holder, to.ask("kitchen").request_id, decision, utc_now(), shown=shown)
    assert isinstance(decided, AccessRequest)
    (made,) = access.granted(to.caller, decided)
    return record_of(vault, made)


def test_the_receipt_is_bound_to_the_notice(alice: Vault, cook: Assistant) -> None:
    shown = access.Shown(access.Surface.WEB, access.REQUEST_NOTICE, "0" * 16)
    record, notice = given_below(alice, cook, shown), access.notice(access.REQUEST_NOTICE)
    assert notice
    assert alice.receipts(kind="grant.made")[0].commitment == notice.digest
    assert record["ext"]["notice_digest"] == f"sha256:{notice.digest.hex()}"
    assert record["pii_processing"]["privacy_notice"].endswith("/notices/1")
    assert (record["ext"]["surface"], record["ext"]["ui_version"]) == ("web", "0" * 16)


def test_without_a_notice_none_is_claimed(alice: Vault, cook: Assistant) -> None:
    record = given_below(alice, cook, access.NOT_SHOWN)
    assert alice.receipts(kind="grant.made")[0].commitment is None
    assert (record["ext"]["notice_digest"], record["pii_processing"]["privacy_notice"]) == ("-", "-")


def test_a_row_that_was_changed_cannot_put_another_notice_in_its_place(
    alice: Vault, cook: Assistant, admin: Any
) -> None:
    record = given_below(alice, cook, access.Shown(access.Surface.WEB, access.REQUEST_NOTICE))
    grant_id = access.grants(alice.holder)[0].grant_id
    assert typed("gra", grant_id) == record["record"]["record_id"]
    admin.execute("UPDATE access_grant SET notice = %s WHERE grant_id = %s", [access.CARD_NOTICE, grant_id])
    after = access.consent_record(alice.holder, grant_id, utc_now())
    assert after
    assert after["ext"]["notice_digest"] == record["ext"]["notice_digest"]
    assert after["pii_processing"]["privacy_notice"] == "-"
