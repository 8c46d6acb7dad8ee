"""The log asks its witnesses: what meets the policy is served and proves receipts; whoever fails is one sentence."""

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg
import pytest

from apps.ledger import services as ledger
from apps.ledger.format.checkpoint import Checkpoint, parse_signed
from apps.ledger.format.keys import COSIGNATURE, Signature, SigningKey, VerifierKey
from apps.ledger.format.policy import Policy
from apps.ledger.format.strict import Unproven
from apps.ledger.format.verdict import Trust, Verdict
from apps.ledger.format.verifying import verify
from apps.ledger.format.witness import cosignature_line
from apps.ledger.services import asking, witnessing
from tests.cast import Vault
from tests.ledger_log.conftest import ORIGIN
from tests.ledger_log.test_fsck import fsck
from tests.peers.witness import NOON, Real, Reply, peer, witness


def policy_file(folder: Path, witnesses: list[Any], quorum: str) -> str:
    """A tlog-policy over these witnesses: `quorum` is none, or how many of them are enough."""
    lines = [each.line for each in witnesses]
    if quorum != "none":
        lines.append(f"group enough {quorum} {' '.join(each.name for each in witnesses)}\n")
    path = folder / "policy"
    path.write_text("".join(lines) + f"quorum {'none' if quorum == 'none' else 'enough'}\n")
    return str(path)


def begun(key_file: Path, policy: str) -> ledger.Publisher:
    """Another start of the log's process, with this policy."""
    return ledger.publisher(key_file, origin=ORIGIN, policy_file=policy)


def served() -> tuple[int, list[str]]:
    """The size of the checkpoint that is served, and who has signed it."""
    note = ledger.checkpoint()
    assert note
    checkpoint, parsed = parse_signed(note)
    return checkpoint.size, [each.name for each in parsed.signatures]


def refusals(admin: psycopg.Connection[Any]) -> list[tuple[str, int, str]]:
    return admin.execute("SELECT name, status, said FROM log.refusal ORDER BY id").fetchall()


def at_once(publisher: ledger.Publisher) -> None:
    """Nobody has to rest any longer."""
    publisher.witnesses._rests.clear()


# ---------------------------------------------------------------- k of n
def test_a_quorum_is_served_and_proves_a_receipt(
    key_file: Path, tmp_path: Path, three: list[Real], log_key: VerifierKey, alice: Vault
) -> None:
    path = policy_file(tmp_path, three, "2")
    begun(key_file, path).step(everything=True)
    assert [each.size(ORIGIN) for each in three] == [1, 1, 1]
    size, names = served()
    assert (size, names[0], set(names[1:])) == (1, ORIGIN, {"w1.example/w", "w2.example/w", "w3.example/w"})
    policy = Policy.parse(Path(path).read_bytes())
    note = ledger.checkpoint()
    assert note and set(policy.check(note, [log_key]).witnesses) == {"w1", "w2", "w3"}
    file = ledger.proof(alice.id, alice.holder.actor, 1)
    assert file and len(file["keys"]) == 4 and not [each for each in file["limits"] if "No witness" in each]
    assert ledger.witnessed(file["keys"].values()) == ledger.Witnessed(("w1", "w2", "w3"), "2 of 3", True)
    report = verify(json.dumps(file).encode(), Trust((log_key,), policy))
    assert report.verdict is Verdict.IN_LEDGER, report.lines()
    assert "everything agrees" in fsck()


def test_as_many_as_it_takes_are_enough(
    key_file: Path, tmp_path: Path, three: list[Real], log_key: VerifierKey, alice: Vault
) -> None:
    """Two of three is met by two; one of them alone meets nothing, and the newest signed one is served till then."""
    with peer("down") as down, peer("silent") as silent:
        down.answer = silent.answer = lambda _: Reply(503)
        path = policy_file(tmp_path, [three[0], down, silent], "2")
        publisher = begun(key_file, path)
        publisher.step(everything=True)
        assert served() == (1, [ORIGIN, "w1.example/w"]), "before any has met the policy, the newest signed one"
        file = ledger.proof(alice.id, alice.holder.actor, 1)
        assert file and ledger.witnessed(file["keys"].values()) == ledger.Witnessed(("w1",), "2 of 3", False)
        note = ledger.checkpoint()
        with pytest.raises(Unproven, match="no quorum"):
            Policy.parse(Path(path).read_bytes()).check(note or b"", [log_key])
        down.answer = down.cosigns
        at_once(publisher)
        publisher.step(everything=False)
        assert served() == (1, [ORIGIN, "w1.example/w", "down.example/w"])
        down.answer = lambda _: Reply(503)
        alice.keep("tea")
        at_once(publisher)
        publisher.step(everything=False)
        assert served()[0] == 1, "the newest that has met the policy is served, not the newest"
        newest = ledger.proof(alice.id, alice.holder.actor, alice.receipts()[-1].seq)
        oldest = ledger.proof(alice.id, alice.holder.actor, 1)
        assert newest and ledger.witnessed(newest["keys"].values()).quorum is False, "provable at once all the same"
        assert oldest and ledger.witnessed(oldest["keys"].values()).quorum is True
        down.answer = down.cosigns
        at_once(publisher)
        publisher.step(everything=False)
        assert served()[0] == 2
        assert ledger.check_ledger()


def test_a_policy_that_asks_for_nobody_serves_the_newest_with_whatever_there_is(
    key_file: Path, tmp_path: Path, three: list[Real], alice: Vault
) -> None:
    publisher = begun(key_file, policy_file(tmp_path, three[:1], "none"))
    publisher.step(everything=True)
    assert served() == (1, [ORIGIN, "w1.example/w"])
    alice.keep("tea")
    plain = begun(key_file, "")
    plain.step(everything=True)
    assert served() == (2, [ORIGIN])
    assert ledger.witnesses() == () and ledger.witnessed([]) == ledger.Witnessed((), "none", True)


def test_another_policy_is_in_force_from_its_first_start(
    key_file: Path, tmp_path: Path, three: list[Real], admin: psycopg.Connection[Any], alice: Vault
) -> None:
    begun(key_file, policy_file(tmp_path, three[:1], "1")).step(everything=True)
    assert served()[0] == 1
    alice.keep("tea")
    both = begun(key_file, policy_file(tmp_path, three, "all"))
    both.step(everything=True)
    begun(key_file, policy_file(tmp_path, three, "all"))
    assert served()[0] == 2 and len(served()[1]) == 4
    texts = admin.execute("SELECT text FROM log.policy ORDER BY id").fetchall()
    assert [b"w3" in text for (text,) in texts] == [False, False, True], (
        "none, one, three; the same again is not another"
    )
    assert [each.name for each in ledger.witnesses()] == ["w1", "w2", "w3"]


def test_a_policy_that_cannot_be_read_is_one_sentence(key_file: Path, tmp_path: Path, log_key: VerifierKey) -> None:
    bad = tmp_path / "policy"
    bad.write_text("quorum none\nquorum none\n")
    for path, said in ((tmp_path / "nowhere", "No such file"), (bad, "line 2 of the policy")):
        with pytest.raises(ledger.LogProblem, match="MUNIMENT_LOG_POLICY") as problem:
            begun(key_file, str(path))
        assert said in str(problem.value)


# ---------------------------------------------------------------- the protocol
def test_it_proves_from_the_size_the_witness_has_last_cosigned(
    key_file: Path, tmp_path: Path, up: ExitStack, log_key: VerifierKey, alice: Vault
) -> None:
    told = up.enter_context(peer("told"))
    path = policy_file(tmp_path, [told], "1")
    publisher = begun(key_file, path)
    for number in range(4):
        publisher.step(everything=True)
        publisher.step(everything=True)
        alice.keep(f"thing {number}")
    begun(key_file, path).step(everything=True)
    assert [request.old for request in told.asked] == [0, 1, 2, 3, 4], "each checkpoint once, also after a restart"
    assert set(told.paths) == {"POST /prefix/add-checkpoint"}


@pytest.mark.parametrize("lost", ["the witness", "the log"])
def test_a_409_says_where_to_start(
    key_file: Path, tmp_path: Path, admin: psycopg.Connection[Any], log_key: VerifierKey, alice: Vault, lost: str
) -> None:
    """One of the two has forgotten what the other knows: asked once more from the size in the answer, it cosigns."""
    with witness("w1", tmp_path / "w1", log_key) as real:
        publisher = begun(key_file, policy_file(tmp_path, [real], "1"))
        publisher.step(everything=True)
        alice.keep("tea")
        if lost == "the log":
            admin.execute("SET session_replication_role = replica")
            admin.execute("DELETE FROM log.quorum")
            admin.execute("DELETE FROM log.cosignature")
            admin.execute("SET session_replication_role = origin")
            publisher.step(everything=True)
            assert (real.size(ORIGIN), served()[0]) == (2, 2)
            assert real.statuses() == [409]
    if lost == "the witness":
        with witness("w1", tmp_path / "new", log_key) as anew:
            publisher = begun(key_file, policy_file(tmp_path, [anew], "1"))
            publisher.step(everything=True)
            assert (anew.size(ORIGIN), served()[0]) == (2, 2)
    assert refusals(admin) == []


def test_a_log_that_is_restarted_and_a_witness_that_is_restarted_go_on(
    key_file: Path, tmp_path: Path, log_key: VerifierKey, alice: Vault
) -> None:
    port = 0
    for size in range(1, 4):
        with witness("w1", tmp_path / "w1", log_key, port=port) as real:
            port = int(real.url.rpartition(":")[2])
            begun(key_file, policy_file(tmp_path, [real], "1")).step(everything=True)
            assert (real.size(ORIGIN), served()[0], real.statuses()) == (size, size, [])
        alice.keep(f"thing {size}")


# ---------------------------------------------------------------- what else may come back
RUBBISH = {
    "500": (Reply(500, b"on fire\n"), 500, "500 on fire"),
    "not followed, of now": (Reply(404, b"who?\n"), 404, "does not follow this log: 404 who?"),
    "not followed, of before": (Reply(403, b"forbidden\n"), 403, "does not follow this log: 403 forbidden"),
    "a redirect": (Reply(307, b"", {"Location": "/elsewhere"}), 307, "307"),
    "nothing": (Reply(200), 200, "no cosignature"),
    "a page": (Reply(200, b"<html>\xff</html>\n"), 200, "no cosignature"),
    "too much": (Reply(200, b"x" * 10_000_000), 0, "an answer of more than 64 KiB"),
    "without end": (Reply(200, trickle=True), 0, "no answer within"),
    "409 without a size": (Reply(409, b"conflict\n"), 409, "409 conflict"),
    "409 with the size that was sent": (Reply(409, b"0\n"), 409, "409 0"),
    "409 with a size we never had": (Reply(409, b"99\n"), 409, "409 99"),
    "422": (Reply(422, b"no\n"), 422, "422 no"),
    "words for a terminal": (Reply(500, b"\x1b[2Jred\nline" + b"y" * 5000), 500, "500  [2Jred line"),
}


@pytest.mark.parametrize("what", RUBBISH)
def test_anything_else_is_a_refusal_that_is_kept(
    key_file: Path,
    tmp_path: Path,
    up: ExitStack,
    admin: psycopg.Connection[Any],
    log_key: VerifierKey,
    alice: Vault,
    what: str,
) -> None:
    told = up.enter_context(peer("told"))
    reply, status, said = RUBBISH[what]
    told.answer = lambda _: reply
    publisher = begun(key_file, policy_file(tmp_path, [told], "1"))
    assert publisher.step(everything=True)
    publisher.witnesses.settle()
    ((name, kept, words),) = refusals(admin)
    assert (name, kept) == ("told", status) and said in words and len(words) <= 200
    assert words.isprintable()
    assert served() == (1, [ORIGIN])
    assert not [path for path in told.paths if "elsewhere" in path]
    at_once(publisher)
    publisher.step(everything=True)
    publisher.witnesses.settle()
    assert len(refusals(admin)) == 1, "the same again is not kept twice"
    told.answer = told.cosigns
    at_once(publisher)
    publisher.step(everything=True)
    assert served() == (1, [ORIGIN, "told.example/w"]), "and it is forgiven"
    assert ledger.witnesses()[0].heard.refusal == ""


@pytest.mark.parametrize("which", ["another key's", "under the right name", "of another tree"])
def test_a_cosignature_that_does_not_hold_is_not_kept(
    key_file: Path,
    tmp_path: Path,
    up: ExitStack,
    admin: psycopg.Connection[Any],
    log_key: VerifierKey,
    alice: Vault,
    which: str,
) -> None:
    told = up.enter_context(peer("told"))
    other = SigningKey("told.example/w", COSIGNATURE, b"o" * 32)

    def answer(request: Any) -> Reply:
        checkpoint = parse_signed(request.checkpoint)[0]
        if which == "another key's":
            return Reply(200, cosignature_line(other, checkpoint, NOON).encode())
        if which == "of another tree":
            tree_ = Checkpoint(checkpoint.origin, checkpoint.size, b"1" * 32)
            return Reply(200, cosignature_line(told.key, tree_, NOON).encode())
        made = other.sign(checkpoint.text.encode(), NOON)
        return Reply(200, Signature(made.name, told.key.verifier.key_id, made.field).line().encode())

    told.answer = answer
    begun(key_file, policy_file(tmp_path, [told], "1")).step(everything=True)
    ((_, status, _),) = refusals(admin)
    assert status == 200
    assert admin.execute("SELECT count(*) FROM log.cosignature").fetchone() == (0,)
    assert served() == (1, [ORIGIN])


def test_other_lines_beside_its_own_are_passed_over(
    key_file: Path, tmp_path: Path, up: ExitStack, log_key: VerifierKey, alice: Vault
) -> None:
    told = up.enter_context(peer("told"))
    other = SigningKey("other.example/w", COSIGNATURE, b"o" * 32)

    def answer(request: Any) -> Reply:
        line = cosignature_line(other, parse_signed(request.checkpoint)[0], NOON)
        return Reply(200, line.encode() + told.cosigns(request).body)

    told.answer = answer
    begun(key_file, policy_file(tmp_path, [told], "1")).step(everything=True)
    assert served() == (1, [ORIGIN, "told.example/w"])


def test_a_witness_that_is_not_there_is_asked_ever_more_seldom(
    key_file: Path,
    tmp_path: Path,
    admin: psycopg.Connection[Any],
    log_key: VerifierKey,
    alice: Vault,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with peer("gone") as gone:
        path = policy_file(tmp_path, [gone], "1")
    now = [1000.0]
    publisher = begun(key_file, path)
    publisher.step(everything=True)
    publisher.witnesses.settle()
    monkeypatch.setattr(witnessing, "monotonic", lambda: now[0])
    rests = []
    publisher.witnesses._rests["gone"] = (0, 0.0)
    for _ in range(8):
        publisher.cosign(settle=True)
        failures, until = publisher.witnesses._rests["gone"]
        rests.append(until - now[0])
        now[0] = until - 0.1
        publisher.cosign(settle=True)
        assert publisher.witnesses._rests["gone"][0] == failures, "it is left alone"
        now[0] = until
    assert rests == [2, 4, 8, 16, 32, 60, 60, 60]
    ((name, status, said),) = refusals(admin)
    assert (name, status, said) == ("gone", 0, "no answer: ConnectError")
    assert asking.PATIENCE <= 2
