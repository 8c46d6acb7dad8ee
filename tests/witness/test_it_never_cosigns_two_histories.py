"""Whatever is asked, in any order, by however many at once: all that one witness cosigns of a log is one history."""

import sqlite3
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from apps.ledger.format.checkpoint import Checkpoint, parse_signed
from apps.ledger.format.merkle import root_of
from apps.ledger.format.policy import Policy
from apps.ledger.format.strict import Unproven
from apps.ledger.format.witness import with_signatures
from apps.ledger.witness.server import Server
from apps.ledger.witness.state import Standing, State, open_state
from apps.ledger.witness.witness import Witness
from tests.ledger.material import LOG, WITNESS
from tests.witness.logs import FORKS_AT, LEFT, MOST, RIGHT, request, signed
from tests.witness.running import NAME, Asking, following, process, serving

SIZES = st.integers(0, MOST)
SIDES = st.sampled_from([LEFT, RIGHT])


def is_one_history(cosigned: list[Checkpoint]) -> bool:
    """Each is as large as the one before or larger, and all are on one side of the fork."""
    sizes = [each.size for each in cosigned]
    return sizes == sorted(sizes) and any(
        all(each.root == root_of(side[: each.size]) for each in cosigned) for side in (LEFT, RIGHT)
    )


class AnyOrder(RuleBasedStateMachine):
    """Logs on both sides of a fork ask for whatever they like, and the witness may be started again at any time."""

    def __init__(self) -> None:
        super().__init__()
        self.end = ExitStack()
        self.folder = Path(self.end.enter_context(tempfile.TemporaryDirectory())) / "w"
        self.running = ExitStack()
        self.cosigned: list[Checkpoint] = []
        self.start()

    def start(self) -> None:
        self.witness = self.running.enter_context(serving(self.folder))

    def ask(self, body: bytes) -> bool:
        checkpoint = self.witness.cosigned(body)
        self.cosigned += [checkpoint] if checkpoint else []
        return checkpoint is not None

    @property
    def size(self) -> int:
        return self.cosigned[-1].size if self.cosigned else 0

    @rule(side=SIDES, new=SIZES)
    def a_side_goes_on_from_where_the_witness_stands(self, side: list[bytes], new: int) -> None:
        before = self.cosigned[-1] if self.cosigned else None
        follows = before is None or before.root == root_of(side[: before.size])
        assert self.ask(request(self.size, new, side)) == (follows and new >= self.size)

    @rule(side=SIDES, old=SIZES, new=SIZES)
    def a_side_asks_for_anything(self, side: list[bytes], old: int, new: int) -> None:
        if self.ask(request(old, new, side)):
            assert old == (self.cosigned[-2].size if len(self.cosigned) > 1 else 0)

    @rule()
    def it_is_asked_again_for_what_it_has_cosigned(self) -> None:
        if self.cosigned:
            side = LEFT if is_one_history([*self.cosigned, Checkpoint(LOG.name, MOST, root_of(LEFT))]) else RIGHT
            assert self.ask(request(self.size, self.size, side))

    @rule()
    def it_is_started_again(self) -> None:
        self.running.close()
        self.start()

    @invariant()
    def all_that_it_cosigned_is_one_history(self) -> None:
        assert is_one_history(self.cosigned)

    @invariant()
    def what_it_shows_is_what_it_cosigned_last(self) -> None:
        seen = self.witness.seen()
        assert seen.status == (200 if self.cosigned else 404)
        assert not self.cosigned or parse_signed(seen.body)[0] == self.cosigned[-1]

    def teardown(self) -> None:
        self.running.close()
        self.end.close()


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=12, stateful_step_count=16, deadline=None)


# Two at once


class Stalled(State):
    """Lets nobody keep anything until both have decided."""

    both = threading.Barrier(2)

    def keep(self, checkpoint: Checkpoint, note: bytes, old: int, now: int) -> Standing | None:
        if old == 0:
            self.both.wait(10)
        return super().keep(checkpoint, note, old, now)


def test_two_requests_that_were_both_found_good_are_not_both_cosigned(tmp_path: Path) -> None:
    made = open_state(tmp_path / "w", NAME)
    with Server(("127.0.0.1", 0), Witness(Stalled(made.folder, made.key), following())) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        with ThreadPoolExecutor() as pool:
            asking = [Asking(server.url, made.key.verifier) for _ in range(2)]
            bodies = [request(0, 9, LEFT), request(0, 12, RIGHT)]
            said = [each.result() for each in [pool.submit(a.ask, b) for a, b in zip(asking, bodies, strict=True)]]
        server.shutdown()
        thread.join()
    assert sorted(each.status for each in said) == [200, 409]
    won = 9 if said[0].status == 200 else 12
    assert [each.body for each in said if each.status == 409] == [b"%d\n" % won]
    assert made.standing(LOG.name).size == won


def test_two_processes_on_one_state_are_one_witness(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    with process(folder) as (one, _), process(folder) as (other, _):
        assert one.key == other.key
        assert one.cosigned(request(0, 3))
        assert other.ask(request(0, 9, RIGHT)).body == b"3\n"
        for size in range(3, 12, 2):  # each time both are asked at once, and neither can go on before the other
            blocking = sqlite3.connect(folder / "state.db", isolation_level=None)
            blocking.execute("BEGIN IMMEDIATE")
            with ThreadPoolExecutor() as pool:
                futures = [
                    pool.submit(one.cosigned, request(size, size + 2)),
                    pool.submit(other.cosigned, request(size, size + 2, RIGHT)),
                ]
                time.sleep(0.2)
                blocking.execute("COMMIT")
                blocking.close()
                cosigned = [each for each in (future.result() for future in futures) if each]
            assert len(cosigned) == 1
            if size + 2 > FORKS_AT:
                break
        kept = open_state(folder).standing(LOG.name)
        assert kept.size == size + 2


def test_one_witness_counts_once(witness: Asking) -> None:
    """However often it signs, it is one of those whom a policy asks for."""
    asked = f"log {LOG.verifier}\nwitness a {witness.key}\nwitness b {WITNESS.verifier}\n"
    note = signed(9)
    for old in (0, 9):
        assert witness.cosigned(request(old, 9))
        note = with_signatures(note, witness.said[-1].body)
        time.sleep(1.1)  # a cosignature tells whole seconds: these are two
    assert len(parse_signed(note)[1].signatures) == 3
    assert list(Policy.parse(f"{asked}group any 1 a b\nquorum any\n".encode()).check(note).witnesses) == ["a"]
    with pytest.raises(Unproven, match="1 known witness has"):
        Policy.parse(f"{asked}group both 2 a b\nquorum both\n".encode()).check(note)
