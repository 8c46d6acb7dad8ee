"""A chain is checked on a fast road where no text needs an escape, and line by line elsewhere: one verdict."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apps.ledger.format import encoding
from apps.ledger.format.encoding import FIELDS, Line, digest_of, genesis, next_hash, verify_chain

VAULT = "00000000-0000-4000-8000-000000000001"
PARTS = [*"abc-_ é漢😀", '"', "\\", "\x00", "\n", "\x1f", "\x7f", "\u2028", '","category":"']
TEXT = st.lists(st.sampled_from(PARTS), max_size=6).map("".join)
CHANGE: st.SearchStrategy[Any] = TEXT | st.integers(-2, 5) | st.booleans() | st.floats(0, 3) | st.none()


def chain(texts: list[str], honest: bool) -> list[Line]:
    """A chain whose receipts carry these texts. Where it is not honest, their bytes have no escapes, as if forged to
    fit the fast road."""
    lines, previous = [], genesis(VAULT)
    for seq, text in enumerate(texts, 1):
        body: dict[str, Any] = dict.fromkeys(FIELDS, "-")
        body |= {"v": encoding.VERSION, "vault": "vlt_" + VAULT.replace("-", ""), "seq": seq, "version": seq % 3}
        body |= {"time": f"2026-01-01T00:00:00.{seq:06d}Z", "purpose": text, "actor": text}
        digest = digest_of(body)
        if not honest:
            plain = ",".join(f'"{n}":{body[n]}' if isinstance(body[n], int) else f'"{n}":"{body[n]}"' for n in FIELDS)
            digest = encoding.hashlib.sha256(f"{{{plain}}}".encode()).digest()
        previous = next_hash(previous, digest)
        lines.append(Line(body, digest, previous))
    return lines


def both(lines: list[Line]) -> tuple[object, object]:
    """The verdict, and the one without the fast road."""
    problems: list[encoding.Problem] = []
    start = encoding._Place(0, genesis(VAULT), "")
    slow = encoding._line_by_line(lines, "vlt_" + VAULT.replace("-", ""), start, problems)
    return verify_chain(lines, VAULT), (slow.seq, problems)


@given(st.lists(TEXT, min_size=1, max_size=5), st.booleans())
@example(['a","category":"b'], False)
@example(["a\\"], False)
@example(["\x1f"], False)
def test_whatever_the_texts(texts: list[str], honest: bool) -> None:
    fast, slow = both(chain(texts, honest))
    assert fast == slow


@given(st.sampled_from(FIELDS), CHANGE, st.integers(0, 2))
def test_whatever_is_changed(name: str, value: Any, which: int) -> None:
    lines = chain(["a", "b", "c"], honest=True)
    lines[which] = Line({**lines[which].body, name: value}, lines[which].digest, lines[which].chain_hash)
    fast, slow = both(lines)
    assert fast == slow


def test_over_many_batches_every_fault_is_named() -> None:
    lines = chain(["plain"] * 500, honest=True)
    assert verify_chain(lines, VAULT, (500, lines[-1].chain_hash)) == (500, [])
    for which in (0, 63, 64, 200, 499):
        broken = lines.copy()
        broken[which] = Line({**lines[which].body, "purpose": "x"}, lines[which].digest, lines[which].chain_hash)
        assert {(problem.seq, problem.what) for problem in verify_chain(broken, VAULT)[1]} >= {(which + 1, "digest")}


def test_an_additional_field_is_found() -> None:
    line = chain(["a"], honest=True)[0]
    assert verify_chain([Line({**line.body, "more": "x"}, line.digest, line.chain_hash)], VAULT)[1]


@pytest.mark.parametrize("name", FIELDS)
def test_a_missing_field_is_found(name: str) -> None:
    line = chain(["a"], honest=True)[0]
    rest = {key: value for key, value in line.body.items() if key != name}
    assert verify_chain([Line(rest, line.digest, line.chain_hash)], VAULT)[1]
