"""When the ledger's disk is full nothing leaves; what left before has its receipt, and space brings the gate back."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.faults.cluster import Cluster
from tests.gate.cast import check_chain, new_handle, open_vault, read_plan, stamp, take


@pytest.fixture
def small_disk(cluster: Cluster) -> Iterator[Path]:
    """Four megabytes, mounted where the server can write."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    account = cluster.postgres.account
    folder = cluster.postgres.state.root / "small"
    folder.mkdir(exist_ok=True)
    options = f"size=4m,mode=0700,uid={account.uid},gid={account.gid}"
    mount = ["mount", "-t", "tmpfs", "-o", options, "muniment-faults", str(folder)]
    mounted = subprocess.run(mount, capture_output=True, text=True, check=False)
    if mounted.returncode != 0:
        pytest.skip(f"no small disk can be mounted here: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_no_value_without_a_receipt(cluster: Cluster, small_disk: Path) -> None:
    admin, gate = cluster.connect("postgres", autocommit=True), cluster.connect("gate", autocommit=True)
    with admin, gate:
        vault = open_vault(admin)
        admin.execute(f"CREATE TABLESPACE small LOCATION '{small_disk}'")
        _move_ledger(admin, "small")
        received = full = 0
        while full < 20:
            handle = new_handle()
            try:
                assert stamp(gate, vault, handle, read_plan(vault, *vault.memories)).outcome == "stamped"
            except psycopg.errors.DiskFull:
                full += 1
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    take(gate, vault, handle)
                continue
            received += len(take(gate, vault, handle))
        count, problems = check_chain(admin, vault.id)
        assert received == count > 1000 and problems == []
        _move_ledger(admin, "pg_default")
        admin.execute("DROP TABLESPACE small")
        handle = new_handle()
        assert stamp(gate, vault, handle, read_plan(vault, *vault.memories)).outcome == "stamped"
        assert len(take(gate, vault, handle)) == len(vault.memories)
        assert check_chain(admin, vault.id) == (count + len(vault.memories), [])


def _move_ledger(admin: psycopg.Connection, tablespace: str) -> None:
    admin.execute(f"ALTER TABLE receipt SET TABLESPACE {tablespace}")
    admin.execute(f"ALTER INDEX receipt_pkey SET TABLESPACE {tablespace}")
