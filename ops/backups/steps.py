"""What a restored database goes through before it is used: this Muniment's own commands, run on it and not on ours."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ops.backups import contents
from ops.backups.brought import Loaded
from ops.backups.carried import Carried
from ops.backups.place import Place, connected
from ops.prepare import COMMANDS, MIGRATE, ON_HOLD
from ops.state import CHECKOUT
from ops.trouble import Trouble

Migrations = Mapping[str, list[str]]


@dataclass(frozen=True, slots=True)
class Settled:
    """How much was erased again and carried over, what the check of the ledger said, and which root keys open all."""

    vaults: int
    erased: int
    ended: int
    blanked: int
    stopped: int
    orders: int
    holds: int
    people: int
    ledger: str
    ours: bool  # the root keys of this instance, or else those of the backup


def migrate_to(beside: Place, here: Migrations, there: Migrations) -> None:
    """Bring the schema from one state of the migrations to a later one."""
    late = [f"{app} {names[-1]}" for app, names in there.items() if names != here.get(app)]
    if late:
        _run(beside, *(f"migrate {each} --database owner --noinput --verbosity 0" for each in late))


def settle(beside: Place, loaded: Loaded, carried: Carried, path: Path) -> Settled:
    """Migrate, install the ticket key, find the root keys that open it, erase again, carry over, check the ledger.
    Raises Trouble where anything stays shut or differs.
    """
    with connected(beside.administrator) as connection:
        vaults = [
            str(row[0]) for row in connection.execute("SELECT DISTINCT vault_id FROM public.vault_key ORDER BY 1")
        ]
        chains = {str(row[0]) for row in connection.execute("SELECT vault_id FROM sealed.chain_head")}
    with tempfile.TemporaryDirectory() as folder:
        theirs = Path(folder) / contents.ROOT_KEYS
        theirs.touch(mode=0o600)
        theirs.write_bytes(loaded.files[contents.ROOT_KEYS])
        paths = [str(each) for each in (beside.root_keys, theirs) if each.exists()]
        gone = [each[:3] for each in loaded.gone if each.vault in chains]
        asked: dict[str, Any] = {"root_keys": paths, "vaults": vaults, "gone": gone}
        for name, rows in carried._asdict().items():
            asked[name] = [row for vault, row in rows if not vault or vault in chains]
        commands = (*MIGRATE, "settle_restored", "install_ticket_key", "fsck_ledger")
        *_, settled, _, ledger = _run(beside, *commands, given=json.dumps(asked))
        said = json.loads(settled)
    if "shut" in said:
        raise Trouble(_shut(said["shut"], path, beside))
    ours = said.pop("root_keys") == str(beside.root_keys)
    return Settled(**said, ledger=ledger, ours=ours)


def _shut(shut: list[tuple[str, int]], path: Path, beside: Place) -> str:
    epochs = sorted({root for _, root in shut})
    vaults = sorted({vault for vault, _ in shut})
    which = " and ".join(map(str, epochs))
    return (
        f"The root key of epoch {which} is missing, or another one has its number: it opens the keys of {len(vaults)} "
        f"vaults, vlt_{vaults[0].replace('-', '')} among them, and without it no value of theirs opens. It is neither "
        f"in {beside.root_keys} nor in {path}. Nothing was changed."
    )


def guard(beside: Place) -> str:
    """Ask what has been signed whether this database continues it: what there is to be done, or nothing to be said."""
    if beside.log_keys is None or not beside.log_keys.exists():
        return "The log's keys are not here: the next start asks whether the log may go on."
    env = beside.environment() | {
        "DJANGO_SETTINGS_MODULE": "vault.log_settings",
        "MUNIMENT_LOG_KEY_FILE": str(beside.log_keys),
    }
    command = [sys.executable, "manage.py", "guard"]
    done = subprocess.run(command, cwd=CHECKOUT, env=env, capture_output=True, text=True, check=False)
    if done.returncode not in (0, ON_HOLD):
        raise Trouble(_last(done.stderr))
    return done.stdout.strip() if done.returncode == ON_HOLD else done.stderr.strip()


def _run(beside: Place, *commands: str, given: str = "") -> list[str]:
    """Run management commands on this database, in one process. What each said last."""
    env = beside.environment() | {"DJANGO_SETTINGS_MODULE": "vault.settings"}
    argv = [sys.executable, "-c", COMMANDS, *commands]
    done = subprocess.run(argv, cwd=CHECKOUT, env=env, input=given, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Trouble(f"{_last(done.stderr)} Nothing was changed.")
    said, last = [], ""
    for line in done.stdout.splitlines():
        if line.startswith("== done:"):
            said.append(last)
            last = ""
        else:
            last = line
    return said


def _last(text: str) -> str:
    lines = text.strip().splitlines() or ["A command ended without a word."]
    return lines[-1].removeprefix("django.core.management.base.CommandError: ").removeprefix("CommandError: ")
