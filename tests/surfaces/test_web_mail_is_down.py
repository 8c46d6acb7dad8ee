"""A mail server that is down keeps nobody from signing up, and the operator's log names the setting."""

import logging
import secrets
from typing import Any

import pytest
from django.test import Client

from apps.holders import services as holders


def test_a_sign_up_ends_well_and_the_log_names_the_setting(
    live: None, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", 9, 2
    address = f"{secrets.token_hex(6)}@down.example"
    with caplog.at_level(logging.ERROR, "muniment.mail"):
        answer = Client().post("/accounts/signup/", {"email": address, "password1": secrets.token_hex(8)})
    assert answer.status_code == 302
    assert holders.holder_named(address) is not None
    assert "MUNIMENT_SMTP_URL" in caplog.text
    assert address not in caplog.text
