"""Bundles for the tests: taken from a vault, and one with everything in it."""

from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from apps.ledger import services as ledger
from apps.ledger.format.bundle import verify_bundle
from apps.ledger.format.encoding import line_of, read
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.verdict import Report, Trust, Verdict
from tests.cast import Vault, new_vault
from vault.clock import utc_now


def taken(vault: Vault, first: int | None = None, last: int | None = None) -> list[bytes]:
    """The lines of a bundle, from the service."""
    made = ledger.bundle(vault.id, vault.holder.actor, utc_now(), first, last)
    return b"".join(made.parts).splitlines(keepends=True)


def known() -> Trust:
    """What somebody knows who took the log's keys before."""
    return Trust(keys=tuple(map(VerifierKey.parse, ledger.vkeys())))


def check(lines: Iterable[bytes], trust: Trust | None = None) -> Report:
    return verify_bundle(lines, trust or known())


def places(report: Report) -> list[str]:
    """Where something does not hold."""
    assert report.verdict is Verdict.ALTERED, report.lines()
    return [finding.where for finding in report.findings]


def rows_of(lines: list[bytes]) -> dict[int, int]:
    """Which line each receipt stands on, by its number."""
    rows = [(at, line) for at, line in enumerate(lines) if line.startswith(b'{"chain_hash"')]
    return {int(read(line_of(line).text)["seq"]): at for at, line in rows}


@dataclass
class Kept:
    """A bundle with everything in it, made once: lines, the log's keys, and the lines of another vault's."""

    lines: list[bytes]
    trust: Trust
    other: list[bytes]


@pytest.fixture
def kept(publisher: ledger.Publisher, alice: Vault) -> Kept:
    other = new_vault("Mallory")
    publisher.step(everything=True)
    for name in ("tea", "bread", "salt"):
        alice.keep(name)
        publisher.step(everything=True)
    return Kept(taken(alice), known(), taken(other))
