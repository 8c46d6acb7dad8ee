"""A backup that an earlier Muniment made is brought up to date: the files in `older` are from before there were
tombstones, orders of erasure and epochs of keys. On a machine that has other root keys, it brings its own.
"""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.memories import services as memories
from apps.turns import services as turns
from ops.backups.archive import reading
from ops.backups.taking import Taken
from tests.backup.conftest import IDENTITY, Instance, restore_to, rows

OLDER = Path(__file__).parent / "older"


def test_it_opens_erases_again_and_verifies(backed: Instance, settings: Any, tmp_path: Path) -> None:
    says = json.loads((OLDER / "says.json").read_text())
    vault, ids = UUID(says["vault"]), {name: UUID(each) for name, each in says["ids"].items()}
    taken = Taken(OLDER / "data.age", OLDER / "keys.age", 0, 0, 0, 0, ())
    with reading(taken.data, IDENTITY) as opened:
        assert "erasure" not in opened.about.migrations, "the control"
        made_by = opened.about.product
        if opened.about.postgres > rows("SELECT current_setting('server_version_num')::int / 10000")[0][0]:
            pytest.skip("a backup of a newer PostgreSQL is refused")
    gone = tmp_path / "tombstones"
    gone.write_text(f"muniment-tombstones/1\n{vault} {ids['diary']} {UUID(int=5)} 2026-01-01T00:00:00.000000Z\n")

    done = restore_to(backed, taken, product=made_by, tombstones=(gone,))
    settings.MUNIMENT_ROOT_KEY_FILE = str(backed.place.root_keys)
    assert (done.tombstones, done.erased) == (1, 1) and len(done.said) == 2
    holder = holders.holder_of_vault(vault)
    assert holder is not None and memories.memory(holder, ids["diary"]) is None
    for name in ("time", "kitchen", "pills"):
        (shown,) = memories.show(holder, [ids[name]]).values
        assert shown.value == says["values"][name]
    turn = turns.turn(holder, UUID(says["turn"]))
    assert turn is not None and turn.answer == says["answer"]
    assert len(ledger.receipts(vault, holder.actor, limit=500)) > says["receipts"]
    assert ledger.check_ledger()
