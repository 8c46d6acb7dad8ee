"""Asynchronous stamps need a server that flushes when it is told to: where it cannot they are refused, before anybody
finds out by a hand-over that fails.
"""

from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.ledger.management.commands import install_ticket_key
from tests import databases

YET_TO_COME = 990000


def installed() -> Any:
    with databases.connect("owner") as owner:
        return owner.execute("SELECT ipad, opad, async, held FROM sealed.ticket_key").fetchall()


def test_they_are_refused_and_nothing_is_changed(live: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    before = installed()
    settings.ASYNC_STAMP = True
    monkeypatch.setattr(install_ticket_key, "FLUSHES", YET_TO_COME)
    with pytest.raises(CommandError, match=r"needs PostgreSQL 99 or newer.*Set it to false"):
        call_command("install_ticket_key")
    assert installed() == before


def test_without_them_the_key_is_installed_all_the_same(
    live: None, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(install_ticket_key, "FLUSHES", YET_TO_COME)
    before = installed()
    call_command("install_ticket_key", verbosity=0)
    assert installed() == before
