"""Where root can see to it, the log's process has an account that web, worker and beat do not share."""

from pathlib import Path

import pytest

from ops import accounts
from ops.accounts import Account, for_log

NOBODY, DAEMON = Account("nobody", 65534, 65534, switch=True), Account("daemon", 1, 1, switch=True)


@pytest.mark.parametrize(
    ("services", "found", "readable", "chosen"),
    [
        (NOBODY, DAEMON, True, DAEMON),
        (NOBODY, DAEMON, False, NOBODY),
        (NOBODY, None, True, NOBODY),
        (DAEMON, DAEMON, True, DAEMON),
        (Account("ines", 1000, 1000, switch=False), DAEMON, True, Account("ines", 1000, 1000, switch=False)),
    ],
    ids=["another", "cannot read the code", "there is none", "is the services' own", "not started by root"],
)
def test_it_is_another_one_where_there_can_be(
    monkeypatch: pytest.MonkeyPatch, services: Account, found: Account | None, readable: bool, chosen: Account
) -> None:
    monkeypatch.setattr(accounts, "_first_of", lambda names: found)
    monkeypatch.setattr(accounts, "can_read", lambda account, path: readable)
    assert for_log(services, [Path("/")]) == chosen
