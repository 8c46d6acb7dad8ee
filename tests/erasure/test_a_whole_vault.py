"""A whole vault is erased at once: nothing opens, nobody is let in, nothing says whose it was; the ledger stays."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from apps.access import services as access
from apps.erasure import services as erasure
from apps.erasure import store
from apps.holders import services as holders
from apps.ledger.log import reading
from apps.mail.tasks import sweep
from apps.memories import services as memories
from apps.memories.services import linking, naming
from apps.policy.erasing import Derived, Order, Where
from apps.policy.links import EdgeKind, EntityKind
from apps.policy.roles import Barred
from apps.policy.types import Refused
from apps.policy.vocabulary import Directive, Role
from tests.cast import Assistant, Vault
from tests.erasing import rows_with
from tests.holders.people import acting
from vault.clock import utc_now


def ended(vault: Vault) -> erasure.Ended:
    """The vault is erased."""
    done = erasure.end_vault(vault.holder, utc_now())
    assert not isinstance(done, Refused)
    return done


def test_nothing_is_left_to_open(alice: Vault, admin: Any) -> None:
    done = ended(alice)
    assert done.order.certified
    for table in ("sealed.key", "sealed.value", "vault_key", "value_print", "sealed.search_term"):
        query = f"SELECT count(*) FROM {table} WHERE vault_id = %s"
        assert admin.execute(query, [alice.id]).fetchone() == (0,), table
    assert memories.memories(alice.holder) == ()


def test_its_certificate_counts_every_row_that_said_something(alice: Vault, cook: Assistant, admin: Any) -> None:
    anna = naming.name(alice.holder, EntityKind.PERSON, "Anna", utc_now())
    linking.draw(alice.holder, EdgeKind.ABOUT, alice.ids["time"], anna.entity_id, utc_now())
    linking.draw(alice.holder, EdgeKind.DERIVED_FROM, alice.ids["kitchen"], alice.ids["time"], utc_now())
    memories.correct(alice.holder, alice.ids["kitchen"], value="Another one", now=utc_now())
    target = alice.ids["budget"]
    memories.propose(cook.caller, directive=Directive.ERASE, target=target, known=[target], now=utc_now())
    already = erasure.order(alice.holder, Where(ids=frozenset({alice.ids["diary"]})), utc_now(), derived=Derived.KEEP)
    assert not isinstance(already, Refused)
    there = "SELECT count(*) FROM {} WHERE vault_id = %s AND {}"
    versions = admin.execute(there.format("memory_version", "label <> ''"), [alice.id]).fetchone()[0]
    many = len(memories.memories(alice.holder))
    ended(alice)
    said = json.loads(_certificate(alice))["counts"]
    assert said["memories"] == many and said["versions"] == versions > many
    assert (said["proposals"], said["links"], said["names"]) == (1, 2, 1)


def _certificate(vault: Vault) -> bytes:
    """Of the whole vault, as it was written."""
    with reading(vault.id, "sys_clock"):
        return store.orders(vault.id, 1)[0].certificate


def test_the_number_of_its_request_is_in_no_row(alice: Vault, admin: Any) -> None:
    done = erasure.end_vault(alice.holder, utc_now(), request="Case 12/7 of Ines")
    assert not isinstance(done, Refused)
    kept = admin.execute("SELECT count(*) FROM erasure_words WHERE vault_id = %s", [alice.id]).fetchone()
    assert kept == (0,)
    (ordered,) = alice.receipts(kind="erasure.ordered")
    assert len(ordered.commitment) == 32, "its salted trace"


def test_the_person_is_gone_and_may_come_again(alice: Vault, admin: Any) -> None:
    email = admin.execute('SELECT email FROM "user" WHERE id = %s', [alice.holder.user_id]).fetchone()[0]
    done = ended(alice)
    assert done.account_too
    assert holders.holder(alice.holder.user_id) is None
    again = holders.enrol(email, "Somebody", None, space="Home")
    assert again.vault_id != alice.id and again.user_id != alice.holder.user_id
    assert memories.memories(again) == ()


def test_no_row_says_whose_it_was(alice: Vault, admin: Any) -> None:
    email = admin.execute('SELECT email FROM "user" WHERE id = %s', [alice.holder.user_id]).fetchone()[0]
    private = {name: label for name, label in alice.labels.items() if label.startswith("Kanari")}
    words = {"email": email, **private}
    assert private and rows_with(admin, words).keys() == words.keys(), "the control: they are found before"
    ended(alice)
    assert rows_with(admin, words) == {"email": {"letter"}}, "one letter says that it is done"
    assert sweep() >= 1
    assert rows_with(admin, words) == {}


def test_an_assistant_is_nobody_from_then_on(alice: Vault, cook: Assistant) -> None:
    assert access.authenticate(cook.key, utc_now()) is not None
    ended(alice)
    assert access.authenticate(cook.key, utc_now()) is None


def test_the_certificate_is_fetched_by_its_secret_alone(alice: Vault) -> None:
    done = ended(alice)
    found = erasure.by_link(done.link)
    assert isinstance(found, Order) and found.whole_vault and found.certificate
    assert erasure.by_link(done.link[:-1]) is None


def test_its_secret_opens_it_for_thirty_days(alice: Vault, admin: Any) -> None:
    done, almost = ended(alice), timedelta(days=30) - timedelta(minutes=1)
    earlier = "UPDATE erasure_order SET made_at = made_at - %s WHERE order_id = %s"
    admin.execute(earlier, [almost, done.order.order_id])
    assert erasure.by_link(done.link) is not None
    admin.execute(earlier, [timedelta(minutes=2), done.order.order_id])
    assert erasure.by_link(done.link) is None


def test_another_vault_is_as_it_was(alice: Vault, mallory: Vault) -> None:
    before = memories.memories(mallory.holder), len(mallory.receipts())
    ended(alice)
    assert (memories.memories(mallory.holder), len(mallory.receipts())) == before
    assert memories.show(mallory.holder, [mallory.ids["time"]]).values


def test_whoever_acts_for_the_holder_cannot(alice: Vault) -> None:
    for role in (Role.GUARDIAN, Role.DELEGATE):
        with pytest.raises(Barred):
            erasure.end_vault(replace(alice.holder, role=role), utc_now())
    assert memories.memory(alice.holder, alice.ids["time"]) is not None


def test_whoever_keeps_their_account_has_a_new_and_empty_vault(alice: Vault, mallory: Vault) -> None:
    acting(mallory.holder, alice.holder)
    assert not ended(alice).account_too
    again = holders.holder(alice.holder.user_id)
    assert again is not None and again.vault_id != alice.id
    assert memories.memories(again) == ()
    assert holders.seat(alice.holder.user_id, mallory.id) is not None
