"""A bundle of a vault's ledger: it is taken over REST or from the web, and a stranger checks it offline."""

import asyncio
import hashlib
import json
import tracemalloc
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from django.db import connections
from django.test import AsyncClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.ledger import services as ledger
from apps.ledger.format.bundle import verify_bundle
from apps.ledger.format.bundle_parts import json_line
from apps.ledger.format.encoding import canonical, digest_of, line_of, next_hash, read, row_of
from apps.ledger.format.keys import ED25519, SigningKey, VerifierKey
from apps.ledger.format.verdict import NOTHING_KNOWN, Report, Trust, Verdict
from apps.ledger.format.verifying import verify_stream
from apps.policy.ids import typed
from apps.policy.types import Holder
from tests.cast import QUESTION, Vault, canary, give, new_vault, register
from tests.drivers import Http
from tests.long_chains import lengthen
from vault.clock import utc_now
from vault.streaming import pulled


def taken(vault: Vault, first: int | None = None, last: int | None = None) -> list[bytes]:
    """The lines of a bundle, from the service."""
    made = ledger.bundle(vault.id, vault.holder.actor, utc_now(), first, last)
    return b"".join(made.parts).splitlines(keepends=True)


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
            assert report.says.startswith(f"Receipts {first} to {last} are unaltered")


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


# ---------------------------------------------------------------- what is done to it is named
def test_a_receipt_taken_out_doubled_or_moved_is_named(kept: Kept) -> None:
    at = rows_of(kept.lines)
    for seq in list(at)[:-1]:
        without = [line for place, line in enumerate(kept.lines) if place != at[seq]]
        assert places(check(without))[0] == str(seq + 1)
        doubled = kept.lines[: at[seq] + 1] + kept.lines[at[seq] :]
        assert places(check(doubled))[0] == str(seq)
        swapped = kept.lines.copy()
        swapped[at[seq]], swapped[at[seq] + 1] = swapped[at[seq] + 1], swapped[at[seq]]
        assert places(check(swapped))[0] == str(seq + 1)
    last = max(at)
    assert places(check([line for place, line in enumerate(kept.lines) if place != at[last]])) == [str(last)]


def test_a_receipt_that_says_something_else_is_named(kept: Kept) -> None:
    at = rows_of(kept.lines)
    for seq, place in at.items():
        line = line_of(kept.lines[place])
        for name, was in read(line.text).items():
            body = {**read(line.text), name: was + 1 if isinstance(was, int) else was + "x"}
            changed = kept.lines.copy()
            changed[place] = row_of(canonical(body), line.chain_hash)
            assert str(seq) in places(check(changed)) or name == "seq"


def test_from_the_changed_receipt_on_made_to_fit_the_leaf_tells(kept: Kept) -> None:
    """The chain made anew behind a change holds in itself; it does not lead to what the log has signed."""
    changed, at = kept.lines.copy(), rows_of(kept.lines)
    previous = line_of(kept.lines[at[3]]).chain_hash
    for seq in range(4, max(at) + 1):
        body = read(line_of(kept.lines[at[seq]]).text) | ({"purpose": "care"} if seq == 4 else {})
        previous = next_hash(previous, digest_of(body))
        changed[at[seq]] = row_of(canonical(body), previous)
    (place,) = places(check(changed))
    assert place == "head.chain_hash"
    manifest = json.loads(changed[0])
    manifest["head"]["chain_hash"] = previous.hex()
    changed[0] = json_line(manifest)
    assert places(check(changed)) == ["head.chain_hash"], "the leaf names the head as well"
    manifest["head"]["seq"] += 1
    changed[0] = json_line(manifest)
    assert places(check(changed))[0].startswith("pinned.")


def test_the_file_cut_off_anywhere_is_named(kept: Kept) -> None:
    at = rows_of(kept.lines)
    for count in range(len(kept.lines)):
        (place,) = places(check(kept.lines[:count])) if count else ("",)
        missing = [seq for seq, line in at.items() if line >= count]
        assert place == (str(missing[0]) if missing and count > 2 else place)
    whole = b"".join(kept.lines)
    for size in range(0, len(whole), 101):
        assert check(whole[:size].splitlines(keepends=True)).verdict is not Verdict.IN_LEDGER


def test_halves_of_two_bundles_do_not_join(kept: Kept, alice: Vault) -> None:
    at, theirs = rows_of(kept.lines), rows_of(kept.other)
    for seq in range(2, min(len(at), len(theirs))):
        joined = kept.lines[: at[seq]] + kept.other[theirs[seq] :]
        assert places(check(joined))[0] == str(seq)
    changed = kept.lines.copy()
    changed[at[4]] = kept.other[theirs[4]]
    assert places(check(changed))[0] == "4"
    for line in range(3):
        changed = kept.lines.copy()
        changed[line] = kept.other[line]
        assert check(changed).verdict is Verdict.ALTERED, line
    assert check(kept.lines + kept.lines).verdict is Verdict.ALTERED
    assert check([*kept.lines, b"\n"]).verdict is Verdict.ALTERED


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_byte_of_it_can_be_another(kept: Kept, data: st.DataObject) -> None:
    line = data.draw(st.integers(0, len(kept.lines) - 1))
    changed = bytearray(kept.lines[line])
    at = data.draw(st.integers(0, len(changed) - 1))
    changed[at] ^= data.draw(st.integers(1, 255))
    report = check([*kept.lines[:line], *bytes(changed).splitlines(keepends=True), *kept.lines[line + 1 :]], kept.trust)
    assert report.exit_code, (line, at, changed)
    seq = {place: seq for seq, place in rows_of(kept.lines).items()}.get(line)
    if seq:
        assert str(seq) in places(report) or str(seq + 1) in places(report)


def test_every_member_is_asked_for_and_no_other(kept: Kept) -> None:
    for at, line in enumerate(kept.lines):
        found = json.loads(line)
        for changed in (*_without_one(found), {**found, "x": 1}, [found], {}):
            lines = [*kept.lines[:at], json_line(changed), *kept.lines[at + 1 :]]
            report = check(lines, kept.trust)
            assert report.exit_code, (at, changed)


def _without_one(found: Any) -> Iterator[Any]:
    """The object without one of its members, at any depth."""
    if isinstance(found, dict):
        for name, inner in found.items():
            yield {each: value for each, value in found.items() if each != name}
            yield from ({**found, name: changed} for changed in _without_one(inner))
    elif isinstance(found, list):
        for at, inner in enumerate(found):
            yield from ([*found[:at], changed, *found[at + 1 :]] for changed in _without_one(inner))


def test_the_makers_word_is_not_checked(kept: Kept) -> None:
    """The limit that the manifest states: whoever makes the digest at the end anew may say another time there."""
    changed = kept.lines.copy()
    manifest = json.loads(changed[0]) | {"made_at": "2020-01-01T00:00:00.000000Z"}
    changed[0] = json_line(manifest)
    assert places(check(changed)) == ["end.digest"]
    assert check(_sealed(changed)).verdict is Verdict.IN_LEDGER
    assert any("is the word of its maker" in each for each in check(kept.lines).limits)


def _sealed(lines: list[bytes]) -> list[bytes]:
    """The bundle with the digest in its last line made anew."""
    end = json.loads(lines[-1])
    others = [line for line in lines[:-1] if not line.startswith(b'{"chain_hash"')]
    end["end"]["digest"] = hashlib.sha256(b"".join(others)).hexdigest()
    return [*lines[:-1], json_line(end)]


def test_made_anew_at_the_end_what_can_be_known_is_still_known(kept: Kept) -> None:
    """With the digest made to fit, everything but the maker's word is still checked against the chain or the log."""
    manifest = json.loads(kept.lines[0])
    last = manifest["last"]
    for name, other in {
        "first": 2,
        "last": last - 1,
        "vault": "vlt_" + "1" * 32,
        "previous_chain_hash": "0" * 64,
        "head": manifest["head"] | {"chain_hash": "0" * 64},
        "limits": manifest["limits"][:-1],
    }.items():
        lines = _sealed([json_line(manifest | {name: other}), *kept.lines[1:]])
        assert check(lines).verdict is Verdict.ALTERED, name
    heads = json.loads(kept.lines[-3])["heads"]
    for other in ([], heads[:-1], heads[::-1], [*heads, heads[-1]], [{**heads[0], "index": 10**6}], heads[:-1] * 2):
        lines = _sealed([*kept.lines[:-3], json_line({"heads": other}), *kept.lines[-2:]])
        assert check(lines).verdict is Verdict.ALTERED, other
    for other in ([1], [True], "none"):
        lines = _sealed([*kept.lines[:-2], json_line({"erasures": other}), kept.lines[-1]])
        assert places(check(lines)) == ["erasures"]


def test_another_format_is_neither_a_fail_nor_a_pass(kept: Kept) -> None:
    newer = [kept.lines[0].replace(b"muniment-bundle/1", b"muniment-bundle/2"), *kept.lines[1:]]
    assert check(newer).verdict is Verdict.CANT_CHECK


def test_a_receipt_of_another_version_is_neither(publisher: ledger.Publisher, alice: Vault) -> None:
    lines = taken(alice, 9)
    at = rows_of(lines)[9]
    line = line_of(lines[at])
    body = read(line.text) | {"v": "muniment-receipt/2"}
    previous = bytes.fromhex(json.loads(lines[0])["previous_chain_hash"])
    lines[at] = row_of(canonical(body), next_hash(previous, digest_of(body)))
    report = check(lines, NOTHING_KNOWN)
    assert report.verdict is Verdict.CANT_CHECK
    assert "Receipt 9 is of another version" in report.says


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
