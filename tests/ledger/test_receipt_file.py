"""A stranger can check a receipt's file offline; with any byte changed it never passes, and the place is named."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.ledger.format.pinned import instant
from apps.ledger.format.policy import Policy
from apps.ledger.format.receipt_file import LIMITS, NO_WITNESS, NOT_YET, UNPINNED, ReceiptFile
from apps.ledger.format.verdict import ALWAYS, NOTHING_KNOWN, Report, Trust, Verdict
from apps.ledger.format.verifying import verify
from tests.ledger.files import (
    ALICE,
    BOB,
    LENGTH,
    LOG_KEY,
    OTHER_LOG_KEY,
    QUORUM_OF_TWO,
    TRUSTED,
    WITNESSES,
    receipt_file,
    written,
)
from tests.ledger.test_one_file import run_alone

FILES = {
    "alone": receipt_file(seq=8),
    "with a segment": receipt_file(seq=3),
    "with witnesses and a segment": receipt_file(seq=3, witnesses=3),
    "not yet in the log": receipt_file(seq=LENGTH, pinned=False),
}
PASSES = {Verdict.IN_LEDGER, Verdict.NOT_CHECKED}
# Where a changed member is found out, if not in itself: what it is compared with is named.
NAMED = {
    "previous_chain_hash": {"chain_hash", "previous_chain_hash"},
    "proof": {"proof", "keys", "leaf"},
    "keys": {"keys", "proof"},
}


def answer(file: dict[str, Any], trust: Trust = TRUSTED) -> Report:
    return verify(written(file), trust)


@pytest.mark.parametrize("name", FILES)
def test_it_holds_as_it_was_given(name: str) -> None:
    file = FILES[name]
    assert ReceiptFile.read(file).to_json() == file
    report = answer(file, NOTHING_KNOWN)
    assert (report.kind, report.verdict, report.findings) == ("receipt", Verdict.NOT_CHECKED, ())
    assert report.limits == (*file["limits"], *ALWAYS)


@pytest.mark.parametrize("trust", [TRUSTED, NOTHING_KNOWN], ids=["key known", "no key known"])
@pytest.mark.parametrize("name", FILES)
def test_with_any_byte_of_any_member_changed_it_never_passes(name: str, trust: Trust) -> None:
    parts = {member: json.dumps(held).encode() for member, held in FILES[name].items()}
    tried = 0
    for member, part in parts.items():
        for at in range(len(part)):
            changed = part[:at] + bytes([part[at] ^ (1 << at % 8)]) + part[at + 1 :]
            if _same(part, changed):
                continue  # still another blank, or another spelling of the same letter
            text = b"{" + b",".join(b'"%s": %s' % (each.encode(), parts[each]) for each in parts if each != member)
            text = text.replace(b"{", b'{"%s": %s,' % (member.encode(), changed), 1)
            report = verify(text, trust)
            tried += 1
            assert report.verdict not in PASSES, (member, at)
            if report.verdict is Verdict.ALTERED:
                places = {finding.where.split(".")[0].split("[")[0] for finding in report.findings}
                assert places and places <= {"file"} | NAMED.get(member, {member}), (member, at)
            else:
                assert report.verdict is Verdict.CANT_CHECK and (member == "format" or trust is TRUSTED)
    assert tried > 0.9 * sum(map(len, parts.values()))


def _same(one: bytes, other: bytes) -> bool:
    try:
        return bool(json.loads(one) == json.loads(other))
    except ValueError:
        return False


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(FILES)), st.data())
def test_with_bytes_changed_cut_or_put_in_it_never_passes(name: str, data: st.DataObject) -> None:
    whole = written(FILES[name])
    at = data.draw(st.integers(0, len(whole) - 1))
    much = data.draw(st.integers(0, 3))
    changed = whole[:at] + data.draw(st.binary(max_size=3)) + whole[at + much :]
    report = verify(changed, NOTHING_KNOWN)
    assert report.verdict not in PASSES or _same(whole, changed)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 9), max_size=8))
def test_a_segment_holds_only_as_it_is(order: list[int]) -> None:
    """Dropped, put out of order, doubled, or with another's digests in it."""
    file = receipt_file(seq=3)
    digests = [
        *file["segment"],
        *(receipt_file(BOB, seq)["digest"] for seq in (1, 2, 3, 4)),
        "0" * 64,
        "f" * 64,
        "a" * 64,
    ]
    chosen = [digests[at] for at in order]
    report = answer({**file, "segment": chosen})
    assert (report.verdict is Verdict.IN_LEDGER) == (chosen == file["segment"])
    assert [each.where for each in report.findings] == ([] if chosen == file["segment"] else ["segment"])


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([ALICE, BOB]), st.integers(1, 4), st.sets(st.sampled_from(sorted(FILES["with a segment"]))))
def test_parts_of_two_files_make_no_third(vault: str, seq: int, taken: set[str]) -> None:
    file, other = receipt_file(seq=3), receipt_file(vault, seq)
    mixed = {**file, **{member: other[member] for member in taken}}
    report = answer(mixed)
    assert (report.verdict is Verdict.IN_LEDGER) == (mixed in (file, other))
    assert report.findings or mixed in (file, other)


def test_a_vault_is_named_by_who_asks() -> None:
    assert answer(receipt_file(), Trust(TRUSTED.keys, vault=ALICE)).verdict is Verdict.IN_LEDGER
    report = answer(receipt_file(), Trust(TRUSTED.keys, vault=BOB))
    assert report.verdict is Verdict.UNKNOWN_KEY and ALICE in report.says and BOB in report.says


def test_without_a_key_of_ones_own_it_says_what_that_leaves_open() -> None:
    report = answer(receipt_file(), NOTHING_KNOWN)
    assert report.verdict is Verdict.NOT_CHECKED and report.exit_code == 0
    assert "came with the file" in report.says


def test_with_another_key_it_names_the_one_that_signed() -> None:
    report = answer(receipt_file(), Trust((OTHER_LOG_KEY.verifier,)))
    assert report.verdict is Verdict.UNKNOWN_KEY and f"{LOG_KEY.verifier.key_id:08x}" in report.says


@pytest.mark.parametrize("witnesses", range(4))
def test_a_policy_is_met_by_as_many_witnesses_as_it_says(witnesses: int) -> None:
    policy = Policy.parse(QUORUM_OF_TWO.encode())
    report = answer(receipt_file(seq=8, witnesses=witnesses), Trust(policy=policy))
    assert report.verdict is (Verdict.IN_LEDGER if witnesses >= 2 else Verdict.UNKNOWN_KEY)
    assert (NO_WITNESS in report.limits) == (witnesses == 0)
    assert f"{witnesses} of its witnesses" in " ".join(report.checked) or f"{witnesses} known" in report.says


def test_a_witness_that_the_policy_does_not_know_counts_for_nothing() -> None:
    strangers = QUORUM_OF_TWO.replace(str(WITNESSES[0].verifier), str(_stranger()))
    report = answer(receipt_file(witnesses=2), Trust(policy=Policy.parse(strangers.encode())))
    assert report.verdict is Verdict.UNKNOWN_KEY


def _stranger() -> Any:
    key = WITNESSES[0].verifier
    return type(key)(key.name, key.type, OTHER_LOG_KEY.verifier.public_key)


def test_a_file_of_which_the_proof_was_taken_away_does_not_pass_where_a_key_is_known() -> None:
    """Nothing in it is signed: who knows the log's key can ask for more than that."""
    report = answer({**FILES["not yet in the log"]})
    assert report.verdict is Verdict.CANT_CHECK and "Take the file again" in report.says
    assert answer(FILES["not yet in the log"], NOTHING_KNOWN).limits[: len(LIMITS) + 1] == (*LIMITS, UNPINNED)
    assert FILES["not yet in the log"]["log"] == NOT_YET


def test_the_checkpoint_that_held_is_given_on_as_evidence() -> None:
    file = receipt_file(seq=8, witnesses=1)
    report = answer(file)
    assert report.checkpoint is not None and file["proof"].endswith(report.checkpoint.decode())
    assert answer(FILES["not yet in the log"], NOTHING_KNOWN).checkpoint is None


@pytest.mark.parametrize("name", FILES)
def test_coverage_and_limits_are_printed_before_the_verdict(name: str) -> None:
    report = answer(FILES[name], NOTHING_KNOWN)
    text = "\n".join(report.lines())
    heads = ["What was checked:", "How far it reaches:", "What it does not show:", "Content:", "Verdict:"]
    assert sorted(heads, key=text.index) == heads
    assert "content NOT checked" in text and "ertified" not in text and "✓" not in text
    assert all(limit in text for limit in (*LIMITS, *ALWAYS))
    assert list(report.to_json())[:4] == ["kind", "checked", "coverage", "limits"]


def test_python_alone_checks_it_when_nothing_else_exists(tmp_path: Path) -> None:
    """No Muniment, no database, no memory, no library: the file, the formats in one piece, and the log's key."""
    check = """
import json, sys
assert not WITH_LIBRARY and "cryptography" not in sys.modules
said = json.load(sys.stdin)
for text in (said["file"], said["file"].replace('"reason": "-"', '"reason": "x"')):
    report = verify(text.encode(), Trust(keys=(VerifierKey.parse(said["key"]),)))
    print(report.verdict.value, [each.where for each in report.findings])
"""
    said = {"file": written(receipt_file(witnesses=1)).decode(), "key": str(LOG_KEY.verifier)}
    assert run_alone(tmp_path, check, json.dumps(said)) == ["intact-in-ledger []", "altered ['receipt']"]


def test_a_cosignatures_time_is_a_date_as_far_as_there_are_dates() -> None:
    assert instant(0) == "1970-01-01T00:00:00Z"
    assert instant(253_402_300_799) == "9999-12-31T23:59:59Z"
    assert instant(253_402_300_800) == "second 253402300800"
    assert instant(2**63 - 1) == f"second {2**63 - 1}"
    assert "as of 2026-01-01T00:00:00Z" in " ".join(answer(receipt_file(witnesses=1)).checked)
