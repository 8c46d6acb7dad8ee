"""A bundle of a vault's ledger: it is taken over REST or from the web, and a stranger checks it offline."""

import asyncio
import json
import re
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from django.db import connections
from django.test import AsyncClient

from apps.ledger import services as ledger
from apps.ledger.format.encoding import line_of, read
from apps.ledger.format.keys import ED25519, SigningKey
from apps.ledger.format.verdict import NOTHING_KNOWN, Trust, Verdict
from apps.ledger.format.verifying import verify_stream
from apps.policy.ids import typed
from apps.policy.types import Holder
from tests.cast import QUESTION, Vault, canary, give, register
from tests.drivers import Http
from tests.ledger_log.bundles import Kept, check, taken
from tests.long_chains import lengthen
from vault.clock import utc_now
from vault.streaming import pulled


def fetched(holder: Holder, path: str) -> Any:
    """The response to a holder signed in, and the whole of its body, as it is served."""
    client = AsyncClient()
    client.force_login(get_user_model().objects.get(pk=holder.user_id))

    async def go() -> tuple[Any, bytes]:
        response = await client.get(path)
        await sync_to_async(connections.close_all)()  # its thread outlives this test's database
        if not response.streaming:
            return response, response.content
        return response, b"".join([part async for part in response.streaming_content])

    return asyncio.run(go())


# ---------------------------------------------------------------- what is taken, and that it holds
def test_a_whole_ledger_holds_and_is_in_the_log(publisher: ledger.Publisher, alice: Vault, kept: Kept) -> None:
    report = check(kept.lines)
    newest = alice.receipts()[-1].seq
    assert report.verdict is Verdict.IN_LEDGER, report.lines()
    assert report.says == f"Receipts 1 to {newest} are unaltered and are these lines of this vault's ledger."
    assert report.content == "content NOT checked"
    assert report.checkpoint == ledger.checkpoint()
    assert any("3 earlier checkpoints" in each for each in report.checked)
    assert [read(line_of(line).text) for line in kept.lines if line.startswith(b'{"chain')] == [
        ledger.body_of(receipt) for receipt in alice.receipts()
    ]


def test_rest_and_the_web_give_what_the_service_makes(publisher: ledger.Publisher, alice: Vault) -> None:
    publisher.step(everything=True)
    made = taken(alice, 2, 5)
    for path in ("/api/v1/ledger/bundle?from=2&to=5", "/ledger.bundle.jsonl?from=2&to=5"):
        response, body = fetched(alice.holder, path)
        assert response.status_code == 200
        assert response.headers["Content-Disposition"] == 'attachment; filename="ledger_2-5.bundle.jsonl"'
        assert response.headers["Content-Type"] == "application/jsonl"
        assert response.headers["Cache-Control"] == "no-store"
        lines = body.splitlines(keepends=True)
        assert check(lines).verdict is Verdict.IN_LEDGER
        assert lines[1:-1] == made[1:-1], "but for the time it was made, and the digest over that"
    whole = fetched(alice.holder, "/api/v1/ledger/bundle")[1]
    assert check(whole.splitlines(keepends=True)).verdict is Verdict.IN_LEDGER


@pytest.mark.parametrize("query", ["from=0", "to=0", "from=x", "from=-1", "from=1.5", "to=" + "9" * 30, "from=5&to=2"])
def test_bounds_that_are_none_are_refused_in_a_sentence(publisher: ledger.Publisher, alice: Vault, query: str) -> None:
    response, body = fetched(alice.holder, f"/api/v1/ledger/bundle?{query}")
    assert (response.status_code, json.loads(body)["code"]) == (422, "validation")
    assert [each["pointer"] for each in json.loads(body)["errors"]] in (["/from"], ["/to"])
    response, body = fetched(alice.holder, f"/ledger.bundle.jsonl?{query}")
    assert response.status_code == 400
    assert body.decode().startswith(("from: ", "to: "))


def test_beyond_the_newest_there_is_no_bundle(instance: str, alice: Vault) -> None:
    newest = alice.receipts()[-1].seq
    for bounds, which in (((newest + 1, None), "from"), ((None, newest + 1), "to"), ((newest, 1), "to")):
        with pytest.raises(ledger.BadRange) as problem:
            taken(alice, *bounds)
        assert problem.value.which == which
        assert problem.value.args[0].endswith(".")
    assert check(taken(alice, newest, newest), NOTHING_KNOWN).verdict is Verdict.NOT_CHECKED


def test_a_client_gets_none(publisher: ledger.Publisher, alice: Vault) -> None:
    cook = register(alice, "Cook")
    assert Http(cook.key).call("GET", "ledger/bundle").code == "holder-only"
    assert Http(cook.key).send("GET", "/ledger.bundle.jsonl").status_code == 302
    assert Http().call("GET", "ledger/bundle").code == "unauthenticated"


def test_every_run_of_receipts_holds_by_itself(publisher: ledger.Publisher, alice: Vault) -> None:
    publisher.step(everything=True)
    for name in ("tea", "bread"):
        alice.keep(name)
        publisher.step(everything=True)
    newest = alice.receipts()[-1].seq
    for first in range(1, newest + 1):
        for last in range(first, newest + 1):
            report = check(taken(alice, first, last))
            assert report.verdict is Verdict.IN_LEDGER, (first, last, report.lines())
            these = f"Receipt {first} is" if first == last else f"Receipts {first} to {last} are"
            assert report.says.startswith(f"{these} unaltered")
            assert not re.search(r"\b1 (receipt|leave|checkpoint)s\b|\b(\d+) to \2\b", "\n".join(report.lines()))


def test_receipts_newer_than_the_log_are_said_to_be(publisher: ledger.Publisher, alice: Vault) -> None:
    before = check(taken(alice))
    assert before.verdict is Verdict.CANT_CHECK, "nothing is signed yet, and keys were not asked for"
    publisher.step(everything=True)
    logged = alice.receipts()[-1].seq
    alice.keep("tea")
    alice.keep("bread")
    report = check(taken(alice))
    assert report.verdict is Verdict.IN_LEDGER
    assert f"Receipts 1 to {logged} are unaltered" in report.says and "are not in the log yet" in report.says
    assert any("last receipts" in each for each in report.limits)
    only_new = check(taken(alice, logged + 1), NOTHING_KNOWN)
    assert only_new.verdict is Verdict.NOT_CHECKED
    assert "nothing in it is signed" in only_new.says


def test_whose_ledger_it_is_only_known_keys_tell(kept: Kept) -> None:
    unknown = check(kept.lines, NOTHING_KNOWN)
    assert unknown.verdict is Verdict.NOT_CHECKED and "key came with the file" in unknown.says
    stranger = SigningKey("vault.example/log", ED25519, b"\x07" * 32).verifier
    assert check(kept.lines, Trust(keys=(stranger,))).verdict is Verdict.UNKNOWN_KEY
    theirs = Trust(keys=kept.trust.keys, vault="vlt_" + "0" * 32)
    assert check(kept.lines, theirs).verdict is Verdict.UNKNOWN_KEY


def test_the_one_entry_checks_it_too(kept: Kept) -> None:
    assert verify_stream(kept.lines, kept.trust) == check(kept.lines)


def test_it_comes_in_whatever_pieces(kept: Kept) -> None:
    whole = b"".join(kept.lines)
    for size in (7, 100, 1000, 10**6):
        pieces = [whole[at : at + size] for at in range(0, len(whole), size)]
        cut = [part for piece in pieces for part in piece.splitlines(keepends=True)]
        assert check(cut) == check(kept.lines)


def test_it_says_nothing_that_a_memory_says(publisher: ledger.Publisher, alice: Vault) -> None:
    cook = register(alice, name := canary())
    give(cook, "kitchen")
    cook.ask("time", purpose_note=(note := canary()))
    cook.read("kitchen")
    publisher.step(everything=True)
    text = b"".join(taken(alice)).decode()
    told = [*alice.values.values(), *alice.labels.values(), name, note, QUESTION]
    assert not [each for each in told if each in text]
    assert cook.actor in text


def test_another_vault_s_is_another_file(kept: Kept, alice: Vault) -> None:
    assert check(kept.other).verdict is Verdict.IN_LEDGER
    assert typed("vlt", alice.id).encode() not in b"".join(kept.other)


# ---------------------------------------------------------------- whatever its length
def test_neither_side_holds_the_whole(publisher: ledger.Publisher, alice: Vault, admin: Any) -> None:
    """Made and checked in one go, four times the receipts need no more memory."""
    lengthen(admin, alice.id, 8_000)
    publisher.step(everything=True)
    peaks = []
    for last in (5, 2_000, 8_000):  # the first for what is imported and connected once
        tracemalloc.start()
        parts = ledger.bundle(alice.id, alice.holder.actor, utc_now(), 1, last).parts
        report = check(line for part in parts for line in part.splitlines(keepends=True))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert report.verdict is Verdict.IN_LEDGER, report.lines()
    assert peaks[2] < 1.5 * peaks[1], peaks


def test_a_slow_listener_makes_it_wait(instance: str, alice: Vault, admin: Any) -> None:
    """A part is made when the one before it was taken, not before: what is sent does not pile up."""
    lengthen(admin, alice.id, 5_000)
    made = 0

    def counted() -> Iterator[bytes]:
        nonlocal made
        for part in ledger.bundle(alice.id, alice.holder.actor, utc_now()).parts:
            made += 1
            yield part

    async def go() -> list[int]:
        seen = []
        async for _ in pulled(counted()):
            await asyncio.sleep(0.01)
            seen.append(made)
        return seen

    assert asyncio.run(go()) == list(range(1, made + 1))
    assert made > 6
