"""A log of a test's own, wherever one is needed: its fixtures, and what an instance gives away of it."""

import json
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from apps.ledger import services as ledger
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.verdict import Report, Trust
from apps.ledger.format.verifying import verify
from tests import databases
from tests.cast import Vault
from tests.peers.witness import Real
from vault.clock import utc_now

ORIGIN = "vault.example/log"


@pytest.fixture
def instance(live: None) -> Iterator[str]:
    """The name of a database of this test's own: the log is one for all vaults, so no other test may write leaves."""
    before = str(settings.DATABASES["default"]["NAME"])
    name = f"muniment_log_{os.getpid()}_{secrets.token_hex(3)}"
    databases.fresh(name)
    yield name
    databases.drop(name)
    databases.point_at(before)


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    """Where the log's keys will be."""
    return tmp_path / "log_key"


@pytest.fixture
def publisher(instance: str, key_file: Path) -> ledger.Publisher:
    """The log's process, begun."""
    return ledger.publisher(key_file, origin=ORIGIN)


def begun(key_file: Path, witness: Real | None = None) -> ledger.Publisher:
    """The log's process, started anew; with a witness, whose cosignature it asks for."""
    policy = key_file.with_name("policy")
    if witness is not None:
        policy.write_text(f"{witness.line}quorum {witness.name}\n")
    return ledger.publisher(key_file, origin=ORIGIN, policy_file=str(policy) if witness else "")


def file_of(vault: Vault, seq: int) -> bytes:
    """A receipt's file, as it is downloaded."""
    return json.dumps(ledger.proof(vault.id, vault.holder.actor, seq), indent=2).encode()


def bundle_of(vault: Vault) -> bytes:
    """The audit bundle of the whole ledger."""
    return b"".join(ledger.bundle(vault.id, vault.holder.actor, utc_now()).parts)


def check(data: bytes, *known: VerifierKey) -> Report:
    """What somebody finds who has a file, the log's public keys from before, and nothing else."""
    return verify(data, Trust(keys=known))
