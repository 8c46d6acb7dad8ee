"""Cosignatures are those of C2SP tlog-cosignature, the Ed25519 kind."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.ledger.format.checkpoint import parse_signed
from apps.ledger.format.cosignature import cosigned_message, timestamped, untimestamped
from apps.ledger.format.keys import COSIGNATURE, Signature, SigningKey
from apps.ledger.format.note import Note, Verified
from apps.ledger.format.strict import Malformed, Unproven
from tests.ledger.material import LOG, SEED, WITNESS
from tests.ledger.test_checkpoint import SIGNED_8, TEXT_8

TIME = 1_700_000_000


def test_a_cosignature_has_the_bytes_of_the_standard() -> None:
    _, note = parse_signed(SIGNED_8.encode())
    assert note.signatures[1] == WITNESS.sign(TEXT_8.encode(), TIME)
    assert note.verify([WITNESS.verifier]) == (Verified(WITNESS.verifier, TIME),)
    assert len(note.verify([LOG.verifier, WITNESS.verifier])) == 2
    assert len(base64.b64decode(note.signatures[1].line().split()[-1])) == 76


def test_the_message_is_that_of_the_standard() -> None:
    text = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
    assert cosigned_message(text.encode(), 1679315147).decode() == f"cosignature/v1\ntime 1679315147\n{text}"


def test_the_time_of_a_real_one() -> None:
    # transparency-dev/formats @ 091ce416, note/note_cosigv1_test.go: one signature, as data.
    real = "ZGhGuQAAAABm/qTPeyKXD+R2rzyQsxPiP8mXum7qq/iF0u4vanlqJyocWODBt97w9uL+8qT7S5gxEHWWOworDcFiEBYJXORmnFBOBA=="
    assert untimestamped(base64.b64decode(real)[4:])[0] == 1727964367


@pytest.mark.parametrize("change", ["time", "text", "extension", "key", "plain"])
def test_it_covers_the_time_and_the_whole_text(change: str) -> None:
    time, made = untimestamped(WITNESS.sign(TEXT_8.encode(), TIME).field)
    text, name, field = TEXT_8, WITNESS.name, timestamped(time, made)
    match change:
        case "time":
            field = timestamped(time + 1, made)
        case "text":
            text = text.replace("\n8\n", "\n9\n")
        case "extension":
            text += "more\n"
        case "key":
            field = SigningKey(name, COSIGNATURE, b"\x01" * 32).sign(text.encode(), TIME).field
        case "plain":
            field = timestamped(time, LOG.sign(text.encode()).field)
    note = Note(text, (Signature(name, WITNESS.verifier.key_id, field),))
    with pytest.raises(Unproven, match="does not hold"):
        note.verify([WITNESS.verifier])


def test_a_logs_signature_is_never_a_witnesss() -> None:
    """One seed, two types: two key ids, and neither line counts for the other."""
    as_witness = SigningKey(LOG.name, COSIGNATURE, SEED)
    note = Note(TEXT_8, (LOG.sign(TEXT_8.encode()),))
    with pytest.raises(Unproven, match="no signature is by a trusted key"):
        note.verify([as_witness.verifier])


@given(st.integers(0, 2**63 - 1), st.binary(min_size=64, max_size=64))
def test_the_field_reads_back(time: int, signature: bytes) -> None:
    assert untimestamped(timestamped(time, signature)) == (time, signature)


@given(st.binary(max_size=80))
def test_hostile_fields_raise_nothing_else(field: bytes) -> None:
    if len(field) == 72 and field[0] < 0x80:
        untimestamped(field)
    else:
        with pytest.raises(Malformed):
            untimestamped(field)


@pytest.mark.parametrize("time", [-1, 2**63, True])
def test_a_time_that_cannot_be_written_is_refused(time: int) -> None:
    for make in (
        lambda: cosigned_message(b"", time),
        lambda: timestamped(time, b""),
        lambda: WITNESS.sign(b"\n", time),
    ):
        with pytest.raises(Malformed):
            make()


def test_a_time_beyond_the_largest_is_no_signature() -> None:
    field = (2**63).to_bytes(8, "big") + WITNESS.sign(TEXT_8.encode(), 1).field[8:]
    with pytest.raises(Unproven):
        Note(TEXT_8, (Signature(WITNESS.name, WITNESS.verifier.key_id, field),)).verify([WITNESS.verifier])
