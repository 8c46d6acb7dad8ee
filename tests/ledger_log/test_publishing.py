"""A leaf for each chain that grew and none for one that did not; a signed checkpoint of exactly what is committed."""

import secrets
from pathlib import Path
from typing import Any

import psycopg
import pytest

from apps.ledger import services as ledger
from apps.ledger import signing, tree
from apps.ledger.format.checkpoint import parse_signed
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.leaf import Leaf, tag_of
from apps.ledger.format.merkle import EMPTY_ROOT, leaf_hashes, root_of
from tests.cast import Vault, new_vault
from tests.ledger_log.conftest import ORIGIN


def entries(admin: psycopg.Connection[Any]) -> list[bytes]:
    """The log's entries in order; its indexes are 0, 1, 2, …"""
    rows = admin.execute("SELECT index, entry FROM log.leaf ORDER BY index").fetchall()
    assert [row[0] for row in rows] == list(range(len(rows)))
    return [row[1] for row in rows]


def heads(admin: psycopg.Connection[Any]) -> dict[Any, tuple[int, bytes]]:
    rows = admin.execute("SELECT vault_id, seq, chain_hash FROM sealed.chain_head").fetchall()
    return {row[0]: (row[1], row[2]) for row in rows}


def test_the_first_checkpoint_is_of_an_empty_log(publisher: ledger.Publisher) -> None:
    assert ledger.checkpoint() is None
    published = publisher.step(everything=True)
    assert published and (published.origin, published.size, published.root) == (ORIGIN, 0, EMPTY_ROOT)
    assert publisher.step(everything=True) is None, "nothing grew: nothing is published"


def test_a_leaf_for_each_chain_that_grew_and_none_for_one_that_did_not(
    publisher: ledger.Publisher, admin: psycopg.Connection[Any]
) -> None:
    alice, bob = new_vault("Alice"), new_vault("Bob")
    publisher.step(everything=True)
    assert {(leaf.seq, leaf.chain_hash) for leaf in map(Leaf.parse, entries(admin))} == set(heads(admin).values())
    assert len(entries(admin)) == 2
    alice.keep("tea")
    alice.keep("milk")
    publisher.step(everything=False)
    third = [Leaf.parse(entry) for entry in entries(admin)][2:]
    assert [(leaf.seq, leaf.chain_hash) for leaf in third] == [heads(admin)[alice.id]]
    publisher.step(everything=True)
    assert len(entries(admin)) == 3
    places = admin.execute("SELECT vault_id, index FROM log.place ORDER BY index").fetchall()
    assert {places[0][0], places[1][0]} == {alice.id, bob.id} and places[2] == (alice.id, 2)


def test_the_root_is_that_of_all_leaves_whatever_the_steps(
    publisher: ledger.Publisher, admin: psycopg.Connection[Any]
) -> None:
    alice = new_vault("Alice")
    for count in range(1, 12):
        alice.keep(f"thing {count}")
        if count % 3 == 0:
            new_vault("Bob")
        published = publisher.step(everything=count % 2 == 0)
        made = entries(admin)
        assert published and published.size == len(made)
        assert published.root == root_of(leaf_hashes(made))


def test_a_leaf_names_nobody_and_a_vault_keeps_its_pseudonym(
    publisher: ledger.Publisher, admin: psycopg.Connection[Any], key_file: Path, alice: Vault
) -> None:
    publisher.step(everything=True)
    key_file.unlink()
    key_file.write_text(f"{signing.FILE_VERSION}\npseudonyms {'1' * 64}\nsigning {'2' * 64}\n")
    key_file.chmod(0o600)
    alice.keep("tea")
    ledger.publisher(key_file, origin=ORIGIN, new_key=True).step(everything=True)
    first, second = map(Leaf.parse, entries(admin))
    assert first.tag == second.tag
    for entry in entries(admin):
        assert alice.id.hex not in entry.decode().replace("-", "")
    row = admin.execute("SELECT key FROM log.pseudonym WHERE vault_id = %s", [alice.id]).fetchone()
    assert row and tag_of(row[0], str(alice.id)) == first.tag


def test_every_checkpoint_is_signed_by_the_log_s_key(
    publisher: ledger.Publisher, admin: psycopg.Connection[Any], alice: Vault
) -> None:
    publisher.step(everything=True)
    alice.keep("tea")
    publisher.step(everything=True)
    (vkey,) = map(VerifierKey.parse, ledger.vkeys())
    assert vkey.name == ORIGIN
    for size, note in admin.execute("SELECT size, note FROM log.checkpoint").fetchall():
        checkpoint, parsed = parse_signed(note)
        assert checkpoint.size == size
        assert [each.key for each in parsed.verify([vkey])] == [vkey]


def test_what_is_not_committed_is_not_signed(
    publisher: ledger.Publisher, admin: psycopg.Connection[Any], alice: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the moment of each signature another connection sees the tree that is signed."""
    signed = []

    def watched(self: signing.LogKeys, checkpoint: Any) -> bytes:
        row = admin.execute("SELECT size, root FROM log.tree").fetchone()
        assert row == (checkpoint.size, checkpoint.root)
        signed.append(checkpoint.size)
        return honest(self, checkpoint)

    honest = signing.LogKeys.sign
    monkeypatch.setattr(signing.LogKeys, "sign", watched)
    publisher.step(everything=True)
    alice.keep("tea")
    publisher.step(everything=True)
    assert signed == [1, 2]


def test_many_chains_in_batches(
    publisher: ledger.Publisher, admin: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Past the width of a tile, and past one batch: nothing is left over and nothing is there twice."""
    admin.execute(
        "INSERT INTO sealed.chain_head SELECT gen_random_uuid(), 1 + n % 5, sha256(n::text::bytea), now()"
        " FROM generate_series(1, 700) n"
    )
    monkeypatch.setattr("apps.ledger.services.publishing.BATCH", 100)
    published = publisher.step(everything=True)
    made = entries(admin)
    assert published and published.size == len(made) == 700
    assert published.root == root_of(leaf_hashes(made))
    assert {(leaf.seq, leaf.chain_hash) for leaf in map(Leaf.parse, made)} == set(heads(admin).values())
    stored = dict(admin.execute("SELECT number, length(hashes) FROM log.tile WHERE level = 1").fetchall())
    assert stored == {0: 2 * 32}


def test_a_head_that_moved_long_ago_is_found_by_the_look_at_everything(
    publisher: ledger.Publisher, admin: psycopg.Connection[Any]
) -> None:
    admin.execute("INSERT INTO sealed.chain_head VALUES (gen_random_uuid(), 3, sha256('a'), now() - interval '1 hour')")
    publisher.step(everything=False)
    assert entries(admin) == []
    publisher.step(everything=True)
    assert len(entries(admin)) == 1


# ---------------------------------------------------------------- keys
def test_the_key_file_is_made_once_private_and_never_over_another(key_file: Path, publisher: ledger.Publisher) -> None:
    assert key_file.stat().st_mode & 0o777 == 0o600
    before = key_file.read_bytes()
    ledger.publisher(key_file, origin=ORIGIN)
    assert key_file.read_bytes() == before
    assert signing.keys_wrong(key_file) is None


def test_a_log_that_has_signed_does_not_go_on_with_keys_made_anew(
    key_file: Path, publisher: ledger.Publisher, tmp_path: Path
) -> None:
    key_file.rename(tmp_path / "elsewhere")
    with pytest.raises(ledger.KeyProblem, match="put the file back"):
        ledger.publisher(key_file, origin=ORIGIN)
    assert not key_file.exists()


def test_another_key_signs_only_when_that_is_said(
    key_file: Path, publisher: ledger.Publisher, alice: Vault, tmp_path: Path
) -> None:
    publisher.step(everything=True)
    other = tmp_path / "other"
    other.write_text(f"{signing.FILE_VERSION}\npseudonyms {'1' * 64}\nsigning {secrets.token_hex(32)}\n")
    other.chmod(0o600)
    with pytest.raises(ledger.KeyProblem, match="--new-key"):
        ledger.publisher(other, origin=ORIGIN)
    renewed = ledger.publisher(other, origin=ORIGIN, new_key=True)
    alice.keep("tea")
    renewed.step(everything=True)
    new, old = map(VerifierKey.parse, ledger.vkeys())
    assert (new, old) == (renewed.keys.verifier(ORIGIN), publisher.keys.verifier(ORIGIN))
    note = ledger.checkpoint()
    assert note
    parse_signed(note)[1].verify([new])


def test_nothing_is_made_or_recorded_where_the_policy_cannot_be_used(
    instance: str, key_file: Path, alice: Vault, tmp_path: Path
) -> None:
    """Also where another key is to sign: it would be in force, and the process would not start."""
    policy = tmp_path / "policy"
    policy.write_text("quorum nobody\n")
    with pytest.raises(ledger.LogProblem, match="MUNIMENT_LOG_POLICY"):
        ledger.publisher(key_file, origin=ORIGIN, policy_file=str(policy))
    assert not key_file.exists() and tree.integrated() is None
    ledger.publisher(key_file, origin=ORIGIN).step(everything=True)
    before, key = ledger.vkeys(), key_file.read_text()
    key_file.write_text(key.replace(key.split()[-1], secrets.token_hex(32)))
    with pytest.raises(ledger.LogProblem, match="MUNIMENT_LOG_POLICY"):
        ledger.publisher(key_file, origin=ORIGIN, policy_file=str(tmp_path / "none"), new_key=True)
    assert ledger.vkeys() == before


@pytest.mark.parametrize(
    ("text", "mode", "said"),
    [
        ("", 0o600, "must begin with"),
        ("muniment-log-keys/2\npseudonyms {key}\nsigning {key}\n", 0o600, "must begin with"),
        ("muniment-log-keys/1\npseudonyms {key}\nsigning short\n", 0o600, "must begin with"),
        ("muniment-log-keys/1\npseudonyms {key}\n", 0o600, "has no line signing"),
        ("muniment-log-keys/1\npseudonyms {key}\nsigning {key}\nsigning {key}\n", 0o600, "has two signing lines"),
        ("muniment-log-keys/1\npseudonyms {key}\nsigning {key}\n", 0o640, "chmod 600"),
    ],
)
def test_a_key_file_that_cannot_be_used_is_named(
    instance: str, key_file: Path, text: str, mode: int, said: str
) -> None:
    key_file.write_text(text.format(key="ab" * 32))
    key_file.chmod(mode)
    with pytest.raises(ledger.KeyProblem, match=said) as problem:
        ledger.publisher(key_file, origin=ORIGIN)
    assert "ab" * 32 not in str(problem.value)


SIGNER = """#!{python}
import base64, sys
sys.path.insert(0, {root!r})
from apps.ledger.format.ed25519 import public_key, sign
seed = bytes(range(32))
made = public_key(seed) if sys.argv[1] == "public-key" else sign(seed, sys.stdin.buffer.read())
print(base64.b64encode(made[:{keep}]).decode())
"""


@pytest.mark.parametrize("keep", [64, 30])
def test_a_command_signs_in_place_of_the_file(
    instance: str, key_file: Path, tmp_path: Path, alice: Vault, keep: int
) -> None:
    import sys

    from tests.databases import ROOT

    command = tmp_path / "signer"
    command.write_text(SIGNER.format(python=sys.executable, root=str(ROOT), keep=keep))
    command.chmod(0o700)
    if keep < 64:
        with pytest.raises((ledger.KeyProblem, ValueError)):
            ledger.publisher(key_file, signer=str(command), origin=ORIGIN)
        return
    made = ledger.publisher(key_file, signer=str(command), origin=ORIGIN)
    assert "signing" not in key_file.read_text()
    assert made.step(everything=True)
    note = ledger.checkpoint()
    assert note
    parse_signed(note)[1].verify([VerifierKey.parse(ledger.vkeys()[0])])


def test_a_command_that_fails_is_one_sentence(instance: str, key_file: Path) -> None:
    with pytest.raises(ledger.KeyProblem, match="MUNIMENT_LOG_SIGNER"):
        ledger.publisher(key_file, signer="/nowhere/signer", origin=ORIGIN)
    with pytest.raises(ledger.KeyProblem, match="MUNIMENT_LOG_SIGNER"):
        ledger.publisher(key_file, signer="false", origin=ORIGIN)


# ---------------------------------------------------------------- a tree that does not continue what was signed
def test_a_database_of_earlier_days_is_not_signed(
    publisher: ledger.Publisher, admin: psycopg.Connection[Any], alice: Vault, key_file: Path
) -> None:
    """The memory beside the keys outlives a restore: the log does not go on to another tree of the same size."""
    publisher.step(everything=True)
    alice.keep("tea")
    publisher.step(everything=True)
    admin.execute("SET session_replication_role = replica")
    admin.execute("DELETE FROM log.leaf WHERE index = 1")
    admin.execute("DELETE FROM log.place WHERE index = 1")
    admin.execute("DELETE FROM log.checkpoint WHERE size = 2")
    admin.execute("UPDATE log.tree SET size = 1, root = (SELECT leaf_hash FROM log.leaf WHERE index = 0)")
    admin.execute("SET session_replication_role = origin")
    with pytest.raises(ledger.LogProblem, match="does not continue"):
        ledger.publisher(key_file, origin=ORIGIN).step(everything=True)
    assert admin.execute("SELECT count(*) FROM log.leaf").fetchone() == (1,), "nothing was integrated, nothing signed"


def test_a_tree_that_was_rewritten_is_not_signed(
    publisher: ledger.Publisher, admin: psycopg.Connection[Any], alice: Vault
) -> None:
    publisher.step(everything=True)
    admin.execute("SET session_replication_role = replica")
    admin.execute("UPDATE log.leaf SET leaf_hash = sha256('another')")
    admin.execute("SET session_replication_role = origin")
    alice.keep("tea")
    with pytest.raises(ledger.LogProblem, match="not what its leaves make"):
        publisher.step(everything=True)
    admin.execute("SET session_replication_role = replica")
    admin.execute("UPDATE log.tree SET root = sha256('another')")
    admin.execute("SET session_replication_role = origin")
    with pytest.raises(ledger.LogProblem, match="does not continue"):
        publisher.step(everything=True)
    assert tree.newest_checkpoint() is not None


def test_a_memory_that_cannot_be_read_stops_the_log(publisher: ledger.Publisher, key_file: Path) -> None:
    publisher.step(everything=True)
    publisher.keys.memory.path.write_text("nonsense")
    with pytest.raises(ledger.KeyProblem, match="was last signed and cannot be read"):
        publisher.step(everything=True)
