"""Over HTTP a witness answers as C2SP tlog-witness v1.0.0 says, and as a public witness has answered before."""

from pathlib import Path

import pytest

from apps.ledger.format.checkpoint import parse_signed
from apps.ledger.format.keys import ED25519, SigningKey, VerifierKey
from apps.ledger.format.witness import SIZE_CONTENT_TYPE
from tests.ledger.material import LOG, flipped, vectors
from tests.witness.logs import LEFT, OTHER, RIGHT, request, signed
from tests.witness.running import Asking, Said, following, serving

EXCHANGE = vectors("tlog-witness-exchange.json")


# What a public witness answered


def test_a_published_exchange_is_answered_in_its_order(tmp_path: Path) -> None:
    key = VerifierKey(EXCHANGE["log_origin"], ED25519, bytes.fromhex(EXCHANGE["log_public_key_hex"]))
    with serving(tmp_path / "w", following(key)) as witness:
        for turn in EXCHANGE["in_order"]:
            said = witness.ask(turn["request_body"].encode())
            # That witness is older than version 1.0.0, which asks for 404 where the origin is unknown.
            assert said.status == (404 if "note" in turn else turn["status"])
            if said.status == 409:
                assert said == Said(409, turn["response_body"].encode(), SIZE_CONTENT_TYPE)
        checkpoint, note = parse_signed(witness.seen(EXCHANGE["log_origin"]).body)
        assert checkpoint.size == 5
        assert [each.key for each in note.verify([key, witness.key])] == [key, witness.key]


def test_the_go_checksum_database_is_followed_under_its_own_origin(tmp_path: Path) -> None:
    real = EXCHANGE["go_sumdb"]
    with serving(tmp_path / "w", {real["origin"]: (VerifierKey.parse(real["vkey"]),)}) as witness:
        assert witness.ask(real["request_body"].encode()).status == 200
        assert witness.ask(real["request_body"].encode()).body == b"35225469\n"
        assert parse_signed(witness.seen(real["origin"]).body)[0].size == 35225469


# One by one


def test_200_is_one_line_that_holds_and_the_checkpoint_is_shown_with_it(witness: Asking) -> None:
    for old, new in [(0, 0), (0, 3), (3, 3), (3, 8), (8, 33)]:
        said = witness.ask(request(old, new))
        assert (said.status, said.body.count(b"\n")) == (200, 1)
        checkpoint, note = parse_signed(signed(new) + said.body)
        times = [each.time for each in note.verify([LOG.verifier, witness.key])]
        assert times[0] is None and times[1]
        seen = witness.seen()
        assert (seen.status, seen.content_type) == (200, "text/plain; charset=utf-8")
        assert seen.body == signed(new) + said.body
        assert parse_signed(seen.body)[0] == checkpoint


def test_400_for_what_is_no_request_and_for_a_log_that_shrinks(witness: Asking) -> None:
    assert witness.cosigned(request(0, 9))
    for body in (b"", b"old 9\n", b"old 9\n\nno checkpoint", b"new 9\n\n" + signed(9), b"old 09\n\n" + signed(9)):
        assert witness.ask(body).status == 400
    assert witness.ask(request(9, 5)).status == 400


def test_403_without_a_signature_of_the_log(witness: Asking) -> None:
    stranger = SigningKey(LOG.name, ED25519, b"\x01" * 32)
    assert witness.ask(request(0, 9, by=stranger)).status == 403
    assert witness.ask(request(0, 9, by=OTHER, origin=LOG.name)).status == 403
    assert witness.seen().status == 404


def test_404_for_a_log_that_is_not_followed(witness: Asking) -> None:
    assert witness.ask(request(0, 9, by=OTHER)).status == 404
    assert witness.seen(OTHER.name).status == 404


def test_409_with_the_size_that_was_cosigned_last(witness: Asking) -> None:
    assert witness.ask(request(4, 9)) == Said(409, b"0\n", SIZE_CONTENT_TYPE)
    assert witness.cosigned(request(0, 9))
    for old in (0, 4, 8):
        assert witness.ask(request(old, 12)) == Said(409, b"9\n", SIZE_CONTENT_TYPE)
    assert witness.ask(request(5, 5)) == Said(409, b"9\n", SIZE_CONTENT_TYPE)


def test_422_for_a_tree_that_does_not_follow(witness: Asking) -> None:
    assert witness.cosigned(request(0, 9))
    for new in (9, 12, 33):
        assert witness.ask(request(9, new, RIGHT)).status == 422
    assert witness.cosigned(request(9, 12, LEFT))


def test_no_changed_bit_of_a_request_is_cosigned(witness: Asking) -> None:
    assert witness.cosigned(request(0, 5))
    asked = request(5, 9)
    for bit in range(0, 8 * len(asked), 41):
        assert witness.ask(flipped(asked, bit)).status in (400, 403, 404, 409, 422)
    assert witness.cosigned(asked)


def test_several_logs_and_several_keys_of_one(tmp_path: Path) -> None:
    newer = SigningKey(LOG.name, ED25519, b"\x02" * 32)
    with serving(tmp_path / "w", following(LOG, newer, OTHER)) as witness:
        assert witness.cosigned(request(0, 3))
        assert witness.cosigned(request(3, 9, by=newer))
        assert witness.cosigned(request(0, 5, RIGHT, by=OTHER))
        assert witness.cosigned(request(9, 10))
        assert [parse_signed(witness.seen(name).body)[0].size for name in (LOG.name, OTHER.name)] == [10, 5]


@pytest.mark.parametrize("prefix", ["/w", "/a/b"])
def test_everything_may_stand_under_a_prefix(tmp_path: Path, prefix: str) -> None:
    with serving(tmp_path / "w", prefix=prefix) as witness:
        assert witness.cosigned(request(0, 3))
        assert witness.seen().status == 200
        bare = Asking(witness.url.removesuffix(prefix), witness.key)
        assert bare.ask(request(3, 4)).status == bare.seen().status == 404
