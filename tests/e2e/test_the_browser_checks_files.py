"""The saved page answers as the program does, sentence by sentence, from a disk and with no network at all."""

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from apps.ledger.format.keys import VerifierKey
from apps.ledger.format.verdict import Trust
from apps.ledger.format.verifying import MOST_PARTS, UNTOLD_BYTES, verify
from apps.web.saved import saved_page
from tests.e2e.files import bundle, damaged, forks, hostile_file
from tests.ledger.corpus.make import CORPUS
from tests.ledger.files import LOG_KEY, OTHER_LOG_KEY, VALUE, certificate_file, receipt_file, written

pytestmark = pytest.mark.e2e

KEY, OTHER = LOG_KEY.verifier, OTHER_LOG_KEY.verifier
WHOLE = {
    "a receipt": written(receipt_file()),
    "a cosigned receipt": written(receipt_file(witnesses=2)),
    "a receipt of hostile text": written(hostile_file()),
    "a certificate": written(certificate_file(witnesses=1)),
    "a certificate not yet in the log": written(certificate_file(pinned=False)),
    "a fork of one size": forks()[0],
    "a fork of two sizes": forks()[1],
    "a fork with a hash less": forks()[2],
    "a bundle": bundle(),
    "a part of a ledger": bundle(2, 5),
    "a bundle beyond the log": bundle(1, 9),
    "a bundle of one receipt": bundle(2, 2),
    "a bundle whose last one is beyond the log": bundle(8, 9),
    "a bundle before the log": bundle(pinned=False),
}
LONG = b'"a":"' + b"x" * UNTOLD_BYTES + b'"'
OTHERS = (
    *(
        b"",
        b"{}",
        b"[]",
        b"%PDF-1.7",
        b'{"format":1}',
        b'{"format":"muniment-later/9"}',
        b"\xff\xfe",
        b"[" * 5000,
    ),
    VALUE.to_bytes(),
    b"A\n" * UNTOLD_BYTES,
    b"{}\n" * UNTOLD_BYTES,
    b"{" + LONG + b',"format":"muniment-receipt-file/1"}',
)
PRETENDED = (
    b'{"format":"muniment-erasure-certificate-file/1",' + LONG + b"}",
    b'{"format":"muniment-receipt-file/1",' + LONG + b"}",
    b'{"format":"muniment-receipt-file/1","a":[' + b"[]," * MOST_PARTS + b"0]}",
)
TRIED = "data:text/plain,x"  # what a test tries to reach, and must not
CHECK = """async (cases) => {
  const answers = [];
  for (const [file, keys] of cases) {
    const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
    answers.push(await muniment.verify(new Blob([bytes]), keys.map((key) => muniment.VerifierKey.parse(key))));
  }
  return answers;
}"""


@pytest.fixture
def saved(chromium: Browser, tmp_path: Path) -> Iterator[Page]:
    """`verify.html`, opened from the disk in a browser that has no network. Nothing but itself was ever asked for."""
    file = tmp_path / "verify.html"
    file.write_text(saved_page((str(KEY),), "vault.example")[0])
    context = chromium.new_context(offline=True)
    page = context.new_page()
    asked: list[str] = []
    complaints: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda said: complaints.append(said.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(file.as_uri())
    yield page
    context.close()
    assert [each for each in asked if each not in ("data:,", TRIED)] == [file.as_uri()]
    assert not [each for each in complaints if TRIED not in each]


def answers(page: Page, cases: Sequence[tuple[bytes, Sequence[VerifierKey]]]) -> list[dict[str, Any]]:
    sent = [[b64encode(file).decode(), [str(key) for key in keys]] for file, keys in cases]
    return list(page.evaluate(CHECK, sent))


def test_it_answers_the_corpus(saved: Page) -> None:
    """All of it but what takes a policy, an opening or a vault's name: these are for the program."""
    corpus = [json.loads(line) for line in CORPUS.read_text().splitlines()]
    cases = [each for each in corpus if not (each["policy"] or each["openings"] or each["vault"])]
    assert len(cases) > 150
    keys = [[VerifierKey.parse(key) for key in each["keys"]] for each in cases]
    found = answers(saved, [(each["file"].encode(), given) for each, given in zip(cases, keys, strict=True)])
    for case, given, answer in zip(cases, keys, found, strict=True):
        said = (answer["verdict"], [each["where"] for each in answer["findings"]])
        assert said == (case["verdict"], case["where"]), case["name"]
        assert answer == verify(case["file"].encode(), Trust(tuple(given))).to_json(), case["name"]


@pytest.mark.parametrize("name", list(WHOLE))
def test_it_says_word_for_word_what_the_program_says_of_any_damage(saved: Page, name: str) -> None:
    whole = WHOLE[name]
    cases = [(whole, keys) for keys in ([KEY], [OTHER], [])]
    cases += [(file, [KEY]) for file in damaged(whole, seed=1, often=20)]
    for (file, keys), answer in zip(cases, answers(saved, cases), strict=True):
        assert answer == verify(file, Trust(tuple(keys))).to_json(), file


def test_what_is_no_file_of_ours_is_neither_a_pass_nor_a_fail(saved: Page) -> None:
    for file, answer in zip(OTHERS, answers(saved, [(file, [KEY]) for file in OTHERS]), strict=True):
        assert answer == verify(file, Trust((KEY,))).to_json()
        assert answer["verdict"] == "cant-check"


def test_what_only_pretends_to_be_one_is_altered(saved: Page) -> None:
    for file, answer in zip(PRETENDED, answers(saved, [(file, [KEY]) for file in PRETENDED]), strict=True):
        assert answer == verify(file, Trust((KEY,))).to_json()
        assert answer["verdict"] == "altered"


def test_keys_and_signatures_of_more_than_one_spelling_are_refused(saved: Page) -> None:
    """A point of small order for a key, and a second half of a signature at or beyond the group's order."""
    small = ["00" * 32, "01" + "00" * 31, "ec" + "ff" * 30 + "7f", "ee" + "ff" * 30 + "7f", "01" + "00" * 30 + "80"]
    refused = """(keys) => keys.map((hex) => {
      try { new muniment.VerifierKey("a", 1, muniment.unhex(hex)); return "taken"; } catch (e) { return e.message; }
    })"""
    sentence = "an Ed25519 public key is 32 bytes, canonical, and no point of small order"
    assert saved.evaluate(refused, small) == [sentence] * len(small)
    message, order = b"a text\n", 2**252 + 27742317777372353535851937790883648493
    signature = LOG_KEY.sign(message).field
    twice = signature[:32] + (int.from_bytes(signature[32:], "little") + order).to_bytes(32, "little")
    holds = """([key, text, signatures]) => signatures.map((hex) =>
      muniment.VerifierKey.parse(key).holds(muniment.octets(text, "a text"), muniment.unhex(hex)))"""
    given = [str(KEY), message.decode(), [signature.hex(), twice.hex(), signature[:63].hex()]]
    assert saved.evaluate(holds, given) == [True, False, False]


def choose(page: Page, file: bytes, name: str = "rcp_3.receipt.json") -> None:
    page.set_input_files("#file", {"name": name, "mimeType": "application/json", "buffer": file})


def test_its_key_is_filled_in_and_may_be_changed(saved: Page) -> None:
    field = saved.get_by_label("The log’s key")
    assert field.input_value().strip() == str(KEY)
    expect(saved.get_by_text("Filled in when this page was saved from vault.example")).to_be_visible()
    choose(saved, WHOLE["a receipt"])
    status = saved.get_by_role("status")
    expect(status).to_contain_text("This receipt is unaltered and is line 3 of this vault's ledger.")
    for typed, verdict in ((str(OTHER), "Not from this vault"), ("", "Intact, ledger not checked")):
        field.fill(typed)
        field.blur()
        expect(status).to_contain_text(verdict)
    field.fill("something else")
    field.blur()
    expect(saved.get_by_role("alert")).to_contain_text("The log’s key cannot be used")
    expect(status).to_be_empty()
    expect(saved.locator("#report")).to_be_hidden()


def test_its_policy_lets_nothing_out_and_nothing_else_in(saved: Page) -> None:
    policy = saved.locator("meta[http-equiv=Content-Security-Policy]").get_attribute("content")
    assert policy and "default-src 'none'" in policy and "connect-src 'none'" in policy
    assert "unsafe" not in policy and "http" not in policy
    assert saved.evaluate(f"fetch('{TRIED}').then(() => 'reached', () => 'held')") == "held"


def test_a_bundle_is_checked_and_the_answer_has_the_focus(saved: Page) -> None:
    saved.keyboard.press("Tab")
    assert saved.evaluate("document.activeElement.id") == "file"
    choose(saved, WHOLE["a bundle"], "ledger.bundle.jsonl")
    expect(saved.get_by_role("status")).to_contain_text("Receipts 1 to 8 are unaltered")
    assert saved.evaluate("document.activeElement.id") == "report"
    assert Axe().run(saved).violations_count == 0
