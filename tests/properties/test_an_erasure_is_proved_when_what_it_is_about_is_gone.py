"""An erasure is proved when what it is about is gone: its certificate names nothing, is bound to the ledger, and is
checked by a stranger.

Protects the holder, and whoever asked for the erasure, from having to believe that it was recorded as it was done; and
what was erased from being told by its own proof.
"""

import copy
import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from apps.erasure import services as erasure
from apps.erasure.places import PLACES
from apps.holders import services as holders
from apps.ledger import services as ledger
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.verdict import Verdict
from apps.policy.erasing import Basis, Order, Where
from apps.policy.retention import Keeping
from apps.policy.types import Refused
from apps.turns import services as turns
from tests.cast import Vault, new_vault
from tests.client.program import run, said
from tests.drivers import Http
from tests.logs import ORIGIN, check
from vault.clock import utc_now


@pytest.fixture
def alice(instance: str) -> Vault:
    return new_vault("Alice")


@pytest.fixture
def key(publisher: ledger.Publisher) -> VerifierKey:
    return publisher.keys.verifier(ORIGIN)


@pytest.fixture
def certificate(alice: Vault, publisher: ledger.Publisher) -> bytes:
    """The file of an erasure of two memories, one of them of health, as the holder downloads it."""
    where = Where(ids=frozenset({alice.ids["time"], alice.ids["pills"]}))
    done = erasure.order(alice.holder, where, utc_now(), basis=Basis.OBJECTION, request="Case 12/7 of Ines")
    assert isinstance(done, Order)
    publisher.step(everything=True)
    answer = Http(holder=alice.holder).send("GET", f"erasures/ord_{done.order_id.hex}/certificate")
    assert answer.status_code == 200
    return bytes(answer.content)


def test_a_stranger_checks_it_with_python_alone(certificate: bytes, key: VerifierKey, tmp_path: Path) -> None:
    program, file = tmp_path / "muniment.pyz", tmp_path / "gone.certificate.json"
    program.write_bytes(ledger.program())
    file.write_bytes(certificate)
    done = run(program, "verify", "--key", str(key), "--json", file, watched=True)
    (report,) = json.loads(said(done))["files"]
    assert (done.returncode, report["verdict"]) == (0, Verdict.IN_LEDGER.value)
    first, *rest = report["coverage"]
    assert first == f"It says of {len(PLACES)} places where a copy can be what becomes of it there."
    assert any(each.startswith("2 memories, ordered ") and "basis objection" in each for each in rest)


def test_it_names_no_word_of_what_was_erased_nor_why_it_was_asked(alice: Vault, certificate: bytes) -> None:
    text = certificate.decode()
    words = [*alice.values.values(), *alice.labels.values(), "Case 12/7", "Ines", "health", "secret.pills", "Alice"]
    assert not [each for each in words if each in text]
    assert not [name for name in ("time", "pills") if alice.ids[name].hex in text]


def places(found: Any, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Where every text and number of it stands."""
    if isinstance(found, dict):
        return [each for name, inner in found.items() for each in places(inner, (*at, name))]
    if isinstance(found, list):
        return [each for number, inner in enumerate(found) for each in places(inner, (*at, number))]
    return [at]


def test_whatever_it_says_cannot_be_made_to_say_something_else(certificate: bytes, key: VerifierKey) -> None:
    assert check(certificate, key).verdict is Verdict.IN_LEDGER
    file = json.loads(certificate)
    for *way, last in places(file["certificate"]):
        changed = copy.deepcopy(file)
        found: Any = changed["certificate"]
        for step in way:
            found = found[step]
        was = found[last]
        found[last] = not was if isinstance(was, bool) else was + 1 if isinstance(was, int) else was + "a"
        report = check(json.dumps(changed).encode(), key)
        assert report.exit_code != 0, f"{[*way, last]} may be changed"
        assert report.verdict is Verdict.CANT_CHECK or report.findings[0].where.startswith("certificate")


def test_it_is_of_its_own_order_and_no_other(alice: Vault, certificate: bytes, key: VerifierKey) -> None:
    again = erasure.order(alice.holder, Where(ids=frozenset({alice.ids["kitchen"]})), utc_now())
    assert isinstance(again, Order)
    answer = Http(holder=alice.holder).send("GET", f"erasures/ord_{again.order_id.hex}/certificate")
    mine, other = json.loads(certificate), json.loads(answer.content)
    report = check(json.dumps({**mine, "certificate": other["certificate"]}).encode(), key)
    assert (report.verdict, report.findings[0].where) == (Verdict.ALTERED, "certificate.order")


def test_when_the_whole_vault_is_gone_it_is_fetched_by_its_link_and_holds(
    alice: Vault, publisher: ledger.Publisher, key: VerifierKey
) -> None:
    done = erasure.end_vault(alice.holder, utc_now())
    assert isinstance(done, erasure.Ended)
    publisher.step(everything=True)
    file = erasure.file_by_link(done.link)
    assert file is not None and file["certificate"]["whole_vault"] is True
    assert check(json.dumps(file).encode(), key).verdict is Verdict.IN_LEDGER


def test_what_a_night_took_is_proved_where_no_memory_went(
    alice: Vault, publisher: ledger.Publisher, key: VerifierKey
) -> None:
    turns.ask(alice.holder, "What is in the kitchen?", utc_now())
    (place,) = holders.memberships(alice.holder.user_id)
    kept = replace(holders.space_policy(place.space_id), keeping=Keeping(turns_days=30))
    assert not isinstance(holders.settle(alice.holder.user_id, place.space_id, kept, utc_now()), Refused)
    done = erasure.retain(alice.id, utc_now() + timedelta(days=31))
    assert isinstance(done, Order) and done.memories == 0
    erasure.carry_out(alice.id, done.order_id, utc_now())
    publisher.step(everything=True)
    file = erasure.certificate_file(alice.holder, done.order_id)
    assert file is not None and file["certificate"]["counts"] == {"turns": 1}
    assert check(json.dumps(file).encode(), key).verdict is Verdict.IN_LEDGER
