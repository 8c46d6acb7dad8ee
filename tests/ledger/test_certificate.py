"""A certificate's file is checked by a stranger, offline: with anything in it changed it never passes.

The corpus has each member's changes and the place that is named (tests/ledger/corpus/make.py).
"""

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.erasure.places import PLACES
from apps.ledger.format.certificate import (
    CERTIFICATE_LIMITS,
    EARLIER_LIMITS,
    KNOWN_PLACES,
    RECORDED,
    certificate,
    commitment,
)
from apps.ledger.format.verdict import NOTHING_KNOWN, Report, Trust, Verdict
from apps.ledger.format.verifying import verify
from apps.web.saved import STATIC
from tests.ledger.files import CAROL, ORDER, SAID, TRUSTED, certificate_file, certificate_file_before, written
from tests.ledger.test_one_file import run_alone

PASSES = {Verdict.IN_LEDGER, Verdict.NOT_CHECKED}
FILES = {
    "alone": certificate_file(),
    "with witnesses": certificate_file(witnesses=3),
    "not yet in the log": certificate_file(pinned=False),
}


def answer(file: dict[str, Any], trust: Trust = TRUSTED) -> Report:
    return verify(written(file), trust)


def paths(found: Any, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Where every text and number of a file stands."""
    if isinstance(found, dict):
        return [each for name, held in found.items() for each in paths(held, (*at, name))]
    if isinstance(found, list):
        return [each for number, held in enumerate(found) for each in paths(held, (*at, number))]
    return [at]


@pytest.mark.parametrize("name", FILES)
def test_it_holds_as_it_was_given(name: str) -> None:
    report = answer(FILES[name], NOTHING_KNOWN)
    assert (report.kind, report.verdict, report.findings) == ("certificate", Verdict.NOT_CHECKED, ())
    assert report.limits[: 1 + len(CERTIFICATE_LIMITS)] == (RECORDED, *CERTIFICATE_LIMITS)


def test_what_it_covers_is_told_first() -> None:
    """And a place that this program does not know is told, and is no fault."""
    covered = answer(FILES["alone"]).coverage
    assert covered[0] == "It says of 6 places where a copy can be what becomes of it there."
    assert covered[1].startswith(f"It leaves out {len(KNOWN_PLACES) - 5} places that this program knows: access_grant,")
    assert covered[2] == "It names 1 place that this program does not know: zeppelin."


def test_it_tells_what_went_and_what_looking_for_it_came_to() -> None:
    covered = answer(FILES["alone"]).coverage
    found = "12 files, 81920 bytes: 0 live, 0 unreclaimed, 0 plain; 1 place could not be opened."
    assert f"Its words were looked for in {found}" in covered
    assert "Rows that went: keys 3, memories 2, values 3." in covered
    assert "Rows that held words in clear, such as labels, and were not yet overwritten: 2." in covered
    assert "Backups open it for 14 days more at most." in covered


def test_one_in_the_format_before_this_holds_and_says_what_it_said() -> None:
    before = answer(certificate_file_before())
    assert (before.verdict, before.limits[: 1 + len(EARLIER_LIMITS)]) == (
        Verdict.IN_LEDGER,
        (RECORDED, *EARLIER_LIMITS),
    )
    assert not (set(CERTIFICATE_LIMITS) - set(EARLIER_LIMITS)) & set(before.limits)
    assert not any("overwritten" in each for each in before.coverage)


@pytest.mark.parametrize("trust", [TRUSTED, NOTHING_KNOWN], ids=["key known", "no key known"])
@pytest.mark.parametrize("name", FILES)
def test_with_any_member_changed_it_never_passes(name: str, trust: Trust) -> None:
    file = FILES[name]
    for *path, last in paths(file):
        changed = json.loads(json.dumps(file))
        found = changed
        for step in path:
            found = found[step]
        found[last] = {str: lambda old: old + "x", bool: lambda old: not old}.get(
            type(found[last]), lambda old: old + 1
        )(found[last])
        report = answer(changed, trust)
        assert report.verdict not in PASSES, (path, last)
        if report.verdict is Verdict.ALTERED:
            where = report.findings[0].where
            assert where.split(".")[0].split("[")[0] in (*file, "file"), where


@given(st.integers(min_value=0), st.sampled_from(range(8)))
@settings(max_examples=300)
def test_with_any_bit_changed_it_never_passes(at: int, bit: int) -> None:
    data = bytearray(written(FILES["with witnesses"]))
    at %= len(data)
    data[at] ^= 1 << bit
    report = verify(bytes(data), TRUSTED)
    same = False
    with suppress(ValueError):
        same = json.loads(data) == FILES["with witnesses"]  # between its members, a blank is a blank
    assert same or report.verdict not in PASSES


def test_it_is_bound_to_its_receipt_and_to_no_other_certificate() -> None:
    other = json.loads(certificate({**SAID, "still_held": 0}))
    report = answer({**FILES["alone"], "certificate": other})
    assert (report.verdict, [each.where for each in report.findings]) == (Verdict.ALTERED, ["certificate"])
    assert FILES["alone"]["receipt"]["receipt"]["commitment"] == commitment(certificate(SAID))


def test_another_s_certificate_is_not_from_this_vault() -> None:
    assert answer(FILES["alone"], Trust(TRUSTED.keys, None, CAROL)).verdict is Verdict.IN_LEDGER
    assert answer(FILES["alone"], Trust(TRUSTED.keys, None, "vlt_" + "0" * 32)).verdict is Verdict.UNKNOWN_KEY


def test_it_is_checked_with_python_alone(tmp_path: Path) -> None:
    check = "\nimport sys\nprint(verify(sys.stdin.read().encode()).says)\n"
    (said,) = run_alone(tmp_path, check, written(FILES["alone"]).decode())
    assert said.startswith("This certificate is unaltered in itself.")
    assert ORDER in written(FILES["alone"]).decode()


def test_both_verifiers_know_every_place_there_is() -> None:
    """A new place is added to the format and to the script of the page."""
    assert list(KNOWN_PLACES) == sorted(PLACES)
    script = (STATIC / "verify/certificate.js").read_text()
    listed = script[script.index("KNOWN_PLACES = [") : script.index("];", script.index("KNOWN_PLACES = ["))]
    assert re.findall(r'"([^"]+)"', listed) == list(KNOWN_PLACES)
