"""`fsck_ledger` rebuilds everything and compares: each kind of damage that an administrator can do is named.

And its limit: what is rewritten whole, tree, checkpoints and all, by whoever also has the log's key, is not found.
"""

import io
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from apps.ledger import services as ledger
from apps.ledger import tree
from apps.ledger.tickets import issue
from tests.cast import Vault, new_vault
from tests.ledger_log.conftest import ORIGIN
from tests.tampering import damage, forget_the_log, rewrite


@pytest.fixture
def grown(publisher: ledger.Publisher, alice: Vault, admin: psycopg.Connection[Any]) -> Vault:
    """A log of several steps over two vaults, wide enough for a tile above the leaves. Alice's are leaves 0 and 2."""
    publisher.step(everything=True)
    bob = new_vault("Bob")
    publisher.step(everything=False)
    alice.keep("tea")
    publisher.step(everything=False)
    many_chains(admin, 256)
    publisher.step(everything=True)
    bob.keep("milk")
    publisher.step(everything=False)
    return alice


def many_chains(admin: psycopg.Connection[Any], count: int) -> None:
    """Chains of one receipt each, written as an act writes them."""
    for _ in range(count):
        vault = uuid4()
        ticket = issue(vault, "hld_x", "-")
        with admin.transaction():
            admin.execute("SELECT gate.start_chain(%s, %s), gate.open(%s, %s)", [vault, ticket, vault, ticket])
            admin.execute('SELECT gate.record(%s, %s, \'[{"kind": "vault.opened"}]\')', [vault, ticket])


def fsck() -> str:
    """What the command says where everything agrees. Raises CommandError with the first difference."""
    said = io.StringIO()
    call_command("fsck_ledger", stdout=said)
    return said.getvalue()


def test_a_sound_ledger_agrees(grown: Vault, admin: psycopg.Connection[Any]) -> None:
    (leaves,) = admin.execute("SELECT count(*) FROM log.leaf").fetchone() or (0,)
    (receipts,) = admin.execute("SELECT count(*) FROM receipt").fetchone() or (0,)
    assert leaves > 256
    said = fsck()
    assert said.startswith(f"{leaves} leaves, 5 checkpoints, 258 vaults, {receipts} receipts: everything agrees.")


def test_an_instance_without_a_log_agrees(instance: str, alice: Vault) -> None:
    assert fsck().startswith("0 leaves, 0 checkpoints, 1 vaults")


def test_receipts_that_no_leaf_pins_yet_are_no_difference(grown: Vault) -> None:
    grown.keep("bread")
    assert "everything agrees" in fsck()


ALICE = "{alice}"
DAMAGES = {
    "a leaf is gone": (["DELETE FROM log.leaf WHERE index = 1"], "leaf 1 is missing"),
    "the last leaf is gone": (["DELETE FROM log.leaf WHERE index = (SELECT max(index) FROM log.leaf)"], "leaves"),
    "a leaf says another seq": (
        ["UPDATE log.leaf SET entry = entry || '\\x0a'::bytea WHERE index = 0"],
        "leaf 0 does not have the hash of its entry",
    ),
    "a leaf is another, with its hash": (
        [
            "UPDATE log.leaf SET entry = (SELECT entry FROM log.leaf WHERE index = 1) WHERE index = 0",
            "UPDATE log.leaf SET leaf_hash = (SELECT leaf_hash FROM log.leaf WHERE index = 1) WHERE index = 0",
        ],
        "leaf 0 is not of receipt",
    ),
    "a leaf is nothing we write": (
        ["UPDATE log.leaf SET entry = 'x', leaf_hash = sha256('\\x00'::bytea || 'x') WHERE index = 2"],
        "leaf 2 is none",
    ),
    "a leaf's hash is another": (
        ["UPDATE log.leaf SET leaf_hash = sha256('x') WHERE index = 3"],
        "leaf 3 does not have the hash of its entry",
    ),
    "a leaf too many": (
        [
            "INSERT INTO log.leaf SELECT (SELECT count(*) FROM log.leaf), entry, leaf_hash FROM log.leaf"
            " WHERE index = 0",
            "INSERT INTO log.place SELECT vault_id, seq - 1, (SELECT max(index) FROM log.leaf) FROM log.place"
            " WHERE index = 0",
        ],
        "is not of receipt",
    ),
    "the tree has another root": (
        ["UPDATE log.tree SET root = sha256('x')"],
        "the tree says another root than its leaves make",
    ),
    "the tree has another size": (["UPDATE log.tree SET size = size - 1"], "the tree says"),
    "the tree has another name": (
        ["UPDATE log.tree SET origin = 'other.example/log'"],
        "the checkpoint of 1 leaves is of another tree",
    ),
    "the tree is gone": (["DELETE FROM log.tree"], "is of another tree"),
    "a tile is another": (
        ["UPDATE log.tile SET hashes = sha256('x') WHERE level = 1"],
        "tile/1/000 is not what the leaves make",
    ),
    "a tile is gone": (["DELETE FROM log.tile WHERE level = 1"], "tile/1/000 is missing"),
    "a tile too many": (
        ["INSERT INTO log.tile VALUES (2, 0, sha256('x'))"],
        "tile/2/000 is not what the leaves make",
    ),
    "a checkpoint's signature is another": (
        [
            "UPDATE log.checkpoint SET note = overlay(note PLACING CASE substring(note FROM length(note) - 20 FOR 1)"
            " WHEN '\\x41'::bytea THEN '\\x42'::bytea ELSE '\\x41'::bytea END FROM length(note) - 20) WHERE size = 2"
        ],
        "the checkpoint of 2 leaves does not hold",
    ),
    "a checkpoint is filed under another size": (
        ["UPDATE log.checkpoint SET size = 200 WHERE size = 2"],
        "the checkpoint of 200 leaves is of another tree",
    ),
    "the key is gone": (["DELETE FROM log.key"], "does not hold: no signature is by a trusted key"),
    "a place names another leaf": (
        ["UPDATE log.place SET index = 1 WHERE index = 2"],
        "leaf 1 is",
    ),
    "a place is gone": (["DELETE FROM log.place WHERE index = 1"], "leaf 1 belongs to no vault"),
    "a place names no leaf": (
        ["INSERT INTO log.place SELECT vault_id, 1, 9999 FROM log.place WHERE index = 1"],
        "at leaf 9999, which is not there",
    ),
    "a pseudonym is another": (
        ["UPDATE log.pseudonym SET key = sha256('x') WHERE vault_id = '{alice}'"],
        "leaf 0 is not of receipt",
    ),
    "a pseudonym is gone": (
        ["DELETE FROM log.pseudonym WHERE vault_id = '{alice}'"],
        "leaf 0 belongs to no vault",
    ),
    "a receipt says another thing": (
        ["UPDATE receipt SET purpose = 'finance' WHERE vault_id = '{alice}' AND seq = 3"],
        "receipt 3 of vlt_{hex} does not hold: digest",
    ),
    "a receipt is gone": (
        ["DELETE FROM receipt WHERE vault_id = '{alice}' AND seq = 3"],
        "receipt 4 of vlt_{hex} does not hold: gap",
    ),
    "a pinned receipt is gone": (
        ["DELETE FROM receipt WHERE vault_id = '{alice}' AND seq = (SELECT seq FROM log.place WHERE index = 2)"],
        "of vlt_{hex}, which is not there",
    ),
    "a chain's end is gone, and its head says so": (
        [
            "DELETE FROM receipt WHERE vault_id = '{alice}' AND seq > 3",
            "UPDATE sealed.chain_head SET seq = 3, chain_hash = (SELECT chain_hash FROM receipt"
            " WHERE vault_id = '{alice}' AND seq = 3) WHERE vault_id = '{alice}'",
        ],
        "of vlt_{hex}, which is not there",
    ),
    "a whole chain is gone": (
        ["DELETE FROM receipt WHERE vault_id = '{alice}'", "DELETE FROM sealed.chain_head WHERE vault_id = '{alice}'"],
        "of vlt_{hex}, which is not there",
    ),
    "a head is another": (
        ["UPDATE sealed.chain_head SET chain_hash = sha256('x') WHERE vault_id = '{alice}'"],
        "of vlt_{hex} does not hold: head",
    ),
    "a head is gone": (
        ["DELETE FROM sealed.chain_head WHERE vault_id = '{alice}'"],
        "vlt_{hex} has receipts, and its chain has no head",
    ),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_damage_is_named(grown: Vault, admin: psycopg.Connection[Any], what: str) -> None:
    statements, said = DAMAGES[what]
    fsck()
    damage(admin, *[each.replace("{alice}", str(grown.id)) for each in statements])
    with pytest.raises(CommandError) as found:
        fsck()
    assert said.replace("{hex}", grown.id.hex) in str(found.value)


def test_a_chain_that_was_rewritten_whole_is_not_the_one_that_was_logged(
    grown: Vault, admin: psycopg.Connection[Any]
) -> None:
    """The chain holds by itself, head and all: the limit of a chain. Its leaf does not agree: that is the log."""
    (last,) = admin.execute("SELECT seq FROM log.place WHERE index = 2").fetchone() or (0,)
    rewrite(admin, grown, last)
    assert ledger.verify(grown.id, grown.holder.actor)
    with pytest.raises(CommandError, match=f"receipt {last} of vlt_{grown.id.hex} is not the one that its leaf pins"):
        fsck()


def test_a_log_that_was_written_anew_with_its_key_is_not_caught(
    grown: Vault, admin: psycopg.Connection[Any], key_file: Path
) -> None:
    """The limit: with the log's key, and nobody outside who remembers, another history is as good as this one."""
    (last,) = admin.execute("SELECT seq FROM log.place WHERE index = 2").fetchone() or (0,)
    rewrite(admin, grown, last)
    forget_the_log(admin)
    key_file.with_name("log_key.signed").unlink()
    ledger.publisher(key_file, origin=ORIGIN).step(everything=True)
    assert "everything agrees" in fsck()


def test_it_changes_nothing_and_needs_the_log_s_role(grown: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    with tree.snapshot(), pytest.raises(Exception, match="read-only"):
        tree.add_key("x")
    monkeypatch.delitem(settings.DATABASES, "log")
    with pytest.raises(CommandError, match="MUNIMENT_DB_LOG_URL"):
        fsck()
