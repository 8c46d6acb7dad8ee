"""The doctor says whether the log has its keys and keeps up."""

from pathlib import Path
from typing import Any

import pytest

from apps.console.management import log
from apps.ledger import services as ledger
from tests.cast import Vault


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch, settings: Any, key_file: Path) -> None:
    monkeypatch.setattr(log, "PATIENCE", 0.2)
    settings.LOG_KEY_FILE, settings.LOG_SIGNER = str(key_file), ""


def levels() -> list[tuple[str, str]]:
    return [(finding.name, finding.level) for finding in [*log.log_keys(), *log.log_keeps_up()]]


def test_before_the_first_start(instance: str) -> None:
    assert levels() == [("log keys", "warn"), ("log", "FAIL")]


def test_when_it_keeps_up_and_when_it_does_not(publisher: ledger.Publisher, alice: Vault) -> None:
    publisher.step(everything=True)
    assert levels() == [("log keys", "ok"), ("log", "ok")]
    alice.keep("tea")
    (finding,) = log.log_keeps_up()
    assert finding.level == "FAIL" and "1 chains have waited" in finding.says and "publish_log" in finding.fix
    publisher.integrate()
    assert levels()[1] == ("log", "FAIL"), "integrated is not published"
    publisher.publish()
    assert levels()[1] == ("log", "ok")


def test_keys_that_are_gone_or_open(publisher: ledger.Publisher, key_file: Path) -> None:
    key_file.chmod(0o644)
    (finding,) = log.log_keys()
    assert finding.level == "FAIL" and "open to other accounts" in finding.says
    key_file.unlink()
    (finding,) = log.log_keys()
    assert finding.level == "FAIL" and "cannot be read" in finding.says


def test_a_process_without_the_log_s_role_says_that_it_did_not_ask(
    instance: str, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.delitem(settings.DATABASES, "log")
    assert levels() == [("log keys", "warn"), ("log", "warn")]
