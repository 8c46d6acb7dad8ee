"""What came with an order, such as a number, is bound into its receipt, and can be erased itself."""

import hmac
from datetime import timedelta
from typing import Any
from uuid import UUID

from apps.erasure import services as erasure
from apps.policy.erasing import Basis, Order, Where
from apps.policy.types import Refused
from apps.policy.vocabulary import Refusal
from tests.cast import Vault, canary
from vault.clock import utc_now


def ordered(vault: Vault, request: str) -> Order:
    """One memory, on a request."""
    where = Where(ids=frozenset({vault.ids["time"]}))
    done = erasure.order(vault.holder, where, utc_now(), basis=Basis.OBJECTION, request=request)
    assert isinstance(done, Order)
    return done


def salt_of(admin: Any, vault: Vault, order_id: UUID) -> bytes:
    """What binds the words to the receipt."""
    query = "SELECT salt FROM erasure_words WHERE vault_id = %s AND order_id = %s"
    return bytes(admin.execute(query, [vault.id, order_id]).fetchone()[0])


def test_they_are_bound_into_the_receipt(alice: Vault, admin: Any) -> None:
    words = canary()
    done = ordered(alice, words)
    assert erasure.words(alice.holder, done.order_id) == words
    (receipt,) = alice.receipts(kind="erasure.ordered")
    bound = hmac.digest(salt_of(admin, alice, done.order_id), f"objection\n{words}".encode(), "sha256")
    assert receipt.commitment == bound


def test_they_are_erased_and_the_order_stays(alice: Vault, admin: Any) -> None:
    words = canary()
    done = ordered(alice, words)
    assert isinstance(erasure.forget_words(alice.holder, done.order_id, utc_now()), Order)
    assert erasure.words(alice.holder, done.order_id) == ""
    assert admin.execute("SELECT count(*) FROM erasure_words WHERE vault_id = %s", [alice.id]).fetchone() == (0,)
    kept = erasure.erasure(alice.holder, done.order_id)
    assert kept is not None and words.encode() not in kept.certificate
    assert [each.object for each in alice.receipts(kind="erasure.forgotten")] == [f"ord_{done.order_id.hex}"]
    assert erasure.forget_words(alice.holder, done.order_id, utc_now()) == Refused(Refusal.NOT_FOUND)


def test_while_a_legal_hold_stands_they_stay(alice: Vault) -> None:
    words, now = canary(), utc_now()
    done = ordered(alice, words)
    erasure.place(alice.id, "The district court", "Case 12", now + timedelta(days=9), now)
    no = erasure.forget_words(alice.holder, done.order_id, now)
    assert no == Refused(Refusal.LEGAL_HOLD, until=now + timedelta(days=9))
    assert erasure.words(alice.holder, done.order_id) == words


def test_without_words_nothing_is_kept(alice: Vault, admin: Any) -> None:
    done = ordered(alice, "")
    assert admin.execute("SELECT count(*) FROM erasure_words WHERE vault_id = %s", [alice.id]).fetchone() == (0,)
    assert erasure.forget_words(alice.holder, done.order_id, utc_now()) == Refused(Refusal.NOT_FOUND)
