"""An order that is sent again, because its answer was lost, is answered with the order that it made: nothing is told
that is not so, and nothing else is erased.
"""

from typing import Any

from apps.erasure import services as erasure
from apps.holders import services as holders
from apps.memories import services as memories
from apps.policy.erasing import Order, Where
from apps.policy.types import Sent
from tests.cast import Vault
from tests.drivers import Http
from tests.threads import at_once
from vault.clock import utc_now


def sent(vault: Vault, *names: str, key: str = "k-1", **more: Any) -> Any:
    body = {"memories": [vault.mem(each) for each in names], **more}
    return Http(holder=vault.holder).send("POST", "erasures", body, Idempotency_Key=key)


def test_it_is_answered_with_the_first(alice: Vault) -> None:
    first, again = sent(alice, "time"), sent(alice, "time")
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json() and again.headers["Location"] == first.headers["Location"]
    assert len(alice.receipts(kind="erasure.ordered")) == 1
    assert len(erasure.orders(alice.holder)) == 1


def test_without_a_key_it_is_a_new_order_for_what_is_not_there(alice: Vault) -> None:
    body = {"memories": [alice.mem("time")]}
    first, again = (Http(holder=alice.holder).send("POST", "erasures", body) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 404)


def test_another_order_under_its_key_is_refused_and_nothing_is_done(alice: Vault) -> None:
    sent(alice, "time")
    for other in ({"request": "12/7"}, {"basis": "objection"}):
        no = sent(alice, "time", **other)
        assert (no.status_code, no.json()["code"]) == (422, "idempotency-reuse")
    assert sent(alice, "kitchen").json()["code"] == "idempotency-reuse"
    assert alice.ids["kitchen"] in {each.memory_id for each in kept(alice)}


def kept(vault: Vault) -> tuple[Any, ...]:
    return memories.memories(vault.holder)


def test_under_another_key_it_is_another_order(alice: Vault) -> None:
    assert sent(alice, "time").status_code == 201
    assert sent(alice, "kitchen", key="k-2").status_code == 201
    assert sent(alice, "time", key="k-3").status_code == 404


def test_a_key_is_its_vault_s_own(alice: Vault, mallory: Vault) -> None:
    sent(alice, "time")
    assert sent(mallory, "time").status_code == 201
    assert alice.ids["time"] != mallory.ids["time"]


def test_a_key_that_is_none_is_told(alice: Vault) -> None:
    for key in (" ", "a b", "x" * 256):
        assert sent(alice, "time", key=key).json()["code"] == "idempotency-key-required"
    assert alice.ids["time"] in {each.memory_id for each in kept(alice)}


def test_what_was_refused_may_be_sent_again(alice: Vault, mallory: Vault) -> None:
    """Nothing was done under the key, so it is nobody's."""
    body = {"memories": [mallory.mem("time")]}
    no = Http(holder=alice.holder).send("POST", "erasures", body, Idempotency_Key="k-1")
    assert no.status_code == 404
    assert sent(alice, "time").status_code == 201


def test_sent_twice_at_once_it_is_done_once(alice: Vault) -> None:
    where, came = Where(ids=frozenset({alice.ids["time"]})), Sent("k-1", "digest")
    done = at_once([lambda: erasure.order(alice.holder, where, utc_now(), sent=came)] * 4)
    assert {each.order_id for each in done if isinstance(each, Order)} == {erasure.orders(alice.holder)[0].order_id}
    assert all(isinstance(each, Order) for each in done) and len(erasure.orders(alice.holder)) == 1


def test_its_key_goes_with_the_vault_and_no_row_has_it_in_clear(alice: Vault, admin: Any) -> None:
    sent(alice, "time", key="a-key-of-mine", request="12/7")
    row = "SELECT * FROM erasure_words WHERE vault_id = %s"
    (found,) = admin.execute(row, [alice.id]).fetchall()
    assert "a-key-of-mine" not in str(found)
    erasure.end_vault(alice.holder, utc_now())
    assert admin.execute(row, [alice.id]).fetchall() == []
    assert holders.holder_of_vault(alice.id) is None
