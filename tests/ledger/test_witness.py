"""The six answers of C2SP tlog-witness, held against what a public witness answered, and against a log that lies."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.ledger.format.checkpoint import Checkpoint, parse_signed
from apps.ledger.format.keys import ED25519, Signature, SigningKey, VerifierKey
from apps.ledger.format.merkle import EMPTY_ROOT, consistency_proof, leaf_hashes, root_of
from apps.ledger.format.note import Note, Verified
from apps.ledger.format.strict import Malformed, Unproven, inbase64
from apps.ledger.format.tiles import Edge, TileNodes
from apps.ledger.format.witness import (
    Answer,
    Known,
    Request,
    answer,
    cosignature_line,
    read_cosignatures,
    read_size,
    with_signatures,
)
from tests.ledger.material import BASE64_REFUSED, BYTES, LOG, SIZES_REFUSED, WITNESS, flipped, vectors

HASHES = leaf_hashes(b"%d" % at for at in range(40))
FORKED = leaf_hashes(b"%d" % (at if at < 7 else -at) for at in range(40))
_, FILES = Edge().integrate(HASHES)


class Follower:
    """A witness that keeps what it is told to keep."""

    def __init__(self, known: dict[str, Known]) -> None:
        self.known = known

    def asked(self, body: bytes) -> Answer:
        said = answer(body, self.known)
        if said.cosign:
            log = self.known[said.cosign.origin]
            assert log.size == said.old
            self.known[said.cosign.origin] = replace(log, size=said.cosign.size, root=said.cosign.root)
        return said


def nodes(size: int, hashes: list[bytes] = HASHES) -> TileNodes:
    files: dict[object, bytes] = {}
    edge = Edge()
    for at in (size, len(hashes)):
        edge, written = edge.integrate(hashes[edge.size : at])
        files |= written
    return TileNodes(size, files.__getitem__)


def signed(size: int, hashes: list[bytes] = HASHES, log: SigningKey = LOG, **changes: object) -> bytes:
    tree = replace(Checkpoint(LOG.name, size, root_of(hashes[:size])), **changes)  # type: ignore[arg-type]
    return Note(tree.text, (log.sign(tree.text.encode()),)).to_bytes()


def body(
    old: int, new: int, hashes: list[bytes] = HASHES, proof: list[bytes] | None = None, **changes: object
) -> bytes:
    if proof is None:
        proof = consistency_proof(nodes(new, hashes), old, new) if old <= new else []
    return Request(old, tuple(proof), signed(new, hashes, **changes)).to_bytes()  # type: ignore[arg-type]


def at(size: int, hashes: list[bytes] = HASHES) -> dict[str, Known]:
    return {LOG.name: Known([LOG.verifier], size, root_of(hashes[:size]))}


# What a public witness answered


def test_a_real_exchange_is_answered_as_it_was() -> None:
    real = vectors("tlog-witness-exchange.json")
    origin = real["log_origin"]
    key = VerifierKey(origin, ED25519, bytes.fromhex(real["log_public_key_hex"]))
    witness = Follower({origin: Known([key])})
    for turn in real["in_order"]:
        said = witness.asked(turn["request_body"].encode())
        # That witness is older than version 1.0.0, which asks for 404 where the origin is unknown.
        assert said.status == (404 if "note" in turn else turn["status"])
        if "response_body" in turn:
            assert said.body == turn["response_body"]
        assert Request.parse(turn["request_body"].encode()).to_bytes() == turn["request_body"].encode()
    assert witness.known[origin].size == 5


def test_no_bit_of_a_real_request_can_be_changed() -> None:
    real = vectors("tlog-witness-exchange.json")
    key = VerifierKey(real["log_origin"], ED25519, bytes.fromhex(real["log_public_key_hex"]))
    witness = Follower({real["log_origin"]: Known([key])})
    for turn in real["in_order"]:
        asked = turn["request_body"].encode()
        if turn["status"] == 200:
            for bit in range(0, 8 * len(asked), 13):
                assert answer(flipped(asked, bit), witness.known).status in (400, 403, 404, 409, 422)
        witness.asked(asked)


def test_the_go_checksum_database_is_followed_from_its_checkpoint() -> None:
    real = vectors("tlog-witness-exchange.json")["go_sumdb"]
    witness = Follower({real["origin"]: Known([VerifierKey.parse(real["vkey"])])})
    assert witness.asked(real["request_body"].encode()).status == real["status"]
    assert witness.known[real["origin"]].size == 35225469
    again = witness.asked(real["request_body"].encode())
    assert (again.status, again.body) == (409, "35225469\n")


# The answers, one by one


def test_200_and_what_to_keep_and_cosign() -> None:
    said = answer(body(5, 9), at(5))
    assert (said.status, said.old, said.size) == (200, 5, None)
    assert said.cosign == parse_signed(signed(9))[0]
    assert (
        answer(body(0, 9), at(0)).status == answer(body(9, 9), at(9)).status == answer(body(0, 0), at(0)).status == 200
    )


@pytest.mark.parametrize("sizes", [(1, 2), (2, 3), (4, 8), (7, 8), (6, 33), (32, 40), (39, 40)])
def test_any_growth_is_cosigned(sizes: tuple[int, int]) -> None:
    assert answer(body(*sizes), at(sizes[0])).status == 200


def test_a_line_of_another_key_changes_nothing() -> None:
    other = SigningKey(LOG.name, ED25519, b"\x01" * 32).sign(b"other\n").line().encode()
    assert answer(body(5, 9) + other, at(5)).status == 200


def test_404_for_an_origin_that_is_not_followed() -> None:
    assert answer(body(0, 9), {}).status == 404
    assert answer(body(0, 9, origin="other.example/log"), at(0)).status == 404


def test_403_without_a_good_signature_by_a_key_of_that_log() -> None:
    stranger = SigningKey(LOG.name, ED25519, b"\x01" * 32)
    assert answer(body(0, 9, log=stranger), at(0)).status == 403
    bad = Signature(LOG.name, LOG.verifier.key_id, b"\x00" * 64).line().encode()
    assert answer(body(0, 9) + bad, at(0)).status == 403
    two = {LOG.name: Known([LOG.verifier]), "two.example": Known([stranger.verifier])}
    assert answer(body(0, 9, origin="two.example"), two).status == 403  # a key stands for its own log alone


@pytest.mark.parametrize(
    "lines", ["", "\n", "x\n", "— x\n", "— x AA==\n", "— x AAAAAAA=", "— x AAAAAAB=\n", "— x+y AAAAAAA=\n"]
)
def test_403_for_signature_lines_that_cannot_be_read(lines: str) -> None:
    whole = body(0, 9).rpartition("— ".encode())[0]
    assert answer(whole + lines.encode(), at(0)).status == (400 if lines == "\n" else 403)
    assert answer(whole + lines.encode(), {}).status == (400 if lines == "\n" else 404)


def test_400_for_an_old_size_beyond_the_new() -> None:
    assert answer(body(9, 5), at(9)).status == 400


def test_409_says_what_was_cosigned_last() -> None:
    for old in (0, 4, 6):
        said = answer(body(old, 9), at(5))
        assert (said.status, said.size, said.body) == (409, 5, "5\n")
    assert answer(body(3, 9), at(0)).body == "0\n"
    assert answer(body(5, 5), at(9)).status == 409  # the past is not cosigned again


@pytest.mark.parametrize(
    ("old", "asked"),
    [
        (5, body(5, 9, proof=[])),
        (5, body(5, 9, proof=[EMPTY_ROOT])),
        (5, body(5, 9, proof=consistency_proof(nodes(10), 5, 10))),
        (9, body(9, 9, proof=[EMPTY_ROOT])),
        (0, body(0, 9, proof=[EMPTY_ROOT])),
        (9, body(9, 9, FORKED)),
        (9, body(9, 12, FORKED)),
        (9, body(9, 12, root=root_of(FORKED[:12]))),
        (0, body(0, 0, root=root_of(HASHES[:1]))),
    ],
)
def test_422_for_a_tree_that_does_not_follow(old: int, asked: bytes) -> None:
    assert answer(asked, at(old)).status == 422


@pytest.mark.parametrize(
    "asked",
    [
        b"", b"\n", b"\n\n", b"old 0", b"old 0\n", b"old 0\n\n", b"new 0\n\n" + signed(9), signed(9),
        b"old 0\n" + signed(9),
        b" old 0\n\n" + signed(9), b"old  0\n\n" + signed(9), b"old 0\r\n\r\n" + signed(9), b"\xff\n\n" + signed(9),
        b"old 0\n\n\n" + signed(9), b"old 0\n\n" + signed(9) + b"\n", b"x" * 2_000_001,
        b"old 0\n" + (inbase64(EMPTY_ROOT) + "\n").encode() * 64 + b"\n" + signed(9),
        b"old 0\n" + inbase64(b"short").encode() + b"\n\n" + signed(9), b"old 0\n\nno checkpoint\n",
        b"old 0\n\n" + Note("no checkpoint\n", (LOG.sign(b"no checkpoint\n"),)).to_bytes(),
    ],
)  # fmt: skip
def test_400_for_what_is_no_request(asked: bytes) -> None:
    assert answer(asked, at(0)).status == 400


@pytest.mark.parametrize("size", SIZES_REFUSED)
def test_400_for_a_size_in_another_spelling(size: str) -> None:
    assert answer(f"old {size}\n\n".encode() + signed(9), at(0)).status == 400


@pytest.mark.parametrize("written", BASE64_REFUSED)
def test_400_for_a_hash_in_another_spelling(written: str) -> None:
    assert answer(f"old 0\n{written}\n\n".encode() + signed(9), at(0)).status == 400


@given(BYTES)
def test_hostile_requests_are_answered(data: bytes) -> None:
    for tried in (
        data,
        b"old " + data,
        b"old 0\n" + data + b"\n\n" + signed(9),
        b"old 0\n\n" + data,
        body(0, 9) + data,
    ):
        assert answer(tried, at(0)).status in ((400, 403) if data else (200, 400))


@settings(max_examples=20, deadline=None)
@given(st.randoms(use_true_random=False))
def test_whatever_a_log_sends_all_that_was_cosigned_is_one_history(chance: random.Random) -> None:
    """A log that forks at its seventh leaf, and signs anything: a witness never cosigns both sides of the fork."""
    witness, cosigned = Follower(at(0)), []
    for _ in range(30):
        hashes = chance.choice([HASHES, FORKED])
        old = chance.choice([witness.known[LOG.name].size, chance.randrange(40)])
        said = witness.asked(body(old, chance.randrange(41), hashes))
        if said.cosign:
            cosigned.append((said.cosign.size, said.cosign.root))
    assert [size for size, _ in cosigned] == sorted(size for size, _ in cosigned)
    assert any(all(root == root_of(side[:size]) for size, root in cosigned) for side in (HASHES, FORKED))


# The log's side


def test_a_log_takes_the_cosignatures_of_witnesses_it_knows() -> None:
    checkpoint, _ = parse_signed(signed(9))
    line = cosignature_line(WITNESS, checkpoint, 7)
    other = replace(WITNESS, name="other.example/w")
    lines = (line + cosignature_line(other, checkpoint, 8)).encode()
    assert read_cosignatures(lines, checkpoint, [WITNESS.verifier]) == (Verified(WITNESS.verifier, 7),)
    assert read_cosignatures(lines, checkpoint, []) == ()
    whole = with_signatures(signed(9), lines)
    assert whole == signed(9) + lines == with_signatures(whole, lines)
    assert [each.time for each in Note.parse(whole).verify([LOG.verifier, WITNESS.verifier])] == [None, 7]


def test_a_log_refuses_a_cosignature_of_something_else() -> None:
    lines = cosignature_line(WITNESS, parse_signed(signed(8))[0], 7).encode()
    with pytest.raises(Unproven):
        read_cosignatures(lines, parse_signed(signed(9))[0], [WITNESS.verifier])


def test_a_witness_says_when() -> None:
    with pytest.raises(Malformed):
        cosignature_line(WITNESS, parse_signed(signed(9))[0], 0)


@pytest.mark.parametrize("size", [*(f"{size}\n" for size in SIZES_REFUSED), "5", "5\n\n", "5\r\n", " 5\n"])
def test_a_size_in_an_answer_has_one_spelling(size: str) -> None:
    with pytest.raises(Malformed):
        read_size(size.encode())
    assert read_size(b"5\n") == 5


@given(BYTES)
def test_hostile_answers_raise_nothing_else(data: bytes) -> None:
    for read in (read_size, lambda body: read_cosignatures(body, parse_signed(signed(9))[0], [WITNESS.verifier])):
        with pytest.raises(Malformed):
            read(b"x" + data)
