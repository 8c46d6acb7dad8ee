"""A chain is checked on a fast road where no text needs an escape, and line by line elsewhere: one verdict."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apps.ledger.format import encoding
from apps.ledger.format.encoding import FIELDS, Line, canonical, genesis, next_hash, verify_chain

VAULT = "00000000-0000-4000-8000-000000000001"
PARTS = [*"abc-_ é漢😀", '"', "\\", "\x00", "\n", "\x1f", "\x7f", "\u2028", '","category":"']
TEXT = st.lists(st.sampled_from(PARTS), max_size=6).map("".join)
CHANGE: st.SearchStrategy[Any] = TEXT | st.integers(-2, 5) | st.booleans() | st.floats(0, 3) | st.none()


def forged(text: bytes, previous: bytes) -> Line:
    """A line whose digest and chain hash are those of its bytes, whatever these are."""
    digest = encoding.hashlib.sha256(text).digest()
    return Line(text, digest, next_hash(previous, digest))


def chain(texts: list[str], honest: bool) -> list[Line]:
    """A chain whose receipts carry these texts. Where it is not honest, their bytes have no escapes, as if forged to
    fit the fast road."""
    lines, previous = [], genesis(VAULT)
    for seq, text in enumerate(texts, 1):
        body: dict[str, Any] = dict.fromkeys(FIELDS, "-")
        body |= {"v": encoding.VERSION, "vault": "vlt_" + VAULT.replace("-", ""), "seq": seq, "version": seq % 3}
        body |= {"time": f"2026-01-01T00:00:00.{seq:06d}Z", "purpose": text, "actor": text}
        written = canonical(body)
        if not honest:
            plain = ",".join(f'"{n}":{body[n]}' if isinstance(body[n], int) else f'"{n}":"{body[n]}"' for n in FIELDS)
            written = f"{{{plain}}}".encode()
        lines.append(forged(written, previous))
        previous = lines[-1].chain_hash
    return lines


def both(lines: list[Line]) -> tuple[object, object]:
    """The verdict, and the one without the fast road."""
    problems: list[encoding.Problem] = []
    start = encoding._Place(0, genesis(VAULT), b"")
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
    text = json.dumps({**json.loads(lines[which].text), name: value}, sort_keys=True, separators=(",", ":"))
    lines[which] = lines[which]._replace(text=text.encode())
    fast, slow = both(lines)
    assert fast == slow
    lines[which] = forged(text.encode(), lines[which - 1].chain_hash if which else genesis(VAULT))
    fast, slow = both(lines)
    assert fast == slow


@given(st.integers(0, 2), st.data())
def test_whatever_byte_is_another(which: int, data: st.DataObject) -> None:
    """Forged to fit: only what the bytes say can tell."""
    text = bytearray(chain(["a", "b", "c"], honest=True)[which].text)
    text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    previous, lines = genesis(VAULT), []
    for number, line in enumerate(chain(["a", "b", "c"], honest=True)):
        lines.append(forged(bytes(text) if number == which else line.text, previous))
        previous = lines[-1].chain_hash
    fast, slow = both(lines)
    assert fast == slow


def test_over_many_batches_every_fault_is_named() -> None:
    lines = chain(["plain"] * 500, honest=True)
    assert verify_chain(lines, VAULT, (500, lines[-1].chain_hash)) == (500, [])
    for which in (0, 63, 64, 200, 499):
        broken = lines.copy()
        broken[which] = lines[which]._replace(text=lines[which].text.replace(b'"plain"', b'"other"'))
        assert {(problem.seq, problem.what) for problem in verify_chain(broken, VAULT)[1]} >= {(which + 1, "digest")}


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        (b'{"actor"', b'{ "actor"'),
        (b'"version":1}', b'"version":1,"x":1}'),
        (b'"version":1}', b'"version":1.0}'),
        (b'"version":1}', b'"version":true}'),
        (b'"seq":1', b'"seq":"1"'),
        (b'"seq":1', b'"seq":01'),
        (b'"form":"-",', b""),
        (b'"form":"-",', b'"form":"-","form":"-",'),
        (b'"actor":"a","category":"-"', b'"category":"-","actor":"a"'),
        (b'"actor":"a"', b'"actor":"\\u0061"'),
        (b'"actor":"a"', b'"actor":"\xff"'),
        (b'"actor":"a"', b'"actor":null'),
        (b"}", b"}\n"),
    ],
)
def test_other_bytes_for_the_same_or_another_object_have_no_form(written: bytes, instead: bytes) -> None:
    text = chain(["a"], honest=True)[0].text
    assert written in text
    line = forged(text.replace(written, instead), genesis(VAULT))
    assert [problem.what for problem in verify_chain([line], VAULT)[1]] == ["form"]
