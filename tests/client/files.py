"""What a real instance hands out, as the files an auditor is given: downloaded, and written to a folder."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings

from apps.erasure import services as erasure
from apps.ledger import services as ledger
from apps.ledger.format.checkpoint import parse_signed
from apps.ledger.format.fork import Fork
from apps.ledger.format.keys import ED25519, SigningKey
from apps.ledger.format.note import Note
from apps.policy.erasing import Order, Where
from apps.turns import services as turns
from tests import databases
from tests.cast import QUESTION, Vault, give, new_vault, register
from tests.drivers import Http
from vault.clock import utc_now

ORIGIN = "vault.example/log"


@contextmanager
def an_instance() -> Iterator[None]:
    """A database of its own, because the log is one for all vaults."""
    before = str(settings.DATABASES["default"]["NAME"])
    name = f"muniment_client_{os.getpid()}_{secrets.token_hex(3)}"
    databases.fresh(name)
    try:
        yield
    finally:
        databases.drop(name)
        databases.point_at(before)


def download(vault: Vault, path: str, to: Path) -> Path:
    """Save what the holder gets at a path of the API."""
    answer: Any = Http(holder=vault.holder).send("GET", path)
    assert answer.status_code == 200, answer.content
    to.write_bytes(answer.content)
    return to


def bundle(vault: Vault, to: Path, first: int | None = None) -> Path:
    """Save the vault's receipts, from one on, as a bundle."""
    made = ledger.bundle(vault.id, vault.holder.actor, utc_now(), first)
    to.write_bytes(b"".join(made.parts))
    return to


def a_fork(key_file: Path) -> bytes:
    """Proof that the log's own key signed another tree of the size of its newest."""
    (seed,) = (line.split()[1] for line in key_file.read_text().splitlines() if line.startswith("signing "))
    key = SigningKey(ORIGIN, ED25519, bytes.fromhex(seed))
    signed = ledger.checkpoint()
    assert signed is not None
    text = replace(parse_signed(signed)[0], root=bytes(32)).text
    return Fork.make(key.verifier, signed, Note(text, (key.sign(text.encode()),)).to_bytes()).to_bytes()


def hand_out(folder: Path) -> None:
    """Alice's vault in life, her files in the folder, the log's key beside them.

    read.receipt.json       a value that Cook read
    refused.receipt.json    one that stayed
    waiting.receipt.json    the newest, not yet in the log
    mallory.receipt.json    another vault's
    old.bundle.jsonl        all of Alice's receipts, and new.bundle.jsonl with those of one memory more; part. from 5 on
    gone.certificate.json   of the erasure of one memory
    told.conversation.jsonl a turn of the vault's own chat; untold. without its words
    fork.json               what somebody has if the log signs another history for somebody else
    log.vkey, other.vkey    the log's key; the key of another log
    """
    publisher = ledger.publisher(folder / "log_key", origin=ORIGIN)
    alice, mallory = new_vault("Alice"), new_vault("Mallory")
    cook = register(alice, "Cook")
    give(cook, "kitchen")
    cook.read("kitchen", "time")
    asked = turns.ask(alice.holder, QUESTION, utc_now())
    turns.decide(alice.holder, asked.turn_id, ordinary=frozenset({alice.ids["kitchen"]}), special={}, now=utc_now())
    list(turns.answer(alice.holder, asked.turn_id, utc_now()))
    alice.keep("milk")
    erased = erasure.order(alice.holder, Where(ids=frozenset({alice.ids["milk"]})), utc_now())
    assert isinstance(erased, Order)
    publisher.step(everything=True)
    for name, content in (("told", True), ("untold", False)):
        conversation = turns.conversation_file(alice.holder, content=content)
        assert conversation is not None
        (folder / f"{name}.conversation.jsonl").write_bytes(b"".join(conversation.parts))
    bundle(alice, folder / "old.bundle.jsonl")
    alice.keep("coffee")
    publisher.step(everything=True)
    bundle(alice, folder / "new.bundle.jsonl")
    bundle(alice, folder / "part.bundle.jsonl", first=5)
    alice.keep("tea")
    receipts = {each.kind: each.seq for each in reversed(alice.receipts())}  # the first of each kind
    download(alice, f"receipts/rcp_{receipts['value.read']}/file", folder / "read.receipt.json")
    download(alice, f"receipts/rcp_{receipts['value.refused']}/file", folder / "refused.receipt.json")
    download(alice, f"receipts/rcp_{alice.receipts()[-1].seq}/file", folder / "waiting.receipt.json")
    download(mallory, "receipts/rcp_2/file", folder / "mallory.receipt.json")
    download(alice, f"erasures/ord_{erased.order_id.hex}/certificate", folder / "gone.certificate.json")
    (folder / "fork.json").write_bytes(a_fork(folder / "log_key"))
    (folder / "vault.txt").write_text(f"vlt_{alice.id.hex}")
    (folder / "log.vkey").write_text("".join(f"{vkey}\n" for vkey in ledger.vkeys()))
    (folder / "other.vkey").write_text("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW\n")
