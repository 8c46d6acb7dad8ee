"""A receipt's file: by itself it shows, to whoever knows the log's key, that this receipt is in the log."""

import json
from dataclasses import replace
from typing import Any

import pytest

from apps.ledger import services as ledger
from apps.ledger.format.encoding import digest_of, genesis, next_hash
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.leaf import Leaf, tag_of
from apps.ledger.format.policy import Policy
from apps.ledger.format.proof import Proof
from apps.ledger.format.strict import Unproven
from apps.ledger.format.verdict import Trust, Verdict
from apps.ledger.format.verifying import verify
from tests.cast import Vault, give, new_vault, register
from tests.drivers import Http
from tests.ledger_log.test_fsck import many_chains
from tests.pages import WebHolder

NO_WITNESS = Policy.parse(b"quorum none\n")


def check(file: dict[str, Any]) -> int:
    """What a verifier does, from the file and its own copy of the log's key. Returns the checkpoint's size."""
    digest = digest_of(file["receipt"])
    assert digest.hex() == file["digest"]
    made = next_hash(bytes.fromhex(file["previous_chain_hash"]), digest)
    assert made.hex() == file["chain_hash"]
    for each in file["segment"]:
        made = next_hash(made, bytes.fromhex(each))
    said = file["leaf"]
    assert said["chain_hash"] == made.hex()
    assert said["seq"] == file["receipt"]["seq"] + len(file["segment"])
    vault = file["receipt"]["vault"].removeprefix("vlt_")
    hyphened = "-".join([vault[:8], vault[8:12], vault[12:16], vault[16:20], vault[20:]])
    tag = tag_of(bytes.fromhex(said["pseudonym_key"]), hyphened)
    assert tag.hex() == said["tag"]
    proof = Proof.parse(file["proof"].encode())
    assert proof.index == said["index"]
    keys = [VerifierKey.parse(vkey) for vkey in file["keys"].values()]
    assert [f"{key.key_id:08x}" for key in keys] == list(file["keys"])
    return proof.check(Leaf(tag, said["seq"], made).to_bytes(), NO_WITNESS, keys).checkpoint.size


def file_of(vault: Vault, seq: int) -> dict[str, Any]:
    found = ledger.proof(vault.id, vault.holder.actor, seq)
    assert found
    return dict(json.loads(json.dumps(found)))


def test_every_receipt_is_provable_once_it_is_published(publisher: ledger.Publisher, alice: Vault) -> None:
    new_vault("Bob")
    publisher.step(everything=True)
    for number in range(3):
        alice.keep(f"thing {number}")
        publisher.step(everything=True)
    receipts = alice.receipts()
    for receipt in receipts:
        file = file_of(alice, receipt.seq)
        assert check(file) == 5
        assert file["receipt"] == ledger.body_of(receipt)
        assert "log" not in file
    assert file_of(alice, 1)["previous_chain_hash"] == genesis(str(alice.id)).hex()
    assert file_of(alice, receipts[-1].seq)["segment"] == []
    assert any("No witness" in each for each in file_of(alice, 1)["limits"])


def test_before_that_it_says_not_yet_in_the_log(publisher: ledger.Publisher, alice: Vault) -> None:
    newest = alice.receipts()[-1].seq
    waiting = file_of(alice, newest)
    assert waiting["log"] == "not yet in the log"
    assert not {"leaf", "proof", "segment", "keys"} & set(waiting)
    assert digest_of(waiting["receipt"]).hex() == waiting["digest"]
    publisher.integrate()
    assert file_of(alice, newest)["log"] == "not yet in the log", "integrated is not published"
    publisher.publish()
    assert check(file_of(alice, newest)) == 1
    alice.keep("tea")
    assert "log" in file_of(alice, newest + 1) and "log" not in file_of(alice, newest)


def test_a_receipt_deep_in_a_wide_log(publisher: ledger.Publisher, alice: Vault, admin: Any) -> None:
    publisher.step(everything=True)
    many_chains(admin, 300)
    publisher.step(everything=True)
    assert check(file_of(alice, 2)) == 301


@pytest.mark.parametrize("member", ["receipt", "previous_chain_hash", "segment", "leaf", "proof", "keys"])
def test_whatever_is_changed_in_it_no_longer_holds(publisher: ledger.Publisher, alice: Vault, member: str) -> None:
    publisher.step(everything=True)
    publisher.step(everything=True)
    file = file_of(alice, 2)
    other = new_vault("Mallory")
    publisher.step(everything=True)
    theirs = file_of(other, 2)
    changed = {**file, member: theirs[member] if member != "keys" else {}}
    with pytest.raises((AssertionError, Unproven)):
        check(changed)


def test_it_names_no_other_vault(publisher: ledger.Publisher, alice: Vault) -> None:
    other = new_vault("Mallory")
    publisher.step(everything=True)
    text = json.dumps(file_of(alice, 2))
    assert other.id.hex not in text and str(other.id) not in text
    assert not [value for value in [*alice.values.values(), *alice.labels.values()] if value in text]


def test_old_files_and_new_ones_hold_when_the_key_has_changed(
    publisher: ledger.Publisher, alice: Vault, tmp_path: Any
) -> None:
    """Keys are found by their ids: a file keeps the one it was signed with."""
    publisher.step(everything=True)
    old = file_of(alice, 2)
    other = tmp_path / "other"
    other.write_text(f"muniment-log-keys/1\npseudonyms {'1' * 64}\nsigning {'3' * 64}\n")
    other.chmod(0o600)
    renewed = ledger.publisher(other, origin="", new_key=True)
    alice.keep("tea")
    renewed.step(everything=True)
    new = file_of(alice, 2)
    assert check(old) == 1 and check(new) == 2
    assert old["keys"].keys() != new["keys"].keys()
    assert old["leaf"] == new["leaf"]


def test_the_page_and_rest_give_the_same_file(publisher: ledger.Publisher, alice: Vault) -> None:
    publisher.step(everything=True)
    answer = Http(holder=alice.holder).send("GET", "receipts/rcp_2/file")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="rcp_2.receipt.json"'
    page = WebHolder(alice.holder).browser.get("/receipts/rcp_2.receipt.json")
    assert answer.json() == json.loads(page.content) == file_of(alice, 2)
    again = Http(holder=alice.holder).send("GET", "receipts/rcp_2/file", If_None_Match=answer.headers["ETag"])
    assert again.status_code == 304


def test_a_client_gets_the_files_of_its_own_receipts_alone(publisher: ledger.Publisher, alice: Vault) -> None:
    cook = register(alice, "Cook")
    give(cook, "kitchen")
    cook.read("kitchen")
    publisher.step(everything=True)
    mine = alice.receipts(actor=cook.actor)[-1].seq
    client = Http(cook.key)
    assert check(client.call("GET", f"receipts/rcp_{mine}/file"))
    assert client.send("GET", "receipts/rcp_1/file").status_code == 404
    assert client.send("GET", "receipts/rcp_9999/file").status_code == 404


def test_a_file_that_would_not_hold_is_not_given(publisher: ledger.Publisher, alice: Vault, admin: Any) -> None:
    publisher.step(everything=True)
    admin.execute("SET session_replication_role = replica")
    admin.execute("UPDATE log.leaf SET entry = %s", [replace(Leaf(b"1" * 32, 1, b"2" * 32), seq=3).to_bytes()])
    with pytest.raises(Unproven):
        ledger.proof(alice.id, alice.holder.actor, 2)


def test_a_file_is_in_the_ledger_for_whoever_knows_the_logs_key(publisher: ledger.Publisher, alice: Vault) -> None:
    publisher.step(everything=True)
    key = VerifierKey.parse(next(iter(file_of(alice, 2)["keys"].values())))
    for receipt in alice.receipts():
        report = verify(json.dumps(file_of(alice, receipt.seq)).encode(), Trust((key,), vault=f"vlt_{alice.id.hex}"))
        assert (report.verdict, report.findings) == (Verdict.IN_LEDGER, ())
        assert report.says.endswith(f"is line {receipt.seq} of this vault's ledger.")
    alice.keep("tea")
    waiting = json.dumps(file_of(alice, alice.receipts()[-1].seq)).encode()
    assert verify(waiting).verdict is Verdict.NOT_CHECKED
    assert verify(waiting, Trust((key,))).verdict is Verdict.CANT_CHECK
