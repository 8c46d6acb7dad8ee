"""Checkpoints are those of C2SP tlog-checkpoint."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.ledger.format.checkpoint import Checkpoint, parse_signed
from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.merkle import EMPTY_ROOT
from apps.ledger.format.note import Note
from apps.ledger.format.strict import Malformed, Unproven
from tests.ledger.material import BASE64_REFUSED, LOG, SIZES_REFUSED, TEXT, tessera_checkpoints, vectors

ROOT = "XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg="
TEXT_8 = f"vault.example/log1\n8\n{ROOT}\n"
# Made once with the seed 00 01 … 1f over the reference tree of eight leaves, and re-computed by two implementations.
SIGNED_8 = f"""{TEXT_8}
— vault.example/log1 EHLJtL7HueNWtra3dmV6eViZ2+wTgU/8Mrhbw8TW6xI8wXZIy1vrN4ZpPkRBWrzbkHqxx07k14QKbRdeCllK7jwKZQk=
— witness.example/w1 519lMgAAAABlU/EAXyOLvPO+7TpZFd/dYtvVTy5Sai/4GMaXxmH083crcT92rHIpOLggo05un1Liwx7j4cCiiDXnW6FRh59U\
mabZAw==
"""


def test_a_checkpoint_has_the_bytes_of_the_standard() -> None:
    checkpoint, note = parse_signed(SIGNED_8.encode())
    assert (checkpoint.origin, checkpoint.size, checkpoint.root.hex()[:16]) == (
        "vault.example/log1",
        8,
        "5dc9da79a70659a9",
    )
    assert checkpoint.text == note.text == TEXT_8
    assert note.signatures[0] == LOG.sign(TEXT_8.encode())
    assert [each.time for each in note.verify([LOG.verifier])] == [None]


def test_the_go_checksum_database() -> None:
    """A real one, whose key is not named as its origin is."""
    real = vectors("tlog-witness-exchange.json")["go_sumdb"]
    checkpoint, note = parse_signed(real["request_body"].partition("\n\n")[2].encode())
    assert (checkpoint.origin, checkpoint.size) == (real["origin"], 35225469)
    assert [each.key.name for each in note.verify([VerifierKey.parse(real["vkey"])])] == ["sum.golang.org"]


def test_every_checkpoint_reads_back() -> None:
    for signed in tessera_checkpoints():
        checkpoint, note = parse_signed(signed)
        assert Checkpoint.parse(checkpoint.text) == checkpoint and note.to_bytes() == signed


def test_an_empty_log_has_a_checkpoint_and_extensions_are_kept() -> None:
    assert Checkpoint("o", 0, EMPTY_ROOT).text.split("\n")[1] == "0"
    text = f"any origin + spaces é\n7\n{ROOT}\none\n two \n"
    assert Checkpoint.parse(text).extensions == ("one", " two ")
    assert Checkpoint.parse(text).text == text


@pytest.mark.parametrize("size", SIZES_REFUSED)
def test_a_size_has_one_spelling(size: str) -> None:
    with pytest.raises(Malformed):
        Checkpoint.parse(f"origin\n{size}\n{ROOT}\n")


@pytest.mark.parametrize(
    "root", [*BASE64_REFUSED, ROOT[:-1], ROOT + "=", ROOT.replace("yg=", "yh="), "AAAA", ROOT + " "]
)
def test_a_root_is_canonical_base64_of_32_bytes(root: str) -> None:
    with pytest.raises(Malformed):
        Checkpoint.parse(f"origin\n8\n{root}\n")


@pytest.mark.parametrize(
    "text",
    ["", "\n", "o", "o\n8\n", f"\n8\n{ROOT}\n", f"o\n8\n{ROOT}", f"o\n8\n{ROOT}\n\n", f"o\n8\n{ROOT}\nx\n\ny\n",
     f"o\n\n{ROOT}\n", f"{'o' * 256}\n8\n{ROOT}\n", f"{'é' * 128}\n8\n{ROOT}\n", f"o\r\n8\n{ROOT}\n",
     f"\ud800\n8\n{ROOT}\n"],
)  # fmt: skip
def test_anything_else_is_no_checkpoint(text: str) -> None:
    with pytest.raises(Malformed):
        Checkpoint.parse(text)


@pytest.mark.parametrize(
    "parts",
    [("", 1, EMPTY_ROOT), ("a\nb", 1, EMPTY_ROOT), ("o", -1, EMPTY_ROOT), ("o", 2**63, EMPTY_ROOT), ("o", 1, b"short"),
     ("o", True, EMPTY_ROOT), ("o", 1, EMPTY_ROOT, ("",)), ("o", 1, EMPTY_ROOT, ("a\n\nb",))],
)  # fmt: skip
def test_what_would_not_read_back_is_not_made(parts: tuple[object, ...]) -> None:
    with pytest.raises(Malformed):
        Checkpoint(*parts)  # type: ignore[arg-type]


@given(TEXT)
def test_hostile_checkpoints_raise_nothing_else(text: str) -> None:
    for tried in (text, f"{text}\n8\n{ROOT}\n", f"o\n{text}\n{ROOT}\n", f"o\n8\n{text}\n", f"o\n8\n{ROOT}\n{text}\n"):
        with suppress(Malformed):
            assert Checkpoint.parse(tried).text == tried


@given(st.data())
def test_a_changed_checkpoint_is_not_signed(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(TEXT_8.encode()) - 1))
    signed = SIGNED_8.encode()
    changed = signed[:at] + data.draw(st.binary(max_size=2)) + signed[at + 1 :]
    with suppress(Malformed, Unproven):
        parse_signed(changed)[1].verify([LOG.verifier])
        assert changed == signed


def test_a_note_that_is_no_checkpoint_is_refused() -> None:
    with pytest.raises(Malformed):
        parse_signed(Note("just text\n", (LOG.sign(b"just text\n"),)).to_bytes())
