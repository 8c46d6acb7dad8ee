"""A URL among the settings that cannot be used stops the start with one sentence: which setting it is, and what to
write. Nothing of the URL stands in it, which may hold a password."""

import runpy
import traceback
from pathlib import Path
from typing import Any

import pytest

from ops import environment
from ops.trouble import Trouble
from vault.env import WrongSetting

VAULT = Path(__file__).parents[2] / "vault"
WRONG = [
    "{}://user:hunter7@host.example:99999{}",
    "{}://user:hunter7@host.example:0{}",
    "{}://user:hunter7@host.example:abc{}",
    "{}://user:hunter7#9@host.example:587{}",
    "{}://user:7#hunter7@host.example:587{}",
    "{}://user:hunter7/x@host.example{}",
    "{}://user:hunter7?x@host.example{}",
    "{}://user:hunter7%x@host.example{}",
    "{}://user:hunter7 x@host.example{}",
    "{}://user:hunter7[x@host.example{}",
    "{}://user:hunter7\u2100x@host.example{}",
    "hunter7.example",
]
DATABASE = ("postgresql", "/muniment")
SETTINGS = {
    "MUNIMENT_SMTP_URL": ("smtp+starttls", ""),
    "REDIS_URL": ("redis", "/0"),
    "MUNIMENT_PUBLIC_URL": ("https", ""),
    "MUNIMENT_LLM_BASE_URL": ("https", "/v1"),
    "MUNIMENT_MAIL_PROVIDER_URL": ("https", "/v3"),
    "MUNIMENT_DB_APP_URL": DATABASE,
    "MUNIMENT_DB_GATE_URL": DATABASE,
}


def started(monkeypatch: pytest.MonkeyPatch, **env: str) -> dict[str, Any]:
    """The settings as a process reads them that is started with these variables too."""
    for name, value in env.items():
        monkeypatch.delenv(f"{name}_FILE", raising=False)
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(VAULT / "settings.py"))


def said(stop: pytest.ExceptionInfo[WrongSetting]) -> str:
    """What stands on the screen, which a start that is stopped so ends with."""
    assert stop.value.__cause__ is None
    assert stop.value.__context__ is None or stop.value.__suppress_context__
    return "".join(traceback.format_exception_only(stop.value))


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("name", SETTINGS)
def test_it_is_named_with_the_cure_and_nothing_of_it_is_shown(
    monkeypatch: pytest.MonkeyPatch, name: str, wrong: str
) -> None:
    more = {"MUNIMENT_MAIL_PROVIDER": "mailgun", "MUNIMENT_MAIL_PROVIDER_KEY": "k"} if "PROVIDER" in name else {}
    with pytest.raises(WrongSetting, match=rf"^{name} .*([Ww]rite|must be|Leave out)") as stop:
        started(monkeypatch, **{name: wrong.format(*SETTINGS[name])}, **more)
    assert not [each for each in ("hunter7", "host.example", "99999", "abc", "user:") if each in said(stop)]


@pytest.mark.parametrize("name", ["MUNIMENT_PUBLIC_URL", "MUNIMENT_LLM_BASE_URL"])
def test_one_that_is_shown_to_people_holds_no_password(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    with pytest.raises(WrongSetting, match=f"^{name} holds a user or a password") as stop:
        started(monkeypatch, **{name: "https://user:hunter7@host.example"})
    assert "hunter7" not in said(stop)


@pytest.mark.parametrize("rest", ["/inbox", "?tls=1"])
def test_a_mail_server_has_no_path(monkeypatch: pytest.MonkeyPatch, rest: str) -> None:
    with pytest.raises(WrongSetting, match=r"^MUNIMENT_SMTP_URL ends with its host and port\."):
        started(monkeypatch, MUNIMENT_SMTP_URL=f"smtp://host.example{rest}")


@pytest.mark.parametrize(
    ("url", "port", "ssl", "tls"),
    [
        ("smtp://host.example", 25, False, False),
        ("smtps://host.example", 465, True, False),
        ("smtp+starttls://host.example/", 587, False, True),
        ("smtps://host.example:4650", 4650, True, False),
        ("smtp://[::1]:2525", 2525, False, False),
    ],
)
def test_a_mail_server_without_a_port_is_at_the_usual_one(
    monkeypatch: pytest.MonkeyPatch, url: str, port: int, ssl: bool, tls: bool
) -> None:
    found = started(monkeypatch, MUNIMENT_SMTP_URL=url)
    assert (found["EMAIL_PORT"], found["EMAIL_USE_SSL"], found["EMAIL_USE_TLS"]) == (port, ssl, tls)


def test_a_password_may_hold_any_character_written_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    found = started(monkeypatch, MUNIMENT_SMTP_URL="smtps://me%40home:%23%2F%3F%40%5B%20%3A@host.example")
    assert (found["EMAIL_HOST_USER"], found["EMAIL_HOST_PASSWORD"]) == ("me@home", "#/?@[ :")
    assert found["EMAIL_HOST"] == "host.example"


@pytest.mark.parametrize(
    ("url", "cache"),
    [
        ("redis+socket://:word@/run/redis.sock?virtual_host=0", "unix:///run/redis.sock?password=word&db=1"),
        ("redis+socket:///run/redis.sock", "unix:///run/redis.sock?password=&db=1"),
        ("redis://:word@host.example:6379/0", "redis://:word@host.example:6379/1"),
    ],
)
def test_a_broker_s_url_is_kept_as_it_was_written(monkeypatch: pytest.MonkeyPatch, url: str, cache: str) -> None:
    found = started(monkeypatch, REDIS_URL=url)
    assert found["REDIS_URL"] == url and found["CACHES"]["default"]["LOCATION"] == cache


@pytest.mark.parametrize("url", ["postgresql:///muniment?host=/run/pg&user=me", "postgresql://a:b@/muniment?host=/run"])
def test_a_database_may_be_at_a_socket(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    found = started(monkeypatch, MUNIMENT_DB_APP_URL=url)
    assert found["DATABASES"]["default"]["HOST"].startswith("/run")


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize(("name", "scheme"), [("DATABASE_URL", "postgresql"), ("REDIS_URL", "redis")])
def test_what_starts_the_servers_says_the_same(
    monkeypatch: pytest.MonkeyPatch, name: str, scheme: str, wrong: str
) -> None:
    monkeypatch.setenv(name, wrong.format(scheme, "/0"))
    with pytest.raises(Trouble, match=rf"^{name} .*([Ww]rite|must be)") as trouble:
        environment.server(name)
    assert not [each for each in ("hunter7", "host.example", "99999", "abc", "user:") if each in str(trouble.value)]
