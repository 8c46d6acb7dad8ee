"""Whatever is done to a bundle, it no longer holds, and the receipt or the member is named."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.ledger import services as ledger
from apps.ledger.format.bundle_parts import json_line
from apps.ledger.format.encoding import canonical, digest_of, line_of, next_hash, read, row_of
from apps.ledger.format.verdict import NOTHING_KNOWN, Verdict
from tests.cast import Vault
from tests.ledger_log.bundles import Kept, check, places, rows_of, taken


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


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
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
