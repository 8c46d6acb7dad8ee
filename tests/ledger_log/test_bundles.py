"""A bundle of a vault's ledger: it is taken over REST or from the page, and a stranger checks it offline."""

import asyncio
import json
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import AsyncClient

from apps.ledger import services as ledger
from apps.ledger.format.bundle import verify_bundle
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.verdict import Report, Trust, Verdict
from tests.cast import Vault, give, new_vault, register
from tests.drivers import Http
from vault.clock import utc_now


def taken(vault: Vault, first: int | None = None, last: int | None = None) -> list[bytes]:
    """The lines of a bundle, from the service."""
    made = ledger.bundle(vault.id, vault.holder.actor, utc_now(), first, last)
    return b"".join(made.parts).splitlines(keepends=True)


def fetched(vault: Vault, path: str) -> Any:
    """The response and the whole of its body, as the served product sends it."""
    client = AsyncClient()
    client.force_login(get_user_model().objects.get(pk=vault.holder.user_id))

    async def go() -> tuple[Any, bytes]:
        response = await client.get(path)
        return response, b"".join([part async for part in response.streaming_content])

    return asyncio.run(go())


def log_s_key() -> Trust:
    return Trust(keys=tuple(map(VerifierKey.parse, ledger.vkeys())))


def check(lines: list[bytes]) -> Report:
    return verify_bundle(lines, log_s_key())


def test_a_whole_ledger_holds_and_is_in_the_log(publisher: ledger.Publisher, alice: Vault) -> None:
    publisher.step(everything=True)
    for name in ("tea", "bread", "salt"):
        alice.keep(name)
        publisher.step(everything=True)
    newest = alice.receipts()[-1].seq
    lines = taken(alice)
    report = check(lines)
    assert report.verdict is Verdict.IN_LEDGER, report.lines()
    print("\n".join(report.lines()))
    print(b"".join(lines[:3] + lines[-3:]).decode())
