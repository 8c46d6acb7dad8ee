"""A proof of a fork shows to anybody that one key signed two histories, and nothing else makes one."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.ledger.format.fork import Fork
from apps.ledger.format.strict import Malformed, Unproven
from apps.ledger.format.verdict import NOTHING_KNOWN, Trust, Verdict
from apps.ledger.format.verifying import verify
from tests.ledger.files import ENTRIES, FORKED, LOG_KEY, OTHER_LOG_KEY, TRUSTED, WITNESSES, nodes_of, signed
from tests.ledger.material import flipped

KEY = LOG_KEY.verifier
SHARED = 6  # entries that both histories begin with


def test_two_roots_of_one_size_are_a_fork() -> None:
    made = Fork.make(KEY, signed(ENTRIES), signed(FORKED[:11]))
    assert (made.root, made.hashes) == (None, ())
    assert Fork.parse(made.to_bytes()) == made
    assert {tree.size for tree in made.check()} == {11}


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 11), st.integers(0, 13))
def test_of_two_sizes_they_are_a_fork_if_the_larger_does_not_continue_the_smaller(one: int, other: int) -> None:
    honest, forked = signed(ENTRIES[:one]), signed(FORKED[:other])
    larger = nodes_of(ENTRIES[:one] if one > other else FORKED[:other])
    if min(one, other) <= SHARED:
        with pytest.raises(Unproven):
            Fork.make(KEY, honest, forked, larger)
    else:
        made = Fork.make(KEY, forked, honest, larger)
        assert verify(made.to_bytes(), TRUSTED).verdict is Verdict.FORKED
        assert [tree.size for tree in made.check()] == sorted((one, other))


def test_of_two_sizes_it_takes_the_larger_trees_hashes() -> None:
    with pytest.raises(Unproven, match="hashes"):
        Fork.make(KEY, signed(ENTRIES), signed(FORKED))


def test_witnesses_signatures_are_left_out_of_it() -> None:
    assert Fork.make(KEY, signed(ENTRIES, 3), signed(FORKED[:11], 1)) == Fork.make(
        KEY, signed(ENTRIES), signed(FORKED[:11])
    )


def test_what_another_key_signed_is_no_fork_of_this_one() -> None:
    for key in (OTHER_LOG_KEY.verifier, WITNESSES[0].verifier):
        with pytest.raises(Unproven):
            Fork.make(key, signed(ENTRIES), signed(FORKED[:11]))
    with pytest.raises(Unproven):
        Fork.make(KEY, signed(ENTRIES), signed(FORKED[:11], log=OTHER_LOG_KEY))


def test_a_witness_that_cosigned_both_has_not_forked_the_log() -> None:
    """A cosignature is under the log's origin, and not by its key."""
    witness = WITNESSES[0].verifier
    with pytest.raises((Unproven, Malformed)):
        Fork.make(witness, signed(ENTRIES, 1), signed(FORKED[:11], 1))


def test_a_forged_path_shows_nothing() -> None:
    made = Fork.make(KEY, signed(ENTRIES), signed(FORKED), nodes_of(FORKED))
    honest = replace(made, second=signed([*ENTRIES, *FORKED[11:]]))
    for tried in (
        honest,
        replace(honest, root=nodes_of(ENTRIES)(3, 0)),
        replace(made, root=b"r" * 32),
        replace(made, root=None, hashes=()),
        replace(made, hashes=made.hashes[:-1]),
        replace(made, hashes=(*made.hashes, b"h" * 32)),
        replace(made, first=made.second),
    ):
        with pytest.raises(Unproven):
            tried.check()
        assert verify(tried.to_bytes(), TRUSTED).verdict is Verdict.ALTERED


def test_whoever_checks_it_is_told_that_the_log_has_forked_and_no_script_takes_that_for_all_is_well() -> None:
    for trust in (TRUSTED, NOTHING_KNOWN):
        report = verify(Fork.make(KEY, signed(ENTRIES), signed(FORKED[:11])).to_bytes(), trust)
        assert (report.to_json()["heading"], report.exit_code) == ("This log has forked", 1)
        assert "Verdict: This log has forked." in report.lines() and "Intact" not in "\n".join(report.lines())


def test_who_knows_no_key_learns_that_the_key_came_with_it() -> None:
    data = Fork.make(KEY, signed(ENTRIES), signed(FORKED[:11])).to_bytes()
    report = verify(data, NOTHING_KNOWN)
    assert (report.kind, report.verdict) == ("fork", Verdict.FORKED) and "came with the file" in report.says
    assert verify(data, Trust((OTHER_LOG_KEY.verifier,))).verdict is Verdict.UNKNOWN_KEY


@pytest.mark.parametrize("sizes", [11, 13])
def test_with_any_bit_of_it_changed_it_proves_nothing(sizes: int) -> None:
    whole = Fork.make(KEY, signed(ENTRIES), signed(FORKED[:sizes]), nodes_of(FORKED[:sizes])).to_bytes()
    before = json.loads(whole)
    for at in range(len(whole)):
        changed = flipped(whole, 8 * at + at % 8)
        report = verify(changed, NOTHING_KNOWN)
        if report.verdict is Verdict.FORKED:
            assert json.loads(changed) == before  # another blank between members
        else:
            assert report.findings or report.verdict is Verdict.CANT_CHECK
