"""The instance knows when it was backed up last: the doctor and the operator's page say so, and warn of long ago."""

from datetime import timedelta
from pathlib import Path

import pytest

from apps.console.management import keys
from apps.console.views import _backup
from apps.erasure import services as erasure
from ops.backups import tombstones
from tests.backup.conftest import Instance, restore_to, rows
from tests.cast import Vault
from vault.clock import utc_now


def told() -> tuple[str, str]:
    (found,) = keys.backups()
    return found.level, found.says


def test_it_is_told_and_warned_of_when_it_is_long_ago(
    backed: Instance, alice: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told() == ("warn", "none was made of this database yet")
    assert (_backup().well, _backup().said) == (False, "none was made of this database yet")
    backed.back_up()
    assert told() == ("ok", "made last 0 h ago; what is erased was listed last 0 h ago")
    assert _backup().well is True
    late = utc_now() + timedelta(days=3)
    for module in ("apps.console.management.keys", "apps.console.views"):
        monkeypatch.setattr(f"{module}.utc_now", lambda: late)
    assert told() == ("warn", "made last 3 days ago; what is erased was listed last 3 days ago")
    assert _backup().well is False


def test_a_list_of_tombstones_is_none_and_is_told_by_itself(backed: Instance, alice: Vault, tmp_path: Path) -> None:
    tombstones.write(backed.place, tmp_path / "tombstones")
    assert told()[0] == "warn"
    made, listed = erasure.backed_up_at()
    assert made is None and listed is not None
    backed.back_up()
    again, _ = erasure.backed_up_at()
    assert again is not None and again > listed


def test_what_was_restored_was_not_backed_up_yet(backed: Instance, alice: Vault) -> None:
    taken = backed.back_up()
    backed.back_up(later=timedelta(seconds=2))
    restore_to(backed, taken)
    assert rows("SELECT * FROM backed_up") == []
