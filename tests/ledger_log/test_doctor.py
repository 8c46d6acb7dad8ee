"""The doctor says whether the log has its keys and keeps up."""

from pathlib import Path
from typing import Any

import pytest

from apps.console.management import log
from apps.ledger import hold
from apps.ledger import services as ledger
from tests.cast import Vault
from tests.ledger_log.conftest import ORIGIN


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch, settings: Any, key_file: Path) -> None:
    monkeypatch.setattr(log, "PATIENCE", 0.2)
    settings.LOG_KEY_FILE, settings.LOG_SIGNER = str(key_file), ""


@pytest.fixture
def policy(tmp_path: Path, settings: Any) -> Path:
    """The file that the setting names; what it holds is for the test to write."""
    settings.LOG_POLICY = str(tmp_path / "policy")
    return tmp_path / "policy"


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


def test_a_policy_that_cannot_be_used_is_the_setting_to_correct(publisher: ledger.Publisher, policy: Path) -> None:
    for text in (None, "quorum nobody\n"):
        if text is not None:
            policy.write_text(text)
        (finding,) = log.log_policy()
        assert finding.level == "FAIL" and str(policy) in finding.says and finding.fix.startswith("MUNIMENT_LOG_POLICY")


def test_a_policy_that_is_not_in_force_yet_is_not_called_none(
    publisher: ledger.Publisher, key_file: Path, alice: Vault, policy: Path
) -> None:
    policy.write_text("# nobody yet\nquorum none\n")
    (finding,) = log.log_policy()
    assert (
        finding.level == "warn" and "is not in force" in finding.says and "start the process log again" in finding.fix
    )
    (asked,) = log.log_witnesses()
    assert "name some" not in asked.fix and "though one is set" in asked.says
    hold.put("a test says so", None)
    (finding,) = log.log_policy()
    assert finding.fix == "end the hold first"
    ledger.publisher(key_file, origin=ORIGIN, policy_file=str(policy))
    assert [each.level for each in log.log_policy()] == ["ok"]


def test_without_a_policy_there_is_nothing_to_say_of_it(publisher: ledger.Publisher, settings: Any) -> None:
    settings.LOG_POLICY = ""
    assert list(log.log_policy()) == []
    (asked,) = log.log_witnesses()
    assert "MUNIMENT_LOG_POLICY" in asked.fix
