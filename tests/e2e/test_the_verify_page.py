"""`/verify` in a browser: the file is never sent, each verdict is told in every way, and a receipt prints whole."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request, expect
from pypdf import PdfReader

from apps.ledger import services as ledger
from tests.e2e.conftest import Ines
from tests.e2e.files import bundle, forks
from tests.e2e.test_every_page_is_fit_to_use import WIDTHS_AND_THEMES, check
from tests.e2e.test_the_browser_checks_files import choose
from tests.ledger.files import receipt_file, written

pytestmark = pytest.mark.e2e

STRANGE = written(receipt_file())


@pytest.fixture(scope="session")
def log_key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log's keys, made by the first test that needs them: the instance of these tests is one."""
    return tmp_path_factory.mktemp("log") / "log_key"


@pytest.fixture
def own(ines: Ines, log_key: Path) -> bytes:
    """The file of Ines's tenth receipt, in this instance's log."""
    publisher = ledger.publisher(log_key, origin="vault.example/log")
    publisher.step(everything=True)
    return written(ledger.proof(ines.holder.vault_id, ines.holder.actor, 10) or {})


def verdicts(own: bytes) -> dict[str, tuple[bytes, str]]:
    """A file for each verdict, and what the page says of it."""
    return {
        "intact-in-ledger": (own, "Intact and in the ledger"),
        "altered": (own.replace(b'"kind": "', b'"kind": "x'), "Altered"),
        "unknown-key": (STRANGE, "Not from this vault, or an unknown key"),
        "cant-check": (written(receipt_file(pinned=False)), "Can't check"),
    }


def test_with_script_the_file_never_leaves(open_browser: Callable[..., Page], own: bytes) -> None:
    page = open_browser(signed_in=False)
    page.goto("/verify")
    page.wait_for_load_state("networkidle")
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request))
    for verdict, (file, heading) in verdicts(own).items():
        choose(page, file)
        expect(page.get_by_role("status")).to_contain_text(heading)
        assert page.locator("#verdict").get_attribute("data-verdict") == verdict
    choose(page, bundle(), "ledger.bundle.jsonl")
    expect(page.get_by_role("status")).to_contain_text("signed by none of the keys that it was checked against")
    choose(page, forks()[0], "fork.json")
    expect(page.get_by_role("status")).to_contain_text("signed by none of the keys that it was checked against")
    page.locator("#sending").evaluate("(form) => form.requestSubmit()")
    page.locator("#sending").evaluate("(form) => form.querySelector('button')?.click()")
    page.wait_for_timeout(300)
    assert not [each.url for each in asked if each.resource_type != "font" or each.method != "GET"]


def test_a_file_is_dropped_on_the_page(open_browser: Callable[..., Page], own: bytes) -> None:
    page = open_browser(signed_in=False)
    page.goto("/verify")
    page.evaluate(
        """(text) => {
          const carried = new DataTransfer();
          carried.items.add(new File([text], "dropped.receipt.json"));
          const drop = document.getElementById("drop");
          for (const kind of ["dragenter", "dragover", "drop"]) {
            drop.dispatchEvent(new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true }));
          }
        }""",
        own.decode(),
    )
    expect(page.get_by_role("status")).to_contain_text("is line 10 of this vault's ledger")
    expect(page.locator("#report")).to_contain_text("dropped.receipt.json")


def test_without_script_it_says_that_it_sends_the_file_and_says_the_same(
    open_browser: Callable[..., Page], own: bytes
) -> None:
    with_script, without = open_browser(signed_in=False), open_browser(script=False, signed_in=False)
    for page in (with_script, without):
        page.goto("/verify")
    expect(without.get_by_text("Without script this sends the file to localhost")).to_be_visible()
    expect(with_script.get_by_role("button", name="Send it")).to_be_hidden()
    for verdict, (file, _) in verdicts(own).items():
        choose(with_script, file)
        expect(with_script.locator("#verdict")).to_have_attribute("data-verdict", verdict)
        choose(without, file)
        without.get_by_role("button", name="Send it and check it there").click()
        expect(without.locator("#verdict")).to_have_attribute("data-verdict", verdict)
        said = [re.sub(r"\s+", " ", page.locator("#report").inner_text()) for page in (with_script, without)]
        assert said[0] == said[1]


@pytest.mark.parametrize(("width", "dark"), WIDTHS_AND_THEMES)
def test_every_answer_is_fit_to_use(open_browser: Callable[..., Page], own: bytes, width: int, dark: bool) -> None:
    page, wrong = open_browser(width=width, dark=dark, signed_in=False), []
    page.goto("/verify")
    wrong += check(page, "/verify")
    for verdict, (file, _) in verdicts(own).items():
        page.set_viewport_size({"width": width, "height": 800})
        choose(page, file)
        expect(page.locator("#verdict")).to_have_attribute("data-verdict", verdict)
        wrong += check(page, f"{verdict} at {width}")
    assert not wrong, "\n".join(wrong)


def test_the_verdict_is_seen_where_it_is_read_last_and_told_at_once(
    open_browser: Callable[..., Page], own: bytes
) -> None:
    page = open_browser(signed_in=False)
    page.goto("/verify")
    expect(page.get_by_role("status")).to_be_empty()
    choose(page, own)
    expect(page.get_by_role("status")).to_contain_text("Intact and in the ledger. ")
    places = "(all) => all.map((each) => each.getBoundingClientRect().top)"
    seen = page.locator("#report h2, #report ul[data-part=limits], #verdict").evaluate_all(places)
    assert len(seen) == 5 and seen == sorted(seen), "the order on the screen is that of the document"


def test_the_saved_page_is_taken_from_it_with_this_logs_keys(
    open_browser: Callable[..., Page], own: bytes, tmp_path: Path
) -> None:
    page = open_browser(signed_in=False)
    page.goto("/verify")
    with page.expect_download() as taken:
        page.get_by_role("link", name="verify.html").click()
    file = tmp_path / taken.value.suggested_filename
    taken.value.save_as(file)
    assert file.name == "verify.html"
    page.goto(file.as_uri())
    choose(page, own)
    expect(page.get_by_role("status")).to_contain_text("is line 10 of this vault's ledger")


def test_told_apart_without_colour(open_browser: Callable[..., Page], own: bytes) -> None:
    """The mark beside the verdict and its frame differ, whatever the colours are."""
    page, shapes = open_browser(signed_in=False), set()
    page.emulate_media(forced_colors="active")
    page.goto("/verify")
    look = "(el) => getComputedStyle(el).borderStyle + getComputedStyle(el, '::before').content"
    for verdict, (file, _) in verdicts(own).items():
        choose(page, file)
        expect(page.locator("#verdict")).to_have_attribute("data-verdict", verdict)
        shapes.add(page.locator("#verdict").evaluate(look))
    assert len(shapes) == len(verdicts(own))


PAPERS = {"A4": {"format": "A4"}, "a roll of 80 mm": {"width": "80mm", "height": "297mm"}}


@pytest.mark.parametrize("paper", list(PAPERS))
def test_a_printed_receipt_holds_the_facts_of_its_file(
    open_browser: Callable[..., Page], own: bytes, tmp_path: Path, paper: str
) -> None:
    page = open_browser()
    page.goto("/receipts/rcp_10")
    printed = tmp_path / "receipt.pdf"
    page.pdf(path=printed, **PAPERS[paper])  # type: ignore[arg-type]
    pages = "".join(each.extract_text() for each in PdfReader(printed).pages)
    text, file = "".join(pages.split()), json.loads(own)
    facts = [*map(str, file["receipt"].values()), file["digest"], file["chain_hash"], file["previous_chain_hash"]]
    facts += [file["leaf"]["tag"], file["leaf"]["pseudonym_key"], *file["segment"], *file["keys"].values()]
    facts += [*file["limits"], *file["proof"].split()]
    assert not [fact for fact in facts if "".join(fact.split()) not in text]
