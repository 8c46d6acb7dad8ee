"""A receipt's bytes are RFC 8785, and its chain hash follows from them alone."""

import hashlib

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from apps.ledger.format.encoding import FIELDS, Line, canonical, digest_of, genesis, next_hash, verify_chain

VAULT = "00000000-0000-4000-8000-000000000001"
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))


def body(seq: int, **changes: object) -> dict[str, object]:
    found: dict[str, object] = dict.fromkeys(FIELDS, "-")
    found |= {"v": "muniment-receipt/1", "vault": "vlt_" + VAULT.replace("-", ""), "seq": seq, "version": 0}
    return found | {"time": f"2026-01-01T00:00:00.{seq:06d}Z"} | changes


def chain(count: int) -> list[Line]:
    lines, previous = [], genesis(VAULT)
    for seq in range(1, count + 1):
        digest = digest_of(body(seq))
        previous = next_hash(previous, digest)
        lines.append(Line(canonical(body(seq)), digest, previous))
    return lines


@given(TEXT, TEXT, st.integers(0, 2**53 - 1))
def test_the_bytes_are_those_of_rfc_8785(actor: str, purpose: str, seq: int) -> None:
    receipt = body(seq, actor=actor, purpose=purpose)
    assert canonical(receipt) == rfc8785.dumps(receipt)


def test_a_missing_or_unknown_field_has_no_bytes() -> None:
    with pytest.raises(ValueError, match="exactly the fields"):
        canonical({"actor": "-"})


def test_the_genesis_binds_the_vault() -> None:
    assert genesis(VAULT) == hashlib.sha256(f"muniment-chain/1\n{VAULT}\n".encode()).digest()


def test_a_whole_chain_holds() -> None:
    lines = chain(5)
    assert verify_chain(lines, VAULT, (5, lines[-1].chain_hash)) == (5, [])


@pytest.mark.parametrize("name", [name for name in FIELDS if name not in ("seq", "version")])
def test_a_changed_field_is_found_and_its_line_named(name: str) -> None:
    lines = chain(3)
    lines[1] = lines[1]._replace(text=canonical(body(2, **{name: "x"})))
    _, problems = verify_chain(lines, VAULT)
    assert ("digest" in {p.what for p in problems}) and {p.seq for p in problems} <= {2, 3}


def test_a_removed_line_is_a_gap() -> None:
    lines = chain(3)
    assert "gap" in {problem.what for problem in verify_chain([lines[0], lines[2]], VAULT)[1]}


def test_a_chain_of_another_vault_does_not_hold() -> None:
    assert verify_chain(chain(2), VAULT.replace("1", "2"))[1]


def test_a_cut_off_tail_is_seen_only_with_the_head() -> None:
    lines = chain(3)
    assert verify_chain(lines[:2], VAULT)[1] == []
    assert [p.what for p in verify_chain(lines[:2], VAULT, (3, lines[2].chain_hash))[1]] == ["head"]
