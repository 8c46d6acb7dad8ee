"""Notes are those of C2SP signed-note: read strictly, written as they are read, trusted only by known keys."""

import base64
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.ledger.format.keys import COSIGNATURE, ED25519, Signature, SigningKey, VerifierKey
from apps.ledger.format.note import Note
from apps.ledger.format.strict import Malformed, Unproven
from tests.ledger.material import BASE64_REFUSED, BYTES, LOG, SEED, TEXT, WITNESS

# The example of the standard.
FOO = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
FOO_NOTE = """This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
"""

# golang.org/x/mod @ 02c99138, sumdb/note/note_test.go (BSD-3-Clause): keys and signatures, as data.
PETER = VerifierKey.parse("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
PETER_SEED = base64.b64decode("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")[1:]
ENOCH = VerifierKey.parse("EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop")
SAID = """If you think cryptography is the answer to your problem,
then you don't know what your problem is.
"""
BY_PETER = (
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
BY_ENOCH = "— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n"


def note(*lines: str, text: str = SAID) -> bytes:
    return f"{text}\n{''.join(lines)}".encode()


def spoilt(line: str) -> str:
    """The same key's line with another signature of the right length."""
    return line[:40] + ("A" if line[40] != "A" else "B") + line[41:]


def signers(data: bytes, *keys: VerifierKey) -> list[str]:
    return [each.key.name for each in Note.parse(data).verify(keys)]


def test_the_example_of_the_standard() -> None:
    key = VerifierKey.parse(FOO)
    assert (key.name, key.type, key.key_id) == ("example.com/foo", ED25519, 0x530D903A)
    found = Note.parse(FOO_NOTE.encode())
    assert found.text == "This is an example message.\n"
    assert [(each.key, each.time) for each in found.verify([key])] == [(key, None)]
    assert found.to_bytes() == FOO_NOTE.encode()


def test_our_signature_is_gos() -> None:
    peter = SigningKey("PeterNeumann", ED25519, PETER_SEED)
    assert peter.verifier == PETER
    assert Note(SAID, (peter.sign(SAID.encode()),)).to_bytes() == note(BY_PETER)
    assert "seed" not in repr(peter)


def test_only_signatures_by_known_keys_count() -> None:
    both = note(BY_PETER, BY_ENOCH)
    assert signers(both, PETER) == ["PeterNeumann"]
    assert signers(both, ENOCH, PETER, PETER) == ["PeterNeumann", "EnochRoot"]
    for data, keys in [(both, ()), (note(BY_ENOCH), (PETER,))]:
        with pytest.raises(Unproven, match="trusted key"):
            signers(data, *keys)


def test_an_unknown_key_is_passed_over_even_if_it_shares_a_name_or_an_id() -> None:
    same_name = SigningKey("PeterNeumann", ED25519, SEED).sign(b"another text\n").line()
    same_id = Signature("Peter", PETER.key_id, b"\x00" * 64).line()
    other_type = Signature("PeterNeumann", 7, b"\x01").line()
    assert signers(note(same_name, same_id, other_type, BY_PETER), PETER) == ["PeterNeumann"]


@pytest.mark.parametrize(
    "lines", [[spoilt(BY_PETER), BY_PETER], [BY_PETER, spoilt(BY_PETER)], [BY_ENOCH, spoilt(BY_PETER)]]
)
def test_a_known_keys_bad_signature_rejects_the_whole_note(lines: list[str]) -> None:
    with pytest.raises(Unproven, match=r"PeterNeumann\+c74f20a3 does not hold"):
        signers(note(*lines), PETER, ENOCH)


@pytest.mark.parametrize("field", [b"\x00", b"\x00" * 63, b"\x00" * 65, b"\x00" * 72])
def test_a_known_keys_signature_of_another_length_rejects_it_too(field: bytes) -> None:
    with pytest.raises(Unproven):
        signers(note(BY_PETER, Signature("PeterNeumann", PETER.key_id, field).line()), PETER)


def test_a_changed_text_is_nobodys() -> None:
    with pytest.raises(Unproven):
        signers(note(BY_PETER, text=SAID.replace("problem is", "answer is")), PETER)


def test_sixteen_signatures_and_more_are_read_but_not_without_end() -> None:
    assert signers(note(BY_PETER * 16), PETER) == ["PeterNeumann"] * 16
    with pytest.raises(Malformed):
        Note.parse(note(BY_PETER * 101))
    with pytest.raises(Malformed):
        Note.parse(note(BY_PETER, text="x" * 1_000_000 + "\n"))


def test_the_last_empty_line_parts_text_and_signatures() -> None:
    text = f"A text\n\nwith\n\n\nempty lines\n\n{BY_ENOCH}\n"
    found = Note.parse(note(BY_PETER, text=text))
    assert (found.text, [each.name for each in found.signatures]) == (text, ["PeterNeumann"])


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\n", b"\n\n", SAID.encode(), f"{SAID}\n".encode(), note(BY_PETER)[:-1], note(BY_PETER, "\n"),
        note(BY_PETER, "More.\n"), b"\x01" + note(BY_PETER), b"\xff" + note(BY_PETER), note(BY_PETER, text="a\r\n"),
        note(BY_PETER, text="a\tb\n"), note(BY_PETER, text="no newline"), note(BY_PETER.replace("—", "-")),
        note(BY_PETER.replace("—", "–")), note(" " + BY_PETER), note(BY_PETER.replace("— ", "—  ")),
        note(BY_PETER.replace("\n", " \n")), note(BY_PETER.replace(" x08", "  x08")),
        note(BY_PETER.replace("n x", "n")),
        note(BY_PETER.replace("Peter", "Peter ")), note(BY_PETER.replace("Peter", "Peter+")), note("—  x08goA==\n"),
        note(BY_PETER.replace("Peter", "Peter\u00a0")), note(BY_PETER.replace("Peter", "Peter\u3000")),
        note(BY_PETER.replace("\n", "\r\n")), note(BY_PETER.replace("=", "")), note(BY_PETER.replace("=", "==")),
        note(BY_PETER.replace("M=", "N=")), note("— PeterNeumann x08gow==\n"), note("— PeterNeumann x08g\n"),
    ],
)  # fmt: skip
def test_anything_else_is_no_note(data: bytes) -> None:
    with pytest.raises(Malformed):
        Note.parse(data)


@pytest.mark.parametrize("written", BASE64_REFUSED)
def test_base64_has_one_spelling(written: str) -> None:
    with pytest.raises(Malformed):
        Note.parse(note(f"— PeterNeumann {written}\n"))


@given(BYTES)
def test_hostile_notes_raise_nothing_else(data: bytes) -> None:
    for tried in (
        data,
        note(BY_PETER) + data,
        data + note(BY_PETER),
        SAID.encode() + b"\n\xe2\x80\x94 " + data + b"\n",
    ):
        with suppress(Malformed):
            assert Note.parse(tried).to_bytes() == tried


@given(st.data())
def test_a_note_with_any_bytes_changed_is_refused_or_says_the_same(data: st.DataObject) -> None:
    whole = note(BY_PETER, BY_ENOCH)
    at, more = data.draw(st.integers(0, len(whole))), data.draw(st.binary(max_size=3))
    cut = data.draw(st.integers(0, 3))
    changed = whole[:at] + more + whole[at + cut :]
    with suppress(Malformed, Unproven):
        found = Note.parse(changed)
        found.verify([PETER, ENOCH])
        assert found.text == SAID


@pytest.mark.parametrize(
    "made",
    [
        Note(SAID, ()),
        Note("no newline", (LOG.sign(b""),)),
        Note("a\x00\n", (LOG.sign(b""),)),
        Note("\ud800\n", (LOG.sign(b""),)),
        Note(SAID, (Signature("a b", 1, b"x"),)),
        Note(SAID, (Signature("", 1, b"x"),)),
        Note(SAID, (Signature("a", 1, b""),)),
        Note(SAID, (Signature("a\n\n— b", 1, b"x"),)),
    ],
)
def test_what_would_not_read_back_is_not_written(made: Note) -> None:
    with pytest.raises(Malformed):
        made.to_bytes()


# Keys


@pytest.mark.parametrize("key", [PETER, ENOCH, LOG.verifier, WITNESS.verifier])
def test_a_vkey_reads_back_and_any_other_spelling_is_refused(key: VerifierKey) -> None:
    text = str(key)
    assert VerifierKey.parse(text) == key
    wrong = {text[:at] for at in range(len(text))} | {text[at:] for at in range(1, len(text))}
    wrong |= {text[:at] + chr(ord(text[at]) + 1) + text[at + 1 :] for at in range(len(text))}
    wrong |= {f" {text}", f"{text} ", f"{text}\n", text.replace("+", "++", 1), text.swapcase()}
    for each in wrong:
        with pytest.raises(Malformed):
            VerifierKey.parse(each)


def test_the_vkeys_of_one_seed_differ_by_type_and_name() -> None:
    assert str(LOG.verifier) == "vault.example/log1+1072c9b4+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"
    assert str(WITNESS.verifier) == "witness.example/w1+e75f6532+BAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"


@pytest.mark.parametrize(
    "text",
    [
        "PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==",  # longer key, its own id
        "PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",  # unknown type, its own id
        "PeterNeumann+C74F20A3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "PeterNeumann+0xc74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "PeterNeumann+c74f20a3+",
        "\ud800+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
    ],
)
def test_a_key_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        VerifierKey.parse(text)


@given(TEXT)
def test_hostile_vkeys_raise_nothing_else(text: str) -> None:
    for tried in (text, f"name+{text}", f"{text}+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"):
        with suppress(Malformed):
            assert str(VerifierKey.parse(tried)) == tried


def test_two_known_keys_that_look_alike_are_not_told_apart_by_guessing() -> None:
    class Alike(VerifierKey):
        key_id = PETER.key_id  # type: ignore[assignment]

    other = Alike("PeterNeumann", COSIGNATURE, ENOCH.public_key)
    with pytest.raises(Unproven, match="both called"):
        signers(note(BY_PETER), PETER, other)


def test_a_cosignature_carries_its_time_and_nothing_else_does() -> None:
    with pytest.raises(Malformed):
        WITNESS.sign(b"text\n")
    with pytest.raises(Malformed):
        LOG.sign(b"text\n", 1)
