"""The same send again: within a minute the same hand-over, later or with another body a no, and never two of them."""

from typing import Any

from apps.access import services as access
from apps.access.services import ReadResult
from apps.policy.types import Refused
from apps.policy.vocabulary import Refusal
from tests.cast import Assistant, Vault, give, read_ids
from tests.threads import at_once

KEY = "one-key-for-one-deed"


def test_it_is_the_same_answer_with_the_same_receipts_and_spends_nothing(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen", reads=2)
    first, again = cook.read("kitchen", "dislikes", key=KEY), cook.read("kitchen", "dislikes", key=KEY)
    assert not first.replayed and again.replayed
    assert [each.handed for each in again.released] == [each.handed for each in first.released]
    assert again.withheld == first.withheld
    assert (again.first, again.last, again.at, again.digest) == (first.first, first.last, first.at, first.digest)
    (grant,) = access.grants(alice.holder)
    assert grant.reads_left == 1


def test_over_two_grants_it_is_the_same_answer_too(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen", reads=1)
    give(cook, "time", reads=1)
    first, again = cook.read("kitchen", "time", "dislikes", key=KEY), cook.read("kitchen", "time", "dislikes", key=KEY)
    assert len(first.released) == 2
    assert [each.handed for each in again.released] == [each.handed for each in first.released]
    assert again.withheld == first.withheld
    assert (again.first, again.last) == (first.first, first.last)
    assert len(alice.handed()) == 2 and len(alice.refusals()) == 1


def test_a_refused_one_is_refused_again_without_another_receipt(alice: Vault, cook: Assistant) -> None:
    first, again = cook.read("kitchen", "pills", key=KEY), cook.read("kitchen", "pills", key=KEY)
    assert again.withheld == first.withheld
    assert len(alice.refusals()) == 2, "one for each memory, not for each send"


def test_a_grant_made_meanwhile_needs_a_new_key(alice: Vault, cook: Assistant) -> None:
    cook.read("kitchen", key=KEY)
    give(cook, "kitchen")
    assert [each.reason for each in cook.read("kitchen", key=KEY).withheld] == [Refusal.GRANT_REQUIRED]
    assert cook.read("kitchen").released


def test_after_a_minute_it_is_over(alice: Vault, cook: Assistant, admin: Any) -> None:
    give(cook, "kitchen", reads=2)
    assert cook.read("kitchen", key=KEY).released
    admin.execute("UPDATE sealed.handle SET at = at - interval '61 seconds' WHERE vault_id = %s", [alice.id])
    assert cook.read("kitchen", key=KEY) == Refused(Refusal.IDEMPOTENCY_EXPIRED)
    assert len(alice.handed()) == 1


def test_with_another_body_it_is_a_reuse_and_tells_nothing(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen", "time")
    assert cook.read("kitchen", key=KEY).released
    assert cook.read("time", key=KEY) == Refused(Refusal.IDEMPOTENCY_REUSE)
    assert alice.handed() == [(alice.ids["kitchen"], "value")]


def test_another_client_s_same_key_is_another_deed(alice: Vault, cook: Assistant, clinic: Assistant) -> None:
    give(cook, "kitchen")
    give(clinic, "kitchen")
    assert cook.read("kitchen", key=KEY).released
    result = clinic.read("kitchen", key=KEY)
    assert result.released and not result.replayed


def test_eight_at_once_are_one(alice: Vault, cook: Assistant) -> None:
    give(cook, "kitchen", reads=5)
    caller = cook.caller
    assert caller
    results = at_once([lambda: read_ids(cook, [alice.ids["kitchen"]], key=KEY)] * 8)
    assert all(isinstance(each, ReadResult) for each in results), results
    values = {each.released[0].handed.value for each in results if isinstance(each, ReadResult)}
    assert values == {alice.values["kitchen"]}
    assert len(alice.handed()) == 1
    (grant,) = access.grants(alice.holder)
    assert grant.reads_left == 4


def test_only_the_handle_s_hash_is_kept(alice: Vault, cook: Assistant, admin: Any) -> None:
    give(cook, "kitchen")
    cook.read("kitchen", key=KEY)
    rows = admin.execute("SELECT handle, body_digest FROM sealed.handle WHERE vault_id = %s", [alice.id]).fetchall()
    assert rows
    assert KEY.encode() not in b"".join(bytes(row[0]) for row in rows)
