"""An address that is a secret itself is in no line of the log, whether it opens something or not."""

import logging
import secrets
from collections.abc import Iterator
from logging.config import DictConfigurator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from tests.fixtures import Household
from vault.quiet import without_secrets

AT = [
    *("/erased/{}", "/erased/{}/certificate.json", "/invited/{}", "/accounts/confirm-email/{}/", "/erased/{}/a/b"),
    *("/s/{}/a/b", "/s/{}/", "/unsubscribe/{}"),
]
NEARLY = [
    *("/s//{}", "/%2Fs/{}", "/S/{}", "/S//{}/", "/s;/{}", "/s;{}", "/s%2F{}", "/%73/{}", "/s%252F{}", "/%2573//{}"),
    *("/s/a/{}", "/s/{}/../x", "/s{}", "/x/{}", "/Erased/{}", "/erased//{}", "/accounts//confirm-email//{}/"),
]


@pytest.fixture
def written() -> Iterator[list[str]]:
    """The lines that the log's own handler writes, with its filters."""
    lines: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    told: dict[str, Any] = settings.LOGGING
    (name,) = told["root"]["handlers"]
    kept, configured = Kept(), DictConfigurator(told)
    for each in told["handlers"][name]["filters"]:
        kept.addFilter(configured.configure_filter(dict(told["filters"][each])))
    logging.getLogger().addHandler(kept)
    yield lines
    logging.getLogger().removeHandler(kept)


@pytest.mark.parametrize("where", AT)
def test_a_secret_that_opens_nothing_is_not_written(home: Household, written: list[str], where: str) -> None:
    secret = secrets.token_urlsafe(24)
    Client().get(where.format(secret))
    Client().post(where.format(secret))
    assert written, "the control: what failed is told"
    assert not [line for line in written if secret in line]
    assert any(f"{where.partition('/{}')[0]}/…" in line for line in written)


@pytest.mark.parametrize("where", NEARLY)
def test_nor_is_one_whose_address_was_copied_a_little_differently(live: None, written: list[str], where: str) -> None:
    """Capitals, slashes, other signs and escapes: what a mail program or a person makes of an address."""
    token = secrets.token_hex(16)
    for sent in (token, token.upper()):
        Client().get(where.format(sent))
        Client().post(where.format(sent))
        assert written, "the control: what failed is told"
        assert not [line for line in written if sent in line], written


def test_ids_are_written_whole() -> None:
    """The control of the above: what is as long as a token, and has its kind before it, is no secret."""
    said = f"shr_{secrets.token_hex(16)} of {secrets.token_hex(32)} at /shares/new"
    assert without_secrets(said) == said


def test_an_error_below_a_line_is_written_without_it(written: list[str]) -> None:
    """A share's page answers every address alike, so nothing is logged of it; should it fail, neither is its token."""
    token = secrets.token_hex(16)
    try:
        raise ValueError(f"no page at /s/{token}, nor at '/s/{token}'")
    except ValueError:
        logging.getLogger("django.request").exception("Internal Server Error: /s/%s", token)
    assert any("ValueError: no page at /s/…" in line and "Internal Server Error: /s/…" in line for line in written)
    assert not [line for line in written if token in line]
