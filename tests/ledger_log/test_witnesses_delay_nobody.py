"""A witness that hangs delays nobody; several publishers, or one that is cut off, show every witness one history."""

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from statistics import median_low
from typing import Any

import psycopg
import pytest
from django.db import connections

from apps.ledger import cosigned
from apps.ledger import services as ledger
from apps.ledger.services import asking, witnessing
from apps.ledger.services.asking import NoAnswer, their_checkpoint
from tests.cast import Vault, new_vault
from tests.databases import ROOT
from tests.ledger_log.conftest import ORIGIN
from tests.ledger_log.test_cosigning import (
    at_once as ask_again,
)
from tests.ledger_log.test_cosigning import begun, policy_file, refusals, served
from tests.ledger_log.test_recovery import Crash
from tests.ledger_log.test_the_process import FRESH, PATIENCE_SECONDS, environment, until_provable
from tests.ledger_log.test_two_publishers import check
from tests.peers.witness import Real, Reply, peer
from tests.threads import at_once

HANGS = Reply(200, wait=True)
ROUNDS = 12


def test_a_step_does_not_wait_for_a_witness_that_hangs(
    key_file: Path,
    tmp_path: Path,
    three: list[Real],
    admin: psycopg.Connection[Any],
    alice: Vault,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asking, "PATIENCE", 6.0)  # as long as it hangs
    with peer("hangs") as hangs:
        hangs.answer = lambda _: HANGS
        publisher = begun(key_file, policy_file(tmp_path, [*three[:2], hangs], "2"))
        longest = 0.0
        for number in range(5):
            began = time.monotonic()
            assert publisher.step(everything=True)
            longest = max(longest, time.monotonic() - began)
            assert served()[0] == number + 1, "the others are enough, and were not kept waiting"
            alice.keep(f"thing {number}")
        assert longest < 5, "a step does not wait until it is given up"
        publisher.witnesses.settle()
        assert len(hangs.asked) <= 2, "it is left alone for a while"
        assert [(name, status) for name, status, _ in refusals(admin)] == [("hangs", 0)]


@pytest.mark.parametrize("how", ["hangs", "trickles"])
def test_a_receipt_is_provable_within_five_seconds_all_the_same(
    instance: str,
    key_file: Path,
    tmp_path: Path,
    three: list[Real],
    alice: Vault,
    how: str,
) -> None:
    """The process itself, with one of three witnesses that never comes to an end: with the quorum of the other two."""
    with peer("slow") as slow, (tmp_path / "said").open("wb") as said:
        slow.answer = lambda _: HANGS if how == "hangs" else Reply(200, trickle=True)
        policy = policy_file(tmp_path, [*three[:2], slow], "2")
        env = environment(instance, key_file, MUNIMENT_LOG_POLICY=policy, MUNIMENT_LOG_ORIGIN=ORIGIN)
        argv = [sys.executable, "manage.py", "publish_log"]
        process = subprocess.Popen(argv, cwd=ROOT, env=env, stdout=said, stderr=said)
        try:
            until_provable(alice, 1, PATIENCE_SECONDS)  # the start
            waits = []
            for number in range(4):
                alice.keep(f"thing {number}")
                newest = alice.receipts()[-1].seq
                waits.append(until_provable(alice, newest, PATIENCE_SECONDS))
                end = time.monotonic() + PATIENCE_SECONDS
                while not proven(alice, newest):
                    assert time.monotonic() < end, "no quorum"
                    time.sleep(0.05)
                time.sleep(0.3 * number)
            print("provable after", [f"{wait:.2f} s" for wait in waits])
            assert median_low(waits) < FRESH, "one may be late because the machine is busy"
            process.send_signal(signal.SIGTERM)
            slow.let_go.set()
            assert process.wait(timeout=60) == 0
        finally:
            process.kill()
            process.wait()
    assert "Traceback" not in (tmp_path / "said").read_text()


def proven(vault: Vault, seq: int) -> bool:
    """Does the receipt's file have a checkpoint with a quorum."""
    found = ledger.proof(vault.id, vault.holder.actor, seq)
    return bool(found and "keys" in found and ledger.witnessed(found["keys"].values()).quorum)


def test_once_waits_until_everybody_has_answered(
    instance: str,
    key_file: Path,
    tmp_path: Path,
    three: list[Real],
    alice: Vault,
) -> None:
    env = environment(
        instance, key_file, MUNIMENT_LOG_POLICY=policy_file(tmp_path, three, "all"), MUNIMENT_LOG_ORIGIN=ORIGIN
    )
    argv = [sys.executable, "manage.py", "publish_log", "--once"]
    done = subprocess.run(argv, cwd=ROOT, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert [each.size(ORIGIN) for each in three] == [1, 1, 1] and served()[0] == 1


def test_several_publishers_show_every_witness_one_history(
    key_file: Path,
    tmp_path: Path,
    three: list[Real],
    admin: psycopg.Connection[Any],
    instance: str,
) -> None:
    """They overtake one another all the time: a witness may know more than one of them, and never another history."""
    vaults = [new_vault(name) for name in ("Alice", "Bob", "Carol")]
    path = policy_file(tmp_path, three, "2")
    over = threading.Event()

    def publish() -> int:
        mine = begun(key_file, path)
        count = 0
        while not over.is_set():
            ask_again(mine)
            count += mine.step(everything=count % 2 == 0) is not None
        mine.witnesses.settle()
        return count

    def live() -> int:
        try:
            for number in range(ROUNDS):
                for vault in vaults:
                    vault.keep(f"thing {number}")
        finally:
            over.set()
            for alias in connections:
                connections[alias].close()
        return 0

    done = at_once([publish, publish, publish, live])
    assert [each for each in done if isinstance(each, Exception)] == []
    last = begun(key_file, path)
    last.step(everything=True)
    last.cosign(settle=True)
    check(admin)
    for each in three:
        assert set(each.statuses()) <= {409}, "never a fork, at most an old size"
        assert each.size(ORIGIN) == served()[0] == (admin.execute("SELECT size FROM log.tree").fetchone() or (0,))[0]
    assert not list(tmp_path.glob("w*/fork-*")) and not list(tmp_path.glob("log_key.fork-*"))
    assert [status for _, status, _ in refusals(admin) if status not in (0, 409)] == []


def test_a_witness_s_own_checkpoint_is_fetched_within_bounds(three: list[Real]) -> None:
    assert their_checkpoint(three[0].url, ORIGIN) is None
    with peer("huge") as huge, peer("hangs") as hangs:
        huge.shows = Reply(200, b"x" * 1_000_000)
        hangs.shows = HANGS
        for asked, said in ((huge, "more than 64 KiB"), (hangs, "no answer within 2 seconds")):
            with pytest.raises(NoAnswer, match=said):
                their_checkpoint(asked.url, ORIGIN)
    for nowhere in ("http://127.0.0.1:9", "ftp://127.0.0.1/", "http://[", "nonsense"):
        with pytest.raises(NoAnswer):
            their_checkpoint(nowhere, ORIGIN)


# ---------------------------------------------------------------- cut off
CUTS: dict[str, tuple[Any, str]] = {
    "the policy is noted": (cosigned, "add_policy"),
    "what a witness saw is looked up": (cosigned, "last_cosigned"),
    "the witness is asked": (witnessing, "exchange"),
    "the cosignature is kept": (cosigned, "add_cosignature"),
    "the quorum is noted": (cosigned, "add_quorum"),
    "the refusal is kept": (cosigned, "add_refusal"),
}


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", CUTS)
def test_it_goes_on_where_it_was_cut_off(
    key_file: Path,
    tmp_path: Path,
    three: list[Real],
    admin: psycopg.Connection[Any],
    alice: Vault,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    when: str,
) -> None:
    """An error at that point, before it or once it has persisted, and another process does the rest."""
    where, name = CUTS[step]
    honest = getattr(where, name)

    def faulty(*given: Any, **more: Any) -> Any:
        if when == "after":
            honest(*given, **more)
        raise Crash(step)

    with peer("no") as no:
        no.answer = lambda _: Reply(500)
        path = policy_file(tmp_path, [*three, no], "3")
        with monkeypatch.context() as fault, pytest.raises(Crash):
            fault.setattr(where, name, faulty)
            begun(key_file, path).step(everything=True)
        alice.keep("tea")
        begun(key_file, path).step(everything=True)
    check(admin)
    (size,) = admin.execute("SELECT size FROM log.tree").fetchone() or (0,)
    assert served()[0] == size and [each.size(ORIGIN) for each in three] == [size] * 3
    assert proven(alice, alice.receipts()[-1].seq)
