"""A restore brings nothing back: what was erased since the backup stays erased, on every surface and in the rows.

Protects whoever had something erased from a backup that was made before.
"""

# ruff: noqa: F811  (fixtures are imported)

from datetime import timedelta
from uuid import UUID

import pytest
from allauth.mfa.models import Authenticator

from apps.access import services as access
from apps.erasure import services as erasure
from apps.holders import services as holders
from apps.holders.models import User
from apps.ledger import services as ledger
from apps.ledger.log import act
from apps.memories import services as memories
from apps.policy.erasing import Basis, Derived
from apps.policy.types import Proposal, Refused
from apps.policy.vocabulary import Level, ProposalStatus, ReceiptKind, Role
from apps.turns import services as turns
from apps.turns import store
from ops.backups import tombstones
from tests.backup.conftest import (  # noqa: F401  (fixtures among them)
    Instance,
    admin,
    alice,
    asked,
    backed,
    cook,
    lose_all_but_the_list,
    lose_the_database,
    restore_to,
    rows,
    shown,
)
from tests.cast import Assistant, Vault, canary, give, new_vault, register
from tests.drivers import ApiClient, signed_in
from tests.erasing import erase_within_an_act as erase
from tests.erasure.test_an_order import named, ordered
from tests.holders.people import acting
from vault.clock import utc_now


def gone_for_good(vault: Vault, name: str, by: Assistant) -> None:
    """On the services, the page, over REST and in every row; and the ledger verifies."""
    memory_id = vault.ids[name]
    assert memories.memory(vault.holder, memory_id) is None and shown(vault, name) == []
    assert signed_in(vault.holder).get(f"/file/mem_{memory_id.hex}").status_code == 404
    client = ApiClient(by.key)
    assert f"mem_{memory_id.hex}" not in str(client.subjects())
    assert not client.ask([f"mem_{memory_id.hex}"]) or not client.read([f"mem_{memory_id.hex}"])
    assert keys_of(memory_id) == 0
    assert rows("SELECT state, label, subject FROM memory WHERE memory_id = %s", memory_id) == [("erased", "", "")]
    assert ledger.check_ledger()


def keys_of(memory_id: UUID) -> int:
    return int(rows("SELECT count(*) FROM sealed.key WHERE memory_id = %s", memory_id)[0][0])


def said(words: str) -> bool:
    """In any row of a table in which words may stand?"""
    tables = ("memory", "memory_version", "proposal", "entity", "access_request", "erasure_words")
    return any(rows(f"SELECT FROM {each} t WHERE to_jsonb(t)::text LIKE %s", f"%{words}%") for each in tables)


def suggested_from(vault: Vault, by: Assistant, name: str, words: str) -> UUID:
    """A suggestion that was made from a memory, with these words in all that it says."""
    made = memories.propose(
        by.caller,
        label=f"A note, {words}",
        value=f"So it is: {words}",
        subject=f"notes.{words.lower()}",  # of one subject they would contradict each other
        rationale=f"It follows: {words}",
        lineage=[vault.ids[name]],
        known=[vault.ids[name]],
        now=utc_now(),
    )
    assert isinstance(made, Proposal), made
    return made.proposal_id


def test_back_up_erase_restore(backed: Instance, alice: Vault, cook: Assistant) -> None:
    mallory = new_vault("Mallory")
    give(cook, "time")
    turn = asked(alice, "time")
    ApiClient(cook.key).propose("Allergy", "Peanuts, since childhood", subject="health.allergy")
    (proposal,) = memories.proposals(alice.holder)
    taken = backed.back_up()
    assert keys_of(alice.ids["time"]) and shown(alice, "time") == [alice.values["time"]], "the control"
    done = ordered(alice, named(alice, "time", "pills"))
    memories.reject(alice.holder, proposal.proposal_id, utc_now())
    assert not isinstance(erasure.end_vault(mallory.holder, utc_now()), Refused)

    found = restore_to(backed, taken)
    gone_for_good(alice, "time", cook)
    gone_for_good(alice, "pills", cook)
    assert (found.vaults, found.erased, found.ended) == (1, 2, 1)
    assert turns.turn(alice.holder, turn.turn_id) is None
    again = memories.proposal(alice.holder, proposal.proposal_id)
    assert again is not None and again.status is ProposalStatus.WITHDRAWN and keys_of(again.memory_id) == 0
    assert holders.holder_of_vault(mallory.id) is None
    assert rows("SELECT count(*) FROM vault_key WHERE vault_id = %s", mallory.id) == [(0,)]
    # What was not erased is there, and the ledger says what was done, under the order's own id.
    assert shown(alice, "kitchen") == [alice.values["kitchen"]]
    assert {each.actor for each in alice.receipts(kind="memory.erased")} == {"sys_restore"}
    (order,) = erasure.orders(alice.holder)
    assert (order.order_id, order.basis, order.certified, order.memories) == (done.order_id, done.basis, True, 2)
    assert access.authenticate(cook.key, utc_now()) is not None


def test_where_the_database_is_lost_a_later_file_of_keys_knows(
    backed: Instance,
    alice: Vault,
    cook: Assistant,
) -> None:
    """Meanwhile the vault's key was changed as well: what is left opens with the new one."""
    mallory = new_vault("Mallory")
    turn, other = asked(alice, "time"), asked(mallory, "time")
    old = backed.back_up()
    erase(alice, "time")
    memories.rotate(alice.id, utc_now())
    alice.keep("later")
    new = backed.back_up(later=timedelta(seconds=2))
    lose_the_database(backed)
    assert restore_to(backed, old, keys=new.keys).erased == 1
    gone_for_good(alice, "time", cook)
    assert shown(alice, "kitchen") == [alice.values["kitchen"]]
    assert turns.turn(alice.holder, turn.turn_id) is None and turns.turn(mallory.holder, other.turn_id) == other
    assert rows("SELECT DISTINCT epoch FROM vault_key WHERE vault_id = %s", alice.id) == [(2,)]


def test_where_only_the_tombstones_are_left_they_are_enough(
    backed: Instance,
    alice: Vault,
    cook: Assistant,
) -> None:
    taken = backed.back_up()
    erase(alice, "time")
    file = backed.folder / "tombstones"
    assert tombstones.write(backed.place, file) == 1
    assert str(alice.ids["time"]) in file.read_text() and alice.labels["time"] not in file.read_text()
    lose_the_database(backed)
    restore_to(backed, taken, tombstones=(file,))
    gone_for_good(alice, "time", cook)
    assert shown(alice, "kitchen") == [alice.values["kitchen"]]


def test_with_nothing_that_knows_of_it_an_erasure_since_is_undone(
    backed: Instance,
    alice: Vault,
) -> None:
    """A limit: the database is lost, and both files are from before. After the horizon no such file of keys is left."""
    taken = backed.back_up()
    erase(alice, "time")
    lose_the_database(backed)
    assert restore_to(backed, taken).tombstones == 0
    assert shown(alice, "time") == [alice.values["time"]]


def test_the_words_of_what_was_suggested_from_it_stay_gone(backed: Instance, alice: Vault) -> None:
    """Whatever became of the suggestion; and the order is as it was certified, with the receipt that binds it."""
    by, words = register(alice, "Scribe"), [canary() for _ in range(4)]
    made = [suggested_from(alice, by, "kitchen", each) for each in words]
    now = utc_now()
    ended = [
        memories.approve(alice.holder, made[1], now=now),
        memories.reject(alice.holder, made[2], now, reason=f"No, {words[2]}"),
        memories.withdraw(by.caller, made[3], now),
    ]
    assert not [each for each in ended if isinstance(each, Refused)]
    taken = backed.back_up()
    assert all(said(each) for each in words), "the control"
    done = ordered(alice, named(alice, "kitchen"), Derived.ERASE)
    assert not any(said(each) for each in words), "the control"
    before = erasure.erasure(alice.holder, done.order_id)
    found = restore_to(backed, taken)
    assert not any(said(each) for each in words)
    assert found.blanked and found.orders == 1
    assert erasure.erasure(alice.holder, done.order_id) == before
    file = erasure.certificate_file(alice.holder, done.order_id)
    assert file is not None and file["certificate"]["derived"] == "erase"
    assert ledger.check_ledger()


def test_the_words_of_an_order_that_were_erased_stay_erased(backed: Instance, alice: Vault) -> None:
    words = canary()
    where = named(alice, "time")
    done = erasure.order(alice.holder, where, utc_now(), request=words)
    assert not isinstance(done, Refused)
    taken = backed.back_up()
    assert not isinstance(erasure.forget_words(alice.holder, done.order_id, utc_now()), Refused)
    assert restore_to(backed, taken).blanked == 1
    assert erasure.words(alice.holder, done.order_id) == "" and not said(words)
    assert [each.object for each in alice.receipts(kind="erasure.forgotten")] == [f"ord_{done.order_id.hex}"]


def test_a_conversation_whose_time_was_over_stays_erased(backed: Instance, alice: Vault) -> None:
    """It used what is still there, and the list of tombstones alone knows of it."""
    gone, stays = asked(alice, "time"), asked(alice, "kitchen")
    taken = backed.back_up()
    with act(alice.id, "sys_clock") as forgetting:
        store.erase(forgetting, [gone.turn_id], utc_now())
        forgetting.record(ReceiptKind.ERASURE_ORDERED)
    file = backed.folder / "tombstones"
    assert tombstones.write(backed.place, file) == 1
    lose_the_database(backed)
    assert restore_to(backed, taken, tombstones=(file,)).blanked == 1
    assert turns.turn(alice.holder, gone.turn_id) is None and turns.turn(alice.holder, stays.turn_id) == stays
    (order,) = erasure.orders(alice.holder)
    assert (order.basis, order.counts) == (Basis.RESTORED, {"turns": 1})
    assert shown(alice, "time") == [alice.values["time"]]


def test_a_legal_hold_bars_erasing_after_it_too(backed: Instance, alice: Vault) -> None:
    now = utc_now()
    lifted = erasure.place(alice.id, "The first court", "Case 1", now + timedelta(days=9), now)
    taken = backed.back_up()
    placed = erasure.place(alice.id, "The second court", "Case 2", now + timedelta(days=9), now)
    assert erasure.lift(alice.id, lifted.hold_id, utc_now()) is None
    before = erasure.holds_at(alice.id)
    assert restore_to(backed, taken).holds == 2
    assert erasure.holds_at(alice.id) == before and erasure.holds(alice.holder, utc_now()) == (placed,)
    assert isinstance(erasure.order(alice.holder, named(alice, "time"), utc_now()), Refused)
    assert [each.actor for each in alice.receipts(kind="erasure.freed")] == ["sys_restore"]


def test_the_certificate_of_a_vault_is_fetched_by_its_link_after_it_too(backed: Instance) -> None:
    mallory = new_vault("Mallory")
    taken = backed.back_up()
    done = erasure.end_vault(mallory.holder, utc_now())
    assert not isinstance(done, Refused)
    before = erasure.file_by_link(done.link)
    assert restore_to(backed, taken).vaults == 1
    after = erasure.file_by_link(done.link)
    assert before is not None and after is not None and after["certificate"] == before["certificate"]
    assert ledger.check_ledger()


def test_a_legal_hold_from_after_the_backup_is_gone_with_a_database_that_is_lost(
    backed: Instance,
    alice: Vault,
) -> None:
    """A limit: no file lists holds. The restore says so, and they are placed anew."""
    taken = backed.back_up()
    erasure.place(alice.id, "The court", "Case 1", utc_now() + timedelta(days=9), utc_now())
    lose_the_database(backed)
    assert restore_to(backed, taken).holds == 0
    assert erasure.holds(alice.holder, utc_now()) == ()


def test_what_stays_of_an_order_that_was_lost_is_counted_again(backed: Instance, alice: Vault) -> None:
    """What was made from it stays: its new certificate says how many. Of what says the same nobody can tell: what words
    are recognised by is not brought back for what was erased.
    """
    suggested = suggested_from(alice, register(alice, "Scribe"), "kitchen", canary())
    assert not isinstance(memories.approve(alice.holder, suggested, now=utc_now()), Refused)
    assert not isinstance(
        memories.add(alice.holder, label="Twice", value=alice.values["kitchen"], subject="notes.two", now=utc_now()),
        Refused,
    )
    taken = backed.back_up()
    done = ordered(alice, named(alice, "kitchen"), Derived.KEEP)
    assert restore_to(backed, taken, tombstones=(lose_all_but_the_list(backed),)).erased == 1
    (order,) = erasure.orders(alice.holder)
    assert (order.order_id, order.basis) == (done.order_id, Basis.RESTORED)
    assert (done.kept, done.still_held) == (1, 1)
    assert (order.kept, order.still_held) == (1, 0)


@pytest.mark.parametrize("lost", [False, True], ids=["the database is there", "the list alone is left"])
def test_who_and_what_was_stopped_since_is_stopped_again(backed: Instance, alice: Vault, lost: bool) -> None:
    them = [register(alice, name) for name in ("Stopped", "Keyless", "Paused", "Without a grant", "Let be")]
    stopped, keyless, paused, bare, let_be = them
    grants = {each.key: give(each, "time") for each in (stopped, bare, let_be)}
    leo = new_vault("Leo")
    acting(alice.holder, leo.holder, Role.DELEGATE, Level.VIEW)
    taken = backed.back_up()
    now = utc_now()
    access.revoke(alice.holder, stopped.client.client_id, now)
    (key,) = [each for each in access.keys(alice.holder) if each.client_id == keyless.client.client_id]
    access.revoke_key(alice.holder, key.key_id, now)
    access.pause(alice.holder, paused.client.client_id, True)
    access.revoke_grant(alice.holder, grants[bare.key].grant_id, now)
    (leave,) = holders.delegations(alice.holder)
    assert not isinstance(holders.end_delegation(alice.holder, leave.delegation_id, now), Refused)
    known = (lose_all_but_the_list(backed),) if lost else ()
    found = restore_to(backed, taken, tombstones=known)
    assert found.stopped == 5
    assert [access.authenticate(each.key, utc_now()) is None for each in them] == [True, True, False, False, False]
    assert [each.name for each in access.clients(alice.holder) if each.paused] == ["Paused"]
    memory = f"mem_{alice.ids['time'].hex}"
    told = [alice.values["time"] in str(ApiClient(each.key).read([memory])) for each in them]
    assert told == [False, False, False, False, True]
    assert holders.delegations(alice.holder) == ()
    kinds = ("client.revoked", "key.revoked", "client.paused", "grant.revoked", "delegation.ended")
    assert [{each.actor for each in alice.receipts(kind=kind)} for kind in kinds] == [{"sys_restore"}] * 5
    assert ledger.check_ledger()
    assert restore_to(backed, taken, tombstones=known).stopped == 5, "of the same backup, once more"


def test_an_old_password_and_a_key_that_was_removed_let_nobody_in(backed: Instance, alice: Vault) -> None:
    """And a second factor from after the backup is asked for."""
    user = User.objects.get(id=alice.holder.user_id)
    user.set_password("the old one, which leaked")
    user.save()
    Authenticator.objects.create(user=user, type="webauthn", data={"name": "A phone that was lost"})
    taken = backed.back_up()
    user.set_password("the new one, which did not")
    user.save()
    Authenticator.objects.filter(user=user).delete()
    Authenticator.objects.create(user=user, type="totp", data={"secret": "a new one"})
    assert restore_to(backed, taken).people == 1
    now = User.objects.get(id=user.id)
    assert not now.check_password("the old one, which leaked") and now.check_password("the new one, which did not")
    assert Authenticator.objects.filter(user=now).values_list("type", "data").get() == ("totp", {"secret": "a new one"})


def test_where_the_database_is_lost_an_old_password_is_good_again(backed: Instance, alice: Vault) -> None:
    """A limit: no file lists them."""
    user = User.objects.get(id=alice.holder.user_id)
    user.set_password("the old one, which leaked")
    user.save()
    taken = backed.back_up()
    user.set_password("the new one, which did not")
    user.save()
    lose_the_database(backed)
    assert restore_to(backed, taken).people == 0
    assert User.objects.get(id=user.id).check_password("the old one, which leaked")


def test_done_twice_the_second_restore_loses_and_adds_nothing(backed: Instance, alice: Vault) -> None:
    words = canary()
    suggested_from(alice, register(alice, "Scribe"), "kitchen", words)
    taken = backed.back_up()
    ordered(alice, named(alice, "kitchen"), Derived.ERASE)
    erasure.place(alice.id, "The court", "Case 1", utc_now() + timedelta(days=9), utc_now())
    first = restore_to(backed, taken)
    orders, holds = erasure.orders(alice.holder), erasure.holds_at(alice.id)
    again = restore_to(backed, taken)
    assert (again.erased, again.holds) == (first.erased, first.holds) == (1, 1)
    assert erasure.holds_at(alice.id) == holds and not said(words) and ledger.check_ledger()
    assert {each.order_id for each in orders} <= {each.order_id for each in erasure.orders(alice.holder)}
