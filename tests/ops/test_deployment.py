"""The deployment with containers, CI, and the settings' page: files that must agree with the code."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from ops import environment
from ops.deployment import make_secrets
from ops.trouble import Trouble
from tests.ops.conftest import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]


def folders(service: str) -> set[str]:
    """The secret volumes a service mounts."""
    return {volume.split(":")[0] for volume in SERVICES[service].get("volumes", []) if "secrets-" in volume}


def test_every_part_is_there_and_waits_for_what_it_needs() -> None:
    assert set(SERVICES) == {*"secrets postgres valkey migrate guard web worker beat log mail".split()}
    assert SERVICES["mail"]["profiles"] == ["dev"]
    for name in ("web", "worker", "beat", "log"):
        assert SERVICES[name]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
    for name in ("web", "worker", "beat"):
        assert SERVICES[name]["depends_on"]["guard"]["condition"] == "service_completed_successfully"
    assert "manage.py guard || test $$? -eq 3" in str(SERVICES["guard"]["command"]), "on hold people may still read"
    for name in ("postgres", "valkey", "web", "worker"):
        assert SERVICES[name]["healthcheck"]["start_period"]
    assert "healthz" in str(SERVICES["web"]["healthcheck"]["test"]), "a slow database must not get the web killed"


def test_nobody_holds_a_secret_it_does_not_need() -> None:
    assert folders("web") == folders("worker") == folders("beat") == {"secrets-app"}
    assert folders("postgres") == folders("valkey") == {"secrets-servers"}
    assert folders("log") == folders("guard") == {"secrets-log"}, "the log's keys are mounted nowhere else"
    assert [name for name in SERVICES if "secrets-log" in folders(name)] == ["secrets", "guard", "log"]
    assert SERVICES["guard"]["environment"] == SERVICES["log"]["environment"]
    assert SERVICES["log"]["environment"]["DJANGO_SETTINGS_MODULE"] == "vault.log_settings"
    assert not [key for key in SERVICES["log"]["environment"] if re.search("APP|GATE|OWNER|ROOT|SECRET|TICKET", key)]
    assert folders("migrate") == {"secrets-app", "secrets-owner"}
    for name in ("web", "worker", "beat"):
        held = set(SERVICES[name]["environment"])
        assert not (held | {key.removesuffix("_FILE") for key in held}) & set(environment.PRIVILEGED)
    text = (ROOT / "docker-compose.yml").read_text()
    assert not re.search(r"(?i)password: *\w", text), "no password stands in the file"


def test_every_secret_file_that_is_named_is_made(tmp_path: Path) -> None:
    first = make_secrets(tmp_path, os.getuid(), "postgres", "valkey")
    named = set(re.findall(r"/secrets/((?:app|owner|servers|log)/[\w.]+)", (ROOT / "docker-compose.yml").read_text()))
    assert named <= {*first, "log/log_key"}, "the log makes its keys itself"
    before = {name: (tmp_path / name).read_text() for name in first}
    assert make_secrets(tmp_path, os.getuid(), "postgres", "valkey") == []
    assert {name: (tmp_path / name).read_text() for name in first} == before
    for name in first:
        if not name.startswith("servers/"):
            assert (tmp_path / name).stat().st_mode & 0o077 == 0
    assert before["app/db_app_url"] == before["owner/db_app_url"]
    assert before["log/db_log_url"] == before["owner/db_log_url"]
    assert before["servers/valkey_password"].strip() in before["app/redis_url"]


def test_every_setting_reaches_the_containers() -> None:
    elsewhere = {"MUNIMENT_DEBUG", "MUNIMENT_STATE_DIR", "MUNIMENT_LOG_SIGNER"}  # not for them, or the image's
    elsewhere |= {"MUNIMENT_BACKUP_RECIPIENT", "MUNIMENT_BACKUP_PASSPHRASE"}  # given to the command: docs/backup.md
    settings = set(re.findall(r"(?m)^#?(MUNIMENT_\w+)=", (ROOT / ".env.example").read_text()))
    named = set(re.findall(r"MUNIMENT_\w+", (ROOT / "docker-compose.yml").read_text()))
    left = settings - named - {name.removesuffix("_FILE") for name in named}
    assert {name for name in left if not name.startswith("MUNIMENT_TEST_")} == elsewhere


def test_the_image_takes_the_locked_set_and_no_root() -> None:
    text = (ROOT / "Dockerfile").read_text()
    assert "--require-hashes" in text and "USER muniment" in text
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in ignored and "!.run" not in ignored


@pytest.mark.parametrize("failing", ["", "lint", "test", "e2e"])
def test_ci_runs_the_three_targets_and_fails_with_any(tmp_path: Path, failing: str) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    recorder = f'all: ;\n%:\n\t@echo $@ >> called; echo "=== 3 passed in 0.1s ==="; test "$@" != "{failing}"\n'
    (tmp_path / "Makefile").write_text(recorder)
    done = subprocess.run([tmp_path / ".ci" / "run"], capture_output=True, text=True)
    assert (tmp_path / "called").read_text().split() == ["lint", "test", "e2e"]
    assert done.returncode == (1 if failing else 0)
    assert done.stdout.splitlines()[-1] == (f"FAILED: {failing}" if failing else "passed: lint test e2e")
    assert "3 passed" in done.stdout


def test_settings_come_from_variables_files_and_dotenv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "word").write_text("from a file\n")
    (tmp_path / ".env").write_text("# a remark\nexport T_ONE='one = 1'\nT_TWO=two\nT_THREE=three\n")
    for name in ("T_ONE", "T_THREE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("T_TWO", "given")
    monkeypatch.setenv("T_FOUR_FILE", str(tmp_path / "word"))
    environment.load_dotenv(tmp_path / ".env")
    found = [environment.setting(name) for name in ("T_ONE", "T_TWO", "T_THREE", "T_FOUR", "T_FIVE")]
    for name in ("T_ONE", "T_THREE"):
        os.environ.pop(name)
    assert found == ["one = 1", "given", "three", "from a file", None]
    (tmp_path / ".env").write_text("no equals sign\n")
    with pytest.raises(Trouble, match=r"Line 1 of \.env is not NAME=value"):
        environment.load_dotenv(tmp_path / ".env")


def test_a_process_that_serves_gets_no_privileged_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*environment.PRIVILEGED, "DATABASE_URL_FILE", "PGPASSWORD"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("MUNIMENT_SMTP_URL", "smtp://real.example")
    serving = environment.base(keep_settings=True)
    assert not {*environment.PRIVILEGED, "DATABASE_URL_FILE", "PGPASSWORD"} & set(serving)
    assert "MUNIMENT_SMTP_URL" in serving
    assert "MUNIMENT_SMTP_URL" not in environment.base(keep_settings=False), "a test mails nobody"
