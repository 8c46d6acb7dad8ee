"""The demo's sign-in, as it is printed, signs in; where it would not, no password is printed."""

import io
import re
import secrets
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from apps.turns.management import casa_m


def seeded(settings: Any, state: Path) -> str:
    settings.STATE_DIR = str(state)
    said = io.StringIO()
    call_command("seed_demo", stdout=said)
    return said.getvalue()


def signs_in(address: str, password: str) -> bool:
    return bool(Client().post("/accounts/login/", {"login": address, "password": password}).status_code == 302)


def test_a_password_is_printed_only_where_it_opens_the_demo(
    live: None, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"{secrets.token_hex(6)}@casa-m.example"
    monkeypatch.setattr(casa_m, "ADDRESS", address)
    first = seeded(settings, tmp_path / "first")
    found = re.fullmatch(rf"Demo sign-in: {address}  password: (\S+)\n", first)
    assert found and signs_in(address, found[1])
    assert seeded(settings, tmp_path / "first") == first, "the password is kept"
    restored = seeded(settings, tmp_path / "another checkout")
    assert restored == f"Demo sign-in: {address}  its vault was there already; the password is the one set before\n"
    assert signs_in(address, found[1]), "and it is not replaced"
