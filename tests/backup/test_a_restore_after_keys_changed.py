"""Keys change while files of data are kept: with the newest file of keys an old one opens, without what was erased.
With its own it brings a destroyed root key back, which the next change of keys destroys again.
"""

from datetime import timedelta
from typing import Any

from apps.memories import services as memories
from apps.turns import services as turns
from tests.backup.conftest import Instance, asked, restore_to, shown
from tests.cast import Vault
from tests.erasing import erase_within_an_act as erase
from vault.clock import utc_now

ANEW: dict[str, Any] = {"anew": True, "grace": timedelta(0)}


def epochs(backed: Instance) -> list[str]:
    return [line.split()[0] for line in backed.place.root_keys.read_text().splitlines()]


def test_both_ways(backed: Instance, alice: Vault, settings: Any) -> None:
    settings.MUNIMENT_ROOT_KEY_FILE = str(backed.place.root_keys)
    turn = asked(alice, "kitchen")
    old = backed.back_up()
    (first,) = epochs(backed)
    gone = erase(alice, "diary")
    assert not memories.turn(utc_now(), **ANEW).stuck
    assert first not in epochs(backed), "the control: it is destroyed"
    new = backed.back_up(later=timedelta(seconds=2))

    assert restore_to(backed, old, keys=new.keys).said == []
    assert memories.memory(alice.holder, gone) is None
    assert shown(alice, "pills") == [alice.values["pills"]] and shown(alice, "time") == [alice.values["time"]]
    assert turns.turn(alice.holder, turn.turn_id) == turn and first not in epochs(backed)

    said = restore_to(backed, old).said
    assert len(said) == 2 and epochs(backed) == [first]
    assert memories.memory(alice.holder, gone) is None and shown(alice, "time") == [alice.values["time"]]
    assert not memories.turn(utc_now(), **ANEW).stuck
    assert first not in epochs(backed) and shown(alice, "time") == [alice.values["time"]]
