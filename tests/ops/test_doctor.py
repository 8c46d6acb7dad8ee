"""The doctor and the numbered checks: each wrong setting is named, with what corrects it."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core import checks
from django.core.management import call_command

import vault.checks
from tests import databases

pytestmark = pytest.mark.usefixtures("live")


def doctor() -> tuple[int, dict[str, list[dict[str, str]]]]:
    """Its exit status, and its findings by what they are about."""
    out, status = StringIO(), 0
    try:
        call_command("doctor", "--json", stdout=out)
    except SystemExit as end:
        status = int(end.code or 0)
    answer = json.loads(out.getvalue())
    by_name: dict[str, list[dict[str, str]]] = {}
    for finding in answer["findings"]:
        by_name.setdefault(finding["name"], []).append(finding)
    return status, by_name


def test_a_sound_database_is_called_sound_and_what_is_not_up_is_named(settings: Any) -> None:
    settings.PUBLIC_URL = "http://127.0.0.1:9"
    status, found = doctor()
    assert status == 1
    sound = (
        "root key",
        "web role",
        "postgres",
        "extensions",
        "migrations",
        "gate",
        "ticket key",
        "server log",
        "redis",
    )
    assert {name: [row["level"] for row in found[name]] for name in sound} == {
        name: ["ok", "ok"] if name == "redis" else ["ok"] for name in sound
    }
    assert found["web"][0]["level"] == "FAIL" and "MUNIMENT_PUBLIC_URL" in found["web"][0]["fix"]
    assert found["worker"][0]["level"] == "FAIL"
    assert found["mail"][0]["fix"] == "MUNIMENT_SMTP_URL"


def test_another_ticket_key_and_an_open_root_key_are_found(settings: Any, tmp_path: Path) -> None:
    settings.PUBLIC_URL = "http://127.0.0.1:9"
    settings.MUNIMENT_TICKET_KEY = "0" * 64
    key = tmp_path / "root_keys"
    key.write_text(f"1 {'a' * 64}\n")
    key.chmod(0o644)
    settings.MUNIMENT_ROOT_KEY_FILE = str(key)
    _, found = doctor()
    assert (found["ticket key"][0]["level"], found["ticket key"][0]["fix"]) == (
        "FAIL",
        "run: manage.py install_ticket_key",
    )
    assert found["root key"][0]["level"] == "FAIL" and "0644" in found["root key"][0]["says"]


def test_a_gate_that_is_not_this_versions_is_named(settings: Any) -> None:
    with databases.connect("postgres", autocommit=True) as admin:
        row = admin.execute("SELECT pg_get_functiondef('gate.put'::regproc)").fetchone()
        assert row is not None
        admin.execute(row[0].replace("BEGIN", "BEGIN -- older", 1))
        try:
            _, found = doctor()
        finally:
            admin.execute(row[0])
    assert found["gate"][0]["level"] == "FAIL" and "put" in found["gate"][0]["says"]


@pytest.mark.parametrize(
    ("name", "value", "number"),
    [
        ("SECRET_KEY", "short", "E001"),
        ("MUNIMENT_TICKET_KEY", "xyz", "E002"),
        ("MUNIMENT_ROOT_KEY_FILE", "/nowhere", "E003"),
        ("REDIS_URL", "redis+socket:///s.sock?password=word", "E008"),
        ("PUBLIC_URL", "https://vault.example.org/path", "E010"),
        ("PUBLIC_URL", "http://vault.example.org", "W001"),
        ("PUBLIC_URL", "https://vault.example.org", "W002"),
        ("CACHES", {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}, "E007"),
        ("LLM_BASE_URL", "https://api.example.org/v1", "E011"),
    ],
)
def test_each_wrong_setting_has_its_number(settings: Any, name: str, value: object, number: str) -> None:
    settings.LLM_MODEL = ""
    setattr(settings, name, value)
    assert f"muniment.{number}" in numbers()


def test_the_databases_are_checked(settings: Any) -> None:
    good: dict[str, Any] = settings.DATABASES
    assert vault.checks.databases_wrong(good) == []
    for change, number in (
        ({"ATOMIC_REQUESTS": True}, "E004"),
        ({"USER": good["gate"]["USER"]}, "E005"),
        ({"OPTIONS": {}}, "E006"),
    ):
        wrong = {**good, "default": {**good["default"], **change}}
        assert [message.id for message in vault.checks.databases_wrong(wrong)] == [f"muniment.{number}"]


def test_debugging_in_public_stops_the_start(settings: Any) -> None:
    settings.DEBUG, settings.PUBLIC_URL = True, "https://vault.example.org"
    assert "muniment.E009" in numbers()


def numbers() -> set[str]:
    """The numbers of all messages of ours."""
    return {message.id or "" for message in checks.run_checks(tags=["muniment"])}
