"""A notice that was ever shown is never edited: each text has the digest that its document gives it."""

import re
from hashlib import sha256
from pathlib import Path
from uuid import UUID

from apps.access import notices
from apps.policy.consent import Below

ROOT = Path(__file__).resolve().parent.parent.parent
ROW = re.compile(r"^\| \[([0-9]+)\]\(\.\./apps/access/notices/\1\.txt\) \| [^|]+ \| `([0-9a-f]{64})` \|$", re.MULTILINE)


def test_every_text_has_the_digest_that_its_document_gives_it() -> None:
    described = {int(number): digest for number, digest in ROW.findall((ROOT / "docs/consent-record.md").read_text())}
    kept = {int(path.stem): path.read_bytes() for path in (ROOT / "apps/access/notices").glob("*.txt")}
    assert described == {number: sha256(text).hexdigest() for number, text in kept.items()}
    assert {number: each.digest.hex() for number, each in notices.all_notices().items()} == described


def test_what_the_pages_show_is_among_them_and_has_no_empty_line() -> None:
    for number in (notices.REQUEST, notices.CARD):
        found = notices.notice(number)
        assert found
        assert all(line == line.strip() != "" for line in found.paragraphs)
        assert found.text == "".join(f"{line}\n" for line in found.paragraphs)


def test_a_space_s_own_stands_below_ours_and_is_said_to_be_its_own() -> None:
    """In words that are as little to be edited: the records of every space that has one are bound to them."""
    ours, below = notices.notice(notices.REQUEST), Below(UUID(int=7), 3)
    assert ours
    found = notices.joined(ours, below, "Ask at the desk.\nOr write.")
    assert found.text == f"{ours.text}Your household or clinic adds:\nAsk at the desk.\nOr write.\n"
    assert found.address == f"/notices/1/spc_{'0' * 31}7/3"
    assert (found.number, ours.address) == (1, "/notices/1")


def test_a_number_that_none_has_names_no_text() -> None:
    assert notices.notice(None) is notices.notice(0) is notices.notice(99) is None
