"""What a log has signed and a witness refuses is kept: it may be the proof that the log has signed two histories."""

import json
from pathlib import Path

import pytest

from apps.ledger.format.fork import Fork
from apps.ledger.format.keys import ED25519, SigningKey
from apps.ledger.format.merkle import leaf_hashes
from apps.ledger.format.verdict import Trust, Verdict
from apps.ledger.format.verifying import verify
from apps.ledger.witness import forks
from apps.ledger.witness.state import KEPT, open_state
from tests.ledger.material import LOG
from tests.witness.logs import MOST, OTHER, RIGHT, request, signed
from tests.witness.running import Asking, following, serving


def proofs(tmp_path: Path) -> list[Fork]:
    found = []
    for path in sorted((tmp_path / "w").glob("fork-*.json")):
        fork = Fork.parse(path.read_bytes())
        fork.check()
        report = verify(path.read_bytes(), Trust(keys=(LOG.verifier,)))
        assert (report.kind, report.verdict, report.exit_code) == ("fork", Verdict.FORKED, 1)
        assert path.name.startswith(f"fork-{fork.check()[0].size}-")
        found.append(fork)
    return found


# Kept, counted, bounded


def test_each_refusal_of_what_the_log_has_signed_is_kept_and_counted(witness: Asking, tmp_path: Path) -> None:
    assert witness.cosigned(request(0, 9))
    for body in (request(9, 5), request(3, 12), request(9, 12, RIGHT), request(9, 12, RIGHT)):
        witness.ask(body)
    state = open_state(tmp_path / "w")
    kept = [(each.status, each.size, each.times) for each in state.refused()]
    assert kept == [(400, 5, 1), (409, 12, 1), (422, 12, 2)]
    assert [each.note for each in state.refused()] == [signed(5), signed(12), signed(12, RIGHT)]
    assert state.refusals() == {LOG.name: 4}


def test_what_the_log_has_not_signed_is_not_kept(witness: Asking, tmp_path: Path) -> None:
    stranger = SigningKey(LOG.name, ED25519, b"\x01" * 32)
    for body in (b"", request(0, 9, by=stranger), request(0, 9, by=OTHER), b"old 0\n\n" + signed(9)[:-9]):
        assert witness.ask(body).status in (400, 403, 404)
    state = open_state(tmp_path / "w")
    assert (state.refused(), state.refusals()) == ([], {})


def test_signatures_of_others_are_not_kept(witness: Asking, tmp_path: Path) -> None:
    other = OTHER.sign(b"something\n").line().encode()
    assert witness.ask(request(0, 9) + other).status == 200
    assert witness.seen().body.count(b"\n") == 6  # three of the checkpoint, an empty one, the log's and ours
    assert witness.ask(request(3, 12) + other).status == 409
    assert open_state(tmp_path / "w").refused()[0].note == signed(12)


def test_the_newest_of_each_answer_are_kept_and_all_are_counted(witness: Asking, tmp_path: Path) -> None:
    assert witness.cosigned(request(0, 9))
    assert witness.ask(request(9, 9, RIGHT)).status == 422
    many = [leaf_hashes(b"%d" % (at + 1000 * side) for at in range(10)) for side in range(1, KEPT + 6)]
    for side in many:
        assert witness.ask(request(3, 10, side)).status == 409
    state = open_state(tmp_path / "w")
    assert state.refusals() == {LOG.name: len(many) + 1}
    notes = [each.note for each in state.refused()]
    assert notes == [signed(9, RIGHT), *(signed(10, side) for side in many[-KEPT:])]


# The proof of a fork


@pytest.mark.parametrize("old", [0, 3, 9, 5], ids=lambda old: f"old-{old}")
def test_another_root_at_the_cosigned_size_is_the_proof_of_a_fork(witness: Asking, tmp_path: Path, old: int) -> None:
    """However it is asked for: the answer is about the old size, the proof is in the two signatures."""
    assert witness.cosigned(request(0, 9))
    assert witness.ask(request(old, 9, RIGHT)).status in (409, 422)
    (fork,) = proofs(tmp_path)
    assert {fork.first, fork.second} == {signed(9), signed(9, RIGHT)}
    assert witness.ask(request(9, 9, RIGHT)).status == 422  # told once, kept once
    assert len(proofs(tmp_path)) == 1


def test_a_fork_that_goes_on_proves_itself_by_how_it_says_it_grew(witness: Asking, tmp_path: Path) -> None:
    assert witness.cosigned(request(0, 9))
    assert witness.ask(request(9, 21, RIGHT)).status == 422
    (fork,) = proofs(tmp_path)
    assert (fork.first, fork.second, fork.root is not None) == (signed(9), signed(21, RIGHT), True)


def test_what_was_refused_first_contradicts_what_is_cosigned_later(witness: Asking, tmp_path: Path) -> None:
    assert witness.cosigned(request(0, 3))
    assert witness.ask(request(0, 12, RIGHT)).status == 409
    assert witness.cosigned(request(3, 9))
    assert proofs(tmp_path) == []
    assert witness.cosigned(request(9, 12))
    (fork,) = proofs(tmp_path)
    assert {fork.first, fork.second} == {signed(12), signed(12, RIGHT)}


def test_an_honest_log_leaves_no_proof_against_it(witness: Asking, tmp_path: Path) -> None:
    for old, new in [(0, 3), (3, 3), (0, 9), (3, 9), (9, 5), (9, 33), (9, 33), (33, 40), (12, 20)]:
        witness.ask(request(old, new))
    altered = request(40, 40).replace(b"\n\n", b"\n" + b"A" * 43 + b"=\n\n", 1)
    assert witness.ask(altered).status == 422
    for bit in range(0, 8 * 40, 7):  # hashes that anybody may send with what the log has signed
        body = bytearray(request(33, 40))
        body[8 + bit // 8] ^= 1 << bit % 8
        witness.ask(bytes(body))
    assert proofs(tmp_path) == []


def test_a_size_that_is_a_power_of_two_takes_the_same_size_to_prove_it(witness: Asking, tmp_path: Path) -> None:
    """A limit: the hashes that are sent from there do not hold the root they start from."""
    assert witness.cosigned(request(0, 8))
    assert witness.ask(request(8, 12, RIGHT)).status == 422
    assert proofs(tmp_path) == []
    assert witness.ask(request(8, 8, RIGHT)).status == 422
    assert len(proofs(tmp_path)) == 1


def test_two_keys_of_one_log_that_signed_one_side_each_are_no_proof_against_either(tmp_path: Path) -> None:
    newer = SigningKey(LOG.name, ED25519, b"\x02" * 32)
    with serving(tmp_path / "w", following(LOG, newer)) as witness:
        assert witness.cosigned(request(0, 9))
        assert witness.ask(request(9, 9, RIGHT, by=newer)).status == 422
        assert proofs(tmp_path) == []
        assert len(open_state(tmp_path / "w").refused()) == 1
        assert witness.ask(request(9, 9, RIGHT)).status == 422
        assert [fork.log for fork in proofs(tmp_path)] == [LOG.verifier]


def test_a_log_that_forks_without_end_does_not_fill_the_disk(witness: Asking, tmp_path: Path) -> None:
    assert witness.cosigned(request(0, 9))
    for side in range(1, forks.MOST_FORKS + 6):
        leaves = leaf_hashes(b"%d" % (at + 1000 * side) for at in range(MOST))
        assert witness.ask(request(9, 9, leaves)).status == 422
    assert len(proofs(tmp_path)) == forks.MOST_FORKS


def test_a_proof_is_readable_by_others(witness: Asking, tmp_path: Path) -> None:
    assert witness.cosigned(request(0, 9))
    witness.ask(request(9, 9, RIGHT))
    (path,) = (tmp_path / "w").glob("fork-*.json")
    assert path.stat().st_mode & 0o777 == 0o644
    assert json.loads(path.read_text())["format"] == "muniment-fork/1"
