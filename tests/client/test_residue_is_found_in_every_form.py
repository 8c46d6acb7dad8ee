"""A value is found in whatever form and container programs leave it, and nothing else is taken for it."""

import io
import random
import secrets
import string
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.erasure import residue
from apps.erasure.residue.matcher import PIECE, Matcher
from tests.client.looks import CONTAINERS, VALUE, looks, write


def hits(matcher: Matcher, data: bytes) -> set[tuple[int, int]]:
    """Values and where they begin."""
    return {(hit.value, hit.offset) for hit in matcher.search(io.BytesIO(data))}


@pytest.mark.parametrize("library", [True, False], ids=["with the library", "with Python alone"])
@pytest.mark.parametrize("container", CONTAINERS)
def test_each_form_is_found_in_each_container(tmp_path: Path, container: str, library: bool) -> None:
    files = write(tmp_path, CONTAINERS[container], VALUE)
    report = residue.search([tmp_path], ["another value", VALUE], library=library)
    assert report.coverage.engine == ("hyperscan" if library else "python")
    found = {finding.path.partition("!")[0] for finding in report.findings if finding.value == 1}
    assert {look for look, path in files.items() if str(path) not in found} == set()
    assert {finding.verdict for finding in report.findings} == {"PLAIN"}
    assert [finding for finding in report.findings if finding.value == 0] == []
    assert (report.unopened, report.exit_code) == ([], 1)


def test_forms_are_called_what_they_are(tmp_path: Path) -> None:
    names = {
        "UTF-8": "utf-8",
        "NFD": "nfd",
        "capitals": "case-folded",
        "UTF-16LE": "utf-16le",
        "UTF-16BE": "utf-16be",
        "Windows-1252": "windows-1252",
        "JSON": "json-escaped",
        "a form": "percent-encoded",
        "HTML": "html-escaped",
        "SQL": "escaped",
        "hex": "hex",
        "base64, 1 before": "base64",
    }
    for look, form in names.items():
        path = tmp_path / "file"
        path.write_bytes(looks(VALUE)[look])
        assert {finding.form for finding in residue.search([path], [VALUE]).findings} == {form}, look
    assert set(names.values()) <= set(residue.search([tmp_path], [VALUE]).coverage.forms)


@settings(max_examples=60, deadline=None)
@given(
    value=st.text(min_size=4, max_size=150).filter(lambda text: not any("\ud800" <= c <= "\udfff" for c in text)),
    before=st.binary(max_size=40),
)
def test_any_text_is_found_in_any_form(value: str, before: bytes) -> None:
    if not value.strip():
        return
    matchers = [Matcher([value]), Matcher([value], library=False)]
    for look, data in looks(value).items():
        if look.startswith(
            ("Windows", "JSON of PHP", "JSON for a script", "JSON with capital", "mixed case", "a form, small")
        ):
            continue  # these replace text that may be the value's own
        if look.startswith("base64") and len(value.encode()) < 5:
            continue
        for matcher in matchers:
            assert matcher.inside(b"." + before + b"." + data + b"." if "base64" not in look else data), look


@settings(max_examples=60, deadline=None)
@given(value=st.binary(min_size=5, max_size=80), before=st.binary(max_size=40))
def test_any_bytes_are_found(value: bytes, before: bytes) -> None:
    matcher = Matcher([value])
    assert matcher.inside(before + value)
    assert matcher.inside(value.hex().encode())


@pytest.mark.parametrize("library", [True, False], ids=["with the library", "with Python alone"])
def test_it_is_found_wherever_reading_stops(library: bool) -> None:
    matcher = Matcher([VALUE, "x" * 4], library=library)
    forms = [looks(VALUE)[look] for look in ("UTF-8", "JSON in JSON", "base64, 1 before", "UTF-16BE")]
    for data in forms:
        for end in (PIECE, PIECE + 2 * matcher.reach, 2 * PIECE + 2 * matcher.reach):
            for at in range(end - len(data) - 2, end + 3, 7):
                found = hits(matcher, b"." * at + data + b"." * 3_000)
                assert len(found) == 1, (len(data), at)


def test_both_engines_find_the_same_and_each_place_once(tmp_path: Path) -> None:
    values = [VALUE, "Ann Lee", "日本語のメモ", "+49 170 1234567", "naïve Ωmega"]
    noise = random.Random(5)
    data = bytearray(noise.randbytes(3 * PIECE))
    for _ in range(200):
        look = noise.choice(list(looks(noise.choice(values)).values()))
        at = noise.randrange(len(data) - len(look))
        data[at : at + len(look)] = look
    one, two = (Matcher(values, library=library) for library in (True, False))
    found = [(hit.value, hit.form, hit.offset) for hit in one.search(io.BytesIO(data))]
    assert len(found) == len(set(found)) > 100
    assert sorted(found) == sorted((h.value, h.form, h.offset) for h in two.search(io.BytesIO(data)))


def test_a_part_of_a_long_value_is_enough(tmp_path: Path) -> None:
    value = " ".join(secrets.token_hex(4) for _ in range(60))
    (tmp_path / "cut.log").write_text(f"error in: {value[:80]}...")
    (tmp_path / "tail.log").write_text(f"...{value[-80:]}")
    report = residue.search([tmp_path], [value])
    assert {Path(finding.path).name for finding in report.findings} == {"cut.log", "tail.log"}


def test_a_name_of_a_file_or_folder_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "notes of Ann Lee Miller").mkdir()
    (tmp_path / "notes of Ann Lee Miller" / "x").write_text("nothing")
    report = residue.search([tmp_path], ["ann lee miller"])
    assert [(finding.place, finding.form) for finding in report.findings] == [("in the name", "case-folded")]


def test_a_clean_tree_is_clean(tmp_path: Path) -> None:
    for number, container in enumerate(CONTAINERS.values()):
        (tmp_path / f"file{number}").write_bytes(container(b"somebody else's words"))
    report = residue.search([tmp_path], [VALUE])
    assert (report.findings, report.unopened, report.exit_code, report.clean) == ([], [], 0, True)
    assert report.bytes_read == sum(path.stat().st_size for path in tmp_path.iterdir())


def test_nothing_else_is_taken_for_it(tmp_path: Path) -> None:
    """One letter more, less or another, in every form; and bytes that mean nothing."""
    noise = random.Random(7)
    for number in range(200):
        at = noise.randrange(len(VALUE))
        other = VALUE[:at] + noise.choice(string.ascii_letters.replace(VALUE[at], "")) + VALUE[at + 1 :]
        if other.casefold() == VALUE.casefold():
            continue
        for look, data in looks(other).items():
            (tmp_path / f"{number}-{look.replace('/', ' ')}").write_bytes(data)
    (tmp_path / "noise").write_bytes(noise.randbytes(4 << 20))
    assert residue.search([tmp_path], [VALUE]).findings == []


def test_letters_whose_bytes_differ_as_case_does_are_other_letters() -> None:
    """U+4E41 and U+6E61 are `A N` and `a n` as bytes of UTF-16."""
    assert Matcher(["\u4e41\u4e42\u4e43"]).inside("\u6e61\u6e62\u6e63".encode("utf-16-le")) == []
    assert Matcher(["\u4e41\u4e42\u4e43"]).inside("\u4e41\u4e42\u4e43".encode("utf-16-le"))
