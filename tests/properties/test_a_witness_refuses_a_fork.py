"""A witness refuses a fork: of two histories under one log's key it cosigns one, and keeps what proves the other.

Protects everybody who was shown the first history from one that was made afterwards, by whoever holds the key.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.ledger.format.verdict import Trust, Verdict
from apps.ledger.format.verifying import verify
from tests.ledger.material import LOG
from tests.witness.logs import FORKS_AT, LEFT, MOST, RIGHT, request, signed
from tests.witness.running import Asking, serving


@pytest.fixture
def witness(tmp_path: Path) -> Iterator[Asking]:
    with serving(tmp_path / "w") as asking:
        yield asking


@pytest.mark.parametrize("size", [FORKS_AT + 1, 12, 13, MOST])
def test_a_second_history_is_not_cosigned_whatever_it_is_said_to_continue(witness: Asking, size: int) -> None:
    """The log's signature holds, its proof is a proof: of another tree than the one that was seen."""
    assert witness.cosigned(request(0, 12)) is not None
    for old in range(size + 1):
        assert witness.cosigned(request(old, size, RIGHT)) is None
    grown = witness.cosigned(request(12, MOST))
    assert grown is not None and grown.size == MOST


def test_a_history_may_grow_from_before_the_fork_on_either_side_but_not_on_both(witness: Asking) -> None:
    assert witness.cosigned(request(0, FORKS_AT)) is not None
    assert witness.cosigned(request(FORKS_AT, 20, RIGHT)) is not None
    assert witness.cosigned(request(20, 21, LEFT)) is None
    assert witness.cosigned(request(FORKS_AT, 20, LEFT)) is None


def test_an_earlier_state_is_not_cosigned_again(witness: Asking) -> None:
    assert witness.cosigned(request(0, 12)) is not None
    for size in range(12):
        for old in range(size + 1):
            assert witness.cosigned(request(old, size)) is None


def test_it_remembers_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path / "w") as before:
        assert before.cosigned(request(0, 12)) is not None
    with serving(tmp_path / "w") as after:
        assert after.cosigned(request(0, 12, RIGHT)) is None
        assert after.cosigned(request(12, 20, RIGHT)) is None
        assert after.cosigned(request(12, 20)) is not None


def test_what_it_keeps_convinces_somebody_who_has_only_that_and_the_log_s_key(tmp_path: Path) -> None:
    with serving(tmp_path / "w") as witness:
        witness.cosigned(request(0, 12))
        witness.cosigned(request(12, 12, RIGHT))
    (proof,) = (tmp_path / "w").glob("fork-*.json")
    report = verify(proof.read_bytes(), Trust(keys=(LOG.verifier,)))
    assert report.kind == "fork" and report.verdict is Verdict.FORKED
    assert "two histories" in report.says
    assert signed(12, RIGHT) != signed(12, LEFT)
